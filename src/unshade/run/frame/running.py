"""Running a frame: its passes in order, and the final contents of its targets."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...api import loads
from ...errors import UsageError, with_origin
from ...files import Path, contents
from ...ir.lowered import Form
from ...limits import DEFAULT, Limits
from ...vm.launch import Array
from ...vocab.words import Stage
from ...yaml import plain
from ..binding.sampler import Sampler, Texture
from ..binding.suggestions import suggestion
from ..camera.camera import Camera
from ..kernels import Kernel
from ..opening import open_kernel
from ..raster import draw
from ..raster.mesh import Mesh
from ..raster.mesh_inputs import mesh_inputs
from ..raster.scene import Guesses
from .description import Command, Dispatch, Draw, FrameDescription, FrameShader, Pass
from .filling import filled_from
from .resources import FrameResources, FrameTarget

STAGES = (
    Stage.VERTEX, Stage.HULL, Stage.DOMAIN, Stage.GEOMETRY, Stage.AMPLIFICATION, Stage.MESH,
    Stage.PIXEL, Stage.COMPUTE,
)  # fmt: skip
MOST_VERTICES = 20_000_000


@dataclass(slots=True)
class FrameResult:
    """Targets and buffers of a frame after its passes, by name, and notes about missing values."""

    targets: dict[str, FrameTarget]
    buffers: dict[str, Array]
    notes: list[str]
    output: str

    def picture(self, name: str = "") -> Array:
        """Return a target as a picture: colours, encoded if sRGB, or depths.

        The default is the output of the frame.
        """
        which = name or self.output
        found = self.targets.get(which)
        if found is None:
            hint = suggestion(which, list(self.targets))
            raise UsageError(f"no target {which!r:.60}{hint}")
        made = found.decoded(linear=False)
        return made if found.pixels is None else made[..., : found.pixels.channels]


class Frame:
    """Passes over targets, textures, buffers and meshes, with pipelines of shaders.

    `folder` is where its files are; none outside of it is read.
    """

    def __init__(
        self, described: FrameDescription, folder: str = ".", limits: Limits = DEFAULT
    ) -> None:
        if not described.targets:
            raise UsageError("expected a frame with a target")
        self.described = described
        self.folder = folder
        self.limits = limits

    @classmethod
    def open(cls, path: Path, limits: Limits = DEFAULT) -> "Frame":
        """Read a frame from a YAML file; paths in it are relative to its folder.

        Raises:
            FormatError: It is no YAML, or a field does not fit.
            LimitError: It repeats too much.
        """
        text = contents(path).decode("utf-8", "replace")
        folder = os.path.dirname(os.path.abspath(os.fsdecode(path)))
        return cls(filled_from(FrameDescription, plain(text)), folder, limits)

    def run(self, engine: str = "auto") -> FrameResult:
        """Run all passes.

        Raises:
            UsageError: A name is unknown, or a draw does not fit its pipeline.
            UnshadeError: A file cannot be read, or a shader cannot be run.
        """
        work = _Running(self, engine)
        for number, each in enumerate(self.described.passes):
            with with_origin(f"passes[{number}]"):
                work.run(each)
        output = self.described.output or next(iter(self.described.targets))
        made = FrameResult(work.here.targets, work.here.buffers, work.notes, output)
        made.picture()  # raises for an output that is not a target
        return made


class _Running:
    """A frame while it runs."""

    def __init__(self, frame: Frame, engine: str) -> None:
        self.frame = frame
        self.engine = engine
        self.here = FrameResources(frame.described, frame.folder, frame.limits)
        self.kernels: dict[tuple[str, Stage], Kernel] = {}
        self.notes: list[str] = []

    def run(self, given: Pass) -> None:
        targets = [self._target(each) for each in given.targets]
        depth = None if given.depth is None else self._target(given.depth)
        if given.clear:
            for each in (*targets, *([depth] if depth is not None else [])):
                each.clear()
        for number, command in enumerate(given.commands):
            with with_origin(f"commands[{number}]"):
                self._command(command, targets, depth)

    def _command(
        self, command: Command, targets: list[FrameTarget], depth: FrameTarget | None
    ) -> None:
        given = [each for each in (command.draw, command.dispatch, command.copy, command.mips)
                 if each is not None]  # fmt: skip
        if len(given) != 1:
            raise UsageError("expected one of draw, dispatch, copy and mips")
        if command.draw is not None:
            self._draw(command.draw, targets, depth)
        elif command.dispatch is not None:
            self._dispatch(command.dispatch)
        elif command.copy is not None:
            source, destination = (
                self._array(each) for each in (command.copy.source, command.copy.destination)
            )
            if source.shape != destination.shape or source.dtype != destination.dtype:
                raise UsageError(
                    f"copy: expected resources of one size and format, got {source.shape}"
                    f" {source.dtype} and {destination.shape} {destination.dtype}"
                )
            destination[...] = source
        elif command.mips is not None:
            self._target(command.mips).make_levels()

    # ------------------------------------------------------------ names

    def _target(self, name: str) -> FrameTarget:
        if name not in self.here.targets:
            raise UsageError(f"no target {name!r:.60}{suggestion(name, list(self.here.targets))}")
        return self.here.targets[name]

    def _array(self, name: str) -> Array:
        if name in self.here.buffers:
            return self.here.buffers[name]
        return self._target(name).array

    def _kernel(self, pipeline: str, stage: Stage) -> Kernel | None:
        """Return the kernel of a stage of a pipeline; None if it has no such stage."""
        known = self.frame.described.pipelines
        if pipeline not in known:
            raise UsageError(f"no pipeline {pipeline!r:.60}{suggestion(pipeline, list(known))}")
        shader: FrameShader | None = getattr(known[pipeline], stage)
        key = pipeline, stage
        if shader is not None and key not in self.kernels:
            with with_origin(shader.file):
                self.kernels[key] = self._opened(shader, stage)
        return self.kernels.get(key)

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
        kernel = open_kernel(shader, number, name, self.engine, False, options)
        kernel.title = given.file
        return kernel

    def _bindings(
        self, kernels: Mapping[Stage, Kernel], given: Mapping[str, Any]
    ) -> dict[Stage, dict[str, Any]]:
        """Return the bindings of each stage: those that name it, or whose name it has."""
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
        if value in self.here.targets:
            return self.here.targets[value].texture()
        names = [*self.here.targets, *self.here.textures, *self.here.buffers]
        raise UsageError(f"{where}: no resource {value!r:.60}{suggestion(value, names)}")

    # ------------------------------------------------------------ work

    def _dispatch(self, given: Dispatch) -> None:
        kernel = self._kernel(given.pipeline, Stage.COMPUTE)
        if kernel is None:
            raise UsageError(f"pipeline {given.pipeline}: expected a compute shader")
        bound = self._bindings({Stage.COMPUTE: kernel}, given.bindings)[Stage.COMPUTE]
        guesses = Guesses((1, 1), self.frame.described.time)
        kernel.dispatch(tuple(given.groups), guesses.constants(kernel, bound))
        self._note(guesses)

    def _draw(self, given: Draw, targets: list[FrameTarget], depth: FrameTarget | None) -> None:
        if not targets and depth is None:
            raise UsageError("draw: expected a pass with a target, or with depth")
        shown = targets[0] if targets else depth
        assert shown is not None
        size = shown.size
        pipeline = given.pipeline
        kernels = {
            stage: found for stage in STAGES[:-1]
            if (found := self._kernel(pipeline, stage)) is not None
        }  # fmt: skip
        state = self.frame.described.pipelines[pipeline]
        shape, vertices, primitives = self._geometry(given, kernels)
        guesses = Guesses(size, self.frame.described.time)
        guesses.camera = _camera(given, shape, size)
        if shape is not None:
            vertices = mesh_inputs(
                kernels[Stage.VERTEX].inputs, shape, given.attributes, guesses.silent
            )
        bound = {
            stage: guesses.constants(kernels[stage], each, f"{stage}:")
            for stage, each in self._bindings(kernels, given.bindings).items()
        }
        pixel = kernels.pop(Stage.PIXEL, None)
        draw(
            [*kernels.values()], pixel, vertices, primitives, size,
            topology=state.topology, instances=given.instances,
            vertex_bindings=bound.get(Stage.VERTEX), hull_bindings=bound.get(Stage.HULL),
            domain_bindings=bound.get(Stage.DOMAIN), geometry_bindings=bound.get(Stage.GEOMETRY),
            amplification_bindings=bound.get(Stage.AMPLIFICATION),
            mesh_bindings=bound.get(Stage.MESH), pixel_bindings=bound.get(Stage.PIXEL),
            targets=[each.array for each in targets],
            formats=[each.pixels.name if each.pixels is not None else None for each in targets],
            depth=None if depth is None else depth.array,
            depth_function=None if depth is None else ...,
            rasterizer=state.rasterizer, depth_stencil=state.depth_stencil, blend=state.blend,
            viewports=given.viewports, scissors=given.scissors,
        )  # fmt: skip
        self._note(guesses)

    def _geometry(
        self, given: Draw, kernels: Mapping[Stage, Kernel]
    ) -> tuple[Mesh | None, Any, Any]:
        """Return the mesh, or the number of vertices or groups; and the primitives."""
        which = [each for each in (given.mesh, given.count, given.groups) if each is not None]
        if len(which) != 1:
            raise UsageError("draw: expected one of mesh, count and groups")
        if given.mesh is not None:
            if given.mesh not in self.here.meshes:
                hint = suggestion(given.mesh, list(self.here.meshes))
                raise UsageError(f"no mesh {given.mesh!r:.60}{hint}")
            if Stage.VERTEX not in kernels:
                raise UsageError(f"pipeline {given.pipeline}: expected a vertex shader for a mesh")
            shape = self.here.meshes[given.mesh]
            return shape, None, shape.triangles
        if given.count is not None and not 0 < given.count <= MOST_VERTICES:
            raise UsageError(f"count: expected 1 to {MOST_VERTICES:,}, got {given.count:,}")
        return None, given.count if given.count is not None else tuple(given.groups or ()), None

    def _note(self, guesses: Guesses) -> None:
        self.notes += [each for each in guesses.silent if each not in self.notes]


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


def _camera(given: Draw, shape: Mesh | None, size: tuple[int, int]) -> Camera:
    """Return the camera of a draw: as described, or around the mesh."""
    middle, far = shape.bounds if shape is not None else (np.zeros(3), 1.0)
    camera = Camera.around(middle, far, size[0] / size[1])
    if given.camera is not None:
        if len(given.camera.eye) != 3 or len(given.camera.look_at) != 3:
            raise UsageError("camera: expected three numbers of eye and look_at")
        camera.eye, camera.target = given.camera.eye, given.camera.look_at
        camera.fov = given.camera.fov
    return camera
