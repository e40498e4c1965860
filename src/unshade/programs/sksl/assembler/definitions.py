"""Bodies of functions: checks that need the whole function.

Source: SkSLFunctionDefinition.cpp and SkSLCanExitWithoutReturningValue.cpp of Skia's milestone 104.
"""

from ..tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DoStatement,
    Expression,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    IfStatement,
    ReturnStatement,
    Statement,
    SwitchStatement,
    VariableDeclaration,
)
from .aggregates import coerce
from .calls import described
from .compilation import Compilation
from .messages import Position
from .shared import shared_function
from .traversal import expressions, parts
from .type_rules import display, is_void

__all__ = ["define_function"]

MOST_SLOTS = 100_000  # of all variables of a function


def define_function(
    c: Compilation, position: Position, function: FunctionDeclaration, body: BlockStatement
) -> None:
    """Add the definition of a function to the program."""
    body.position = position
    if function in c.definitions or function in c.reserved:
        c.error(position, f"function '{described(function)}' was already defined")
        return
    _Finaliser(c, function).visit(body)
    if not is_void(function.returns) and not _Exits.of(body).returns:
        c.error(position, f"function '{function.name}' can exit without returning a value")
    made = FunctionDefinition(declaration=function, body=body, position=position)
    c.definitions[function] = made
    c.elements.append(made)


class _Finaliser:
    """Checks of statements that depend on the function and on the statements around them."""

    def __init__(self, c: Compilation, function: FunctionDeclaration) -> None:
        self.c = c
        self.function = function
        self.slots = 0
        self.breakable = 0
        self.continuable = [0]

    def visit(self, given: Statement) -> None:
        """Check a statement and everything inside it."""
        if isinstance(given, VariableDeclaration):
            self._count(given)
        elif isinstance(given, ReturnStatement):
            self._check_return(given)
        elif isinstance(given, BreakStatement):
            if not self.breakable:
                self.c.error(given.position, "break statement must be inside a loop or switch")
        elif isinstance(given, ContinueStatement):
            self._check_continue(given)
        loop = isinstance(given, DoStatement | ForStatement)
        switch = isinstance(given, SwitchStatement)
        self.breakable += loop or switch
        if switch:
            self.continuable.append(0)
        self.continuable[-1] += loop
        for each in parts(given):
            if isinstance(each, Expression):
                for inner in expressions(each):
                    if isinstance(inner, FunctionCall):
                        self._call(inner)
            else:
                self.visit(each if isinstance(each, Statement) else each.body)
        self.continuable[-1] -= loop
        if switch:
            self.continuable.pop()
        self.breakable -= loop or switch

    def _count(self, given: VariableDeclaration) -> None:
        before = self.slots
        self.slots += self.c.types.slots(given.variable.type)
        if before < MOST_SLOTS <= self.slots:
            name = given.variable.name
            self.c.error(given.position, f"variable '{name}' exceeds the stack size limit")

    def _check_return(self, given: ReturnStatement) -> None:
        c, returns = self.c, self.function.returns
        if c.settings.is_vertex and self.function.name == "main":
            c.error(given.position, "early returns from vertex programs are not supported")
        if given.value is None:
            if not is_void(returns):
                c.error(given.position, f"expected function to return '{display(returns)}'")
        elif is_void(returns):
            c.error(given.value.position, "may not return a value from a void function")
            given.value = None
        else:
            given.value = coerce(c, given.value, returns)

    def _check_continue(self, given: ContinueStatement) -> None:
        if self.continuable[-1]:
            return
        if any(self.continuable):
            self.c.error(given.position, "continue statement cannot be used in a switch")
        else:
            self.c.error(given.position, "continue statement must be inside a loop")

    def _call(self, given: FunctionCall) -> None:
        function = given.function
        if isinstance(function, FunctionDeclaration) and function.builtin:
            if function.name == "dFdy":
                self.c.uses_flip = self.c.settings.flip
            if function.has_body:
                given.function = share_function(self.c, function)


def share_function(c: Compilation, function: FunctionDeclaration) -> FunctionDeclaration:
    """Make a builtin function with a body an element of the program; return it as declared there.

    The function itself is returned if its body is not known.
    """
    if function not in c.shared:
        made = shared_function(function)
        if made is None:
            return function
        c.shared[function] = made
        c.definitions[made.declaration] = made.definition
    return c.shared[function].declaration


class _Exits:
    """Ways out of statements: all by `return`, or some by `break` or `continue`."""

    __slots__ = ("breaks", "continues", "returns")

    def __init__(self) -> None:
        self.returns = self.breaks = self.continues = False

    @classmethod
    def of(cls, given: Statement) -> "_Exits":
        """Return the possible exits of a statement."""
        made = cls()
        made.visit(given)
        return made

    def visit(self, given: Statement) -> bool:
        """Visit a statement; return True if later statements are irrelevant."""
        if isinstance(given, ReturnStatement):
            self.returns = True
        elif isinstance(given, BreakStatement):
            self.breaks = True
        elif isinstance(given, ContinueStatement):
            self.continues = True
        elif isinstance(given, BlockStatement):
            return any(map(self.visit, given.statements))
        elif isinstance(given, IfStatement):
            one = _Exits.of(given.if_true)
            other = _Exits.of(given.if_false) if given.if_false else _Exits()
            self.breaks = one.breaks or other.breaks
            self.continues = one.continues or other.continues
            self.returns = one.returns and other.returns
        elif isinstance(given, ForStatement | DoStatement):
            self.returns = _Exits.of(given.body).returns
        elif isinstance(given, SwitchStatement):
            return self._switch(given)
        else:
            return False
        return self.returns or self.breaks or self.continues

    def _switch(self, given: SwitchStatement) -> bool:
        falls = False
        for each in given.cases:
            case = _Exits.of(each.body)
            if case.continues:
                self.continues = True
            if case.continues or case.breaks:
                return False
            falls = not case.returns
        if falls or all(each.value is not None for each in given.cases):
            return False
        self.returns = True
        return True
