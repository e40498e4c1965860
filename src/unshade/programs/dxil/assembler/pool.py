"""Constants and attributes of a module under construction; equal ones share an object.

Aggregates take the form that LLVM gives them: one null, one undefined value, an array of numbers, a
string, or a list of constants.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..model.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantNull,
    ConstantString,
    DxilConstant,
    UndefinedValue,
)
from ..model.metadata import Metadata, MetadataString, MetadataValue
from ..model.types import ArrayType, DxilType, FloatType, IntegerType, VectorType
from ..model.values import (
    AttributeGroup,
    AttributeList,
    DxilValue,
    FunctionAttribute,
    MetadataAsValue,
)

__all__ = ["ConstantPool"]

T = TypeVar("T")
PLAIN_WIDTHS = frozenset((8, 16, 32, 64))
PLAIN_FLOATS = frozenset(("float", "double"))
BYTE = 8


class ConstantPool:
    """The constants, metadata and attributes made so far, by content."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], object] = {}

    def _get(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = make()
        return found  # type: ignore[return-value]

    def add(self, found: DxilConstant | Metadata) -> None:
        """Add a constant, string or value of a module that exists already."""
        key: tuple[object, ...] | None = None
        if isinstance(found, MetadataString):
            key = "text", found.text
        elif isinstance(found, MetadataValue):
            key = "value", id(found.value)
        elif isinstance(found, DxilConstant):
            key = _key(found)
        if key is not None:
            self.known.setdefault(key, found)

    # -- constants -------------------------------------------------------------------------------

    def null(self, type: DxilType) -> DxilConstant:
        """Return zero."""
        return self._get(("null", id(type)), lambda: ConstantNull(type))

    def undefined(self, type: DxilType) -> DxilConstant:
        """Return the undefined value."""
        return self._get(("undef", id(type)), lambda: UndefinedValue(type))

    def integer(self, type: IntegerType, value: int) -> DxilConstant:
        """Return an integer; bits beyond its width are dropped."""
        value &= (1 << type.width) - 1
        if not value:
            return self.null(type)
        value -= value >> type.width - 1 << type.width
        return self._get(("int", id(type), value), lambda: ConstantInt(type, value))

    def number(self, type: FloatType, bits: int) -> DxilConstant:
        """Return a floating-point number by its bits."""
        if not bits:
            return self.null(type)
        return self._get(("float", id(type), bits), lambda: ConstantFloat(type, bits))

    def string(self, type: DxilType, data: bytes) -> DxilConstant:
        """Return an array of bytes."""
        if not any(data):
            return self.null(type)
        terminated = data.endswith(b"\0") and b"\0" not in data[:-1]
        text = data[:-1] if terminated else data
        return self._get(("string", id(type), data), lambda: ConstantString(type, text, terminated))

    def aggregate(self, type: DxilType, elements: Sequence[DxilValue]) -> DxilConstant:
        """Return an array, vector or structure of constants."""
        if all(isinstance(each, ConstantNull) for each in elements):
            return self.null(type)
        if all(isinstance(each, UndefinedValue) for each in elements):
            return self.undefined(type)
        if isinstance(type, ArrayType | VectorType) and _is_plain(type.element):
            numbers = [_bits(each) for each in elements]
            if None not in numbers:
                return self.data(type, [each for each in numbers if each is not None])
        key = ("aggregate", id(type), *map(id, elements))
        return self._get(key, lambda: ConstantAggregate(type, list(elements)))

    def data(self, type: ArrayType | VectorType, numbers: list[int]) -> DxilConstant:
        """Return an array or vector of numbers by their bits."""
        if isinstance(type, ArrayType) and getattr(type.element, "width", 0) == BYTE:
            return self.string(type, bytes(numbers))
        key = ("data", id(type), *numbers)
        return self._get(key, lambda: ConstantData(type, numbers))

    def expression(
        self,
        type: DxilType,
        opcode: str,
        arguments: list[DxilValue],
        detail: int = 0,
        flags: int | None = None,
        source_type: DxilType | None = None,
    ) -> DxilConstant:
        """Return an operation on constants."""
        key = ("expression", id(type), opcode, detail, flags, id(source_type), *map(id, arguments))
        return self._get(
            key,
            lambda: ConstantExpression(type, opcode, arguments, detail, flags, source_type),
        )

    # -- metadata --------------------------------------------------------------------------------

    def text(self, text: str) -> MetadataString:
        """Return a string as metadata."""
        return self._get(("text", text), lambda: MetadataString(text))

    def value(self, value: DxilValue) -> MetadataValue:
        """Return a value as metadata."""
        return self._get(("value", id(value)), lambda: MetadataValue(value))

    def argument(self, type: DxilType, metadata: Metadata) -> MetadataAsValue:
        """Return metadata as the argument of a call."""
        return self._get(("argument", id(metadata)), lambda: MetadataAsValue(type, metadata))

    # -- attributes ------------------------------------------------------------------------------

    def group(self, index: int, attributes: list[FunctionAttribute]) -> AttributeGroup:
        """Return attributes of one place."""
        made = AttributeGroup(0, index, attributes)
        return self._get(_group_key(made), lambda: made)

    def attributes(self, groups: list[AttributeGroup]) -> AttributeList | None:
        """Return all attributes of a function or call; None if there are none."""
        if not groups:
            return None
        return self._get(("list", frozenset(map(id, groups))), lambda: AttributeList(groups))

    def add_attributes(self, found: AttributeList) -> None:
        """Add the attributes of a function or call of a module that exists already."""
        groups = [self.known.setdefault(_group_key(each), each) for each in found.groups]
        self.known.setdefault(("list", frozenset(map(id, groups))), found)


def _group_key(group: AttributeGroup) -> tuple[object, ...]:
    """Return the key of attributes of one place, in any order."""
    return (
        "group",
        group.index,
        frozenset((each.key, each.value or None) for each in group.attributes),
    )


def _key(constant: DxilConstant) -> tuple[object, ...] | None:
    """Return the key by which a constant is found; None for a constant that is never shared."""
    kind = id(constant.type)
    match constant:
        case ConstantNull():
            return "null", kind
        case UndefinedValue():
            return "undef", kind
        case ConstantInt():
            return "int", kind, constant.value
        case ConstantFloat():
            return "float", kind, constant.bits
        case ConstantString():
            return "string", kind, constant.data + (b"\0" if constant.terminated else b"")
        case ConstantData():
            return "data", kind, *constant.elements
        case ConstantAggregate():
            return "aggregate", kind, *map(id, constant.elements)
        case ConstantExpression(opcode=opcode, detail=detail, flags=flags):
            source = id(constant.source_type)
            arguments = map(id, constant.arguments)
            return "expression", kind, opcode, detail, flags, source, *arguments
    return None


def _is_plain(type: DxilType) -> bool:
    if isinstance(type, FloatType):
        return type.name in PLAIN_FLOATS
    return isinstance(type, IntegerType) and type.width in PLAIN_WIDTHS


def _bits(value: DxilValue) -> int | None:
    """Return the bits of a number, or None for another constant."""
    if isinstance(value, ConstantNull):
        return 0
    if isinstance(value, ConstantFloat):
        return value.bits
    if isinstance(value, ConstantInt) and isinstance(value.type, IntegerType):
        return value.value & (1 << value.type.width) - 1
    return None
