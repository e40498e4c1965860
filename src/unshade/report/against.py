"""Another version of the shader on its page: the first step that differs, and a pane beside it.

The heading links to the step by the address of the page, and needs no script.

against.words, .size, .kind     words of the other listing, in the form of the page's own listing
against.line                    the page's line of each line of the other listing, -1 for none
against.step                    the step of the other trace for each step, -1 for none
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..run.debugging.compare import compare_traces, paired_lines, paired_steps, shown
from ..run.debugging.trace_view import text
from ..screens.text import visible
from .assembly import fragment
from .columns import Columns
from .listing import CodeListing
from .trace import write_other_trace

if TYPE_CHECKING:
    from ..isa.lexer import Lexer
    from ..isa.steps import Step
    from ..run.debugging.debugger import Debugger

__all__ = ["against_section", "write_against"]


def against_section(debugger: "Debugger", other: "Debugger", step: "Callable[[str], Step]") -> str:
    """Return the section about two traces; `step` splits a line of the listing."""
    found = compare_traces(debugger, other, step)
    link = ""
    if found is not None and found.before is not None:
        thread = debugger.traced.index(debugger.shown)
        link = f"#thread={thread}&step={found.before}"
    lines = [visible(line, keep="\t") for line in text(shown(found, debugger, other))]
    return fragment("against.html.jinja", other=visible(other.title), link=link, lines=lines)


def write_against(
    columns: Columns,
    debugger: "Debugger",
    other: "Debugger",
    step: "Callable[[str], Step]",
    lexer: "Lexer",
    line_of: Mapping[int, int],
) -> None:
    """Add the listing and the trace of another version; `line_of` is the page's line of a line."""
    listing = CodeListing.of_lines(other.listing, lexer)
    columns.numbers("against.words", listing.counts)
    columns.numbers("against.size", listing.sizes)
    columns.numbers("against.kind", listing.kinds)
    partners = {after: before for before, after in paired_lines(debugger, other, step).items()}
    numbers = range(1, len(listing.lines) + 1)
    own = [line_of[partners[each]] if each in partners else -1 for each in numbers]
    columns.numbers("against.line", own)
    columns.numbers("against.step", paired_steps(debugger, other, step))
    found = compare_traces(debugger, other, step)
    columns.texts("against.lines", listing.lines)
    columns.values["against"] = {
        "title": visible(other.title),
        "first": -1 if found is None or found.before is None else found.before,
        "differs": found is not None,
        "trace": write_other_trace(columns, other),
    }
