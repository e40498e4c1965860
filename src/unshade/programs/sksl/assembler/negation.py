"""Negation: `-x` and `!x`, in the simplest form.

Source: SkSLPrefixExpression.cpp of Skia's milestone 104.
"""

from ..tables.operators import Operator
from ..tree import (
    BOOL,
    BoolLiteral,
    ConstructorArray,
    ConstructorCompound,
    ConstructorDiagonalMatrix,
    ConstructorSplat,
    Expression,
    PrefixExpression,
)
from .aggregates import check_range, compound_of, diagonal, splat
from .compilation import Compilation
from .messages import Position
from .values import LITERALS, constant_of, is_constant, literal, moved

__all__ = ["inverted", "negated"]


def negated(c: Compilation, position: Position, given: Expression) -> Expression:
    """Return the negative of a number, vector or matrix."""
    simpler = _simpler(c, position, given)
    if simpler is not None:
        return simpler
    return PrefixExpression(operator=Operator.MINUS, operand=given, position=position)


def _simpler(c: Compilation, position: Position, given: Expression) -> Expression | None:
    value = constant_of(c, given)
    if isinstance(value, LITERALS):
        # The result of -0.0 is 0.0 and of 0.0 is -0.0, but an integer has one zero.
        result = -value.value
        if check_range(c, value.type, result, position):
            return None
        return literal(result, value.type, position)
    if isinstance(value, PrefixExpression):
        if value.operator is Operator.MINUS:
            return moved(value.operand, position)
        return None
    if not is_constant(value):
        return None
    if isinstance(value, ConstructorArray):
        inner = [negated(c, position, each) for each in value.arguments]
        return ConstructorArray(type=value.type, arguments=inner, position=position)
    if isinstance(value, ConstructorCompound):
        inner = [negated(c, position, each) for each in value.arguments]
        return compound_of(c, position, value.type, inner)
    if isinstance(value, ConstructorDiagonalMatrix | ConstructorSplat):
        make = diagonal if isinstance(value, ConstructorDiagonalMatrix) else splat
        only = _simpler(c, position, value.arguments[0])
        return None if only is None else make(c, position, value.type, only)
    return None


def inverted(c: Compilation, position: Position, given: Expression) -> Expression:
    """Return the opposite of a bool."""
    value = constant_of(c, given)
    if isinstance(value, BoolLiteral):
        return literal(not value.value, BOOL, position)
    if isinstance(value, PrefixExpression) and value.operator is Operator.LOGICAL_NOT:
        return moved(value.operand, position)
    return PrefixExpression(operator=Operator.LOGICAL_NOT, operand=given, position=position)
