"""What one lane does, instruction by instruction.

    18  loop, round 3
     7  mad r0.x, r1.x, cb0[0].x, r2.x
          r1.x  cb0[0].x  r2.x              read
          r0.x  before -> after             written

An entry is one visit of a line: what operations of that line read and wrote. Lines are those of the
listing; operations without a line belong to none and are left out. Of a long trace the beginning
and the end are kept.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ....ir.kernel import If, Kernel, Loop, Region, Switch, Value, regions, walk
from ....ir.memory import Memory, Space, Var
from ....ir.ops import OPS
from ..engine import Block
from ..lanes import Lanes, Party
from .kinds import FLOAT, UNSIGNED, Kind, Kinds
from .watching import Places, is_access, number_at

MOST = 200_000  # entries
EXITS = {
    OPS.break_: "leaves",
    OPS.exit: "leaves",
    OPS.continue_: "again",
    OPS.return_: "ends",
}


@dataclass(slots=True)
class Register:
    """A register, or a place in a memory, that an instruction read or wrote; `bits` of 32 or 64.

    `before` is what one that was written held; None where it had never been written. `label` is
    its name in the source, "" where it has none.
    """

    name: str
    bits: int
    before: int | None = None
    size: int = 4
    label: str = ""
    held: Kind = field(default_factory=Kind, compare=False)
    held_before: Kind = field(default_factory=Kind, compare=False)

    @property
    def kind(self) -> str:
        """What the bits stand for: float, int, uint; "" where nothing tells."""
        return self.held.word

    @property
    def as_float(self) -> float:
        """The bits as a float."""
        wide = np.array([self.bits], f"<u{self.size}")
        return float(wide.view(f"<f{max(2, self.size)}")[0])

    @property
    def as_int(self) -> int:
        """The bits as a signed integer."""
        return int(np.array([self.bits], f"<u{self.size}").view(f"<i{self.size}")[0])


@dataclass(slots=True)
class Entry:
    """One visit of a line; `loops` are those around it, from the outside in: line, and round."""

    line: int
    reads: list[Register] = field(default_factory=list)
    writes: list[Register] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    loops: tuple[tuple[int, int], ...] = ()


class Trace:
    """Records what a lane does; `lane` counts over the whole call."""

    def __init__(self, lane: int, places: Places | None = None, most: int = MOST) -> None:
        self.lane = lane
        self.places = places or Places()
        self.most = most
        self.found = False  # whether the lane was there at all
        self.left_out = 0  # entries between the beginning and the end
        self._head: list[Entry] = []
        self._tail: deque[Entry] = deque(maxlen=max(1, most // 2))
        self.missed: dict[str, Register] = {}  # what those left out gave
        self._at: int | None = None
        self._last: Entry | None = None
        self._seen: set[Value] = set()
        self._held: dict[str, int] = {}
        self._kinds = Kinds()
        self._dead: set[int] = set()
        self._asked: dict[Value, If | Switch] = {}
        self._kernel: Kernel | None = None

    @property
    def entries(self) -> list[Entry]:
        """What is kept; `left_out` more stood before entry number `gap`."""
        return [*self._head, *self._tail] if self._tail else self._head

    @property
    def gap(self) -> int:
        """How many entries there are of the beginning."""
        return len(self._head)

    def block(self, block: Block) -> None:
        """Whether the lane is in this block."""
        inside = block.first <= self.lane < block.first + block.count
        self._at = self.lane - block.first if inside else None
        self.found |= inside
        if block.kernel is not self._kernel:
            self._kernel = block.kernel
            self._asked = dict(_branches(block.kernel.body))

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        if self._at is None or not value.line:
            return
        position = self._position(party, value)
        if position is not None:
            self._record(self._entry(value, block), block, party, value, result, position)

    def _position(self, party: Party, value: Value) -> int | None:
        """Where the lane is in the party; None where it takes no part."""
        places = party.positions()
        assert self._at is not None
        position = int(np.searchsorted(places, self._at))
        if position >= len(places) or places[position] != self._at:
            return None
        alive = party.alive is None or bool(party.alive[position])
        if alive:
            self._dead.discard(id(party))
            return position
        if not value.op.ends or id(party) in self._dead:
            self._dead.add(id(party))
            return None
        # It has just left, with this operation; so it did with the parties around this one.
        at: int | None = position
        for each in party.ancestry():
            if at is None or each.alive is None or each.alive[at]:
                break
            self._dead.add(id(each))
            at = at if each.chosen is None else int(each.chosen[at])
        return position

    def _entry(self, value: Value, block: Block) -> Entry:
        last = self._last
        if last is not None and last.line == value.line and value not in self._seen:
            self._seen.add(value)
            return last
        loops = tuple(
            (each.statement.line, each.iteration)
            for each in block.constructs
            if isinstance(each.statement, Loop) and each.statement.line
        )
        self._last = made = Entry(value.line, loops=loops)
        self._seen = {value}
        if len(self._head) < self.most - (self._tail.maxlen or 0):
            self._head.append(made)
            return made
        if len(self._tail) == self._tail.maxlen:
            self.missed.update(_held(self._tail[0]))
            self.left_out += 1
        self._tail.append(made)
        return made

    def _record(
        self,
        entry: Entry,
        block: Block,
        party: Party,
        value: Value,
        result: Lanes,
        position: int,
    ) -> None:
        op = value.op
        if op in (OPS.get, OPS.input) and not value.attr.internal:
            label, word = ("", "") if op is OPS.get else self.places.port(value.attr)
            place = value.attr.name
            kind = self._kinds.values[value] = self._kinds.at(place, word)
            given = number_at(result, position)
            _read(entry, Register(place, given, None, value.type.size or 4, label, kind))
        elif op is OPS.source:
            kind = self._kinds.values[value] = Kind(UNSIGNED)
            place = self.places.source(value.attr)
            _read(entry, Register(place, number_at(result, position), held=kind))
        elif op in (OPS.set, OPS.output) and not value.attr.internal:
            given = number_at(block.operand(value.args[0], party), position)
            label = "" if isinstance(value.attr, Var) else self.places.port(value.attr)[0]
            self._write(entry, value.attr.name, label, given, value.args[0])
        elif is_access(value):
            self._access(entry, block, party, value, result, position)
        elif op in EXITS:
            entry.notes.append(EXITS[op])
        elif op is OPS.discard:
            given = number_at(block.operand(value.args[0], party), position)
            if given:
                entry.notes.append("discarded")
        else:
            chosen = 0
            if op is OPS.select:
                chosen = number_at(block.operand(value.args[0], party), position)
            self._kinds.step(value, chosen)
        statement = self._asked.get(value)
        if statement is not None:
            entry.notes.extend(_way(statement, number_at(result, position)))

    def _write(self, entry: Entry, place: str, label: str, given: int, value: Value) -> None:
        before = self._kinds.at(place)
        kind = self._kinds.places[place] = self._kinds.of(value)
        size = value.type.size or 4
        written = Register(place, given, self._held.get(place), size, label, kind, before)
        self._held[place] = given
        _replace(entry.writes, written)

    def _access(
        self,
        entry: Entry,
        block: Block,
        party: Party,
        value: Value,
        result: Lanes,
        position: int,
    ) -> None:
        memory: Memory = value.attr
        element = number_at(block.operand(value.args[0], party), position)
        byte = number_at(block.operand(value.args[1], party), position)
        for each in value.args[:2]:
            self._kinds.of(each).is_(UNSIGNED)
        place = self.places.name(memory, element, byte)
        store = block.stores[memory]
        outside = element >= store.count or byte > memory.stride - 4
        if memory.internal:
            return  # of a function that was written out
        label, word = ("", "") if outside else self.places.label(memory, element, byte)
        if outside:
            size = self.places.size(memory, store.count)
            entry.notes.append(f"{place} is outside: {self.places.memory(memory)} has {size}")
        if value.op is OPS.load:
            kind = self._kinds.at(place, FLOAT if value.type.kind == "f" else word)
            self._kinds.values[value] = kind
            given = number_at(result, position)
            _read(entry, Register(place, given, None, value.type.size, label, kind))
            return
        given = number_at(block.operand(value.args[2], party), position)
        if value.op is not OPS.store:
            old = number_at(result, position)
            entry.notes.append(f"{value.op.name} {place}: {old} was there, {given} given")
            return
        self._kinds.of(value.args[2]).is_(word)
        self._write(entry, place, label, given, value.args[2])
        if memory.space is not Space.LOCAL:  # what was there may be of anyone
            self._held.pop(place)
            entry.writes[-1].before = None

    # ------------------------------------------------------------ what was recorded

    def watch(self, name: str) -> Iterator[tuple[Entry, Register]]:
        """Every write of a register (`r0.x`), of some or all components of one (`r0.xy`, `r0`), or
        of a place in a memory, in the words of the listing or of the source (`u1[3]`, `Y`).
        """
        for entry in self.entries:
            for each in entry.writes:
                if means(name, each):
                    yield entry, each

    def registers(self, until: int) -> dict[str, Register]:
        """What each register and place was last seen to hold behind entry number `until`."""
        held: dict[str, Register] = {}
        entries = self.entries
        for number, entry in enumerate(entries[: until + 1]):
            if number == self.gap:
                held.update(self.missed)
            held.update(_held(entry))
        return held


def means(pattern: str, register: Register) -> bool:
    """Whether a register or place is what somebody calls so: a whole name, or the beginning of one;
    `r0.xy` are both components.
    """
    base, dot, letters = pattern.rpartition(".")
    for name in filter(None, (register.name, register.label)):
        if name == pattern or (name.startswith(pattern) and name[len(pattern)] in ".[+"):
            return True
        if dot and len(letters) > 1 and set(letters) <= set("xyzw"):
            mine, _, letter = name.rpartition(".")
            if mine == base and letter in letters:
                return True
    return False


def _held(entry: Entry) -> dict[str, Register]:
    return {each.name: each for each in (*entry.reads, *entry.writes)}


def _read(entry: Entry, register: Register) -> None:
    for each in entry.reads:
        if each.name == register.name and each.bits == register.bits:
            return
    entry.reads.append(register)


def _replace(writes: list[Register], register: Register) -> None:
    """An instruction that goes through a register twice wrote it once."""
    for at, each in enumerate(writes):
        if each.name == register.name:
            register.before, register.held_before = each.before, each.held_before
            writes[at] = register
            return
    writes.append(register)


# ---------------------------------------------------------------- branches


def _branches(region: Region) -> Iterator[tuple[Value, If | Switch]]:
    """The branches of the listing by what they ask; those inside of one instruction are none."""
    for statement in region:
        for inner in regions(statement):
            yield from _branches(inner)
        if isinstance(statement, If) and statement.condition.line == statement.line:
            inside = [*walk(statement.then), *walk(statement.otherwise)]
            if any(each.line not in (0, statement.line) or each.op.ends for each in inside):
                yield statement.condition, statement
        elif isinstance(statement, Switch) and statement.value.line == statement.line:
            yield statement.value, statement


def _way(statement: If | Switch, value: int) -> Iterator[str]:
    """Which way a lane goes."""
    if isinstance(statement, Switch):
        mask = statement.value.type.mask
        for case in statement.cases:
            if value in [label & mask for label in case.labels]:
                yield f"case {value}"
                return
        yield "default" if any(case.default for case in statement.cases) else "no case"
        return
    own = next(iter(statement.then), None)
    if isinstance(own, Value) and own.op.ends and own.line == statement.line:
        if not value:  # else the exit says it
            yield "not taken"
    else:
        yield "taken" if value else "not taken"
