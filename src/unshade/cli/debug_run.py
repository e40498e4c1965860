"""Set-up of a shader's run under the debugger, according to its stage and the scene."""

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UsageError, with_origin
from ..vocab.words import DISPATCHED, a_shader
from . import values
from .commands import DebugOptions
from .inputs import Input
from .kernels import call, not_given, open_kernel, prepare, stages_of, zeros
from .lane_inputs import split_inputs
from .output import note
from .scene import Scene, grid, say, scene_of
from .stages import draw_scene
from .values import extent

if TYPE_CHECKING:
    from ..run.debugging.debugger import Debugger
    from ..run.kernels import Kernel
    from ..run.raster import PixelHistory


JIT, FAST = "jit", "fast"
COMPILED = {JIT: "the compiled code", FAST: "the compiled code with fast"}  # by --against
LENS = re.compile(r"(.+)@(\d{1,9})(?:#(\d{1,9}))?")


def debugged_scene(given: DebugOptions, file: str) -> Scene:
    """Return the scene that the options describe; `file` is the shader that is debugged."""
    count = given.scene.count
    drawn = count if count is not None and _draws(file, given) else None
    of_mesh = given.groups if given.scene.ms else None
    return scene_of(given, file, groups=of_mesh, count=drawn)


def debugged_kernel(
    given: DebugOptions, item: Input, scene: Scene, engine: str = "lockstep"
) -> "Kernel":
    """Return the kernel of the shader that is debugged."""
    stage = "pixel" if scene.shared else None
    options = scene.options("ps")
    kernel = open_kernel(item, given.program, engine, stage, scene.spread, **options)
    kernel.samples = scene.given.samples
    if given.budget is not None:
        kernel.budget = given.budget
    return kernel


def _draws(file: str, given: DebugOptions) -> bool:
    """Return True if a draw is debugged: other stages are given, or the file has a pixel shader."""
    if given.vs or given.scene.ms or given.scene.mesh:
        return True
    try:
        return any(
            stage == "pixel" for *_, stage in stages_of(Input(file).open_program(compiling=True))
        )
    except UnshadeError:  # reported where the file is opened
        return False


def thread_of(text: str | None, kernel: "Kernel") -> tuple[int, ...]:
    """Return the thread that `--thread` names, else the first one."""
    if text is None:
        return (0, 0) if kernel.stage == "pixel" else (0, 0, 0)
    return extent(text, "--thread", least=-(10**9))  # the debugger checks the range


def enough_groups(debugger: "Debugger", thread: tuple[int, ...]) -> str | None:
    """Return the number of groups needed to include the thread."""
    if debugger.stage not in DISPATCHED:
        return None
    at = [max(each, 0) for each in (*thread, 0, 0)[:3]]
    return ",".join(str(place // size + 1) for place, size in zip(at, debugger.group, strict=True))


def tell_groups(debugger: "Debugger", thread: tuple[int, ...]) -> None:
    """Report that more groups were run than --groups asks for, to include the thread."""
    groups = enough_groups(debugger, thread)
    if groups not in (None, "1,1,1"):
        sizes = " x ".join(map(str, debugger.group))
        place = ", ".join(map(str, thread))
        run = f"{groups.replace(',', ' x ')} groups of {sizes} threads were run"
        note(f"{debugger.title}: {run}, to include thread {place}")


def run_debugger(
    kernel: "Kernel",
    debugger: "Debugger",
    groups: str | None,
    scene: Scene,
    history: "PixelHistory | None" = None,
) -> None:
    """Call the shader according to its stage; render with a pixel shader without inputs."""
    count = scene.given.count
    if debugger.stage != "pixel" and (not scene.is_flat or scene.given.size is not None):
        option = "--size" if scene.is_flat else "--ms" if "ms" in scene.shaders else "--mesh"
        raise UsageError(f"{option}: expected a pixel shader, got {a_shader(debugger.stage)}")
    if debugger.stage == "pixel":
        inputs: dict[str, Any] = {}
        if scene.is_flat:
            fill = scene.guesses().constants
            given = values.bindings(kernel, scene.bind, scene.sets, scene.children("ps"), fill)
            inputs, _ = split_inputs(debugger, given)
        if not scene.is_flat or scene.given.size is not None or not inputs:
            _draw(debugger, scene, history)
            return
    prepare(kernel, scene.bind, scene.sets, None, count)
    left: list[str] = []
    fill = partial(zeros, left=left)
    given = values.bindings(kernel, scene.bind, scene.sets, scene.children("ps"), fill)
    call(debugger, fill(kernel, given), groups, count)
    not_given(kernel, left)


def _draw(debugger: "Debugger", scene: Scene, history: "PixelHistory | None" = None) -> None:
    """Render as the verb `render` does, with the same defaults."""
    guesses = scene.guesses()
    if scene.is_flat:
        grid(debugger, scene, guesses)
    else:
        picture, _ = draw_scene(debugger, scene, guesses, history=history)
        _choose(debugger, picture.triangle, history)
    say(debugger.title, guesses)


def _choose(debugger: "Debugger", triangles: Any, history: "PixelHistory | None") -> None:
    """Select the triangle that is visible at the pixel."""
    thread = debugger.thread or (0, 0)
    x, y = (*thread, 0)[:2]
    height, width = triangles.shape
    if not (0 <= x < width and 0 <= y < height):
        raise UsageError(f"pixel {x}, {y}: expected 0 to {width - 1}, 0 to {height - 1}")
    shown = (x, y, int(triangles[y, x]))
    if shown in debugger.traced:
        debugger.choose(shown)
    elif not debugger.traced:
        which = f"triangle {thread[2]} does not cover" if len(thread) > 2 else "nothing covers"
        raise UsageError(f"{which} pixel {x}, {y}{_rejections(history)}")


def _rejections(history: "PixelHistory | None") -> str:
    """Return the reasons why primitives at a pixel have no shaded fragment."""
    found = history.fragments if history is not None else []
    if not found:
        return ""
    reasons = dict.fromkeys(str(each.reason) for each in found)
    count = "1 primitive there is" if len(found) == 1 else f"{len(found):,} primitives there are"
    return f"; {count} rejected: {', '.join(reasons)}"


def place_at(text: str) -> tuple[str, int, int | None]:
    """Return the place, line and iteration of a lens such as `r0.xyz@47#3`."""
    found = LENS.fullmatch(text)
    if found is None:
        raise UsageError(f"lens: expected a place and a line as r0.xyz@47, got {text!r:.60}")
    place, line, iteration = found.groups()
    return place, int(line), None if iteration is None else int(iteration)


def other_version(
    given: DebugOptions, item: Input, debugger: "Debugger", scene: Scene, *, folders: bool = True
) -> "Debugger":
    """Return a debugger of the shader that `--against` names, after a run of the same thread.

    `item` is the shader that is debugged. Without `folders`, the title contains no folders.
    """
    engine = COMPILED.get(given.against or "")
    other = item if engine is not None else Input(given.against or "")
    with with_origin(other.name if folders else other.inside):
        found = _other(given, other, debugger, scene, engine)
    if engine is not None or not folders:
        found.title = engine or other.inside
    return found


def _other(
    given: DebugOptions, item: Input, debugger: "Debugger", scene: Scene, engine: str | None
) -> "Debugger":
    kernel = debugged_kernel(given, item, scene)
    at = debugger.thread or ()
    found = kernel.debug(at, checks=False)
    found.alone = True
    if engine is not None:
        from ..run.engines import choose

        found.shows = choose("jit", fast=given.against == FAST)
    run_debugger(kernel, found, given.groups or enough_groups(found, at), scene)
    found.choose(debugger.shown)
    return found


def history_of(at: tuple[int, ...], debugger: "Debugger", scene: Scene) -> "PixelHistory | None":
    """Return the history to record of the pixel that is traced, if a mesh is drawn."""
    if debugger.stage != "pixel" or scene.is_flat or min(at) < 0 or len(at) < 2:
        return None
    from ..run.raster import PixelHistory

    return PixelHistory(*at[:2])
