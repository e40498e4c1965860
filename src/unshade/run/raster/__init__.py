"""A software rasteriser: primitives through the shaders of a pipeline.

vertices ── vertex ── hull ── domain ── geometry ── primitives
primitives ── clip ── screen ── quads ── pixel ── depth ── targets
"""

from .draw import Picture, draw
from .history import Fragment, PixelHistory, Rejection
from .input_layout import Element, InputLayout
from .mesh import Mesh, read_mesh

__all__ = [
    "Element", "Fragment", "InputLayout", "Mesh", "Picture", "PixelHistory", "Rejection", "draw",
    "read_mesh",
]  # fmt: skip
