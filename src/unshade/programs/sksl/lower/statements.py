"""Statements.

for (init; test; next) body        init  loop {
                                     if !test { break }
                                     block { body }        continue leaves the block
                                     next
                                   }
switch (n)                         cases that fall through: see `ir.transforms.fallthrough`
"""

from ....errors import UnsupportedError
from ....ir.kernel import Block, Case, Loop, Region, Switch, Value, ended
from ....ir.ops import OPS
from ....ir.transforms.fallthrough import fall_through
from ..tables.enumerations import ModifierFlag
from ..tree import (
    BlockStatement,
    BreakStatement,
    ContinueStatement,
    DiscardStatement,
    DoStatement,
    Expression,
    ExpressionStatement,
    ForStatement,
    IfStatement,
    NopStatement,
    ReturnStatement,
    Statement,
    SwitchStatement,
    TreeNode,
    VariableDeclaration,
    walk,
)
from .state import LoweringState
from .storage import KnownValues
from .types import scalars_of

__all__ = [
    "block",
    "branch",
    "declaration",
    "discard",
    "do_loop",
    "expression",
    "for_loop",
    "leave_loop",
    "next_round",
    "nothing",
    "return_",
    "switch",
]


def block(state: LoweringState, node: BlockStatement) -> None:
    """Lower statements up to one that ends the region."""
    for each in node.statements:
        if ended(state.b.region):
            return
        state.run(each)


def declaration(state: LoweringState, node: VariableDeclaration) -> None:
    """Lower a declaration; a variable without value is 0."""
    variable = node.variable
    types = scalars_of(variable.type)
    values = None if node.value is None else state.values(node.value)
    if values is not None and [each.type for each in values] != types:
        raise UnsupportedError(f"{variable.name}: expected a value of type {variable.type.name}")
    constant = variable.modifiers.has(ModifierFlag.CONST) and variable not in state.usage.indexed
    if values is not None and constant and variable not in state.usage.assigned:
        state.storages[variable] = KnownValues(values)
        return
    storage = state.declare(variable)
    for at, each in enumerate(values or map(state.zero, types)):
        storage.write(state.b, at, each)


def expression(state: LoweringState, node: ExpressionStatement) -> None:
    """Lower an expression for its effects."""
    state.values(node.expression)


def branch(state: LoweringState, node: IfStatement) -> None:
    """Lower an `if`."""
    with state.b.when(state.value(node.test), branch=True) as found:
        state.run(node.if_true)
    if node.if_false is not None:
        with state.b.within(found.otherwise):
            state.run(node.if_false)


# -- loops -------------------------------------------------------------------------------------


def for_loop(state: LoweringState, node: ForStatement) -> None:
    """Lower a `for` or `while` loop."""
    b = state.b
    if node.initialiser is not None:
        state.run(node.initialiser)
    line = b.line
    with b.loop() as loop:
        if node.test is not None:
            _leave_unless(state, node.test)
        _round(state, loop, node.body)
        if node.next is not None and not ended(b.region):
            b.line = line
            state.values(node.next)


def do_loop(state: LoweringState, node: DoStatement) -> None:
    """Lower a `do` loop."""
    with state.b.loop() as loop:
        _round(state, loop, node.body)
        if not ended(state.b.region):
            _leave_unless(state, node.test)


def _leave_unless(state: LoweringState, test: Expression) -> None:
    b = state.b
    with b.when(b.not_(state.value(test))):
        b.break_()


def _round(state: LoweringState, loop: Loop, body: Statement) -> None:
    """Lower the body of a loop, in a block that `continue` leaves."""
    b = state.b
    inner = Block(line=b.line, location=b.location)
    state.loops.append((loop, inner))
    with b.within(inner.body):
        state.run(body)
    state.loops.pop()
    if _continues(body):
        b.region.append(inner)
    else:
        b.region += inner.body


def _continues(node: TreeNode) -> bool:
    return any(isinstance(each, ContinueStatement) for each in walk(node))


def leave_loop(state: LoweringState, node: BreakStatement) -> None:
    """Lower `break`."""
    if not state.loops:
        raise UnsupportedError("expected a loop or switch around break")
    construct = state.loops[-1][0]
    if isinstance(construct, Block):
        state.b.exit(construct)
    else:
        state.b.break_()


def next_round(state: LoweringState, node: ContinueStatement) -> None:
    """Lower `continue`."""
    blocks = [block for _, block in state.loops if block is not None]
    if not blocks:
        raise UnsupportedError("expected a loop around continue")
    state.b.exit(blocks[-1])


# -- switch ------------------------------------------------------------------------------------


def switch(state: LoweringState, node: SwitchStatement) -> None:
    """Lower a `switch`."""
    b = state.b
    value = state.value(node.value)
    found = Switch(value, line=b.line, location=b.location, branch=True)
    state.loops.append((found, None))
    for each in node.cases:
        labels = () if each.value is None else (each.value & 0xFFFF_FFFF,)
        case = Case(labels, each.value is None)
        found.cases.append(case)
        with b.within(case.body):
            state.run(each.body)
    state.loops.pop()
    falling = [each for each in found.cases[:-1] if not ended(each.body)]
    for case in found.cases:
        _drop_break(case.body)
    if falling:
        fall_through(b, found, falling)
    else:
        b.region.append(found)


def _drop_break(region: Region) -> None:
    """Remove a `break` at the end of a case, which leaves the switch anyway."""
    last = region[-1] if region else None
    if isinstance(last, Value) and last.op is OPS.break_:
        del region[-1]


# -- ends --------------------------------------------------------------------------------------


def return_(state: LoweringState, node: ReturnStatement) -> None:
    """Lower `return`."""
    state.frame.leave(*([] if node.value is None else state.values(node.value)))


def discard(state: LoweringState, node: DiscardStatement) -> None:
    """Lower `discard`: the pixel has no further effects."""
    state.b.terminate()


def nothing(state: LoweringState, node: NopStatement) -> None:
    """Lower an empty statement."""
