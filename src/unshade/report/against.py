"""The first step that differs from another version, on the page of a shader.

The heading leads to the step by the address of the page, so that it needs no script.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..run.debugging.compare import compare_traces, shown
from ..run.debugging.trace_view import text
from ..screens.text import visible
from .assembly import fragment

if TYPE_CHECKING:
    from ..isa.steps import Step
    from ..run.debugging.debugger import Debugger

__all__ = ["against_section"]


def against_section(debugger: "Debugger", other: "Debugger", step: "Callable[[str], Step]") -> str:
    """Return the section about two traces; `step` splits a line of the listing."""
    found = compare_traces(debugger, other, step)
    link = ""
    if found is not None and found.before is not None:
        thread = debugger.traced.index(debugger.shown)
        link = f"#thread={thread}&step={found.before}"
    lines = [visible(line, keep="\t") for line in text(shown(found, debugger, other))]
    return fragment("against.html.jinja", other=visible(other.title), link=link, lines=lines)
