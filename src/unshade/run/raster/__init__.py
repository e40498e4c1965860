"""A software rasteriser: primitives through the shaders of a pipeline.

vertices ── vertex ── hull ── domain ── geometry ── primitives
primitives ── clip ── screen ── quads ── pixel ── merger ── targets
"""

from ..meshes.files import open_mesh
from ..meshes.mesh import Mesh, read_mesh
from .draw import Picture, draw
from .geometry.draw_arguments import DrawArguments, dispatch_arguments
from .geometry.input_layout import Element, InputLayout
from .geometry.stream_output import StreamOutput, StreamOutputEntry
from .history import Fragment, PixelHistory, Rejection
from .states.blend import Blend, BlendState
from .states.depth_stencil import DepthStencilState, StencilFace
from .states.rasterizer import RasterizerState
from .statistics import PipelineStatistics

__all__ = [
    "Blend", "BlendState", "DepthStencilState", "DrawArguments", "Element", "Fragment",
    "InputLayout", "Mesh", "Picture", "PipelineStatistics", "PixelHistory", "RasterizerState",
    "Rejection", "StencilFace", "StreamOutput", "StreamOutputEntry", "dispatch_arguments", "draw",
    "open_mesh",
    "read_mesh",
]  # fmt: skip
