"""Rules of MSF files: the streams, and the identity of the PDB against the container inside.

stream 1 GUID ── the hash in the container's part HASH stream 5 a container ── checked with its own
rules; offsets are in the file
"""
# ruff: noqa: E501

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Diagnostic, Severity
from ...rule import Findings, Rule, table
from ...shader import Shader
from .blocks import PdbStream, read_directory

if TYPE_CHECKING:
    from .file import MsfFile

__all__ = ["RULES", "verify"]

W, N = Severity.WARNING, Severity.NOTE

RULES = table((
    Rule("msf.container", W, "no stream is a shader", "A PDB of dxc has a container with the program, or with its sources, in a stream."),
    Rule("msf.identity", W, "the identity of the PDB is missing or malformed", "Stream 1 has version, age and GUID; debuggers find a PDB by them."),
    Rule("msf.guid", W, "the GUID is not the hash of the program", "dxc writes the hash of the part HASH as the GUID, and names the file after it."),
    Rule("msf.name", W, "the name of a stream is missing, or its stream", "Stream 1 lists streams with names: the offset of each name, and the number of the stream."),
    Rule("msf.layout", N, "blocks are not in the order that dxc writes", "Streams may have their blocks anywhere in the file."),
    Rule("msf.trailing", N, "bytes after the last block", "The data continues after the blocks; the bytes are kept."),
))  # fmt: skip
PDB_STREAM = 1


def verify(file: MsfFile) -> list[Diagnostic]:
    """Return the violations in the file and in the shaders inside, with offsets in the file."""
    found = Findings(RULES)
    pdb = file.pdb
    if not isinstance(pdb, PdbStream):
        found.add("msf.identity", path=f"streams[{PDB_STREAM}]")
    else:
        for index, named in enumerate(pdb.named):
            if named.name >= len(pdb.names):
                message = f"expected an offset below {len(pdb.names)}, got {named.name}"
            elif named.stream >= len(file.streams):
                message = f"expected one of {len(file.streams)} streams, got {named.stream}"
            else:
                continue
            found.add("msf.name", message, f"streams[{PDB_STREAM}].named[{index}]")
    container = file.container
    if container is None:
        found.add("msf.container", path="streams")
    elif isinstance(pdb, PdbStream) and (digest := _digest(container)) not in (None, pdb.guid):
        message = f"expected {digest.hex() if digest else ''}, got {pdb.guid.hex()}"
        found.add("msf.guid", message, f"streams[{PDB_STREAM}].guid")
    if file.layout is not None:
        found.add("msf.layout", path="streams")
    if file.trailing:
        end = len(file.to_bytes()) - len(file.trailing)
        found.add("msf.trailing", f"{len(file.trailing)} bytes", "trailing", offset=end)
    diagnostics = found.diagnostics(lambda path: _offset(file, path))
    for number, each in enumerate(file.streams):
        if isinstance(each, Shader):
            diagnostics += _inner(file, number, each)
    return sorted(diagnostics, key=lambda each: (each.offset is None, each.offset or 0))


def _offset(file: MsfFile, path: str) -> int | None:
    """Return the offset of a field, or of the first below a path."""
    inner = (f"{path}.", f"{path}[")
    places = (span for span in file.spans() if span.path == path or span.path.startswith(inner))
    return min((span.offset for span in places), default=None)


def _digest(container: Shader) -> bytes | None:
    """Return the hash in the part HASH, or None."""
    return getattr(container.get("HASH"), "digest", None)


def _inner(file: MsfFile, number: int, shader: Shader) -> list[Diagnostic]:
    """Return the findings of a shader in a stream, with their places in the file."""
    # No compiler signs a container in a PDB, which nobody gives to Direct3D.
    found = [each for each in shader.verify() if each.code != "container.unsigned"]
    if not found:
        return []
    data = file.to_bytes()
    blocks = read_directory(data[: len(data) - len(file.trailing)]).layout.streams[number]
    moved = []
    for each in found:
        made = each.within(0, f"streams[{number}]")
        if each.offset is not None:
            block, rest = divmod(each.offset, file.block_size)
            known = block < len(blocks)
            made.offset = blocks[block] * file.block_size + rest if known else None
        moved.append(made)
    return moved
