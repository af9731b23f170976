from __future__ import annotations
from .model import Setup
def write_test(setup, text, findings, output):
    output.write_text(text)
