"""Types of RDEF in the words of the model, and the values that initial bytes stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....model import Member, TypeDescription
from ....vocab import d3d
from ....vocab.d3d import VariableClass, VariableType
from ....vocab.numbers import word
from ..packing import NUMERIC, ComponentFormat, Packing, Path, Spent

if TYPE_CHECKING:
    from ..parts import rdef


MATRICES = (VariableClass.MATRIX_ROWS, VariableClass.MATRIX_COLUMNS)


def scalar_name(number: int) -> str:
    """HLSL's word for a type of components; an object's in lower case."""
    known = VariableType._value2member_map_.get(number)
    return known.name.lower() if isinstance(known, VariableType) else f"unknown_{number}"


class TypeConverter:
    """The types of one RDEF part: what the part shares is one object here too.

    `budget` bounds the values that `value` makes.
    """

    def __init__(self, budget: int) -> None:
        self.packing = Packing(budget)
        self.elements = Packing(0, register=1)  # of structured buffers
        self.known: dict[tuple[int, bool], tuple[rdef.RdefType, TypeDescription]] = {}

    def describe(self, given: rdef.RdefType, element: bool = False) -> TypeDescription:
        """The type in the words of the model, laid out for constants, or for an `element`."""
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
        )  # the record too, so that its id stays its own
        for member in given.members:
            described = self.describe(member.type, element)
            found.members.append(Member(name=member.name, offset=member.offset, type=described))
        if given.sub_type is not None:
            found.base = self.describe(given.sub_type, element)
        return found

    def one_element(self, array: TypeDescription) -> TypeDescription:
        """The type of an array's elements."""
        fields = {name: getattr(array, name) for name in TypeDescription.FIELDS}
        return TypeDescription(**{**fields, "elements": [], "strides": []})

    def value(self, given: rdef.RdefType, data: bytes) -> Any:
        """What an initial value's bytes mean, None where they are too few or the type has none."""

        def component(at: int, scalar: ComponentFormat, _: Path) -> bool | int | float:
            return scalar.unpacked(data, at)

        try:
            return self.packing.walk(given, len(data), component)
        except Spent:
            return None
