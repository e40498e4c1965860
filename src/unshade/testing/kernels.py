"""Kernels that record their last call, so that a failure can be explained; and the type of the
fixture `shader`, which opens them.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from os import PathLike
from typing import Any, Protocol

import numpy as np

from ..errors import LimitError, UnshadeError
from ..ir.lowered import Form
from ..run.binding.children import Bindings as Bound
from ..run.binding.results import Results
from ..run.debugging import trace_view
from ..run.debugging.debugger import Debugger
from ..run.execution import Execution
from ..run.frame import Frame
from ..run.kernels import Kernel
from ..run.stages.patches import Patches
from ..screens.text import visible
from ..shader import Shader
from ..vm.lockstep.debug import Coverage
from .ulp import Failure

__tracebackhide__ = True  # a failing test is shown from where it calls, not from in here
LAST = 40  # instructions of a trace that are shown


class ShaderFixture(Protocol):
    """The function that the fixture `shader` returns."""

    def __call__(
        self,
        path: str | PathLike[str],
        *,
        program: int = 0,
        entry: str | None = None,
        engine: str = ...,
        fast: bool = False,
        **specialisation: Any,
    ) -> Kernel:
        """Open a kernel of a file.

        Args:
            path: The file, from the folder of the test, from pytest's rootdir, or from where pytest
                was started. A text is assembled.
            program: The index of the program.
            entry: The name of the entry point; required if the program has several.
            engine: `lockstep`, `jit` or `auto`; by default the value of `--shader-engine`.
            fast: As for `unshade.kernel`.
            specialisation: As for `unshade.kernel`: `constants`, `lengths`, `interfaces`, …

        Raises:
            UsageError: The file, program or entry point does not exist, or the program does not
                take an option.
            UnsupportedError: The program cannot be run.
        """


class FrameFixture(Protocol):
    """The function that the fixture `frame` returns."""

    def __call__(self, path: str | PathLike[str]) -> Frame:
        """Open a frame, whose shaders run in the engine of `--shader-engine` and are counted.

        Args:
            path: The YAML file, from the folder of the test, from pytest's rootdir, or from where
                pytest was started.

        Raises:
            UsageError: The file does not exist.
            FormatError: It is not YAML, or a field is invalid.
        """


class RecordingKernel(Kernel):
    """A kernel of a test. With `coverage` it runs in lockstep, and lines are counted.

    They are counted in draws, too, which take the execution of a kernel.
    """

    def __init__(
        self, kernel: Kernel, title: str, shader: Shader, coverage: Coverage | None = None
    ) -> None:
        if coverage is None:
            execution = Execution(kernel.program, kernel.execution.engine)
        else:
            execution = Debugger(kernel, checks=False, coverage=coverage).execution
        super().__init__(execution)
        self.execution.limits = kernel.execution.limits
        self.described = kernel.described
        self.title = title
        self.shader = shader
        self.samples = kernel.samples
        self.coverage = coverage
        self.called: tuple[str, tuple[Any, ...], dict[str, Any]] | None = None
        self.results: Results | None = None

    def dispatch(
        self, groups: int | tuple[int, ...], bound: Bound = None, /, **bindings: Any
    ) -> Results:
        return self._call("dispatch", (groups, bound), bindings)

    def transform(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> Results:
        return self._call("transform", (inputs, bound), bindings)

    def shade(
        self,
        where: Any,
        inputs: Mapping[Any, Any] | None = None,
        bound: Bound = None,
        /,
        *,
        samples: Any = None,
        origin: Any = None,
        mask: Any = None,
        **bindings: Any,
    ) -> Results:
        options = {"samples": samples, "origin": origin, "mask": mask}
        return self._call("shade", (where, inputs, bound), {**options, **bindings})

    def expand(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> Results:
        return self._call("expand", (inputs, bound), bindings)

    def tessellate(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> Patches:
        found = self._call("tessellate", (inputs, bound), bindings)
        assert isinstance(found, Patches)
        return found

    def evaluate(
        self,
        points: Any,
        control_points: Mapping[Any, Any] | None = None,
        patch_constants: Mapping[Any, Any] | None = None,
        bound: Bound = None,
        /,
        **bindings: Any,
    ) -> Results:
        return self._call("evaluate", (points, control_points, patch_constants, bound), bindings)

    def call(
        self,
        arguments: Mapping[Any, Any] | Sequence[Any],
        bound: Bound = None,
        /,
        **bindings: Any,
    ) -> Results:
        return self._call("call", (arguments, bound), bindings)

    def _call(self, method: str, args: tuple[Any, ...], bindings: dict[str, Any]) -> Results:
        self.called = method, deepcopy(args), deepcopy(bindings)
        try:
            if self.coverage is not None:
                debugger = Debugger(self, checks=False, coverage=self.coverage)
                self.results = getattr(debugger, method)(*args, **bindings)
                self.report = debugger.report
            else:
                self.results = getattr(Kernel, method)(self, *args, **bindings)
        except UnshadeError as error:
            raise error.with_traceback(None) from None
        assert self.results is not None
        return self.results

    def again(self, **options: Any) -> Debugger:
        """Repeat the last call in a debugger, within its budget."""
        assert self.called is not None
        method, args, bindings = deepcopy(self.called)
        debugger = Debugger(self, **options)
        with suppress(LimitError):
            getattr(debugger, method)(*args, **bindings)
        return debugger

    def debugged(self, failure: Failure | None) -> tuple[str, Debugger] | None:
        """Repeat the last call, and trace the thread that wrote the number of a failure, if known.

        Return a sentence about the thread, and the debugger; None if nothing was called.
        """
        if self.called is None:
            return None
        place = self.place(failure) if failure is not None else None
        if place is None or failure is None:
            return "", self.again()
        label, thread = place
        if isinstance(thread, str):
            found = self.again(writers=True)
            at = ", ".join(map(str, failure.index))
            lane = self._writer(found, thread, failure)
            if lane is None or found.lanes is None:
                return f"no thread wrote {label}[{at}]", found
            thread = found.lanes.thread(lane)
        debugger = self.again(thread=thread)
        return f"{self.title}, {debugger.who(thread)}, which gave {label}:", debugger

    def page(self, name: str, debugger: Debugger) -> str:
        """Return the page of the shader with the thread that failed, and the coverage so far.

        Without a thread, the thread of the first finding is traced; without a finding, the first.
        """
        from ..report.page import page

        if not debugger.traced and debugger.lanes is not None:
            found = debugger.findings
            thread = found[0].thread if found else debugger.lanes.thread(0)
            debugger = self.again(thread=thread)
        debugger.coverage = self.coverage
        return page(self.shader, name, debugger if debugger.traced else None)

    def place(self, failure: Failure) -> tuple[str, Any] | None:
        """Return the result that was compared: its name, and its thread or binding."""
        for label, array in (self.results or {}).items():
            if not isinstance(array, np.ndarray) or not np.shares_memory(array, failure.actual):
                continue
            element = _element(array, failure)
            binding = next((each for each in self.bindings if label in each.names), None)
            if binding is not None:
                return label, binding.name
            if (
                array.ndim >= 2
                and self.called is not None
                and self.called[0] == "shade"
                and not isinstance(self.called[1][0], Mapping)
            ):
                y, x = np.unravel_index(element // _count(array, 2), array.shape[:2])
                return label, (int(x), int(y))
            return label, self._row(label, array, element)
        return None

    def _row(self, label: str, array: Any, element: int) -> tuple[int, ...]:
        """Return the thread that made a row of a result; for a vertex its primitive, if known."""
        row = element // _count(array, 1)
        method = self.called[0] if self.called is not None else ""
        if method == "evaluate":
            patch, point = np.unravel_index(element // _count(array, 2), array.shape[:2])
            return int(patch), int(point)
        if method == "expand" and self.results is not None:
            prefix = next((each.prefix for each in self.outputs if each.label == label), "")
            sources = self.results[f"{prefix}sources"]
            return (int(sources[row]) if len(sources) == len(array) else 0,)
        return (row,)

    def _writer(self, debugger: Debugger, binding: str, failure: Failure) -> int | None:
        """Return the lane that wrote the number that was compared."""
        assert debugger.writers is not None
        found = next(each for each in self.bindings if each.name == binding)
        assert self.results is not None
        array = self.results[binding]
        element = _element(array, failure)
        if found.form in (Form.TYPED, Form.TEXTURE):
            spatial = len(array.shape) - (array.ndim > _spatial(found))
            word = element // _count(array, spatial) * 4
        else:
            word = element * array.itemsize // 4
        lanes = debugger.writers.lanes.get(found.resource.key)
        if lanes is None or word >= len(lanes) or lanes[word] < 0:
            return None
        return int(lanes[word])


def explained(about: str, debugger: Debugger, chosen: Sequence[int] | None = None) -> Iterator[str]:
    """Yield the trace of a debugger, below the sentence about it, the findings, and printf.

    The entries of the trace with the chosen numbers are shown, by default all. The lines
    of printf are the last of the traced thread, or the first of all threads.
    """
    if about:
        yield about
    lines = [*debugger.report.printed]
    if debugger.traced:
        yield from trace_view.text(trace_view.trace(debugger, chosen, last=LAST))
        mine = [each for each in lines if each.thread == debugger.shown]
        lines, left = mine[-LAST:], len(mine) - LAST
    else:
        lines, left = lines[:LAST], len(lines) - LAST
    yield from trace_view.text(trace_view.findings(debugger))
    if lines:
        yield f"printed{f', {left:,} more lines' if left > 0 else ''}:"
    for each in lines:
        yield f"    {debugger.who(each.thread)}: {visible(each.text, keep=chr(10))}"


def _spatial(binding: Any) -> int:
    from ..run.binding.textures import axes

    return len(axes(binding.resource))


def _count(array: Any, axis: int) -> int:
    """Return the number of elements in one place of the first axes."""
    found = 1
    for size in array.shape[axis:]:
        found *= size
    return found


def _element(array: Any, failure: Failure) -> int:
    """Return the index, in a contiguous array, of a number that was compared through a view."""
    actual = failure.actual
    start = actual.__array_interface__["data"][0] - array.__array_interface__["data"][0]
    steps = sum(at * step for at, step in zip(failure.index, actual.strides, strict=True))
    return int(start + steps) // int(array.itemsize)
