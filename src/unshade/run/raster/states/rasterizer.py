"""The state of the rasteriser, as Direct3D 12 and Vulkan have it.

    RasterizerState(fill_mode="wireframe", cull_mode="back")
    RasterizerState(depth_bias=4, slope_scaled_depth_bias=1.5, depth_bias_clamp=0.01)

Fields have the names of Direct3D 12; `state_fields` fills them from a mapping with the names of
either API. A field that is None has the default of the API that the shaders are for:

                          Direct3D                              Vulkan
    depth_clip_enable     True                                  the opposite of depth_clamp_enable
    depth_clamp_enable    True                                  the opposite of depth_clip_enable,
                                                                or False
    line_mode             aliased; with several samples         rectangular
                          quadrilateral_wide

Sources: D3D12_RASTERIZER_DESC2; VkPipelineRasterizationStateCreateInfo,
VkPipelineRasterizationDepthClipStateCreateInfoEXT, VK_EXT_depth_range_unrestricted,
VkPipelineRasterizationLineStateCreateInfo,
VkPipelineRasterizationConservativeStateCreateInfoEXT and
VkPipelineRasterizationProvokingVertexStateCreateInfoEXT.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from ....dataclass import dataclass, replace
from ....enums import StrEnum
from ....errors import UsageError
from ....vm.launch import Array
from ...binding.numbers import shown
from .fields import filled, flag
from .words import ConservativeMode, Cull, Fill, LineMode, ProvokingVertex, word_of

WIDE = 1.4  # pixels: quadrilateral_wide
WIDEST = 256.0  # pixels, of a line
WINDINGS = ("clockwise", "counterclockwise")

__all__ = ["RasterizerState", "rasterizer_state"]


@dataclass(frozen=True, slots=True)
class RasterizerState:
    """The state of the rasteriser.

    `depth_bias` is in units of the least difference of depths that the format of the depth target
    resolves, `slope_scaled_depth_bias` in units of the greatest slope of a triangle;
    `depth_bias_clamp` limits their sum, unless it is 0. A line mode that is not aliased, and a
    `line_width` in pixels other than 1, are for lines and the edges of wireframes; smooth lines
    multiply alpha by the part of a pixel that they cover.
    `depth_range_unrestricted` leaves depths of floats that are not clamped as they are, instead of
    limiting them to 0 to 1. `conservative_raster` draws all pixels that triangles touch ("on", as
    "overestimate"), or those that are inside triangles as a whole ("underestimate"). With
    `line_stipple_enable`, lines are drawn where the 16 bits of a pattern are 1, each of which lasts
    `line_stipple_factor` pixels.
    """

    fill_mode: str = Fill.SOLID
    cull_mode: str = Cull.NONE
    front_counter_clockwise: bool = False
    depth_bias: float = 0.0
    depth_bias_clamp: float = 0.0
    slope_scaled_depth_bias: float = 0.0
    depth_bias_enable: bool = True
    depth_clip_enable: bool | None = None
    depth_clamp_enable: bool | None = None
    depth_range_unrestricted: bool = False
    line_mode: str | None = None
    line_width: float = 1.0
    line_stipple_enable: bool = False
    line_stipple_factor: int = 1
    line_stipple_pattern: int = 0xFFFF
    rasterizer_discard_enable: bool = False
    conservative_raster: str = ConservativeMode.OFF
    provoking_vertex: str = ProvokingVertex.FIRST

    def __post_init__(self) -> None:
        _set(self, "fill_mode", word_of(Fill, self.fill_mode, "fill mode"))
        _set(self, "cull_mode", word_of(Cull, self.cull_mode, "cull mode"))
        for name, kind in (
            ("conservative_raster", ConservativeMode), ("provoking_vertex", ProvokingVertex),
        ):  # fmt: skip
            _set(self, name, _word(kind, name, getattr(self, name)))
        if self.line_mode is not None:
            _set(self, "line_mode", word_of(LineMode, self.line_mode, "line mode"))
        _set(self, "front_counter_clockwise", _counter_clockwise(self.front_counter_clockwise))
        for name in ("depth_bias", "depth_bias_clamp", "slope_scaled_depth_bias", "line_width"):
            _set(self, name, _number(name, getattr(self, name)))
        for name in ("line_stipple_enable", "depth_range_unrestricted"):
            _set(self, name, flag(getattr(self, name), name))
        for name, least, most in (
            ("line_stipple_factor", 1, 256), ("line_stipple_pattern", 0, 0xFFFF),
        ):  # fmt: skip
            number = _number(name, getattr(self, name))
            if number != int(number) or not least <= number <= most:
                raise UsageError(f"{name}: expected {least} to {most}, got {number:g}")
            _set(self, name, int(number))
        if not 0 < self.line_width <= WIDEST:
            raise UsageError(f"line_width: expected above 0 to {WIDEST:g}, got {self.line_width:g}")

    def resolved(self, samples: int, *, vulkan: bool) -> "RasterizerState":
        """Return the state with the defaults of the API for the fields that are None."""
        clip, clamp, line = self.depth_clip_enable, self.depth_clamp_enable, self.line_mode
        if vulkan:
            clamp = (clip is False) if clamp is None else bool(clamp)
            clip = not clamp if clip is None else bool(clip)
        else:
            clamp = clamp is None or bool(clamp)
            clip = clip is None or bool(clip)
        if line is None:
            several = LineMode.ALIASED if samples == 1 else LineMode.QUADRILATERAL_WIDE
            line = LineMode.RECTANGULAR if vulkan else several
        return replace(self, depth_clip_enable=clip, depth_clamp_enable=clamp, line_mode=line)

    @property
    def biases(self) -> bool:
        """True if depths of polygons are biased."""
        return self.depth_bias_enable and bool(self.depth_bias or self.slope_scaled_depth_bias)

    def culled(self, is_front: Array) -> Array:
        """Return which polygons are left out, by whether they show their front."""
        front = self.cull_mode in (Cull.FRONT, Cull.FRONT_AND_BACK)
        back = self.cull_mode in (Cull.BACK, Cull.FRONT_AND_BACK)
        return np.where(is_front, front, back)

    @property
    def wide(self) -> float:
        """The width of lines in pixels."""
        if self.line_mode == LineMode.ALIASED:  # widths of aliased lines are whole pixels
            return max(1.0, float(np.floor(self.line_width + 0.5)))
        return WIDE * self.line_width if self.line_mode == LineMode.QUADRILATERAL_WIDE else (
            self.line_width
        )  # fmt: skip


def rasterizer_state(
    given: RasterizerState | Mapping[str, Any] | None,
    *,
    cull: str | None = None,
    front: str | None = None,
    depth_clip: bool | None = None,
    lines: str | None = None,
) -> RasterizerState:
    """Return the state of a draw, whose own arguments take precedence."""
    found = RasterizerState() if given is None else given
    if isinstance(found, Mapping):
        found = filled(RasterizerState, found, "rasterizer")
    if not isinstance(found, RasterizerState):
        raise UsageError(f"rasterizer: expected a RasterizerState or a dict, got {shown(given)}")
    own: dict[str, Any] = {
        "cull_mode": cull, "depth_clip_enable": depth_clip, "line_mode": lines,
        "front_counter_clockwise": None if front is None else _winding(front),
    }  # fmt: skip
    changed = {name: value for name, value in own.items() if value is not None}
    return replace(found, **changed) if changed else found


def _winding(given: Any) -> bool:
    """Return whether front faces are counterclockwise, by the word for their order."""
    word = str(given).lower().removeprefix("vk_front_face_").replace("_", "")
    if word not in WINDINGS:
        raise UsageError(f"front: expected {' or '.join(WINDINGS)}, got {given!r:.60}")
    return word == WINDINGS[1]


def _counter_clockwise(given: Any) -> bool:
    """Return a truth value, or the meaning of Vulkan's word for the order of a front face."""
    return _winding(given) if isinstance(given, str) else bool(given)


def _word(kind: type[StrEnum], name: str, given: Any) -> str:
    """Return the member for a word; True and False are on and off."""
    word = {True: "on", False: "off"}.get(given, given) if isinstance(given, bool) else given
    return word_of(kind, word, name.replace("_", " "))


def _number(name: str, given: Any) -> float:
    if isinstance(given, int | float | np.number) and isfinite(given):
        return float(given)
    raise UsageError(f"{name}: expected a finite number, got {shown(given)}")


def _set(state: object, name: str, value: object) -> None:
    """Set a field of a frozen state while it is made."""
    object.__setattr__(state, name, value)
