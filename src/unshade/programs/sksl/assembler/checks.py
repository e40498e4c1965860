"""Checks of a whole program.

Source: SkSLFinalizationChecks.cpp, SkSLCheckProgramStructure.cpp and ES2IndexingVisitor of Skia's
milestone 104.
"""

from ....tuples import NamedTuple
from ..tables.enumerations import ModifierFlag, ReferenceKind
from ..tree import (
    Expression,
    ExpressionStatement,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    GlobalDeclaration,
    IfStatement,
    IndexExpression,
    NopStatement,
    StructDataType,
    SwitchStatement,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .calls import described
from .compilation import Compilation
from .messages import NOWHERE
from .traversal import Part, expressions, nodes, parts
from .type_rules import is_invalid
from .values import is_constant_expression, operands

__all__ = ["check_program"]

MOST_SLOTS = 100_000  # of all global variables
MOST_NODES = 100_000  # of `main` with everything that it calls and repeats
MOST_CALLS = 50  # functions that call each other
MOST_COUNTED = 1 << 62
OUT = ModifierFlag.OUT
INOUT = ModifierFlag.IN | ModifierFlag.OUT


def check_program(c: Compilation) -> None:
    """Report errors of a program as a whole."""
    _Checker(c).check()
    definitions = [each for each in c.elements if isinstance(each, FunctionDefinition)]
    if c.strict and not c.reporter.count:
        for each in definitions:
            _check_indices(c, each.body, [])
    if not c.reporter.count:
        sizes = _Sizes(c)
        for each in definitions:
            sizes.visit(each.declaration)
            main = each.declaration.name == "main" and c.settings.is_effect
            if main and sizes.known[each.declaration] > MOST_NODES:
                c.error(NOWHERE, "program is too large")


class _Checker:
    """Checks of elements, in their order."""

    def __init__(self, c: Compilation) -> None:
        self.c = c
        self.slots = 0

    def check(self) -> None:
        """Check all elements of the program."""
        for each in self.c.elements:
            if isinstance(each, GlobalDeclaration):
                self._count(each.declaration)
                self._visit(each.declaration)
            elif isinstance(each, FunctionDefinition):
                self._check_results(each)
                self._visit(each.body)

    def _count(self, given: VariableDeclaration) -> None:
        before = self.slots
        self.slots += self.c.types.slots(given.variable.type)
        if before < MOST_SLOTS <= self.slots:
            name = given.variable.name
            self.c.error(given.position, f"global variable '{name}' exceeds the size limit")

    def _check_results(self, given: FunctionDefinition) -> None:
        """Report `out` parameters that the function never assigns."""
        function = given.declaration
        wanted = [
            each
            for each in function.parameters
            if each.modifiers.flags & INOUT == OUT
            and not isinstance(each.type.resolved, StructDataType)
        ]
        if not wanted:
            return
        written = {
            each.variable
            for each in expressions(given.body)
            if isinstance(each, VariableReference) and each.reference is not ReferenceKind.READ
        }
        for each in wanted:
            if each not in written:
                self.c.error(
                    each.position,
                    f"function '{function.name}' never assigns a value to out parameter "
                    f"'{each.name}'",
                )

    def _visit(self, given: Part) -> None:
        c = self.c
        for each in nodes(given):
            if isinstance(each, IfStatement) and each.is_static:
                c.error(each.test.position, "static if has non-static test")
            elif isinstance(each, SwitchStatement) and each.is_static:
                c.error(each.value.position, "static switch has non-static test")
            elif isinstance(each, FunctionCall):
                function = each.function
                if not isinstance(function, FunctionDeclaration) or function.builtin:
                    continue
                if function not in c.definitions:
                    shown = described(function)
                    c.error(each.position, f"function '{shown}' is not defined")
            elif isinstance(each, Expression) and is_invalid(each.type):
                c.error(each.position, "invalid expression")


def _check_indices(c: Compilation, given: Part, indices: list[VariableSymbol]) -> bool:
    """Report the first index that is not constant; return True if there is one."""
    if isinstance(given, Expression):
        for each in expressions(given):
            constant = not isinstance(each, IndexExpression) or is_constant_expression(
                each.index, indices
            )
            if not constant:
                c.error(each.position, "index expression must be constant")
                return True
        return False
    if isinstance(given, ForStatement):
        first = given.initialiser
        if isinstance(first, VariableDeclaration):
            indices = [*indices, first.variable]
        return _check_indices(c, given.body, indices)
    return any(_check_indices(c, each, indices) for each in parts(given))


class _Size(NamedTuple):
    """Nodes of a function itself, and the functions it calls, each with how often."""

    own: int
    calls: list[tuple[FunctionDeclaration, int]]


class _Sizes:
    """Number of nodes of each function, with those that it calls; loops are unrolled."""

    def __init__(self, c: Compilation) -> None:
        self.c = c
        self.known: dict[FunctionDeclaration, int] = {}
        self.stack: list[FunctionDeclaration] = []

    def visit(self, function: FunctionDeclaration) -> bool:
        """Determine the size of a function; return True after reporting an error."""
        if function in self.stack:
            cycle = self.stack[self.stack.index(function) :]
            self._report("potential recursion (function call cycle) not allowed:", function, cycle)
            return True
        if function in self.known:
            return False
        if len(self.stack) >= MOST_CALLS:
            self._report("exceeded max function call depth:", function, self.stack)
            return True
        definition = self.c.definitions[function]
        self.stack.append(function)
        size = self._of(definition.body)
        total, failed = size.own, False
        for callee, times in size.calls:
            failed = self.visit(callee)
            if failed:
                break
            total += times * self.known[callee]
        self.stack.pop()
        self.known[function] = min(total, MOST_COUNTED)
        return failed

    def _report(
        self, text: str, function: FunctionDeclaration, others: list[FunctionDeclaration]
    ) -> None:
        self.known[function] = 0
        shown = "".join(f"\n\t{described(each)}" for each in [*others, function])
        self.c.error(self.c.definitions[function].position, text + shown)

    def _of(self, given: Part) -> _Size:
        if isinstance(given, ForStatement):
            first = _Size(0, []) if given.initialiser is None else self._of(given.initialiser)
            repeated = [given.next, given.test, given.body]
            size = _added([self._of(each) for each in repeated if each is not None])
            times = self.c.iterations.get(given, 1)
            scaled = _Size(size.own * times, [(each, count * times) for each, count in size.calls])
            return _added([first, scaled])
        free = (ExpressionStatement, NopStatement, VariableDeclaration)
        own = 0 if isinstance(given, free) else 1
        calls: list[tuple[FunctionDeclaration, int]] = []
        if isinstance(given, FunctionCall):
            function = given.function
            if isinstance(function, FunctionDeclaration) and function in self.c.definitions:
                own = 0
                calls.append((function, 1))
        inner = operands(given) if isinstance(given, Expression) else parts(given)
        return _added([_Size(own, calls), *map(self._of, inner)])


def _added(given: list[_Size]) -> _Size:
    calls = [each for size in given for each in size.calls]
    return _Size(min(sum(size.own for size in given), MOST_COUNTED), calls)
