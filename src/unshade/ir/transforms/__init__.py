"""Independent transformations of kernels; `simplify` contains the optimisations."""
