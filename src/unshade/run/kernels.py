"""A program that can be called: bindings by name, arrays in and out.

dispatch(groups, **bindings)            compute shaders
shade(size or inputs, **bindings)       pixel shaders
transform(inputs, **bindings)           vertex shaders
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BudgetError, UnshadeError, UnsupportedError, UsageError
from ..ir.kernel import Kernel as Code
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Lowered
from ..model import Reflection
from ..vm.launch import BUDGET, Launch, Report
from ..vm.prepare import prepare
from . import engines
from .arguments import Arguments, Results, element_dtype
from .bindings import Binding, bindings_of
from .lanes import Lanes, Threads, thread_name
from .layout import near
from .signature import Signature, signature_of

if TYPE_CHECKING:
    from ..shader import Shader
    from ..vm.lockstep.debug import Coverage
    from .debugger import Debugger

States = tuple[tuple[tuple[str, TextureState], ...], tuple[tuple[str, SamplerState], ...]]


def open_kernel(
    shader: "Shader",
    program: int,
    entry: str | None,
    engine: str,
    fast: bool,
    options: Mapping[str, Any],
) -> "Kernel":
    """The kernel of a shader's program."""
    chosen = chosen_program(shader, program, entry)
    lower = getattr(chosen, "lower", None)
    if lower is None:
        raise UnsupportedError(f"programs of {shader.format} cannot be run yet")
    try:
        reflection: Reflection | None = shader.reflect()
    except UnshadeError:  # runs without names, too
        reflection = None
    known = signature(lower).parameters
    for name in options:
        if name not in known:
            raise UsageError(f"programs of {shader.format} take no option {name}")
    return Kernel(lower(**options), reflection, engines.choose(engine, fast))


def chosen_program(shader: "Shader", program: int, entry: str | None) -> Any:
    """One program; UsageError lists what there is."""
    programs = shader.programs
    if not programs:
        raise UnsupportedError(f"this {shader.format} holds no program that could be run")
    if not 0 <= program < len(programs):
        raise UsageError(f"program {program} of {len(programs)}: they count from 0")
    found = programs[program]
    names = [name for name, _ in found.entry_points]
    if entry is not None and entry not in names:
        raise UsageError(f"program {program} has no entry point {entry!r}{near(entry, names)}")
    if entry is None and len(names) > 1:
        raise UsageError(f"program {program} has several entry points: {', '.join(names)}")
    return found


class Kernel:
    """A program to be called.

    `bindings` says what it wants, `engine` what runs it; `report` tells of the last call. `budget`
    bounds the iterations of loops. `progress` is called with (done, total) pixels while a grid is
    shaded.
    """

    def __init__(
        self, lowered: Lowered, reflection: Reflection | None, engine: engines.Engine
    ) -> None:
        self.lowered = lowered
        self.reflection = reflection
        self.bindings: list[Binding] = bindings_of(lowered, reflection)
        self.report: Report | None = None
        self.budget = BUDGET
        self.progress: Callable[[int, int], None] | None = None
        self._engine = engine
        self._prepared: dict[States, Code] = {}

    # ------------------------------------------------------------ what it is

    @property
    def engine(self) -> str:
        """The name of what runs it."""
        return self._engine.name

    @property
    def stage(self) -> str:
        """A word of `model.Stage`."""
        return self.lowered.kernel.stage

    @property
    def group(self) -> tuple[int, int, int]:
        """Threads of a thread group."""
        return self.lowered.kernel.group

    @property
    def listing(self) -> list[str]:
        """The lines that reports and traces speak of, from line 1."""
        return self.lowered.lines

    @cached_property
    def inputs(self) -> Signature:
        """What a vertex or pixel is given."""
        rows = self.reflection.inputs if self.reflection else []
        return signature_of(self.lowered.kernel.inputs, rows, self.stage)

    @cached_property
    def outputs(self) -> Signature:
        """What a vertex or pixel gives."""
        rows = self.reflection.outputs if self.reflection else []
        return signature_of(self.lowered.kernel.outputs, rows, self.stage)

    def binding(self, name: str) -> Binding:
        """One binding by register or name."""
        names = {each: binding for binding in self.bindings for each in binding.names}
        if name not in names:
            raise UsageError(f"nothing is called {name!r}{near(name, names)}")
        return names[name]

    def dtype(self, name: str) -> np.dtype[Any]:
        """The NumPy dtype of a constant buffer, or of an element of a structured buffer."""
        return element_dtype(self.binding(name))

    def __repr__(self) -> str:
        names = ", ".join(each.where for each in self.bindings)
        return f"<Kernel: {self.stage}, {self.engine}, binds {names or 'nothing'}>"

    # ------------------------------------------------------------ calls

    def dispatch(self, groups: int | tuple[int, ...], /, **bindings: Any) -> Results:
        """Run a compute shader: so many thread groups along x, y and z.

        Gives the writable bindings, by register and by name; arrays that allow it are also
        written in place.
        """
        self._is("compute", "dispatch")
        three = _three(groups)
        arguments = Arguments(self.bindings, bindings)
        self.report = Report(self.engine)
        launch = Launch(arguments.memories, groups=three, budget=self.budget)
        self.launch(arguments, launch, Threads(self.group, three))
        return arguments.finish()

    def transform(self, inputs: Mapping[str, Any] | int, /, **bindings: Any) -> Results:
        """Run a vertex shader over arrays, a row a vertex, by semantic; or over so many vertices
        where it takes nothing but their numbers.

        Vertex numbers count from 0 and instance numbers are 0 unless they are given.
        """
        from .stages import transform

        self._is("vertex", "transform")
        return transform(self, inputs, bindings)

    def shade(
        self, where: Any, inputs: Mapping[str, Any] | None = None, /, **bindings: Any
    ) -> Results:
        """Run a pixel shader: over a grid of (width, height), or over arrays of inputs.

        On a grid the position is that of each pixel's centre, and what `inputs` does not give by
        semantic runs from 0 to 1 over the grid; arrays of inputs are (height, width, components).
        Without a grid the pixels are rows of the arrays, and each stands alone: derivatives are 0.
        `covered` of the result is False where a pixel was discarded.
        """
        from .stages import shade

        self._is("pixel", "shade")
        return shade(self, where, inputs, bindings)

    def debug(
        self,
        thread: int | tuple[int, ...] | None = None,
        *,
        checks: bool = True,
        coverage: "Coverage | None" = None,
    ) -> "Debugger":
        """The same kernel, run in lockstep and looked at.

        `thread` is what to trace: of a dispatch, or a pixel (x, y), or the number of a row.
        """
        from .debugger import Debugger

        return Debugger(self, thread, checks=checks, coverage=coverage)

    def launch(self, arguments: Arguments, launch: Launch, lanes: Lanes) -> Report:
        """Run what was prepared for these arguments; adds to `report`."""
        try:
            report = self._run(self.code(arguments), launch, lanes)
        except BudgetError as error:
            if error.lane >= 0:
                error.where += f" for thread {thread_name(lanes.thread(error.lane))}"
            raise
        if self.report is None:
            self.report = Report(self.engine)
        total = self.report
        total.lanes += report.lanes
        total.discarded += report.discarded
        for name, count in report.out_of_bounds.items():
            total.out_of_bounds[name] = total.out_of_bounds.get(name, 0) + count
        return total

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        return self._engine.run(code, launch)

    def code(self, arguments: Arguments) -> Code:
        """The kernel for the states of these textures and samplers."""
        states = tuple(arguments.textures.items()), tuple(arguments.samplers.items())
        found = self._prepared.get(states)
        if found is None:
            found = prepare(
                self.lowered, arguments.textures, arguments.samplers, simplified=self._simplified
            )
            self._prepared[states] = found
        return found

    _simplified = True

    def _is(self, stage: str, method: str) -> None:
        if self.stage != stage:
            right = {"compute": "dispatch", "pixel": "shade", "vertex": "transform"}
            other = right.get(self.stage)
            hint = f": use {other}()" if other else ""
            raise UsageError(f"{method}() runs {stage} shaders, this is a {self.stage} one{hint}")


def _three(groups: int | tuple[int, ...]) -> tuple[int, int, int]:
    given: Any = (groups,) if isinstance(groups, int | np.integer) else tuple(groups)
    if not 1 <= len(given) <= 3 or not all(isinstance(n, int | np.integer) for n in given):
        raise UsageError(f"groups are one to three numbers, not {groups!r:.40}")
    x, y, z = (*(int(n) for n in given), 1, 1)[:3]
    if min(x, y, z) < 0 or max(x, y, z) > 65535:
        raise UsageError(f"0 to 65535 groups along each axis, not {groups!r:.40}")
    return x, y, z
