"""HTML for notebooks: programs, kernels, debuggers and traces."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from . import html, plots
from .blocks import Block, Cell, FactsBlock, Lines, TableBlock, Title
from .text import many, visible

if TYPE_CHECKING:
    from ..program import Program
    from ..run.binding.bindings import Binding
    from ..run.debugging.debugger import Debugger
    from ..run.debugging.trace_view import Line
    from ..run.raster import PixelHistory
    from ..run.runner import Runner
    from ..run.signature import SignatureRow
    from ..vm.lockstep.debug import Coverage, Trace

LAST = 40  # instructions of a trace that are shown
PLOTS = 24  # registers of a trace that are drawn
LEAST = 3  # writes of a register that is drawn
LINES = 60  # lines of findings that are shown
COUNTED = 400  # lines with code whose counts are shown
TONES = {  # of the roles of a trace's words
    "line": "dim", "note": "dim", "label": "dim", "hex": "dim", "was": "dim", "dim": "dim",
    "value": "number", "wrote": "good", "bad": "bad",
}  # fmt: skip


def program(shown: "Program") -> str:
    """A program: its entry points, counts and listing."""
    from ..errors import UnshadeError
    from ..formats import LANGUAGES

    entries = [f"{visible(name)} ({stage})" for name, stage in shown.entry_points]
    rows: list[tuple[str, Cell]] = [("entry points", ", ".join(entries) or "none")]
    if len(shown.instructions):
        rows.append(("instructions", (f"{len(shown.instructions):,}", "number")))
    rows += [("source", visible(name)) for name in islice(shown.sources, 8)]
    pieces = [
        html.render(
            [
                Title(f"{LANGUAGES.get(shown.language, shown.language)} program", ""),
                FactsBlock(rows),
            ]
        )
    ]
    try:
        text = shown.disassemble()
    except UnshadeError:  # malformed code
        return html.document(*pieces)
    title = f"Listing, {many(text.count(chr(10)), 'line')}"
    return html.document(
        *pieces, html.listing(title, text, shown.lexer(), "print(program.disassemble())")
    )


def kernel(shown: "Runner") -> str:
    """A kernel: the resources to bind and the rows of its inputs and outputs."""
    return html.document(html.render(_kernel(shown, shown.stage, f"kernel, {shown.engine}")))


def _kernel(shown: "Runner", name: str, phrase: str) -> Iterator[Block]:
    yield Title(f"{name} shader" if name else "program", phrase)
    if shown.bindings:
        headings = ("name", "in the code", "access", "what it takes")
        yield TableBlock("Bindings", headings, [_binding(each) for each in shown.bindings])
    for title, rows in (
        ("Inputs", shown.inputs),
        ("Outputs", shown.outputs),
        ("Patch constants", shown.patch_constants),
    ):
        if rows:
            yield TableBlock(title, ("name", "type", ">components"), [_row(each) for each in rows])


def _binding(each: "Binding") -> list[Cell]:
    label = ", ".join((*each.also, each.label)) if each.label else each.name
    access: Cell = ("read, write", "warn") if each.writable else "read"
    return [(visible(label), "name"), visible(each.name), access, visible(each.words)]


def _row(each: "SignatureRow") -> list[Cell]:
    return [(visible(each.label), "name"), str(each.dtype), (str(len(each.ports)), "number")]


def debugger(shown: "Debugger") -> str:
    """A debugger: its findings, and the values and last instructions of the shown thread."""
    from ..run.debugging import trace_view

    if shown.lanes is None and not shown.traced:
        phrase = "debugger, nothing has run"
        return html.document(html.render(_kernel(shown, shown.stage, phrase)))
    found = many(len(shown.findings), "finding")
    who = shown.who(shown.shown) if shown.traced else "no thread is traced"
    pieces = [html.render([Title(f"{shown.stage} shader", f"debugger, {who}, {found}")])]
    if shown.findings:
        lines = islice(trace_view.findings(shown), LINES)
        pieces.append(html.render([Lines("Findings", [*_cells(lines)])]))
    if shown.traced:
        pieces += _values(shown.trace)
        steps = [*_cells(trace_view.trace(shown, last=LAST))]
        pieces.append(html.folded("Last instructions", html.render([Lines("", steps)])))
    if shown.coverage is not None:
        counts = html.render([Lines("", [*islice(_counts(shown, shown.coverage), COUNTED)])])
        pieces.append(html.folded("Lanes that ran each line", counts))
    return html.document(*pieces)


def _counts(shown: "Debugger", coverage: "Coverage") -> Iterator[list[Cell]]:
    """Yield the lines that have code, with the numbers of lanes that ran them."""
    ways: dict[int, list[str]] = {}
    for each in coverage.branches.values():
        words = zip(each.words, each.ways, strict=True)
        ways.setdefault(each.line, []).append(", ".join(f"{word} {way:,}" for word, way in words))
    width = max((len(f"{count:,}") for count in coverage.lines.values()), default=0)
    for line, count in sorted(coverage.lines.items()):
        tone = "dim" if count else "bad"
        yield [
            (f"{count:{width},}  ", tone),
            visible(shown.line(line)),
            ("".join(f"  {each}" for each in ways.get(line, ())), "dim"),
        ]


def history(shown: "PixelHistory") -> str:
    """The history of a pixel: a row for each fragment and target."""
    from ..run.raster.history_table import COLUMNS, rows

    phrase = f"({shown.x}, {shown.y}), {many(len(shown.fragments), 'fragment')}"
    found = [row for _, row in rows(shown)]
    heads = [each for each in COLUMNS if any(each in row for row in found)]
    if shown.draws < 2 and "draw" in heads:
        heads.remove("draw")
    cells = [[visible(row.get(name, "")) for name in heads] for row in found]
    table = [TableBlock("", heads, cells)] if cells else []
    return html.document(html.render([Title("history of a pixel", phrase), *table]))


def trace(shown: "Trace") -> str:
    """A trace: the values of its registers over the steps."""
    count = len(shown.entries) + shown.left_out
    phrase = f"lane {shown.lane}, {many(count, 'step')}"
    return html.document(html.render([Title("trace", phrase)]), *_values(shown))


def _cells(lines: "Iterable[Line]") -> Iterator[list[Cell]]:
    for line in lines:
        yield [
            (visible(piece), TONES[role]) if role in TONES else visible(piece)
            for piece, role in line
        ]


def _values(shown: "Trace") -> Iterator[str]:
    """Yield plots of the registers that are written most, in the order of their first writes."""
    from ..run.debugging.trace_view import number

    found: dict[str, list[float]] = {}
    labels: dict[str, str] = {}
    for one in shown.entries:
        for each in one.writes:
            found.setdefault(each.name, []).append(float(number(each)))
            labels[each.name] = each.label
    often = sorted(found, key=lambda name: -len(found[name]))
    drawn = {name for name in often[:PLOTS] if len(found[name]) >= LEAST}
    if drawn:
        yield html.heading("Values over writes")
    for name, numbers in found.items():
        if name in drawn:
            label = f" {labels[name]}" if labels[name] and labels[name] != name else ""
            yield plots.series([numbers], f"{visible(name + label)}: {spread(numbers)}", 36)


def spread(numbers: Sequence[float]) -> str:
    """Return count, first and last of some numbers as text: `12 writes, 0.5 to 3`."""
    return f"{many(len(numbers), 'write')}, {numbers[0]:.6g} to {numbers[-1]:.6g}"
