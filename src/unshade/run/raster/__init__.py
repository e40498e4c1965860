"""A software rasteriser: primitives through the shaders of a pipeline.

vertices ── vertex ── hull ── domain ── geometry ── primitives
primitives ── clip ── screen ── quads ── pixel ── merger ── targets
"""

from .blend_state import Blend, BlendState
from .depth_stencil_state import DepthStencilState, StencilFace
from .draw import Picture, draw
from .history import Fragment, PixelHistory, Rejection
from .input_layout import Element, InputLayout
from .mesh import Mesh, read_mesh
from .mesh_files import open_mesh
from .rasterizer_state import RasterizerState

__all__ = [
    "Blend", "BlendState", "DepthStencilState", "Element", "Fragment", "InputLayout", "Mesh",
    "Picture", "PixelHistory", "RasterizerState", "Rejection", "StencilFace", "draw", "open_mesh",
    "read_mesh",
]  # fmt: skip
