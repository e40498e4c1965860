"""Vectors of scalar operations: the groups that become one expression or one assignment.

    line 12  %1 = fmul %a.x, %s     %2 = fmul %a.y, %s     %3 = fmul %a.z, %s
             set r0.x, %1           set r0.y, %2           set r0.z, %3
    groups   (%1 %2 %3)             (set set set)

Lowering takes instructions apart into components. The components of an instruction share its line,
so values of one line with the same operation are the lanes of a vector; inside the line, values
are ordered by their level, the length of the longest chain of operands in the line, so that no lane
depends on another. Loads of one element form a vector, and so do loads of words in a row if the
language has such loads. `variables` contains the vectors of variables.
"""

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Sequence,
)
from typing import TypeAlias

from ..dataclass import dataclass, field
from ..ir.kernel import KernelIR, Region, Statement, Switch, Value, regions
from ..ir.memory import Port, Var
from ..ir.ops import OPS, Op
from ..ir.simplify.identities import COMMUTE
from .kinds import Kinds, stripped
from .messages import vectors_of_message
from .operations import PLACED, REDUCTIONS, SOURCE_OPS
from .variables import (
    LEAVES,
    SCALAR,
    WIDEST,
    VectorVariable,
    is_constant_load,
    vector_variables,
)

__all__ = [
    "INDEX_STEPS",
    "Construct",
    "Group",
    "Item",
    "computed",
    "grouped",
    "halves",
]

NEAR = 64  # items between the assignments of components
INDEX_STEPS = frozenset({OPS.iadd, OPS.ishl, OPS.imul})
COMPARISONS = frozenset({
    OPS.feq, OPS.fne, OPS.flt, OPS.fle, OPS.ieq, OPS.ine, OPS.ilt, OPS.ile, OPS.ult, OPS.ule,
})  # fmt: skip
CONDITIONS = frozenset(REDUCTIONS.values())
JOINING = CONDITIONS | {SOURCE_OPS.dot, OPS.message}  # several operands are a vector
EFFECTS = frozenset({
    OPS.set, OPS.output, OPS.store, OPS.barrier, OPS.discard, OPS.message,
    OPS.break_, OPS.continue_, OPS.return_, OPS.exit, SOURCE_OPS.emit, SOURCE_OPS.cut,
    SOURCE_OPS.point, SOURCE_OPS.counts, SOURCE_OPS.launch,
}) | frozenset(op for op in OPS if op.atomic)  # fmt: skip


@dataclass(slots=True, eq=False)
class Group:
    """The lanes of a vector, values or effects, at one position."""

    lanes: list[Value]
    at: int = 0  # position in the program
    scope: int = 0  # number of the region
    name: str = ""  # of the variable that holds it; "" if it is written where it is used

    @property
    def op(self) -> Op:
        """The operation of every lane."""
        return self.lanes[0].op

    @property
    def first(self) -> Value:
        """The first lane."""
        return self.lanes[0]


@dataclass(slots=True, eq=False)
class Construct:
    """An if, loop, switch or block with its regions, as items."""

    statement: Statement
    inner: "list[list[Item]]" = field(default_factory=list)
    at: int = 0
    end: int = 0
    scope: int = 0


Item: TypeAlias = "Group | Construct"
# True for accesses to words of a buffer that can be one access.
InRow: TypeAlias = Callable[[Sequence[Value]], bool]


def computed(values: Iterable[Value]) -> Iterator[Value]:
    """Yield the values that operands are made of, below parts of texels and loads of constants."""
    waiting = list(values)
    while waiting:
        value = stripped(waiting.pop())
        if value.op is OPS.part or is_constant_load(value):
            waiting += value.args
        else:
            yield value


def grouped(
    kernel: KernelIR,
    kinds: Kinds,
    in_row: InRow = lambda accesses: False,
    products: bool = False,
) -> "tuple[list[Item], dict[Var, VectorVariable]]":
    """Return the statements of a kernel as groups, and its variables as vectors.

    `in_row` returns True for accesses to words of a buffer that can be one access, also for one.
    With `products` scalar products of a vector with lines of a matrix are one vector.
    """
    variables = vector_variables(kernel, kinds)
    grouping = _Grouping(kinds, variables, _places(kernel), in_row, products)
    items = grouping.region(kernel.body)
    waiting = [items]
    while waiting:
        region = waiting.pop()
        region[:] = _merged(region, grouping)
        waiting += [inner for item in region if isinstance(item, Construct) for inner in item.inner]
    return items, variables


def _places(kernel: KernelIR) -> set[Value]:
    """Return the sums and multiples that only compute places of elements."""
    found: set[Value] = set()
    others: set[Value] = set()
    for value in kernel.values():
        if value.op in INDEX_STEPS and stripped(value.args[1]).op is OPS.const:
            found.add(value)
        for at, arg in enumerate(value.args):
            if at or value.op not in (OPS.load, OPS.store):
                others.add(stripped(arg))
    waiting = [kernel.body]
    while waiting:
        for statement in waiting.pop():
            if isinstance(statement, Switch):
                others.add(stripped(statement.value))
            waiting += regions(statement)
    return found - others


def _merged(items: list[Item], grouping: "_Grouping") -> list[Item]:
    """Join scalar operations that the lanes of a vector use to a vector.

    This finds the vectors of code whose instructions are scalar. Each is at the place of its last
    lane, before all uses of any lane; joined operations read neither variables nor memory.
    """
    single: dict[Value, Group] = {}
    places: dict[Item, int] = {}  # of what was joined, that of the vector
    users: dict[Value, list[Item]] = {}
    for at, item in enumerate(items):
        places[item] = at
        for each in _used_by(item):
            users.setdefault(each, []).append(item)
        if not isinstance(item, Group) or len(item.lanes) > 1:
            continue
        if grouping.joins(item.first) is not None:
            single[item.first] = item
    gone: set[Group] = set()
    waiting = [
        item for item in items
        if isinstance(item, Group)
        and (len(item.lanes) > 1 or item.op in JOINING)
    ]  # fmt: skip
    while waiting:
        group = waiting.pop()
        for lanes in _packs(group):
            if len(lanes) < 2 or len(set(lanes)) != len(lanes):
                continue
            found = [single.get(each) for each in lanes]
            owners = [each for each in found if each is not None]
            if len(owners) != len(lanes):
                continue
            if len({grouping.joins(each.first) for each in owners}) != 1:
                continue
            last = max(owners, key=lambda each: places[each])
            uses = [places[user] for lane in lanes for user in users.get(lane, ())]
            if min(uses, default=0) <= places[last]:
                continue
            if last.op is SOURCE_OPS.dot and not _share_vector(lanes):
                continue
            for lane in lanes:
                if lane is not lanes[0] and lane.op in COMMUTE:
                    _align(lanes[0], lane)
                single.pop(lane)
            last.lanes = lanes
            gone.update(each for each in owners if each is not last)
            places.update(dict.fromkeys(owners, places[last]))
            waiting.append(last)
    return [item for item in items if not isinstance(item, Group) or item not in gone]


def _packs(group: Group) -> Iterator[list[Value]]:
    """Yield the operands of a group that are vectors: for each, the value for each lane."""
    for args in (
        [half for lane in group.lanes for half in halves(lane)] if group.op is SOURCE_OPS.dot
        else [lanes for _, lanes in vectors_of_message(group.first)] if group.op is OPS.message
        else _compared_together(group.first) if group.op in CONDITIONS
        else zip(*(lane.args for lane in group.lanes), strict=False)
    ):  # fmt: skip
        yield [*map(stripped, args)]


def _compared_together(condition: Value) -> Iterator[list[Value]]:
    """Yield the comparisons of components of vectors with each other, or with one number."""
    found: dict[Hashable, list[Value]] = {}
    for value in condition.args:
        if value.op in COMPARISONS:
            found.setdefault((value.op, *map(_vector, value.args)), []).append(value)
    for lanes in found.values():
        columns = [[*map(stripped, args)] for args in zip(*(x.args for x in lanes), strict=True)]
        vectors = [each for each in columns if each[0].op is not OPS.const]
        numbers = [{x.attr for x in each} for each in columns if each[0].op is OPS.const]
        if all(len({*each}) == len(lanes) for each in vectors) and all(
            len(each) == 1 for each in numbers
        ):
            yield sorted(lanes, key=lambda each: _component(each.args))


def _component(values: Sequence[Value]) -> int:
    """Return the component of a vector that the first of the values is that is one."""
    for value in map(stripped, values):
        match value.op:
            case OPS.input if value.attr.slot is not None:
                return int(value.attr.slot.component)
            case OPS.part:
                return int(value.attr)
            case OPS.load if stripped(value.args[1]).op is OPS.const:
                return int(stripped(value.args[1]).attr)
    return 0


def halves(product: Value) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Return the two vectors of a scalar product."""
    half = len(product.args) // 2
    return product.args[:half], product.args[half:]


def _share_vector(lanes: Sequence[Value]) -> bool:
    """Return True for products of one vector with constants of one buffer; it comes first then."""
    found = [[[*map(stripped, half)] for half in halves(lane)] for lane in lanes]
    for vector in found[0]:
        if all(vector in each for each in found):
            others = [each[1 - each.index(vector)] for each in found]
            loads = [each for other in others for each in other]
            memories = {each.attr if is_constant_load(each) else None for each in loads}
            if len(memories) == 1 and None not in memories:
                for lane, each in zip(lanes, found, strict=True):
                    one, other = halves(lane)
                    lane.args = (*one, *other) if each[0] == vector else (*other, *one)
                return True
    return False


def _used_by(item: Item) -> Iterator[Value]:
    """Yield the values that an item, or what is inside it, is made of."""
    waiting = [item]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Group):
            for lane in each.lanes:
                yield from computed(lane.args)
            continue
        statement = each.statement
        used = getattr(statement, "condition", None) or getattr(statement, "value", None)
        if isinstance(used, Value):
            yield from computed([used])
        waiting += [one for inner in each.inner for one in inner]


def _align(first: Value, value: Value) -> None:
    """Exchange the operands of a lane if they then belong to the vectors of the first lane's."""
    wanted = [_vector(each) for each in first.args]
    found = [_vector(each) for each in value.args]
    if found != wanted and (found[1] == wanted[0] or found[0] == wanted[1]):
        value.args = value.args[::-1]


def _vector(value: Value) -> Hashable:
    """Return a key that the components of one vector share, as far as that is known yet."""
    value = stripped(value)
    match value.op:
        case OPS.const:
            return OPS.const
        case OPS.input:
            port: Port = value.attr
            return port.row or port
        case OPS.part:
            return value.args[0]
        case OPS.get:
            var: Var = value.attr
            return var.row or var
        case OPS.load:
            element = stripped(value.args[0])
            return value.attr, element.attr if element.op is OPS.const else element
    return value.op, value.line


def _computes(item: Item) -> bool:
    return isinstance(item, Group) and item.first.type.kind != "v" and not item.op.atomic


class _Grouping:
    def __init__(
        self, kinds: Kinds, variables: dict[Var, VectorVariable], places: set[Value], in_row: InRow,
        products: bool,
    ) -> None:  # fmt: skip
        self.products = products
        self.kinds = kinds
        self.variables = variables
        self.places = places
        self.in_row = in_row

    def region(self, region: Region) -> list[Item]:
        """Return the items of a region."""
        found: list[Item] = []
        run: list[Value] = []

        def flush() -> None:
            if run:
                self._line(run, found)
                run.clear()

        for statement in region:
            if not isinstance(statement, Value):
                flush()
                made = Construct(statement)
                made.inner = [self.region(inner) for inner in regions(statement)]
                found.append(made)
                continue
            if statement.op in LEAVES or is_constant_load(statement):
                continue
            if run and (run[0].line, run[0].location) != (statement.line, statement.location):
                flush()
            run.append(statement)
        flush()
        return self._joined(found)

    def _joined(self, items: list[Item]) -> list[Item]:
        """Join sets and outputs of the components of a vector that follow each other.

        Computations may be between them that do not read the variable; nothing reads an output.
        """
        found: list[Item] = []
        for item in items:
            if isinstance(item, Group) and item.op in (OPS.set, OPS.output):
                at = end = len(found) - 1
                passed: set[Var] = set()  # that are read
                while at >= max(0, end - NEAR) and self._may_pass(item, found[at], passed):
                    at -= 1
                last = found[at] if at >= 0 else None
                if isinstance(last, Group) and self._joins(last, item, passed):
                    del found[at]
                    item.lanes = [*last.lanes, *item.lanes]
            found.append(item)
        return found

    def _may_pass(self, item: Group, other: Item, passed: set[Var]) -> bool:
        """Return True if an earlier assignment to the same vector may stand behind another item."""
        if not isinstance(other, Group):
            return False
        if item.op is OPS.output:
            return _computes(other)
        variable = self.variables[item.first.attr]
        if item.first.attr.row or len(variable.lanes) == 1:
            return False
        if other.op is OPS.get:
            passed.update(each.attr for each in other.lanes)
        if other.op is OPS.set:
            return self.variables[other.first.attr] is not variable
        return _computes(other)

    def _joins(self, last: Group, item: Group, passed: set[Var]) -> bool:
        """Return True if assignments concern other components of one vector."""
        lanes = {each.attr for each in last.lanes}
        return (
            item.op is last.op
            and self._effect(item.first) == self._effect(last.first)
            and not lanes & {each.attr for each in item.lanes}
            and not lanes & passed
        )

    def _line(self, run: list[Value], found: list[Item]) -> None:
        """Append the groups of the values of a line."""
        levels: dict[Value, int] = {}
        pending: list[Value] = []
        effects: list[Group] = []

        def flush() -> None:
            pending.sort(key=lambda value: levels[value])
            groups: dict[Hashable, Group] = {}
            for value in pending:
                self._place(value, levels[value], groups, found)
            pending.clear()
            found.extend(effects)
            effects.clear()

        for value in run:
            if value.op.atomic or value.op in (OPS.barrier, OPS.is_helper):
                flush()
                found.append(Group([value]))
                continue
            if value.op in EFFECTS:
                key = self._effect(value)
                if effects and key is not None and key == self._effect(effects[-1].first):
                    others = effects[-1].lanes
                    if len(others) < WIDEST and self._follows(others, value):
                        others.append(value)
                        continue
                effects.append(Group([value]))
                continue
            if effects and (value.op is OPS.get or not value.op.pure):
                flush()
            before = [levels[each] for each in computed(value.args) if each in levels]
            levels[value] = 1 + max(before, default=-1)
            pending.append(value)
        flush()

    def _effect(self, value: Value) -> Hashable:
        """Return the key of effects that are one assignment; None if there are no others."""
        match value.op:
            case OPS.set:
                return self.variables[value.attr]
            case OPS.output:
                return ("output", value.attr.row or value.attr)
            case OPS.store if self.in_row([value]):
                return ("store", value.attr)
            case OPS.store:
                return ("store", value.attr, stripped(value.args[0]))
        return None

    def _follows(self, others: Sequence[Value], value: Value) -> bool:
        """Return True if an effect concerns another lane than the others."""
        if value.op is not OPS.store:
            return all(each.attr is not value.attr for each in others)
        if self.in_row([value]):
            return self.in_row([*others, value])
        last, byte = others[-1].args[1], value.args[1]
        if last.op is not OPS.const or byte.op is not OPS.const:
            return False
        return bool(byte.attr == last.attr + 4)

    def _place(
        self,
        value: Value,
        level: int,
        groups: dict[Hashable, Group],
        found: list[Item],
    ) -> None:
        key = self._key(value, level)
        group = groups.get(key) if key is not None else None
        if (
            group is not None
            and len(group.lanes) < WIDEST
            and (value.op is not OPS.load or not self.in_row([value])
                 or self.in_row([*group.lanes, value]))
        ):  # fmt: skip
            if value.op in COMMUTE:
                _align(group.first, value)
            group.lanes.append(value)
            return
        group = Group([value])
        found.append(group)
        if key is not None:
            groups[key] = group

    def joins(self, value: Value) -> Hashable:
        """Return the key of scalar operations that may become a vector; None for others."""
        if not value.op.pure or value.op in (OPS.load, OPS.get):
            return None
        if value.op is SOURCE_OPS.dot:
            return (value.op, len(value.args)) if self.products else None
        return self._key(value, 0)

    def _key(self, value: Value, level: int) -> Hashable:
        """Return the key of values that are lanes of one vector; None for a scalar."""
        op = value.op
        if op is OPS.load and self.in_row([value]):
            return (op, value.attr, self.kinds.of(value))
        if op is OPS.load:
            element, byte = (stripped(each) for each in value.args)
            if byte.op is not OPS.const:
                return None
            place: Hashable = element.attr if element.op is OPS.const else element
            return (op, value.attr, place, byte.attr // 16, value.type)
        if op is OPS.get:
            return (op, self.variables[value.attr])
        if op in SCALAR or value.type.kind not in "bif" or value in self.places:
            return None
        if op in PLACED:
            places = tuple(
                (each.type, each.attr) if each.op is OPS.const else each
                for each in map(stripped, value.args[1:])
            )
            return (level, op, value.type, value.attr, places)
        types = tuple(each.type for each in value.args)
        if op is not OPS.not_ and value.type.kind == "b" and "b" in {each.kind for each in types}:
            return None  # languages have `&&` for scalars only
        return (level, op, value.type, value.attr, types, self.kinds.of(value))
