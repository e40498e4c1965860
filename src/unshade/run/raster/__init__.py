"""A software rasteriser: primitives through the shaders of a pipeline.

vertices ── vertex ── hull ── domain ── geometry ── primitives
primitives ── clip ── screen ── quads ── pixel ── merger ── targets
"""

from .blend_state import Blend, BlendState
from .depth_stencil_state import DepthStencilState, StencilFace
from .draw import Picture, draw
from .draw_arguments import DrawArguments, dispatch_arguments
from .history import Fragment, PixelHistory, Rejection
from .input_layout import Element, InputLayout
from .mesh import Mesh, read_mesh
from .mesh_files import open_mesh
from .rasterizer_state import RasterizerState
from .statistics import PipelineStatistics
from .stream_output import StreamOutput, StreamOutputEntry

__all__ = [
    "Blend", "BlendState", "DepthStencilState", "DrawArguments", "Element", "Fragment",
    "InputLayout", "Mesh", "Picture", "PipelineStatistics", "PixelHistory", "RasterizerState",
    "Rejection", "StencilFace", "StreamOutput", "StreamOutputEntry", "dispatch_arguments", "draw",
    "open_mesh",
    "read_mesh",
]  # fmt: skip
