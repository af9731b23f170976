"""Results as text for people (`text`) and as JSON for programs (`json`). Nothing here computes a verdict."""
