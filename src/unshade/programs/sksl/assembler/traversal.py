"""Walks over statements and expressions, in the order in which upstream visits them.

Unlike `tree.walk` these visit the arguments of calls of children, which no file contains.

Source: ProgramVisitor of Skia's milestone 104.
"""

from collections.abc import Iterator

from ..tree import (
    BlockStatement,
    DoStatement,
    Expression,
    ExpressionStatement,
    ForStatement,
    IfStatement,
    ReturnStatement,
    Statement,
    SwitchCase,
    SwitchStatement,
    VariableDeclaration,
)
from .values import operands

__all__ = ["expressions", "parts", "statements"]

Part = Statement | SwitchCase | Expression


def parts(given: Part) -> list[Part]:
    """Return the statements and expressions of which a node consists, in order."""
    found: list[Part | None] = []
    if isinstance(given, Expression):
        found += operands(given)
    elif isinstance(given, BlockStatement):
        found += given.statements
    elif isinstance(given, ExpressionStatement):
        found = [given.expression]
    elif isinstance(given, VariableDeclaration | ReturnStatement):
        found = [given.value]
    elif isinstance(given, IfStatement):
        found = [given.test, given.if_true, given.if_false]
    elif isinstance(given, ForStatement):
        found = [given.initialiser, given.test, given.next, given.body]
    elif isinstance(given, DoStatement):
        found = [given.test, given.body]
    elif isinstance(given, SwitchStatement):
        found = [given.value, *given.cases]
    elif isinstance(given, SwitchCase):
        found = [given.body]
    return [each for each in found if each is not None]


def nodes(given: Part) -> Iterator[Part]:
    """Yield a node and its descendants, outer nodes first."""
    waiting = [given]
    while waiting:
        at = waiting.pop()
        yield at
        waiting += reversed(parts(at))


def statements(given: Statement) -> Iterator[Statement | SwitchCase]:
    """Yield a statement and all nested statements."""
    return (each for each in nodes(given) if not isinstance(each, Expression))


def expressions(given: Part) -> Iterator[Expression]:
    """Yield all expressions in a statement or expression, itself included."""
    return (each for each in nodes(given) if isinstance(each, Expression))
