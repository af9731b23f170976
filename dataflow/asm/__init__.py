"""The final assembly of a kernel: what each instruction reads and writes, lane by lane, and what can be said of it."""
