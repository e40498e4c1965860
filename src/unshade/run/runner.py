"""A program that can be called: bindings by name, arrays in and out.

dispatch(groups, **bindings)            compute and mesh shaders
shade(size or inputs, **bindings)       pixel shaders
transform(inputs, **bindings)           vertex shaders
expand(inputs, **bindings)              geometry shaders
tessellate(inputs, **bindings)          hull shaders
evaluate(points, control_points, patch_constants, **bindings)        domain shaders
call(arguments, **bindings)             functions of libraries
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..vm.launch import Launch, Report
from ..vocab.words import DISPATCHED, Stage, a_shader
from .binding.arguments import Arguments, Results
from .binding.children import Bindings as Bound
from .binding.children import joined
from .executable import Executable
from .stages.groups import GroupOutputs, group_counts
from .stages.lanes import ThreadLanes

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


class Runner(Executable):
    """A program to be called.

    `bindings` lists what it needs, `engine` names its engine, and `report` describes the last call.
    `budget` limits the iterations of loops. `progress` is called with (done, total) pixels while a
    grid is shaded. `title` names it in errors where several kernels work together.
    """

    def dispatch(
        self, groups: int | tuple[int, ...], bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Run a compute or mesh shader over a number of thread groups along x, y and z.

        Return the writable bindings by label and by name. What is bound as a writable NumPy array
        is also written in place, if it is strided too. A mesh shader also returns its vertices and
        the attributes of its primitives by semantic, group after group; `primitives` has the vertex
        numbers of each primitive (0xffffffff for a vertex that its group does not output),
        `sources` the group of each vertex. In every call, `bound` has more bindings, by name or by
        slot.

        Raises:
            UsageError: The program is of another stage; `groups` is not one to three integers from
                0 to 65535; a binding is missing or unknown, or its value does not fit.
            LimitError: The call has more than 2^31 lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
        """
        self._is(Stage.COMPUTE, "dispatch")
        three = group_counts(groups)
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

        Raises:
            UsageError: The program is of another stage; an input or a binding is missing or
                unknown, or its value does not fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
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
        0 to 1 over the grid. Sizes and positions are (width, height) and (x, y), arrays are
        (height, width, components): a grid of (640, 480) gives arrays of shape (480, 640, 4).
        Without a grid, each row of the arrays is a pixel by itself, so derivatives are 0. `covered`
        of the result is False for discarded pixels.

        A shader that asks for its sample runs for each sample of a pixel; its results, and the
        inputs that differ, have an axis of samples after the width.

        An input that a shader reads at the vertices of the primitive (GetAttributeAtVertex,
        PerVertexKHR) is an array with an axis of three vertices before the components, or one by
        vertex: `COLOR[2]`.

        Where a shader evaluates an input at another place of the pixel (InterpolateAtOffset,
        EvaluateAttributeAtSample), a grid extrapolates it by the differences over the quad, since
        arrays do not say which triangle a pixel is in; `raster.draw` interpolates it exactly.

        Args:
            where: The size of the grid, (width, height), or inputs by semantic.
            inputs: Inputs by semantic for a grid.
            bound: Bindings by name or slot.
            samples: Samples of a pixel; replaces the attribute for this call.
            origin: The pixel (x, y) that the grid begins at.
            mask: The pixels that are covered: an array (height, width) of truth values, or of the
                bits of their samples, or (height, width, samples) of truth values. Others are
                helper lanes, which only derivatives see.
            bindings: Bindings by name. If the shader has a binding called samples, origin or mask,
                this is what the argument of that name is.

        Raises:
            UsageError: The program is of another stage; an input has another shape or type, a grid
                and rows are both given, or a binding is missing or unknown, or its value does not
                fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
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

        Raises:
            UsageError: The program is of another stage; an input or a binding is missing or
                unknown, or its value does not fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
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

        Raises:
            UsageError: The program is of another stage; an input or a binding is missing or
                unknown, or its value does not fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
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

        Raises:
            UsageError: The program is of another stage; the points are not of the domain, the
                numbers of patches differ, an input is missing or has another shape or type, or a
                binding is missing or unknown, or its value does not fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
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
        their length as another axis, structures are structured arrays, or a dict of members for
        each. A value without the axis of calls is the same for all; if all are, so are the results.
        Return `result`, and parameters that the function writes by name.

        Raises:
            UsageError: The program is of another stage; an input or a binding is missing or
                unknown, or its value does not fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
        """
        from .stages.functions import call

        self._is(Stage.LIBRARY, "call")
        return call(self, arguments, joined(bound, bindings))

    def _is(self, stage: Stage, method: str) -> None:
        other, _ = CALLS.get(self.stage, ("", ""))
        if other != method:
            hint = f"; use {other}()" if other else ""
            raise UsageError(
                f"{method}(): expected {a_shader(stage)}, got {a_shader(self.stage)}{hint}"
            )
