"""Edits that make a listing smaller or simpler, which `unshade.reduce` tries one by one.

    loop                          lines of one block: without its body, or its body alone
      add r0.x, r0.x, l(1.0)
      break
    endloop

An edit need not make a valid program: what cannot be assembled is passed over.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..tuples import NamedTuple

__all__ = ["LineEdit", "block_edits", "indent_of"]

INDENT = re.compile(r"[ \t]*")


class LineEdit(NamedTuple):
    """Lines that take the place of those from `start` to `stop`."""

    start: int
    stop: int
    lines: tuple[str, ...] = ()

    def made(self, lines: Sequence[str]) -> list[str]:
        """Return the lines after the edit."""
        return [*lines[: self.start], *self.lines, *lines[self.stop :]]


def indent_of(line: str) -> int:
    """Return the number of blanks that a line begins with."""
    found = INDENT.match(line)
    return found.end() if found is not None else 0


def block_edits(lines: Sequence[str], at: int) -> Iterator[LineEdit]:
    """Yield edits of the block that a line opens, by the indentation of the listing.

    Without the block; its branches without the lines around them, each alone and all.
    """
    margin = indent_of(lines[at])
    if not lines[at].strip():
        return
    if at + 1 < len(lines) and indent_of(lines[at + 1]) == margin:
        yield LineEdit(at, at + 2)  # an empty block
        return
    heads = [at]
    end = at + 1
    while end < len(lines):
        if indent_of(lines[end]) <= margin or not lines[end].strip():
            outside = not lines[end].strip() or indent_of(lines[end]) < margin
            if outside or end == heads[-1] + 1:  # the line before has no body: the block ended
                break
            heads.append(end)
            yield LineEdit(at, end + 1)
            bodies = [tuple(lines[head + 1 : stop]) for head, stop in pairwise(heads)]
            yield from (LineEdit(at, end + 1, body) for body in bodies)
            if len(bodies) > 1:
                yield LineEdit(at, end + 1, sum(bodies, ()))
        end += 1
