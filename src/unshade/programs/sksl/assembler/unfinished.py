"""Kinds of expressions that exist only during compilation, and never in a program.

sin            `FunctionName`, before its arguments
child.eval     `MethodName`, likewise
float3         `TypeName`, likewise
x + missing    `Poison`, after an error: uses of it are not reported as further errors
"""

from ..tree import (
    INVALID,
    BuiltinType,
    DataType,
    Expression,
    FunctionDeclaration,
    Symbol,
    TypeKind,
)
from ..tree.node import extra
from .messages import POISON_NAME, Position

__all__ = ["CAPS", "POISON", "FunctionName", "MethodName", "Poison", "TypeName", "poison"]

POISON = BuiltinType(name=POISON_NAME, kind=TypeKind.OTHER, builtin=True)
POISON.component = POISON
CAPS = BuiltinType(name="$sk_Caps", kind=TypeKind.OTHER, builtin=True)
CAPS.component = CAPS


class FunctionName(Expression):
    """The name of one or more functions."""

    functions: list[FunctionDeclaration] = extra("functions of the name", default=[])

    def determine_type(self) -> DataType:
        return INVALID


class MethodName(FunctionName):
    """The name of a method of a child."""

    receiver: Expression = extra("the child", default=None)


class TypeName(Expression):
    """The name of a type."""

    meaning: DataType = extra("the type", default=INVALID)

    def determine_type(self) -> DataType:
        return INVALID


class Poison(Expression):
    """An expression with an error, which has been reported."""

    def determine_type(self) -> DataType:
        return POISON


def poison(position: Position) -> Expression:
    """Return a placeholder for an expression with an error."""
    return Poison(position=position)


def functions_of(symbol: Symbol) -> list[FunctionDeclaration]:
    """Return the functions of a symbol; none if it is another symbol."""
    if isinstance(symbol, FunctionDeclaration):
        return [symbol]
    return list(getattr(symbol, "functions", ()))
