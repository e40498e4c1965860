"""The forms of text that a format has, and the comment by which a text names its own.

    // unshade dxcontainer exact 1        mark of a comment, unshade, format, dialect, version

`native` is the text of the format's own tool and bears no such line. `exact` is that text plus just
what it loses; whoever assembles goes by its first line.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .errors import UnshadeError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from .isa.source import Source

DIALECTS = ("native", "exact", "upstream")  # forms of text that some format has, or is to have

_HEADING = re.compile(r"\s*(?://|;|#)\s*unshade\s+(\w+)\s+(\w+)\s+(\d+)\s*$", re.ASCII)


class Heading(NamedTuple):
    """What the first line of a text says of the text."""

    format: str
    dialect: str
    version: int

    def line(self, comment: str) -> str:
        """The line, without its end; `comment` begins a comment in the language."""
        return f"{comment} unshade {self.format} {self.dialect} {self.version}"


def heading(text: str) -> Heading | None:
    """The heading of a text, None where its first line is something else."""
    found = _HEADING.match(text.split("\n", 1)[0])
    return Heading(found[1], found[2], int(found[3][:9])) if found else None


def checked_heading(source: "Source", comment: str, *known: Heading) -> Heading | None:
    """The heading of a text that is assembled: one of those known, or none at all.

    AssembleError for another one, or for a version that is to come.
    """
    told = heading(source.text)
    if told is None:
        return None
    problem = f"expected the heading {known[0].line(comment)!r}, or none"
    for each in known:
        if told[:2] == each[:2]:
            if told.version <= each.version:
                return told
            problem = (
                f"version {told.version} of the dialect is not known, the newest that is known is"
                f" {each.version}"
            )
    raise source.error(problem, 1, width=len(source.lines[0]))


def no_dialect(format: str, dialect: str, *there_are: str) -> UnshadeError:
    """Why a format has no such text: nobody knows the name, or the format cannot do it yet."""
    words = f"{format} has no dialect {dialect!r}; there is {', '.join(there_are) or 'none'}"
    if dialect in DIALECTS:
        return UnsupportedError(f"{words} as yet")
    return UsageError(words)


def no_options(format: str, options: Mapping[str, object]) -> None:
    """UsageError where a text is asked for with options that the format's texts do not have."""
    if options:
        raise UsageError(f"a text of {format} has no option {', '.join(map(str, options))}")
