"""Meshes: their files, and inputs of vertex shaders from them."""
