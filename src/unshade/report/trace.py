"""The recorded steps of threads, as columns of changes.

    step       line of the listing, place in the source, frame, loops, notes
    access     place, bits, bits before a write, kind of number    reads of a step, then its writes
    place      the names that it is called by; the label, with the type of a variable of the source
    frame      function, frame of the caller, place of the call

The script goes to any step from the keyframe before it, and one step back by the bits before. A
pixel of a mesh may have a trace for each triangle; the columns of the first have the prefix
`trace0.`, and so on.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.locations import SymbolName
from ..ir.ops import OPS
from ..run.debugging.frames import StackFrame, frames
from ..run.debugging.trace_view import before, kind_of
from ..screens.text import visible
from ..shader import Shader
from .columns import Columns, Strings
from .lens import write_lenses
from .listing import CodeListing

if TYPE_CHECKING:
    from ..ir.kernel import KernelIR
    from ..run.debugging.debugger import Debugger, ThreadFinding
    from ..run.lanes import Thread
    from ..vm.lockstep.debug import Coverage, Trace, TracedRegister, TraceEntry

__all__ = ["write_other_trace", "write_trace"]

KINDS = ("float", "int", "uint", "bool")
# flags of an access: a write; of what had no value before; a read of what was never written
WRITES, NEW, UNDEFINED = 1, 2, 4


def write_trace(
    columns: Columns, debugger: "Debugger", shader: Shader, listing: CodeListing
) -> dict[int, int]:
    """Add the traces, findings and lenses of a debugger, and its coverage if it was recorded.

    Raises:
        UsageError: No thread was traced, or a lens has too many numbers for a page.

    Returns:
        The page's line of each line of the program.
    """
    shown = debugger.shown
    places = listing.lines_of(shader, debugger.listing)
    line_of = {number: max(place, 0) for number, place in enumerate(places, 1)}
    registers = _checked_registers(debugger.lowered.kernel)
    traces = []
    for number, thread in enumerate(debugger.traced):
        debugger.choose(thread)
        _TraceColumns(columns, f"trace{number}.", line_of, registers).write(debugger.trace)
        traces.append(_about(debugger, thread))
    debugger.choose(shown)
    if debugger.coverage is not None:
        _write_coverage(columns, debugger.coverage, line_of)
    if debugger.lenses:
        write_lenses(columns, debugger.lenses, line_of)
    columns.values["traces"] = {
        "all": traces,
        "shown": debugger.traced.index(shown),
        "stage": debugger.stage,
        "kinds": KINDS,
        "findings": [_finding(each, line_of) for each in debugger.findings],
    }
    return line_of


def _write_coverage(columns: Columns, coverage: "Coverage", line_of: Mapping[int, int]) -> None:
    """Add the lanes that ran each line, and the ways that branches went."""
    lines = sorted(coverage.lines.items())
    columns.differences("count.line", [line_of[line] for line, _ in lines])
    columns.numbers("count.lanes", [count for _, count in lines])
    columns.values["branches"] = [
        [line_of[branch.line], [*zip(map(visible, branch.words), branch.ways, strict=True)]]
        for branch in coverage.branches.values()
    ]
    columns.values["source_counts"] = [
        [visible(file), line, count] for (file, line), count in coverage.source_lines.items()
    ]


def write_other_trace(columns: Columns, debugger: "Debugger") -> dict[str, Any]:
    """Add the trace of another version as `against.…`, and return facts of it."""
    line_of = {number: number - 1 for number in range(len(debugger.listing) + 1)}
    registers = _checked_registers(debugger.lowered.kernel)
    _TraceColumns(columns, "against.", line_of, registers).write(debugger.trace)
    return _about(debugger, debugger.shown)


def _about(debugger: "Debugger", thread: "Thread") -> dict[str, Any]:
    trace = debugger.trace
    return {
        "thread": visible(debugger.who(thread)), "gap": trace.gap, "left_out": trace.left_out
    }  # fmt: skip


def _checked_registers(kernel: "KernelIR") -> frozenset[str]:
    """Return the registers all of whose writes are in a trace."""
    values = kernel.values()
    unseen = {each.attr for each in values if each.op is OPS.set and not each.line}
    return frozenset(
        str(each.label) for each in kernel.variables if not each.internal and each not in unseen
    )


def _finding(found: "ThreadFinding", line_of: Mapping[int, int]) -> dict[str, Any]:
    """Return a finding as the page's script expects it."""
    return {
        "kind": found.kind,
        "message": visible(found.finding.message),
        "line": line_of.get(found.line, -1),
        "count": found.finding.count,
        "thread": found.who,
    }


class _TraceColumns:
    """The columns of one trace."""

    def __init__(
        self,
        columns: Columns,
        prefix: str,
        line_of: Mapping[int, int],
        registers: Collection[str],
    ) -> None:
        self.columns = columns
        self.prefix = prefix
        self.line_of = line_of
        self.registers = registers
        self.strings = Strings()
        self.strings.number("")
        self.stacks: dict[object, int] = {}  # frames of a location: number of the innermost
        self.rows: list[tuple[int, int, int, int]] = []  # of frames
        self.frames: dict[object, int] = {}

    def write(self, trace: "Trace") -> None:
        """Add the steps of a trace, their accesses, places and frames."""
        lines, notes, loops, files, places, inside = [], [], [], [], [], []
        reads, writes = [], []
        accesses: list[tuple[TracedRegister, int]] = []
        written: set[str] = set()
        string = self.strings.number
        for number, entry in enumerate(trace.entries):
            if number == trace.gap:
                written.update(trace.dropped)
            stack = frames(entry.location, entry.line)
            frame = stack[0] if stack else None
            lines.append(self.line_of[entry.line])
            notes.append(string(visible(", ".join(entry.notes))))
            loops.append(string(" ".join(f"{line}:{each}" for line, each in entry.loops)))
            files.append(string(visible(frame.file) if frame else ""))
            places.append(frame.line if frame else 0)
            inside.append(self._frame(entry, stack))
            reads.append(len(entry.reads))
            writes.append(len(entry.writes))
            for each in entry.reads:
                missing = each.name in self.registers and each.name not in written
                accesses.append((each, UNDEFINED if missing else 0))
            accesses += [(each, WRITES) for each in entry.writes]
            written.update(each.name for each in entry.writes)
        self._differences("step.line", lines)
        self._numbers("step.notes", notes)
        self._numbers("step.loops", loops)
        self._numbers("step.file", files)
        self._differences("step.source", places)
        self._numbers("step.frame", inside)
        self._numbers("step.reads", reads)
        self._numbers("step.writes", writes)
        self._write_accesses(accesses)
        for at, name in enumerate(("function", "caller", "file", "line")):
            self._numbers(f"frame.{name}", [row[at] for row in self.rows])
        self.columns.texts(f"{self.prefix}strings", self.strings.numbers)

    def _frame(self, entry: "TraceEntry", stack: Sequence[StackFrame]) -> int:
        """Return the number of an entry's innermost frame; -1 without a location."""
        known = self.stacks.get(entry.location)
        if known is None:
            known = -1
            for each, outer in zip(reversed(stack), [None, *reversed(stack)], strict=False):
                key = each.function, each.call
                if key not in self.frames:
                    self.frames[key] = len(self.rows)
                    file, line = (outer.file, outer.line) if outer is not None else ("", 0)
                    function, file = visible(each.function), visible(file)
                    string = self.strings.number
                    self.rows.append((string(function), known, string(file), line))
                known = self.frames[key]
            self.stacks[entry.location] = known
        return known

    def _write_accesses(self, accesses: "Sequence[tuple[TracedRegister, int]]") -> None:
        """Add the columns of reads and writes; bits as two words, as a script has no 64 bits."""
        places = Strings()
        names: dict[int, int] = {}
        labels: dict[int, int] = {}
        for each, _ in accesses:
            place = places.number(visible(each.name))
            if place not in names:
                found = [visible(one) for one in _names(each)]
                names[place] = self.strings.number("\n".join(dict.fromkeys(found)))
                label = f"{each.type} {each.other_label}".strip()
                labels[place] = self.strings.number(visible(label))
        olds = [before(each) for each, _ in accesses]
        old = [each.bits if each is not None else 0 for each in olds]
        now = [each.bits for each, _ in accesses]
        self._numbers("access.place", [places.number(visible(each.name)) for each, _ in accesses])
        self._numbers("access.low", [_signed(bits) for bits in now])
        self._numbers("access.high", [_signed(bits >> 32) for bits in now])
        self._numbers("access.old_low", [_signed(bits) for bits in old])
        self._numbers("access.old_high", [_signed(bits >> 32) for bits in old])
        self._numbers("access.kind", [KINDS.index(kind_of(each)) for each, _ in accesses])
        kinds = [KINDS.index(kind_of(each)) if each is not None else 0 for each in olds]
        self._numbers("access.old_kind", kinds)
        flags = [flag | (NEW if each.before is None else 0) for each, flag in accesses]
        self._numbers("access.flags", flags)
        self._numbers("access.size", [each.size for each, _ in accesses])
        self.columns.texts(f"{self.prefix}places", places.numbers)
        self._numbers("place.names", [names[at] for at in range(len(places.numbers))])
        self._numbers("place.label", [labels[at] for at in range(len(places.numbers))])

    def _numbers(self, name: str, numbers: Sequence[int]) -> None:
        self.columns.numbers(self.prefix + name, numbers)

    def _differences(self, name: str, numbers: Sequence[int]) -> None:
        self.columns.differences(self.prefix + name, numbers)


def _names(register: "TracedRegister") -> Iterator[str]:
    """Yield the names of a place, in full, without scope, and without indexes."""
    for each in (register.path, *register.labels):
        for steps in (each.steps, each.steps[each.scope :]):
            for name in (steps, [step for step in steps if not step.startswith("[")]):
                if name:
                    yield SymbolName(*name).removeprefix(".")


def _signed(word: int) -> int:
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >> 31 else word
