"""The source lines that the lines of a listing come from, by debug information.

    light.hlsl:7  float3 c = base * light;
       40  %13 = fmul %11, %12
       41  %14 = fadd %13, %9

Lines without an operation (declarations, labels) have no location.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..dataclass import dataclass
from ..errors import UnshadeError
from ..ir.locations import SourceLocation
from ..ir.source_text import SourceTexts
from ..program import Program
from ..shader import Shader

__all__ = ["NO_LINE", "SourceListing", "head", "source_listing", "sources_beside"]

NO_LINE = "// no line of the source"


@dataclass(slots=True)
class SourceListing:
    """A program's listing, as traces number its lines, and where its lines come from.

    Attributes:
        lines: The listing.
        locations: The location of each line with an operation, by its number from 1; None for
            operations that come from no line of a source.
        texts: The source files that the program contains, or that its shader contains beside it.
    """

    lines: list[str]
    locations: Mapping[int, SourceLocation | None]
    texts: SourceTexts

    @property
    def is_located(self) -> bool:
        """True if any line comes from a known line of a source."""
        return any(self.locations.values())

    def heads(self) -> Iterator[tuple[int, SourceLocation | None]]:
        """Yield each line of the listing where another source line begins, with the location."""
        last: tuple[str, int] | None = None
        for number in sorted(self.locations):
            location = self.locations[number]
            place = (location.file, location.line) if location is not None else None
            if place != last:
                yield number, location
            last = place


def source_listing(shader: Shader, program: Program[Any]) -> SourceListing:
    """Return the listing of a program, with the locations of its lines.

    Raises:
        FormatError: The program has no listing, since it is malformed.
        LimitError: The listing is longer than the limits allow.
    """
    program = shader.with_debug_information(program)
    lines = program.disassemble().removesuffix("\n").split("\n")
    texts = SourceTexts(sources_beside(shader, program))
    return SourceListing(lines, program.line_locations(), texts)


def head(texts: SourceTexts, location: SourceLocation | None) -> str:
    """Return `light.hlsl:7  float3 c = base * light;`, without text if it is unknown."""
    if location is None:
        return NO_LINE
    text = texts.line(location.file, location.line).strip()
    return f"{location.file}:{location.line}  {text}".rstrip()


def sources_beside(shader: Shader, program: Program[Any]) -> Mapping[str, str]:
    """Return the sources of a program, or of the part of the file to which dxc moves them."""
    found = program.sources
    if any(found.values()):
        return found
    try:
        beside = shader.sources()
    except UnshadeError:  # only debugging needs them
        return found
    return {name: text.decode("utf-8", "surrogateescape") for name, text in beside.items()}
