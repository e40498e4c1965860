"""Running a frame: its passes in order, and the final contents of its targets."""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from math import prod
from typing import Any

import numpy as np

from ...api import loads
from ...dataclass import replace
from ...errors import UsageError, with_origin
from ...files import Path, contents
from ...ir.lowered import Form
from ...limits import DEFAULT, Limits
from ...vm.launch import Array
from ...vocab.words import Stage
from ...yaml import plain
from ..binding.sampler import Sampler, Texture
from ..binding.suggestions import suggestion
from ..camera.finding import find_camera
from ..camera.guesses import Guesses
from ..kernels import Kernel
from ..meshes.mesh import Mesh
from ..opening import open_kernel
from ..raster import draw
from ..raster.history import PixelHistory
from ..raster.resolve import mode_of
from ..raster.statistics import PipelineStatistics
from ..tev import FragmentStage, pixel_shader
from .description import (
    Command,
    Copy,
    Dispatch,
    Draw,
    FrameDescription,
    FrameShader,
    FrameStreamOutput,
    Indirect,
    Pass,
)
from .filling import filled_from
from .indirect import (
    MOST_GROUPS,
    DrawPart,
    check_count,
    copy_query,
    indirect_draws,
    indirect_groups,
)
from .resources import FrameResources, FrameTarget
from .result import LAYER, FrameResult, target_of
from .streams import FrameStreams, ShaderChoice
from .view import FrameView
from .watch import PixelWatcher

STAGES = (
    Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY, Stage.AMPLIFICATION, Stage.MESH,
    Stage.PIXEL, Stage.COMPUTE,
)  # fmt: skip


class Frame:
    """Passes over targets, textures, buffers and meshes, with pipelines of shaders.

    `folder` contains its files; files outside of the folder are not read. `engine` is the default
    of `run`. `opened` gets each kernel with its title, and returns what is run in its place.
    """

    def __init__(
        self, described: FrameDescription, folder: str = ".", limits: Limits = DEFAULT
    ) -> None:
        if not described.targets:
            raise UsageError("expected a frame with a target")
        self.described = described
        self.folder = folder
        self.limits = limits
        self.engine = "auto"
        self.opened: Callable[[Kernel, str], Kernel] | None = None

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT) -> "Frame":
        """Read a frame from a YAML file; paths in it are relative to its folder.

        Raises:
            FormatError: The file is not YAML, or a field is invalid.
            LimitError: It repeats too much.
        """
        text = contents(path).decode("utf-8", "replace")
        folder = os.path.dirname(os.path.abspath(os.fsdecode(path)))
        return cls(filled_from(FrameDescription, plain(text)), folder, limits)

    def run(
        self,
        engine: str | None = None,
        *,
        history: PixelHistory | None = None,
        target: str = "",
    ) -> FrameResult:
        """Run all passes.

        Args:
            engine: `lockstep`, `jit` or `auto`; by default the frame's.
            history: A record of a pixel, which the draws into a target are added to.
            target: The target of the history; by default the output of the frame.

        Raises:
            UsageError: A name is unknown, or a draw does not fit its pipeline.
            UnshadeError: A file cannot be read, or a shader cannot be run.
        """
        work = _Running(self, engine or self.engine)
        output = self.described.output or next(iter(self.described.targets))
        target_of(work.here.targets, output)
        if history is not None:
            work.watch = PixelWatcher(history, target_of(work.here.targets, target or output))
        for number, each in enumerate(self.described.passes):
            work.run(each, number)
        return FrameResult(
            work.here.targets, work.here.buffers, work.notes, output, work.queries, work.cameras,
            work.reasons,
        )  # fmt: skip


class _Running:
    """A frame while it runs."""

    def __init__(self, frame: Frame, engine: str) -> None:
        self.frame = frame
        self.engine = engine
        self.here = FrameResources(frame.described, frame.folder, frame.limits)
        self.kernels: dict[tuple[str, Stage], Kernel] = {}
        self.opened: dict[Kernel, ShaderChoice] = {}
        self.fixed: dict[str, FragmentStage] = {}  # by the pipeline
        self.notes: list[str] = []
        self.queries: dict[str, PipelineStatistics] = {}
        self.cameras: list[str] = []
        self.reasons: list[str] = []
        self.streams = FrameStreams(self._buffer)
        self.watch: PixelWatcher | None = None
        self.view = FrameView.of(frame.described, self.here.meshes)

    def run(self, given: Pass, place: int) -> None:
        with with_origin(f"passes[{place}]"):
            targets, depth = self._targets(given)
            if given.clear:
                for each in (*targets, *([depth] if depth is not None else [])):
                    each.clear()
        for number, command in enumerate(given.commands):
            title = f"passes[{place}].commands[{number}]"
            with with_origin(title):
                if self.watch is not None:
                    self.watch.title = title
                self._command(command, targets, depth)

    def _targets(self, given: Pass) -> tuple[list[FrameTarget], FrameTarget | None]:
        """Return the targets of colours of a pass, and the one of depth."""
        targets = [self._target(each) for each in given.targets]
        for number, each in enumerate(targets):
            if each.pixels is None:
                raise UsageError(f"targets: expected colours, got the depth {each.name}")
            if any(np.shares_memory(each.array, other.array) for other in targets[:number]):
                raise UsageError(f"targets: expected each target once, got {each.name} twice")
        depth = None if given.depth is None else self._target(given.depth)
        if depth is not None and depth.pixels is not None:
            raise UsageError(f"depth: expected a target of depth, got {depth.name}")
        return targets, depth

    def _command(
        self, command: Command, targets: list[FrameTarget], depth: FrameTarget | None
    ) -> None:
        words = [each.name for each in fields(Command)]
        if sum(getattr(command, each) is not None for each in words) != 1:
            raise UsageError(f"expected one of {', '.join(words[:-1])} and {words[-1]}")
        if command.draw is not None:
            self._draw(command.draw, targets, depth)
        elif command.dispatch is not None:
            self._dispatch(command.dispatch)
        elif command.copy is not None:
            self._copy(command.copy)
        elif command.mips is not None:
            self._whole(command.mips).make_levels()
        elif command.resolve is not None:
            mode = mode_of(command.resolve.mode)
            several = self._target(command.resolve.source)
            several.resolve_into(self._target(command.resolve.destination), mode)
        elif command.query is not None:
            copy_query(self.queries, command.query, self._buffer(command.query.buffer))

    def _copy(self, given: Copy) -> None:
        """Copy a buffer, or a target with its stencils and mip levels."""
        names = given.source, given.destination
        source, destination = (self._array(each) for each in names)
        if source.shape != destination.shape or source.dtype != destination.dtype:
            raise UsageError(
                f"copy: expected resources of one size and format, got {source.shape}"
                f" {source.dtype} and {destination.shape} {destination.dtype}"
            )
        destination[...] = source
        if not any(each in self.here.buffers for each in names):
            self._target(given.source).copy_rest_to(self._target(given.destination))

    # ------------------------------------------------------------ names

    def _target(self, name: str) -> FrameTarget:
        return target_of(self.here.targets, name)

    def _whole(self, name: str) -> FrameTarget:
        """Return a target, not a layer of one."""
        self._target(name)
        if name not in self.here.targets:
            raise UsageError(f"expected a whole target, got {name}")
        return self.here.targets[name]

    def _array(self, name: str) -> Array:
        if name in self.here.buffers:
            return self.here.buffers[name]
        return self._target(name).array

    def _buffer(self, name: str) -> Array:
        if name not in self.here.buffers:
            raise UsageError(f"no buffer {name!r:.60}{suggestion(name, list(self.here.buffers))}")
        return self.here.buffers[name]

    def _kernel(self, pipeline: str, stage: Stage) -> Kernel | None:
        """Return the kernel of a stage of a pipeline; None if it has no such stage."""
        known = self.frame.described.pipelines
        if pipeline not in known:
            raise UsageError(f"no pipeline {pipeline!r:.60}{suggestion(pipeline, list(known))}")
        shader: FrameShader | None = getattr(known[pipeline], stage)
        key = pipeline, stage
        if stage is Stage.PIXEL and known[pipeline].fragment is not None:
            return self._fixed(pipeline, shader)
        if shader is not None and key not in self.kernels:
            with with_origin(shader.file):
                self.kernels[key] = self._opened(shader, stage)
        return self.kernels.get(key)

    def _fixed(self, pipeline: str, beside: FrameShader | None) -> Kernel:
        """Return the pixel shader of the fixed fragment stage of a pipeline."""
        key = pipeline, Stage.PIXEL
        if key not in self.kernels:
            where = f"pipelines.{pipeline}.fragment"
            if beside is not None:
                raise UsageError(f"{where}: expected no pixel shader beside it")
            given = self.frame.described.pipelines[pipeline].fragment
            with with_origin(given if isinstance(given, str) else where):
                if isinstance(given, str):
                    given = plain(self.here.read(given).decode("utf-8", "replace"))
                stage = FragmentStage.of(given)
                self.fixed[pipeline] = stage
                kernel = open_kernel(pixel_shader(stage), 0, None, self.engine, False, {})
                self.kernels[key] = self._known(kernel, where)
        return self.kernels[key]

    def _known(self, kernel: Kernel, title: str) -> Kernel:
        """Give a kernel its title; return the kernel that is run."""
        kernel.title = title
        return kernel if self.frame.opened is None else self.frame.opened(kernel, title)

    def _opened(self, given: FrameShader, stage: Stage) -> Kernel:
        shader = loads(self.here.read(given.file), limits=self.frame.limits)
        there = [
            (number, name)
            for number, each in enumerate(shader.programs)
            for name, own in each.entry_points
            if own == stage and given.program in (None, number) and given.entry in (None, name)
        ]
        if len(there) != 1:
            found = "none" if not there else f"{len(there)}: name one by entry or program"
            raise UsageError(f"expected a {stage} shader, found {found}")
        number, name = there[0]
        options = {"constants": given.constants} if given.constants else {}
        made = open_kernel(shader, number, name, self.engine, False, options)
        kernel = self._known(made, given.file if number == 0 else f"{given.file}.{number}")
        self.opened[kernel] = shader, number, name
        return kernel

    def _bindings(
        self, kernels: Mapping[Stage, Kernel], given: Mapping[str, Any]
    ) -> dict[Stage, dict[str, Any]]:
        """Return the bindings of each stage: with the stage's prefix, or declared by the stage."""
        found: dict[Stage, dict[str, Any]] = {stage: {} for stage in kernels}
        for text, value in given.items():
            before, colon, rest = text.partition(":")
            name, only = (rest, before) if colon else (text, "")
            taken = False
            for stage, kernel in kernels.items():
                known = {each: b for b in kernel.bindings for each in b.called}
                members = {
                    variable.name for each in kernel.bindings if each.members is not None
                    for variable in each.members.variables
                }  # fmt: skip
                if (only in ("", stage)) and (name in known or name in members):
                    form = known[name].form if name in known else Form.CONSTANTS
                    found[stage][name] = self._value(value, form, text)
                    taken = True
            if not taken:
                every = sorted({each for k in kernels.values() for b in k.bindings
                                for each in b.called})  # fmt: skip
                raise UsageError(f"no binding {text!r:.60}{suggestion(name, every)}")
        return found

    def _value(self, value: Any, form: Form, where: str) -> Any:
        """Return the argument for a value: a resource for its name, a sampler for its words."""
        if form is Form.SAMPLER:
            return _sampler(value, where)
        if isinstance(value, Mapping) and "texture" in value:
            more = {key: each for key, each in value.items() if key != "texture"}
            texture = self._value(value["texture"], form, where)
            if not isinstance(texture, Texture) or set(more) != {"sampler"}:
                raise UsageError(f"{where}: expected a texture and its sampler")
            return replace(texture, sampler=_sampler(more["sampler"], where))
        if not isinstance(value, str):
            return value
        if value in self.here.textures:
            return self.here.textures[value]
        if value in self.here.buffers:
            return self.here.buffers[value]
        if value in self.here.targets or LAYER.fullmatch(value):
            return self._target(value).texture()
        names = [*self.here.targets, *self.here.textures, *self.here.buffers]
        raise UsageError(f"{where}: no resource {value!r:.60}{suggestion(value, names)}")

    # ------------------------------------------------------------ work

    def _dispatch(self, given: Dispatch) -> None:
        kernel = self._kernel(given.pipeline, Stage.COMPUTE)
        if kernel is None:
            raise UsageError(f"pipeline {given.pipeline}: expected a compute shader")
        bound = self._bindings({Stage.COMPUTE: kernel}, given.bindings)[Stage.COMPUTE]
        if (given.groups is None) == (given.indirect is None):
            raise UsageError("dispatch: expected groups or indirect")
        guesses = Guesses((1, 1), self.frame.described.time)
        complete = guesses.constants(kernel, bound)
        for groups in self._groups(given.groups, given.indirect):
            if given.query is not None:
                threads = prod(groups) * prod(kernel.execution.program.group)
                self._counters(given.query).add(cs_invocations=threads)
            kernel.dispatch(groups, complete)
        self._note(guesses)

    def _draw(self, given: Draw, targets: list[FrameTarget], depth: FrameTarget | None) -> None:
        shown = targets[0] if targets else depth
        if shown is None and given.stream_output is None:
            raise UsageError("draw: expected a pass with a target, or with depth")
        size = (1, 1) if shown is None else shown.size
        pipeline = given.pipeline
        kernels = {
            stage: found for stage in STAGES[:-1]
            if (found := self._kernel(pipeline, stage)) is not None
        }  # fmt: skip
        state = self.frame.described.pipelines[pipeline]
        before = [each for stage, each in kernels.items() if stage != Stage.PIXEL]
        if not before:
            raise UsageError(f"pipeline {pipeline}: expected a vertex or mesh shader")
        shape, vertices, primitives = self._geometry(given, kernels)
        guesses = Guesses(size, self.frame.described.time)
        guesses.camera = self.view.camera(given.camera, size)
        guesses.camera.least_depth = before[-1].execution.program.declared.least_depth
        bound = self._bindings(kernels, given.bindings)
        if shape is not None:
            vertex = kernels[Stage.VERTEX]
            vertices = find_camera(
                vertex, bound[Stage.VERTEX], shape, guesses, given.attributes, guesses.silent
            )
        complete = {
            stage: guesses.constants(kernels[stage], each, f"{stage}:")
            for stage, each in bound.items()
        }
        pixel = kernels.get(Stage.PIXEL)
        counters = None if given.query is None else self._counters(given.query)
        stream = None
        output = given.stream_output
        if output is None and state.rasterized_stream != 0:
            output = FrameStreamOutput({})
        if output is not None:
            stream = self.streams.begun(output, state, self.opened[before[-1]])
        watch = None
        if self.watch is not None:
            watch = self.watch.history_of([*targets, *([depth] if depth is not None else [])])
        for part in self._parts(given, kernels, vertices, shape):
            if watch is not None and self.watch is not None:
                watch.titles[watch.draws] = self.watch.title
            draw(
                before, pixel, part.vertices, primitives, size,
                topology=state.topology, primitive_restart=state.primitive_restart,
                instances=given.instances, arguments=part.arguments,
                vertex_bindings=complete.get(Stage.VERTEX),
                hull_bindings=complete.get(Stage.HULL),
                domain_bindings=complete.get(Stage.DOMAIN),
                geometry_bindings=complete.get(Stage.GEOMETRY),
                amplification_bindings=complete.get(Stage.AMPLIFICATION),
                mesh_bindings=complete.get(Stage.MESH), pixel_bindings=complete.get(Stage.PIXEL),
                targets=[each.array for each in targets],
                formats=[None if each.pixels is None else each.pixels.name for each in targets],
                layers=None if shown is None else shown.described.layers,
                samples=1 if shown is None else shown.described.samples,
                sample_mask=state.sample_mask,
                depth=None if depth is None else depth.array,
                depth_function=None if depth is None else ...,
                stencil_target=None if depth is None else depth.stencils,
                rasterizer=state.rasterizer, depth_stencil=state.depth_stencil,
                blend=self._blend(pipeline), viewports=given.viewports, scissors=given.scissors,
                statistics=counters, stream_output=stream, history=watch,
            )  # fmt: skip
        if output is not None and stream is not None:
            self.streams.end(output, stream)
        self._note(guesses, pipeline)

    def _blend(self, pipeline: str) -> Any:
        """Return the blending of a pipeline: its own, or that of its fixed fragment stage."""
        own = self.frame.described.pipelines[pipeline].blend
        fixed = self.fixed.get(pipeline)
        return fixed.blend if own is None and fixed is not None else own

    def _counters(self, name: str) -> PipelineStatistics:
        """Return the counters of a query, new ones for a new name."""
        return self.queries.setdefault(name, PipelineStatistics())

    def _groups(
        self, groups: list[int] | None, indirect: Indirect | None
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the thread groups of a dispatch, or of each dispatch in a buffer."""
        if indirect is None:
            yield _three(groups or [])
            return
        for found in indirect_groups(indirect, self._buffer):
            if all(found):
                yield found

    def _parts(
        self, given: Draw, kernels: Mapping[Stage, Kernel], vertices: Any, shape: Mesh | None
    ) -> Iterator[DrawPart]:
        """Yield the vertices and arguments of each draw of a command."""
        if given.indirect is None:
            yield DrawPart(vertices)
        elif Stage.MESH in kernels:
            for groups in self._groups(None, given.indirect):
                yield DrawPart(groups)
        else:
            for arguments in indirect_draws(given.indirect, self._buffer, shape is not None):
                yield DrawPart(vertices, arguments)

    def _geometry(
        self, given: Draw, kernels: Mapping[Stage, Kernel]
    ) -> tuple[Mesh | None, Any, Any]:
        """Return the mesh, or the number of vertices or groups; and the primitives."""
        ways = [given.mesh, given.count, given.groups]
        which = sum(each is not None for each in ways)
        if which != 1 and (which or given.indirect is None):
            raise UsageError("draw: expected one of mesh, count and groups")
        if given.indirect is not None and (given.mesh is None) == (which == 1):
            raise UsageError("draw: expected no count or groups beside indirect")
        if given.indirect is not None and given.instances != 1:
            raise UsageError("draw: expected no instances beside indirect")
        if given.attributes and given.mesh is None:
            raise UsageError("draw: expected no attributes without a mesh")
        for word, asks, stage in (
            ("groups", given.groups, Stage.MESH), ("count", given.count, Stage.VERTEX)
        ):  # fmt: skip
            if asks is not None and stage not in kernels:
                reason = f"expected a {stage} shader for {word}"
                raise UsageError(f"pipeline {given.pipeline}: {reason}")
        if given.mesh is not None:
            if given.mesh not in self.here.meshes:
                hint = suggestion(given.mesh, list(self.here.meshes))
                raise UsageError(f"no mesh {given.mesh!r:.60}{hint}")
            if Stage.VERTEX not in kernels:
                raise UsageError(f"pipeline {given.pipeline}: expected a vertex shader for a mesh")
            shape = self.here.meshes[given.mesh]
            indices = shape.triangles
            return shape, None, indices if given.indirect is None else indices.reshape(-1)
        if given.count is not None:
            check_count(given.count, given.instances)
            return None, given.count, None
        return None, None if given.groups is None else _three(given.groups), None

    def _note(self, guesses: Guesses, pipeline: str = "") -> None:
        self.notes += [each for each in guesses.silent if each not in self.notes]
        line = f"{pipeline}: {guesses.camera_line}"
        if guesses.camera_line and line not in self.cameras:
            self.cameras.append(line)
        lines = [f"{pipeline}: {each}" for each in guesses.reasons]
        self.reasons += [each for each in lines if each not in self.reasons]


def _three(groups: list[int]) -> tuple[int, int, int]:
    """Return the numbers of thread groups along all axes; those that are left out are 1."""
    if not 1 <= len(groups) <= 3 or not all(0 <= each <= MOST_GROUPS for each in groups):
        raise UsageError(f"groups: expected 1 to 3 numbers up to {MOST_GROUPS}, got {groups}")
    x, y, z = (*groups, 1, 1)[:3]
    return x, y, z


def _sampler(value: Any, where: str) -> Sampler:
    """Return a sampler of its words or fields."""
    if isinstance(value, str):
        return Sampler(value)
    if not isinstance(value, Mapping):
        raise UsageError(f"{where}: expected a sampler: words or a mapping, got {value!r:.60}")
    try:
        return Sampler(**{str(name): each for name, each in value.items()})
    except TypeError:
        raise UsageError(
            f"{where}: expected the fields of a sampler, got {[*value]!r:.100}"
        ) from None
