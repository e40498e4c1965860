"""The lines that amplify the difference of two runs, in order of amplification.

     9  mul r1.x, r0.x, r0.x      read  1.0e-07 apart    written  2.0e-07 apart      2 x
    10  add r1.x, r1.x, -r2.x     read  2.0e-07 apart    written  3.1e-02 apart      1.6e+05 x

Distances are relative: |a - b| / max(|a|, |b|). Two numbers of the same exponent that differ by one
unit in the last place of a float32 are about 6e-8 to 1.2e-7 apart. A line amplifies a difference
where its result lies further apart than the numbers that it reads: where nearly equal numbers are
subtracted, before a large power, at a pole, and where a comparison or a rounding to a whole number
falls the other way.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...dataclass import dataclass
from ...isa.steps import Step
from ...vm.lockstep.debug import TracedRegister, TraceEntry
from . import trace_view
from .compare import VALUE, TraceDifference, paired_steps

if TYPE_CHECKING:
    from .debugger import Debugger
    from .trace_view import Line

CLOSE = 2.0**-8  # relative distance up to which two numbers differ by rounding
LEAST = 1.5  # factor of a line: a rounded result alone may be further apart than what it reads
SHOWN = 8  # lines in a terminal


@dataclass(slots=True)
class AmplifyingLine:
    """A line of the listing that amplifies a difference, at the visit with the most amplification.

    Attributes:
        line: The line of the first listing, from 1.
        factor: The number by which the relative distance grows; infinite if a comparison or another
            result that is not a float differs.
        read: The greatest relative distance of the numbers that it reads.
        written: The greatest relative distance of the numbers that it writes.
        name: The register or value that it writes.
        before, after: The steps of this visit in the two traces, from 0.
        visits: The number of visits in which it amplifies.
    """

    line: int
    factor: float
    read: float
    written: float
    name: str
    before: int
    after: int
    visits: int = 1

    def document(self) -> dict[str, Any]:
        """Return plain data."""
        numbers = {"factor": self.factor, "read": self.read, "written": self.written}
        return {
            "line": self.line, **{name: trace_view.finite(each) for name, each in numbers.items()},
            "name": self.name, "before": self.before, "after": self.after, "visits": self.visits,
        }  # fmt: skip


def amplifying_lines(
    before: "Debugger", after: "Debugger", step: Callable[[str], Step] | None = None
) -> list[AmplifyingLine]:
    """Return the lines whose results lie further apart than their operands, the worst first.

    The visits of a line are paired as `paired_steps` pairs them. Visits whose numbers are equal in
    both traces, and those that read numbers apart by more than rounding, do not count.

    Args:
        before: A debugger with a trace.
        after: Another one, of the same program or of another version of it.
        step: See `compare_traces`.
    """
    found: dict[int, AmplifyingLine] = {}
    entries = after.trace.entries
    for at, other in enumerate(paired_steps(before, after, step)):
        if other < 0:
            continue
        entry = before.trace.entries[at]
        one = _amplified(entry, entries[other], at, other)
        if one is None:
            continue
        known = found.get(entry.line)
        if known is not None:
            one.visits = known.visits = known.visits + 1
        if known is None or one.factor > known.factor:
            found[entry.line] = one
    return sorted(found.values(), key=lambda each: (-each.factor, -each.written, each.line))


def is_by_rounding(
    found: TraceDifference | None, before: "Debugger", after: "Debugger"
) -> bool:  # fmt: skip
    """Return True if the first step that differs writes floats that are close in both traces."""
    if found is None or found.before is None or found.after is None:
        return False
    one, two = before.trace.entries[found.before], after.trace.entries[found.after]
    apart = [each for _, each in _distances(one.writes, two.writes)]
    return found.kind == VALUE and any(apart) and max(apart) <= CLOSE


def _amplified(one: TraceEntry, two: TraceEntry, at: int, other: int) -> AmplifyingLine | None:
    read = max((found for _, found in _distances(one.reads, two.reads)), default=0.0)
    name, written = max(
        _distances(one.writes, two.writes), key=lambda each: each[1], default=("", 0.0)
    )
    if not 0 < read <= CLOSE or written < LEAST * read:
        return None
    return AmplifyingLine(one.line, written / read, read, written, name, at, other)


def _distances(
    ones: Sequence[TracedRegister], twos: Sequence[TracedRegister]
) -> Iterator[tuple[str, float]]:
    """Yield the relative distance of each pair of registers; infinite for other than floats."""
    for one, two in zip(ones, twos, strict=False):
        if one.bits == two.bits:
            yield one.name, 0.0
        elif "float" in (trace_view.kind_of(one), trace_view.kind_of(two)):
            yield one.name, distance(one.as_float, two.as_float)
        else:
            yield one.name, math.inf


def distance(a: float, b: float) -> float:
    """Return the relative distance of two numbers; infinite if just one is finite."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    if not (math.isfinite(a) and math.isfinite(b)):
        return math.inf
    return abs(a - b) / max(abs(a), abs(b))


def shown_lines(
    found: Sequence[AmplifyingLine], before: "Debugger", most: int = SHOWN
) -> "Iterator[Line]":
    """Yield lines of text: the factor, the line of code, and how far apart its numbers are."""
    if not found:
        return
    yield [("lines that amplify the difference, most first:", "note")]
    for each in found[:most]:
        factor = "turns over" if math.isinf(each.factor) else f"{each.factor:,.3g} x"
        entry = before.trace.entries[each.before]
        notes = [
            f"{each.name}: {each.read:.1e} apart, then {_apart(each.written)}",
            *trace_view.where(entry),
        ]
        if each.visits > 1:
            notes.append(f"amplifies in {each.visits:,} visits")
        yield [
            (f"{factor:>12}", "bad"), (f"{each.line:>6}  ", "line"),
            (before.line(each.line), "code"), (f"    // {', '.join(notes)}", "note"),
        ]  # fmt: skip
    if len(found) > most:
        yield [(f"{'…':>12}  {len(found) - most:,} more", "dim")]


def _apart(found: float) -> str:
    return "not equal" if math.isinf(found) else f"{found:.1e}"
