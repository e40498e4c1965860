"""Two traces side by side, and the first step that differs.

    before                          after
    12  mul r0.x, r1.x, l(2.0)      12  mul r3.x, r1.x, l(2.0)      the lines are aligned as by diff
        -> r0.x  1.0                    -> r3.x  1.0                equal, renumbered or not
                                    13  add r3.x, r3.x, l(0.5)      only one has this line
    13  mov o0.x, r0.x              14  mov o0.x, r3.x
        -> o0.x  1.0                    -> o0.x  1.5                the first step that differs

Steps of lines that only one listing has are passed over; what they change shows in later steps,
which are printed with those steps right before them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...analysis.diff.align import align, lines_of
from ...dataclass import dataclass
from ...isa.lexer import comments
from ...isa.steps import Step, step_of
from ...vm.lockstep.debug import TraceEntry
from . import trace_view

if TYPE_CHECKING:
    from .debugger import Debugger
    from .trace_view import Line

VALUE, PATH, END = "value", "path", "end"
SAYS = {
    VALUE: "the step writes another value",
    PATH: "the traces go to other lines",
    END: "one of the traces ends",
}
SHOWN = 8  # steps of changed lines before the first step that differs


@dataclass(slots=True)
class TraceDifference:
    """The first step that differs in two traces.

    `kind` is "value" if the step writes another value, "path" if the traces go to lines that do not
    correspond, and "end" if one of them ends. `before` and `after` are the numbers of the steps;
    None after the end of a trace. `own_before` and `own_after` count the steps right before them of
    lines that the other listing does not have.
    """

    kind: str
    before: int | None
    after: int | None
    own_before: int = 0
    own_after: int = 0

    def document(self) -> dict[str, Any]:
        """Return the difference as plain data."""
        return {"kind": self.kind, "before": self.before, "after": self.after}


def compare_traces(
    before: "Debugger", after: "Debugger", step: Callable[[str], Step] | None = None
) -> TraceDifference | None:
    """Return the first step that differs in the traces of two debuggers, or None.

    Args:
        before: A debugger with a trace.
        after: Another one, of the same program or of another version of it.
        step: The function that splits a line of the listings, `Program.step`, by which they are
            aligned; by default lines are split into words.

    Raises:
        UsageError: A debugger has no trace.
    """
    old, new = before.trace.entries, after.trace.entries
    partner = paired_lines(before, after, step)
    known = {*partner.values()}
    i = j = 0
    own = [0, 0]  # steps that are passed over since the last one that both traces have
    while i < len(old) and j < len(new):
        wanted = partner.get(old[i].line)
        if wanted is None:
            i, own[0] = i + 1, own[0] + 1
        elif new[j].line not in known:
            j, own[1] = j + 1, own[1] + 1
        elif wanted != new[j].line:
            return TraceDifference(PATH, i, j, *own)
        elif _written(old[i]) != _written(new[j]):
            return TraceDifference(VALUE, i, j, *own)
        else:
            i, j, own = i + 1, j + 1, [0, 0]
    i = next((at for at in range(i, len(old)) if old[at].line in partner), len(old))
    j = next((at for at in range(j, len(new)) if new[at].line in known), len(new))
    if i == len(old) and j == len(new):
        return None
    return TraceDifference(END, i if i < len(old) else None, j if j < len(new) else None)


def paired_steps(
    before: "Debugger", after: "Debugger", step: Callable[[str], Step] | None = None
) -> list[int]:
    """Return the step of the other trace for each step: the same visit of its line; -1 for none.

    See `compare_traces`.
    """
    partner = paired_lines(before, after, step)
    visits: dict[int, list[int]] = {}
    for at, entry in enumerate(after.trace.entries):
        visits.setdefault(entry.line, []).append(at)
    count: dict[int, int] = {}
    found = []
    for entry in before.trace.entries:
        number = count.get(entry.line, 0)
        count[entry.line] = number + 1
        others = visits.get(partner.get(entry.line, 0), [])
        found.append(others[number] if number < len(others) else -1)
    return found


def paired_lines(
    before: "Debugger", after: "Debugger", step: Callable[[str], Step] | None = None
) -> dict[int, int]:
    """Return the line of the other listing for each line that has one, from 1."""
    return _partners(before.listing, after.listing, step or _words)


def shown(found: TraceDifference | None, before: "Debugger", after: "Debugger") -> "Iterator[Line]":
    """Yield the lines that describe a difference."""
    if found is None:
        yield [("no step differs", "note")]
        return
    yield [(f"first step that differs: {SAYS[found.kind]}", "note")]
    for debugger, at, own in (
        (before, found.before, found.own_before),
        (after, found.after, found.own_after),
    ):
        entries = debugger.trace.entries
        if at is None:
            yield [(f"-- {debugger.title}: ends after step {len(entries):,}", "note")]
            continue
        yield [(f"-- {debugger.title}: step {at + 1:,} of {len(entries):,}", "note")]
        if own > SHOWN:
            yield [(f"   {own - SHOWN:,} steps of lines that only this version has", "note")]
        for each in entries[at - min(own, SHOWN) : at]:
            yield from trace_view.entry(debugger, each, "only in this version")
        yield from trace_view.entry(debugger, entries[at], *trace_view.where(entries[at]))


def _partners(
    before: Sequence[str], after: Sequence[str], step: Callable[[str], Step]
) -> dict[int, int]:
    """Return the line of the other listing for each line that has one, from 1."""
    if [*before] == [*after]:
        return {number: number for number in range(1, len(before) + 1)}
    texts = [[line.strip() for line in each] for each in (before, after)]
    keys = lines_of(texts, [[step(line) for line in each] for each in texts])
    return {i + 1: j + 1 for i, j in align(*keys) if i is not None and j is not None}


def _words(line: str) -> Step:
    return step_of(comments("//"), line)


def _written(entry: TraceEntry) -> list[tuple[int, int]]:
    """Return the values that a step writes, regardless of the names of the registers."""
    return [(each.bits, each.size) for each in entry.writes]
