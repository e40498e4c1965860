"""`unshade render`: a pixel shader over the whole picture, or a mesh through two shaders."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, note
from .run import numbers, open_kernel, tell

if TYPE_CHECKING:
    from ..run.kernels import Kernel
    from ..run.scene import Guesses

Progress = Callable[[int, int], None]
SIZE = "512x512"


def run(
    file: str | None = None,
    vs: str | None = None,
    ps: str | None = None,
    mesh: str | None = None,
    size: str | None = None,
    output: str = "",
    time: float = 0.0,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    attribute: tuple[str, ...] = (),
    eye: str | None = None,
    look_at: str | None = None,
    fov: float = 45.0,
    columns: bool = False,
    cull: str = "none",
    target: str = "SV_Target0",
    flip: bool = False,
    srgb: bool = False,
    alpha: bool = False,
    engine: str = "auto",
    program: int = 0,
    budget: int | None = None,
) -> int:
    """Draw, and write the picture."""
    extent = numbers(size or SIZE, "--size", 2)
    width, height = extent[0], extent[-1]
    if not (0 < width <= 1 << 15 and 0 < height <= 1 << 15):
        raise UsageError(f"--size is 1 to 32768 pixels along each axis, not {size}")
    pixel_file = ps or file
    if pixel_file is None or (ps and file):
        raise UsageError("a pixel shader is needed: FILE, or --ps FILE")
    if (vs is None) != (mesh is None):
        raise UsageError("a mesh is drawn with --vs, --ps and --mesh together")

    def work(item: Input) -> int:
        from ..run.scene import Guesses
        from . import values

        pixel = open_kernel(item, program, engine)
        if budget is not None:
            pixel.budget = budget
        guesses = Guesses((width, height), time)
        with _bar() as progress:
            if vs is None or mesh is None:
                pixel.progress = progress
                given = values.bindings(pixel, bind, sets)
                inputs, given = values.split_inputs(pixel, given)
                found = pixel.shade((width, height), inputs, **guesses.constants(pixel, given))
                covered = found["covered"]
            else:
                vertex = open_kernel(Input(vs), 0, engine)
                camera = {"eye": eye, "target": look_at}
                options = _Options(bind, sets, attribute, camera, fov, columns, cull)
                picture = _draw(vertex, pixel, mesh, guesses, options, progress)
                found, covered = picture.targets, picture.covered
                tell(vertex)
        tell(pixel)
        if guesses.silent:
            note(f"not given: {', '.join(dict.fromkeys(guesses.silent))}")
        try:
            array = found[target]
        except KeyError as error:
            raise UsageError(str(error.args[0])) from None
        values.save(_finished(array, covered, output, flip, srgb, alpha), output)
        return exits.FINE

    return run_on([pixel_file], work, Output())


def _finished(array: Any, covered: Any, output: str, flip: bool, srgb: bool, alpha: bool) -> Any:
    """The picture as the options want it."""
    import numpy as np

    array = np.array(array)
    colours = array.ndim == 3 and array.shape[2] == 4
    if colours and alpha:
        array[..., 3] = np.where(covered, array[..., 3], 0)
    elif colours and not output.endswith(".npy"):
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
        fov: float,
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

    mesh = read_mesh(Input(file).read().decode("utf-8", "replace"), file)
    width, height = guesses.size
    camera = Camera.around(mesh, width / height)
    camera.fov, camera.columns = options.fov, options.columns
    for name, text in options.camera.items():
        if text is not None:
            setattr(camera, name, _point(text, name))
    guesses.camera = camera
    ours = {"vs": vertex, "ps": pixel}
    given: dict[str, dict[str, Any]] = {}
    for stage, kernel in ours.items():
        mine = [_for(stage, kernel, text, ours) for text in options.bind]
        sets = [_for(stage, kernel, text, ours) for text in options.sets]
        found = values.bindings(kernel, tuple(filter(None, mine)), tuple(filter(None, sets)))
        given[stage] = guesses.constants(kernel, found)
    chosen = values.named(options.attribute, "--attribute")
    return draw(
        vertex, pixel, attributes(vertex, mesh, chosen, guesses.silent), mesh.triangles,
        guesses.size, vertex_bindings=given["vs"], pixel_bindings=given["ps"], cull=options.cull,
        front="counterclockwise", progress=progress,
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
        raise UsageError(f"--{name} takes x,y,z, not {text!r:.40}")
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
