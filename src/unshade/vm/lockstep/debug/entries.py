"""Entries of a trace: the visits of lines, with the registers that they read and wrote."""

import numpy as np

from ....dataclass import dataclass, field
from ....ir.locations import SourceLocation, SymbolName
from .value_kinds import ValueKind

__all__ = ["TraceEntry", "TracedRegister", "add_read", "add_write", "registers_of"]


@dataclass(slots=True)
class TracedRegister:
    """A register, or a place in a memory, that an instruction read or wrote.

    path          its name in the listing, as steps
    bits          its value, of 32 or 64 bits
    before        the value before a write; None if it had not been written, and for named values of
                  the listing, which are new each time
    labels        its names in the source
    held          the kind of `bits`
    held_before   the kind of `before`
    """

    path: SymbolName
    bits: int
    before: int | None = None
    size: int = 4
    labels: tuple[SymbolName, ...] = ()
    held: ValueKind = field(default_factory=ValueKind, compare=False)
    held_before: ValueKind = field(default_factory=ValueKind, compare=False)

    @property
    def name(self) -> str:
        """The name in the listing."""
        return self.path

    @property
    def label(self) -> str:
        """The names in the source, separated by commas; "" if there is none."""
        return ", ".join(self.labels)

    @property
    def other_label(self) -> str:
        """The names in the source without those equal to the name in the listing, scope aside."""
        inner = {each: "".join(each.steps[each.scope :]) for each in self.labels}
        return ", ".join(each for each, short in inner.items() if self.path not in (each, short))

    @property
    def type(self) -> str:
        """The type of the variable of the source, as the source spells it; "" if unknown."""
        return next((each.type for each in self.labels if each.type), "")

    def called(self, text: str) -> bool:
        """Return True if `text` is a name of the register or the beginning of one.

        `r0.xy` matches both components.
        """
        return any(each.called(text) for each in (self.path, *self.labels))

    @property
    def kind(self) -> str:
        """The kind of the bits: float, int, uint or bool; "" if it is unknown."""
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
class TraceEntry:
    """One visit of a line.

    `loops` are the enclosing loops from the outermost inward, each as (line, iteration).
    `location` is the source location, with the calls that were inlined.
    """

    line: int
    reads: list[TracedRegister] = field(default_factory=list)
    writes: list[TracedRegister] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    loops: tuple[tuple[int, int], ...] = ()
    location: SourceLocation | None = None


def registers_of(entry: TraceEntry) -> dict[str, TracedRegister]:
    """Return the registers of an entry by name, as they are after it."""
    return {each.name: each for each in (*entry.reads, *entry.writes)}


def add_read(entry: TraceEntry, register: TracedRegister) -> None:
    """Add a read, unless the entry has it."""
    for each in entry.reads:
        if each.name == register.name and each.bits == register.bits:
            return
    entry.reads.append(register)


def add_write(entry: TraceEntry, register: TracedRegister) -> None:
    """Add a write; two writes of a register by one instruction are merged."""
    for at, each in enumerate(entry.writes):
        if each.name == register.name:
            register.before, register.held_before = each.before, each.held_before
            entry.writes[at] = register
            return
    entry.writes.append(register)
