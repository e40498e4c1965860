"""Independent transformations of kernels; `simplify` has those that only save work."""
