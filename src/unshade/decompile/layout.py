"""Paths to the members of buffers, by their offsets.

    float4 tint;  row_major float4x4 world;  float3 bones[8];      byte 20  ->  world[0].y
                                                                   byte 80 + 16 i  ->  bones[i].x

A register of a constant buffer is 16 bytes. A matrix has a register for each column, or for each
row if it is `row_major`.
"""

from collections.abc import Sequence

from ..dataclass import dataclass
from ..model.resources import ConstantBuffer, Member, TypeDescription, Variable
from ..tuples import NamedTuple
from ..vocab.words import TypeClass
from .tree import ScalarKind

__all__ = ["IndexStep", "MemberPath", "find_member", "follows", "packs", "scalar_kind"]

SCALARS = {
    "float": ScalarKind.FLOAT,
    "int": ScalarKind.INT,
    "uint": ScalarKind.UINT,
    "bool": ScalarKind.BOOL,
    "dword": ScalarKind.UINT,
    "min16float": ScalarKind.FLOAT,
    "min16int": ScalarKind.INT,
    "min16uint": ScalarKind.UINT,
    "min10float": ScalarKind.FLOAT,
    "min12int": ScalarKind.INT,
}
WORDS = {"half": ScalarKind.FLOAT, "short": ScalarKind.INT, "ushort": ScalarKind.UINT}
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)


def scalar_kind(type: TypeDescription) -> ScalarKind | None:
    """Return the kind of the components of a type; None for one that is not 32 bits wide."""
    known = SCALARS.get(type.scalar)
    if known is None and type.size == 4 * type.rows * type.columns:
        return WORDS.get(type.scalar)  # a uniform of SkSL takes a word, whatever its type
    return known


class IndexStep(NamedTuple):
    """An index of an array: a constant plus `factor` times the index of the access."""

    constant: int
    factor: int = 0


@dataclass(frozen=True, slots=True)
class MemberPath:
    """A component of a variable: the names and indices that lead to it.

    A step is a name or an index; `matrix` is the row or column of a matrix that the path ends in.
    """

    steps: tuple[str | IndexStep, ...]
    type: TypeDescription
    component: int
    line: int | None = None  # row or column of a matrix


def find_member(
    variables: Sequence[Variable] | Sequence[Member], offset: int, factor: int = 0
) -> MemberPath | None:
    """Return the component at an offset in bytes; None if there is none of 32 bits.

    With a factor, the offset grows by so many bytes for each step of an index.
    """
    steps: list[str | IndexStep] = []
    while True:
        found = None
        for each in variables:
            if each.offset <= offset < each.offset + _extent(each.type):
                found = each
        if found is None:
            return None
        steps.append(found.name)
        offset -= found.offset
        type = found.type
        for count, stride in zip(type.elements, type.strides, strict=False):
            if not stride:
                return None
            index = offset // stride
            if count and index >= count:
                return None
            moving = factor // stride if factor and factor % stride == 0 else 0
            steps.append(IndexStep(index, moving))
            factor = 0 if moving else factor
            offset -= index * stride
        if type.members:
            variables = type.members
            continue
        return None if factor else _component(tuple(steps), type, offset)


def _component(
    steps: tuple[str | IndexStep, ...], type: TypeDescription, offset: int
) -> MemberPath | None:
    if offset % 4 or scalar_kind(type) is None:
        return None
    if type.type_class in MATRICES:
        stride = type.matrix_stride or 16
        columns = type.type_class == TypeClass.MATRIX_COLUMNS
        line, at = offset // stride, offset % stride // 4
        if line >= (type.columns if columns else type.rows):
            return None
        if at >= (type.rows if columns else type.columns):
            return None
        return MemberPath(steps, type, at, line)
    if offset // 4 >= type.columns:
        return None
    return MemberPath(steps, type, offset // 4)


def _extent(type: TypeDescription) -> int:
    """Return the bytes of a variable, padding between elements included."""
    if type.elements and type.strides:
        count = type.elements[0] or 1 << 32
        return count * type.strides[0]
    if type.type_class in MATRICES:
        lines = type.columns if type.type_class == TypeClass.MATRIX_COLUMNS else type.rows
        return lines * (type.matrix_stride or 16)
    if type.members:
        last = type.members[-1]
        return last.offset + _extent(last.type)
    return 4 * type.columns


def all_members(buffer: ConstantBuffer) -> bool:
    """Return True if every variable is of types that sources of HLSL declare alike."""
    return all(_plain(each.type) for each in buffer.variables)


def _plain(type: TypeDescription) -> bool:
    if type.members:
        return all(_plain(each.type) for each in type.members)
    return scalar_kind(type) is not None


# ---------------------------------------------------------------- places that HLSL gives

ROW = 16  # bytes of a register


def packs(buffer: ConstantBuffer) -> bool:
    """Return True if HLSL places every member where the buffer has it.

    Variables have `packoffset`; the members of a structure follow each other: arrays, matrices and
    structures begin a register, and no vector lies in two.
    """
    return all(
        each.offset % 4 == 0 and _place(each.type, each.offset) == each.offset and _fits(each.type)
        for each in buffer.variables
    )


def follows(buffer: ConstantBuffer) -> bool:
    """Return True if HLSL places every member where the buffer has it, without `packoffset`."""
    at = 0
    for each in buffer.variables:
        if _place(each.type, at) != each.offset:
            return False
        at = each.offset + _packed_size(each.type)
    return True


def _place(type: TypeDescription, at: int) -> int:
    """Return the first place from a byte on where HLSL puts a member."""
    whole = type.elements or type.members or type.type_class in MATRICES
    if whole or at % ROW + 4 * type.columns > ROW:
        return -(-at // ROW) * ROW
    return at


def _fits(type: TypeDescription) -> bool:
    if len(type.strides) != len(type.elements):
        return False
    size = _inner_size(type)
    for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
        if stride != -(-size // ROW) * ROW:
            return False
        size = stride * count
    if type.type_class in MATRICES and type.matrix_stride not in (None, ROW):
        return False
    at = 0
    for member in type.members:
        if member.offset % 4 or _place(member.type, at) != member.offset:
            return False
        if not _fits(member.type):
            return False
        at = member.offset + _packed_size(member.type)
    return True


def _inner_size(type: TypeDescription) -> int:
    """Return the bytes of an element of a type, without padding behind it."""
    if type.members:
        last = type.members[-1]
        return last.offset + _packed_size(last.type)
    if type.type_class in MATRICES:
        by_column = type.type_class == TypeClass.MATRIX_COLUMNS
        lines, width = (type.columns, type.rows) if by_column else (type.rows, type.columns)
        return (lines - 1) * ROW + 4 * width
    return 4 * type.columns


def _packed_size(type: TypeDescription) -> int:
    size = _inner_size(type)
    for count in reversed(type.elements):
        size += (count - 1) * -(-size // ROW) * ROW
    return size
