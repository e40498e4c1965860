"""Checks of assignment targets, and the marks of references to variables.

Source: Analysis::IsAssignable and UpdateVariableRefKind of Skia's milestone 104.
"""

from ..tables.enumerations import ModifierFlag, ReferenceKind
from ..tree import (
    Expression,
    FieldAccess,
    IndexExpression,
    SwizzleExpression,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation
from .unfinished import Poison

__all__ = ["assign_to", "set_reference"]

IMMUTABLE = ModifierFlag.CONST | ModifierFlag.UNIFORM


def assign_to(c: Compilation, given: Expression, kind: ReferenceKind) -> bool:
    """Mark the variable that an expression writes to; report an error if it cannot be written."""
    before = c.reporter.count
    at = given
    while isinstance(at, FieldAccess | SwizzleExpression | IndexExpression):
        if isinstance(at, SwizzleExpression) and len(set(at.components)) < len(at.components):
            c.error(at.position, "cannot write to the same swizzle field more than once")
        at = at.base
    if isinstance(at, VariableReference):
        variable = at.variable
        if isinstance(variable, VariableSymbol) and variable.modifiers.flags & IMMUTABLE:
            c.error(at.position, f"cannot modify immutable variable '{variable.name}'")
        elif c.reporter.count == before:
            at.reference = kind
    elif not isinstance(at, Poison):
        c.error(at.position, "cannot assign to this expression")
    return c.reporter.count == before and isinstance(at, VariableReference)


def set_reference(given: Expression, kind: ReferenceKind) -> None:
    """Mark the variable that an expression writes to, which is known to be possible."""
    at = given
    while isinstance(at, FieldAccess | SwizzleExpression | IndexExpression):
        at = at.base
    if isinstance(at, VariableReference):
        at.reference = kind
