"""A kernel under the debugger: it runs in lockstep and records a trace and findings.

debugger = kernel.debug((3, 0, 0))
debugger.dispatch(4, a=2.0, X=x, Y=y)
debugger.trace.entries        what thread (3, 0, 0) did
debugger.findings             out of bounds, races, NaN, registers never written
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...dataclass import dataclass
from ...errors import BudgetError, UsageError
from ...ir.kernel import KernelIR as Code
from ...vm.launch import BUDGET, Launch, Report
from ...vm.lockstep import Lockstep
from ...vm.lockstep.debug import (
    Checks,
    Coverage,
    Finding,
    PlaceRecorder,
    Races,
    Trace,
    Watchers,
    Writers,
)
from ...vocab.words import DISPATCHED, Stage
from ..binding.numbers import shown
from ..engines import Engine
from ..execution import Execution
from ..lanes import Lanes, PixelLanes, Thread, thread_name, thread_title
from ..program import RunProgram
from ..runner import Runner
from .engine_log import engine_log
from .frames import Files, StackFrame, calling, frames
from .lens import Lens
from .names import Names
from .narrowing import can_narrow, narrowed, restore
from .places import SourcePlaces

if TYPE_CHECKING:
    from ...vm.lockstep.batch import Watcher
    from ..binding.results import Results


FIRST = ("nan", "infinity")  # only the first is reported, since others follow from it
KINDS = ("out-of-bounds", "race", "barrier", "nan", "infinity", "uninitialised")
ROUNDS = 1 << 14  # default of loop iterations: a millisecond each in a large shader
FRAGMENTS = 64  # of one pixel that are traced


@dataclass(slots=True)
class ThreadFinding:
    """A finding with threads instead of lanes, and the lines that it refers to."""

    finding: Finding
    thread: Thread
    who: str  # thread (3, 0, 0)
    text: str
    other_thread: Thread | None
    other_who: str
    other_text: str
    source: str = ""  # the line of the source, where there is one

    @property
    def kind(self) -> str:
        """The kind of fault, one of `KINDS`."""
        return self.finding.kind

    @property
    def line(self) -> int:
        """The line in the listing."""
        return self.finding.line

    @property
    def frames(self) -> list[StackFrame]:
        """The stack at the finding, innermost frame first."""
        return frames(self.finding.location, self.finding.line)

    def __str__(self) -> str:
        finding = self.finding
        times = f", {finding.count:,} times" if finding.count > 1 else ""
        text = f"{finding.kind}: {finding.message}; {self.who}{times}"
        text += f"\n    line {finding.line}: {self.text}"
        stack = self.frames
        if stack and stack[0].place:
            text += f"\n    {stack[0].place}: {self.source}"
        if stack and calling(stack):
            text += f"\n    {calling(stack)}"
        if finding.other_line:
            text += f"\n    line {finding.other_line}: {self.other_text}"
            text += f", {self.other_who}" if self.other_who else ""
        return text


class Debugger(Runner):
    """A kernel that records `trace`, `findings`, `coverage` and `writers`.

    Unless it was set, its `budget` is smaller than a kernel's: an endless loop is reported after
    some ten thousand iterations. With `alone`, and nothing but a trace to record, only the quads or
    waves of the thread run, so that the results of other pixels are 0. If `shows` is another
    engine, traces show what the lane writes in that engine.
    """

    drawn_by = "debugger"

    def __init__(
        self,
        kernel: Runner,
        thread: int | Sequence[int] | None = None,
        *,
        checks: bool = True,
        coverage: Coverage | None = None,
        writers: bool = False,
    ) -> None:
        counts: object = coverage
        if counts is not None and not isinstance(counts, Coverage):
            raise UsageError(f"coverage: expected a Coverage of unshade.run, got {shown(counts)}")
        engine = Lockstep()
        program = RunProgram(kernel.described(), kernel.reflection)
        super().__init__(Execution(program, engine, self._run))
        self.execution.limits = kernel.execution.limits
        self.title = kernel.title
        looked_at = checks or thread is not None
        self.budget = ROUNDS if looked_at and kernel.budget == BUDGET else kernel.budget
        self.progress = kernel.progress
        self.samples = kernel.samples
        self.lockstep = engine
        self.thread: Thread | None = None
        if thread is not None:
            self.thread = (thread,) if isinstance(thread, int) else tuple(thread)
        self.checks = checks
        self.alone = False
        self.shows: Engine | None = None
        self.coverage = coverage
        self.writers: Writers | None = Writers() if writers else None
        self.lanes: Lanes | None = None
        self.findings: list[ThreadFinding] = []
        rows = self.inputs, self.outputs, self.patch_constants
        self.places = SourcePlaces(self.lowered, self.bindings, rows)
        self.lenses: list[Lens] = []
        self._traces: dict[Thread, Trace] = {}
        self._chosen: Thread | None = None
        self._last: Thread | None = None  # of the threads that there were
        self._registers = frozenset(
            var for var in self.lowered.kernel.variables if not var.internal
        )

    def __copy__(self) -> Self:
        made = super().__copy__()
        made.execution.watch = made._run
        return made

    def __repr__(self) -> str:
        who = "no thread" if self.thread is None else self.who(self.thread)
        found = f"{len(self.findings)} finding{'' if len(self.findings) == 1 else 's'}"
        return f"<Debugger: {self.stage}, {who}, {found}>"

    # ------------------------------------------------------------ what was seen

    @property
    def trace(self) -> Trace:
        """The trace of the selected thread; UsageError if no thread is selected."""
        return self._traces[self.shown]

    @property
    def shown(self) -> Thread:
        """The thread that `trace` belongs to."""
        if self._chosen in self._traces:
            return self._chosen
        if not self._traces:
            raise UsageError(self._no_such())
        return [*self._traces][-1]

    @property
    def traced(self) -> list[Thread]:
        """The threads that have traces; a pixel (x, y, triangle) may have one for each triangle."""
        return list(self._traces)

    def choose(self, thread: Thread) -> None:
        """Select the trace that `trace` returns."""
        if thread not in self._traces:
            raise UsageError(f"no trace of thread {thread_name(thread)}")
        self._chosen = thread

    def who(self, thread: Thread) -> str:
        """Return the name of a thread: `thread (3, 0, 0)`, `pixel (40, 40) of triangle 2`."""
        return thread_title(self.stage, thread)

    def _no_such(self) -> str:
        if self.thread is None:
            return "no thread is traced; select one with kernel.debug(thread)"
        word = {**dict.fromkeys(DISPATCHED, "thread"), Stage.PIXEL: "pixel"}.get(self.stage, "row")
        message = f"no such {word}: {thread_name(self.thread)}"
        if self._last is None:
            return f"{message}; nothing has run" if self.lanes is None else message
        if isinstance(self.lanes, PixelLanes) and self.lanes.triangle is not None:
            return f"{message}; no triangle covers it"
        axes = [f"0 to {each}" for each in self._last]
        while len(axes) > max(1, len(self.thread)) and axes[-1] == "0 to 0":
            axes.pop()
        if len(axes) == 1:
            return f"{message}; expected {axes[0]}"
        ranges = ", ".join(f"{a} {each}" for a, each in zip("xyz", axes, strict=False))
        return f"{message}; expected {ranges}"

    def line(self, number: int) -> str:
        """Return a line of the listing, stripped."""
        return self.listing[number - 1].strip() if 0 < number <= len(self.listing) else ""

    @property
    def instructions(self) -> list[int]:
        """The lines of the listing that have code."""
        lines = {value.line for value in self.lowered.kernel.values()} | self.files.calls
        return sorted(lines - {0})

    def check_line(self, number: int) -> None:
        """Raise UsageError if a line has no code."""
        lines = self.instructions
        if number in lines:
            return
        if not 0 < number <= len(self.listing):
            raise UsageError(f"no such line: {number}; the listing has {len(self.listing)}")
        after = next((each for each in lines if each > number), None)
        hint = f"; the next line with code is {after}" if after else ""
        raise UsageError(f"line {number} has no code: {self.line(number)!r}{hint}")

    def check_name(self, text: str) -> None:
        """Raise UsageError if no register, value, memory, binding or semantic has this name."""
        self._names.check(text)

    def lens(self, place: str, line: int, iteration: int | None = None) -> Lens:
        """Return a lens that the next calls fill: a place after a line, in every lane.

        Args:
            place: A register, value or variable of the source, or components: `r0`, `r0.xyz`,
                `%12`, `colour.x`.
            line: The line of the listing.
            iteration: The iteration of the innermost loop around the line, from 1; None for the
                last one of each lane.

        Raises:
            UsageError: There is no such place, or the line has no code.
        """
        self.check_name(place)
        self.check_line(line)
        turn: object = iteration
        if turn is not None and (not isinstance(turn, int) or turn < 1):
            raise UsageError(f"iteration: expected 1 or more, got {shown(iteration)}")
        recorder = PlaceRecorder(self.lowered.kernel, place, line, iteration, self.places)
        if not recorder.components:
            reason = "expected a register, a value or a variable"
            raise UsageError(f"{reason}, got {place!r:.40}, a place in a memory")
        made = Lens(place, recorder)
        self.lenses.append(made)
        return made

    @cached_property
    def _names(self) -> Names:
        rows = *self.inputs, *self.outputs, *self.patch_constants
        labels = [row.label for row in rows]
        return Names(self.lowered.kernel, self.bindings, labels, self.places)

    @cached_property
    def files(self) -> Files:
        """The source files that the program refers to."""
        return Files(self.lowered.kernel, self.lowered.sources)

    # ------------------------------------------------------------ running

    def shade(
        self,
        where: Any,
        inputs: Mapping[Any, Any] | None = None,
        bound: Mapping[Any, Any] | None = None,
        /,
        *,
        samples: Any = None,
        origin: Any = None,
        mask: Any = None,
        **bindings: Any,
    ) -> "Results":
        """Run a pixel shader over a grid or over rows of inputs; see `Kernel.shade`."""
        options = {"samples": samples, "origin": origin, "mask": mask}
        found = super().shade(where, inputs, bound, **options, **bindings)
        if not isinstance(where, Mapping | int):
            width, height = where
            self._last = int(width) - 1, int(height) - 1
        return found

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        self.lanes = lanes
        watchers: list[Watcher] = []
        checks = Checks(self._registers, self.places) if self.checks else None
        races = Races(self.places) if self.checks else None
        watchers += [each for each in (checks, races, self.coverage, self.writers) if each]
        watchers += [each._watching(code) for each in self.lenses]
        wanted = self._wanted(launch, lanes)
        part, places = launch, None
        if self.alone and not watchers and self.thread is not None and can_narrow(code):
            if not wanted:
                return Report(self.lockstep.name)
            part, places = narrowed(code, launch, wanted)
        for lane in wanted:
            other = engine_log(self.shows, code, launch, lanes, lane) if self.shows else None
            thread = lanes.thread(lane)
            self._traces.pop(thread, None)  # the last one is the last that ran
            number = lane if places is None else int(np.searchsorted(places, lane))
            self._traces[thread] = Trace(number, self.places, replayed=other)
            watchers.append(self._traces[thread])
        try:
            report = self.lockstep.run(code, part, Watchers(watchers))
            if places is not None:
                restore(launch, part, places)
            return report
        except BudgetError as error:
            if places is not None and error.lane >= 0:
                error.lane = int(places[error.lane])
            raise
        finally:
            for lens in self.lenses:
                lens._take(launch, lanes)
            for each in (checks, races):
                for finding in each.findings if each is not None else ():
                    self._found(finding, lanes)

    def _wanted(self, launch: Launch, lanes: Lanes) -> list[int]:
        """Return the lanes of this call that are to be traced."""
        if lanes.count:
            self._last = lanes.thread(lanes.count - 1)
        if self.thread is None:
            return []
        if not isinstance(lanes, PixelLanes):
            lane = lanes.lane(self.thread)
            return [] if lane is None else [lane]
        found = lanes.lanes(self.thread)
        if launch.helpers is not None:
            found = found[~launch.helpers[found]]
        return [int(each) for each in found[:FRAGMENTS]]

    def _found(self, finding: Finding, lanes: Lanes) -> None:
        thread = lanes.thread(finding.lane)
        other = lanes.thread(finding.other_lane) if finding.other_lane >= 0 else None
        found = ThreadFinding(
            finding, thread, self.who(thread), self.line(finding.line), other,
            self.who(other) if other is not None else "", self.line(finding.other_line),
        )  # fmt: skip
        for frame in found.frames[:1]:
            found.source = self.files.text(frame.file, frame.line)
        for each in self.findings:
            known = each.finding
            if (known.kind, known.line, known.name, known.other_line) == (
                finding.kind, finding.line, finding.name, finding.other_line,
            ):  # fmt: skip
                known.count += finding.count
                return
        if finding.kind in FIRST and any(each.kind == finding.kind for each in self.findings):
            return
        self.findings.append(found)
