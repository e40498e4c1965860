"""`unshade debug`: trace one thread line by line, or step through the recorded trace."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...errors import LimitError, UsageError
from ...files import check_output
from ...run import need_numpy
from .. import exits
from ..candidates import NONE
from ..commands import DebugOptions
from ..debug_lines import coloured, painted
from ..debug_run import (
    COMPILED,
    debugged_kernel,
    debugged_scene,
    enough_groups,
    history_of,
    other_version,
    place_at,
    run_debugger,
    tell_groups,
    thread_of,
)
from ..inputs import Input, single
from ..inputs import run as run_on
from ..kernels import printed, printed_document
from ..output import CommandOutput, note, tell
from ..shapes import AMPLIFIES, PRINTED, STEP_THAT_DIFFERS, Shape
from ..sources import use

if TYPE_CHECKING:
    from ...run.debugging.debugger import Debugger
    from ...run.debugging.trace_view import Line
    from ...run.raster import PixelHistory
    from ...vm.lockstep.debug import Coverage
    from ..scene import Scene


FRAME = {
    "function": "string?",
    "line": "integer",
    "source": ("null", {"file": "string", "line": "integer", "column": "integer"}),
}
BITS = {"value": "any", "bits": "integer"}
REGISTER = {
    "name": "string", "label": "string?", "type?": "string", "kind": "string", **BITS,
    "before?": BITS,
}  # fmt: skip
STEP = {
    "line": "integer", "text": "string", "frames?": [FRAME],
    "loops": [{"line": "integer", "iteration": "integer"}], "reads": [REGISTER],
    "writes": [REGISTER], "notes": ["string"],
}  # fmt: skip
FAULT = {
    "kind": "string", "message": "string", "line": "integer", "text": "string", "frames?": [FRAME],
    "thread": ["integer"], "count": "integer", "other": "any",
}  # fmt: skip
TRACE: Shape = {
    "stage": "string", "thread": ("null", ["integer"]), "trace": ("null", [STEP]),
    "left_out?": "any", "findings": [FAULT], "lenses": ["any"], "stopped": "string?", **PRINTED,
}  # fmt: skip
AGAINST: Shape = {
    "against": "string", "difference": ("null", STEP_THAT_DIFFERS), "amplifies": [AMPLIFIES],
}  # fmt: skip
SHAPE = (TRACE, AGAINST)


def run(given: DebugOptions) -> int:
    """Run in the lockstep engine and show trace and findings."""
    use(given.sources)
    if given.ps and given.file:
        raise UsageError("expected one shader, got both FILE and --ps FILE")
    file = given.ps or given.file or given.vs or given.scene.ms
    if file is None:
        raise UsageError("no shader: give FILE")
    single(file)
    if given.against is not None:
        if given.against not in COMPILED:
            single(given.against)
        if given.step or given.no_trace or given.breaks or given.watch:
            raise UsageError(
                "--against cannot be combined with --step, --no-trace, --break or --watch"
            )
    need_numpy()
    if given.step and (given.no_trace or given.as_json or given.output):
        raise UsageError("--step cannot be combined with --no-trace, --json or -o")
    scene = debugged_scene(given, file)
    kinds = _kinds(given.findings)
    if given.serve:
        _check_serve(given, file)
        from ..live import serve

        return serve(given, file)
    if given.port is not None:
        raise UsageError("--port needs --serve")
    if given.html and (given.step or given.no_trace):
        raise UsageError("--html cannot be combined with --step or --no-trace")
    with CommandOutput(given.output, as_json=given.as_json) as out:

        def work(item: Input) -> int:
            from ...run.debugging import trace_view

            if given.html:
                check_output(given.html)
            kernel = debugged_kernel(given, item, scene)
            at = thread_of(given.thread, kernel)
            checks = kinds != [NONE]
            coverage = _coverage() if given.html and checks else None
            debugger = kernel.debug(at, checks=checks, coverage=coverage)
            debugger.alone = kinds == [NONE]
            _check(debugger, given.breaks, given.watch)
            for text in given.lenses:
                debugger.lens(*place_at(text))
            stopped: LimitError | None = None
            history = history_of(at, debugger, scene) if given.html else None
            try:
                groups = given.groups or enough_groups(debugger, at)
                run_debugger(kernel, debugger, groups, scene, history)
                if given.groups is None and given.thread is not None:
                    tell_groups(debugger, at)
            except LimitError as error:  # the trace up to here is still shown
                stopped = error
            if stopped is None and (not given.no_trace or given.thread is not None):
                _ = debugger.trace  # raises if there is no such thread
            if given.against is not None and stopped is None:
                return _compare(given, item, debugger, scene, out, history)
            if given.html and debugger.traced:
                _write_page(given.html, item, debugger, history)
            if given.step and debugger.traced:
                from ..debug_step import Stepping

                Stepping(debugger, given.breaks).run()
            elif given.as_json:
                asked = given.breaks or given.watch
                chosen = _chosen(debugger, asked) if asked else None
                data = trace_view.document(debugger, chosen, kinds)
                if given.no_trace:
                    data["trace"] = None
                data["lenses"] = [each.document() for each in debugger.lenses]
                data |= printed_document(debugger)
                out.document(item, {**data, "stopped": str(stopped) if stopped else None})
            elif not given.no_trace and debugger.traced and (given.output or not given.html):
                coloured(out, _lines(debugger, given.breaks, given.watch, given.every))
            for lens in debugger.lenses if not given.as_json else ():
                tell(str(lens))
            for line in printed(debugger) if not given.as_json else ():
                tell(line)
            for line in trace_view.text(painted(trace_view.findings(debugger, kinds))):
                tell(line)
            if stopped is not None:
                raise stopped
            return exits.FINDING if trace_view.selected(debugger, kinds) else exits.FINE

        return run_on([file], work, out)


def _check_serve(given: DebugOptions, file: str) -> None:
    if given.step or given.no_trace or given.as_json or given.output or given.html:
        raise UsageError("--serve cannot be combined with --step, --no-trace, --html, --json or -o")
    if given.breaks or given.watch or given.lenses:
        raise UsageError("--serve cannot be combined with --break, --watch or --lens")
    if file == "-":
        raise UsageError("standard input cannot be served: a changed file is read again")


def _coverage() -> "Coverage":
    from ...vm.lockstep.debug import Coverage

    return Coverage()


def _compare(
    given: DebugOptions,
    item: Input,
    debugger: "Debugger",
    scene: "Scene",
    out: CommandOutput,
    history: "PixelHistory | None",
) -> int:
    """Run the other shader, and write the first step that differs."""
    from ...run.debugging.compare import compare_traces, shown
    from ...run.debugging.rounding import amplifying_lines, is_by_rounding, shown_lines

    second = other_version(given, item, debugger, scene)
    program = item.open_program(compiling=True).programs[0]  # all of one file are of one language
    found = compare_traces(debugger, second, program.step)
    lines = []
    if is_by_rounding(found, debugger, second):
        lines = amplifying_lines(debugger, second, program.step)
    if given.html:
        _write_page(given.html, item, debugger, history, second)
    if given.as_json:
        difference = None if found is None else found.document()
        amplifies = [each.document() for each in lines]
        out.document(
            item, {"against": given.against, "difference": difference, "amplifies": amplifies}
        )
    else:
        coloured(out, shown(found, debugger, second))
        coloured(out, shown_lines(lines, debugger))
    return exits.FINE if found is None else exits.FINDING


def _write_page(
    path: str,
    item: Input,
    debugger: "Debugger",
    history: "PixelHistory | None",
    against: "Debugger | None" = None,
) -> None:
    from ...report.page import page

    text = page(item.open_program(compiling=True), item.inside, debugger, history, against)
    with CommandOutput(path) as one:
        one.binary(text.encode())


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
