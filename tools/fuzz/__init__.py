"""Random programs for the register allocator, and campaigns that compile and check them."""
