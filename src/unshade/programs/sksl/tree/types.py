"""Types: builtin types, arrays and structs.

    float  half4  half3x3  $genType  shader        by name, `BuiltinType`
    vec4                                           another name for one, `target` is float4
    float[3]                                       `ArrayDataType`, a command
    struct S { … }                                 `StructDataType`, a command

Types other than arrays and structs are single objects (`named_types`), compared with `is`;
`same_type` compares arrays and structs.

Source: SkSLType.h and SkSLBuiltinTypes.cpp of Skia's milestone 104.
"""

from enum import auto

from ....enums import StrEnum
from ....wire.types import I8
from .modifiers import Modifiers
from .node import TreeNode, child, children, extra, flag, number, text
from .symbol import Symbol

__all__ = [
    "ArrayDataType",
    "BuiltinType",
    "DataType",
    "NumberKind",
    "StructDataType",
    "StructField",
    "TypeKind",
    "same_type",
]

UNSIZED = -1  # count of an array without size


class TypeKind(StrEnum):
    """The kind of a type."""

    SCALAR = auto()
    VECTOR = auto()
    MATRIX = auto()
    ARRAY = auto()
    STRUCT = auto()
    LITERAL = auto()  # of an int or float literal before it is converted
    GENERIC = auto()  # of a parameter of a builtin function: one of several types
    VOID = auto()
    CHILD = auto()  # shader, colorFilter, blender
    SAMPLER = auto()
    OTHER = auto()  # textures, subpass inputs
    INVALID = auto()


class NumberKind(StrEnum):
    """Kind of the components of a type."""

    FLOAT = auto()
    SIGNED = auto()
    UNSIGNED = auto()
    BOOL = auto()
    NONE = auto()


class DataType(Symbol):
    """Base class of types."""

    @property
    def kind(self) -> TypeKind:
        """Kind of the type."""
        raise NotImplementedError

    @property
    def component(self) -> "DataType":
        """Type of a component of a vector or matrix, or of an element; else the type itself."""
        return self

    @property
    def columns(self) -> int:
        """Components of a vector, columns of a matrix, elements of an array (-1: not sized)."""
        return 1

    @property
    def rows(self) -> int:
        """Rows of a matrix, else 1."""
        return 1

    @property
    def number(self) -> NumberKind:
        """Kind of the components."""
        return NumberKind.NONE

    @property
    def priority(self) -> int:
        """Rank in conversions of numbers; the greater wins."""
        return 0

    @property
    def bits(self) -> int:
        """Width of a component, 0 if it is not a number."""
        return 0

    @property
    def resolved(self) -> "DataType":
        """The type itself, or the type that an alias names."""
        return self

    @property
    def shown(self) -> str:
        """The name in text; for a literal's type, the name of its default type."""
        return self.name

    @property
    def is_scalar(self) -> bool:
        """True for scalars, literals included."""
        return self.resolved.kind in (TypeKind.SCALAR, TypeKind.LITERAL)

    @property
    def is_vector(self) -> bool:
        """True for vectors."""
        return self.resolved.kind is TypeKind.VECTOR

    @property
    def is_matrix(self) -> bool:
        """True for matrices."""
        return self.resolved.kind is TypeKind.MATRIX

    @property
    def choices(self) -> "tuple[DataType, ...]":
        """Types that a generic type represents, by slot; empty for others."""
        return ()

    @property
    def slots(self) -> int:
        """Number of scalars in a value of the type."""
        return self.columns * self.rows

    @property
    def spread(self) -> int:
        """Number of members of structs in a value of the type, including nested members."""
        return 0

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class BuiltinType(DataType):
    """A type known by its name alone.

    `choices` are the types that a generic type represents, by slot; `target` the type of an alias.
    """

    name: str = extra("name", default="")
    kind: TypeKind = extra("kind", default=TypeKind.INVALID)
    component: DataType = extra("type of a component", default=None)
    columns: int = extra("components of a vector, columns of a matrix", default=1)
    rows: int = extra("rows of a matrix", default=1)
    number: NumberKind = extra("what the components are", default=NumberKind.NONE)
    priority: int = extra("rank in conversions of numbers", default=0)
    bits: int = extra("width of a component", default=0)
    choices: "tuple[DataType, ...]" = extra("types that a generic one stands for", default=())
    target: "BuiltinType | None" = extra("type that an alias stands for", default=None)

    @property
    def resolved(self) -> "BuiltinType":
        return self.target or self

    @property
    def shown(self) -> str:
        literal = self.kind is TypeKind.LITERAL
        return self.name[1:].removesuffix("Literal") if literal else self.name


class ArrayDataType(DataType, command=0, numbered=True):
    """An array of a type."""

    component: DataType = child("DataType", "type of an element")
    columns: int = number(I8, "number of elements; -1: not sized")
    depth: int = extra("arrays and structs nested in it, itself included", default=1)

    @property
    def name(self) -> str:
        """The element's name and the size: `float[3]`."""
        return f"{self.component.name}[{'' if self.columns == UNSIZED else self.columns}]"

    @property
    def kind(self) -> TypeKind:
        return TypeKind.ARRAY

    @property
    def bits(self) -> int:
        return self.component.bits

    @property
    def slots(self) -> int:
        return max(self.columns, 0) * self.component.slots

    @property
    def spread(self) -> int:
        return self.component.spread


class StructField(TreeNode):
    """A member of a struct."""

    modifiers: Modifiers = child("Modifiers", "modifiers")
    name: str = text("name")
    type: DataType = child("DataType", "type")


class StructDataType(DataType, command=48, numbered=True):
    """A struct, or the type of an interface block."""

    name: str = text("name")
    members: list[StructField] = children("StructField", "members")
    interface_block: bool = flag("it is the type of an interface block")
    depth: int = extra("arrays and structs nested in it, itself included", default=1)
    counted: "tuple[int, int] | None" = extra("slots and spread, once counted", default=None)

    @property
    def kind(self) -> TypeKind:
        return TypeKind.STRUCT

    @property
    def slots(self) -> int:
        return self._count()[0]

    @property
    def spread(self) -> int:
        return self._count()[1]

    def _count(self) -> tuple[int, int]:
        """Return slots and spread, computed once per type, since nested types repeat."""
        if self.counted is None:
            slots = sum(each.type.slots for each in self.members)
            self.counted = slots, sum(1 + each.type.spread for each in self.members)
        return self.counted


def same_type(one: DataType, other: DataType) -> bool:
    """Return True if two types are equal: aliases resolved, arrays by element and size.

    Structs are the same if they are one object, or have one name and members of the same types.
    """
    one, other = one.resolved, other.resolved
    if one is other:
        return True
    if isinstance(one, ArrayDataType) and isinstance(other, ArrayDataType):
        return one.columns == other.columns and same_type(one.component, other.component)
    if isinstance(one, StructDataType) and isinstance(other, StructDataType):
        return one.name == other.name and len(one.members) == len(other.members)
    return False


def is_opaque(each: DataType) -> bool:
    """Return True for children, samplers and their like, which hold no value."""
    each = each.resolved
    return each.kind in (TypeKind.CHILD, TypeKind.SAMPLER, TypeKind.OTHER)
