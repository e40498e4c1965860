"""`unshade debug`: what one thread does, line by line; a recorded run to step through."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import LimitError, UsageError
from . import exits
from .inputs import Input
from .inputs import run as run_on
from .output import Output, Segment, note, styled, visible
from .run import call, numbers, open_kernel, prepare

if TYPE_CHECKING:
    from ..run.debugger import Debugger
    from ..run.kernels import Kernel
    from ..run.show import Line

NONE = "none"
COLOURS: dict[str, int | None] = {
    "line": 244, "dim": 244, "hex": 244, "was": 244, "code": None, "note": 179, "label": 109,
    "wrote": 114, "bad": 203,
}  # fmt: skip


@dataclass(slots=True)
class Scene:
    """What is drawn: a grid of pixels, or a mesh."""

    size: str | None = None
    vs: str | None = None
    mesh: str | None = None
    time: float = 0.0
    attribute: tuple[str, ...] = ()
    camera: dict[str, str | None] = field(default_factory=dict)
    fov: float = 45.0
    columns: bool = False
    cull: str = "none"


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
    size: str | None = None,
    vs: str | None = None,
    mesh: str | None = None,
    time: float = 0.0,
    attribute: tuple[str, ...] = (),
    eye: str | None = None,
    look_at: str | None = None,
    fov: float = 45.0,
    columns: bool = False,
    cull: str = "none",
) -> int:
    """Run in lockstep and tell; findings make the exit code 1."""
    if step and (no_trace or as_json or output):
        raise UsageError("--step goes with neither --no-trace, --json nor -o")
    camera = {"eye": eye, "target": look_at}
    scene = Scene(size, vs, mesh, time, attribute, camera, fov, columns, cull)
    if (vs is None) != (mesh is None):
        raise UsageError("a mesh is drawn with --vs and --mesh together")
    kinds = _kinds(findings)
    with Output(output, as_json=as_json) as out:

        def work(item: Input) -> int:
            from ..run import show

            kernel = open_kernel(item, program, "lockstep")
            if budget is not None:
                kernel.budget = budget
            at = _thread(thread, kernel)
            debugger = kernel.debug(at, checks=kinds != [NONE])
            _check(debugger, breaks, watch)
            stopped: LimitError | None = None
            try:
                _run(kernel, debugger, bind, sets, groups or _enough(debugger, at), scene)
            except LimitError as error:  # what was seen until then is what one wants to see
                stopped = error
            if stopped is None and (not no_trace or thread is not None):
                _ = debugger.trace  # there may be no such thread
            if step and debugger.traced:
                from .debug_step import Stepping

                Stepping(debugger, breaks).run()
            elif as_json:
                chosen = _chosen(debugger, breaks or watch) if breaks or watch else None
                data = show.document(debugger, chosen, kinds)
                if no_trace:
                    data["trace"] = None
                out.document(item, {**data, "stopped": str(stopped) if stopped else None})
            elif not no_trace and debugger.traced:
                coloured(out, _lines(debugger, breaks, watch, every))
            for line in show.text(_painted(show.findings(debugger, kinds), sys.stderr)):
                print(line, file=sys.stderr)
            if stopped is not None:
                raise stopped
            return exits.FINDING if show.selected(debugger, kinds) else exits.FINE

        return run_on([file], work, out)


# ---------------------------------------------------------------- running


def _thread(text: str | None, kernel: "Kernel") -> tuple[int, ...]:
    if text is None:
        return (0, 0) if kernel.stage == "pixel" else (0, 0, 0)
    return numbers(text, "--thread")


def _enough(debugger: "Debugger", thread: tuple[int, ...]) -> str | None:
    """The groups that are needed to have the thread."""
    if debugger.stage != "compute":
        return None
    at = [max(each, 0) for each in (*thread, 0, 0)[:3]]
    return ",".join(str(place // size + 1) for place, size in zip(at, debugger.group, strict=True))


def _run(
    kernel: "Kernel",
    debugger: "Debugger",
    bind: tuple[str, ...],
    sets: tuple[str, ...],
    groups: str | None,
    scene: Scene,
) -> None:
    """One call of whatever the shader is; a pixel shader that is given no inputs is drawn."""
    from . import values

    inputs: dict[str, Any] = {}
    if debugger.stage != "pixel" and (scene.mesh is not None or scene.size is not None):
        option = "--size" if scene.mesh is None else "--mesh"
        raise UsageError(f"{option} is for pixel shaders, this is a {debugger.stage} one")
    if debugger.stage == "pixel":
        if scene.mesh is None:
            inputs, _ = values.split_inputs(debugger, values.bindings(kernel, bind, sets))
        if scene.mesh is not None or scene.size is not None or not inputs:
            _draw(debugger, bind, sets, scene)
            return
    prepare(kernel, bind, sets, None)
    call(debugger, values.bindings(kernel, bind, sets), groups)


def _draw(debugger: "Debugger", bind: tuple[str, ...], sets: tuple[str, ...], scene: Scene) -> None:
    """As render does, and with what it fills in."""
    from ..run.scene import Guesses
    from . import render, values

    extent = numbers(scene.size or render.SIZE, "--size", 2)
    width, height = extent[0], extent[-1]
    guesses = Guesses((width, height), scene.time)
    if scene.vs is None or scene.mesh is None:
        inputs, given = values.split_inputs(debugger, values.bindings(debugger, bind, sets))
        debugger.shade((width, height), inputs, **guesses.constants(debugger, given))
    else:
        vertex = open_kernel(Input(scene.vs), 0, "auto")
        options = render._Options(
            bind, sets, scene.attribute, scene.camera, scene.fov, scene.columns, scene.cull
        )
        picture = render._draw(vertex, debugger, scene.mesh, guesses, options, None)
        _choose(debugger, picture.triangle)
    if guesses.silent:
        note(f"not given: {', '.join(dict.fromkeys(guesses.silent))}")


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
    from ..run.stops import parse

    for name in watch:
        debugger.check_name(name)
    for text in breaks:
        parse(debugger, text)


def _chosen(debugger: "Debugger", breaks: Sequence[str]) -> list[int]:
    """Where the trace comes by any of the stops."""
    from ..run.stops import hits, parse

    found: set[int] = set()
    for text in breaks:
        found.update(hits(debugger, parse(debugger, text)))
    return sorted(found)


def _lines(
    debugger: "Debugger", breaks: Sequence[str], watch: Sequence[str], every: bool
) -> "Iterable[Line]":
    """What is asked for of the trace."""
    from ..run import show

    if len(debugger.shown) > 2 and debugger.stage == "pixel":
        yield [(f"-- {show.whose(debugger)}", "note")]
    chosen = _chosen(debugger, breaks) if breaks else None
    if watch:
        every_one = range(len(debugger.trace.entries)) if chosen is None else chosen
        lines = list(show.watched(debugger, list(every_one), watch))
    else:
        lines = list(show.trace(debugger, chosen, every=every))
    if not lines and (breaks or watch):
        asked = ", ".join(watch or breaks)
        note(f"{asked}: {'never written' if watch else 'not reached'} by this thread")
    yield from lines


def coloured(out: Output, lines: "Iterable[Line]") -> None:
    """Lines in the colours of their roles."""
    segments: Iterable[list[Segment]] = (
        [(visible(text), COLOURS.get(role)) for text, role in line] for line in lines
    )
    out.segments(segments)


def _painted(lines: "Iterable[Line]", stream: Any) -> "Iterable[Line]":
    """The same for a stream that is printed to."""
    if not styled(stream):
        yield from ([(visible(text), role) for text, role in line] for line in lines)
        return
    from click import style

    for line in lines:
        yield [
            (style(visible(text), fg=COLOURS[role]) if COLOURS.get(role) else visible(text), role)
            for text, role in line
        ]
