"""Straight runs of operations, and how often each runs: trips of the loops around it.

    %n = get @n           block 0: once
    loop {                trips 16, from the counter @n
      if %done { break }  block 1: 17 times, as far as the exit
      …                   block 2: 16 times, or at most if another exit precedes it
    }

A number of trips is *known* if a counter starts at a constant, changes by a constant in each turn,
and its comparison with a constant is the only exit; with other exits it is a bound. Otherwise it is
unknown before the program runs.
"""

from collections.abc import Iterator

from ...dataclass import dataclass, field, replace
from ...ir.fold import fold
from ...ir.kernel import (
    Block,
    If,
    KernelIR,
    Loop,
    Region,
    Statement,
    Switch,
    Value,
    leaves,
    regions,
    walk,
)
from ...ir.memory import Var
from ...ir.ops import OPS
from ...tuples import NamedTuple

__all__ = ["CostBlock", "LoopTrips", "blocks_of"]

MOST_TURNS = 1 << 17  # that are counted, of all loops of a kernel together: a second


@dataclass(frozen=True, slots=True)
class LoopTrips:
    """The iterations of a loop: `most` is None if unknown; `exact` if the loop always makes all."""

    line: int
    most: int | None
    exact: bool


class CostBranch(NamedTuple):
    """A branch of an if or switch, of which a lane takes one.

    Attributes:
        construct: The number of the first block in the if or switch.
        number: The number of the branch in it.
        of: The number of branches, that of a missing default included.
        stated: True if the construct is one of the program, not of an instruction of it.
    """

    construct: int
    number: int
    of: int
    stated: bool


@dataclass(slots=True)
class CostBlock:
    """Operations that run together.

    Attributes:
        values: The operations, in order.
        loops: The loops around it, outermost first.
        least: How often a lane runs it at least.
        most: At most; None if unknown.
        branches: The branches that it is in, outermost first.
        taken: How often a lane that takes these branches runs it at least.
    """

    values: list[Value]
    loops: tuple[LoopTrips, ...] = ()
    least: int = 1
    most: int | None = 1
    branches: tuple[CostBranch, ...] = ()
    taken: int = 1

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line of the listing; 0 if no operation has a line."""
        numbers = [each.line for each in self.values if each.line]
        return (min(numbers), max(numbers)) if numbers else (0, 0)


@dataclass(slots=True)
class _TurnBudget:
    """The turns of loops that may still be counted."""

    left: int = MOST_TURNS


@dataclass(slots=True)
class _BlockPlace:
    """The place of a walk: the bounds on how often a lane runs the present statement."""

    least: int = 1
    most: int | None = 1
    loops: tuple[LoopTrips, ...] = ()
    branches: tuple[CostBranch, ...] = ()
    taken: int = 1
    constants: dict[Var, int] = field(default_factory=dict)
    budget: _TurnBudget = field(default_factory=_TurnBudget)


def blocks_of(kernel: KernelIR) -> list[CostBlock]:
    """Return the blocks of a kernel, in program order."""
    found: list[CostBlock] = []
    start = dict.fromkeys(kernel.variables, 0)
    _region(kernel.body, _BlockPlace(constants=start), found)
    return found


def _region(region: Region, place: _BlockPlace, found: list[CostBlock]) -> None:
    open_block: CostBlock | None = None
    for statement in region:
        if isinstance(statement, Value):
            if open_block is None:
                open_block = CostBlock(
                    [], place.loops, place.least, place.most, place.branches, place.taken
                )
                found.append(open_block)
            open_block.values.append(statement)
            if statement.op is OPS.set:
                _note(statement, place)
            elif statement.op is OPS.discard:
                open_block = None
            continue
        open_block = None
        _construct(statement, place, found)


def _note(statement: Value, place: _BlockPlace) -> None:
    """Note the constant that a variable is set to."""
    if statement.args[0].op is OPS.const:
        place.constants[statement.attr] = statement.args[0].attr
    else:
        place.constants.pop(statement.attr, None)


def _construct(
    statement: If | Loop | Switch | Block, place: _BlockPlace, found: list[CostBlock]
) -> None:
    changed = {each.attr for each in walk([statement]) if each.op is OPS.set}
    if isinstance(statement, Loop):
        _loop(statement, place, changed, found)
    elif isinstance(statement, Block):
        _region(statement.body, replace(place), found)
    else:
        construct, bodies = len(found), regions(statement)
        line = statement.line
        stated = statement.branch or not line or any(x.line != line for x in walk([statement]))
        whole = isinstance(statement, If) or any(each.default for each in statement.cases)
        for number, inner in enumerate(bodies):
            branch = CostBranch(construct, number, len(bodies) + (not whole), stated)
            there = replace(place, least=0, branches=(*place.branches, branch))
            _region(inner, replace(there, constants={**place.constants}), found)
    for each in changed:
        place.constants.pop(each, None)
    if next(_leaving([statement]), None) is not None:
        place.least = place.taken = 0  # a lane may have left


def _loop(loop: Loop, place: _BlockPlace, changed: set[Var], found: list[CostBlock]) -> None:
    """Visit a loop: the code before its counted exit runs once more than the code after."""
    at, turns = _counted(loop, place.constants, place.budget)
    exits = list(_leaving(loop.body))
    exact = turns is not None and len(exits) == 1
    trips = LoopTrips(loop.line, turns, exact)
    constants = {var: each for var, each in place.constants.items() if var not in changed}
    inside = replace(place, loops=(*place.loops, trips), constants=constants)
    again = turns if exact and turns is not None else 0
    head = replace(inside, constants={**constants})
    head.least, head.taken = place.least * (again + 1), place.taken * (again + 1)
    head.most = None if turns is None or place.most is None else place.most * (turns + 1)
    tail = replace(inside, constants={**constants})
    tail.least, tail.taken = place.least * again, place.taken * again
    tail.most = None if turns is None or place.most is None else place.most * turns
    if turns is None:
        head.most = tail.most = None
        _region(loop.body, head, found)
        return
    _region(loop.body[:at], head, found)
    left = loop.body[at]
    assert isinstance(left, If)
    once = replace(place, loops=inside.loops, constants={**constants})
    once.least, once.taken = (place.least, place.taken) if exact else (0, 0)
    leaving = bool(left.then) and any(each.op.ends for each in walk(left.then))
    _region(left.then, once if leaving else tail, found)
    _region(left.otherwise, tail if leaving else once, found)
    _region(loop.body[at + 1 :], tail, found)


def _leaving(region: Region, around: tuple[Statement, ...] = ()) -> Iterator[Value]:
    """Yield the jumps of a region whose targets are outside the region."""
    for statement in region:
        if not isinstance(statement, Value):
            for inner in regions(statement):
                yield from _leaving(inner, (*around, statement))
        elif statement.op.ends and not any(leaves(statement, each) for each in around):
            yield statement


def _counted(loop: Loop, constants: dict[Var, int], budget: _TurnBudget) -> tuple[int, int | None]:
    """Return the position of the exit of a counted loop, and its turns; None if not counted."""
    for at, statement in enumerate(loop.body):
        if not isinstance(statement, If) or (not statement.then and not statement.otherwise):
            continue
        leaving = _breaks(statement.then)
        if not leaving and not _breaks(statement.otherwise):
            return 0, None
        condition = statement.condition
        if condition not in [x for x in loop.body[:at] if isinstance(x, Value)]:
            return 0, None
        counters = {each.attr for each in _inputs(condition) if each.op is OPS.get}
        if len(counters) != 1:
            return 0, None
        (var,) = counters
        sets = [each for each in walk(loop.body) if each.op is OPS.set and each.attr is var]
        direct = [each for each in loop.body[at + 1 :] if each in sets]
        if var not in constants or len(sets) != 1 or len(direct) != 1:
            return 0, None
        return at, _turns(var, constants[var], condition, leaving, sets[0], budget)
    return 0, None


def _breaks(region: Region) -> bool:
    """Return True if a region does nothing but leave its loop."""
    last = region[-1] if region else None
    return isinstance(last, Value) and last.op is OPS.break_ and len(region) == 1


def _inputs(value: Value) -> list[Value]:
    """Return the operations that a value depends on, itself included, in order."""
    found: dict[Value, None] = {}
    waiting = [(value, False)]
    while waiting:
        each, is_ready = waiting.pop()
        if is_ready:
            found.setdefault(each)
        elif each not in found:
            waiting.append((each, True))
            waiting += [(arg, False) for arg in each.args]
    return list(found)


def _turns(
    var: Var, start: int, condition: Value, leaving: bool, step: Value, budget: _TurnBudget
) -> int | None:
    """Return how often the condition lets a counter pass, by counting; None if it is not known."""
    tests, steps = _inputs(condition), _inputs(step.args[0])
    now = start
    for turn in range(budget.left):
        budget.left -= 1
        left = _computed(tests, var, now)
        if left is None:
            return None
        if bool(left) == leaving:
            return turn
        after = _computed(steps, var, now)
        if after is None or after == now:
            return None
        now = after
    return None


def _computed(order: list[Value], var: Var, now: int) -> int | None:
    """Return the value of an expression of one variable; None if it depends on anything else."""
    known: dict[Value, int] = {}
    for each in order:
        if each.op is OPS.get and each.attr is var:
            known[each] = now
        elif each.op is OPS.const:
            known[each] = each.attr
        elif each.op.pure and each.args and not each.op.library and each.op is not OPS.sample:
            made = fold(each.op, each.type, tuple((known[arg], arg.type) for arg in each.args))
            if made is None:
                return None
            known[each] = made
        else:
            return None
    return known[order[-1]]
