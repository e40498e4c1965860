"""`unshade debug`: what one thread does, line by line; a recorded run to step through."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import LimitError, UsageError
from ..run import need_numpy
from . import exits, values
from .debug_lines import coloured, painted
from .inputs import Input, single
from .inputs import run as run_on
from .output import Output, note, tell
from .run import call, open_kernel, prepare
from .scene import Scene, grid, mesh, say
from .values import extent

if TYPE_CHECKING:
    from ..run.debugger import Debugger
    from ..run.kernels import Kernel
    from ..run.trace_view import Line

NONE = "none"


def run(
    file: str,
    thread: str | None = None,
    groups: str | None = None,
    bind: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    breaks: Sequence[str] = (),
    watch: Sequence[str] = (),
    step: bool = False,
    no_trace: bool = False,
    every: bool = False,
    findings: str | None = None,
    program: int = 0,
    budget: int | None = None,
    output: str | None = None,
    as_json: bool = False,
    **drawn: Any,
) -> int:
    """Run in lockstep and tell; findings make the exit code 1. `drawn` is what a Scene has."""
    single(file)
    need_numpy()
    if step and (no_trace or as_json or output):
        raise UsageError("--step goes with neither --no-trace, --json nor -o")
    scene = Scene(bind, sets, **drawn)
    kinds = _kinds(findings)
    with Output(output, as_json=as_json) as out:

        def work(item: Input) -> int:
            from ..run import trace_view

            kernel = open_kernel(item, program, "lockstep", **scene.options("ps"))
            if budget is not None:
                kernel.budget = budget
            at = _thread(thread, kernel)
            debugger = kernel.debug(at, checks=kinds != [NONE])
            _check(debugger, breaks, watch)
            stopped: LimitError | None = None
            try:
                _run(kernel, debugger, groups or _enough(debugger, at), scene)
            except LimitError as error:  # what was seen until then is what one wants to see
                stopped = error
            if stopped is None and (not no_trace or thread is not None):
                _ = debugger.trace  # there may be no such thread
            if step and debugger.traced:
                from .debug_step import Stepping

                Stepping(debugger, breaks).run()
            elif as_json:
                chosen = _chosen(debugger, breaks or watch) if breaks or watch else None
                data = trace_view.document(debugger, chosen, kinds)
                if no_trace:
                    data["trace"] = None
                out.document(item, {**data, "stopped": str(stopped) if stopped else None})
            elif not no_trace and debugger.traced:
                coloured(out, _lines(debugger, breaks, watch, every))
            for line in trace_view.text(painted(trace_view.findings(debugger, kinds))):
                tell(line)
            if stopped is not None:
                raise stopped
            return exits.FINDING if trace_view.selected(debugger, kinds) else exits.FINE

        return run_on([file], work, out)


# ---------------------------------------------------------------- running


def _thread(text: str | None, kernel: "Kernel") -> tuple[int, ...]:
    if text is None:
        return (0, 0) if kernel.stage == "pixel" else (0, 0, 0)
    return extent(text, "--thread", least=-(10**9))  # the debugger says which there are


def _enough(debugger: "Debugger", thread: tuple[int, ...]) -> str | None:
    """The groups that are needed to have the thread."""
    if debugger.stage != "compute":
        return None
    at = [max(each, 0) for each in (*thread, 0, 0)[:3]]
    return ",".join(str(place // size + 1) for place, size in zip(at, debugger.group, strict=True))


def _run(kernel: "Kernel", debugger: "Debugger", groups: str | None, scene: Scene) -> None:
    """One call of whatever the shader is; a pixel shader that is given no inputs is drawn."""
    if debugger.stage != "pixel" and (scene.mesh is not None or scene.size is not None):
        option = "--size" if scene.mesh is None else "--mesh"
        raise UsageError(f"{option} is for pixel shaders, this is a {debugger.stage} one")
    if debugger.stage == "pixel":
        inputs: dict[str, Any] = {}
        if scene.mesh is None:
            given = values.bindings(kernel, scene.bind, scene.sets)
            inputs, _ = values.split_inputs(debugger, given)
        if scene.mesh is not None or scene.size is not None or not inputs:
            _draw(debugger, scene)
            return
    prepare(kernel, scene.bind, scene.sets, None)
    call(debugger, values.bindings(kernel, scene.bind, scene.sets), groups)


def _draw(debugger: "Debugger", scene: Scene) -> None:
    """As render does, and with what it fills in."""
    guesses = scene.guesses()
    if scene.mesh is None:
        grid(debugger, scene, guesses)
    else:
        picture, _ = mesh(debugger, scene, guesses)
        _choose(debugger, picture.triangle)
    say(debugger.title, guesses)


def _choose(debugger: "Debugger", triangles: Any) -> None:
    """Of what was shaded for the pixel what one sees there."""
    thread = debugger.thread or (0, 0)
    x, y = (*thread, 0)[:2]
    height, width = triangles.shape
    if not (0 <= x < width and 0 <= y < height):
        raise UsageError(f"pixel {x}, {y} is not in the picture: 0 to {width - 1}, {height - 1}")
    shown = (x, y, int(triangles[y, x]))
    if shown in debugger.traced:
        debugger.choose(shown)
    elif not debugger.traced:
        which = f"triangle {thread[2]} does not cover" if len(thread) > 2 else "nothing covers"
        raise UsageError(f"{which} pixel {x}, {y}")


# ---------------------------------------------------------------- showing


def _kinds(text: str | None) -> list[str]:
    """The kinds of findings that count; empty for all of them."""
    from ..run.debugger import KINDS

    kinds = [each.strip() for each in text.split(",")] if text is not None else []
    unknown = [each for each in kinds if each not in (*KINDS, NONE)]
    if unknown or (NONE in kinds and len(kinds) > 1):
        known = f"{', '.join(KINDS)}; or {NONE}"
        raise UsageError(f"--findings takes some of {known}, not {text!r:.60}")
    return kinds


def _check(debugger: "Debugger", breaks: Sequence[str], watch: Sequence[str]) -> None:
    """UsageError before anything runs."""
    from ..run.breakpoints import parse

    for name in watch:
        debugger.check_name(name)
    for text in breaks:
        parse(debugger, text)


def _chosen(debugger: "Debugger", breaks: Sequence[str]) -> list[int]:
    """Where the trace comes by any of the stops."""
    from ..run.breakpoints import hits, parse

    found: set[int] = set()
    for text in breaks:
        found.update(hits(debugger, parse(debugger, text)))
    return sorted(found)


def _lines(
    debugger: "Debugger", breaks: Sequence[str], watch: Sequence[str], every: bool
) -> "Iterable[Line]":
    """What is asked for of the trace."""
    from ..run import trace_view

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
