"""Inlining: statements of a function in the place of a call.

    half4 c = scale(tint, 2);    →    { half4 _0_x = tint; … } half4 c = _0_x * 2;

A function is inlined if it is called once or small, and returns only at its end.

Source: SkSLInliner.cpp of Skia's milestone 104.
"""

from collections import Counter
from itertools import islice

from ....tuples import NamedTuple
from ..tables.enumerations import BlockForm, ModifierFlag
from ..tables.operators import Operator
from ..tree import (
    BOOL,
    BinaryExpression,
    BlockStatement,
    ChildCall,
    ConstructorExpression,
    DoStatement,
    Expression,
    ExpressionStatement,
    ForStatement,
    FunctionCall,
    FunctionDeclaration,
    FunctionDefinition,
    IfStatement,
    IndexExpression,
    PostfixExpression,
    PrefixExpression,
    ReturnStatement,
    Statement,
    SwitchStatement,
    SwizzleExpression,
    SymbolTable,
    TernaryExpression,
    TreeNode,
    VariableDeclaration,
    VariableReference,
    VariableSymbol,
)
from .compilation import Compilation
from .inlining_copies import Copier, NameMaker, scratch_variable
from .returns import ReturnForm, return_form
from .settings import ANY_SIZE
from .traversal import Part, nodes, parts
from .type_rules import is_void
from .usage import UsageCounts
from .values import has_effects, is_trivial, literal

__all__ = ["inline_calls"]

MOST_STATEMENTS = 2500  # that inlining makes in one program
MOST_NODES = 200_000  # likewise; upstream does not bound them
MOST_DEPTH = 100  # of a function, so that the format can hold it
SHORT_CIRCUITS = (Operator.LOGICAL_AND, Operator.LOGICAL_OR)


class Place(NamedTuple):
    """A place in the tree where a statement or expression is."""

    holder: TreeNode
    name: str
    at: int = -1  # in a list

    def get(self) -> TreeNode | None:
        """Return the node at this place."""
        found = getattr(self.holder, self.name)
        node: TreeNode | None = found if self.at < 0 else found[self.at]
        return node

    def set(self, node: TreeNode) -> None:
        """Put a node at this place."""
        if self.at < 0:
            setattr(self.holder, self.name, node)
        else:
            getattr(self.holder, self.name)[self.at] = node


class Candidate(NamedTuple):
    """A call that may be inlined."""

    owner: FunctionDefinition
    symbols: SymbolTable
    parent: Place | None  # of the statement around the enclosing one
    enclosing: Place  # of the statement with the call
    call: Place

    @property
    def function(self) -> FunctionDeclaration:
        """The function that is called."""
        call = self.call.get()
        assert isinstance(call, FunctionCall)
        assert isinstance(call.function, FunctionDeclaration)
        return call.function


def inline_calls(c: Compilation) -> None:
    """Inline calls of a program, once."""
    if c.settings.inline_threshold > 0:
        _Inliner(c).run()


class _Inliner:
    def __init__(self, c: Compilation) -> None:
        self.c = c
        self.names = NameMaker(c)
        self.count = 0
        self.usage = UsageCounts(c)
        self.forms: dict[FunctionDeclaration, ReturnForm] = {}
        self.moved: dict[Place, Place] = {}
        self.depths: dict[FunctionDefinition, int] = {}  # at least the depth of each
        self.copied = 0

    def run(self) -> None:
        """Inline all candidates."""
        for element in (*c_shared(self.c), *self.c.elements):
            self.usage.add_element(element)
        for each in self._candidates():
            if self._deepens(each):
                self._inline(each)
            if self.count >= MOST_STATEMENTS or self.copied >= MOST_NODES:
                break

    # -- choice --------------------------------------------------------------------------------

    def _candidates(self) -> list[Candidate]:
        finder = _CallFinder(self.c)
        for each in self.c.elements:
            if isinstance(each, FunctionDefinition):
                finder.owner = each
                finder.statement(Place(each, "body"))
        safe: dict[FunctionDeclaration, bool] = {}
        for candidate in finder.found:
            function = candidate.function
            if function not in safe:
                safe[function] = self._is_safe(function)
        found = [each for each in finder.found if safe[each.function]]
        threshold = self.c.settings.inline_threshold
        if threshold >= ANY_SIZE:
            return found
        sizes: dict[FunctionDeclaration, int] = {}
        totals = Counter[FunctionDeclaration]()
        for candidate in found:
            function = candidate.function
            if function not in sizes:
                body = self.c.definitions[function].body
                sizes[function] = sum(1 for _ in islice(nodes(body), threshold))
            totals[function] += sizes[function]
        return [
            each
            for each in found
            if each.function.modifiers.has(ModifierFlag.INLINE)
            or self.usage.calls[each.function] == 1
            or totals[each.function] <= threshold
        ]

    def _is_safe(self, function: FunctionDeclaration) -> bool:
        definition = self.c.definitions.get(function)
        if definition is None or function.modifiers.has(ModifierFlag.NOINLINE):
            return False
        for each in function.parameters:
            if each.modifiers.has(ModifierFlag.OUT) and self.usage.writes[each]:
                return False
        return self._form(function) is not ReturnForm.EARLY

    def _form(self, function: FunctionDeclaration) -> ReturnForm:
        if function not in self.forms:
            self.forms[function] = return_form(self.c.definitions[function].body)
        return self.forms[function]

    def _deepens(self, candidate: Candidate) -> bool:
        """Count the depth that inlining adds; return False if it would be too much."""
        owner, inner = candidate.owner, self.c.definitions[candidate.function]
        for each in (owner, inner):
            if each not in self.depths:
                self.depths[each] = depth_of(each.body)
        if self.depths[owner] + self.depths[inner] > MOST_DEPTH:
            self.depths[owner] = depth_of(owner.body)  # several calls may have added side by side
        total = self.depths[owner] + self.depths[inner] + 1
        if total > MOST_DEPTH:
            return False
        self.depths[owner] = total
        return True

    # -- one call ------------------------------------------------------------------------------

    def _inline(self, candidate: Candidate) -> None:
        call = candidate.call.get()
        assert isinstance(call, FunctionCall)
        body, result = self._body_of(call, candidate.symbols)
        if result is None:
            return
        parent = None if candidate.parent is None else candidate.parent.get()
        if isinstance(parent, IfStatement | ForStatement | DoStatement):
            _ensure_scope(body)
        self.usage.add(body)
        place = candidate.enclosing
        while place in self.moved:
            place = self.moved[place]
        enclosing = place.get()
        assert isinstance(enclosing, Statement)
        body.statements.append(enclosing)
        place.set(body)
        self.usage.add(call, -1)
        self.usage.add(result)
        candidate.call.set(result)
        self.moved[place] = Place(body, "statements", len(body.statements) - 1)

    def _body_of(
        self, call: FunctionCall, table: SymbolTable
    ) -> tuple[BlockStatement, Expression | None]:
        """Return the statements that replace a call, and the expression."""
        c, function = self.c, call.function
        assert isinstance(function, FunctionDeclaration)
        definition = c.definitions[function]
        statements: list[Statement] = []
        result: Expression | None = None
        void = is_void(function.returns)
        form = return_form(definition.body)  # it may have been inlined into since
        if form is not ReturnForm.SINGLE and not void:
            stored = scratch_variable(c, self.names, function.name, function.returns, table, None)
            statements.append(stored)
            result = VariableReference(variable=stored.variable)
        variables: dict[VariableSymbol, Expression] = {}
        for each, parameter in zip(call.arguments, function.parameters, strict=True):
            if not self.usage.writes[parameter]:
                repeated = self.usage.reads[parameter] > 1
                if is_trivial(c, each) if repeated else not has_effects(each):
                    variables[parameter] = each
                    continue
            held = scratch_variable(c, self.names, parameter.name, each.type, table, each)
            statements.append(held)
            variables[parameter] = VariableReference(variable=held.variable)
        copier = Copier(c, self.names, call.position, table, variables, result)
        statements += [copier.statement(each) for each in definition.body.statements]
        self.count += copier.count
        self.copied += copier.copied
        body = BlockStatement(
            symbols=None, statements=statements, form=BlockForm.UNBRACED, position=call.position
        )
        if copier.result is None and void:
            return body, literal(False, BOOL, call.position)
        return body, copier.result


def depth_of(given: Part) -> int:
    """Return how deep statements and expressions are nested."""
    deepest = 0
    waiting = [(given, 1)]
    while waiting:
        each, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(inner, depth + 1) for inner in parts(each)]
    return deepest


def c_shared(c: Compilation) -> list[FunctionDefinition]:
    """Return the definitions of builtin functions in the program."""
    return [each.definition for each in c.shared.values()]


def _ensure_scope(given: BlockStatement) -> None:
    """Add braces to a block that would not be a single statement without them."""
    at = given
    while at.form is not BlockForm.BRACED_SCOPE:
        if len(at.statements) != 1:
            given.form = BlockForm.BRACED_SCOPE
            return
        (only,) = at.statements
        if not isinstance(only, BlockStatement):
            return
        at = only


class _CallFinder:
    """A search for calls, with the statements around them."""

    def __init__(self, c: Compilation) -> None:
        self.found: list[Candidate] = []
        self.c = c
        self.enclosing: list[Place] = []
        self.tables = [c.program_table]
        self.owner: FunctionDefinition | None = None

    def statement(self, place: Place, viable: bool = True) -> None:
        """Search a statement; `viable` if statements may be inserted before it."""
        given = place.get()
        if given is None:
            return
        enclosing, tables = len(self.enclosing), len(self.tables)
        if viable:
            self.enclosing.append(place)
        symbols = getattr(given, "symbols", None)
        if symbols is not None:
            self.tables.append(symbols)
        if isinstance(given, BlockStatement):
            for at in range(len(given.statements)):
                self.statement(Place(given, "statements", at))
        elif isinstance(given, DoStatement):
            self.statement(Place(given, "body"))
        elif isinstance(given, ForStatement):
            self.statement(Place(given, "initialiser"), viable=False)
            self.statement(Place(given, "body"))
        elif isinstance(given, IfStatement):
            self.expression(Place(given, "test"))
            self.statement(Place(given, "if_true"))
            self.statement(Place(given, "if_false"))
        elif isinstance(given, SwitchStatement):
            self.expression(Place(given, "value"))
            for each in given.cases:
                self.statement(Place(each, "body"))
        elif isinstance(given, ExpressionStatement):
            self.expression(Place(given, "expression"))
        elif isinstance(given, ReturnStatement | VariableDeclaration):
            self.expression(Place(given, "value"))
        del self.enclosing[enclosing:], self.tables[tables:]

    def expression(self, place: Place) -> None:
        """Search an expression, except for parts that are evaluated conditionally."""
        given = place.get()
        if isinstance(given, BinaryExpression):
            self.expression(Place(given, "left"))
            if given.operator not in SHORT_CIRCUITS:
                self.expression(Place(given, "right"))
        elif isinstance(given, ConstructorExpression | FunctionCall | ChildCall):
            for at in range(len(given.arguments)):
                self.expression(Place(given, "arguments", at))
            if isinstance(given, FunctionCall) and isinstance(given.function, FunctionDeclaration):
                parent = self._parent()
                enclosing = self.enclosing[-1]
                assert self.owner is not None
                found = Candidate(self.owner, self.tables[-1], parent, enclosing, place)
                self.found.append(found)
        elif isinstance(given, IndexExpression):
            self.expression(Place(given, "base"))
            self.expression(Place(given, "index"))
        elif isinstance(given, PostfixExpression | PrefixExpression):
            self.expression(Place(given, "operand"))
        elif isinstance(given, SwizzleExpression):
            self.expression(Place(given, "base"))
        elif isinstance(given, TernaryExpression):
            self.expression(Place(given, "test"))

    def _parent(self) -> Place | None:
        for place in reversed(self.enclosing[:-1]):
            given = place.get()
            unbraced = (
                isinstance(given, BlockStatement) and given.form is not BlockForm.BRACED_SCOPE
            )
            if not unbraced:
                return place
        return None
