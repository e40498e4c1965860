"""PDBs of dxc: an MSF file where one stream is a container; and PDBs of fxc, without a container.

MsfFile("a.pdb").container   ──►  the container, opened through the registry of formats
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ...errors import Diagnostics, FormatError, UnsupportedError
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import PartTuple
from ...shader import Shader
from ...stripping import Loss
from ...wire import Span, read, trace, write
from ...wire.data import check_fields, from_data, hex_from_data, to_data
from ...wire.spans import gaps, spans_of
from .. import format_named as registered
from .. import nested_from_data, nested_shader
from .blocks import (
    BLOCK_SIZES,
    HEADER,
    MsfLayout,
    PdbStream,
    SuperBlock,
    block_layout,
    read_directory,
    read_streams,
    write_streams,
)
from .parts import SOURCES, stream_parts

if TYPE_CHECKING:
    from ...model import Reflection
    from ...program import Program
    from ...rule import Rule

__all__ = ["MsfFile"]

PDB_STREAM = 1
INNER = "dxcontainer"  # the format of the container that dxc puts into a PDB
KEYS = ("format", "block_size", "streams", "layout", "trailing")


class MsfFile(Shader):
    """An MSF file, usually a PDB of dxc.

    Attributes:
        block_size: Size of a block in bytes.
        streams: The streams: bytes, a shader, the record of stream 1, or None for no stream.
    """

    format: ClassVar[str] = "msf"
    comment: ClassVar[str] = ";"

    def __init__(
        self,
        streams: Sequence[bytes | Shader | PdbStream | None] = (),
        *,
        block_size: int = 512,
        layout: MsfLayout | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self.streams = list(streams)
        self.block_size = block_size
        self.layout = layout
        self.limits = limits

    @classmethod
    def loads(cls, data: bytes, limits: Limits = DEFAULT) -> Self:
        """Read an MSF file.

        Raises:
            FormatError: The header, the directory or a number of a block is invalid.
            LimitError: The file exceeds `limits`.
        """
        data = bytes(data)
        check_file_size(len(data), limits)
        size = cls.measure(data)
        found = read_streams(data[:size], limits)
        streams: list[bytes | Shader | PdbStream | None] = []
        for index, each in enumerate(found.streams):
            value: bytes | Shader | PdbStream | None = each
            if each and index == PDB_STREAM:
                value = _typed(each)
            elif each:
                value = nested_shader(each, cls.format, limits) or each
            streams.append(value)
        usual = found.layout == block_layout(found.block_size, found.streams)
        layout = None if usual else found.layout
        self = cls(streams, block_size=found.block_size, layout=layout, limits=limits)
        self.trailing = data[size:]
        return self

    @classmethod
    def measure(cls, data: bytes | memoryview) -> int:
        """Return the size up to the last block, which dxc leaves out of the number of blocks."""
        head, _, layout = read_directory(data)
        blocks = [head.block_count - 1, layout.map_block, *layout.directory]
        blocks += [each for stream in layout.streams for each in stream]
        return min((max(blocks) + 1) * head.block_size, len(data))

    # -- contents ----------------------------------------------------------------------------

    @property
    def container(self) -> Shader | None:
        """The shader in the first stream that is one, or None."""
        return next((each for each in self.streams if isinstance(each, Shader)), None)

    @property
    def pdb(self) -> PdbStream | None:
        """The identity of the PDB, or None."""
        return next((each for each in self.streams if isinstance(each, PdbStream)), None)

    def _inner(self, wish: str) -> Shader:
        inner = self.container
        if inner is None:
            raise UnsupportedError(f"the file has no stream with a shader to {wish}")
        return inner

    @property
    def programs(self) -> Sequence[Program]:
        inner = self.container
        return () if inner is None else inner.programs

    @property
    def parts(self) -> PartTuple:
        """The streams that are not empty; instead of a container its parts."""
        data = self.to_bytes()
        data = data[: len(data) - len(self.trailing)]
        streams = list(zip(self.streams, self._bytes(), strict=True))
        return PartTuple(stream_parts(data, self.block_size, streams, self.pdb))

    def frame(self) -> dict[str, Any]:
        found: dict[str, Any] = {"block_size": self.block_size, "streams": len(self.streams)}
        if self.layout is not None:
            found["layout"] = self.layout.to_data()
        inner = self.container
        return found if inner is None else inner.frame() | found

    @property
    def diagnostics(self) -> Diagnostics:
        return Diagnostics()

    def verify(self, **options: Any) -> Diagnostics:
        """Return the violations in the file, and in the shaders of its streams."""
        from ...dialect import no_options
        from .verify import verify

        no_options(self.format, options, "verify")
        return Diagnostics(verify(self))

    @classmethod
    def rule_tables(cls) -> Mapping[str, Mapping[str, Rule]]:
        from .verify import RULES

        return {"PDBs of dxc": RULES, **registered(INNER).shader().rule_tables()}

    def identity(self) -> Reflection:
        inner = self.container
        found = super().identity() if inner is None else inner.identity()
        found.format = self.format
        return found

    def reflect(self) -> Reflection:
        found = self._inner("reflect").reflect()
        found.format = self.format
        return found

    def disassemble(
        self, dialect: str | None = None, *, strict: bool = True, **options: Any
    ) -> str:
        """Return the text of the container; its exact text represents the container alone."""
        if dialect == "exact":
            raise UnsupportedError("the exact text belongs to the container: extract it first")
        return self._inner("disassemble").disassemble(dialect, strict=strict, **options)

    def line_paths(self) -> list[tuple[str, ...]]:
        inner = self.container
        if inner is None:
            return []
        prefix = f"streams[{self.streams.index(inner)}]"
        return [tuple(f"{prefix}.{path}" for path in paths) for paths in inner.line_paths()]

    def field_path(self, program: Program, path: str) -> str:
        inner = self.container
        if inner is None:
            return path
        return f"streams[{self.streams.index(inner)}].{inner.field_path(program, path)}"

    def extract(self) -> dict[str, bytes]:
        """Return the bytes of each stream that is not empty."""
        return {f"stream{i}": raw for i, raw in enumerate(self._bytes()) if raw}

    def sources(self) -> dict[str, bytes]:
        """Return the sources in the container, and in named streams, where fxc stores them.

        The name of such a stream begins with `/src/files/`; a source that fxc read from memory has
        no further name and is called `shader.hlsl`.
        """
        inner, pdb = self.container, self.pdb
        found = {} if inner is None else inner.sources()
        for name, number in ({} if pdb is None else pdb.streams_by_name()).items():
            stream = self.streams[number] if number < len(self.streams) else None
            if name.startswith(SOURCES) and isinstance(stream, bytes):
                found[name.removeprefix(SOURCES) or "shader.hlsl"] = stream
        return found

    # -- writing -----------------------------------------------------------------------------

    def _bytes(self) -> list[bytes | None]:
        return [_encoded(each) for each in self.streams]

    def to_bytes(self) -> bytes:
        return write_streams(self.block_size, self._bytes(), self.layout) + self.trailing

    def to_data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"format": self.format, "block_size": self.block_size}
        found["streams"] = [_plain(each) for each in self.streams]
        if self.layout is not None:
            found["layout"] = self.layout.to_data()
        if self.trailing:
            found["trailing"] = self.trailing.hex()
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        check_fields(data, KEYS)
        size, streams = data.get("block_size", 512), data.get("streams")
        if size not in BLOCK_SIZES:
            raise FormatError(f"expected a block size, got {size!r:.40}", path="block_size")
        if not isinstance(streams, list):
            raise FormatError(f"expected a list of streams, got {streams!r:.40}", path="streams")
        layout = data.get("layout")
        self = cls(
            [_stream(each, f"streams[{index}]") for index, each in enumerate(streams)],
            block_size=size,
            layout=None if layout is None else MsfLayout.from_data(layout, size),
        )
        self.trailing = hex_from_data(data.get("trailing", ""), "trailing")
        return self

    def _losses(self) -> Sequence[Loss]:
        from .stripping import losses

        return list(losses(self))

    def _strip(self, lost: Sequence[Loss]) -> None:
        from .stripping import strip

        strip(self, lost)

    # -- spans -------------------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """Return the spans of all fields in file order."""
        data = self.to_bytes()
        layout = read_directory(data[: len(data) - len(self.trailing)]).layout
        size = self.block_size
        found = spans_of(trace(SuperBlock, data[:HEADER]))
        found += _words(data, [layout.map_block], 4 * len(layout.directory), size, "map")
        head = read(SuperBlock, data[:HEADER])
        found += _words(data, layout.directory, head.directory_size, size, "directory")
        for index, (blocks, each) in enumerate(zip(layout.streams, self.streams, strict=True)):
            path = f"streams[{index}]"
            raw = _encoded(each) or b""
            if each is None or not raw:
                continue
            if not isinstance(each, bytes) and all(b == a + 1 for a, b in pairwise(blocks)):
                inner = each.spans() if isinstance(each, Shader) else _record_spans(raw)
                found += [span.shifted(blocks[0] * size, path) for span in inner]
                continue
            for i, block in enumerate(blocks):
                piece = raw[i * size : (i + 1) * size]
                found.append(Span(block * size, len(piece), path, piece, "stream", None, "raw"))
        for start, end in gaps(found, len(data)):
            raw = data[start:end]
            kind = "raw" if any(raw) else "padding"
            found.append(Span(start, end - start, "unused", raw, "in no stream", None, kind))
        return sorted(found, key=lambda span: (span.offset, -span.length))


def _words(data: bytes, blocks: list[int], length: int, size: int, path: str) -> list[Span]:
    """Return a span for each number in some blocks."""
    found = []
    for index in range(length // 4):
        at = blocks[4 * index // size] * size + 4 * index % size
        value = int.from_bytes(data[at : at + 4], "little")
        found.append(Span(at, 4, f"{path}[{index}]", value, "size or number of a block"))
    return found


def _record_spans(raw: bytes) -> list[Span]:
    return spans_of(trace(PdbStream, raw))


def _typed(raw: bytes) -> bytes | PdbStream:
    try:
        return read(PdbStream, raw)
    except FormatError:
        return raw


def _encoded(value: bytes | Shader | PdbStream | None) -> bytes | None:
    if isinstance(value, Shader):
        return value.to_bytes()
    return write(value) if isinstance(value, PdbStream) else value


def _plain(value: bytes | Shader | PdbStream | None) -> Any:
    if isinstance(value, Shader):
        return {"shader": value.to_data()}
    if isinstance(value, PdbStream):
        return {"pdb": to_data(value)}
    return None if value is None else {"data": value.hex()}


def _stream(data: Any, path: str) -> bytes | Shader | PdbStream | None:
    if data is None:
        return None
    if not isinstance(data, dict) or len(data) != 1:
        raise FormatError(f"expected a stream, got {data!r:.40}", path=path)
    if "pdb" in data:
        return from_data(PdbStream, data["pdb"], path=f"{path}.pdb")
    if "shader" in data:
        return nested_from_data(data["shader"], MsfFile.format, f"{path}.shader")
    return hex_from_data(data.get("data"), f"{path}.data")
