"""Numbers of Direct3D 12 that describe pipelines, and their names.

    ComparisonFunction    D3D12_COMPARISON_FUNC, which sampler states have, too
    PIPELINE_WORDS        the names of other numbers, by the field that contains them

Source: d3d12.h, whose prefixes (`D3D12_BLEND_`, …) are left out.
"""

from collections.abc import Mapping, Sequence

from ..enums import IntEnum
from .dxgi import DXGI_FORMATS

__all__ = [
    "NO_RASTERIZED_STREAM",
    "PIPELINE_WORDS",
    "ComparisonFunction",
    "HitGroupKind",
    "NodeOverrides",
    "StateObjectType",
    "StateSubobjectType",
    "WorkGraphFlag",
    "WorkNodeKind",
]

NO_RASTERIZED_STREAM = 0xFFFFFFFF  # D3D12_SO_NO_RASTERIZED_STREAM


class ComparisonFunction(IntEnum):
    """D3D12_COMPARISON_FUNC."""

    NONE = 0
    NEVER = 1
    LESS = 2
    EQUAL = 3
    LESS_EQUAL = 4
    GREATER = 5
    NOT_EQUAL = 6
    GREATER_EQUAL = 7
    ALWAYS = 8


def _words(text: str, first: int = 0) -> dict[int, str]:
    return dict(enumerate(text.split(), first))


BLENDS = {
    **_words(
        """
        ZERO ONE SRC_COLOR INV_SRC_COLOR SRC_ALPHA INV_SRC_ALPHA DEST_ALPHA INV_DEST_ALPHA
        DEST_COLOR INV_DEST_COLOR SRC_ALPHA_SAT
        """,
        1,
    ),
    **_words(
        """
        BLEND_FACTOR INV_BLEND_FACTOR SRC1_COLOR INV_SRC1_COLOR SRC1_ALPHA INV_SRC1_ALPHA
        ALPHA_FACTOR INV_ALPHA_FACTOR
        """,
        14,
    ),
}
BLEND_OPS = _words("ADD SUBTRACT REV_SUBTRACT MIN MAX", 1)
STENCIL_OPS = _words("KEEP ZERO REPLACE INCR_SAT DECR_SAT INVERT INCR DECR", 1)
COMPARISONS = {int(each): each.name for each in ComparisonFunction}
LOGIC_OPS = _words(
    """
    CLEAR SET COPY COPY_INVERTED NOOP INVERT AND NAND OR NOR XOR EQUIV AND_REVERSE AND_INVERTED
    OR_REVERSE OR_INVERTED
    """
)


def _each(names: Sequence[str], words: Mapping[int, str]) -> dict[str, Mapping[int, str]]:
    return dict.fromkeys(names, words)


# By the name of the member of the structure of the API.
PIPELINE_WORDS: Mapping[str, Mapping[int, str]] = {
    **_each(("Format", "DSVFormat", *(f"RTFormat{i}" for i in range(8))), DXGI_FORMATS),
    **_each(("SrcBlend", "DestBlend", "SrcBlendAlpha", "DestBlendAlpha"), BLENDS),
    **_each(("BlendOp", "BlendOpAlpha"), BLEND_OPS),
    **_each(("StencilFailOp", "StencilDepthFailOp", "StencilPassOp"), STENCIL_OPS),
    **_each(("StencilFunc", "DepthFunc"), COMPARISONS),
    "LogicOp": LOGIC_OPS,
    "DepthWriteMask": _words("ZERO ALL"),
    "InputSlotClass": _words("PER_VERTEX_DATA PER_INSTANCE_DATA"),
    "FillMode": _words("WIREFRAME SOLID", 2),
    "CullMode": _words("NONE FRONT BACK", 1),
    "LineRasterizationMode": _words(
        "ALIASED ALPHA_ANTIALIASED QUADRILATERAL_WIDE QUADRILATERAL_NARROW"
    ),
    "ConservativeRaster": _words("OFF ON"),
    "PrimitiveTopology": _words("UNDEFINED POINT LINE TRIANGLE PATCH"),
    "IBStripCutValue": _words("DISABLED 0xFFFF 0xFFFFFFFF"),
}


class StateObjectType(IntEnum):
    """D3D12_STATE_OBJECT_TYPE."""

    COLLECTION = 0
    RAYTRACING_PIPELINE = 3
    EXECUTABLE = 4


class StateSubobjectType(IntEnum):
    """D3D12_STATE_SUBOBJECT_TYPE."""

    STATE_OBJECT_CONFIG = 0
    GLOBAL_ROOT_SIGNATURE = 1
    LOCAL_ROOT_SIGNATURE = 2
    NODE_MASK = 3
    DXIL_LIBRARY = 5
    EXISTING_COLLECTION = 6
    SUBOBJECT_TO_EXPORTS_ASSOCIATION = 7
    DXIL_SUBOBJECT_TO_EXPORTS_ASSOCIATION = 8
    RAYTRACING_SHADER_CONFIG = 9
    RAYTRACING_PIPELINE_CONFIG = 10
    HIT_GROUP = 11
    RAYTRACING_PIPELINE_CONFIG1 = 12
    WORK_GRAPH = 13


class HitGroupKind(IntEnum):
    """D3D12_HIT_GROUP_TYPE."""

    TRIANGLES = 0
    PROCEDURAL_PRIMITIVE = 1


class WorkNodeKind(IntEnum):
    """D3D12_NODE_TYPE."""

    SHADER = 0
    PROGRAM = 1


class NodeOverrides(IntEnum):
    """D3D12_NODE_OVERRIDES_TYPE."""

    NONE = 0
    BROADCASTING_LAUNCH = 1
    COALESCING_LAUNCH = 2
    THREAD_LAUNCH = 3
    COMMON_COMPUTE = 4


class WorkGraphFlag(IntEnum):
    """D3D12_WORK_GRAPH_FLAGS."""

    INCLUDE_ALL_AVAILABLE_NODES = 1
    ENTRYPOINT_GRAPHICS_NODES_RASTERIZE_IN_ORDER = 2
