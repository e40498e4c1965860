"""Scenes for `render` and `debug`: a grid of pixels, or primitives through a pipeline.

--vs a.dxbc --ps b.dxbc --mesh m.obj      a file for each stage
stages.bin --mesh m.obj                   all stages that one file has
--vs a.dxbc --ps b.dxbc --count 3         vertices that the vertex shader makes by their numbers
--ms mesh.bin --ps pixel.bin --groups 4   a mesh shader
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, with_origin
from . import values
from .inputs import Input
from .kernels import children, complete, stages_of
from .lane_inputs import split_inputs
from .output import note

if TYPE_CHECKING:
    from ..run.raster.scene import Guesses
    from ..run.runner import Runner

SIZE = "512x512"
BETWEEN = {"hs": "hull", "ds": "domain", "gs": "geometry"}  # options of stages after the vertices
GROUPED = {"as_": "amplification", "ms": "mesh"}  # of those that run in thread groups
PREFIXES = ("vs", *BETWEEN, "as", "ms", "ps")  # of names
LARGEST = 1 << 15  # pixels along an axis


@dataclass(slots=True)
class SceneOptions:
    """The scene options of both verbs; raises UsageError for contradictory ones."""

    bind: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    size: str | None = None
    vs: str | None = None
    hs: str | None = None
    ds: str | None = None
    gs: str | None = None
    as_: str | None = None
    ms: str | None = None
    groups: str | None = None
    mesh: str | None = None
    count: int | None = None
    topology: str | None = None
    time: float = 0.0
    attribute: tuple[str, ...] = ()
    eye: str | None = None
    look_at: str | None = None
    fov: float | None = None
    columns: bool | None = None
    cull: str | None = None
    samples: int = 1
    interface: tuple[str, ...] = ()
    lengths: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    group: str | None = None
    wave_size: int | None = None
    entry: str | None = None
    precision: str = "float32"
    color_space: str | None = None
    shared: bool = field(default=False, init=False)  # one file has all stages
    has_pixel: bool = field(default=True, init=False)  # and a pixel shader
    # Specialisation constants for every stage of the file that has them, and whether one had.
    spread: dict[int | str, bool] = field(default_factory=dict, init=False)

    @property
    def is_flat(self) -> bool:
        """True for a grid of pixels: nothing is drawn."""
        return self.mesh is None and self.ms is None and self.count is None

    def of_file(self, file: str | None) -> "SceneOptions":
        """Return the options with the stages of the file, if it contains the stages of a mesh."""
        no_vertices = self.mesh is None and self.count is None
        if no_vertices or self.vs is not None or file is None:
            return self.checked()
        with with_origin(file):
            has = {stage for _, _, stage in stages_of(Input(file).open_program())}
        if "vertex" not in has:
            return self.checked()
        made = replace(self, vs=file)
        made.shared, made.has_pixel = True, "pixel" in has
        plain = [each for each in self.constants if each.partition(":")[0] not in PREFIXES]
        made.spread = dict.fromkeys(
            values.options((), 1, constants=plain).get("constants", ()), False
        )
        for option, stage in BETWEEN.items():
            if stage in has and getattr(made, option) is None:
                setattr(made, option, file)
        return made.checked()

    def checked(self) -> "SceneOptions":
        """Return the options; raise UsageError if they contradict each other."""
        for option, given in (("--mesh", self.mesh), ("--count", self.count)):
            if given is None:
                continue
            if self.ms is not None:
                reason = "a mesh shader makes its own vertices"
                raise UsageError(f"--ms: {reason}; {option} cannot be given")
            if self.vs is None:
                raise UsageError(f"{option} needs a vertex shader: --vs")
        if self.mesh is not None and self.count is not None:
            raise UsageError("--count: the mesh says how many vertices there are")
        if self.vs is not None and self.mesh is None and self.count is None:
            raise UsageError("--vs needs vertices: give --mesh FILE, or --count N")
        if self.topology is not None and self.count is None:
            raise UsageError("--topology needs --count: the primitives of a mesh are triangles")
        if (self.ms is None) != (self.groups is None):
            raise UsageError("--ms and --groups must be given together")
        if self.as_ is not None and self.ms is None:
            raise UsageError("--as needs a mesh shader: --ms")
        for option, value in (
            ("--eye", self.eye), ("--look-at", self.look_at), ("--fov", self.fov),
            ("--cull", self.cull), ("--columns", self.columns),
        ):  # fmt: skip
            if value is not None and self.is_flat:
                raise UsageError(f"{option} needs a mesh: --vs and --mesh")
        if self.attribute and self.mesh is None:
            raise UsageError("--attribute needs a mesh: --vs and --mesh")
        for option, given in (("--hs", self.hs), ("--ds", self.ds), ("--gs", self.gs)):
            if given and self.vs is None:
                raise UsageError(f"{option} needs a mesh: --vs and --mesh")
        return self

    def guesses(self) -> "Guesses":
        """Return the defaults for size and time."""
        from ..run.raster.scene import Guesses

        extent = values.extent(self.size or SIZE, "--size", 2, most=LARGEST)
        return Guesses((extent[0], extent[-1]), self.time)

    def options(self, stage: str) -> dict[str, Any]:
        """Return the kernel options of a stage but samples.

        `vs:` marks options of the vertex shader.

        Options without a prefix are for the pixel shader, or for every stage if one file contains
        all stages. Entry point and precision apply to the vertex shader if there is one.
        """
        default = stage if self.shared else "ps"
        mine = _of_stage(self.interface, stage, default)
        lengths = _of_stage(self.lengths, stage, default)
        constants = _of_stage(self.constants, stage, default)
        entry, precision = self.entry, self.precision
        if stage != ("ps" if self.vs is None else "vs"):
            entry, precision = None, "float32"
        return values.options(
            mine, 1, entry, precision, lengths, constants, self.group, self.wave_size,
            self.color_space if stage == "ps" else None,
        )  # fmt: skip

    def children(self, stage: str) -> "Callable[[str], Runner]":
        """Return a function that opens the programs that a stage has as children."""
        return children("auto", self.options(stage))


def _of_stage(texts: Iterable[str], stage: str, default: str) -> list[str]:
    """Return the texts of a stage without its prefix; those without one are the default stage's."""
    split = [text.partition(":") for text in texts]
    return [
        rest if before in PREFIXES else f"{before}{colon}{rest}"
        for before, colon, rest in split
        if (before if before in PREFIXES else default) == stage
    ]


def grid(pixel: "Runner", scene: SceneOptions, guesses: "Guesses") -> Any:
    """Run a pixel shader on the whole image."""
    given = values.bindings(pixel, scene.bind, scene.sets, scene.children("ps"), guesses.constants)
    inputs, given = split_inputs(pixel, given)
    guesses.inputs(pixel.inputs, inputs)
    given = complete(pixel, guesses.constants(pixel, given))
    return pixel.shade(guesses.size, inputs, **given)


def say(name: str, guesses: "Guesses", flat: str = "", odd: str = "") -> None:
    """Report values that were not given for an image; `flat` is a reason why it looks empty.

    If it looks empty, assumed values are reported, too, such as the camera matrices. `odd` is the
    number of pixels that are not colours.
    """
    notes = [*filter(None, (flat, odd))]
    left = [*guesses.silent, *(guesses.assumed if flat else ())]
    if left:
        notes.append(f"not given: {', '.join(dict.fromkeys(left))}")
    if notes:
        note(f"{name}: {'; '.join(notes)}")
