"""Conditions of several operands: their order, and tests of all or any components of a vector.

    %3 = flt %a.z, %b.z                                     %6 = all %1, %2, %3, %c
    %4 = and %3, %1        %5 = and %4, %2       ->
    %6 = and %5, %c                                         all(a < b) && c

`gather_conditions` makes one operation of a chain, with its operands in the order in which the
program computes them: simplification exchanges operands. When lanes of vectors are known,
`with_reductions` makes a test of each vector among the operands, and joins the tests again.
"""

from collections import Counter
from collections.abc import Container

from ..ir.kernel import KernelIR, Region, Value, regions
from ..ir.ops import OPS, Op
from ..ir.types import BOOL
from .operations import REDUCTIONS
from .vectors import Construct, Group, Item

__all__ = ["gather_conditions", "with_reductions"]

LOGICAL = frozenset({OPS.and_, OPS.or_, OPS.xor, OPS.not_})
JOINED: dict[Op, Op] = {reduction: joining for joining, reduction in REDUCTIONS.items()}


def gather_conditions(kernel: KernelIR) -> None:
    """Make one operation of each chain of `and` or `or` of bools, in place."""
    uses = Counter(arg for value in kernel.values() for arg in value.args)
    waiting: list[Region] = [kernel.body]
    conditions: Counter[Value] = Counter()  # of constructs
    found: list[Region] = []
    while waiting:
        region = waiting.pop()
        found.append(region)
        for statement in region:
            if not isinstance(statement, Value):
                condition = getattr(statement, "condition", None)
                conditions.update([condition] if isinstance(condition, Value) else [])
                waiting += regions(statement)
    uses.update(conditions)
    for region in found:
        places = _places(region)
        chained = {each for each in places if each.op in REDUCTIONS and each.type == BOOL}
        gone: set[Value] = set()
        for statement in reversed(region):
            if isinstance(statement, Value) and statement in chained and statement not in gone:
                inner, found_operands = _chain(statement, chained, uses)
                operands = [*dict.fromkeys(found_operands)]  # a && b && a
                if len(operands) < 2:
                    continue
                gone |= inner
                operands.sort(key=lambda each: places.get(each, -1))
                statement.op, statement.args = REDUCTIONS[statement.op], tuple(operands)
        region[:] = [each for each in region if not isinstance(each, Value) or each not in gone]


def _places(region: Region) -> dict[Value, int]:
    """Return the place where each value is computed: for a condition, its first comparison."""
    found: dict[Value, int] = {}
    for at, each in enumerate(region):
        if isinstance(each, Value):
            inner = each.args if each.type == BOOL and each.op in LOGICAL else ()
            found[each] = min((found.get(arg, -1) for arg in inner), default=at)
    return found


def _chain(
    root: Value, chained: Container[Value], uses: Counter[Value]
) -> tuple[set[Value], list[Value]]:
    """Return the operations that only a chain uses, and its operands."""
    inner: set[Value] = set()
    operands: list[Value] = []
    waiting = [*reversed(root.args)]
    while waiting:
        value = waiting.pop()
        if value.op is root.op and value in chained and uses[value] == 1:
            inner.add(value)
            waiting += reversed(value.args)
        else:
            operands.append(value)
    return inner, operands


def with_reductions(items: list[Item]) -> None:
    """Take conditions apart into tests of vectors and of single bools, in place."""
    owners: dict[Value, tuple[Group, int]] = {}
    found: list[list[Item]] = []
    waiting = [items]
    while waiting:
        region = waiting.pop()
        found.append(region)
        for item in region:
            if isinstance(item, Construct):
                waiting += item.inner
            else:
                owners.update((lane, (item, at)) for at, lane in enumerate(item.lanes))
    for region in found:
        region[:] = [
            each
            for item in region
            for each in (
                [*_tests(item.first, owners), item]
                if isinstance(item, Group) and item.op in JOINED
                else [item]
            )
        ]


def _tests(root: Value, owners: dict[Value, tuple[Group, int]]) -> list[Group]:
    """Make a condition the last of its tests; return the operations before it."""
    parts: dict[object, list[Value]] = {}
    for value in root.args:
        group, _ = owners.get(value, (None, 0))
        parts.setdefault(group if group is not None else value, []).append(value)
    joining = JOINED[root.op]
    if len(parts) == 1:
        root.args = _in_order(root.args, owners)
        return []
    terms: list[Value] = []
    made: list[Group] = []
    for lanes in parts.values():
        term = lanes[0]
        if len(lanes) > 1:
            term = _made(root, root.op, _in_order(lanes, owners))
            made.append(Group([term]))
        terms.append(term)
    whole = terms[0]
    for term in terms[1:-1]:
        whole = _made(root, joining, (whole, term))
        made.append(Group([whole]))
    root.op, root.args = joining, (whole, terms[-1])
    return made


def _in_order(
    lanes: "list[Value] | tuple[Value, ...]", owners: dict[Value, tuple[Group, int]]
) -> tuple[Value, ...]:
    return tuple(sorted(lanes, key=lambda each: owners[each][1]))


def _made(root: Value, op: Op, args: tuple[Value, ...]) -> Value:
    return Value(op, BOOL, args, None, root.line, root.location)
