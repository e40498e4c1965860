"""SkSL: programs of Skia's shading language, as a tree, as text and in the binary format."""

from .program import Program

__all__ = ["Program"]
