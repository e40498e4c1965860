"""A software rasteriser: triangles through a vertex and a pixel shader.

vertices ── vertex shader ── clip ── screen ── quads ── pixel shader ── depth ── targets
"""

from .draw import Picture, draw
from .mesh import Mesh, read_mesh

__all__ = ["Mesh", "Picture", "draw", "read_mesh"]
