"""The source files of a page, and the source line of each line of the listing."""

from ..analysis.source_lines import source_listing, sources_beside
from ..errors import UnshadeError
from ..screens.text import visible
from ..shader import Shader
from .columns import Columns, Strings
from .listing import CodeListing

__all__ = ["write_sources"]

LARGEST = 1 << 22  # characters of all files in a page


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
    if not texts:
        return
    columns.numbers("line.file", [file for file, _ in places])
    columns.differences("line.source", [line for _, line in places])
    columns.texts("source.names", [visible(name) for name in texts])
    kept = [visible(text or "", keep="\t\n") for text in texts.values()]
    columns.texts("source.texts", kept)
    columns.values["sources"] = [text is not None for text in texts.values()]
