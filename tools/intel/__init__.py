"""Intel's side of the tools: the real offline compiler, Triton for XPU, and the reports on PTSS."""
