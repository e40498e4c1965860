"""Trace of one lane, instruction by instruction.

    18  loop, round 3
     7  mad r0.x, r1.x, cb0[0].x, r2.x
          r1.x  cb0[0].x  r2.x              read
          r0.x  before -> after             written

An entry is one visit of a line of the listing: the reads and writes of its operations. Operations
without a line are left out. The beginning and the end of a long trace are kept.
"""

from collections import deque
from collections.abc import Iterator
from typing import Protocol
from weakref import WeakSet

import numpy as np

from ....ir.kernel import If, KernelIR, Loop, Switch, Value
from ....ir.locations import SymbolName
from ....ir.memory import Memory, Port, Space, Var
from ....ir.ops import OPS
from ....notebook import Shown
from ....vocab.slots import Exchange
from ..batch import LaneBatch
from ..lanes import ActiveLanes, LaneValues
from .branches import branches, way
from .entries import TracedRegister, TraceEntry, add_read, add_write, registers_of
from .value_kinds import BY_TYPE, FLOAT, UNSIGNED, ValueKind, ValueKinds
from .watching import PlaceNames, element_reads, is_access, kept_element, number_at

MAX_ENTRIES = 200_000  # entries
EXITS = {
    OPS.break_: "leaves",
    OPS.exit: "leaves",
    OPS.continue_: "again",
    OPS.return_: "ends",
}


class Replayed(Protocol):
    """Values of another engine: `advance` goes to an operation, `bits` is what it writes there."""

    bits: int | None

    def advance(self, value: Value) -> bool:
        """Go to an operation; False if the other engine does not perform it."""


class Trace(Shown):
    """A recording of one lane; `lane` is its number in the whole call.

    `replayed` are the values of another engine, which are shown in place of lockstep's values.
    """

    drawn_in = ".screens.execution"
    drawn_by = "trace"

    def __init__(
        self,
        lane: int,
        places: PlaceNames | None = None,
        most: int = MAX_ENTRIES,
        replayed: Replayed | None = None,
    ) -> None:
        self.lane = lane
        self.replayed = replayed
        self.places = places or PlaceNames()
        self.most = most
        self.found = False  # the lane was in one of the batches
        self.left_out = 0  # entries between the beginning and the end
        self._head: list[TraceEntry] = []
        self._tail: deque[TraceEntry] = deque(maxlen=max(1, most // 2))
        self.dropped: dict[str, TracedRegister] = {}  # reads and writes of the entries left out
        self._at: int | None = None
        self._last: TraceEntry | None = None
        self._seen: set[Value] = set()
        self._held: dict[str, int] = {}
        self._written_there: dict[str, int] = {}  # named values of another engine
        self._printed: list[int] = []  # words of the record that is being written
        self._kinds = ValueKinds()
        self._dead: WeakSet[ActiveLanes] = WeakSet()
        self._branch_on: dict[Value, If | Switch] = {}
        self._kernel: KernelIR | None = None
        self._elements: dict[Value, Value | None] = {}

    def __repr__(self) -> str:
        count = len(self.entries) + self.left_out
        return f"<Trace: lane {self.lane}, {count} entr{'y' if count == 1 else 'ies'}>"

    @property
    def entries(self) -> list[TraceEntry]:
        """The entries that were kept; `left_out` more are missing before entry number `gap`."""
        return [*self._head, *self._tail] if self._tail else self._head

    @property
    def gap(self) -> int:
        """The number of entries at the beginning, before the omitted entries."""
        return len(self._head)

    def begin(self, batch: LaneBatch) -> None:
        """Find out if the lane is in this batch."""
        inside = batch.first <= self.lane < batch.first + batch.count
        self._at = self.lane - batch.first if inside else None
        self.found |= inside
        if batch.kernel is not self._kernel:
            self._kernel = batch.kernel
            self._elements = element_reads(batch.kernel)
            self._branch_on = {
                condition: statement
                for condition, statement in branches(batch.kernel.body)
                if condition.line == statement.line
            }

    def step(self, batch: LaneBatch, active: ActiveLanes, value: Value, result: LaneValues) -> None:
        """Record one operation."""
        if self._at is None or not value.line:
            return
        position = self._position(active, value)
        if position is None:
            return
        if self.replayed is not None and not self.replayed.advance(value):
            if self._last is not None and _together(self._last, value):  # a part of a visit
                (self._tail or self._head).pop()
            self._last = None
            return
        self._record(self._entry(value, batch), batch, active, value, result, position)

    def _position(self, active: ActiveLanes, value: Value) -> int | None:
        """Return the index of the lane in the active lanes; None if it is inactive."""
        places = active.positions()
        assert self._at is not None
        position = int(np.searchsorted(places, self._at))
        if position >= len(places) or places[position] != self._at:
            return None
        mask = active.mask is None or bool(active.mask[position])
        if mask:
            self._dead.discard(active)
            return position
        if not value.op.ends or active in self._dead:
            self._dead.add(active)
            return None
        # This operation deactivated the lane, here and in the enclosing lanes.
        at: int | None = position
        for each in active.enclosing():
            if at is None or each.mask is None or each.mask[at]:
                break
            self._dead.add(each)
            at = at if each.parent_indices is None else int(each.parent_indices[at])
        return position

    def _entry(self, value: Value, batch: LaneBatch) -> TraceEntry:
        last = self._last
        if last is not None and value not in self._seen and _together(last, value):
            self._seen.add(value)
            last.location = last.location or value.location
            return last
        loops = tuple(
            (each.statement.line, each.iteration)
            for each in batch.constructs
            if isinstance(each.statement, Loop) and each.statement.line
        )
        self._last = made = TraceEntry(value.line, loops=loops, location=value.location)
        self._seen = {value}
        if len(self._head) < self.most - (self._tail.maxlen or 0):
            self._head.append(made)
            return made
        if len(self._tail) == self._tail.maxlen:
            self.dropped.update(registers_of(self._tail[0]))
            self.left_out += 1
        self._tail.append(made)
        return made

    def _record(
        self,
        entry: TraceEntry,
        batch: LaneBatch,
        active: ActiveLanes,
        value: Value,
        result: LaneValues,
        position: int,
    ) -> None:
        op = value.op
        for each in value.args:
            self._operand(entry, batch, active, each, position)
        if value in self._elements and not self._reads(batch, active, value, position):
            pass
        elif op in (OPS.get, OPS.input) and not value.attr.internal:
            labels, word = self._labels(value.attr)
            word = word or BY_TYPE.get(value.type.kind, "")
            place = value.attr.label
            kind = self._kinds.values[value] = self._kinds.at(place, word)
            given = self._read_there(place, number_at(result, position))
            add_read(entry, TracedRegister(place, given, None, value.type.size or 4, labels, kind))
        elif op is OPS.source:
            kind = self._kinds.values[value] = ValueKind(UNSIGNED)
            place = self.places.source(value.attr)
            add_read(entry, TracedRegister(place, number_at(result, position), held=kind))
        elif op is OPS.set and _keeps(batch, active, value, position):
            pass
        elif op in (OPS.set, OPS.output) and not value.attr.internal:
            given = number_at(batch.operand(value.args[0], active), position)
            labels, word = self._labels(value.attr, value)
            if isinstance(value.attr, Var):
                self._kinds.of(value.args[0]).is_(word)
            self._write(entry, value.attr.label, labels, given, value.args[0])
        elif is_access(value):
            self._access(entry, batch, active, value, result, position)
        elif op in EXITS:
            entry.notes.append(EXITS[op])
        elif op is OPS.discard:
            given = number_at(batch.operand(value.args[0], active), position)
            if given:
                entry.notes.append("discarded")
        else:
            chosen = 0
            if op is OPS.select:
                chosen = number_at(batch.operand(value.args[0], active), position)
            self._kinds.step(value, chosen)
        statement = self._branch_on.get(value)
        if statement is not None:
            entry.notes.extend(way(statement, number_at(result, position)))
        if value.label is not None and value.type.kind in "bif":
            name, *others = value.label.names
            given, size = self._given(number_at(result, position)), value.type.size or 4
            kind = self._kinds.named(value)
            if self.replayed is not None:
                self._written_there[name] = given
            add_write(entry, TracedRegister(name, given, None, size, tuple(others), kind))

    def _reads(self, batch: LaneBatch, active: ActiveLanes, value: Value, position: int) -> bool:
        """Return True if an index selects the element that an operation reads."""
        condition = self._elements[value]
        if condition is None:
            return False
        return bool(number_at(batch.operand(condition, active), position))

    def _operand(
        self, entry: TraceEntry, batch: LaneBatch, active: ActiveLanes, value: Value, position: int
    ) -> None:
        """Record the read of a named value of the listing."""
        if value.label is None or value.label.name is None or value.type.kind not in "bif":
            return
        if any(each.name == value.label.name for each in entry.writes):
            return  # the line reads its own result
        given, size = number_at(batch.operand(value, active), position), value.type.size or 4
        given = self._read_there(value.label.name, given)
        kind = self._kinds.named(value)
        add_read(
            entry, TracedRegister(value.label.name, given, None, size, value.label.gives, kind)
        )

    def _labels(
        self, thing: Var | Port, by: Value | None = None
    ) -> tuple[tuple[SymbolName, ...], str]:
        """Return the source names of a variable or port that an operation sets, and its kind."""
        if isinstance(thing, Var):
            name = thing.gives or SymbolName()
            word = name.kind
        else:
            name, word = self.places.port(thing)
        return _labels_of(name, by), word

    def _given(self, bits: int) -> int:
        """Return the written value, or the value of the other engine if its values are shown."""
        other = self.replayed.bits if self.replayed is not None else None
        return bits if other is None else other

    def _read_there(self, place: str, bits: int) -> int:
        """Return the read value, or the value of the other engine if its values are shown."""
        if self.replayed is None:
            return bits
        return self._written_there.get(place, self._held.get(place, bits))

    def _write(
        self,
        entry: TraceEntry,
        place: SymbolName,
        labels: tuple[SymbolName, ...],
        given: int,
        value: Value,
    ) -> None:
        given = self._given(given)
        before = self._kinds.at(place)
        kind = self._kinds.places[place] = self._kinds.of(value)
        size = value.type.size or 4
        written = TracedRegister(place, given, self._held.get(place), size, labels, kind, before)
        self._held[place] = given
        add_write(entry, written)

    def _access(
        self,
        entry: TraceEntry,
        batch: LaneBatch,
        active: ActiveLanes,
        value: Value,
        result: LaneValues,
        position: int,
    ) -> None:
        memory: Memory = value.attr
        if memory.key is Exchange.PRINTED:
            self._print(entry, batch, active, value, position)
            return
        element = number_at(batch.operand(value.args[0], active), position)
        byte = number_at(batch.operand(value.args[1], active), position)
        for each in value.args[:2]:
            self._kinds.of(each).is_(UNSIGNED)
        place = self.places.name(memory, element, byte)
        store = batch.stores[memory]
        outside = element >= store.count or byte > memory.stride - 4
        if memory.internal:
            return  # made when a library function was inlined
        label, word = (SymbolName(), "") if outside else self.places.label(memory, element, byte)
        labels = _labels_of(label, value)
        if outside:
            size = self.places.size(memory, store.count)
            entry.notes.append(f"{place} is outside: {self.places.memory(memory)} has {size}")
        if value.op is OPS.load:
            kind = self._kinds.at(place, FLOAT if value.type.kind == "f" else word)
            self._kinds.values[value] = kind
            given = number_at(result, position)
            add_read(entry, TracedRegister(place, given, None, value.type.size, labels, kind))
            return
        given = number_at(batch.operand(value.args[2], active), position)
        if value.op is not OPS.store:
            old = number_at(result, position)
            entry.notes.append(f"{value.op.name} {place}: was {old}, operand {given}")
            return
        self._kinds.of(value.args[2]).is_(word)
        self._write(entry, place, labels, given, value.args[2])
        if memory.space is not Space.LOCAL:  # another lane may have written the old value
            self._held.pop(place)
            entry.writes[-1].before = None

    def _print(
        self, entry: TraceEntry, batch: LaneBatch, active: ActiveLanes, value: Value, position: int
    ) -> None:
        """Record an access to the records of printf, which are stored word by word."""
        if value.op is not OPS.store:
            self._printed.clear()
            return
        self._printed.append(number_at(batch.operand(value.args[2], active), position))
        text = self.places.printed(self._printed)
        if text is not None:
            entry.notes.append(f"prints {text!r}")
            self._printed.clear()

    # ------------------------------------------------------------ what was recorded

    def watch(self, name: str) -> Iterator[tuple[TraceEntry, TracedRegister]]:
        """Yield every write of a register or place.

        Args:
            name: A register (`r0`), components of one (`r0.x`, `r0.xy`), or a place in a memory,
                by its name in the listing (`u1[3]`) or in the source (`Y`).
        """
        for entry in self.entries:
            for each in entry.writes:
                if each.called(name):
                    yield entry, each

    def registers(self, until: int) -> dict[str, TracedRegister]:
        """Return the last known value of each register and place after entry number `until`."""
        held: dict[str, TracedRegister] = {}
        entries = self.entries
        for number, entry in enumerate(entries[: until + 1]):
            if number == self.gap:
                held.update(self.dropped)
            held.update(registers_of(entry))
        return held


def _together(entry: TraceEntry, value: Value) -> bool:
    """Return True if an operation belongs to the visit of an entry: same line, same call."""
    one, other = entry.location, value.location
    if entry.line != value.line:
        return False
    return one is None or other is None or one.call is other.call


def _keeps(batch: LaneBatch, active: ActiveLanes, value: Value, position: int) -> bool:
    """Return True if a set leaves its element unchanged: the index selects another element."""
    if kept_element(value) is None:
        return False
    return not number_at(batch.operand(value.args[0].args[0], active), position)


def _labels_of(name: SymbolName, by: Value | None) -> tuple[SymbolName, ...]:
    """Return the names of a place, and of the variables that an operation `by` assigns."""
    found = [name] if name else []
    if by is not None and by.label is not None and by.type.kind == "v":
        found += [each for each in by.label.gives if each != name]
    return tuple(found)
