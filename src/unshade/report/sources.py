"""The source files of a page, and the source line of each line of the listing.

Files that the shader contains or refers to come first, then what `decompile` writes for each
program. A line of the listing has a place in one of the files, by debug information, and one in
the decompiled source: the statement whose last line it is, or else the next one.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from ..analysis.source_lines import source_listing, sources_beside
from ..errors import UnshadeError
from ..program import Program
from ..screens.text import visible
from ..shader import Shader
from .columns import Columns, Strings
from .listing import CodeListing

__all__ = ["write_sources"]

LARGEST = 1 << 22  # characters of all files in a page
LONGEST = 4096  # lines of a listing that is decompiled
STATEMENT = re.compile(r"^(.*?)  // (\d+)$", re.MULTILINE)  # with the line that it ends with


def write_sources(columns: Columns, shader: Shader, listing: CodeListing) -> None:
    """Add the files that the shader contains or refers to; nothing if there is none."""
    files = Strings()
    texts: dict[str, str | None] = {}
    places = [(0, 0)] * len(listing.lines)
    left = LARGEST
    for program in shader.programs:
        try:
            found = source_listing(shader, program)
            located = dict.fromkeys(each.file for each in found.locations.values() if each)
            names = {**located, **dict.fromkeys(sources_beside(shader, program))}
        except UnshadeError:  # the page shows what can be read
            continue
        for name in names:
            text = found.texts.whole(name)
            is_copy = text is not None and text in texts.values()
            if name in texts or (is_copy and name not in located):
                continue
            if text is not None and len(text) > left:
                text = None
            left -= len(text or "")
            texts[name] = text
            files.number(name)
        shown = listing.lines_of(shader, found.lines) if located else []
        for number, location in found.locations.items():
            at = shown[number - 1] if located else -1
            if location is not None and at >= 0:
                places[at] = files.number(location.file) + 1, location.line
    own = [0] * len(texts)
    decompiled = [(0, 0)] * len(listing.lines)
    for name, text, lines in _decompiled(shader, listing):
        if len(text) > left or name in texts:
            continue
        left -= len(text)
        texts[name] = text
        own.append(1)
        for at, line in lines.items():
            decompiled[at] = len(texts), line
    if not texts:
        return
    columns.numbers("line.decompiled", [file for file, _ in decompiled])
    columns.differences("line.statement", [line for _, line in decompiled])
    columns.numbers("line.file", [file for file, _ in places])
    columns.differences("line.source", [line for _, line in places])
    columns.texts("source.names", [visible(name) for name in texts])
    kept = [visible(text or "", keep="\t\n") for text in texts.values()]
    columns.texts("source.texts", kept)
    columns.values["sources"] = [text is not None for text in texts.values()]


def _decompiled(
    shader: Shader, listing: CodeListing
) -> Iterator[tuple[str, str, Mapping[int, int]]]:
    """Yield the name and the text of each program's decompiled source, and lines.

    Lines are those of the source, from 1, by lines of the page's listing, from 0.
    """
    if len(listing.lines) > LONGEST:
        return
    several = len(shader.programs) > 1
    for number, program in enumerate(shader.programs):
        to = program.source_language
        if to is None or program.takes is None or not program.entry_points:
            continue
        entry = program.entry_points[0].name if len(program.entry_points) > 1 else None
        try:
            text = shader.decompile(to, program=number, entry=entry, lines=True)
            shown = listing.lines_of(shader, program.disassemble().splitlines())
        except UnshadeError:  # the page shows what there is
            continue
        plain = STATEMENT.sub(r"\1", text)
        name = f"decompiled{number if several else ''}.{to}"
        yield name, plain, _statements(program, text, shown)


def _statements(program: Program, text: str, shown: list[int]) -> dict[int, int]:
    """Return the line of the source for each line of the page's listing that runs."""
    ends: dict[int, int] = {}  # the first statement that ends with a line of the program's listing
    for at, line in enumerate(text.splitlines(), 1):
        found = STATEMENT.match(line)
        if found is not None:
            ends.setdefault(int(found[2]), at)
    lines = sorted(ends)
    made: dict[int, int] = {}
    steps = {each.path for each in program.control_flow().steps}
    for number, (paths, place) in enumerate(zip(program.line_paths(), shown, strict=False), 1):
        at = bisect_left(lines, number)
        if at < len(lines) and place >= 0 and paths and paths[0] in steps:
            made[place] = ends[lines[at]]
    return made
