"""Vectors of variables: the variables that are the components of one vector.

    line 12  set r0.x, %1    set r0.y, %2    set r0.z, %3         float3 r0
    later    store %buffer, 0, r1.x   store %buffer, 4, r2.x      float2 r1

Variables that are always set together form a vector if their names say so, and others if an
output, a point or words in a row are set to them together. A counter of a loop stays alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping

from ..dataclass import dataclass
from ..ir.kernel import KernelIR, Region, Value, every_region
from ..ir.memory import Memory, Space, Var
from ..ir.ops import OPS
from ..vocab.slots import PointsSlot
from .kinds import MOVES, Kinds, stripped
from .operations import SOURCE_OPS

__all__ = [
    "LEAVES",
    "SCALAR",
    "WIDEST",
    "VectorVariable",
    "is_constant_load",
    "stem_of",
    "vector_variables",
]

WIDEST = 4
LETTERS = "xyzw"
DIGITS = "0123456789"
COMPONENT = re.compile(r"(.+)\.([xyzw])(?:\.\d+)?", re.ASCII)
COMPARISONS = frozenset({OPS.ilt, OPS.ile, OPS.ult, OPS.ule, OPS.ieq, OPS.ine})
LEAVES = frozenset({OPS.const, OPS.input, OPS.source, OPS.part, *MOVES})
# Operations that stay scalar: each has an effect, reads something by a position, or joins lanes.
SCALAR = frozenset({
    OPS.sample, OPS.count, OPS.quad_swap, OPS.is_helper, OPS.message, SOURCE_OPS.texel,
    SOURCE_OPS.dot, SOURCE_OPS.all_, SOURCE_OPS.any_, SOURCE_OPS.emit, SOURCE_OPS.cut,
    SOURCE_OPS.point, SOURCE_OPS.counts, SOURCE_OPS.launch, SOURCE_OPS.quad_read,
}) | frozenset(op for op in OPS if op.convergent or op.atomic)  # fmt: skip


@dataclass(slots=True, eq=False)
class VectorVariable:
    """Variables that are set together: the components of a vector, or a single one."""

    lanes: list[Var]
    name: str = ""

    def component(self, var: Var) -> int:
        """Return the component that a variable is."""
        return self.lanes.index(var)


def vector_variables(kernel: KernelIR, kinds: Kinds) -> dict[Var, VectorVariable]:
    """Return the vector that each variable is part of."""
    read = _read_together(kernel)
    stems = {var: stem_of(var) for var in kernel.variables}
    made = _set_together(kernel, kinds, _runs, {var: (row,) for var, (row, _) in stems.items()})
    single = {
        var: lanes for var, (lanes, _) in read.items()
        if var not in made or len(made[var]) == 1
    }  # fmt: skip

    def runs(region: Region) -> Iterator[list[Value]]:
        return _sets_in_a_row(region, single)

    made |= _set_together(kernel, kinds, runs, single)
    found: dict[Var, VectorVariable] = {}
    for var in kernel.variables:
        lanes = made.get(var, [var])
        if var not in found:
            order = {each: (read[each][1] if each in single else stems[each][1]) for each in lanes}
            lanes.sort(key=lambda each: (order[each], *_in_order(each.name)))
            for at in range(0, len(lanes), WIDEST):
                vector = VectorVariable(lanes[at : at + WIDEST])
                found.update(dict.fromkeys(vector.lanes, vector))
    return found


def is_constant_load(value: Value) -> bool:
    """Return True for a load from a memory that nothing writes."""
    if value.op is not OPS.load:
        return False
    memory: Memory = value.attr
    if isinstance(memory.slot, PointsSlot):
        return not memory.writable
    return not memory.writable and memory.space in (Space.CONSTANT, Space.TABLE)


def stem_of(var: Var) -> tuple[str, int]:
    """Return the vector that a variable is a component of by its name, and its number there.

    The name of a variable that was split has a number behind the component: `r5.x.1`.
    """
    found = COMPONENT.fullmatch(var.name)
    number = LETTERS.index(found[2]) if found is not None else 0
    if var.row:
        return var.row, number
    return (found[1], number) if found is not None else ("", 0)


def _in_order(name: str) -> tuple[str, int, str]:
    """Return a key by which names with numbers behind them follow each other: a9, a10."""
    stem = name.rstrip(DIGITS)
    return stem, int(name[len(stem) :] or 0), name


def _runs(region: Region) -> Iterator[list[Value]]:
    """Yield the sets of each line, and of lines between which nothing is computed."""
    run: list[Value] = []
    between = False
    for statement in region:
        if not isinstance(statement, Value):
            between = True
            continue
        if statement.op is OPS.set:
            last = run[-1] if run else statement
            same = (last.line, last.location) == (statement.line, statement.location)
            if run and between and not same:
                yield run
                run = []
            run.append(statement)
            between = False
        elif statement.op not in LEAVES and not is_constant_load(statement):
            between = True
    if run:
        yield run


def _sets_in_a_row(region: Region, together: Container[Var]) -> Iterator[list[Value]]:
    """Yield the sets of variables that are read together; computations may be between them."""
    run: dict[Var, Value] = {}
    for statement in region:
        plain = isinstance(statement, Value) and (statement.op.pure or statement.op is OPS.load)
        if isinstance(statement, Value) and statement.op is OPS.set:
            if statement.attr in run:
                yield [*run.values()]
                run = {}
            if statement.attr in together:
                run[statement.attr] = statement
        elif isinstance(statement, Value) and statement.op is OPS.get:
            if statement.attr in run:
                yield [*run.values()]
                run = {}
        elif not plain and run:
            yield [*run.values()]
            run = {}
    if run:
        yield [*run.values()]


def _counters(kernel: KernelIR) -> set[Var]:
    """Return the variables that are stepped by a constant and compared: they count turns."""
    stepped: dict[Value, Var] = {}
    for value in kernel.values():
        if value.op is not OPS.set:
            continue
        step = stripped(value.args[0])
        if step.op is OPS.iadd and stripped(step.args[1]).op is OPS.const:
            base = stripped(step.args[0])
            if base.op is OPS.get and base.attr is value.attr:
                stepped[step] = value.attr
    known = {*stepped.values()}
    found: set[Var] = set()
    for value in kernel.values() if known else ():
        for each in map(stripped, value.args if value.op in COMPARISONS else ()):
            if each.op is OPS.get and each.attr in known:
                found.add(each.attr)
            elif each in stepped:
                found.add(stepped[each])
    return found


def _set_together(
    kernel: KernelIR,
    kinds: Kinds,
    runs: Callable[[Region], Iterator[list[Value]]],
    rows: Mapping[Var, tuple[Hashable, ...]],
) -> dict[Var, list[Var]]:
    """Return the variables of a row that are set in the same runs of sets, by each of them."""
    alone = _counters(kernel)
    sets: dict[Var, list[int]] = {
        var: [] for var in kernel.variables if any(rows.get(var, ())) and var not in alone
    }
    number = 0
    for region in every_region(kernel.body):
        for run in runs(region):
            number += 1
            for each in run:
                if each.attr in sets:
                    sets[each.attr].append(number)
    found: dict[Hashable, list[Var]] = {}
    times: Counter[Hashable] = Counter()
    for var, places in sets.items():
        if len({*places}) < len(places):
            continue
        key: Hashable = (rows[var], tuple(places), var.type, kinds.of_place(var))
        stem = stem_of(var)
        if stem[0] and not var.row:  # several variables may be the same component of a vector
            part = key, stem
            times[part] += 1
            key = key, times[part]
        found.setdefault(key, []).append(var)
    return {var: lanes for lanes in found.values() for var in lanes}


def _read_together(kernel: KernelIR) -> dict[Var, tuple[tuple[Value, ...], int]]:
    """Return the variables that scalar code reads as a vector: its lanes, and the component.

    These are the components of an output, of a point and of words in a row that are stored, and of
    the vectors that these are computed from. A variable is in the first vector that is found.
    """
    found: dict[Var, tuple[tuple[Value, ...], int]] = {}
    seen: set[tuple[Value, ...]] = set()
    waiting = [tuple(map(stripped, lanes)) for lanes in _written_together(kernel)]
    while waiting:
        lanes = waiting.pop()
        first = lanes[0]
        if lanes in seen or len({*lanes}) < len(lanes):
            continue
        seen.add(lanes)
        if any(each.op is not first.op or len(each.args) != len(first.args) for each in lanes):
            continue
        if first.op is OPS.get:
            variables = [each.attr for each in lanes]
            if len({*variables}) == len(lanes) and not any(
                each.row or each in found for each in variables
            ):
                found.update({each: (lanes, at) for at, each in enumerate(variables)})
        elif first.op.pure and first.op not in SCALAR and first.op not in LEAVES:
            waiting += [
                tuple(stripped(each.args[at]) for each in lanes) for at in range(len(first.args))
            ]
    return found


def _written_together(kernel: KernelIR) -> Iterator[list[Value]]:
    """Yield the values that the components of an output, a point or an element are set to."""
    for region in every_region(kernel.body):
        rows: dict[Hashable, dict[int, Value]] = {}
        for statement in region:
            if not isinstance(statement, Value):
                continue
            op, attr, args = statement.op, statement.attr, statement.args
            if op is OPS.output and attr.slot is not None:
                place = attr.row or attr, attr.slot.component
                rows.setdefault(place[0], {})[place[1]] = args[0]
            elif op is OPS.store and stripped(args[1]).op is OPS.const:
                byte = stripped(args[1]).attr
                rows.setdefault((attr, stripped(args[0]), byte // 16), {})[byte] = args[2]
            elif op in (SOURCE_OPS.emit, SOURCE_OPS.point):
                values = args[int(attr.indexed) :]
                for byte, value in zip(attr.bytes, values, strict=True):
                    rows.setdefault((statement, byte // 16), {})[byte] = value
        for parts in rows.values():
            if 1 < len(parts) <= WIDEST:
                yield [parts[at] for at in sorted(parts)]
