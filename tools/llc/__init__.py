"""Compilers: the llc that comes with this package, any other llc, and the LLVM inside an installed Triton."""
