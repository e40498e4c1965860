"""The text form of kernels: printed and parsed."""
