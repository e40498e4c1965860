"""What one lane does, instruction by instruction.

     7  mad r0.x, r1.x, cb0[0].x, r2.x
          r1.x  cb0[0].x  r2.x              read
          r0.x  before -> after             written

An entry is one visit of a line: what operations of that line read and wrote. Lines are those of the
listing; operations without a line belong to none and are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ....ir.kernel import Value
from ....ir.memory import Memory, Space, Var
from ..engine import Block
from ..lanes import Lanes, Party
from .watching import is_access, number_at, place_name

MOST = 200_000  # entries


@dataclass(slots=True)
class Register:
    """A register, or a place in a memory, that an instruction read or wrote; `bits` of 32 or 64."""

    name: str
    bits: int
    before: int | None = None  # of one that was written
    size: int = 4

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
    """One visit of a line."""

    line: int
    reads: list[Register] = field(default_factory=list)
    writes: list[Register] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Trace:
    """Records what a lane does; `lane` counts over the whole call."""

    def __init__(self, lane: int, raw: frozenset[str] = frozenset(), most: int = MOST) -> None:
        self.lane = lane
        self.raw = raw
        self.most = most
        self.entries: list[Entry] = []
        self.cut = False  # whether there was more than `most`
        self.found = False  # whether the lane was there at all
        self._at: int | None = None
        self._seen: set[Value] = set()
        self._held: dict[str, int] = {}
        self._dead: set[int] = set()

    def block(self, block: Block) -> None:
        """Whether the lane is in this block."""
        inside = block.first <= self.lane < block.first + block.count
        self._at = self.lane - block.first if inside else None
        self.found |= inside

    def step(self, block: Block, party: Party, value: Value, result: Lanes) -> None:
        """One operation of the party."""
        if self._at is None or not value.line or self.cut:
            return
        position = self._position(party, value)
        if position is None:
            return
        entry = self._entry(value)
        if entry is not None:
            self._record(entry, block, party, value, result, position)

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

    def _entry(self, value: Value) -> Entry | None:
        last = self.entries[-1] if self.entries else None
        if last is None or last.line != value.line or value in self._seen:
            if len(self.entries) >= self.most:
                self.cut = True
                return None
            last = Entry(value.line)
            self.entries.append(last)
            self._seen.clear()
        self._seen.add(value)
        return last

    def _record(
        self,
        entry: Entry,
        block: Block,
        party: Party,
        value: Value,
        result: Lanes,
        position: int,
    ) -> None:
        name = value.op.name
        if name in ("get", "input"):
            self._read(entry, value.attr.name, number_at(result, position), value.type.size or 4)
        elif name == "source":
            self._read(entry, value.attr, number_at(result, position))
        elif name in ("set", "output"):
            given = number_at(block.operand(value.args[0], party), position)
            target = value.attr
            size = value.args[0].type.size or 4
            before = self._held.get(target.name, 0) if isinstance(target, Var) else None
            self._held[target.name] = given
            _replace(entry.writes, Register(target.name, given, before, size))
        elif is_access(value):
            self._access(entry, block, party, value, result, position)
        elif name in ("break", "continue", "return"):
            entry.notes.append({"break": "leaves", "continue": "again", "return": "ends"}[name])
        elif name == "discard":
            given = number_at(block.operand(value.args[0], party), position)
            if given:
                entry.notes.append("discarded")

    def _read(self, entry: Entry, name: str, bits: int, size: int = 4) -> None:
        if not any(each.name == name and each.bits == bits for each in entry.reads):
            entry.reads.append(Register(name, bits, None, size))

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
        place = place_name(memory, element, byte, self.raw)
        if memory.space is Space.TABLE and memory.name != "icb":
            return  # of a function that was written out
        store = block.stores[memory]
        if element >= store.count or byte > memory.stride - 4:
            entry.notes.append(f"{place} is outside: {store.count} elements")
        if value.op.name == "load":
            self._read(entry, place, number_at(result, position), value.type.size)
            return
        given = number_at(block.operand(value.args[2], party), position)
        if value.op.name != "store":
            old = number_at(result, position)
            entry.notes.append(f"{value.op.name} {place}: {old} was there, {given} given")
            return
        size = value.args[2].type.size
        entry.writes.append(Register(place, given, self._held.get(place), size))
        self._held[place] = given

    # ------------------------------------------------------------ what was recorded

    def watch(self, name: str) -> Iterator[tuple[Entry, Register]]:
        """Every write of a register (`r0.x`), or of all components of one (`r0`)."""
        for entry in self.entries:
            for each in entry.writes:
                if each.name == name or each.name.partition(".")[0] == name:
                    yield entry, each

    def registers(self, until: int) -> dict[str, Register]:
        """What each register held behind entry number `until`."""
        held: dict[str, Register] = {}
        for entry in self.entries[: until + 1]:
            held.update((each.name, each) for each in entry.writes)
        return held


def _replace(writes: list[Register], register: Register) -> None:
    """An instruction that goes through a register twice wrote it once."""
    for at, each in enumerate(writes):
        if each.name == register.name:
            register.before = each.before
            writes[at] = register
            return
    writes.append(register)
