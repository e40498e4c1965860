"""Scenes for `render` and `debug`: a grid of pixels, or primitives through a pipeline.

--vs a.dxbc --ps b.dxbc --mesh m.obj      a file for each stage
stages.bin --mesh m.obj                   all stages that one file has
--vs a.dxbc --ps b.dxbc --count 3         vertices that the vertex shader makes by their numbers
--ms mesh.bin --ps pixel.bin --groups 4   a mesh shader
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass, field
from ..errors import UsageError, with_origin
from . import values
from .commands import DebugOptions, RenderOptions, SceneOptions
from .declarations import flags
from .inputs import Input
from .kernels import children, complete, stages_of
from .lane_inputs import split_inputs
from .output import note

if TYPE_CHECKING:
    from ..run.camera.guesses import Guesses
    from ..run.runner import Runner

SIZE = "512x512"
BETWEEN = {"hs": "hull", "ds": "domain", "gs": "geometry"}  # options of stages after the vertices
GROUPED = {"as_": "amplification", "ms": "mesh"}  # of those that run in thread groups
PREFIXES = ("vs", *BETWEEN, "as", "ms", "ps")  # of names
LARGEST = 1 << 15  # pixels along an axis


@dataclass(slots=True)
class Scene:
    """A scene of both verbs; `shaders` are the files of the stages before the pixel shader."""

    given: SceneOptions
    shaders: dict[str, str]
    bind: Sequence[str]
    sets: Sequence[str]
    groups: str | None
    count: int | None
    shared: bool = False  # one file has all stages
    has_pixel: bool = True  # and a pixel shader
    # Specialisation constants for every stage of the file that has them, and whether one had.
    spread: dict[int | str, bool] = field(default_factory=dict)
    fragment: str | None = None  # the description of a fixed fragment stage

    @property
    def is_flat(self) -> bool:
        """True for a grid of pixels: nothing is drawn."""
        return self.given.mesh is None and "ms" not in self.shaders and self.count is None

    def check(self) -> None:
        """Raise UsageError if the options contradict each other."""
        given, has, flag = self.given, self.shaders.keys(), flags(SceneOptions)
        for option, value in (("--mesh", given.mesh), ("--count", self.count)):
            if value is None:
                continue
            if "ms" in has:
                reason = "a mesh shader makes its own vertices"
                raise UsageError(f"--ms: {reason}; {option} cannot be given")
            if "vs" not in has:
                raise UsageError(f"{option} needs a vertex shader: --vs")
        if given.mesh is not None and self.count is not None:
            raise UsageError("--count: the mesh determines the number of vertices")
        if "vs" in has and given.mesh is None and self.count is None:
            raise UsageError("--vs needs vertices: give --mesh FILE, or --count N")
        if given.topology is not None and self.count is None:
            raise UsageError("--topology needs --count: the primitives of a mesh are triangles")
        if ("ms" in has) != (self.groups is not None):
            raise UsageError("--ms and --groups must be given together")
        if "as_" in has and "ms" not in has:
            raise UsageError("--as needs a mesh shader: --ms")
        for name in ("eye", "look_at", "fov", "cull", "columns", "fill", "blend"):
            if getattr(given, name) is not None and self.is_flat:
                raise UsageError(f"{flag[name]} needs a mesh: --vs and --mesh")
        if given.state and self.is_flat:
            raise UsageError("--state needs a mesh: --vs and --mesh")
        if given.attribute and given.mesh is None:
            raise UsageError("--attribute needs a mesh: --vs and --mesh")
        for name in BETWEEN:
            if name in has and "vs" not in has:
                raise UsageError(f"{flag[name]} needs a mesh: --vs and --mesh")

    def guesses(self) -> "Guesses":
        """Return the defaults for size and time."""
        from ..run.camera.guesses import Guesses

        extent = values.extent(self.given.size or SIZE, "--size", 2, most=LARGEST)
        return Guesses((extent[0], extent[-1]), self.given.time)

    def options(self, stage: str) -> dict[str, Any]:
        """Return the kernel options of a stage except `samples`.

        `vs:` marks options of the vertex shader.

        Options without a prefix are for the pixel shader, or for every stage if one file contains
        all stages. Entry point and precision apply to the vertex shader if there is one.
        """
        default = stage if self.shared else "ps"
        instead: dict[str, Any] = {
            name: _of_stage(getattr(self.given, name), stage, default)
            for name in ("interfaces", "lengths", "constants")
        }
        if stage != ("vs" if "vs" in self.shaders else "ps"):
            instead |= {"entry": None, "precision": None}
        if stage != "ps":
            instead["color_space"] = None
        return values.options(self.given, samples=1, **instead)

    def children(self, stage: str) -> "Callable[[str], Runner]":
        """Return a function that opens the programs that a stage has as children."""
        return children("auto", self.options(stage))


def scene_of(
    given: RenderOptions | DebugOptions, file: str | None, *, groups: str | None, count: int | None
) -> Scene:
    """Return the scene of a verb's options; raise UsageError if they contradict each other.

    `file` supplies the stages of a mesh, if it contains them and no vertex shader is given.
    """
    options = given.scene
    named = {"vs": given.vs, **{name: getattr(options, name) for name in (*BETWEEN, *GROUPED)}}
    shaders = {name: path for name, path in named.items() if path is not None}
    made = Scene(options, shaders, given.bind, given.sets, groups, count)
    if file is not None and "vs" not in shaders and (options.mesh is not None or count is not None):
        _share(made, file)
    made.check()
    return made


def _share(scene: Scene, file: str) -> None:
    """Let a file supply the stages of a mesh, if it has a vertex shader."""
    with with_origin(file):
        has = {stage for _, _, stage in stages_of(Input(file).open_program(compiling=True))}
    if "vertex" not in has:
        return
    scene.shared, scene.has_pixel = True, "pixel" in has
    own = [each for each in scene.given.constants if each.partition(":")[0] not in PREFIXES]
    scene.spread = dict.fromkeys(values.options(constants=own).get("constants", ()), False)
    there = {name: file for name, stage in BETWEEN.items() if stage in has}
    scene.shaders = {"vs": file, **there, **scene.shaders}


def _of_stage(texts: Iterable[str], stage: str, default: str) -> list[str]:
    """Return a stage's texts without prefix; unprefixed texts are the default stage's."""
    split = [text.partition(":") for text in texts]
    return [
        rest if before in PREFIXES else f"{before}{colon}{rest}"
        for before, colon, rest in split
        if (before if before in PREFIXES else default) == stage
    ]


def grid(pixel: "Runner", scene: Scene, guesses: "Guesses") -> Any:
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
    if guesses.camera_line:
        note(f"{name}: {guesses.camera_line}")
    notes = [*filter(None, (flat, odd)), *(guesses.reasons if flat else ())]
    left = [*guesses.silent, *(guesses.assumed if flat else ())]
    if left:
        notes.append(f"not given: {', '.join(dict.fromkeys(left))}")
    if notes:
        note(f"{name}: {'; '.join(notes)}")
