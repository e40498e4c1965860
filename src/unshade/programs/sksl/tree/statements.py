"""Statements. A `while` loop is a `for` loop without initialiser and next expression.

Source: the classes of Skia's milestone 104 in src/sksl/ir; the stored fields are checked against
the files of its compiler.
"""

from ....wire.types import U8
from ..tables.enumerations import BlockForm
from .expression import Expression
from .node import CaseField, ReferenceField, TreeNode, child, children, flag, number, slot
from .symbols import SymbolTable, VariableSymbol
from .types import DataType

__all__ = [
    "BlockStatement",
    "BreakStatement",
    "ContinueStatement",
    "DiscardStatement",
    "DoStatement",
    "ExpressionStatement",
    "ForStatement",
    "IfStatement",
    "NopStatement",
    "ReturnStatement",
    "Statement",
    "SwitchCase",
    "SwitchStatement",
    "VariableDeclaration",
    "is_empty",
]


class Statement(TreeNode):
    """A statement."""


class BlockStatement(Statement, command=2):
    """Statements after each other, perhaps with their own scope."""

    symbols: SymbolTable | None = child("SymbolTable", "its scope", optional=True)
    statements: list[Statement] = children("Statement", "statements")
    form: BlockForm = number(U8, "form", enum=BlockForm)


class VariableDeclaration(Statement, command=56):
    """The declaration of a variable, global or local."""

    variable: VariableSymbol = slot(ReferenceField("VariableSymbol"), "the variable")
    base: DataType = child("DataType", "its type; for an array, the type of an element")
    array_size: int = number(U8, "elements of an array; 0: not an array", default=0)
    value: Expression | None = child("Expression", "its value", optional=True, default=None)


class ExpressionStatement(Statement, command=22):
    """An expression, whose value is not used."""

    expression: Expression = child("Expression", "the expression")


class IfStatement(Statement, command=32):
    """A choice between statements."""

    is_static: bool = flag("written `@if`: the condition must be constant")
    test: Expression = child("Expression", "the condition")
    if_true: Statement = child("Statement", "the statement if it is true")
    if_false: Statement | None = child(
        "Statement", "the statement if it is false", optional=True, default=None
    )


class ForStatement(Statement, command=26):
    """A loop."""

    symbols: SymbolTable | None = child("SymbolTable", "scope of the initialiser", optional=True)
    initialiser: Statement | None = child("Statement", "done before the loop", optional=True)
    test: Expression | None = child("Expression", "condition of another round", optional=True)
    next: Expression | None = child("Expression", "done after each round", optional=True)
    body: Statement = child("Statement", "body")


class DoStatement(Statement, command=19):
    """A loop whose condition is tested after each round."""

    body: Statement = child("Statement", "body")
    test: Expression = child("Expression", "condition of another round")


class SwitchCase(TreeNode):
    """A case of a switch; its statements are those up to the next case."""

    value: int | None = slot(CaseField(), "value; None for `default`")
    body: Statement = child("Statement", "its statements, as a single statement")


class SwitchStatement(Statement, command=49):
    """A choice by number."""

    is_static: bool = flag("written `@switch`: the value must be constant")
    symbols: SymbolTable | None = child("SymbolTable", "scope of the cases", optional=True)
    value: Expression = child("Expression", "the number")
    cases: list[SwitchCase] = children("SwitchCase", "cases")


class ReturnStatement(Statement, command=44):
    """The end of a function."""

    value: Expression | None = child("Expression", "result", optional=True, default=None)


class BreakStatement(Statement, command=4):
    """`break`."""


class ContinueStatement(Statement, command=15):
    """`continue`."""


class DiscardStatement(Statement, command=18):
    """`discard`, of fragment programs."""


class NopStatement(Statement, command=40):
    """An empty statement."""


def is_empty(given: Statement) -> bool:
    """Return True for statements that do nothing."""
    if isinstance(given, BlockStatement):
        return all(map(is_empty, given.statements))
    return isinstance(given, NopStatement)
