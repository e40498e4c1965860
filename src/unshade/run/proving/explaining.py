"""The reason why two shaders differ: the first step, and the lines that amplify a rounding error.

    output o of lane 5: 0.71875 and 0.71872      4e-05 apart
    the first shader again, arguments moved      3e-05 apart: a difference of rounding is as large
    line 12  add r1.x, r0.x, -r0.y               amplifies 1e-07 to 2e-03

Where the listings correspond, the lines are those of both traces. Where they do not, such as those
of two languages, the first shader is compared with itself, its arguments moved by one unit in the
last place.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import BudgetError
from ...isa.steps import Step
from ...vm.launch import Array
from ..debugging.compare import TraceDifference, compare_traces, paired_lines, shown
from ..debugging.rounding import (
    AmplifyingLine,
    amplifying_lines,
    distance,
    is_by_rounding,
    shown_lines,
)
from .calls import called, elements
from .tracing import Results, Traces, moved, thread_of, traced

if TYPE_CHECKING:
    from ..debugging.debugger import Debugger
    from ..debugging.trace_view import Line
    from .proof import Proof

SHARED = 0.5  # of the lines of a trace that correspond to lines of the other one


@dataclass(slots=True)
class ProofExplanation:
    """The reason why two shaders differ in a lane.

    Attributes:
        before, after: Debuggers with the traces of the lane in both shaders.
        step: The first step that differs; None if none does, or if the listings do not correspond.
        apart: The greatest relative distance of the results that differ; None if they are not
            floats.
        moved_apart: The same distance of the first shader's results with its arguments, and with
            each float of these moved by one unit in the last place: the greatest of several tries.
        lines: The lines that amplify a difference of rounding, the worst first.
        of_both: True if `lines` compares both traces, False if it compares the first shader with
            itself, its arguments moved.
    """

    before: "Debugger"
    after: "Debugger"
    step: TraceDifference | None = None
    apart: float | None = None
    moved_apart: float | None = None
    lines: list[AmplifyingLine] = field(default_factory=list)
    of_both: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "step": None if self.step is None else self.step.document(),
            "apart": self.apart, "moved_apart": self.moved_apart,
            "lines": [each.document() for each in self.lines], "of_both": self.of_both,
        }  # fmt: skip

    def shown(self) -> "Iterator[Line]":
        """Yield lines of text."""
        if self.step is not None:
            yield from shown(self.step, self.before, self.after)
        if self.apart is not None and self.moved_apart is not None:
            yield [(
                f"rounding: the results are {self.apart:.1e} apart; those of the first shader,"
                f" whose arguments are moved by one unit in the last place, {self.moved_apart:.1e}",
                "note",
            )]  # fmt: skip
        yield from shown_lines(self.lines, self.before)


def explained(
    proof: "Proof", step: Callable[[str], Step] | None = None
) -> ProofExplanation | None:  # fmt: skip
    """Return the reason why two shaders differ.

    None if nothing differs, if no thread wrote the differing element, or if a loop goes on.

    Args:
        proof: The result of `prove`.
        step: See `compare_traces`.
    """
    found, pair = proof.difference, proof.pair
    if found is None or pair is None:
        return None
    try:
        thread = thread_of(pair, found)
        if thread is None:
            return None
        traces = traced(pair, found.round, thread)
        made = ProofExplanation(*traces.debuggers, apart=_apart(found.first, found.second))
        if _correspond(traces, step):
            made.step = compare_traces(*traces.debuggers, step)
            if is_by_rounding(made.step, *traces.debuggers):
                made.lines, made.of_both = amplifying_lines(*traces.debuggers, step), True
            elif made.step is not None:
                return made
        if made.apart is not None:
            own = called(pair.kernels[0], pair.drawn(found.round)[0], pair.lanes)
            dtype = np.asarray(found.first).dtype

            def value(results: Results) -> Array:
                return np.asarray(elements(results[found.name])[found.lane]).view(dtype)

            mine = value(own)

            def from_mine(results: Results) -> float:
                return _apart(mine, value(results)) or 0.0

            other = moved(pair, found.round, thread, from_mine)
            made.moved_apart = from_mine(other.results[1])
            if not made.of_both:
                made.lines = amplifying_lines(*other.debuggers, step)
    except BudgetError:
        return None
    return made


def _correspond(traces: Traces, step: Callable[[str], Step] | None) -> bool:
    """Return True if more than half of the lines of the shorter trace correspond to other lines."""
    before, after = traces.debuggers
    pairs = paired_lines(before, after, step)
    seen = [{each.line for each in one.trace.entries} for one in (before, after)]
    both = sum(line in seen[0] and other in seen[1] for line, other in pairs.items())
    return both > SHARED * min(map(len, seen))


def _apart(first: Any, second: Any) -> float | None:
    """Return the greatest relative distance of floats; None for other numbers."""
    one, two = np.asarray(first), np.asarray(second)
    if one.dtype.kind != "f" or one.shape != two.shape:
        return None
    if not (np.isfinite(one) & np.isfinite(two)).all():
        return None
    pairs = zip(one.ravel().tolist(), two.ravel().tolist(), strict=True)
    return max((distance(a, b) for a, b in pairs), default=None)
