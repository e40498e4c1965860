"""What of a SHBIN the hardware and libctru do without: names for people.

    debug        labels, file names, lines          nothing reads them
    reflection   names of uniforms and inputs       applications that ask by name find none any more

The rows go with the names: a row without its name says nothing that the code does not say.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...shader import Loss
from ...wire.code import bytes_of

if TYPE_CHECKING:
    from .shader import DvlbShader

ROW = {"labels": 16, "uniforms": 8, "lines": 8}  # bytes
MEANING = {
    "labels": "names of places in the code",
    "uniforms": "names of uniforms and inputs: applications cannot ask for them any more",
    "lines": "file names and lines of the source",
}
CATEGORIES = {"labels": "debug", "uniforms": "reflection", "lines": "debug"}


def losses(shader: "DvlbShader") -> Iterator[Loss]:
    """All that can go, in file order."""
    for part, table, size in _tables(shader):
        if size:
            yield Loss(part, size, CATEGORIES[table], MEANING[table])


def strip(shader: "DvlbShader", lost: Iterable[tuple[str, str]]) -> None:
    """Take away what these parts have of these categories."""
    gone = set(lost)
    if ("DVLP", "debug") in gone:
        shader.dvlp.lines = []
        shader.dvlp.symbols, shader.dvlp.symbol_size = [], None
    for each in shader.dvles:
        if ("DVLE", "debug") in gone:
            each.labels = []
        if ("DVLE", "reflection") in gone:
            each.uniforms = []
        if gone & {("DVLE", "debug"), ("DVLE", "reflection")}:
            each.symbols, each.symbol_size = [], None
    shader.forget_layout()


def _tables(shader: "DvlbShader") -> Iterator[tuple[str, str, int]]:
    dvlp = shader.dvlp
    names = dict.fromkeys([*(line.file for line in dvlp.lines), *dvlp.symbols])
    yield "DVLP", "lines", ROW["lines"] * len(dvlp.lines) + bytes_of(names)
    for _, each in shader.distinct():
        labels = ROW["labels"] * len(each.labels) + bytes_of(row.symbol for row in each.labels)
        uniforms = ROW["uniforms"] * len(each.uniforms)
        yield "DVLE", "labels", labels
        yield "DVLE", "uniforms", uniforms + bytes_of(row.symbol for row in each.uniforms)
