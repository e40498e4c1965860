"""A program that can be called: bindings by name, arrays in and out.

dispatch(groups, **bindings)            compute and mesh shaders
shade(size or inputs, **bindings)       pixel shaders
transform(inputs, **bindings)           vertex shaders
expand(inputs, **bindings)              geometry shaders
tessellate(inputs, **bindings)          hull shaders
evaluate(points, control_points, patch_constants, **bindings)        domain shaders
call(arguments, **bindings)             functions of libraries
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np

from ..errors import UsageError
from ..ir.lowered import Lowered
from ..ir.types import Widths
from ..model import Reflection
from ..notebook import Shown
from ..vm.launch import Report
from ..vocab.slots import PortSlot, ResourceSlot
from ..vocab.words import DISPATCHED, Stage, a_shader
from .binding.arguments import Arguments, element_dtype
from .binding.bindings import Binding
from .binding.buffers import packed
from .binding.children import Bindings as Bound
from .binding.children import BoundKernel, joined
from .binding.results import Results
from .binding.typical import typical
from .execution import Execution
from .lanes import group_counts
from .signature import KernelSignature, SignatureRow
from .stages.groups import dispatch

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


class Runner(Shown):
    """A program to be called.

    `bindings` lists the resources to bind, `engine` names the engine, and `report` describes the
    last call. `budget` limits the iterations of loops. `progress` is called with (done, total)
    pixels while a grid is shaded. `title` names it in errors where several kernels work together.
    """

    drawn_in = ".screens.execution"
    drawn_by = "kernel"

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.program = execution.program
        self.bindings: list[Binding] = self.program.bindings
        self.described: Callable[[], Lowered] = lambda: execution.program.lowered
        self.flushing: Callable[[Widths], Self] | None = None  # the kernel with other flushing

    def __copy__(self) -> Self:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.execution = copy(self.execution)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # a program: calls do not change it

    def __reduce__(self) -> NoReturn:
        raise UsageError(
            "a kernel cannot be pickled: pickle the bytes of its shader, and make a kernel of them"
            " by unshade.kernel(unshade.loads(data)); its machine code is in the cache"
        )

    def __repr__(self) -> str:
        names = ", ".join(each.where for each in self.bindings)
        return f"<Kernel: {self.stage}, {self.engine}, binds {names or 'nothing'}>"

    # ---------------------------------------------------------------- the program

    @property
    def engine(self) -> str:
        """The name of the engine."""
        return self.execution.engine.name

    @property
    def listing(self) -> list[str]:
        """The lines that reports and traces refer to, from line 1.

        After a call they include the listings of the children that were bound for it.
        """
        return self.execution.listing

    @property
    def ir(self) -> str:
        """The program as engines run it, as text: the form may change with any version."""
        from ..ir.printing import print_kernel

        return print_kernel(self.lowered.kernel)

    @property
    def lowered(self) -> Lowered:
        """The lowered program, which calls do not need if the cache has their code."""
        return self.program.lowered

    @property
    def reflection(self) -> Reflection | None:
        """The reflection of the program, if the file contains one."""
        return self.program.reflection

    @property
    def stored_as(self) -> str:
        """The name of the program's entry in the cache, "" if it is not cached."""
        return self.program.stored_as

    @property
    def stage(self) -> Stage:
        """The stage of the program."""
        return self.program.stage

    @property
    def group(self) -> tuple[int, int, int]:
        """Threads of a thread group."""
        return self.program.group

    @property
    def samples(self) -> int:
        """Samples of a pixel of the target: 1, 2, 4, 8 or 16.

        Visible to the shader (sampleinfo, samplepos, SV_Coverage, EvaluateAttributeAtSample), which
        still runs once for each pixel.
        """
        return self.execution.samples

    @samples.setter
    def samples(self, value: int) -> None:
        self.execution.samples = value

    @property
    def inputs(self) -> KernelSignature:
        """The inputs of a vertex, pixel, primitive or patch."""
        return self.program.inputs

    @property
    def outputs(self) -> KernelSignature:
        """The outputs of a vertex, pixel, primitive or patch."""
        return self.program.outputs

    @property
    def streams(self) -> dict[int, KernelSignature]:
        """The outputs of a geometry shader's vertices, by stream."""
        return self.program.streams

    @property
    def patch_constants(self) -> KernelSignature:
        """The patch constants: outputs of a hull shader, inputs of a domain shader."""
        return self.program.patch_constants

    @property
    def report(self) -> Report:
        """The report of the last call."""
        return self.execution.report

    @report.setter
    def report(self, value: Report) -> None:
        self.execution.report = value

    @property
    def title(self) -> str:
        """The name of the program in errors where several kernels work together."""
        return self.execution.title

    @title.setter
    def title(self, value: str) -> None:
        self.execution.title = value

    @property
    def budget(self) -> int:
        """Iterations of loops that a call runs at most."""
        return self.execution.budget

    @budget.setter
    def budget(self, value: int) -> None:
        self.execution.budget = value

    @property
    def progress(self) -> Callable[[int, int], None] | None:
        """The function called with (done, total) pixels while a grid is shaded."""
        return self.execution.progress

    @progress.setter
    def progress(self, value: Callable[[int, int], None] | None) -> None:
        self.execution.progress = value

    # ---------------------------------------------------------------- calls

    def dispatch(
        self, groups: int | tuple[int, ...], bound: Bound = None, /, **bindings: Any
    ) -> Results:
        """Run a compute or mesh shader over a number of thread groups along x, y and z.

        Return the writable bindings by label and by name. A binding that is a writable NumPy array
        is also written in place, even if it is strided. A mesh shader also returns its vertices and
        the attributes of its primitives by semantic, group after group; `primitives` contains the
        vertex numbers of each primitive (0xffffffff for a vertex that its group does not output),
        `sources` the group of each vertex. In every call, `bound` contains additional bindings, by
        name or by slot.

        Raises:
            UsageError: The program is of another stage; `groups` is not one to three integers from
                0 to 65535; a binding is missing or unknown, or its value does not fit.
            LimitError: The call has more than 2^31 lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
        """
        _check(self.stage, Stage.COMPUTE, "dispatch")
        return dispatch(self.execution, group_counts(groups), joined(bound, bindings))

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

        _check(self.stage, Stage.VERTEX, "transform")
        return transform(self.execution, inputs, joined(bound, bindings))

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
        Without a grid, each row of the arrays is a separate pixel, so derivatives are 0; for a
        shader without inputs, `where` may be the number of such pixels. `covered` of the result is
        False for discarded pixels.

        A shader with per-sample inputs runs for each sample of a pixel; its results, and the inputs
        that differ between samples, have an axis of samples after the width.

        An input that a shader reads at the vertices of the primitive (GetAttributeAtVertex,
        PerVertexKHR) is an array with an axis of three vertices before the components, or one by
        vertex: `COLOR[2]`.

        Where a shader evaluates an input at another place of the pixel (InterpolateAtOffset,
        EvaluateAttributeAtSample), a grid extrapolates it by the differences over the quad, since
        arrays do not identify the triangle of a pixel; `raster.draw` interpolates it exactly.

        Args:
            where: The size of the grid, (width, height), inputs by semantic, or a number of pixels.
            inputs: Inputs by semantic for a grid.
            bound: Bindings by name or slot.
            samples: Samples of a pixel; replaces the attribute for this call.
            origin: The pixel (x, y) that the grid begins at.
            mask: The pixels that are covered: an array (height, width) of truth values, or of the
                bits of their samples, or (height, width, samples) of truth values. Others are
                helper lanes, which only derivatives see.
            bindings: Bindings by name. If the shader has a binding called samples, origin or mask,
                the argument of that name is the binding.

        Raises:
            UsageError: The program is of another stage; an input has another shape or type, a grid
                and rows are both given, or a binding is missing or unknown, or its value does not
                fit.
            LimitError: The call has too many lanes, or needs too much memory.
            BudgetError: A loop exceeds `budget`.
            UnsupportedError: No engine that the kernel may use can run it.
        """
        from .stages.grid import shade

        _check(self.stage, Stage.PIXEL, "shade")
        options = {"samples": samples, "origin": origin, "mask": mask}
        for name, value in options.items():
            if value is not None and self.program.binds(name):
                bindings[name], options[name] = value, None
        with self.execution.with_samples(options.pop("samples")):
            return shade(self.execution, where, inputs, joined(bound, bindings), **options)

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

        _check(self.stage, Stage.GEOMETRY, "expand")
        return expand(self.execution, inputs, joined(bound, bindings))

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

        _check(self.stage, Stage.HULL, "tessellate")
        return tessellate(self.execution, inputs, joined(bound, bindings))

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

        _check(self.stage, Stage.DOMAIN, "evaluate")
        given = joined(bound, bindings)
        return evaluate(self.execution, points, control_points, patch_constants, given)

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

        _check(self.stage, Stage.LIBRARY, "call")
        return call(self.execution, arguments, joined(bound, bindings))

    # ---------------------------------------------------------------- before a call

    def compile(
        self,
        bound: Bound = None,
        /,
        *,
        groups: int | tuple[int, ...] | None = None,
        **bindings: Any,
    ) -> None:
        """Compile the program now instead of in the first call, and put it into the cache.

        Code depends on the kinds of textures, samplers and children, not on any numbers. A binding
        that is not given is of the usual kind: a texture of 32-bit components without smaller
        levels, a linear sampler. Engines that do not compile do nothing.

        Args:
            bound: Bindings by name or slot, as in the calls to come.
            groups: Thread groups, as in later calls: groups along a single axis use separate code.
                By default they have the axes that a group has.
            bindings: More bindings, by name.

        Raises:
            UnsupportedError: The engine is `jit`, and cannot compile the program.
        """
        given = typical(self.bindings, joined(bound, bindings))
        self.execution.compile(Arguments(self.bindings, given), groups)

    def input(self, name: str | PortSlot) -> SignatureRow | None:
        """Return an input by semantic, including inputs of the patch; or None."""
        return self.program.input(name)

    def binding(self, name: str | ResourceSlot) -> Binding:
        """Return a binding by the program's label, name or slot."""
        return self.program.binding(name)

    def dtype(self, name: str | ResourceSlot, length: int = 0) -> np.dtype[Any]:
        """Return the NumPy dtype of a constant buffer, or of an element of a structured buffer.

        For a raw buffer that is a block, return the dtype of the block; if it ends in an unbounded
        array, that has `length` elements.

        An array of this dtype is the memory of the buffer. A column-major matrix, the default of
        HLSL and GLSL, is therefore (columns, rows): `array["m"] = np.transpose(m)`; or let `pack`
        do that.
        """
        return element_dtype(self.binding(name), length)

    def pack(self, name: str | ResourceSlot, values: Any) -> np.ndarray[Any, Any]:
        """Return an array of the dtype of a buffer, from the values of a dict.

        Matrices are given by their rows, `m[row][column]`, whichever way they are stored.

        Args:
            name: The buffer.
            values: A dict of the variables of a constant buffer, or of the members of a block, or
                the list of the elements of a structured buffer.

        Raises:
            UsageError: The buffer does not have members, or a value is missing, unknown, or does
                not fit.
        """
        return packed(self.binding(name), values)

    def bind(self, bound: Bound = None, /, **bindings: Any) -> BoundKernel:
        """Return this program with its bindings, to be bound as the child of another.

        Args:
            bound: bindings by name or by slot.
            bindings: additional bindings, by name. The bindings are checked when the other program
                is called.
        """
        return BoundKernel(self, joined(bound, bindings))


def _check(given: Stage, wanted: Stage, method: str) -> None:
    """Raise UsageError if a method does not run the given stage."""
    other, _ = CALLS.get(given, ("", ""))
    if other != method:
        hint = f"; use {other}()" if other else ""
        raise UsageError(f"{method}(): expected {a_shader(wanted)}, got {a_shader(given)}{hint}")
