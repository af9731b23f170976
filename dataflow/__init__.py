"""What allocated code means: models, analyses and findings, as pure functions from text and objects."""
