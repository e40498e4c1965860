"""Transformations of kernels, each by itself; `simplify` has those that only save work."""
