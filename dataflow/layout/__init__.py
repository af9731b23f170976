"""Which lane of which warp holds which element of a tensor, in which register, and what that costs."""
