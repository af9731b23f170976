"""Machine IR as text: the model, the parser, and what a debug location means."""
