"""Layouts of blocks: whether the members of a buffer have the places that GLSL gives them.

    std140   elements of arrays, and structures, begin a multiple of 16 bytes
    std430   a vector of three components is aligned to 16 bytes
    scalar   everything is aligned to its components (GL_EXT_scalar_block_layout)

The members of a block may have an explicit `offset`; the members of a structure have no offset.
"""

from collections.abc import Sequence

from ..enums import StrEnum
from ..model.resources import ConstantBuffer, Member, TypeDescription, Variable
from ..tuples import NamedTuple
from ..vocab.words import BufferKind, TypeClass
from .layout import scalar_kind
from .tree import ScalarKind

__all__ = ["BlockRule", "follows", "matrix_shape", "rule_of"]

ROW = 16


class BlockRule(StrEnum):
    """A layout of GLSL."""

    STD140 = "std140"
    STD430 = "std430"
    SCALAR = "scalar"


class _Extent(NamedTuple):
    size: int
    align: int


def rule_of(buffer: ConstantBuffer, uniform: bool, stride: int) -> BlockRule | None:
    """Return the layout that has every member at its place; None if there is none.

    Elements of a buffer that is not uniform follow each other by `stride` bytes.
    """
    known = [BlockRule.STD140] if uniform else [BlockRule.STD430]
    if buffer.kind == BufferKind.PUSH_CONSTANTS:
        known.append(BlockRule.STD430)
    for rule in (*known, BlockRule.SCALAR):
        extent = _fit(buffer.variables, rule, explicit=uniform)
        if extent is not None and (uniform or extent.size == stride):
            return rule
    return None


def follows(buffer: ConstantBuffer, rule: BlockRule) -> bool:
    """Return True if every member is where a layout has it, without an explicit offset."""
    return _fit(buffer.variables, rule, explicit=False) is not None


def matrix_shape(type: TypeDescription) -> tuple[int, int]:
    """Return the number of registers of a matrix, and the components of each."""
    by_column = type.type_class == TypeClass.MATRIX_COLUMNS
    return (type.columns, type.rows) if by_column else (type.rows, type.columns)


def _fit(
    members: Sequence[Variable] | Sequence[Member], rule: BlockRule, explicit: bool
) -> _Extent | None:
    """Return the extent of a structure, if its members have the places of the rule."""
    at, align = 0, 1
    for each in members:
        extent = _extent(each.type, rule)
        if extent is None:
            return None
        place = -(-at // extent.align) * extent.align
        if each.offset != place and (
            not explicit or each.offset < at or each.offset % extent.align
        ):
            return None
        at = each.offset + extent.size
        align = max(align, extent.align)
    if rule is BlockRule.STD140:
        align = -(-align // ROW) * ROW
    return _Extent(-(-at // align) * align, align)


def _extent(type: TypeDescription, rule: BlockRule) -> _Extent | None:
    """Return the extent of a type; None if its parts have other places than by the rule."""
    found = _element(type, rule)
    if found is None or len(type.strides) != len(type.elements):
        return None
    size, align = found
    for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
        if rule is BlockRule.STD140:
            align = -(-align // ROW) * ROW
        step = -(-size // align) * align
        if step != stride:
            return None
        size = step * (count or 1)
    return _Extent(size, align)


def _element(type: TypeDescription, rule: BlockRule) -> _Extent | None:
    if type.members:
        return _fit(type.members, rule, explicit=False)
    kind = scalar_kind(type)
    if kind is None:
        return None
    if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        lines, width = matrix_shape(type)
        if kind is not ScalarKind.FLOAT or not (2 <= lines <= 4 and 2 <= width <= 4):
            return None
        align = _vector(width, rule).align
        step = -(-4 * width // align) * align
        if rule is BlockRule.STD140:
            align = step = ROW
        if type.matrix_stride not in (None, step):
            return None
        if type.matrix_stride is None and step != ROW:
            return None
        return _Extent(step * lines, align)
    return _vector(type.columns, rule)


def _vector(width: int, rule: BlockRule) -> _Extent:
    if rule is BlockRule.SCALAR:
        return _Extent(4 * width, 4)
    return _Extent(4 * width, 4 * (1, 2, 4, 4)[width - 1])
