"""Intel GPUs: whether a dot on the FMA path overflows per-thread scratch, and the rewrite that keeps it below."""
