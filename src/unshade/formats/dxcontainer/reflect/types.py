"""Types of RDEF, and the values that their bytes stand for.

    float4x3 m   column major: three registers of four floats, each a column

A constant buffer is a row of 16-byte registers. An array's element and a matrix' row (column, where
it is column major) begin a register; a structure's members stand where it says. Source: the public
documentation of HLSL's packing rules, checked on the default values of compiled files.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from ....model import Member, TypeDescription
from ....vocab.d3d import VariableClass, VariableType
from . import names
from .names import word

if TYPE_CHECKING:
    from ..parts import rdef

REGISTER = 16

# What a component's bytes are: struct code and size.
SCALARS: dict[int, tuple[str, int]] = {
    VariableType.BOOL: ("?", 4),
    VariableType.INT: ("i", 4),
    VariableType.FLOAT: ("f", 4),
    VariableType.UINT: ("I", 4),
    VariableType.UINT8: ("I", 4),
    VariableType.DOUBLE: ("d", 8),
    VariableType.MIN8FLOAT: ("f", 4),
    VariableType.MIN10FLOAT: ("f", 4),
    VariableType.MIN16FLOAT: ("f", 4),
    VariableType.MIN12INT: ("i", 4),
    VariableType.MIN16INT: ("i", 4),
    VariableType.MIN16UINT: ("I", 4),
}
NUMERIC = (
    VariableClass.SCALAR,
    VariableClass.VECTOR,
    VariableClass.MATRIX_ROWS,
    VariableClass.MATRIX_COLUMNS,
)


def scalar_name(number: int) -> str:
    """HLSL's word for a type of components; an object's in lower case."""
    known = VariableType._value2member_map_.get(number)
    return known.name.lower() if isinstance(known, VariableType) else f"unknown_{number}"


class Spent(Exception):
    """More values than the bytes could tell apart: a type that lies about its size."""


class Types:
    """The types of one RDEF part: what the part shares is one object here too.

    `budget` bounds the values that `value` makes: variables may share one initial value, and a type
    may claim more of it than there is.
    """

    __slots__ = ("budget", "known", "sizes")

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.known: dict[int, tuple[rdef.Type, TypeDescription]] = {}
        self.sizes: dict[int, int] = {}

    def describe(self, given: rdef.Type) -> TypeDescription:
        """The type in the words of the model."""
        known = self.known.get(id(given))
        if known is not None:
            return known[1]
        numeric = given.variable_class in NUMERIC
        found = TypeDescription(
            name=given.name or "",
            type_class=word(names.TYPE_CLASSES, given.variable_class),
            scalar=scalar_name(given.variable_type),
            rows=given.rows if numeric else 1,
            columns=given.columns if numeric else 1,
            elements=[given.elements] if given.elements else [],
        )
        self.known[id(given)] = given, found  # the record too, so that its id stays its own
        for member in given.members:
            described = self.describe(member.type)
            found.members.append(Member(name=member.name, offset=member.offset, type=described))
        if given.sub_type is not None:
            found.base = self.describe(given.sub_type)
        return found

    def one_element(self, array: TypeDescription) -> TypeDescription:
        """The type of an array's elements."""
        fields = {name: getattr(array, name) for name in TypeDescription.FIELDS}
        return TypeDescription(**{**fields, "elements": []})

    # -- values ------------------------------------------------------------------------------

    def value(self, given: rdef.Type, data: bytes) -> Any:
        """What an initial value's bytes mean, None where they are too few or the type has none."""
        try:
            return self._array(given, data, 0)
        except (Spent, struct.error):
            return None

    def _spend(self, count: int) -> None:
        self.budget -= count
        if self.budget < 0:
            raise Spent

    def _array(self, given: rdef.Type, data: bytes, at: int) -> Any:
        if not given.elements:
            return self._one(given, data, at)
        stride = _aligned(self._size(given))
        if at + (given.elements - 1) * stride >= len(data):
            raise Spent
        return [self._one(given, data, at + index * stride) for index in range(given.elements)]

    def _one(self, given: rdef.Type, data: bytes, at: int) -> Any:
        self._spend(1)
        kind = given.variable_class
        if kind == VariableClass.STRUCT:
            return {m.name: self._array(m.type, data, at + m.offset) for m in given.members}
        code, size = SCALARS.get(given.variable_type, ("", 4))
        if kind not in NUMERIC or not code:
            return None
        if kind == VariableClass.SCALAR:
            return self._row(code, size, 1, data, at)[0]
        if kind == VariableClass.VECTOR:
            return self._row(code, size, given.columns, data, at)
        by_rows = kind == VariableClass.MATRIX_ROWS
        outer, inner = (given.rows, given.columns) if by_rows else (given.columns, given.rows)
        step = _aligned(inner * size)
        lines = [self._row(code, size, inner, data, at + step * i) for i in range(outer)]
        return lines if by_rows else [list(row) for row in zip(*lines, strict=True)]

    def _row(self, code: str, size: int, count: int, data: bytes, at: int) -> list[Any]:
        self._spend(1 + count)
        if code == "?":  # any bit makes it true
            return [value != 0 for value in struct.unpack_from(f"<{count}I", data, at)]
        return list(struct.unpack_from(f"<{count}{code}", data, at))

    def _size(self, given: rdef.Type) -> int:
        """Bytes of one element without padding behind it; at least one."""
        known = self.sizes.get(id(given))
        if known is None:
            known = self.sizes[id(given)] = max(self._measure(given), 1)
        return known

    def _measure(self, given: rdef.Type) -> int:
        if given.variable_class == VariableClass.STRUCT:
            if not given.members:
                return 0
            last = max(given.members, key=lambda member: member.offset)
            size = self._size(last.type)
            return last.offset + max(last.type.elements - 1, 0) * _aligned(size) + size
        _, size = SCALARS.get(given.variable_type, ("", 4))
        if given.variable_class == VariableClass.MATRIX_ROWS:
            return (given.rows - 1) * _aligned(given.columns * size) + given.columns * size
        if given.variable_class == VariableClass.MATRIX_COLUMNS:
            return (given.columns - 1) * _aligned(given.rows * size) + given.rows * size
        return given.columns * size


def _aligned(size: int) -> int:
    return (size + REGISTER - 1) // REGISTER * REGISTER
