"""Conversion of RDEF's types and initial values to the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....enums import member_of
from ....model import Member, TypeDescription
from ....vocab import d3d
from ....vocab.d3d import VariableClass, VariableType
from ....vocab.numbers import word
from ..buffer_packing import NUMERIC, ComponentFormat, Packing, Path, Spent

if TYPE_CHECKING:
    from ..parts import rdef


MATRICES = (VariableClass.MATRIX_ROWS, VariableClass.MATRIX_COLUMNS)


def scalar_name(number: int) -> str:
    """Return HLSL's name of a component or object type, in lower case."""
    known = member_of(VariableType, number)
    return f"unknown_{number}" if known is None else known.name.lower()


class TypeConverter:
    """A converter of the types of one RDEF part; shared records become shared objects.

    `budget` bounds the number of values that `value` makes.
    """

    def __init__(self, budget: int) -> None:
        self.packing = Packing(budget)
        self.elements = Packing(0, register=1)  # of structured buffers
        self.known: dict[tuple[int, bool], tuple[rdef.RdefType, TypeDescription]] = {}

    def describe(self, given: rdef.RdefType, element: bool = False) -> TypeDescription:
        """Return the description of a type in a constant buffer, or in an `element`."""
        known = self.known.get((id(given), element))
        if known is not None:
            return known[1]
        packing = self.elements if element else self.packing
        matrix = given.variable_class in MATRICES
        numeric = given.variable_class in NUMERIC
        found = TypeDescription(
            name=given.name or "",
            type_class=word(d3d.TYPE_CLASSES, given.variable_class),
            scalar=scalar_name(given.variable_type),
            rows=given.rows if numeric else 1,
            columns=given.columns if numeric else 1,
            elements=[given.elements] if given.elements else [],
            strides=[packing.stride(given)] if given.elements else [],
            matrix_stride=packing.matrix_stride(given) if matrix else None,
        )
        if numeric or given.variable_class == VariableClass.STRUCT:
            found.size = packing.size(given)
        self.known[id(given), element] = (
            given,
            found,
        )  # keeps the record alive, so that its id stays unique
        for member in given.members:
            described = self.describe(member.type, element)
            found.members.append(Member(name=member.name, offset=member.offset, type=described))
        if given.sub_type is not None:
            found.base = self.describe(given.sub_type, element)
        return found

    def one_element(self, array: TypeDescription) -> TypeDescription:
        """Return the type of an array's elements."""
        fields = {name: getattr(array, name) for name in TypeDescription.FIELDS}
        return TypeDescription(**{**fields, "elements": [], "strides": []})

    def value(self, given: rdef.RdefType, data: bytes) -> Any:
        """Return the initial value in `data`, or None if it is too short for the type."""

        def component(at: int, scalar: ComponentFormat, _: Path) -> bool | int | float:
            return scalar.unpacked(data, at)

        try:
            return self.packing.walk(given, len(data), component)
        except Spent:
            return None
