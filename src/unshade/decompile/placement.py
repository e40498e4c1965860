"""Placement: which values get a variable, and which are written where they are used.

    %3 = fmul %1, %2         float r = a * b;            used twice: a variable
    %4 = get @x              y = x + r;                  read again: the variable itself
    set @x, …                float x_1 = x;              unless it is set before the use

A value is written where it is used if that is one place of the same region, the expression stays
small, and no statement in between changes what the expression reads. Reads of variables and
constants may be written at several places. Derivatives, samples and operations of waves, which
depend on the active lanes, also stay before each construct, and before an expression that may leave
an operand out: `c ? a : b`, `a && b`.
"""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence

from ..dataclass import dataclass, field, replace
from ..ir.kernel import If, Loop, Switch, Value
from ..ir.memory import Memory, Space
from ..ir.ops import OPS
from ..ir.textures import Action, Level
from .kinds import stripped
from .messages import vectors_of_message
from .operations import REDUCTIONS, SOURCE_OPS
from .variables import is_constant_load
from .vectors import INDEX_STEPS, Construct, Group, Item, computed, halves

__all__ = ["ValuePlacement", "operands"]

LARGEST = 24  # operations of an expression
FLOW = "flow"  # the key of constructs, which change the active lanes
ALWAYS_WRITTEN = frozenset({SOURCE_OPS.texel})
CHEAP = frozenset({OPS.get}) | ALWAYS_WRITTEN


def operands(group: Group) -> list[list[Value]]:
    """Return the operands of a group: for each, the value for each lane."""
    first = group.first
    if first.op is OPS.load:
        return [[each] for each in first.args]
    if first.op is OPS.store:
        return [[first.args[0]], [first.args[1]], [lane.args[2] for lane in group.lanes]]
    if first.op is OPS.sample or first.op is SOURCE_OPS.texel:
        return [list(first.args)]
    if first.op in (SOURCE_OPS.emit, SOURCE_OPS.point):
        rows: dict[int, list[Value]] = {}
        index = [[first.args[0]]] if first.attr.indexed else []
        for byte, value in zip(first.attr.bytes, first.args[len(index) :], strict=True):
            rows.setdefault(byte // 16, []).append(value)
        return [*index, *rows.values()]
    if first.op in REDUCTIONS.values():
        return [[*first.args]]
    if first.op is OPS.message:
        return [lanes for _, lanes in vectors_of_message(first)]
    if first.op is SOURCE_OPS.dot:
        vector, other = halves(first)
        return [list(vector), list(other), *(list(halves(lane)[1]) for lane in group.lanes[1:])]
    return [[lane.args[at] for lane in group.lanes] for at in range(len(first.args))]


@dataclass(slots=True)
class _Use:
    at: int
    scope: int
    loops: tuple[Construct, ...]
    by: Group | None = None
    address: bool = False  # as the place of an element
    optional: bool = False  # as an operand that a lane may leave out


@dataclass(slots=True)
class _Reads:
    size: int = 1
    keys: set[Hashable] = field(default_factory=set)


class ValuePlacement:
    """The decisions for the items of a program; `of` finds the group of a value."""

    def __init__(
        self, items: Sequence[Item], name: Callable[[Group], str],
        in_matrix: Callable[[Value], bool],
    ) -> None:  # fmt: skip
        self.of: dict[Value, tuple[Group, int]] = {}
        self._in_matrix = in_matrix
        self._uses: dict[Group, list[_Use]] = {}
        self._changes: dict[Hashable, list[int]] = {}
        self._loops: dict[Group, tuple[Construct, ...]] = {}
        self._reads: dict[Group, _Reads] = {}
        self._order: list[Group] = []
        self._count = 0
        self._scopes = 0
        self._steps: set[Group] = set()
        self._number(items, ())
        self._find_steps()
        for group in self._order:
            self._decide(group, name)

    # ------------------------------------------------------------ positions and uses

    def _number(self, items: Sequence[Item], loops: tuple[Construct, ...]) -> None:
        """Give positions to the items of a region and the regions inside."""
        self._scopes += 1
        scope = self._scopes
        for item in items:
            self._count += 1
            item.at, item.scope = self._count, scope
            if isinstance(item, Group):
                self._order.append(item)
                self._loops[item] = loops
                for lane, value in enumerate(item.lanes):
                    self.of[value] = item, lane
                for key in _changed(item):
                    self._changes.setdefault(key, []).append(item.at)
                packs = operands(item)
                if item.op is SOURCE_OPS.dot and not self._is_product(item):
                    packs += [packs[0]] * (len(item.lanes) - 1)  # which each lane repeats
                for at, pack in enumerate(packs):
                    place = at == 0 and item.op in (OPS.load, OPS.store)
                    optional = _is_optional(item, at)
                    self._use(pack, _Use(item.at, scope, loops, item, place, optional))
                    if item.op is OPS.wave_scan:  # is written with its operand twice
                        self._use(pack, _Use(item.at, scope, loops, item))
                continue
            statement = item.statement
            self._changes.setdefault(FLOW, []).append(item.at)
            if isinstance(statement, If):
                self._use([statement.condition], _Use(item.at, scope, loops))
            elif isinstance(statement, Switch):
                self._use([statement.value], _Use(item.at, scope, loops))
            around = (*loops, item) if isinstance(statement, Loop) else loops
            for inner in item.inner:
                self._number(inner, around)
            item.end = self._count

    def _is_product(self, group: Group) -> bool:
        """Return True for scalar products that are the product of a vector and a matrix."""
        both = [halves(lane) for lane in group.lanes]
        return any(
            all(self._in_matrix(each) for half in both for each in half[at]) for at in (0, 1)
        )

    def bases(self, values: Sequence[Value]) -> set[Group]:
        """Return the groups that operands name."""
        return {self.of[each][0] for each in computed(values) if each in self.of}

    def _use(self, pack: Sequence[Value], use: _Use) -> None:
        last: object = None
        for value in map(stripped, pack):
            groups = self.bases([value])
            # Lanes of one vector in a row are written once, as a swizzle.
            key = (stripped(value.args[0]), value.attr) if is_constant_load(value) else groups
            if key != last:
                made = replace(use, address=True) if is_constant_load(value) else use
                for group in groups:
                    self._uses.setdefault(group, []).append(made)
            last = key

    # ------------------------------------------------------------ decisions

    def _decide(self, group: Group, name: Callable[[Group], str]) -> None:
        uses = self._uses.get(group, [])
        reads = _Reads(1, set(_read(group)))
        for pack in operands(group):
            for base in self.bases(pack):
                known = self._reads[base]
                reads.size += known.size
                reads.keys |= known.keys
        self._reads[group] = reads
        if group.first.type.kind == "v":
            return
        cheap = group.op in CHEAP or group in self._steps
        alone = len(uses) == 1 and uses[0].scope == group.scope
        if not uses:
            return
        if group.op in ALWAYS_WRITTEN:
            return
        if (
            not (cheap or alone)
            or group.op.atomic
            or reads.size > LARGEST
            or (FLOW in reads.keys and any(use.optional for use in uses))
            or any(self._disturbed(group, reads, use) for use in uses)
        ):
            group.name = name(group)
            self._reads[group] = _Reads()

    def _find_steps(self) -> None:
        """Find counters plus, times or shifted by a constant that only indices use.

        They are written where they are used, so that a use of the result counts as a use of the
        counter.
        """
        for group in reversed(self._order):
            uses = self._uses.get(group)
            if not uses or len(group.lanes) > 1 or group.op not in INDEX_STEPS:
                continue
            base, step = (stripped(each) for each in group.first.args)
            if step.op is not OPS.const or base not in self.of:
                continue
            if all(use.address or use.by in self._steps for use in uses):
                self._steps.add(group)
                own = self._uses[self.of[base][0]]
                own[:] = [use for use in own if use.by is not group] + uses

    def _disturbed(self, group: Group, reads: _Reads, use: _Use) -> bool:
        """Return True if anything that a value reads changes before a use."""
        until = use.at
        around = self._loops[group]
        for loop in use.loops:
            if loop not in around:
                until = max(until, loop.end + 1)
                break
        for key in reads.keys:
            places = self._changes.get(key)
            if places:
                at = bisect_right(places, group.at)
                if at < len(places) and places[at] < until:
                    return True
        return False

    def unused(self, group: Group) -> bool:
        """Return True if nothing reads a value."""
        return group not in self._uses


def _is_optional(group: Group, at: int) -> bool:
    """Return True for an operand that languages may evaluate for some of the active lanes only."""
    op = group.op
    return at > 0 and (
        op is OPS.select or (op in (OPS.and_, OPS.or_) and group.first.type.kind == "b")
    )


def _changed(group: Group) -> Iterator[Hashable]:
    """Yield the keys of the state that a group changes: variables, memories, control flow."""
    op = group.op
    if op is OPS.set:
        yield from (lane.attr for lane in group.lanes)
    elif op is OPS.store or op.atomic:
        yield group.first.attr
    elif op is SOURCE_OPS.point:
        yield group.first.attr.memory
    elif op is OPS.barrier:
        yield "memory"
    elif op is OPS.discard:
        yield FLOW


def _read(group: Group) -> Iterator[Hashable]:
    """Yield the keys of the changeable state that a group reads."""
    first = group.first
    op = first.op
    if op is OPS.get:
        yield from (lane.attr for lane in group.lanes)
    elif op is OPS.load:
        memory: Memory = first.attr
        yield memory
        if memory.space not in (Space.LOCAL, Space.CONSTANT):
            yield "memory"
    elif op.convergent or op is OPS.is_helper:
        yield FLOW
    elif op is OPS.sample:
        sample = first.attr
        if sample.action in (Action.SAMPLE, Action.LOD) and sample.level in (
            Level.AUTO, Level.BIAS,
        ):  # fmt: skip
            yield FLOW
