"""A kernel that is looked at: it runs in lockstep, and keeps what was seen.

debugger = kernel.debug((3, 0, 0))
debugger.dispatch(4, a=2.0, X=x, Y=y)
debugger.trace.entries        what thread (3, 0, 0) did
debugger.findings             out of bounds, races, NaN, registers never written
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..ir.kernel import Kernel as Code
from ..ir.lowered import Form
from ..vm.launch import Launch, Report
from ..vm.lockstep import Lockstep
from ..vm.lockstep.debug import Checks, Coverage, Finding, Many, Races, Trace, Writers
from .kernels import Kernel
from .lanes import Lanes, Thread

if TYPE_CHECKING:
    from ..vm.lockstep.engine import Watcher


FIRST = ("nan", "infinity")  # what follows from the first one is not worth telling


@dataclass(slots=True)
class Found:
    """A finding with threads instead of lanes, and the lines it speaks of."""

    finding: Finding
    thread: Thread
    text: str
    other_thread: Thread | None
    other_text: str

    @property
    def kind(self) -> str:
        return self.finding.kind

    @property
    def line(self) -> int:
        return self.finding.line

    def __str__(self) -> str:
        finding = self.finding
        times = f", {finding.count:,} times" if finding.count > 1 else ""
        told = f"{finding.kind}: {finding.message}; thread {name(self.thread)}{times}"
        told += f"\n    line {finding.line}: {self.text}"
        if finding.other_line:
            who = f", thread {name(self.other_thread)}" if self.other_thread else ""
            told += f"\n    line {finding.other_line}: {self.other_text}{who}"
        return told


def name(thread: Thread) -> str:
    """`(3, 0, 0)`, `17`."""
    return str(thread[0]) if len(thread) == 1 else str(thread)


class Debugger(Kernel):
    """Runs what the kernel runs, and keeps `trace`, `findings`, `coverage` and `writers`."""

    _simplified = False

    def __init__(
        self,
        kernel: Kernel,
        thread: int | Sequence[int] | None = None,
        *,
        checks: bool = True,
        coverage: Coverage | None = None,
        writers: bool = False,
    ) -> None:
        engine = Lockstep()
        super().__init__(kernel.lowered, kernel.reflection, engine)
        self.budget = kernel.budget
        self.lockstep = engine
        self.thread: Thread | None = None
        if thread is not None:
            self.thread = (thread,) if isinstance(thread, int) else tuple(thread)
        self.checks = checks
        self.coverage = coverage
        self.writers: Writers | None = Writers() if writers else None
        self.lanes: Lanes | None = None
        self.findings: list[Found] = []
        self._trace: Trace | None = None
        lowered = kernel.lowered
        self._registers = frozenset(var.name for var in lowered.kernel.variables)
        self._raw = frozenset(
            name
            for name, resource in lowered.resources.items()
            if resource.form in (Form.RAW, Form.SHARED) and resource.stride == 4
        )

    @property
    def trace(self) -> Trace:
        """What the thread did; UsageError where there is none such."""
        if self._trace is None or not self._trace.found:
            told = name(self.thread) if self.thread is not None else "none"
            raise UsageError(f"no call had the thread that is to be traced: {told}")
        return self._trace

    def line(self, number: int) -> str:
        """A line of the listing, blanks around it aside."""
        return self.listing[number - 1].strip() if 0 < number <= len(self.listing) else ""

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        self.lanes = lanes
        watchers: list[Watcher] = []
        checks = Checks(self._registers, self._raw) if self.checks else None
        races = Races(self._raw) if self.checks else None
        watchers += [each for each in (checks, races, self.coverage, self.writers) if each]
        lane = lanes.lane(self.thread) if self.thread is not None else None
        if lane is not None:
            self._trace = Trace(lane, self._raw)
            watchers.append(self._trace)
        try:
            return self.lockstep.run(code, launch, Many(watchers))
        finally:
            for each in (checks, races):
                for finding in each.findings if each is not None else ():
                    self._found(finding, lanes)

    def _found(self, finding: Finding, lanes: Lanes) -> None:
        other = lanes.thread(finding.other_lane) if finding.other_lane >= 0 else None
        found = Found(
            finding, lanes.thread(finding.lane), self.line(finding.line), other,
            self.line(finding.other_line),
        )  # fmt: skip
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
