"""Scenes for `render` and `debug`: a grid of pixels, or a mesh.

--bind NAME=VALUE      for each shader that has the name
--bind vs:NAME=VALUE   for the vertex shader only
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, with_origin
from . import values
from .inputs import Input
from .output import note
from .progress import Advance
from .run import children, open_kernel

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.raster import Picture
    from ..run.runner import Runner
    from ..run.scene import Guesses

SIZE = "512x512"
BETWEEN = {"hs": "hull", "ds": "domain", "gs": "geometry"}  # options of further stages
STAGES = ("vs", *BETWEEN, "ps")  # prefixes of names
LARGEST = 1 << 15  # pixels along an axis
OPTIONAL = ("sampler", "counter", "constants", "child")  # bindings that have a default


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
    mesh: str | None = None
    time: float = 0.0
    attribute: tuple[str, ...] = ()
    eye: str | None = None
    look_at: str | None = None
    fov: float | None = None
    columns: bool = False
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

    def __post_init__(self) -> None:
        if (self.vs is None) != (self.mesh is None):
            raise UsageError("--vs and --mesh must be given together")
        for option, value in (
            ("--eye", self.eye), ("--look-at", self.look_at), ("--fov", self.fov),
            ("--cull", self.cull), ("--columns", self.columns), ("--attribute", self.attribute),
            ("--hs", self.hs), ("--ds", self.ds), ("--gs", self.gs),
        ):  # fmt: skip
            if value and self.mesh is None:
                raise UsageError(f"{option} needs a mesh: --vs and --mesh")

    def guesses(self) -> "Guesses":
        """Return the defaults for size and time."""
        from ..run.scene import Guesses

        extent = values.extent(self.size or SIZE, "--size", 2, most=LARGEST)
        return Guesses((extent[0], extent[-1]), self.time)

    def options(self, stage: str) -> dict[str, Any]:
        """Return the kernel options of a stage; `vs:` marks those of the vertex shader.

        Entry point and precision apply to the vertex shader if there is one.
        """
        mine = _of_stage(self.interface, stage)
        lengths = _of_stage(self.lengths, stage)
        constants = _of_stage(self.constants, stage)
        entry, precision = self.entry, self.precision
        if stage != ("ps" if self.vs is None else "vs"):
            entry, precision = None, "float32"
        return values.options(
            mine, self.samples, entry, precision, lengths, constants, self.group, self.wave_size,
            self.color_space if stage == "ps" else None,
        )  # fmt: skip

    def children(self, stage: str) -> "Callable[[str], Runner]":
        """Return a function that opens the programs that a stage has as children."""
        return children("auto", self.options(stage))


def _of_stage(texts: Iterable[str], stage: str) -> list[str]:
    """Return the texts of a stage without its prefix; those without one are the pixel shader's."""
    split = [text.partition(":") for text in texts]
    return [
        rest if before in STAGES else f"{before}{colon}{rest}"
        for before, colon, rest in split
        if (before if before in STAGES else "ps") == stage
    ]


def grid(pixel: "Runner", scene: SceneOptions, guesses: "Guesses") -> Any:
    """Run a pixel shader on the whole image."""
    given = values.bindings(pixel, scene.bind, scene.sets, scene.children("ps"))
    inputs, given = values.split_inputs(pixel, given)
    guesses.inputs(pixel, inputs)
    given = _complete(pixel, guesses.constants(pixel, given))
    return pixel.shade(guesses.size, inputs, **given)


def mesh(
    pixel: "Runner | None",
    scene: SceneOptions,
    guesses: "Guesses",
    engine: str = "auto",
    progress: Advance | None = None,
) -> "tuple[Picture, list[Runner]]":
    """Render a mesh; return the picture and the stages before the pixel shader.

    Without a pixel shader, the colours of the vertices are shown.
    """
    from ..run.raster import draw, read_mesh
    from ..run.raster.fallback import showing
    from ..run.scene import Camera, attributes

    assert scene.vs is not None
    assert scene.mesh is not None
    with with_origin(scene.vs):
        vertex = open_kernel(Input(scene.vs), 0, engine, "vertex", **scene.options("vs"))
    stages = {"vs": vertex, **_between(scene, engine)}
    if pixel is None:
        last = [*stages.values()][-1]
        with with_origin(last.title):
            pixel = showing(last, engine)
    with with_origin(scene.mesh):
        shape = read_mesh(Input(scene.mesh).read().decode("utf-8", "replace"))
    width, height = guesses.size
    camera = Camera.around(shape, width / height)
    camera.columns = scene.columns
    if scene.fov is not None:
        camera.fov = scene.fov
    if scene.eye is not None:
        camera.eye = _point(scene.eye, "--eye")
    if scene.look_at is not None:
        camera.target = _point(scene.look_at, "--look-at")
    guesses.camera = camera
    ours = {**stages, "ps": pixel}
    given: dict[str, dict[str, Any]] = {}
    for stage, kernel in ours.items():
        mine = [_for(stage, kernel, text, ours) for text in scene.bind]
        sets = [_for(stage, kernel, text, ours) for text in scene.sets]
        with with_origin(kernel.title):
            chosen_binds, chosen_sets = tuple(filter(None, mine)), tuple(filter(None, sets))
            found = values.bindings(kernel, chosen_binds, chosen_sets, scene.children(stage))
            found = guesses.constants(kernel, found, f"{stage}:")
            given[stage] = _complete(kernel, found, f"{stage}:")
    with with_origin(vertex.title):
        chosen = values.named(scene.attribute, "--attribute")
        vertices = attributes(vertex, shape, chosen, guesses.silent)
    picture = draw(
        [*stages.values()], pixel, vertices, shape.triangles, guesses.size,
        vertex_bindings=given["vs"], hull_bindings=given.get("hs"),
        domain_bindings=given.get("ds"), geometry_bindings=given.get("gs"),
        pixel_bindings=given["ps"], cull=scene.cull or "none", front="counterclockwise",
        progress=progress,
    )  # fmt: skip
    return picture.resolved(), [*stages.values()]


def _between(scene: SceneOptions, engine: str) -> "dict[str, Kernel]":
    """Return the stages between vertex and pixel shader."""
    found = {}
    for option, stage in BETWEEN.items():
        path = getattr(scene, option)
        if path is not None:
            with with_origin(path):
                found[option] = open_kernel(Input(path), 0, engine, stage, **scene.options(option))
    return found


def say(name: str, guesses: "Guesses", flat: str = "") -> None:
    """Report values that were not given for an image; `flat` is a reason why it looks empty.

    If it looks empty, assumed values are reported, too, such as the camera matrices.
    """
    notes = [flat] if flat else []
    left = [*guesses.silent, *(guesses.assumed if flat else ())]
    if left:
        notes.append(f"not given: {', '.join(dict.fromkeys(left))}")
    if notes:
        note(f"{name}: {'; '.join(notes)}")


def _complete(kernel: "Runner", given: dict[str, Any], shader: str = "") -> dict[str, Any]:
    """Return the bindings; raise UsageError with the option for one that is missing."""
    for each in kernel.bindings:
        names = {*each.names, each.label.partition("[")[0]}
        if each.form in OPTIONAL or names & set(given):
            continue
        option = f"--bind {shader}{each.names[-1]}=…"
        raise UsageError(f"{each.where} is not bound: give {option}, {each.words}")
    return given


def _for(stage: str, kernel: "Runner", text: str, kernels: "dict[str, Runner]") -> str | None:
    """Return NAME=VALUE if it applies to the kernel of the stage, else None."""
    before, colon, rest = text.partition(":")
    if colon and before in kernels:
        return rest if before == stage else None
    name = text.partition("=")[0]
    if not any(_knows(each, name) for each in kernels.values()):
        return text  # the first kernel raises an error with the names it has
    return text if _knows(kernel, name) else None


def _knows(kernel: "Runner", name: str) -> bool:
    return any(
        name in each.names
        or (each.buffer is not None and any(v.name == name for v in each.buffer.variables))
        for each in kernel.bindings
    )


def _point(text: str, name: str) -> list[float]:
    try:
        found = [float(each) for each in text.split(",")]
    except ValueError:
        found = []
    if len(found) != 3:
        raise UsageError(f"{name}: expected x,y,z, got {text!r:.40}")
    return found
