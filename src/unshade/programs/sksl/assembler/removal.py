"""Removal of dead code: statements never reached, functions and variables never used.

Removed statements become empty statements; the symbols stay in their scopes, as upstream leaves
them.

Source: the files of src/sksl/transform of Skia's milestone 104.
"""

from collections import deque

from ..tables.enumerations import SkslProgramKind
from ..tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DiscardStatement,
    DoStatement,
    Expression,
    ForStatement,
    FunctionCall,
    FunctionDefinition,
    GlobalDeclaration,
    IfStatement,
    NopStatement,
    ProgramElement,
    ReturnStatement,
    SharedFunction,
    Statement,
    SwitchCase,
    SwitchStatement,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation
from .statements import made_expression_statement
from .traversal import expressions
from .usage import UsageCounts

__all__ = ["remove_unused"]

Parent = BlockStatement | IfStatement | ForStatement | DoStatement | SwitchCase


def remove_unused(c: Compilation) -> None:
    """Remove dead code from a program."""
    for each in c.elements:
        if isinstance(each, FunctionDefinition):
            _Reached().visit_all(each.body)
    usage = UsageCounts(c)
    for element in [*c.shared.values(), *c.elements]:
        usage.add_element(element)
    if c.settings.kind is not SkslProgramKind.GENERIC:
        _remove_functions(c, usage)
    _Locals(c, usage).remove()
    c.elements = [
        each
        for each in c.elements
        if not (isinstance(each, GlobalDeclaration) and usage.is_dead(each.declaration.variable))
    ]


# -- statements in their parents ---------------------------------------------------------------


def inner_statements(given: Statement | SwitchCase) -> list[tuple[Parent, str, int]]:
    """Return the places of statements in a statement: parent, attribute, index or -1."""
    if isinstance(given, BlockStatement):
        return [(given, "statements", at) for at in range(len(given.statements))]
    if isinstance(given, SwitchStatement):
        return [(each, "body", -1) for each in given.cases]
    names: tuple[str, ...] = ()
    if isinstance(given, IfStatement):
        names = ("if_true", "if_false")
    elif isinstance(given, ForStatement):
        names = ("initialiser", "body")
    elif isinstance(given, DoStatement):
        names = ("body",)
    return [(given, name, -1) for name in names if getattr(given, name) is not None]  # type: ignore[misc]


def statement_at(place: tuple[Parent, str, int]) -> Statement:
    """Return the statement at a place."""
    parent, name, at = place
    found = getattr(parent, name)
    statement: Statement = found if at < 0 else found[at]
    return statement


def replace_at(place: tuple[Parent, str, int], made: Statement) -> None:
    """Replace the statement at a place."""
    parent, name, at = place
    if at < 0:
        setattr(parent, name, made)
    else:
        getattr(parent, name)[at] = made


# -- statements never reached ------------------------------------------------------------------


class _Reached:
    """A walk that removes statements after a `return`, `discard`, `break` or `continue`."""

    def __init__(self) -> None:
        self.left_function = False
        self.left_loop = False

    def visit_all(self, given: Statement) -> None:
        """Visit the statements in a statement."""
        for place in inner_statements(given):
            if self.left_function or self.left_loop:
                if not isinstance(statement_at(place), NopStatement):
                    replace_at(place, NopStatement())
            else:
                self._visit(statement_at(place))

    def _visit(self, given: Statement) -> None:
        if isinstance(given, ReturnStatement | DiscardStatement):
            self.left_function = True
        elif isinstance(given, BreakStatement | ContinueStatement):
            self.left_loop = True
        elif isinstance(given, BlockStatement):
            self.visit_all(given)
        elif isinstance(given, DoStatement):
            inner = self._inside(given.body)
            self.left_function |= inner.left_function
        elif isinstance(given, ForStatement):
            _Reached().visit_all(given)
        elif isinstance(given, IfStatement):
            one = self._inside(given.if_true)
            other = self._inside(given.if_false) if given.if_false else _Reached()
            self.left_function |= one.left_function and other.left_function
            self.left_loop |= one.left_loop and other.left_loop

    def _inside(self, given: Statement) -> "_Reached":
        made = _Reached()
        made._visit(given)
        return made


# -- functions and variables -------------------------------------------------------------------


def _remove_functions(c: Compilation, usage: UsageCounts) -> None:
    known: dict[object, FunctionDefinition | SharedFunction] = {}
    for given in (*c.elements, *c.shared.values()):
        if isinstance(given, FunctionDefinition | SharedFunction):
            known[given.declaration] = given
    gone: set[ProgramElement] = set()
    waiting = deque(known.values())
    while waiting:
        each = waiting.popleft()
        if each in gone or usage.is_called(each.declaration):
            continue
        gone.add(each)
        usage.add_element(each, -1)
        body = each.body if isinstance(each, FunctionDefinition) else each.definition.body
        called = (call.function for call in expressions(body) if isinstance(call, FunctionCall))
        waiting += [known[function] for function in called if function in known]
    c.elements = [each for each in c.elements if each not in gone]
    c.shared = {key: each for key, each in c.shared.items() if each not in gone}


class _Locals:
    """Removal of local variables that are never read."""

    def __init__(self, c: Compilation, usage: UsageCounts) -> None:
        self.c = c
        self.usage = usage
        self.places: dict[VariableSymbol, tuple[Parent, str, int]] = {}
        for each in c.elements:
            if isinstance(each, FunctionDefinition):
                self._find(each.body)

    def _find(self, given: Statement) -> None:
        waiting = [given]
        while waiting:
            for place in inner_statements(waiting.pop()):
                inner = statement_at(place)
                if isinstance(inner, VariableDeclaration):
                    self.places[inner.variable] = place
                else:
                    waiting.append(inner)

    def remove(self) -> None:
        """Remove variables until all remaining variables are read."""
        waiting = deque(self.places)
        while waiting:
            variable = waiting.popleft()
            place = self.places.get(variable)
            if place is None:
                continue
            given = statement_at(place)
            if not isinstance(given, VariableDeclaration) or not self.usage.is_removable(given):
                continue
            waiting += self._remove(place, given)

    def _remove(
        self, place: tuple[Parent, str, int], given: VariableDeclaration
    ) -> list[VariableSymbol]:
        """Remove a declaration; return the variables that its value used."""
        del self.places[given.variable]
        self.usage.add(given, -1)
        if given.value is None:
            replace_at(place, NopStatement())
            return []
        used = _variables_in(given.value)
        made = made_expression_statement(self.c, given.value)
        self.usage.add(made)
        replace_at(place, made)
        return used


def _variables_in(given: Expression) -> list[VariableSymbol]:
    return [
        each.variable
        for each in expressions(given)
        if isinstance(each, VariableReference) and isinstance(each.variable, VariableSymbol)
    ]
