"""`unshade render`: a pixel shader over the whole picture, or a mesh through two shaders."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, told_of
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, Targets, note, spare
from .results import IMAGES, save, suffix_of
from .run import open_kernel, result, tell
from .values import extent

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.scene import Guesses

Progress = Callable[[int, int], None]


def run(
    file: str | None = None,
    vs: str | None = None,
    ps: str | None = None,
    mesh: str | None = None,
    size: str = "512x512",
    output: str = "",
    time: float = 0.0,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    attribute: tuple[str, ...] = (),
    eye: str | None = None,
    look_at: str | None = None,
    fov: float | None = None,
    columns: bool = False,
    cull: str | None = None,
    target: str = "SV_Target0",
    flip: bool = False,
    srgb: bool = False,
    alpha: bool = False,
    engine: str = "auto",
    program: int = 0,
    budget: int | None = None,
) -> int:
    """Draw, and write the picture."""
    extents = extent(size, "--size", 2, most=1 << 15)
    width, height = extents[0], extents[-1]
    if ps and file:
        raise UsageError("two pixel shaders are given, FILE and --ps FILE: one is needed")
    pixel_file = ps or file
    if pixel_file is None:
        raise UsageError("a pixel shader is needed: FILE, or --ps FILE")
    if (vs is None) != (mesh is None):
        raise UsageError("a mesh is drawn with --vs, --ps and --mesh together")
    camera = {"--eye": eye, "--look-at": look_at}
    for option, value in (
        *camera.items(), ("--fov", fov), ("--cull", cull), ("--columns", columns),
        ("--attribute", attribute),
    ):  # fmt: skip
        if value and mesh is None:
            raise UsageError(f"{option} is for a mesh: --vs, --ps and --mesh together")
    targets = Targets(output, ".png", [pixel_file], one_each=True)
    out = Output()

    def work(item: Input) -> int:
        pixel = open_kernel(item, program, engine, "pixel")
        from ..run.scene import Guesses
        from . import values

        place = _place(targets, item)
        read = [path for _, paths in values.files_of(bind) for path in paths]
        spare(place, [item.path, *filter(None, (vs, mesh)), *read])
        if budget is not None:
            pixel.budget = budget
        guesses = Guesses((width, height), time)
        with _bar() as progress:
            if vs is None or mesh is None:
                pixel.progress = progress
                given = values.bindings(pixel, bind, sets)
                inputs, given = values.split_inputs(pixel, given)
                given = complete(pixel, guesses.constants(pixel, given))
                found = pixel.shade((width, height), inputs, **given)
                covered = found["covered"]
            else:
                with told_of(vs):
                    vertex = open_kernel(Input(vs), 0, engine, "vertex")
                options = _Options(bind, sets, attribute, camera, fov, columns, cull or "none")
                picture = _draw(vertex, pixel, mesh, guesses, options, progress)
                found, covered = picture.targets, picture.covered
                tell(vertex)
        tell(pixel)
        if guesses.silent:
            note(f"not given: {', '.join(dict.fromkeys(guesses.silent))}")
        array = result(found, target)
        save(_finished(array, covered, place, flip, srgb, alpha), place, out, ".png")
        return exits.FINE

    return run_on([pixel_file], work, out)


def _place(targets: Targets, item: Input) -> str:
    """The file to write; UsageError where its suffix says nothing that a picture can be."""
    place = targets.place(item) or "-"
    kinds = (*IMAGES, ".npy", ".json")
    if place != "-" and suffix_of(place) not in kinds:
        raise UsageError(f"-o {place}: a picture is one of {', '.join(kinds)}")
    return place


def complete(kernel: "Kernel", given: dict[str, Any], shader: str = "") -> dict[str, Any]:
    """What was given for a kernel; UsageError that says how to bind what is missing."""
    for each in kernel.bindings:
        names = {*each.names, each.label.partition("[")[0]}
        if each.form in ("sampler", "counter", "constants") or names & set(given):
            continue
        option = f"--bind {shader}{each.names[-1]}=…"
        raise UsageError(f"{each.where} is not bound ({option}): it takes {each.words}")
    return given


def _finished(array: Any, covered: Any, output: str, flip: bool, srgb: bool, alpha: bool) -> Any:
    """The picture as the options want it."""
    import numpy as np

    array = np.array(array)
    colours = array.ndim == 3 and array.shape[2] == 4
    if colours and alpha:
        array[..., 3] = np.where(covered, array[..., 3], 0)
    elif colours and suffix_of(output) not in (".npy", ".json"):
        array = array[..., :3]
    if srgb and array.dtype.kind == "f":
        from ..run.texels import srgb_of

        array[..., :3] = srgb_of(array[..., :3])
    return array[::-1] if flip else array


class _Options:
    """What the command line says about a mesh's picture."""

    def __init__(
        self,
        bind: tuple[str, ...],
        sets: tuple[str, ...],
        attribute: tuple[str, ...],
        camera: dict[str, str | None],
        fov: float | None,
        columns: bool,
        cull: str,
    ) -> None:
        self.bind = bind
        self.sets = sets
        self.attribute = attribute
        self.camera = camera
        self.fov = fov
        self.columns = columns
        self.cull = cull


def _draw(
    vertex: "Kernel",
    pixel: "Kernel",
    file: str,
    guesses: "Guesses",
    options: _Options,
    progress: Progress | None,
) -> Any:
    from ..run.raster import draw, read_mesh
    from ..run.scene import Camera, attributes
    from . import values

    with told_of(file):
        mesh = read_mesh(Input(file).read().decode("utf-8", "replace"))
    width, height = guesses.size
    camera = Camera.around(mesh, width / height)
    camera.columns = options.columns
    if options.fov is not None:
        camera.fov = options.fov
    for (option, text), name in zip(options.camera.items(), ("eye", "target"), strict=True):
        if text is not None:
            setattr(camera, name, _point(text, option))
    guesses.camera = camera
    ours = {"vs": vertex, "ps": pixel}
    given: dict[str, dict[str, Any]] = {}
    for stage, kernel in ours.items():
        mine = [_for(stage, kernel, text, ours) for text in options.bind]
        sets = [_for(stage, kernel, text, ours) for text in options.sets]
        with told_of(kernel.title):
            found = values.bindings(kernel, tuple(filter(None, mine)), tuple(filter(None, sets)))
            found = guesses.constants(kernel, found, f"{stage}:")
            given[stage] = complete(kernel, found, f"{stage}:")
    with told_of(vertex.title):
        chosen = values.named(options.attribute, "--attribute")
        vertices = attributes(vertex, mesh, chosen, guesses.silent)
    return draw(
        vertex, pixel, vertices, mesh.triangles, guesses.size, vertex_bindings=given["vs"],
        pixel_bindings=given["ps"], cull=options.cull, front="counterclockwise", progress=progress,
    )  # fmt: skip


def _for(stage: str, kernel: "Kernel", text: str, kernels: "dict[str, Kernel]") -> str | None:
    """`vs:NAME=VALUE` is for one shader; NAME=VALUE for each that knows the name."""
    before, colon, rest = text.partition(":")
    if colon and before in kernels:
        return rest if before == stage else None
    name = text.partition("=")[0]
    if not any(_knows(each, name) for each in kernels.values()):
        return text  # whoever is asked first will say what there is
    return text if _knows(kernel, name) else None


def _knows(kernel: "Kernel", name: str) -> bool:
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
        raise UsageError(f"{name} takes x,y,z, not {text!r:.40}")
    return found


def _bar() -> "AbstractContextManager[Progress | None]":
    """A bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    return _Bar()


class _Bar(AbstractContextManager[Progress]):
    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

        self.progress = Progress(
            BarColumn(None), TaskProgressColumn(), TimeRemainingColumn(),
            console=Console(stderr=True), transient=True, redirect_stdout=False,
        )  # fmt: skip
        self.task = self.progress.add_task("", total=None)

    def __enter__(self) -> Progress:
        self.progress.start()
        return lambda done, total: self.progress.update(self.task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        self.progress.stop()
