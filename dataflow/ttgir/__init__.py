"""Triton's GPU IR (and its IR before layouts) as text: model, reader, layouts and locations."""
