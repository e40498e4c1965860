"""Places that WGSL gives the members of a structure, and the attributes that move them.

    a: f32                       4 bytes, at a multiple of 4
    @size(12) b: f32             what follows begins 12 bytes later
    c: vec3f                     12 bytes, at a multiple of 16

In the address space `uniform`, elements of arrays are a multiple of 16 bytes apart, and structures
begin at one.
"""

from collections.abc import Sequence

from ...model.resources import Member, TypeDescription, Variable
from ...tuples import NamedTuple
from ...vocab.words import TypeClass
from ..block_rules import matrix_shape
from ..layout import scalar_kind
from ..tree import ScalarKind

__all__ = ["WgslExtent", "extents", "fits"]

ROW = 16
ALIGNMENTS = {1: 4, 2: 8, 3: 16, 4: 16}
Members = Sequence[Variable] | Sequence[Member]


class WgslExtent(NamedTuple):
    """The natural size of a type, and its alignment."""

    size: int
    align: int


def fits(members: Members, uniform: bool, stride: int) -> bool:
    """Return True if a structure of WGSL has every member at its place.

    Elements of a buffer that is not uniform follow each other by `stride` bytes.
    """
    whole = _structure(members, uniform)
    return whole is not None and (uniform or whole.size == stride)


def extents(members: Members, uniform: bool) -> list[int | None]:
    """Return the `@size` of each member, None for members whose natural size fits."""
    found: list[int | None] = []
    before: tuple[int, WgslExtent | None] | None = None
    for each in members:
        own = _extent(each.type, uniform)
        if before is not None:
            offset, extent = before
            natural = offset
            if extent is not None and own is not None:
                natural = _up(offset + extent.size, own.align)
            found.append(None if natural == each.offset else each.offset - offset)
        before = each.offset, own
    return [*found, None] if members else []


def _up(number: int, align: int) -> int:
    return -(-number // align) * align


def _structure(members: Members, uniform: bool) -> WgslExtent | None:
    at, align = 0, 1
    for each in members:
        own = _extent(each.type, uniform)
        if own is None or each.offset < at or each.offset % own.align:
            return None
        if not at and each.offset:
            return None
        at = each.offset + own.size
        align = max(align, own.align)
    return WgslExtent(_up(at, align), align)


def _extent(type: TypeDescription, uniform: bool) -> WgslExtent | None:
    found = _element(type, uniform)
    if found is None or len(type.strides) != len(type.elements):
        return None
    size, align = found
    for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
        if _up(size, align) != stride or (uniform and stride % ROW):
            return None
        size = stride * (count or 1)
    return WgslExtent(size, align)


def _element(type: TypeDescription, uniform: bool) -> WgslExtent | None:
    if type.members:
        whole = _structure(type.members, uniform)
        if whole is None or (uniform and whole.align % ROW):
            return None
        return whole
    kind = scalar_kind(type)
    if kind is None:
        return None
    if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        lines, width = matrix_shape(type)
        if kind is not ScalarKind.FLOAT or not (2 <= lines <= 4 and 2 <= width <= 4):
            return None
        align = ALIGNMENTS[width]
        step = _up(4 * width, align)
        if (type.matrix_stride or ROW) != step:
            return None
        return WgslExtent(step * lines, align)
    return WgslExtent(4 * type.columns, ALIGNMENTS[type.columns])
