"""Cameras: their matrices, and the variables of shaders that hold them."""
