"""Folding of operators on constants, and of operators that change nothing: `x * 1`.

Constants are folded whatever the settings, since array sizes and `const` variables need them.

Source: SkSLConstantFolder.cpp of Skia's milestone 104.
"""

import math
import operator as python
from collections.abc import Callable

from ..tables.enumerations import ReferenceKind
from ..tables.operators import Operator
from ..tree import (
    BOOL,
    ArrayDataType,
    BoolLiteral,
    DataType,
    Expression,
    FloatLiteral,
    IntLiteral,
    StructDataType,
)
from .aggregates import compound_of, splat
from .assignment import set_reference
from .compilation import Compilation
from .messages import Position
from .negation import negated
from .type_rules import is_integer, of_component, range_of, same, sized
from .values import (
    compare,
    constant_of,
    has_effects,
    holds_constants,
    is_constant,
    literal,
    moved,
    same_tree,
    slot,
    to_f32,
)

__all__ = ["fold"]

Op = Operator
DIVISIONS = (Op.SLASH, Op.SLASH_EQ, Op.PERCENT, Op.PERCENT_EQ)
EQUALITIES = (Op.EQEQ, Op.NEQ)
MOST_SHIFT = 31

Calculation = Callable[[float, float], float]
COMPARISONS: dict[Operator, Callable[[float, float], bool]] = {
    Op.EQEQ: python.eq, Op.NEQ: python.ne, Op.GT: python.gt, Op.GTEQ: python.ge, Op.LT: python.lt,
    Op.LTEQ: python.le,
}  # fmt: skip
FLOATS: dict[Operator, Calculation] = {
    Op.PLUS: python.add, Op.MINUS: python.sub, Op.STAR: python.mul,
}  # fmt: skip
BOOLS: dict[Operator, Callable[[bool, bool], bool]] = {
    Op.LOGICAL_AND: lambda a, b: a and b,
    Op.LOGICAL_OR: lambda a, b: a or b,
    Op.LOGICAL_XOR: python.ne,
    Op.EQEQ: python.eq,
    Op.NEQ: python.ne,
}


def fold(
    c: Compilation,
    position: Position,
    left: Expression,
    operator: Operator,
    right: Expression,
    result: DataType,
) -> Expression | None:
    """Return a simpler expression for `left operator right`; None if there is none."""
    left, right = constant_of(c, left), constant_of(c, right)
    if operator is Op.EQ or operator in EQUALITIES:
        c.spend(_compared(c, left))
    if operator is Op.EQ and same_tree(left, right):
        return moved(right, position)
    if isinstance(left, BoolLiteral) and isinstance(right, BoolLiteral):
        combine = BOOLS.get(operator)
        value = combine and combine(left.value, right.value)
        return None if value is None else literal(value, BOOL, position)
    if isinstance(left, BoolLiteral):
        return _short_circuit(position, left, operator, right)
    if isinstance(right, BoolLiteral):
        if not has_effects(left):
            return _short_circuit(position, right, operator, left)
        return _without_bool(position, left, operator, right)
    if operator in EQUALITIES and same_tree(left, right):
        return literal(operator is Op.EQEQ, BOOL, position)
    if operator in DIVISIONS and _has_zero(c, right):
        c.error(position, "division by zero")
        return None
    if c.settings.optimize and _is_small(left.type) and _is_small(right.type):
        simpler = _without_effect(c, position, left, operator, right, result)
        if simpler is not None:
            return simpler
    if not is_constant(left) or not is_constant(right):
        return None
    return _of_constants(c, position, left, operator, right, result)


def _compared(c: Compilation, given: Expression) -> int:
    """Return the number of values that a comparison with an expression looks at."""
    return c.types.slots(given.type) if holds_constants(given) else 1


def _of_constants(
    c: Compilation,
    position: Position,
    left: Expression,
    operator: Operator,
    right: Expression,
    result: DataType,
) -> Expression | None:
    if isinstance(left, IntLiteral) and isinstance(right, IntLiteral):
        return _of_ints(c, position, left.value, operator, right.value, result)
    if isinstance(left, FloatLiteral) and isinstance(right, FloatLiteral):
        return _of_floats(position, left.value, operator, right.value, result)
    one, other = left.type.resolved, right.type.resolved
    has_matrix = one.is_matrix or other.is_matrix
    if operator is Op.STAR and has_matrix and not (one.is_scalar or other.is_scalar):
        return _of_matrices(c, position, left, right)
    left_compound, right_compound = _is_compound(one), _is_compound(other)
    if left_compound and same(one, other):
        return _by_component(c, position, left, operator, right)
    if other.is_scalar and left_compound and same(one.component, other):
        return _by_component(c, position, left, operator, _spread(c, right, left.type))
    if one.is_scalar and right_compound and same(other.component, one):
        return _by_component(c, position, _spread(c, left, right.type), operator, right)
    if isinstance(one, ArrayDataType) and isinstance(other, ArrayDataType):
        return _equality(c, position, left, operator, right)
    if isinstance(one, StructDataType) and isinstance(other, StructDataType):
        return _equality(c, position, left, operator, right)
    return None


def _is_compound(given: DataType) -> bool:
    return given.is_vector or given.is_matrix


def _is_small(given: DataType) -> bool:
    return given.is_scalar or given.is_vector


# -- bools -------------------------------------------------------------------------------------


def _without_bool(
    position: Position, left: Expression, operator: Operator, right: BoolLiteral
) -> Expression | None:
    """Return the left operand if the right one changes nothing."""
    wanted = operator in (Op.LOGICAL_AND, Op.EQEQ)
    known = (Op.LOGICAL_AND, Op.EQEQ, Op.LOGICAL_OR, Op.LOGICAL_XOR, Op.NEQ)
    return moved(left, position) if operator in known and right.value is wanted else None


def _short_circuit(
    position: Position, left: BoolLiteral, operator: Operator, right: Expression
) -> Expression | None:
    if (operator is Op.LOGICAL_AND and not left.value) or (
        operator is Op.LOGICAL_OR and left.value
    ):
        return moved(left, position)
    return _without_bool(position, right, operator, left)


def _equality(
    c: Compilation, position: Position, left: Expression, operator: Operator, right: Expression
) -> Expression | None:
    if operator not in EQUALITIES:
        return None
    equal = compare(c, left, right)
    return None if equal is None else literal(equal is (operator is Op.EQEQ), BOOL, position)


# -- numbers -----------------------------------------------------------------------------------


def _wrapped(value: int) -> int:
    """Return the low 64 bits of a number, as a signed number."""
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value


def _quotient(a: int, b: int) -> int:
    found = abs(a) // abs(b)
    return -found if (a < 0) != (b < 0) else found


INTS: dict[Operator, Callable[[int, int], int]] = {
    Op.PLUS: lambda a, b: _wrapped(a + b),
    Op.MINUS: lambda a, b: _wrapped(a - b),
    Op.STAR: lambda a, b: _wrapped(a * b),
    Op.SLASH: _quotient,
    Op.PERCENT: lambda a, b: a - b * _quotient(a, b),
    Op.BITWISE_AND: python.and_,
    Op.BITWISE_OR: python.or_,
    Op.BITWISE_XOR: python.xor,
    Op.SHL: lambda a, b: _wrapped(a << b),
    Op.SHR: python.rshift,
}


def _of_ints(
    c: Compilation, position: Position, left: int, operator: Operator, right: int, result: DataType
) -> Expression | None:
    if operator in COMPARISONS:
        return literal(COMPARISONS[operator](left, right), result, position)
    if operator not in INTS:
        return None
    if operator in (Op.SHL, Op.SHR) and not 0 <= right <= MOST_SHIFT:
        c.error(position, "shift value out of range")
        return None
    value = INTS[operator](left, right)
    low, high = range_of(result.resolved)
    return literal(value, result, position) if low <= value <= high else None


def _divided(left: float, right: float) -> float:
    if right:
        return left / right
    return math.nan if not left else math.copysign(math.inf, left) * math.copysign(1, right)


def _of_floats(
    position: Position, left: float, operator: Operator, right: float, result: DataType
) -> Expression | None:
    if operator in COMPARISONS:
        return literal(COMPARISONS[operator](left, right), result, position)
    calculate = _divided if operator is Op.SLASH else FLOATS.get(operator)
    if calculate is None:
        return None
    value = to_f32(calculate(left, right))
    return literal(value, result, position) if math.isfinite(value) else None


def _spread(c: Compilation, scalar: Expression, type_: DataType) -> Expression:
    if type_.is_vector:
        return splat(c, scalar.position, type_, scalar)
    return compound_of(c, scalar.position, type_, [scalar] * c.types.slots(type_))


def _by_component(
    c: Compilation, position: Position, left: Expression, operator: Operator, right: Expression
) -> Expression | None:
    found = _equality(c, position, left, operator, right)
    if found is not None:
        return found
    calculate = _divided if operator is Op.SLASH else FLOATS.get(operator)
    if calculate is None:
        return None
    scalar = of_component(left.type)
    low, high = range_of(scalar) if is_integer(scalar) else (-math.inf, math.inf)
    made: list[Expression] = []
    for at in range(c.types.slots(left.type)):
        one, other = slot(c, left, at), slot(c, right, at)
        if one is None or other is None:
            return None
        value = calculate(float(one), float(other))
        if value < low or value > high:
            return None
        if is_integer(scalar) and math.isnan(value):
            return None
        made.append(literal(value, scalar, position))
    return compound_of(c, position, left.type, made)


def _of_matrices(
    c: Compilation, position: Position, left: Expression, right: Expression
) -> Expression | None:
    one, other = left.type.resolved, right.type.resolved
    left_columns, left_rows = one.columns, one.rows
    right_columns, right_rows = other.columns, other.rows
    if other.is_vector:
        right_columns, right_rows = 1, other.columns
    scalar = of_component(one)
    made: list[Expression] = []
    for column in range(right_columns):
        for row in range(left_rows):
            total = 0.0
            for at in range(left_columns):
                a = slot(c, left, at * left_rows + row)
                b = slot(c, right, column * right_rows + at)
                if a is None or b is None:
                    return None
                total += a * b
            made.append(literal(total, scalar, position))
    columns, rows = right_columns, left_rows
    if columns == 1:
        columns, rows = rows, columns
    return compound_of(c, position, sized(scalar, columns, rows), made)


# -- operators that change nothing -------------------------------------------------------------


def _has_zero(c: Compilation, given: Expression) -> bool:
    if not holds_constants(given):
        return False
    return any(slot(c, given, at) == 0 for at in range(c.types.slots(given.type)))


def _is_all(c: Compilation, given: Expression, value: float) -> bool:
    if not holds_constants(given):
        return False
    return all(slot(c, given, at) == value for at in range(c.types.slots(given.type)))


def _without_effect(
    c: Compilation,
    position: Position,
    left: Expression,
    operator: Operator,
    right: Expression,
    result: DataType,
) -> Expression | None:
    """Return the operand that is the result; `x + 0`, `1 * x`, `x /= 1`."""

    def kept(given: Expression) -> Expression:
        if given.type.is_scalar:
            return splat(c, position, result, given)
        return moved(given, position)

    if operator in (Op.PLUS, Op.MINUS, Op.PLUS_EQ, Op.MINUS_EQ) and _is_all(c, right, 0):
        return _read(kept(left)) if operator.is_assignment else kept(left)
    if operator in (Op.STAR, Op.SLASH, Op.STAR_EQ, Op.SLASH_EQ) and _is_all(c, right, 1):
        return _read(kept(left)) if operator.is_assignment else kept(left)
    if operator is Op.PLUS and _is_all(c, left, 0):
        return kept(right)
    if operator is Op.MINUS and _is_all(c, left, 0):
        return negated(c, position, kept(right))
    if operator is Op.STAR:
        if _is_all(c, left, 1):
            return kept(right)
        if _is_all(c, right, 0) and not has_effects(left):
            return kept(right)
        if _is_all(c, left, 0) and not has_effects(right):
            return kept(left)
        if _is_all(c, right, -1):
            return negated(c, position, kept(left))
        if _is_all(c, left, -1):
            return negated(c, position, kept(right))
    return None


def _read(given: Expression) -> Expression:
    set_reference(given, ReferenceKind.READ)
    return given
