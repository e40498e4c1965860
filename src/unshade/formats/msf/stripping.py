"""Removal of the private data of a PDB, as `pdbcopy -p` does: its identity is left.

    kept      GUID and age, by which a program is matched with its PDB; HASH and VERS of a container
    removed   sources, lines, types, names of streams, time of creation, blocks in no stream

The category is `private`, so that the default of `strip`, debug information, leaves PDBs as they
are: that information is their purpose.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...parts import Category
from ...shader import Shader
from ...stripping import Loss
from .blocks import PdbStream
from .parts import StreamPart

if TYPE_CHECKING:
    from .file import MsfFile

GONE = (Category.DEBUG, Category.REFLECTION, Category.STATISTICS, Category.PRIVATE, Category.CODE)
PRIVATE = "private"
TIME, NAMES, UNUSED = "time of creation", "names of streams", "blocks in no stream"


def losses(shader: "MsfFile") -> Iterator[Loss]:
    """Yield everything that can be removed."""
    for part in shader.parts:
        if isinstance(part, StreamPart) and part.category in GONE:
            yield Loss(part.name, part.size, PRIVATE, part.title or "a stream of the debug file")
    pdb = shader.pdb
    if pdb is not None and pdb.signature:
        yield Loss(TIME, 4, PRIVATE, "when the PDB was made")
    if pdb is not None and (pdb.names or pdb.named):
        yield Loss(NAMES, len(pdb.names) + 8 * len(pdb.named), PRIVATE, "paths of sources")
    size = sum(
        each.length for each in shader.spans() if each.path == "unused" and _said(each.value)
    )
    if size:
        yield Loss(UNUSED, size, PRIVATE, "remains of versions before")


def _said(value: object) -> bool:
    """Return True if bytes outside of streams are neither a map of free blocks nor padding."""
    return isinstance(value, bytes) and any(each not in (0, 0xFF) for each in value)


def strip(shader: "MsfFile", lost: Sequence[Loss]) -> None:
    """Remove the given losses; the blocks are then laid out as dxc does."""
    gone = {each.part for each in lost}
    for number, stream in enumerate(shader.streams):
        name = f"streams[{number}]"
        if isinstance(stream, PdbStream):
            _strip_identity(stream, gone)
        elif name in gone:
            shader.streams[number] = b""
        elif isinstance(stream, Shader):
            for part in [each for each in stream.parts if f"{name}.{each.name}" in gone]:
                del stream[part.name]
            if not len(stream.parts):
                shader.streams[number] = b""
    if gone:
        shader.layout = None


def _strip_identity(pdb: PdbStream, gone: set[str]) -> None:
    if TIME in gone:
        pdb.signature = 0
    if NAMES in gone:
        pdb.names, pdb.named, pdb.present, pdb.deleted = b"", [], [], []
