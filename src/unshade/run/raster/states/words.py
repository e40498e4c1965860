"""The words of the state of a draw, in the spellings of Direct3D and of Vulkan.

    "inv_src_alpha"  "D3D12_BLEND_INV_SRC_ALPHA"  "VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA"

A word is matched without prefix, case and separators, so "one-minus-src-alpha" of WebGPU is known,
too. The members are Direct3D 12's words; `ALIASES` has the words of Vulkan that differ.

Sources: the enumerations D3D12_BLEND, D3D12_BLEND_OP, D3D12_LOGIC_OP, D3D12_STENCIL_OP,
D3D12_COMPARISON_FUNC, D3D12_FILL_MODE, D3D12_CULL_MODE, D3D12_LINE_RASTERIZATION_MODE and
D3D12_CONSERVATIVE_RASTERIZATION_MODE; VkBlendFactor, VkBlendOp, VkLogicOp, VkStencilOp,
VkCompareOp, VkPolygonMode, VkCullModeFlagBits, VkLineRasterizationMode,
VkConservativeRasterizationModeEXT and VkProvokingVertexModeEXT.
"""

import re
from typing import Any, TypeVar

from ....enums import StrEnum
from ....errors import UsageError
from ...binding.suggestions import suggestion

Word = TypeVar("Word", bound=StrEnum)

PREFIX = re.compile(
    r"^(?:d3d1[0-2]_(?:blend_op|blend|logic_op|stencil_?op|comparison_func|comparison|fill_mode"
    r"|fill|cull_mode|cull|line_rasterization_mode|conservative_rasterization_mode|resolve_mode)"
    r"|vk_(?:blend_factor|blend_op|logic_op|stencil_op|compare_op|polygon_mode|cull_mode"
    r"|line_rasterization_mode|conservative_rasterization_mode|provoking_vertex_mode|resolve_mode|blend_overlap))_"
)
SUFFIX = re.compile(r"(?:_vertex|_bit)?(?:_ext|_khr)?$")
SEPARATORS = re.compile(r"[^a-z0-9]")


class Factor(StrEnum):
    """A factor of blending."""

    ZERO = "zero"
    ONE = "one"
    SRC_COLOR = "src_color"
    INV_SRC_COLOR = "inv_src_color"
    SRC_ALPHA = "src_alpha"
    INV_SRC_ALPHA = "inv_src_alpha"
    DEST_ALPHA = "dest_alpha"
    INV_DEST_ALPHA = "inv_dest_alpha"
    DEST_COLOR = "dest_color"
    INV_DEST_COLOR = "inv_dest_color"
    SRC_ALPHA_SAT = "src_alpha_sat"
    BLEND_FACTOR = "blend_factor"
    INV_BLEND_FACTOR = "inv_blend_factor"
    SRC1_COLOR = "src1_color"
    INV_SRC1_COLOR = "inv_src1_color"
    SRC1_ALPHA = "src1_alpha"
    INV_SRC1_ALPHA = "inv_src1_alpha"
    ALPHA_FACTOR = "alpha_factor"
    INV_ALPHA_FACTOR = "inv_alpha_factor"


class BlendOp(StrEnum):
    """The operation that combines source and destination, each times its factor."""

    ADD = "add"
    SUBTRACT = "subtract"
    REV_SUBTRACT = "rev_subtract"
    MIN = "min"
    MAX = "max"
    # of VK_EXT_blend_operation_advanced
    ZERO = "zero"
    SRC = "src"
    DST = "dst"
    SRC_OVER = "src_over"
    DST_OVER = "dst_over"
    SRC_IN = "src_in"
    DST_IN = "dst_in"
    SRC_OUT = "src_out"
    DST_OUT = "dst_out"
    SRC_ATOP = "src_atop"
    DST_ATOP = "dst_atop"
    XOR = "xor"
    MULTIPLY = "multiply"
    SCREEN = "screen"
    OVERLAY = "overlay"
    DARKEN = "darken"
    LIGHTEN = "lighten"
    COLORDODGE = "colordodge"
    COLORBURN = "colorburn"
    HARDLIGHT = "hardlight"
    SOFTLIGHT = "softlight"
    DIFFERENCE = "difference"
    EXCLUSION = "exclusion"
    INVERT = "invert"
    INVERT_RGB = "invert_rgb"
    LINEARDODGE = "lineardodge"
    LINEARBURN = "linearburn"
    VIVIDLIGHT = "vividlight"
    LINEARLIGHT = "linearlight"
    PINLIGHT = "pinlight"
    HARDMIX = "hardmix"
    HSL_HUE = "hsl_hue"
    HSL_SATURATION = "hsl_saturation"
    HSL_COLOR = "hsl_color"
    HSL_LUMINOSITY = "hsl_luminosity"
    PLUS = "plus"
    PLUS_CLAMPED = "plus_clamped"
    PLUS_CLAMPED_ALPHA = "plus_clamped_alpha"
    PLUS_DARKER = "plus_darker"
    MINUS = "minus"
    MINUS_CLAMPED = "minus_clamped"
    CONTRAST = "contrast"
    INVERT_OVG = "invert_ovg"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


BASIC = (BlendOp.ADD, BlendOp.SUBTRACT, BlendOp.REV_SUBTRACT, BlendOp.MIN, BlendOp.MAX)
ADVANCED = frozenset(BlendOp) - {*BASIC}


class Overlap(StrEnum):
    """The correlation of the coverage of source and destination in advanced blending."""

    UNCORRELATED = "uncorrelated"
    DISJOINT = "disjoint"
    CONJOINT = "conjoint"


class LogicOp(StrEnum):
    """An operation on the bits of source and destination."""

    CLEAR = "clear"
    SET = "set"
    COPY = "copy"
    COPY_INVERTED = "copy_inverted"
    NOOP = "noop"
    INVERT = "invert"
    AND = "and"
    NAND = "nand"
    OR = "or"
    NOR = "nor"
    XOR = "xor"
    EQUIV = "equiv"
    AND_REVERSE = "and_reverse"
    AND_INVERTED = "and_inverted"
    OR_REVERSE = "or_reverse"
    OR_INVERTED = "or_inverted"


class StencilOp(StrEnum):
    """A change of the stencil of a sample."""

    KEEP = "keep"
    ZERO = "zero"
    REPLACE = "replace"
    INCR_SAT = "incr_sat"
    DECR_SAT = "decr_sat"
    INVERT = "invert"
    INCR = "incr"
    DECR = "decr"


class Comparison(StrEnum):
    """A comparison of a new number with a stored one."""

    NEVER = "never"
    LESS = "less"
    EQUAL = "equal"
    LESS_EQUAL = "less_equal"
    GREATER = "greater"
    NOT_EQUAL = "not_equal"
    GREATER_EQUAL = "greater_equal"
    ALWAYS = "always"


class Fill(StrEnum):
    """The fill mode of polygons: their inside, their edges or their corners."""

    SOLID = "solid"
    WIREFRAME = "wireframe"
    POINT = "point"


class Cull(StrEnum):
    """The faces that are left out."""

    NONE = "none"
    FRONT = "front"
    BACK = "back"
    FRONT_AND_BACK = "front_and_back"


class LineMode(StrEnum):
    """The shape of lines."""

    ALIASED = "aliased"
    RECTANGULAR = "rectangular"
    QUADRILATERAL_WIDE = "quadrilateral_wide"
    RECTANGULAR_SMOOTH = "rectangular_smooth"


class ConservativeMode(StrEnum):
    """The rule for the pixels that a triangle covers, in conservative rasterisation."""

    OFF = "off"
    ON = "on"
    UNDERESTIMATE = "underestimate"


class ProvokingVertex(StrEnum):
    """The vertex of a primitive that constant values are taken from."""

    FIRST = "first"
    LAST = "last"


ALIASES: dict[type[StrEnum], dict[str, str]] = {
    Factor: {
        "one_minus_src_color": "inv_src_color", "one_minus_src_alpha": "inv_src_alpha",
        "dst_alpha": "dest_alpha", "one_minus_dst_alpha": "inv_dest_alpha",
        "dst_color": "dest_color", "one_minus_dst_color": "inv_dest_color",
        "src_alpha_saturate": "src_alpha_sat", "constant_color": "blend_factor",
        "one_minus_constant_color": "inv_blend_factor", "constant_alpha": "alpha_factor",
        "one_minus_constant_alpha": "inv_alpha_factor",
        "one_minus_src1_color": "inv_src1_color", "one_minus_src1_alpha": "inv_src1_alpha",
        # of WebGPU, where a colour has no suffix
        "src": "src_color", "one_minus_src": "inv_src_color", "dst": "dest_color",
        "one_minus_dst": "inv_dest_color", "constant": "blend_factor",
        "one_minus_constant": "inv_blend_factor", "src_alpha_saturated": "src_alpha_sat",
    },
    BlendOp: {"reverse_subtract": "rev_subtract"},
    LogicOp: {"no_op": "noop", "equivalent": "equiv"},
    StencilOp: {
        "increment_and_clamp": "incr_sat", "decrement_and_clamp": "decr_sat",
        "increment_and_wrap": "incr", "decrement_and_wrap": "decr",
        "increment_clamp": "incr_sat", "decrement_clamp": "decr_sat",
        "increment_wrap": "incr", "decrement_wrap": "decr",
    },
    Comparison: {
        "less_or_equal": "less_equal", "greater_or_equal": "greater_equal",
    },
    Fill: {"fill": "solid", "line": "wireframe"},
    Cull: {},
    ConservativeMode: {"disabled": "off", "overestimate": "on"},
    ProvokingVertex: {},
    LineMode: {
        "bresenham": "aliased", "quadrilateral_narrow": "rectangular",
        "alpha_antialiased": "rectangular_smooth",
    },
}  # fmt: skip


def plain(text: str) -> str:
    """Return the letters and digits of a word, by which spellings are compared."""
    return SEPARATORS.sub("", text.lower())


def word_of(kind: type[Word], given: Any, where: str) -> Word:
    """Return the member that a word of either API means; UsageError names `where`."""
    text = SUFFIX.sub("", PREFIX.sub("", str(given).lower().replace(" ", "_")))
    wanted = plain(text)
    for each in kind:
        if plain(each) == wanted:
            return each
    for alias, name in ALIASES.get(kind, {}).items():
        if plain(alias) == wanted:
            return kind(name)
    known = [str(each) for each in kind]
    raise UsageError(f"unknown {where} {given!r:.60}{suggestion(text, known, None)}")
