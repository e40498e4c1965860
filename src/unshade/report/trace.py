"""The recorded steps of one thread, as columns of changes.

    step       line of the listing, line of the source, notes, loops
    access     place, bits, bits before a write, kind of number    reads of a step, then its writes

The script goes to any step from the keyframe before it, and one step back by the bits before.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..run.debugging.frames import frames
from ..run.debugging.trace_view import document, kind_of, whose
from ..screens.text import visible
from .columns import Columns, Strings
from .listing import CodeListing

if TYPE_CHECKING:
    from ..run.debugging.debugger import Debugger
    from ..vm.lockstep.debug import TracedRegister

__all__ = ["write_trace"]

KINDS = ("float", "int", "uint", "bool")
WRITES, NEW = 1, 2  # flags of an access: a write; a write of what had no value before


def write_trace(columns: Columns, debugger: "Debugger", listing: CodeListing) -> None:
    """Add the trace that a debugger shows, and its findings.

    Raises:
        UsageError: No thread was traced.
    """
    trace = debugger.trace
    shift = listing.place_of(debugger.listing)
    strings = Strings()
    strings.number("")
    lines, notes, rounds, files, places_in = [], [], [], [], []
    reads, writes = [], []
    accesses: list[tuple[TracedRegister, int]] = []
    for entry in trace.entries:
        stack = frames(entry.location, entry.line)
        frame = stack[0] if stack else None
        lines.append(entry.line - 1 + shift)
        notes.append(strings.number(", ".join(entry.notes)))
        rounds.append(strings.number(_rounds(entry.loops)))
        files.append(strings.number(visible(frame.file) if frame else ""))
        places_in.append(frame.line if frame else 0)
        reads.append(len(entry.reads))
        writes.append(len(entry.writes))
        accesses += [(each, 0) for each in entry.reads]
        accesses += [(each, WRITES) for each in entry.writes]
    columns.differences("step.line", lines)
    columns.numbers("step.notes", notes)
    columns.numbers("step.rounds", rounds)
    columns.numbers("step.file", files)
    columns.differences("step.source", places_in)
    columns.numbers("step.reads", reads)
    columns.numbers("step.writes", writes)
    _write_accesses(columns, accesses, strings)
    columns.texts("trace.strings", strings.numbers)
    found = document(debugger, chosen=())
    columns.values["trace"] = {
        "thread": visible(whose(debugger)),
        "stage": debugger.stage,
        "gap": trace.gap,
        "left_out": trace.left_out,
        "kinds": KINDS,
        "findings": found["findings"],
        "shift": shift,
    }


def _write_accesses(
    columns: Columns, accesses: "Sequence[tuple[TracedRegister, int]]", strings: Strings
) -> None:
    """Add the columns of reads and writes; bits as two words, since a script has no 64 bits."""
    places = Strings()
    labels: dict[int, int] = {}
    for each, _ in accesses:
        place = places.number(visible(each.name))
        labels.setdefault(place, strings.number(visible(each.label * (each.label != each.name))))
    now = [each.bits for each, _ in accesses]
    old = [each.before or 0 for each, _ in accesses]
    new = [flag | (NEW if each.before is None else 0) for each, flag in accesses]
    columns.numbers("access.place", [places.number(visible(each.name)) for each, _ in accesses])
    columns.numbers("access.low", [_signed(bits) for bits in now])
    columns.numbers("access.high", [_signed(bits >> 32) for bits in now])
    columns.numbers("access.old_low", [_signed(bits) for bits in old])
    columns.numbers("access.old_high", [_signed(bits >> 32) for bits in old])
    columns.numbers("access.kind", [KINDS.index(kind_of(each)) for each, _ in accesses])
    columns.numbers("access.flags", new)
    columns.numbers("access.size", [each.size for each, _ in accesses])
    columns.texts("places", places.numbers)
    columns.numbers("place.label", [labels[each] for each in range(len(places.numbers))])


def _signed(word: int) -> int:
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >> 31 else word


def _rounds(loops: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{number}" for _, number in loops)
