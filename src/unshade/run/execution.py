"""The execution of a program by an engine: its settings, and the report of a call.

    arguments ── code prepared for their textures, samplers and children ── engine ── report

Code is prepared once for each combination of kinds of bindings, and loaded from the cache if it is
stored there (stored.py). A call of the engine adds to the report.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..errors import BudgetError, UsageError
from ..ir.children import Child, expand
from ..ir.kernel import KernelIR as Code
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import SAMPLE_COUNTS, Lowered
from ..ir.specialisation import Specialisation
from ..limits import DEFAULT
from ..vm.launch import BUDGET, Launch, Report
from ..vm.prepare import prepare
from ..vocab.slots import Exchange
from . import engines
from .binding.arguments import Arguments
from .binding.numbers import shown
from .lanes import Lanes, group_counts, thread_name
from .printing import add_printed, memory_of_records
from .program import RunProgram

if TYPE_CHECKING:
    from ..vm.jit.repeated import RepeatedCall

EXCHANGED = frozenset({Exchange.SAMPLE_COUNT, Exchange.UNDEFINED, Exchange.PRINTED})
ALIGNMENT = 16  # bytes, of memories of repeated calls
SMALL = 1 << 31  # bytes, of memories that 32 bits address
Watch = Callable[[Code, Launch, Lanes], Report]
States = tuple[
    Specialisation,
    tuple[tuple[Hashable, TextureState], ...],
    tuple[tuple[Hashable, SamplerState], ...],
    tuple[tuple[Hashable, Child], ...],
]


class Execution:
    """A program, the engine that runs it, and the settings and the report of its calls.

    `budget` limits the iterations of loops, `progress` is called with (done, total) pixels while a
    grid is shaded, `limits` bound what is printed, and `report` describes the last call. `title`
    names the program in errors where several work together. `watch` runs the code in place of the
    engine: it also gets the lanes of the call, and code that is not simplified.
    """

    def __init__(
        self, program: RunProgram, engine: engines.Engine, watch: Watch | None = None
    ) -> None:
        self.program = program
        self.engine = engine
        self.watch = watch
        self.title = ""
        self.report = Report(engine.name)
        self.budget = BUDGET
        self.limits = DEFAULT
        self.progress: Callable[[int, int], None] | None = None
        self.samples = program.declared.specialisation.samples
        self.prepared: dict[States, tuple[Code, Callable[[], Lowered]]] = {}
        self._listed: Callable[[], Lowered] = lambda: program.lowered
        self._lines: tuple[Sequence[str], list[str]] = (), []

    @property
    def listing(self) -> list[str]:
        """The lines that reports and traces refer to, followed by the lines of children."""
        lines = self._listed().lines
        if self._lines[0] is not lines:  # which may be made when they are asked for
            self._lines = lines, [*lines]
        return self._lines[1]

    @property
    def samples(self) -> int:
        """Samples of a pixel of the target: 1, 2, 4, 8 or 16.

        Visible to the shader (sampleinfo, samplepos, SV_Coverage, EvaluateAttributeAtSample), which
        still runs once for each pixel.
        """
        return self._samples

    @samples.setter
    def samples(self, value: int) -> None:
        given: object = value
        if not isinstance(given, int) or given not in SAMPLE_COUNTS:
            *most, last = SAMPLE_COUNTS
            counts = f"{', '.join(map(str, most))} or {last}"
            raise UsageError(f"expected {counts} samples, got {shown(value)}")
        self._samples = value

    @contextmanager
    def with_samples(self, samples: int | None) -> Iterator[None]:
        """Set the number of samples in the block; None leaves it."""
        before = self._samples
        try:
            if samples is not None:
                self.samples = samples
            yield
        finally:
            self._samples = before

    def begin(self) -> None:
        """Begin the report of a call."""
        self.report = Report(self.engine.name)

    def compile(self, arguments: Arguments, groups: int | tuple[int, ...] | None) -> None:
        """Compile the program for these arguments; see `Runner.compile`."""
        code = self.code(arguments)
        flat = group_counts(self.program.group if groups is None else groups)[1:] == (1, 1)
        engines.compile_now(self.engine, code, flat, True)

    def launch(self, arguments: Arguments, launch: Launch, lanes: Lanes) -> Report:
        """Run the kernel prepared for these arguments, and add to `report`."""
        code = self.code(arguments)
        if any(memory.key is Exchange.SAMPLE_COUNT for memory in code.memories):
            word = np.array([self.samples], "<u4").view(np.uint8)
            launch.memories = {**launch.memories, Exchange.SAMPLE_COUNT: word}
        undefined = np.zeros(1, "<u4")
        if any(memory.key is Exchange.UNDEFINED for memory in code.memories):
            counter = undefined.view(np.uint8)
            launch.memories = {**launch.memories, Exchange.UNDEFINED: counter}
        records = None
        if any(memory.key is Exchange.PRINTED for memory in code.memories):
            records = memory_of_records(self.limits)
            launch.memories = {**launch.memories, Exchange.PRINTED: records}
        try:
            watch = self.watch
            report = watch(code, launch, lanes) if watch else self.engine.run(code, launch)
        except BudgetError as error:
            if error.lane >= 0:
                error.where += f" for thread {thread_name(lanes.thread(error.lane))}"
            raise
        self.add(report)
        total = self.report
        total.undefined += int(undefined[0])
        if records is not None:
            add_printed(total, records, self.program.declared, lanes, self.limits)
        return total

    def ready(self, arguments: Arguments) -> "RepeatedCall | None":
        """Return the kernel prepared for these arguments for repeated calls, memories bound.

        None if calls of the engine are needed: its code may still change, or the kernel has
        memories that belong to a call.
        """
        code, memories = self.code(arguments), arguments.memories
        if self.watch is not None or any(each.key in EXCHANGED for each in code.memories):
            return None
        small = all(len(array) < SMALL for array in memories.values())
        found = engines.ready(self.engine, code, small, self.budget)
        if found is None:
            return None
        for key, array in memories.items():
            at = array.__array_interface__["data"][0]
            if at % ALIGNMENT or not array.flags.c_contiguous:
                return None
            found.bind(key, at, array.nbytes)
        return found

    def add(self, report: Report) -> None:
        """Add the report of lanes that ran to that of the call."""
        total = self.report
        total.lanes += report.lanes
        total.discarded += report.discarded
        total.unrepeatable = total.unrepeatable or report.unrepeatable
        for name, count in report.out_of_bounds.items():
            total.out_of_bounds[name] = total.out_of_bounds.get(name, 0) + count

    def code(self, arguments: Arguments) -> Code:
        """Return the kernel prepared for the textures, samplers and children of a call."""
        textures, samplers = tuple(arguments.textures.items()), tuple(arguments.samplers.items())
        children = tuple(arguments.children.items())
        program = self.program
        states = program.declared.specialisation, textures, samplers, children
        found = self.prepared.get(states)
        if found is None:

            @cache
            def whole() -> Lowered:
                return expand(program.lowered, dict(children))

            def make() -> Code:
                simplified = self.watch is None
                return prepare(whole(), dict(textures), dict(samplers), simplified=simplified)

            if program.stored is None or children:
                code = make()
            else:
                code = program.stored.code(textures, samplers, make, program.store)
            found = self.prepared[states] = code, whole
        code, self._listed = found
        return code
