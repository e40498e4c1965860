"""Places of nodes in the text: from the path of a node to the line of its statement.

    elements[1].body.statements[0].value.left   ->   effect.rts:4:12, or line 4 of the listing

The compiler gives expressions and statements the range of their source. A program from a file has
no source: lines are numbered as in its listing.
"""

import re
from collections.abc import Iterator

from ...errors import AssembleError
from .assembler.messages import Message, Position, Reporter
from .code import Code
from .tree import ProgramUnit, Statement, TranslationUnit

__all__ = ["line_at", "mistake_at"]

STEP = re.compile(r"([A-Za-z_]\w*)|\[([0-9]+)\]")


def nodes_at(unit: TranslationUnit, path: str) -> Iterator[object]:
    """Yield the nodes that a path leads through, from the outside in, as far as they exist."""
    node: object = unit
    for name, index in STEP.findall(path):
        try:
            node = getattr(node, name) if name else node[int(index)]  # type: ignore[index]
        except (AttributeError, IndexError, TypeError):
            return
        yield node


def mistake_at(unit: TranslationUnit, path: str, problem: str) -> AssembleError | None:
    """Return a problem with its place in the source; None if the unit was not made from source."""
    source = unit.source if isinstance(unit, ProgramUnit) else None
    if source is None:
        return None
    place: Position = None
    for node in nodes_at(unit, path):
        place = getattr(node, "position", None) or place
    return Reporter(source).located(Message(place, problem))


def line_at(code: Code, path: str) -> int:
    """Return the line of the innermost statement on a path, in the text of `lines_of`; else 0."""
    from .lower.listing import lines_of

    lines = lines_of(code)[1]
    found = [
        lines.get(each, 0) for each in nodes_at(code.unit, path) if isinstance(each, Statement)
    ]
    return next((line for line in reversed(found) if line), 0)
