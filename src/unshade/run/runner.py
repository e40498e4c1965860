"""A program that can be called: bindings by name, arrays in and out.

dispatch(groups, **bindings)            compute and mesh shaders
shade(size or inputs, **bindings)       pixel shaders
transform(inputs, **bindings)           vertex shaders
expand(inputs, **bindings)              geometry shaders
tessellate(inputs, **bindings)          hull shaders
evaluate(points, control_points, patch_constants, **bindings)        domain shaders
call(arguments, **bindings)             functions of libraries
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, cached_property
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BudgetError, UsageError
from ..ir.children import Child, expand
from ..ir.kernel import KernelIR as Code
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import SAMPLE_COUNTS, Lowered, Points
from ..ir.specialisation import Specialisation
from ..model import Reflection, SystemValue
from ..vm.launch import BUDGET, Launch, Report
from ..vm.prepare import prepare
from ..vocab.slots import Direction, Exchange, PortSlot, Rate, ResourceSlot
from ..vocab.words import DISPATCHED, Stage
from . import engines
from .binding.arguments import Arguments, Results, element_dtype, names_of, variables
from .binding.bindings import Binding, bindings_of
from .binding.children import Bindable, joined
from .binding.children import Bindings as Bound
from .binding.numbers import shown
from .binding.suggestions import suggestion
from .binding.typical import typical
from .stages.groups import GroupOutputs, group_signature
from .stages.lanes import Lanes, ThreadLanes, thread_name
from .stages.signature import KernelSignature, SignatureRow, signature_of, signature_of_points
from .stored import StoredProgram

if TYPE_CHECKING:
    from .stages.patches import Patches

CALLS = {  # what runs a stage: the method, and the verb of the command line
    **dict.fromkeys(DISPATCHED, ("dispatch", "run")),
    Stage.PIXEL: ("shade", "render"),
    Stage.VERTEX: ("transform", "run"),
    Stage.GEOMETRY: ("expand", "run"),
    Stage.HULL: ("tessellate", "run"),
    Stage.DOMAIN: ("evaluate", "run"),
    Stage.LIBRARY: ("call", "run"),
}
# Inputs of a lane that no array has: they say which instance it is, or which point of which patch.
OWN_PLACES = (
    SystemValue.GS_INSTANCE_ID, SystemValue.DOMAIN_LOCATION, Exchange.PATCH, Exchange.PRIMITIVE,
    Exchange.CENTRE, Exchange.CENTROID,
)  # fmt: skip
States = tuple[
    Specialisation,
    tuple[tuple[Hashable, TextureState], ...],
    tuple[tuple[Hashable, SamplerState], ...],
    tuple[tuple[Hashable, Child], ...],
]


class Runner(Bindable):
    """A program to be called.

    `bindings` lists what it needs, `engine` names its engine, and `report` describes the last call.
    `budget` limits the iterations of loops. `progress` is called with (done, total) pixels while a
    grid is shaded. `title` names it in errors where several kernels work together.
    """

    def __init__(
        self,
        lowered: Lowered | None,
        reflection: Reflection | None,
        engine: engines.Engine,
        stored: StoredProgram | None = None,
    ) -> None:
        """`lowered` may be None if the program is `stored`."""
        self._lowered = lowered
        self._reflection = reflection
        self.stored = stored
        if lowered is not None:
            self.declared = lowered
            self.bindings = bindings_of(lowered, reflection)
        else:
            assert stored is not None
            assert stored.declared is not None
            assert stored.bindings is not None
            self.declared, self.bindings = stored.declared, stored.bindings
        self.report: Report | None = None
        self.budget = BUDGET
        self.title = ""
        self.described: Callable[[], Lowered] = lambda: self.lowered
        self.progress: Callable[[int, int], None] | None = None
        self._engine = engine
        self.samples = self.declared.specialisation.samples
        self._prepared: dict[States, tuple[Code, Callable[[], Lowered]]] = {}
        self._listed: Callable[[], Lowered] = lambda: self.lowered

    # ------------------------------------------------------------ what it is

    @property
    def lowered(self) -> Lowered:
        """The lowered program, which calls do not need if the cache has their code."""
        if self._lowered is None:
            assert self.stored is not None
            self._lowered, self._reflection = self.stored.opened()
        return self._lowered

    @property
    def reflection(self) -> Reflection | None:
        """The reflection of the program, if the file has one."""
        if self._lowered is None and self._reflection is None and self.stored is not None:
            self._reflection = self.stored.reflection()
        return self._reflection

    @property
    def stored_as(self) -> str:
        """The name of its entry in the cache, "" if it has none."""
        return self.stored.stored_as if self.stored is not None else ""

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self._engine.name

    @property
    def stage(self) -> Stage:
        """The stage of the program."""
        return self.declared.kernel.stage

    @property
    def group(self) -> tuple[int, int, int]:
        """Threads of a thread group."""
        return self.declared.kernel.group

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

    @property
    def listing(self) -> list[str]:
        """The lines that reports and traces refer to, from line 1.

        After a call they include the listings of the children that were bound for it.
        """
        return self._listed().lines

    @cached_property
    def inputs(self) -> KernelSignature:
        """The inputs of a vertex, pixel, primitive or patch."""
        rows = self.reflection.inputs if self.reflection else []
        ports = [
            port
            for port in self.declared.kernel.inputs
            if port.slot is None or port.slot.place not in OWN_PLACES
        ]
        points = self.taken
        if points is not None:
            return signature_of_points(points, ports, rows, self.stage)
        return signature_of(ports, rows, self.stage, Direction.INPUT)

    @cached_property
    def outputs(self) -> KernelSignature:
        """The outputs of a vertex, pixel, primitive or patch."""
        rows = self.reflection.outputs if self.reflection else []
        if self.stage is Stage.GEOMETRY:
            return KernelSignature.of(row for stream in self.streams.values() for row in stream)
        vertices = self.declared.points_of(Direction.OUTPUT, Rate.VERTEX)
        if self.stage is Stage.MESH and vertices is not None:
            return group_signature(self, vertices)
        points = self.declared.points_of(Direction.OUTPUT, Rate.CONTROL_POINT)
        if points is not None:
            return signature_of_points(points, (), rows, self.stage)
        return signature_of(self.declared.kernel.outputs, rows, self.stage, Direction.OUTPUT)

    @cached_property
    def streams(self) -> dict[int, KernelSignature]:
        """The outputs of a geometry shader's vertices, by stream."""
        rows = self.reflection.outputs if self.reflection else []
        points = self.declared.streams
        made = {}
        for each in points:
            number = each.slot.stream
            mine = [row for row in rows if row.stream == number]
            found = signature_of(each.ports, mine, self.stage, Direction.OUTPUT)
            if len(points) > 1:
                found = KernelSignature.of(replace(row, stream=number) for row in found)
            made[number] = found
        return made

    @cached_property
    def patch_constants(self) -> KernelSignature:
        """The patch constants: outputs of a hull shader, inputs of a domain shader."""
        rows = self.reflection.patch_constants if self.reflection else []
        points = self.of_patch
        if points is None:
            return KernelSignature()
        return signature_of_points(points, (), rows, self.stage, several=False)

    @property
    def taken(self) -> Points | None:
        """The input vertices or control points of a lane."""
        for rate in (Rate.VERTEX, Rate.CONTROL_POINT):
            points = self.declared.points_of(Direction.INPUT, rate)
            if points is not None:
                return points
        return None

    @property
    def of_patch(self) -> Points | None:
        """The constants of a patch: outputs of a hull shader, inputs of a domain shader."""
        given = Direction.INPUT if self.stage is Stage.DOMAIN else Direction.OUTPUT
        return self.declared.points_of(given, Rate.PATCH)

    @property
    def domain_label(self) -> str:
        """The program's name for the points that a domain shader runs at."""
        return self.declared.labels.get(SystemValue.DOMAIN_LOCATION, SystemValue.DOMAIN_LOCATION)

    def input(self, name: str | PortSlot) -> SignatureRow | None:
        """Return an input by semantic, those of the patch included; None without one."""
        of_patch = [self.patch_constants] if self.stage is Stage.DOMAIN else []
        for rows in (self.inputs, *of_patch):
            try:
                return rows.find(name)
            except UsageError:
                continue
        return None

    def binding(self, name: str | ResourceSlot) -> Binding:
        """Return a binding by the program's label, name or slot."""
        keys = {each: binding for binding in self.bindings for each in binding.keys}
        if name not in keys:
            raise UsageError(f"unknown name {name!r}{suggestion(str(name), names_of(keys))}")
        return keys[name]

    def dtype(self, name: str | ResourceSlot, length: int = 0) -> np.dtype[Any]:
        """Return the NumPy dtype of a constant buffer, or of an element of a structured buffer.

        For a raw buffer that is a block, return the dtype of the block; if it ends in an unbounded
        array, that has `length` elements.
        """
        return element_dtype(self.binding(name), length)

    def __repr__(self) -> str:
        names = ", ".join(each.where for each in self.bindings)
        return f"<Kernel: {self.stage}, {self.engine}, binds {names or 'nothing'}>"

    def compile(
        self,
        bound: Bound = None,
        /,
        *,
        groups: int | tuple[int, ...] | None = None,
        **bindings: Any,
    ) -> None:
        """Compile the program now instead of in the first call, and put it into the cache.

        Code depends on the kinds of textures, samplers and children, not on any numbers. What is
        not given is of the usual kind: a texture of 32-bit components without smaller levels, a
        linear sampler. Engines that do not compile do nothing.

        Args:
            bound: Bindings by name or slot, as in the calls to come.
            groups: Thread groups, as in the calls to come: for those along one axis there is code
                of its own. By default they have the axes that a group has.
            bindings: More bindings, by name.

        Raises:
            UnsupportedError: The engine is `jit`, and cannot compile the program.
        """
        code = self.code(Arguments(self.bindings, typical(self.bindings, joined(bound, bindings))))
        flat = _three(self.group if groups is None else groups)[1:] == (1, 1)
        engines.compile_now(self._engine, code, flat, True)

    # ------------------------------------------------------------ calls

    def dispatch(
        self, groups: int | tuple[int, ...], bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Run a compute or mesh shader over a number of thread groups along x, y and z.

        Return the writable bindings by label and by name; contiguous writable arrays are also
        written in place. A mesh shader also returns its vertices and the attributes of its
        primitives by semantic, group after group; `primitives` has the vertex numbers of each
        primitive (0xffffffff for a vertex that its group does not output), `sources` the group of
        each vertex. In every call, `bound` has more bindings, by
        name or by slot.
        """
        self._is(Stage.COMPUTE, "dispatch")
        three = _three(groups)
        arguments = Arguments(self.bindings, joined(bound, bindings))
        self.report = Report(self.engine)
        given = GroupOutputs(self, prod(three))
        memories = {**arguments.memories, **given.memories}
        launch = Launch(memories, groups=three, budget=self.budget)
        lanes = ThreadLanes(self.group, three, quads=self.declared.kernel.quads)
        self.launch(arguments, launch, lanes)
        return given.added(arguments.finish())

    def transform(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Run a vertex shader over arrays by semantic, with one row for each vertex.

        For a shader without such inputs, `inputs` is the number of vertices. Vertex numbers count
        from 0 and instance numbers are 0, unless they are among the inputs.
        """
        from .stages.vertices import transform

        self._is(Stage.VERTEX, "transform")
        return transform(self, inputs, joined(bound, bindings))

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
        """Run a pixel shader: over a grid of (width, height), or over arrays of inputs.

        On a grid, the position is the centre of each pixel, and inputs that are not given run from
        0 to 1 over the grid; arrays of inputs are (height, width, components). Without a grid,
        each row of the arrays is a pixel by itself, so derivatives are 0. `covered` of the result
        is False for discarded pixels.

        A shader that asks for its sample runs for each sample of a pixel; its results, and the
        inputs that differ, have an axis of samples after the width.

        Args:
            where: The size of the grid, or inputs by semantic.
            inputs: Inputs by semantic for a grid.
            bound: Bindings by name or slot.
            samples: Samples of a pixel; replaces the attribute for this call.
            origin: The pixel (x, y) that the grid begins at.
            mask: The pixels that are covered: an array (height, width) of truth values, or of the
                bits of their samples, or (height, width, samples) of truth values. Others are
                helper lanes, which only derivatives see.
            bindings: Bindings by name. If the shader has a binding called samples, origin or mask,
                this is what the argument of that name is.
        """
        from .stages.grid import shade

        self._is(Stage.PIXEL, "shade")
        options = {"samples": samples, "origin": origin, "mask": mask}
        for name, value in options.items():
            if value is not None and self._binds(name):
                bindings[name], options[name] = value, None
        with self.with_samples(options.pop("samples")):
            return shade(self, where, inputs, joined(bound, bindings), **options)

    def expand(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Run a geometry shader over arrays (primitives, vertices, components) by semantic.

        For a shader without such inputs, `inputs` is the number of primitives. Return the vertices
        by semantic, in the order of emission, and `primitives`, the points, lines or triangles
        that they form; `strips` is the first vertex of each strip, `sources` the input primitive
        of each vertex. With several streams, the stream is a prefix of each name: `m1:POSITION`.
        """
        from .stages.primitives import expand

        self._is(Stage.GEOMETRY, "expand")
        return expand(self, inputs, joined(bound, bindings))

    def tessellate(
        self, inputs: Mapping[Any, Any] | int, bound: Bound = None, /, **bindings: Any
    ) -> "Patches":
        """Run a hull shader over arrays (patches, control points, components) by semantic.

        Return `control_points` and `patch_constants`, which include the tessellation factors, both
        by semantic. The result can also be indexed by the semantics of both.
        """
        from .stages.patches import tessellate

        self._is(Stage.HULL, "tessellate")
        return tessellate(self, inputs, joined(bound, bindings))

    def evaluate(
        self,
        points: Any,
        control_points: Mapping[Any, Any] | None = None,
        patch_constants: Mapping[Any, Any] | None = None,
        bound: Bound = None,
        /,
        **bindings: Any,
    ) -> Results:
        """Run a domain shader at points of each patch.

        Points are an array (points, 2 or 3), the same for all patches, or (patches, points, 2 or
        3). By semantic, control points are arrays (patches, control points, components), patch
        constants (patches, components), and results (patches, points, components).
        """
        from .stages.patches import evaluate

        self._is(Stage.DOMAIN, "evaluate")
        return evaluate(self, points, control_points, patch_constants, joined(bound, bindings))

    def call(
        self, arguments: Mapping[Any, Any] | Sequence[Any], bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Call a function of a library for each row of its arguments.

        Arguments are arrays by the name of the parameter, or a list of them in order: (calls,) for
        numbers, (calls, components) for vectors, (calls, rows, columns) for matrices; arrays have
        their length as another axis, structures are structured arrays. A value without the axis of
        calls is the same for all; if all are, so are the results. Return `result`, and parameters
        that the function writes by name.
        """
        from .stages.functions import call

        self._is(Stage.LIBRARY, "call")
        return call(self, arguments, joined(bound, bindings))

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
        try:
            report = self._run(code, launch, lanes)
        except BudgetError as error:
            if error.lane >= 0:
                error.where += f" for thread {thread_name(lanes.thread(error.lane))}"
            raise
        if self.report is None:
            self.report = Report(self.engine)
        total = self.report
        total.lanes += report.lanes
        total.discarded += report.discarded
        total.undefined += int(undefined[0])
        for name, count in report.out_of_bounds.items():
            total.out_of_bounds[name] = total.out_of_bounds.get(name, 0) + count
        return total

    def _run(self, code: Code, launch: Launch, lanes: Lanes) -> Report:
        return self._engine.run(code, launch)

    def code(self, arguments: Arguments) -> Code:
        """Return the kernel prepared for the textures, samplers and children of a call."""
        textures, samplers = tuple(arguments.textures.items()), tuple(arguments.samplers.items())
        children = tuple(arguments.children.items())
        states = self.declared.specialisation, textures, samplers, children
        found = self._prepared.get(states)
        if found is None:

            @cache
            def whole() -> Lowered:
                return expand(self.lowered, dict(children))

            def make() -> Code:
                return prepare(whole(), dict(textures), dict(samplers), simplified=self._simplified)

            if self.stored is None or children:
                code = make()
            else:
                code = self.stored.code(textures, samplers, make, self._store)
            found = self._prepared[states] = code, whole
        code, self._listed = found
        return code

    _simplified = True

    def _store(self) -> None:
        """Store the program, now that some of its code is stored."""
        if self.stored is not None and self.stored.declared is None:
            self.stored.store(self.lowered, self.bindings, self.reflection)

    def _binds(self, name: str) -> bool:
        """Return whether a binding, or a variable of a constant buffer, has this name."""
        names = {each for binding in self.bindings for each in binding.names}
        return name in names or name in variables(self.bindings)

    def _is(self, stage: Stage, method: str) -> None:
        other, _ = CALLS.get(self.stage, ("", ""))
        if other != method:
            hint = f"; use {other}()" if other else ""
            raise UsageError(f"{method}(): expected {_a(stage)}, got {_a(self.stage)}{hint}")


def _a(stage: Stage) -> str:
    return "a function" if stage is Stage.LIBRARY else f"a {stage} shader"


def _three(groups: int | tuple[int, ...]) -> tuple[int, int, int]:
    try:
        given = [index(each) for each in (groups if np.iterable(groups) else [groups])]
    except TypeError:
        given = []
    if not 1 <= len(given) <= 3:
        raise UsageError(f"groups: expected one to three integers, got {shown(groups)}")
    x, y, z = [*given, 1, 1][:3]
    if min(x, y, z) < 0 or max(x, y, z) > 65535:
        raise UsageError(f"groups: expected 0 to 65535 along each axis, got {shown(groups)}")
    return x, y, z
