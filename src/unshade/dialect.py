"""Dialects of a format's text, and the heading that identifies one.

    // unshade dxcontainer exact 1        comment mark, unshade, format, dialect, version

`native` is the text of the format's own tool and has no heading. `exact` is that text plus the
information that it lacks. The assembler detects the dialect by the first line of the text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .errors import UnshadeError, UnsupportedError, UsageError, did_you_mean
from .tuples import NamedTuple

if TYPE_CHECKING:
    from .isa.source import Source

DIALECTS = ("native", "exact", "upstream", "rootsig")  # of all formats, including unsupported ones

_HEADING = re.compile(r"\s*(?://|;|#)\s*unshade\s+(\w+)\s+(\w+)\s+(\d+)\s*$", re.ASCII)


class Heading(NamedTuple):
    """The heading of a text: its first line."""

    format: str
    dialect: str
    version: int

    def line(self, comment: str) -> str:
        """Return the line without its line end; `comment` starts a comment in the language."""
        return f"{comment} unshade {self.format} {self.dialect} {self.version}"


def heading(text: str) -> Heading | None:
    """Return the heading of a text, or None if its first line is something else."""
    end = text.find("\n")
    found = _HEADING.match(text if end < 0 else text[:end])
    return Heading(found[1], found[2], int(found[3][:9])) if found else None


def checked_heading(source: "Source", comment: str, *known: Heading) -> Heading | None:
    """Return the heading of a text to assemble: one of `known`, or None if there is no heading.

    Raise AssembleError for any other heading, or a version newer than the known one.
    """
    found = heading(source.text)
    if found is None:
        return None
    problem = f"expected the heading {known[0].line(comment)!r}, or none"
    for each in known:
        if found[:2] == each[:2]:
            if found.version <= each.version:
                return found
            problem = f"expected version {each.version} of the dialect at most, got {found.version}"
    raise source.error(problem, 1, width=len(source.lines[0]))


def no_dialect(format: str, dialect: str, *there_are: str) -> UnshadeError:
    """Return the error for a dialect that a format lacks: unknown, or not supported yet."""
    expected = f"expected {' or '.join(there_are)}" if there_are else "it has no dialects"
    if dialect in DIALECTS:
        return UnsupportedError(
            f"{format} does not support the dialect {dialect!r} yet: {expected}"
        )
    hint = did_you_mean(dialect, there_are)
    return UsageError(f"unknown dialect {dialect!r} of {format}: {expected}{hint}")


def only_source(sources: "Sequence[Source]") -> "Source":
    """Return the only source of a text; UsageError unless there is exactly one."""
    if len(sources) != 1:
        raise UsageError(f"expected one source, got {len(sources)}")
    return sources[0]


def no_options(format: str, options: Mapping[str, object], what: str = "text") -> None:
    """Raise UsageError if any option is given where the text, or `what`, takes none."""
    only_options(f"{format} {what}", options)


def only_options(text: str, options: Iterable[str], known: Sequence[str] = ()) -> None:
    """Raise UsageError for the first option of a text that is not one of `known`."""
    for name in options:
        if name not in known:
            expected = f"expected one of {', '.join(known)}" if known else "it has none"
            hint = did_you_mean(name, known) or f"; {expected}"
            raise UsageError(f"{text} has no option {name!r:.40}{hint}")
