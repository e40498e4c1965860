"""Lines of the debugger in the colours of their roles."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..screens.text import Segment, visible
from .output import Output, styled

if TYPE_CHECKING:
    from ..run.trace_view import Line

COLOURS: dict[str, int | None] = {
    "line": 244, "dim": 244, "hex": 244, "was": 244, "code": None, "note": 179, "label": 109,
    "wrote": 114, "bad": 203,
}  # fmt: skip


def coloured(out: Output, lines: "Iterable[Line]") -> None:
    """Lines in the colours of their roles."""
    segments: Iterable[list[Segment]] = (
        [(visible(text), COLOURS.get(role)) for text, role in line] for line in lines
    )
    out.segments(segments)


def painted(lines: "Iterable[Line]") -> "Iterable[Line]":
    """The same for standard error."""
    if not styled(errors=True):
        yield from ([(visible(text), role) for text, role in line] for line in lines)
        return
    from click import style

    for line in lines:
        yield [
            (style(visible(text), fg=COLOURS[role]) if COLOURS.get(role) else visible(text), role)
            for text, role in line
        ]
