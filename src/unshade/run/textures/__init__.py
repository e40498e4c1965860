"""Textures from files: containers, formats, blocks."""
