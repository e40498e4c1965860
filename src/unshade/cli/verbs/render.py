"""`unshade render`: render an image with a pixel shader, full screen or on a mesh."""

from typing import TYPE_CHECKING, Any

from ...errors import UnshadeError, UsageError, with_origin
from ...screens.text import many
from .. import exits
from ..commands import RenderOptions
from ..inputs import Input, is_shader
from ..inputs import run as run_on
from ..kernels import first_colour, open_kernel, result, tell
from ..output import CommandOutput, note
from ..progress import bar
from ..results import IMAGES, NUMBERS, save, suffix_of
from ..scene import Scene, grid, say, scene_of
from ..sources import use
from ..stages import draw_scene
from ..targets import Targets
from ..values import extent, named

if TYPE_CHECKING:
    from ...run.kernels import Kernel
    from ...run.raster import PixelHistory

FRAMES = (".yaml", ".yml")
DEPTH = "depth"  # a target that every drawing has


FRAGMENT = {
    "draw": "integer", "primitive": "any", "front": "any", "samples": "any", "shaded": "any",
    "written": "any", "rejected": {"*": "any"}, "reason": "string?", "depth": "any",
    "output": {"*": "any"}, "before": {"*": "any"}, "after": {"*": "any"},
}  # fmt: skip
SHAPE = {  # of --history
    "pixel": ["integer"], "layer": "integer", "draws?": ["string"], "fragments": [FRAGMENT],
}  # fmt: skip


def run(given: RenderOptions) -> int:
    """Render and write an image."""
    use(given.sources)
    if given.file is not None and suffix_of(given.file) in FRAMES:
        return _frame(given, given.file)
    if given.ps and given.file:
        raise UsageError("expected one pixel shader, got both FILE and --ps FILE")
    scene = scene_of(given, given.file, groups=given.groups, count=given.scene.count)
    # without a pixel shader: interpolated colours of the vertices
    vertices = scene.shaders.get("vs") or scene.shaders.get("ms")
    pixel_file = given.ps or given.file or vertices
    if pixel_file is None:
        raise UsageError("no pixel shader: give FILE or --ps FILE")
    _check(given, scene)
    _add_fragment(given, scene)
    alone = not (given.ps or given.file) or (scene.shared and not scene.has_pixel)
    targets = Targets(given.output, [r"\.png"], [pixel_file], one_each=given.output is not None)
    out = CommandOutput(as_json=given.as_json)

    if scene.fragment is not None and not alone:
        raise UsageError("--fragment takes the place of a pixel shader: expected none")

    def work(item: Input) -> int:
        pixel: Kernel | None = None
        if not alone:
            pixel = open_kernel(
                item, given.program, given.engine, "pixel", scene.spread, **scene.options("ps")
            )
            pixel.samples = scene.given.samples
        place = _place(targets, item, given.bits) if given.output is not None else ""
        history = _history(given.history)
        if given.budget is not None and pixel is not None:
            pixel.budget = given.budget
        guesses = scene.guesses()
        with bar() as progress:
            if scene.is_flat and pixel is not None:
                pixel.progress = progress
                found = grid(pixel, scene, guesses)
                covered = found["covered"]
                depth = None
            else:
                picture, stages = draw_scene(pixel, scene, guesses, given.engine, progress, history)
                found, covered, depth = picture.targets, picture.covered, picture.depth
                for each in stages:
                    tell(each)
        if pixel is not None:
            tell(pixel)
        name = given.target or first_colour(pixel)
        is_depth = name.lower() == DEPTH and name not in found
        chosen = _depth(depth, place) if is_depth else result(found, name)
        array = _finished(chosen, covered, place, given, is_depth)
        uncovered = "every pixel is discarded" if scene.is_flat else "no pixel is covered"
        say(item.name, guesses, _flat(array, covered, place, uncovered), _odd(array))
        if history is not None:
            _show(history, item, out)
        if given.output is not None:
            save(array, place, out, ".png", bits=given.bits)
        return exits.FINE

    return run_on(
        [pixel_file], work, out, wanted=_is_pixel_shader, what="pixel shader", targets=targets
    )


def _frame(given: RenderOptions, file: str) -> int:
    """Run a frame that YAML describes, and write one of its targets."""
    from ...run.frame import Frame

    own = (
        ("--vs", given.vs), ("--ps", given.ps), ("--mesh", given.scene.mesh),
        ("--bind", given.bind), ("--set", given.sets), ("--groups", given.groups),
        ("--count", given.scene.count),
        ("--size", given.scene.size),
        ("--fragment", given.fragment),
    )  # fmt: skip
    for option, value in own:
        if value:
            raise UsageError(f"{option}: not used with a frame, whose file describes it")
    _check_history(given)
    item = Input(file)
    out = CommandOutput(as_json=given.as_json)
    place = "-"
    if given.output is not None:
        targets = Targets(given.output, [r"\.png"], [file], one_each=True)
        place = _place(targets, item, given.bits)
    history = _history(given.history)
    with with_origin(file):
        found = Frame.open(file).run(given.engine, history=history, target=given.target or "")
        array = found.picture(given.target or "")
        shown = found.target(given.target or "")
        if (
            given.output is not None
            and shown.described.layers is not None
            and suffix_of(place) not in NUMBERS
        ):
            raise UsageError(f"expected one layer for a picture: --target '{shown.name}[0]'")
    if array.ndim == 3 and array.shape[2] == 4 and not given.alpha:
        array = array if suffix_of(place) in NUMBERS else array[..., :3]
    lines = [*found.cameras, *found.reasons, *(f"not given: {each}" for each in found.notes)]
    lines += [
        f"query {name}: {', '.join(f'{key} {count}' for key, count in counts.items() if count)}"
        for name, each in found.queries.items()
        for counts in [each.document()]
    ]
    for line in lines:
        note(f"{file}: {line}")
    if history is not None:
        _show(history, item, out)
    if given.output is not None:
        save(array[::-1] if given.flip else array, place, out, ".png", bits=given.bits)
    return exits.FINE


def _add_fragment(given: RenderOptions, scene: Scene) -> None:
    """Add the fixed fragment stage to a scene, and bind the textures of its units."""
    if given.texture and given.fragment is None:
        raise UsageError("--texture needs --fragment: bind textures of a shader with --bind")
    scene.fragment = given.fragment
    textures = named(tuple(given.texture), "--texture", "UNIT=FILE")
    for unit in textures:
        if unit not in ("0", "1", "2"):
            raise UsageError(f"--texture: expected unit 0, 1 or 2, got {unit!r:.20}")
    binds = [f"ps:t{unit}={text}" for unit, text in textures.items()]
    scene.bind = [*scene.bind, *binds]


def _check(given: RenderOptions, scene: Scene) -> None:
    """Raise UsageError for options that contradict each other."""
    if given.bits not in (8, 16):
        raise UsageError(f"--bits: expected 8 or 16, got {given.bits}")
    _check_history(given)
    if given.history is not None and scene.is_flat:
        raise UsageError("--history: a grid of pixels has none; give --vs with --mesh or --count")


def _check_history(given: RenderOptions) -> None:
    """Raise UsageError unless there is something to write, and one thing to standard output."""
    if given.history is None:
        if given.output is None:
            raise UsageError("-o is required: the image to write")
        if given.as_json:
            raise UsageError("--json needs --history")
    elif given.output == "-":
        raise UsageError("-o -: --history is written to standard output")


def _history(text: str | None) -> "PixelHistory | None":
    """Return the history of a pixel that is to be recorded; UsageError for another text."""
    from ...run.raster import PixelHistory

    if text is None:
        return None
    place = extent(text, "--history", 2, least=0)
    if len(place) != 2:
        raise UsageError(f"--history: expected x,y, got {text!r:.40}")
    return PixelHistory(*place)


def _show(history: "PixelHistory", item: Input, out: CommandOutput) -> None:
    """Write the history of a pixel."""
    if out.as_json:
        out.document(item, history.document())
        return
    from ...run.raster.history_table import text

    out.separate()
    for line in (f"pixel ({history.x}, {history.y})", *text(history)):
        out.line(f"{line}")


def _is_pixel_shader(item: Input) -> bool:
    """Return True for a pixel shader; also for a damaged file, so that its error is reported."""
    if not is_shader(item):
        return False
    try:
        found = item.open().identity()
    except UnshadeError:
        return True
    return "pixel" in (found.stage, *(each.stage for each in found.entry_points))


def _depth(depth: Any, output: str) -> Any:
    """Return the depth of each pixel: in a picture from 0 to 1, infinite where nothing is drawn."""
    import numpy as np

    if depth is None:
        reason = "a grid of pixels has none"
        raise UsageError(f"--target {DEPTH}: {reason}; give --vs with --mesh or --count, or --ms")
    return depth if suffix_of(output) in NUMBERS else np.clip(depth, 0, 1)


def _flat(array: Any, covered: Any, output: str, uncovered: str) -> str:
    """Return the reason that nothing is visible in an image as written; else an empty string.

    `uncovered` is the reason where no pixel is covered.
    """
    import numpy as np

    if not np.any(covered):
        return uncovered
    pixels = array.reshape(array.shape[0] * array.shape[1], -1)
    if len(pixels) < 2:
        return ""
    if _uniform(pixels):
        return f"every pixel is ({_numbers(pixels[0])})"
    if suffix_of(output) not in NUMBERS and pixels.dtype.kind == "f":
        from ...run.binding.texels import quantised

        colours = quantised(pixels.astype("<f4"), np.dtype("u1"))
        if _uniform(colours):
            return f"every pixel is ({_numbers(colours[0])}) in 8 bits"
    return ""


def _odd(array: Any) -> str:
    """Return how many pixels are NaN or infinite, which a picture does not show; "" if all are."""
    import numpy as np

    if array.dtype.kind != "f":
        return ""
    pixels = array.reshape(array.shape[0] * array.shape[1], -1)
    nan, infinite = np.isnan(pixels).any(axis=1), np.isinf(pixels).any(axis=1)
    counts = (int(nan.sum()), "NaN"), (int((infinite & ~nan).sum()), "infinite")
    return ", ".join(
        f"{many(count, 'pixel is', 'pixels are')} {kind}"
        for count, kind in counts
        if 0 < count < len(pixels)
    )


def _uniform(pixels: Any) -> bool:
    """Return True if all rows are equal."""
    import numpy as np

    return bool(np.array_equal(pixels, np.broadcast_to(pixels[0], pixels.shape), equal_nan=True))


def _numbers(pixel: Any) -> str:
    return ", ".join(f"{each:.4g}" for each in pixel)


def _place(targets: Targets, item: Input, bits: int) -> str:
    """Return the file to write; raise UsageError for a suffix of no image format."""
    place = targets.place(item, ".png") or "-"
    if bits != 8 and suffix_of(place) not in ("", ".png"):
        raise UsageError(f"--bits: expected a .png, got {place}")
    kinds = (*IMAGES, *NUMBERS)
    if place != "-" and suffix_of(place) not in kinds:
        raise UsageError(f"-o {place}: expected one of {', '.join(kinds)}")
    return place


def _finished(array: Any, covered: Any, output: str, given: RenderOptions, is_depth: bool) -> Any:
    """Return the image with the options applied; a depth is not encoded as sRGB."""
    import numpy as np

    array = np.array(array)
    colours = array.ndim == 3 and array.shape[2] == 4
    if colours and given.alpha:
        array[..., 3] = np.where(covered, array[..., 3], 0)
    elif colours and suffix_of(output) not in NUMBERS:
        array = array[..., :3]
    if given.srgb and not is_depth and array.dtype.kind == "f":
        from ...run.binding.texels import srgb_of

        array[..., :3] = srgb_of(array[..., :3])
    return array[::-1] if given.flip else array
