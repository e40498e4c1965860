"""Knowledge about the value of an expression: constants, effects, equality.

A constant has a value for each scalar (`slot`) of its type: `half4(1, half2(2), 3)` has 1, 2, 2, 3.

Source: the files of src/sksl/analysis, and the classes of expressions, of Skia's milestone 104.
"""

import math
from collections.abc import Collection, Iterator

from ....wire import f32_to_bits
from ....wire.floats import f32_from_bits
from ..tables.enumerations import ModifierFlag, ReferenceKind, VariableStorage
from ..tables.operators import Operator
from ..tree import (
    BinaryExpression,
    BoolLiteral,
    ChildCall,
    ConstructorArray,
    ConstructorArrayCast,
    ConstructorCompound,
    ConstructorDiagonalMatrix,
    ConstructorExpression,
    ConstructorMatrixResize,
    ConstructorSplat,
    ConstructorStruct,
    DataType,
    Expression,
    FieldAccess,
    FloatLiteral,
    FunctionCall,
    IndexExpression,
    IntLiteral,
    PostfixExpression,
    PrefixExpression,
    SettingReference,
    SwizzleExpression,
    TernaryExpression,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation, is_const
from .messages import Position
from .type_rules import is_float, is_integer, same

__all__ = [
    "LITERALS",
    "Literal",
    "compare",
    "constant_int",
    "constant_of",
    "has_effects",
    "holds_constants",
    "is_constant",
    "is_constant_expression",
    "is_trivial",
    "literal",
    "moved",
    "replaced",
    "same_tree",
    "slot",
    "slots_of",
    "to_f32",
]

Literal = BoolLiteral | IntLiteral | FloatLiteral
LITERALS = (BoolLiteral, IntLiteral, FloatLiteral)
INCREMENTS = (Operator.PLUS_PLUS, Operator.MINUS_MINUS)


def to_f32(value: float) -> float:
    """Return the nearest float of 32 bits; infinity if it is too large."""
    try:
        return f32_from_bits(f32_to_bits(value))
    except OverflowError:
        return math.copysign(math.inf, value)


def literal(value: float, type_: DataType, position: Position) -> Literal:
    """Return a literal of a scalar type."""
    if is_float(type_):
        return FloatLiteral(type=type_, value=to_f32(value), position=position)
    if is_integer(type_):
        return IntLiteral(type=type_, value=int(value), position=position)
    return BoolLiteral(value=bool(value), position=position)


def moved(given: Expression, position: Position) -> Expression:
    """Return a copy of an expression at another position."""
    made: Expression = type(given).__new__(type(given))
    for each in given.declared:
        setattr(made, each.name, getattr(given, each.name))
    made.position = position
    return made


# -- constants ---------------------------------------------------------------------------------


def constant_of(c: Compilation, given: Expression) -> Expression:
    """Return the constant that a variable has, or the expression itself."""
    at = given
    while isinstance(at, VariableReference):
        if at.reference is not ReferenceKind.READ or not is_const(at.variable):
            break
        value = c.initial_value(at.variable)
        if value is None:
            break
        known = c.constants.get(value)
        if known is None:
            known = c.constants[value] = is_constant(value)
        if known:
            return value
        at = value
    return given


def replaced(c: Compilation, given: Expression, position: Position) -> Expression:
    """Return the constant that a variable has, at a position, or the expression unchanged."""
    found = constant_of(c, given)
    return given if found is given else moved(found, position)


def is_constant(given: Expression) -> bool:
    """Return True for literals, and constructors of constants."""
    if isinstance(given, ConstructorExpression):
        return all(map(is_constant, given.arguments))
    return isinstance(given, LITERALS)


def holds_constants(given: Expression) -> bool:
    """Return True if `slot` may find a value."""
    return isinstance(given, (ConstructorExpression, *LITERALS))


def slot(c: Compilation, given: Expression, at: int) -> float | None:
    """Return the value of one scalar of an expression; None if it is not constant."""
    while True:
        if isinstance(given, LITERALS):
            return given.value
        if not isinstance(given, ConstructorExpression):
            return None
        if isinstance(given, ConstructorSplat):
            given, at = given.arguments[0], 0
        elif isinstance(given, ConstructorDiagonalMatrix | ConstructorMatrixResize):
            rows = given.type.resolved.rows
            row, column = at % rows, at // rows
            inner = given.arguments[0]
            if isinstance(given, ConstructorDiagonalMatrix):
                if row != column:
                    return 0.0
                given, at = inner, 0
            else:
                size = inner.type.resolved
                if column >= size.columns or row >= size.rows:
                    return float(row == column)
                given, at = inner, row + column * size.rows
        else:
            for each in given.arguments:
                count = c.types.slots(each.type)
                if at < count:
                    given = each
                    break
                at -= count
            else:
                return None


def slots_of(c: Compilation, given: Expression) -> Iterator[float | None]:
    """Yield the values of all scalars of an expression; None for those that are not constant."""
    matrix = isinstance(given, ConstructorDiagonalMatrix | ConstructorMatrixResize)
    if isinstance(given, ConstructorExpression) and not matrix:
        if isinstance(given, ConstructorSplat):
            yield from list(slots_of(c, given.arguments[0])) * c.types.slots(given.type)
            return
        for each in given.arguments:
            if isinstance(each, LITERALS):
                yield each.value
            else:
                yield from slots_of(c, each)
        return
    if not holds_constants(given):
        c.spend(c.types.slots(given.type))
    for at in range(c.types.slots(given.type)):
        yield slot(c, given, at)


def constant_int(c: Compilation, given: Expression) -> int | None:
    """Return the value of a constant integer; None for anything else."""
    found = constant_of(c, given)
    return found.value if isinstance(found, IntLiteral) else None


def compare(c: Compilation, left: Expression, right: Expression) -> bool | None:
    """Return whether two constants are equal; None if that is not known."""
    if isinstance(left, LITERALS):
        if not isinstance(right, LITERALS) or left.type.number is not right.type.number:
            return None
        return left.value == right.value
    if not isinstance(left, ConstructorExpression) or not holds_constants(right):
        return None
    for one, other in zip(slots_of(c, left), slots_of(c, right), strict=False):
        if one is None or other is None:
            return None
        if one != other:
            return False
    return True


def is_constant_expression(
    given: Expression, indices: Collection[VariableSymbol] | None = None
) -> bool:
    """Return True for constant expressions of GLSL ES 1.00.

    With `indices`, the indices of enclosing loops, return True for constant index expressions.
    """
    if isinstance(given, VariableReference):
        variable = given.variable
        if not isinstance(variable, VariableSymbol):
            return False
        stored = variable.storage in (VariableStorage.GLOBAL, VariableStorage.LOCAL)
        if stored and variable.modifiers.has(ModifierFlag.CONST):
            return True
        return indices is not None and variable in indices
    if isinstance(given, BinaryExpression) and given.operator is Operator.COMMA:
        return False
    if isinstance(given, COMPOSED):
        return all(is_constant_expression(each, indices) for each in operands(given))
    return isinstance(given, (SettingReference, *LITERALS))


COMPOSED = (
    BinaryExpression,
    ConstructorExpression,
    FieldAccess,
    IndexExpression,
    PostfixExpression,
    PrefixExpression,
    SwizzleExpression,
    TernaryExpression,
)


def operands(given: Expression) -> list[Expression]:
    """Return the operands of an expression, in the order of the file."""
    if isinstance(given, ConstructorExpression | FunctionCall | ChildCall):
        return given.arguments
    if isinstance(given, BinaryExpression):
        return [given.left, given.right]
    if isinstance(given, PrefixExpression | PostfixExpression):
        return [given.operand]
    if isinstance(given, FieldAccess | SwizzleExpression):
        return [given.base]
    if isinstance(given, IndexExpression):
        return [given.base, given.index]
    if isinstance(given, TernaryExpression):
        return [given.test, given.if_true, given.if_false]
    return []


# -- effects and equality ----------------------------------------------------------------------


def has_effects(given: Expression) -> bool:
    """Return True if evaluating an expression changes something."""
    if isinstance(given, BinaryExpression) and given.operator.is_assignment:
        return True
    if isinstance(given, PostfixExpression):
        return True
    if isinstance(given, PrefixExpression) and given.operator in INCREMENTS:
        return True
    if isinstance(given, FunctionCall):
        modifiers = getattr(given.function, "modifiers", None)
        if modifiers is not None and modifiers.has(ModifierFlag.HAS_SIDE_EFFECTS):
            return True
    return any(map(has_effects, operands(given)))


def same_tree(left: Expression, right: Expression) -> bool:
    """Return True if two simple expressions are equal."""
    if type(left) is not type(right) or not same(left.type, right.type):
        return False
    if isinstance(left, LITERALS) and isinstance(right, LITERALS):
        return left.value == right.value
    if isinstance(left, VariableReference) and isinstance(right, VariableReference):
        return left.variable is right.variable
    if isinstance(left, FieldAccess) and isinstance(right, FieldAccess):
        alike = left.index == right.index
    elif isinstance(left, PrefixExpression) and isinstance(right, PrefixExpression):
        alike = left.operator is right.operator
    elif isinstance(left, SwizzleExpression) and isinstance(right, SwizzleExpression):
        alike = left.components == right.components
    else:
        alike = isinstance(left, ConstructorExpression | IndexExpression)
    one, other = operands(left), operands(right)
    return alike and len(one) == len(other) and all(map(same_tree, one, other))


def is_trivial(c: Compilation, given: Expression) -> bool:
    """Return True if an expression may be repeated instead of stored."""
    if isinstance(given, VariableReference | Literal):
        return True
    if isinstance(given, SwizzleExpression | FieldAccess):
        return is_trivial(c, given.base)
    if isinstance(given, IndexExpression):
        return isinstance(given.index, IntLiteral) and is_trivial(c, given.base)
    if isinstance(given, ConstructorArray | ConstructorStruct):
        return c.types.slots(given.type) <= SMALL and is_constant(given)
    if isinstance(given, ConstructorArrayCast | ConstructorMatrixResize):
        return False
    if isinstance(given, ConstructorCompound):
        return is_constant(given)
    return isinstance(given, ConstructorExpression) and is_trivial(c, given.arguments[0])


SMALL = 4  # slots of an array or struct that may be repeated
