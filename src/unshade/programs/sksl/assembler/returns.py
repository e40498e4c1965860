"""Places where a function returns, which decide how it can be inlined.

Source: SkSLInliner.cpp of Skia's milestone 104.
"""

from enum import Enum, auto

from ..tables.enumerations import BlockForm
from ..tree import (
    BlockStatement,
    DoStatement,
    Expression,
    ForStatement,
    ReturnStatement,
    Statement,
    SwitchCase,
    SwitchStatement,
    VariableDeclaration,
)
from .traversal import parts

__all__ = ["ReturnForm", "return_form"]


class ReturnForm(Enum):
    """The way in which a function returns."""

    SINGLE = auto()  # once, at the end
    SCOPED = auto()  # at the end of each way, or with variables of an inner scope
    EARLY = auto()  # elsewhere


def return_form(body: BlockStatement) -> ReturnForm:
    """Return how a function with this body returns."""
    at_end = _at_end(body)
    counter = _Counter()
    counter.visit(body)
    if counter.returns > at_end:
        return ReturnForm.EARLY
    if counter.returns > 1 or (counter.inner_variables and counter.deepest > 1):
        return ReturnForm.SCOPED
    return ReturnForm.SINGLE


def _at_end(given: Statement | SwitchCase) -> int:
    """Count the returns after which nothing follows."""
    if isinstance(given, BlockStatement):
        return _at_end(given.statements[-1]) if given.statements else 0
    if isinstance(given, SwitchStatement | DoStatement | ForStatement):
        return 0
    if isinstance(given, ReturnStatement):
        return 1
    inner = (each for each in parts(given) if not isinstance(each, Expression))
    return sum(map(_at_end, inner))


class _Counter:
    def __init__(self) -> None:
        self.returns = self.deepest = self.depth = 0
        self.inner_variables = False

    def visit(self, given: Statement | SwitchCase) -> None:
        """Count the returns in a statement."""
        scoped = isinstance(given, BlockStatement) and given.form is BlockForm.BRACED_SCOPE
        if isinstance(given, ReturnStatement):
            self.returns += 1
            self.deepest = max(self.deepest, self.depth)
        elif isinstance(given, VariableDeclaration) and self.depth > 1:
            self.inner_variables = True
        self.depth += scoped
        for each in parts(given):
            if not isinstance(each, Expression):
                self.visit(each)
        self.depth -= scoped
        # Variables of a block that is closed before the first return are in no return.
        if isinstance(given, BlockStatement) and not self.returns and self.depth <= 1:
            self.inner_variables = False
