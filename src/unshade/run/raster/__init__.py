"""A software rasteriser: primitives through the shaders of a pipeline.

vertices ── vertex ── hull ── domain ── geometry ── primitives
primitives ── clip ── screen ── quads ── pixel ── depth ── targets
"""

from .draw import Picture, draw
from .input_layout import Element, InputLayout
from .mesh import Mesh, read_mesh

__all__ = ["Element", "InputLayout", "Mesh", "Picture", "draw", "read_mesh"]
