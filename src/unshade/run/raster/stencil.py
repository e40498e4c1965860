"""The stencil of samples: the array it is in, its test, and its operations.

    passes   (reference & read mask)  function  (stencil & read mask)
    stencil  = stencil & ~write mask | op(stencil) & write mask

Operations are on 8 bits: "incr" and "decr" wrap, "incr_sat" and "decr_sat" do not.

Sources: Direct3D 11.3 functional specification, sections 17.8 (depth-stencil state) and 17.12
(stencil); Vulkan specification, Stencil Test.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...errors import UsageError
from ...vm.launch import Array
from ..binding.numbers import shown
from .depth import compare
from .depth_target import DepthTarget
from .states.depth_stencil import StencilFace
from .states.words import StencilOp

Place = tuple[Array, ...]

HIGH = 24  # the lowest bit of the stencil in D24_UNORM_S8_UINT
MOST = 0xFF


class StencilTarget:
    """Stencils, (layers, height, width, samples): uint8, or the high bits of a depth target."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self._shift = HIGH if array.dtype.itemsize == 4 else 0

    @classmethod
    def beside(cls, depth: DepthTarget, places: tuple[int, ...]) -> "StencilTarget":
        """Return the stencil of a depth target, or a new one if its format has none."""
        packed = depth.array.dtype == np.uint32
        return cls(depth.array if packed else np.zeros(places, np.uint8))

    def read(self, place: Place) -> Array:
        """Return the stencils of places, as integers."""
        found: Array = (self.array[place] >> self._shift).astype(np.int64)
        return found

    def write(self, place: Place, stencils: Array) -> None:
        """Write the stencils of places."""
        if self._shift:
            kept = self.array[place] & np.uint32((1 << HIGH) - 1)
            self.array[place] = kept | (stencils.astype(np.uint32) << np.uint32(HIGH))
        else:
            self.array[place] = stencils

    @property
    def stencils(self) -> Array:
        """All stencils, uint8: the array itself unless it also has depths."""
        return (self.array >> np.uint32(HIGH)).astype(np.uint8) if self._shift else self.array


def check_stencil(given: Any, shape: tuple[int, ...]) -> None:
    """Raise UsageError unless an object is an array of stencils that can be drawn into."""
    if not isinstance(given, np.ndarray) or given.dtype != np.uint8:
        raise UsageError(f"stencil_target: expected an array of uint8, got {shown(given)}")
    if given.shape != shape:
        raise UsageError(f"stencil_target: expected an array {shape}, got {given.shape}")
    if not given.flags.writeable:
        raise UsageError("stencil_target: expected an array that can be written")


def stencil_passes(
    faces: Sequence[StencilFace], front: Array, references: Array | None, stencils: Array
) -> Array:
    """Return which samples pass; `references` are the shader's, if it outputs them."""
    made = np.zeros(len(stencils), np.bool_)
    for face, mine in _by_face(faces, front):
        wanted = _reference(face, references, mine)
        made[mine] = compare(
            face.func, wanted & _mask(face.read_mask), stencils[mine] & _mask(face.read_mask)
        )
    return made


def after_tests(
    faces: Sequence[StencilFace],
    front: Array,
    references: Array | None,
    stencils: Array,
    passed: tuple[Array, Array],
) -> Array:
    """Return the stencils after the tests; `passed` are the results of stencil and depth test."""
    of_stencil, of_depth = passed
    made = stencils.copy()
    for face, mine in _by_face(faces, front):
        for op, when in (
            (face.fail_op, ~of_stencil),
            (face.depth_fail_op, of_stencil & ~of_depth),
            (face.pass_op, of_stencil & of_depth),
        ):
            some = mine & when
            old = stencils[some]
            new = _OPERATIONS[op](old, _reference(face, references, some))
            mask = _mask(face.write_mask)
            made[some] = (old & ~mask) | (new & mask)
    return made & MOST


def _mask(given: int | None) -> int:
    return MOST if given is None else given


def _by_face(faces: Sequence[StencilFace], front: Array) -> Sequence[tuple[StencilFace, Array]]:
    return ((faces[0], front), (faces[1], ~front))


def _reference(face: StencilFace, references: Array | None, which: Array) -> Array:
    if references is None:
        return np.full(int(which.sum()), face.ref or 0, np.int64)
    found: Array = references[which].astype(np.int64) & MOST
    return found


_OPERATIONS: dict[str, Callable[[Array, Array], Array]] = {
    StencilOp.KEEP: lambda stencil, reference: stencil,
    StencilOp.ZERO: lambda stencil, reference: np.zeros_like(stencil),
    StencilOp.REPLACE: lambda stencil, reference: reference,
    StencilOp.INCR_SAT: lambda stencil, reference: np.minimum(stencil + 1, MOST),
    StencilOp.DECR_SAT: lambda stencil, reference: np.maximum(stencil - 1, 0),
    StencilOp.INVERT: lambda stencil, reference: ~stencil & MOST,
    StencilOp.INCR: lambda stencil, reference: (stencil + 1) & MOST,
    StencilOp.DECR: lambda stencil, reference: (stencil - 1) & MOST,
}
