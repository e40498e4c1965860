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

from ....ir.kernel import If, Kernel, Loop, Switch, Value
from ....ir.locations import SourceLocation, SymbolName
from ....ir.memory import Memory, Port, Space, Var
from ....ir.ops import OPS
from ..engine import Block
from ..lanes import Lanes, Party
from .branches import branches, way
from .kinds import BY_TYPE, FLOAT, UNSIGNED, Kind, Kinds
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

    `before` is what one that was written held; None where it had never been written, and for values
    of the listing, which are new each time. `labels` are its names in the source.
    """

    path: SymbolName  # its name, by its steps
    bits: int
    before: int | None = None
    size: int = 4
    labels: tuple[SymbolName, ...] = ()
    held: Kind = field(default_factory=Kind, compare=False)
    held_before: Kind = field(default_factory=Kind, compare=False)

    @property
    def name(self) -> str:
        """Its name in the listing."""
        return self.path

    @property
    def label(self) -> str:
        """Its name in the source; several in a row, "" where it has none."""
        return ", ".join(self.labels)

    def called(self, text: str) -> bool:
        """Return whether somebody calls it so: a whole name, or the beginning of one; `r0.xy` are
        both components.
        """
        return any(each.called(text) for each in (self.path, *self.labels))

    @property
    def kind(self) -> str:
        """What the bits stand for: float, int, uint, bool; "" where nothing tells."""
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
    """One visit of a line; `loops` are those around it, from the outside in: line, and round.

    `location` is where it comes from, and the calls that it stands in place of.
    """

    line: int
    reads: list[Register] = field(default_factory=list)
    writes: list[Register] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    loops: tuple[tuple[int, int], ...] = ()
    location: SourceLocation | None = None


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
            self._asked = dict(branches(block.kernel.body))

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
        if last is not None and value not in self._seen and _together(last, value):
            self._seen.add(value)
            last.location = last.location or value.location
            return last
        loops = tuple(
            (each.statement.line, each.iteration)
            for each in block.constructs
            if isinstance(each.statement, Loop) and each.statement.line
        )
        self._last = made = Entry(value.line, loops=loops, location=value.location)
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
        for each in value.args:
            self._operand(entry, block, party, each, position)
        if op in (OPS.get, OPS.input) and not value.attr.internal:
            labels, word = self._labels(value.attr)
            word = word or BY_TYPE.get(value.type.kind, "")
            place = value.attr.label
            kind = self._kinds.values[value] = self._kinds.at(place, word)
            given = number_at(result, position)
            _read(entry, Register(place, given, None, value.type.size or 4, labels, kind))
        elif op is OPS.source:
            kind = self._kinds.values[value] = Kind(UNSIGNED)
            place = self.places.source(value.attr)
            _read(entry, Register(place, number_at(result, position), held=kind))
        elif op in (OPS.set, OPS.output) and not value.attr.internal:
            given = number_at(block.operand(value.args[0], party), position)
            labels, _ = self._labels(value.attr, value)
            self._write(entry, value.attr.label, labels, given, value.args[0])
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
            entry.notes.extend(way(statement, number_at(result, position)))
        if value.label is not None and value.type.kind in "bif":
            name, *others = value.label.names
            given, size = number_at(result, position), value.type.size or 4
            kind = self._kinds.values.setdefault(value, self._kinds.of(value))
            _replace(entry.writes, Register(name, given, None, size, tuple(others), kind))

    def _operand(
        self, entry: Entry, block: Block, party: Party, value: Value, position: int
    ) -> None:
        """A value of the listing is read."""
        if value.label is None or value.label.name is None or value.type.kind not in "bif":
            return
        if any(each.name == value.label.name for each in entry.writes):
            return  # of this line itself
        given, size = number_at(block.operand(value, party), position), value.type.size or 4
        kind = self._kinds.of(value)
        _read(entry, Register(value.label.name, given, None, size, value.label.gives, kind))

    def _labels(
        self, thing: Var | Port, by: Value | None = None
    ) -> tuple[tuple[SymbolName, ...], str]:
        """The source's names of a variable or port that an operation gives, and what it holds."""
        if isinstance(thing, Var):
            name, word = thing.gives or SymbolName(), ""
        else:
            name, word = self.places.port(thing)
        return _told(name, by), word

    def _write(
        self,
        entry: Entry,
        place: SymbolName,
        labels: tuple[SymbolName, ...],
        given: int,
        value: Value,
    ) -> None:
        before = self._kinds.at(place)
        kind = self._kinds.places[place] = self._kinds.of(value)
        size = value.type.size or 4
        written = Register(place, given, self._held.get(place), size, labels, kind, before)
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
        label, word = (SymbolName(), "") if outside else self.places.label(memory, element, byte)
        labels = _told(label, value)
        if outside:
            size = self.places.size(memory, store.count)
            entry.notes.append(f"{place} is outside: {self.places.memory(memory)} has {size}")
        if value.op is OPS.load:
            kind = self._kinds.at(place, FLOAT if value.type.kind == "f" else word)
            self._kinds.values[value] = kind
            given = number_at(result, position)
            _read(entry, Register(place, given, None, value.type.size, labels, kind))
            return
        given = number_at(block.operand(value.args[2], party), position)
        if value.op is not OPS.store:
            old = number_at(result, position)
            entry.notes.append(f"{value.op.name} {place}: {old} was there, {given} given")
            return
        self._kinds.of(value.args[2]).is_(word)
        self._write(entry, place, labels, given, value.args[2])
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
                if each.called(name):
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


def _together(entry: Entry, value: Value) -> bool:
    """Return whether an operation is of the line that an entry is a visit of, in the same call."""
    one, other = entry.location, value.location
    if entry.line != value.line:
        return False
    return one is None or other is None or one.call is other.call


def _told(name: SymbolName, by: Value | None) -> tuple[SymbolName, ...]:
    """The names of a place, and the variables that an operation without a result gives by it."""
    found = [name] if name else []
    if by is not None and by.label is not None and by.type.kind == "v":
        found += [each for each in by.label.gives if each != name]
    return tuple(found)


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
