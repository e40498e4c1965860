"""Colours for the lines of the debugger."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..screens.text import Segment, visible
from .output import CommandOutput, styled

if TYPE_CHECKING:
    from ..run.debugging.trace_view import Line

COLOURS: dict[str, int | None] = {
    "line": 244, "dim": 244, "hex": 244, "was": 244, "code": None, "note": 179, "label": 109,
    "wrote": 114, "bad": 203,
}  # fmt: skip


def coloured(out: CommandOutput, lines: "Iterable[Line]") -> None:
    """Write lines to an output, coloured by role."""
    segments: Iterable[list[Segment]] = (
        [(visible(text), COLOURS.get(role)) for text, role in line] for line in lines
    )
    out.lines(segments)


def painted(lines: "Iterable[Line]") -> "Iterable[Line]":
    """Return lines for standard error, coloured by role on a terminal."""
    if not styled(errors=True):
        yield from ([(visible(text), role) for text, role in line] for line in lines)
        return
    from click import style

    for line in lines:
        yield [
            (style(visible(text), fg=COLOURS[role]) if COLOURS.get(role) else visible(text), role)
            for text, role in line
        ]
