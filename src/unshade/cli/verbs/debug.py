"""`unshade debug`: trace one thread line by line, or step through the recorded trace."""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import LimitError, UnshadeError, UsageError, with_origin
from ...run import need_numpy
from ...vocab.words import DISPATCHED, a_shader
from .. import exits, values
from ..candidates import NONE
from ..commands import DebugOptions
from ..debug_lines import coloured, painted
from ..inputs import Input, single
from ..inputs import run as run_on
from ..kernels import call, not_given, open_kernel, prepare, stages_of, zeros
from ..lane_inputs import split_inputs
from ..output import CommandOutput, note, tell
from ..scene import Scene, grid, say, scene_of
from ..stages import draw_scene
from ..values import extent

if TYPE_CHECKING:
    from ...run.debugging.debugger import Debugger
    from ...run.debugging.trace_view import Line
    from ...run.kernels import Kernel
    from ...run.raster import PixelHistory
    from ...vm.lockstep.debug import Coverage

LENS = re.compile(r"(.+)@(\d{1,9})(?:#(\d{1,9}))?")


def run(given: DebugOptions) -> int:
    """Run in the lockstep engine and show trace and findings."""
    if given.ps and given.file:
        raise UsageError("expected one shader, got both FILE and --ps FILE")
    file = given.ps or given.file or given.vs or given.scene.ms
    if file is None:
        raise UsageError("no shader: give FILE")
    single(file)
    if given.against is not None:
        single(given.against)
        if given.step or given.no_trace or given.breaks or given.watch:
            raise UsageError(
                "--against cannot be combined with --step, --no-trace, --break or --watch"
            )
    need_numpy()
    if given.step and (given.no_trace or given.as_json or given.output):
        raise UsageError("--step cannot be combined with --no-trace, --json or -o")
    count = given.scene.count
    drawn = count if count is not None and _draws(file, given) else None
    of_mesh = given.groups if given.scene.ms else None
    scene = scene_of(given, file, groups=of_mesh, count=drawn)
    kinds = _kinds(given.findings)
    if given.html and (given.step or given.no_trace):
        raise UsageError("--html cannot be combined with --step or --no-trace")
    with CommandOutput(given.output, as_json=given.as_json) as out:

        def work(item: Input) -> int:
            from ...run.debugging import trace_view

            stage = "pixel" if scene.shared else None
            options = scene.options("ps")
            kernel = open_kernel(item, given.program, "lockstep", stage, scene.spread, **options)
            kernel.samples = scene.given.samples
            if given.budget is not None:
                kernel.budget = given.budget
            at = _thread(given.thread, kernel)
            checks = kinds != [NONE]
            coverage = _coverage() if given.html and checks else None
            debugger = kernel.debug(at, checks=checks, coverage=coverage)
            debugger.alone = kinds == [NONE]
            _check(debugger, given.breaks, given.watch)
            for text in given.lenses:
                _add_lens(debugger, text)
            stopped: LimitError | None = None
            history = _history(at, debugger, scene) if given.html else None
            try:
                _run(kernel, debugger, given.groups or _enough(debugger, at), scene, count, history)
                if given.groups is None and given.thread is not None:
                    _tell_groups(debugger, at)
            except LimitError as error:  # the trace up to here is still shown
                stopped = error
            if stopped is None and (not given.no_trace or given.thread is not None):
                _ = debugger.trace  # raises if there is no such thread
            if given.against is not None and stopped is None:
                return _compare(given, item, debugger, scene, out, history)
            if given.html and debugger.traced:
                _write_page(given.html, item, debugger, history)
            elif given.step and debugger.traced:
                from ..debug_step import Stepping

                Stepping(debugger, given.breaks).run()
            elif given.as_json:
                asked = given.breaks or given.watch
                chosen = _chosen(debugger, asked) if asked else None
                data = trace_view.document(debugger, chosen, kinds)
                if given.no_trace:
                    data["trace"] = None
                data["lenses"] = [each.document() for each in debugger.lenses]
                out.document(item, {**data, "stopped": str(stopped) if stopped else None})
            elif not given.no_trace and debugger.traced:
                coloured(out, _lines(debugger, given.breaks, given.watch, given.every))
            for lens in debugger.lenses if not given.as_json else ():
                tell(str(lens))
            for line in trace_view.text(painted(trace_view.findings(debugger, kinds))):
                tell(line)
            if stopped is not None:
                raise stopped
            return exits.FINDING if trace_view.selected(debugger, kinds) else exits.FINE

        return run_on([file], work, out)


def _coverage() -> "Coverage":
    from ...vm.lockstep.debug import Coverage

    return Coverage()


def _compare(
    given: DebugOptions,
    item: Input,
    debugger: "Debugger",
    scene: Scene,
    out: CommandOutput,
    history: "PixelHistory | None",
) -> int:
    """Run the other shader, and write the first step that differs."""
    from ...run.debugging.compare import compare_traces, shown

    other = Input(given.against or "")
    stage = "pixel" if scene.shared else None
    with with_origin(other.name):
        kernel = open_kernel(
            other, given.program, "lockstep", stage, scene.spread, **scene.options("ps")
        )
        kernel.samples = scene.given.samples
        if given.budget is not None:
            kernel.budget = given.budget
        at = debugger.thread or ()
        second = kernel.debug(at, checks=False)
        second.alone = True
        _run(kernel, second, given.groups or _enough(second, at), scene, given.scene.count)
        second.choose(debugger.shown)
    program = item.open_program().programs[0]  # all of one file are of one language
    found = compare_traces(debugger, second, program.step)
    if given.html:
        _write_page(given.html, item, debugger, history, second)
    if given.as_json:
        difference = None if found is None else found.document()
        out.document(item, {"against": other.name, "difference": difference})
    else:
        coloured(out, shown(found, debugger, second))
    return exits.FINE if found is None else exits.FINDING


def _add_lens(debugger: "Debugger", text: str) -> None:
    """Add the lens of a text such as `r0.xyz@47`."""
    found = LENS.fullmatch(text)
    if found is None:
        raise UsageError(f"--lens: expected a place and a line as r0.xyz@47, got {text!r:.60}")
    place, line, iteration = found.groups()
    debugger.lens(place, int(line), None if iteration is None else int(iteration))


def _history(at: tuple[int, ...], debugger: "Debugger", scene: Scene) -> "PixelHistory | None":
    """Return the history to record of the pixel that is traced, if a mesh is drawn."""
    if debugger.stage != "pixel" or scene.is_flat or min(at) < 0 or len(at) < 2:
        return None
    from ...run.raster import PixelHistory

    return PixelHistory(*at[:2])


def _write_page(
    path: str,
    item: Input,
    debugger: "Debugger",
    history: "PixelHistory | None",
    against: "Debugger | None" = None,
) -> None:
    from ...report.page import page

    text = page(item.open(), item.name, debugger, history, against)
    with CommandOutput(path) as one:
        one.binary(text.encode())


# ---------------------------------------------------------------- running


def _draws(file: str, given: DebugOptions) -> bool:
    """Return whether a number of vertices is for a drawing: a pixel shader is debugged."""
    if given.vs or given.scene.ms or given.scene.mesh:
        return True
    try:
        return any(stage == "pixel" for *_, stage in stages_of(Input(file).open_program()))
    except UnshadeError:  # reported where the file is opened
        return False


def _thread(text: str | None, kernel: "Kernel") -> tuple[int, ...]:
    if text is None:
        return (0, 0) if kernel.stage == "pixel" else (0, 0, 0)
    return extent(text, "--thread", least=-(10**9))  # the debugger checks the range


def _enough(debugger: "Debugger", thread: tuple[int, ...]) -> str | None:
    """Return the number of groups needed to include the thread."""
    if debugger.stage not in DISPATCHED:
        return None
    at = [max(each, 0) for each in (*thread, 0, 0)[:3]]
    return ",".join(str(place // size + 1) for place, size in zip(at, debugger.group, strict=True))


def _tell_groups(debugger: "Debugger", thread: tuple[int, ...]) -> None:
    """Say that more than one group was run to include the thread, where --groups does not."""
    groups = _enough(debugger, thread)
    if groups not in (None, "1,1,1"):
        sizes = " x ".join(map(str, debugger.group))
        place = ", ".join(map(str, thread))
        run = f"{groups.replace(',', ' x ')} groups of {sizes} threads were run"
        note(f"{debugger.title}: {run}, to include thread {place}")


def _run(
    kernel: "Kernel",
    debugger: "Debugger",
    groups: str | None,
    scene: Scene,
    count: int | None,
    history: "PixelHistory | None" = None,
) -> None:
    """Call the shader according to its stage; render with a pixel shader without inputs."""
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
        _choose(debugger, picture.triangle)
    say(debugger.title, guesses)


def _choose(debugger: "Debugger", triangles: Any) -> None:
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
        raise UsageError(f"{which} pixel {x}, {y}")


# ---------------------------------------------------------------- showing


def _kinds(text: str | None) -> list[str]:
    """Return the kinds of findings to report; empty for all."""
    from ...run.debugging.debugger import KINDS

    kinds = [each.strip() for each in text.split(",")] if text is not None else []
    unknown = [each for each in kinds if each not in (*KINDS, NONE)]
    if unknown or (NONE in kinds and len(kinds) > 1):
        known = f"{', '.join(KINDS)}; or {NONE}"
        raise UsageError(f"--findings: expected some of {known}; got {text!r:.60}")
    return kinds


def _check(debugger: "Debugger", breaks: Sequence[str], watch: Sequence[str]) -> None:
    """Raise UsageError for invalid names and breakpoints before anything runs."""
    from ...run.debugging.breakpoints import parse

    for name in watch:
        debugger.check_name(name)
    for text in breaks:
        parse(debugger, text)


def _chosen(debugger: "Debugger", breaks: Sequence[str]) -> list[int]:
    """Return the trace entries that hit any of the breakpoints."""
    from ...run.debugging.breakpoints import hits, parse

    found: set[int] = set()
    for text in breaks:
        found.update(hits(debugger, parse(debugger, text)))
    return sorted(found)


def _lines(
    debugger: "Debugger", breaks: Sequence[str], watch: Sequence[str], every: bool
) -> "Iterable[Line]":
    """Return the requested lines of the trace."""
    from ...run.debugging import trace_view

    if len(debugger.shown) > 2 and debugger.stage == "pixel":
        yield [(f"-- {trace_view.whose(debugger)}", "note")]
    chosen = _chosen(debugger, breaks) if breaks else None
    if watch:
        every_one = range(len(debugger.trace.entries)) if chosen is None else chosen
        lines = list(trace_view.watched(debugger, list(every_one), watch))
    else:
        lines = list(trace_view.trace(debugger, chosen, every=every))
    if not lines and (breaks or watch):
        asked = ", ".join(watch or breaks)
        note(f"{asked}: {'never written' if watch else 'not reached'} by this thread")
    yield from lines
