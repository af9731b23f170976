"""Makes LLVM IR of Triton kernels: no GPU, no torch."""
