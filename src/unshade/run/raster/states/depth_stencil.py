"""The state of depth and stencil, as in Direct3D 12 and Vulkan.

    DepthStencilState(depth_func="less_equal", depth_write_mask=False)
    DepthStencilState(front_face=StencilFace(pass_op="incr"), stencil_ref=1)

Fields have the names of Direct3D 12; `state_fields` fills them from a mapping with the names of
either API. Masks and reference are of the state, as in Direct3D 11, unless a face has its own.
Defaults are as in CD3DX12_DEPTH_STENCIL_DESC1, with this difference: the tests of stencil and
depth bounds are enabled by giving a face or bounds.

Sources: Direct3D 11.3 functional specification, section 17.8 (depth-stencil state), and the
structure D3D12_DEPTH_STENCIL_DESC2; Vulkan specification, VkPipelineDepthStencilStateCreateInfo.
"""

from collections.abc import Mapping
from math import isnan
from types import EllipsisType
from typing import Any

import numpy as np

from ....dataclass import dataclass, replace
from ....errors import UsageError
from ...binding.numbers import shown
from .fields import filled, flag
from .words import Comparison, StencilOp, word_of

WRITE_MASKS = {"zero": False, "all": True, "0": False, "1": True, "false": False, "true": True}
MOST = 0xFF

__all__ = ["DepthStencilState", "StencilFace", "depth_stencil_state"]


@dataclass(frozen=True, slots=True)
class StencilFace:
    """The stencil test of one face, and the change of the stencil after each result.

    If masks or reference are None, the state's masks or reference are used.
    """

    fail_op: str = StencilOp.KEEP
    depth_fail_op: str = StencilOp.KEEP
    pass_op: str = StencilOp.KEEP
    func: str = Comparison.ALWAYS
    read_mask: int | None = None
    write_mask: int | None = None
    ref: int | None = None

    def __post_init__(self) -> None:
        for name in ("fail_op", "depth_fail_op", "pass_op"):
            _set(self, name, word_of(StencilOp, getattr(self, name), f"operation of {name}:"))
        _set(self, "func", word_of(Comparison, self.func, "stencil function"))
        for name in ("read_mask", "write_mask", "ref"):
            given = getattr(self, name)
            _set(self, name, None if given is None else _byte(given, name))


@dataclass(frozen=True, slots=True)
class DepthStencilState:
    """The tests of depth, stencil and depth bounds, and their writes.

    `stencil_enable` is by default whether a face is given; a back face that is not given
    equals the front face. `depth_bounds_test_enable` is by default whether bounds are given.
    """

    depth_enable: bool = True
    depth_write_mask: bool | str = True
    depth_func: str = Comparison.LESS
    stencil_enable: bool | None = None
    stencil_read_mask: int = MOST
    stencil_write_mask: int = MOST
    stencil_ref: int = 0
    front_face: StencilFace | None = None
    back_face: StencilFace | None = None
    depth_bounds_test_enable: bool | None = None
    min_depth_bounds: float | None = None
    max_depth_bounds: float | None = None

    def __post_init__(self) -> None:
        mask = WRITE_MASKS.get(str(self.depth_write_mask).lower().rpartition("_")[2])
        if mask is None:
            raise UsageError(
                f"depth_write_mask: expected all or zero, got {shown(self.depth_write_mask)}"
            )
        _set(self, "depth_write_mask", mask)
        _set(self, "depth_enable", flag(self.depth_enable, "depth_enable"))
        for name in ("stencil_enable", "depth_bounds_test_enable"):
            enabled = getattr(self, name)
            _set(self, name, None if enabled is None else flag(enabled, name))
        _set(self, "depth_func", word_of(Comparison, self.depth_func, "depth function"))
        for name in ("stencil_read_mask", "stencil_write_mask", "stencil_ref"):
            _set(self, name, _byte(getattr(self, name), name))
        for name in ("front_face", "back_face"):
            given: object = getattr(self, name)
            if isinstance(given, Mapping):
                _set(self, name, filled(StencilFace, given, f"depth_stencil {name}"))
            elif given is not None and not isinstance(given, StencilFace):
                raise UsageError(f"{name}: expected a StencilFace, got {shown(given)}")
        for name in ("min_depth_bounds", "max_depth_bounds"):
            _set(self, name, _bound(getattr(self, name), name))

    @property
    def function(self) -> str | None:
        """The depth function; None for no test."""
        return self.depth_func if self.depth_enable else None

    @property
    def writes(self) -> bool:
        """True if depths are written."""
        return self.depth_enable and bool(self.depth_write_mask)

    @property
    def faces(self) -> tuple[StencilFace, StencilFace] | None:
        """The tests of front and back faces, with their masks and references; None for no test."""
        front = self.front_face or StencilFace()
        back = front if self.back_face is None else self.back_face
        enabled = self.stencil_enable
        if enabled is None:
            enabled = self.front_face is not None or self.back_face is not None
        return (self._whole(front), self._whole(back)) if enabled else None

    def _whole(self, face: StencilFace) -> StencilFace:
        """Return a face with masks and reference, from the state if the face has none."""
        read, write, ref = face.read_mask, face.write_mask, face.ref
        return replace(
            face,
            read_mask=self.stencil_read_mask if read is None else read,
            write_mask=self.stencil_write_mask if write is None else write,
            ref=self.stencil_ref if ref is None else ref,
        )

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and greatest depth that a sample may hold; None for no test."""
        low, high = self.min_depth_bounds, self.max_depth_bounds
        enabled = self.depth_bounds_test_enable
        if enabled is None:
            enabled = low is not None or high is not None
        found = (0.0 if low is None else low), (1.0 if high is None else high)
        return found if enabled else None


def depth_stencil_state(
    given: Any, function: str | EllipsisType | None = ..., *, writes: bool | None = None
) -> DepthStencilState:
    """Return the state for the arguments of a draw; some arguments replace single fields."""
    if given is None:
        state = DepthStencilState()
    elif isinstance(given, DepthStencilState):
        state = given
    elif isinstance(given, StencilFace):
        state = DepthStencilState(front_face=given)
    elif isinstance(given, Mapping):
        state = filled(DepthStencilState, given, "depth_stencil")
    else:
        raise UsageError(f"depth_stencil: expected a DepthStencilState, got {shown(given)}")
    if function is None:
        state = replace(state, depth_enable=False)
    elif not isinstance(function, EllipsisType):
        state = replace(state, depth_enable=True, depth_func=function)
    return state if writes is None else replace(state, depth_write_mask=bool(writes))


def _byte(given: object, name: str) -> int:
    if not isinstance(given, int | np.integer) or given < 0:
        raise UsageError(f"{name}: expected 0 or more, got {shown(given)}")
    return int(given) & MOST


def _bound(given: Any, name: str) -> float | None:
    """Return a depth bound; NaN is 0, as in Direct3D 12."""
    if given is None:
        return None
    try:
        number = float(given)
    except (TypeError, ValueError):
        raise UsageError(f"{name}: expected a number, got {shown(given)}") from None
    return 0.0 if isnan(number) else number


def _set(state: object, name: str, value: object) -> None:
    """Set a field of a frozen state while it is made."""
    object.__setattr__(state, name, value)
