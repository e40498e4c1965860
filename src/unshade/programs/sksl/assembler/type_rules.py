"""Properties of types that the compiler needs, and the types of operands and results.

Types are the same if their names are (`same`), aliases resolved: `vec4[2]` is not `float4[2]`.

Source: SkSLType.h and SkSLOperator.cpp of Skia's milestone 104.
"""

from ....tuples import NamedTuple
from ..tables.operators import Operator
from ..tree import (
    BOOL,
    FLOAT,
    FLOAT_LITERAL,
    INT,
    INT_LITERAL,
    VOID,
    ArrayDataType,
    DataType,
    NumberKind,
    StructDataType,
    TypeKind,
    compound,
    conversion_cost,
)
from .unfinished import POISON

__all__ = [
    "INTEGER_ONLY",
    "OperandTypes",
    "can_convert",
    "display",
    "is_boolean",
    "is_child",
    "is_float",
    "is_integer",
    "is_invalid",
    "is_literal_type",
    "is_number",
    "is_opaque",
    "is_signed",
    "is_void",
    "of_component",
    "operand_types",
    "plain",
    "range_of",
    "same",
    "sized",
]

MOST_SLOTS = 1 << 62


def same(one: DataType, other: DataType) -> bool:
    """Return True if two types have one name, aliases resolved."""
    return one is other or one.resolved.name == other.resolved.name


def plain(given: DataType) -> DataType:
    """Return the type that a literal gets by default; any other type is returned unchanged."""
    if given is FLOAT_LITERAL:
        return FLOAT
    return INT if given is INT_LITERAL else given


def display(given: DataType) -> str:
    """Return the name of a type in messages."""
    return plain(given).name


def of_component(given: DataType) -> DataType:
    """Return the type of a component or element; any other type is returned unchanged."""
    return given.resolved.component


def sized(scalar: DataType, columns: int, rows: int = 1) -> DataType:
    """Return the vector or matrix of a scalar type."""
    if columns == rows == 1:
        return scalar
    return compound(plain(scalar), columns, rows)


def is_float(given: DataType) -> bool:
    """Return True for scalars that are floats."""
    return given.is_scalar and given.number is NumberKind.FLOAT


def is_signed(given: DataType) -> bool:
    """Return True for scalars that are signed integers."""
    return given.is_scalar and given.number is NumberKind.SIGNED


def is_integer(given: DataType) -> bool:
    """Return True for scalars that are integers."""
    return given.is_scalar and given.number in (NumberKind.SIGNED, NumberKind.UNSIGNED)


def is_boolean(given: DataType) -> bool:
    """Return True for the type bool."""
    return given.is_scalar and given.number is NumberKind.BOOL


def is_number(given: DataType) -> bool:
    """Return True for scalars that are numbers."""
    return is_float(given) or is_integer(given)


def is_literal_type(given: DataType) -> bool:
    """Return True for types of literals."""
    return given is INT_LITERAL or given is FLOAT_LITERAL


def is_child(given: DataType) -> bool:
    """Return True for shaders, colour filters and blenders."""
    return given.resolved.kind is TypeKind.CHILD


def is_opaque(given: DataType) -> bool:
    """Return True for types whose values cannot be stored: children, samplers, textures."""
    found = given.resolved
    if found is POISON:
        return False
    opaque = (TypeKind.CHILD, TypeKind.SAMPLER)
    return found.kind in opaque or (found.kind is TypeKind.OTHER and found.name[0] != "$")


def is_void(given: DataType) -> bool:
    """Return True for void."""
    return given is VOID


def is_invalid(given: DataType) -> bool:
    """Return True for names that no program may use as a type."""
    return given.resolved.kind is TypeKind.INVALID


def range_of(given: DataType) -> tuple[int, int]:
    """Return the least and greatest value of an integer type."""
    if given.number is NumberKind.UNSIGNED:
        return 0, (1 << given.bits) - 1
    return -(1 << given.bits - 1), (1 << given.bits - 1) - 1


# -- structs, whose members may share types ----------------------------------------------------


class TypeFacts(NamedTuple):
    """Facts that a struct derives from its members."""

    slots: int
    depth: int  # of structs in each other
    has_array: bool
    in_es2: bool
    private: bool


class TypeFactTable:
    """Facts about types, each struct examined once."""

    __slots__ = ("structs",)

    def __init__(self) -> None:
        self.structs: dict[DataType, TypeFacts] = {}

    def facts(self, given: DataType) -> TypeFacts:
        """Return the facts of a type."""
        found = given.resolved
        if isinstance(found, ArrayDataType):
            inner = self.facts(found.component)
            return inner._replace(slots=max(found.columns, 0) * inner.slots, has_array=True)
        if isinstance(found, StructDataType):
            known = self.structs.get(found)
            if known is None:
                known = self.structs[found] = self._of_members(found)
            return known
        values = (TypeKind.SCALAR, TypeKind.LITERAL, TypeKind.VECTOR, TypeKind.MATRIX)
        return TypeFacts(
            slots=found.columns * found.rows if found.kind in values else 0,
            depth=0,
            has_array=False,
            in_es2=found.number is not NumberKind.UNSIGNED
            and (not found.is_matrix or found.columns == found.rows),
            private=found.name.startswith("$"),
        )

    def _of_members(self, given: StructDataType) -> TypeFacts:
        inner = [self.facts(each.type) for each in given.members]
        return TypeFacts(
            slots=min(sum(each.slots for each in inner), MOST_SLOTS),
            depth=1 + max((each.depth for each in inner), default=0),
            has_array=any(each.has_array for each in inner),
            in_es2=all(each.in_es2 for each in inner),
            private=any(each.private for each in inner),
        )

    def slots(self, given: DataType) -> int:
        """Return the number of scalars in a value."""
        return self.facts(given).slots


# -- operands and results ----------------------------------------------------------------------

INTEGER_ONLY = frozenset(
    (
        Operator.SHL, Operator.SHR, Operator.BITWISE_AND, Operator.BITWISE_OR,
        Operator.BITWISE_XOR, Operator.PERCENT, Operator.SHL_EQ, Operator.SHR_EQ,
        Operator.BITWISE_AND_EQ, Operator.BITWISE_OR_EQ, Operator.BITWISE_XOR_EQ,
        Operator.PERCENT_EQ,
    )
)  # fmt: skip
BY_COMPONENT = INTEGER_ONLY | {
    Operator.PLUS, Operator.MINUS, Operator.STAR, Operator.SLASH,
    Operator.PLUS_EQ, Operator.MINUS_EQ, Operator.STAR_EQ, Operator.SLASH_EQ,
}  # fmt: skip
RELATIONAL = (Operator.LT, Operator.GT, Operator.LTEQ, Operator.GTEQ)


class OperandTypes(NamedTuple):
    """The types to which the operands are converted, and the type of the result."""

    left: DataType
    right: DataType
    result: DataType


def can_convert(given: DataType, wanted: DataType, narrowing: bool) -> bool:
    """Return True if a value converts implicitly."""
    cost = conversion_cost(given, wanted)
    return cost is not None and (narrowing or not cost[0])


def operand_types(
    operator: Operator, left: DataType, right: DataType, narrowing: bool
) -> OperandTypes | None:
    """Return the types of `left operator right`; None if the operator cannot be applied."""
    if operator is Operator.EQ:
        fits = not is_void(left) and can_convert(right, left, narrowing)
        return OperandTypes(left, left, left) if fits else None
    if operator in (Operator.EQEQ, Operator.NEQ):
        return _of_equality(left, right, narrowing)
    if operator.is_logical:
        fits = can_convert(left, BOOL, narrowing) and can_convert(right, BOOL, narrowing)
        return OperandTypes(BOOL, BOOL, BOOL) if fits else None
    if operator is Operator.COMMA:
        opaque = is_opaque(left) or is_opaque(right)
        return None if opaque else OperandTypes(left, right, right)
    if is_boolean(of_component(left)) or is_boolean(of_component(right)):
        return None
    if operator in (Operator.STAR, Operator.STAR_EQ) and _multiplies_matrix(left, right):
        return _of_product(operator, left, right, narrowing)
    return _of_arithmetic(operator, left, right, narrowing)


def _of_equality(left: DataType, right: DataType, narrowing: bool) -> OperandTypes | None:
    if is_void(left) or is_opaque(left):
        return None
    if _cheaper(right, left):
        chosen, fits = left, can_convert(right, left, narrowing)
    else:
        chosen, fits = right, can_convert(left, right, narrowing)
    return OperandTypes(chosen, chosen, BOOL) if fits else None


def _cheaper(right: DataType, left: DataType) -> bool:
    """Return True if converting the right type costs less than converting the left one."""
    to_left, to_right = conversion_cost(right, left), conversion_cost(left, right)
    if to_left is None:
        return False
    return to_right is None or to_left < to_right


def _multiplies_matrix(left: DataType, right: DataType) -> bool:
    if left.is_matrix:
        return right.is_matrix or right.is_vector
    return left.is_vector and right.is_matrix


def _of_product(
    operator: Operator, left: DataType, right: DataType, narrowing: bool
) -> OperandTypes | None:
    scalars = operand_types(operator, of_component(left), of_component(right), narrowing)
    if scalars is None:
        return None
    scalar = scalars.result
    one, other = left.resolved, right.resolved
    columns, rows = other.columns, other.rows
    if other.is_vector:  # a column
        columns, rows = rows, columns
    result = sized(scalar, columns, one.rows) if columns > 1 else sized(scalar, one.rows, columns)
    if operator.is_assignment and (result.columns, result.rows) != (one.columns, one.rows):
        return None
    if one.columns != rows:
        return None
    return OperandTypes(
        sized(scalar, one.columns, one.rows), sized(scalar, other.columns, other.rows), result
    )


def _of_arithmetic(
    operator: Operator, left: DataType, right: DataType, narrowing: bool
) -> OperandTypes | None:
    one, other = left.resolved, right.resolved
    left_compound = one.is_vector or one.is_matrix
    right_compound = other.is_vector or other.is_matrix
    assigns, by_component = operator.is_assignment, operator in BY_COMPONENT
    if left_compound and by_component and other.is_scalar:
        found = operand_types(operator, one.component, right, narrowing)
        return found and OperandTypes(
            sized(found.left, one.columns, one.rows),
            found.right,
            sized(found.result, one.columns, one.rows),
        )
    if right_compound and by_component and one.is_scalar and not assigns:
        found = operand_types(operator, left, other.component, narrowing)
        return found and OperandTypes(
            found.left,
            sized(found.right, other.columns, other.rows),
            sized(found.result, other.columns, other.rows),
        )
    if not ((one.is_scalar and other.is_scalar) or (left_compound and by_component)):
        return None
    if operator in INTEGER_ONLY and not (is_integer(one.component) and is_integer(other.component)):
        return None
    cheaper = can_convert(right, left, True) if assigns else _cheaper(right, left)
    if cheaper and can_convert(right, left, narrowing):
        chosen = left
    elif not assigns and can_convert(left, right, narrowing):
        chosen = right
    else:
        return None
    return OperandTypes(chosen, chosen, BOOL if operator in RELATIONAL else chosen)
