"""Streams of an MSF file as parts, and the parts of a container in a stream.

    streams[1]          identity of the PDB
    streams[5].DXIL     a part of the container in stream 5

Names are paths, as in `verify` and `hexdump`. Streams without bytes are left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import FormatError, LimitError
from ...parts import Category, Part
from ...shader import Shader
from .blocks import PdbStream, read_directory

__all__ = ["StreamPart", "stream_parts"]

IDENTITY = "identity of the PDB: GUID, age, names of streams"
# By number of a stream; LLVM docs/PDB/index.rst.
TITLES = {0: "directory of the version before", 2: "types", 3: "debug information", 4: "ids"}
SOURCES = "/src/files/"  # RenderDoc dxbc_spdb.cpp
FIELDS = {"guid": Category.DIGEST}


class StreamPart:
    """A stream, or a part of the container in a stream.

    `inner` is that part, which must have been read; `extents` are the runs of its bytes.
    """

    __slots__ = ("data", "error", "extents", "inner", "name", "offset", "title", "value")

    def __init__(
        self,
        name: str,
        data: bytes,
        value: Any,
        title: str,
        extents: list[tuple[int, int]],
        inner: Part | None = None,
    ) -> None:
        self.name = name
        self.data = data
        self.value = value
        self.title = title
        self.extents = extents
        self.inner = inner
        self.offset = extents[0][0] if extents else 0
        self.error: FormatError | LimitError | None = None if inner is None else inner.error

    @property
    def size(self) -> int:
        """Size of the data in bytes."""
        return len(self.data)

    @property
    def category(self) -> Category:
        """The category of the part."""
        if self.inner is not None:
            return self.inner.category
        return Category.CONTAINER if isinstance(self.value, PdbStream) else Category.DEBUG

    def category_of(self, field: str) -> Category:
        """Return the category of a field, given by its dotted path."""
        if self.inner is not None:
            return self.inner.category_of(field)
        return FIELDS.get(field, self.category)

    def in_program(self, field: str) -> bool:
        """Return True if a field is part of a program."""
        return self.inner is not None and self.inner.in_program(field)

    def described(self, field: str, value: Any) -> str | None:
        """Return a description of a field's value, or None if the value needs none."""
        return None if self.inner is None else self.inner.described(field, value)

    def __repr__(self) -> str:
        return f"<StreamPart {self.name} at 0x{self.offset:x}>"


def stream_parts(
    data: bytes, block_size: int, streams: Sequence[tuple[Any, bytes | None]], pdb: PdbStream | None
) -> Iterator[StreamPart]:
    """Yield the parts of a file.

    Args:
        data: The bytes of the file.
        block_size: Size of a block in bytes.
        streams: The value of each stream, and its bytes.
        pdb: The identity of the PDB, or None.
    """
    layout = read_directory(data).layout
    named = {} if pdb is None else {at: name for name, at in pdb.streams_by_name().items()}
    for number, ((value, raw), blocks) in enumerate(zip(streams, layout.streams, strict=True)):
        if not raw:
            continue
        name = f"streams[{number}]"
        if isinstance(value, Shader) and len(value.parts):
            for part in value.parts:
                runs = [
                    run for extent in part.extents for run in _runs(blocks, block_size, *extent)
                ]
                yield StreamPart(
                    f"{name}.{part.name}", part.data, part.value, part.title, runs, part
                )
            continue
        title = _title(number, value, named)
        yield StreamPart(name, raw, value, title, list(_runs(blocks, block_size, 0, len(raw))))


def _title(number: int, value: Any, named: Mapping[int, str]) -> str:
    """Return the contents of a stream; empty if they are unknown."""
    if isinstance(value, PdbStream):
        return IDENTITY
    if isinstance(value, Shader):
        return f"{value.format} file"
    if number in named:
        is_source = named[number].startswith(SOURCES)
        return (
            f"source {named[number].removeprefix(SOURCES)}".rstrip() if is_source else named[number]
        )
    return TITLES.get(number, "")


def _runs(blocks: Sequence[int], size: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) in the file of each run of bytes of a stream."""
    first = last = -1
    at = start
    while at < end:
        inside = at % size
        place = blocks[at // size] * size + inside
        step = min(size - inside, end - at)
        if place != last:
            if first >= 0:
                yield first, last
            first = place
        last = place + step
        at += step
    if first >= 0:
        yield first, last
