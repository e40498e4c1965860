"""States from mappings, whose keys are the names of Direct3D's or Vulkan's fields.

    {"SrcBlend": "D3D12_BLEND_SRC_ALPHA", "RenderTargetWriteMask": 7}
    {"srcColorBlendFactor": "VK_BLEND_FACTOR_SRC_ALPHA", "colorWriteMask": 7}
    {"src_blend": "src_alpha", "write_mask": "rgb"}

Keys are compared as the words are, without case and separators.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from ....errors import UsageError
from ...binding.numbers import shown
from ...binding.suggestions import suggestion
from .words import plain

State = TypeVar("State")

# The names of either API that differ from the fields, by the name of the state.
ALIASES: dict[str, dict[str, str]] = {
    "Blend": {
        "render_target_write_mask": "write_mask", "color_write_mask": "write_mask",
        "src_color_blend_factor": "src_blend", "dst_color_blend_factor": "dest_blend",
        "color_blend_op": "blend_op", "src_alpha_blend_factor": "src_blend_alpha",
        "dst_alpha_blend_factor": "dest_blend_alpha", "alpha_blend_op": "blend_op_alpha",
    },
    "BlendState": {
        "render_target": "targets", "attachments": "targets", "blend_constants": "blend_factor",
    },
    "DepthStencilState": {
        "depth_test_enable": "depth_enable", "depth_write_enable": "depth_write_mask",
        "depth_compare_op": "depth_func", "depth_function": "depth_func",
        "depth_write": "depth_write_mask", "stencil_test_enable": "stencil_enable",
        "front": "front_face", "back": "back_face",
    },
    "StencilFace": {
        "stencil_fail_op": "fail_op", "stencil_depth_fail_op": "depth_fail_op",
        "stencil_pass_op": "pass_op", "stencil_func": "func", "compare_op": "func",
        "function": "func", "stencil_read_mask": "read_mask", "compare_mask": "read_mask",
        "stencil_write_mask": "write_mask", "stencil_ref": "ref", "reference": "ref",
    },
    "RasterizerState": {
        "polygon_mode": "fill_mode", "front_face": "front_counter_clockwise",
        "depth_bias_constant_factor": "depth_bias",
        "depth_bias_slope_factor": "slope_scaled_depth_bias",
        "line_rasterization_mode": "line_mode", "stippled_line_enable": "line_stipple_enable",
        "conservative_rasterization_mode": "conservative_raster",
        "provoking_vertex_mode": "provoking_vertex",
    },
}  # fmt: skip


def names_of(kind: type[Any]) -> list[str]:
    """Return the names of the fields of a state."""
    return [each.name for each in fields(kind)]


def field_of(kind: type[Any], given: str) -> str | None:
    """Return the field that a name of either API means; None if there is none."""
    wanted = plain(given)
    aliases = ALIASES.get(kind.__name__, {}).items()
    known = {plain(each): each for each in names_of(kind)}
    known |= {plain(alias): name for alias, name in aliases}
    return known.get(wanted)


def flag(given: object, name: str) -> bool:
    """Return a truth value; UsageError for an object of another type."""
    if not isinstance(given, bool | int | np.bool_):
        raise UsageError(f"{name}: expected True or False, got {shown(given)}")
    return bool(given)


def filled(kind: type[State], given: Mapping[Any, Any], where: str) -> State:
    """Return a state with the fields that a mapping names; UsageError for another key."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        name = field_of(kind, str(key))
        if name is None:
            hint = suggestion(str(key), names_of(kind))
            raise UsageError(f"{where}: unknown field {key!r:.60}{hint}")
        if name in found:
            raise UsageError(f"{where}: {name} is given twice, got {shown(value)} again")
        found[name] = value
    return kind(**found)
