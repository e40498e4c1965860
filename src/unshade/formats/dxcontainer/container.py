"""The DirectX container: a header, a table of offsets, and parts with four-letter names.

    +0  DXBC  +4 digest[16]  +20 u16 major 1, u16 minor 0  +24 u32 size  +28 u32 part count
    +32 u32[count] offsets of the parts        part: FourCC, u32 size, data

Parts may be in any order, anywhere after the table, aligned or not, and may share names. Source:
DXC DxilContainer.h, LLVM DXContainer.h; the irregularities are from files.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self

from ...errors import Diagnostic, FormatError, LimitError, Severity, UsageError
from ...limits import DEFAULT, Limits, check_file_size
from ...parts import RawBytes
from ...tuples import NamedTuple
from ...wire import (
    U32,
    Record,
    Span,
    array,
    blob,
    field,
    read_prefix,
    trace,
    u16,
    u32,
    write,
)
from ...wire.data import check_fields, hex_from_data
from ...wire.spans import is_below, spans_of
from . import digest as digests
from .digest import DigestKind
from .part import PART_HEADER, DxPart, PartList, PartNames, encoded_name, pad_beside, part_paths

MAGIC = b"DXBC"


class Header(Record, source="DXC DxilContainer.h (DxilContainerHeader)"):
    """The first bytes of the file."""

    magic: bytes = blob("magic number: `DXBC`", 4, default=MAGIC, opaque=False)
    digest: bytes = blob(
        "modified MD5 of all bytes that follow", 16, default=bytes(16), opaque=False
    )
    major: u16 = field("major version: 1", default=1)
    minor: u16 = field("minor version: 0", default=0)
    size: u32 = field("size of the container in bytes")
    part_count: u32 = field("number of parts")
    offsets: list[int] = array("offsets of the parts in the file", U32, count="part_count")


class PartPlace(NamedTuple):
    """The location of a part: its index in the part table, and offsets in the file."""

    number: int
    free: int  # end of the part or table before it
    offset: int
    end: int


def structure(
    data: bytes | memoryview, limits: Limits = DEFAULT
) -> tuple[Header, list[PartPlace], int]:
    """Return the header, the place of each part in file order, and the end of the container.

    The data of the parts is not read.

    Raises:
        FormatError: The header, the part table or the bounds of a part are malformed.
    """
    size = len(data)
    if size >= 4 and data[:4] != MAGIC:
        raise FormatError(f"expected {MAGIC!r}, got {bytes(data[:4])!r}", path="magic")
    table = 4 * int.from_bytes(data[28:32], "little")
    if table > max(size - 32, 0) and size >= 32:
        problem = f"expected {table} bytes for {table // 4} offsets, got {size - 32}"
        raise FormatError(problem, offset=32, path="offsets")
    if table > 4 * limits.parts:
        raise LimitError("parts", limits.parts, table // 4)
    header, at = read_prefix(Header, bytes(data[: 32 + table]), limits=limits)
    places = []
    for index in sorted(range(header.part_count), key=header.offsets.__getitem__):
        offset = header.offsets[index]
        path, slot = f"parts[{index}]", 32 + 4 * index
        if offset < at:
            problem = f"expected an offset from 0x{at:x} on, got 0x{offset:x}"
            raise FormatError(problem, offset=slot, path=path)
        if offset + PART_HEADER > size:
            problem = f"expected a part header at 0x{offset:x}, got the end at 0x{size:x}"
            raise FormatError(problem, offset=slot, path=path)
        declared = int.from_bytes(data[offset + 4 : offset + 8], "little")
        end = offset + PART_HEADER + declared
        if end > size:
            name = bytes(data[offset : offset + 4]).decode("latin-1")
            left = size - offset - PART_HEADER
            problem = f"expected {declared} bytes for {name}, got {left}"
            raise FormatError(problem, offset=offset + 4, path=f"{path}.size")
        places.append(PartPlace(index, at, offset, end))
        at = end
    return header, places, max(min(header.size, size), at)


class Container:
    """The structure of a container: parts, order, gaps and digest. Base of `DxContainer`."""

    tail = RawBytes("the bytes after the last part, within the container's size")
    trailing = RawBytes("the bytes after the container")

    def __init__(self, parts: Sequence[DxPart] = (), limits: Limits = DEFAULT) -> None:
        self._parts = PartList(parts)
        self.major, self.minor = 1, 0
        self.digest = bytes(16)
        self.signed: DigestKind | None = DigestKind.RETAIL  # None: not asked yet
        self.declared_size: int | None = None
        self.order = None
        self.tail = b""
        self.trailing = b""
        self.source: bytes | None = None
        self.read_from: bytes | None = None  # as `source`, which is replaced by signing
        self._source_header: tuple[int, int, int, list[int]] | None = None
        self._followed: dict[str, tuple[bytes, bytes]] = {}  # parts that follow, since an edit
        self.limits = limits

    @property
    def parts(self) -> PartList:
        """The parts in file order: a list that can be edited."""
        return self._parts

    @parts.setter
    def parts(self, parts: Iterable[DxPart]) -> None:
        self._parts = PartList(parts)

    @property
    def order(self) -> list[int] | None:
        """The order of the part table as indices into `parts`; None if it is file order.

        The order refers to the parts at the time it was set, and is ignored once parts are added,
        removed or moved.
        """
        return self._order

    @order.setter
    def order(self, order: list[int] | None) -> None:
        self._order = order
        self._ordered = list(self._parts)

    # -- reading -----------------------------------------------------------------------------

    @classmethod
    def read(cls, data: bytes, limits: Limits) -> Self:
        check_file_size(len(data), limits)
        header, places, end = structure(data, limits)
        self = cls(limits=limits)
        self.major, self.minor, self.digest = header.major, header.minor, header.digest
        for place in places:
            start = place.offset + PART_HEADER
            self.parts.append(
                DxPart(
                    data[place.offset : place.offset + 4].decode("latin-1"),
                    data[start : place.end],
                    gap=data[place.free : place.offset],
                    offset=place.offset,
                    limits=limits,
                )
            )
        order = [place.number for place in places]
        if order != sorted(order):
            ranks = {index: rank for rank, index in enumerate(order)}
            self.order = [ranks[index] for index in range(len(order))]
        self.pad_parts()
        at = places[-1].end if places else 32
        self.tail = data[at:end]
        self.trailing = data[end:]
        if header.size != end:
            self.declared_size = header.size
        self.source = data[:end] if self.trailing else data
        self.read_from = self.source
        self._source_header = header.major, header.minor, header.size, header.offsets
        self.signed = None
        return self

    @property
    def pad(self) -> int:
        """The padding byte: 0xAB as fxc writes it, or 0 in a container with DXIL."""
        return pad_beside(part.name for part in self.parts)

    def pad_parts(self) -> None:
        """Let each part have the padding byte of the container."""
        each: object
        for each in self.parts:
            if not isinstance(each, DxPart):
                raise UsageError(f"expected a DxPart in parts, got {each!r:.40}")
        names = PartNames(part.name for part in self.parts)
        for part in self.parts:
            part.beside(names)

    # -- writing -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the file. A valid digest is recomputed, any other digest is kept."""
        made = self._unsigned()
        start = digests.COVERED_FROM
        if self.source is not None and made[start:] == self.source[start:]:
            return made[:4] + self.digest + made[20:] + self.trailing
        kind = self.digest_kind
        digest = self.digest
        if kind in (DigestKind.RETAIL, DigestKind.DEBUG):
            digest = digests.digest(memoryview(made)[start:], kind)
        return made[:4] + digest + made[20:] + self.trailing

    def _contents(self) -> list[bytes]:
        """Return the bytes of each part as they would be written now."""
        return [part.data for part in self.parts]

    def _unsigned(self) -> bytes:
        self.pad_parts()
        body = bytearray()
        start = 32 + 4 * len(self.parts)
        offsets = []
        for part, data in zip(self.parts, self._contents(), strict=True):
            name = encoded_name(part.name)
            if len(name) != 4:
                raise UsageError(f"expected a four-letter name of a part, got {part.name!r:.40}")
            body += part.gap
            part.offset = start + len(body)
            offsets.append(part.offset)
            body += name
            body += len(data).to_bytes(4, "little")
            body += data
        body += self.tail
        if self.order is not None and self._order_fits():
            offsets = [offsets[rank] for rank in self.order]
        size = start + len(body) if self.declared_size is None else self.declared_size
        if (
            self.source is not None
            and (self.major, self.minor, size, offsets) == self._source_header
            and body == self.source[start:]
        ):
            return self.source  # nothing was edited
        header = Header(
            major=self.major,
            minor=self.minor,
            size=size,
            part_count=len(offsets),
            offsets=offsets,
        )
        return write(header) + bytes(body)

    def _order_fits(self) -> bool:
        """Return True if `order` still applies; parts may have been replaced, but not moved."""
        if self.order is None:
            return True
        if sorted(self.order) != list(range(len(self.parts))):
            return False
        before = {id(part): i for i, part in enumerate(self._ordered)}
        return all(before.get(id(part), i) == i for i, part in enumerate(self.parts))

    # -- digest ------------------------------------------------------------------------------

    @property
    def digest(self) -> bytes:
        """The 16 digest bytes as read or set; `to_bytes` recomputes them if they were valid."""
        return self._digest

    @digest.setter
    def digest(self, value: bytes) -> None:
        given: object = value
        if not isinstance(given, bytes) or len(given) != digests.SIZE:
            raise UsageError(f"digest: expected {digests.SIZE} bytes, got {value!r:.40}")
        self._digest = given
        self.signed = None

    @property
    def digest_kind(self) -> DigestKind:
        """The kind of the digest, as read or set."""
        if self.signed is None:
            covered = self._unsigned() if self.source is None else self.source
            self.signed = digests.identify(self.digest, covered[digests.COVERED_FROM :])
        return self.signed

    def sign(self) -> None:
        """Compute the digest: a retail digest, unless it was a debug digest before."""
        kind = DigestKind.DEBUG if self.digest_kind is DigestKind.DEBUG else DigestKind.RETAIL
        self.declared_size = None
        made = self._unsigned()
        self.digest = digests.digest(memoryview(made)[digests.COVERED_FROM :], kind)
        self.signed = kind
        self.source = made[:4] + self.digest + made[20:]

    # -- views -------------------------------------------------------------------------------

    def spans(self) -> list[Span]:
        """Return the spans of all fields in file order."""
        return [*self.iter_spans()]

    def iter_spans(self) -> Iterator[Span]:
        data = self.to_bytes()
        head = trace(Header, data)
        yield from spans_of(head)
        at = head.end
        paths = part_paths(self.parts)
        for index, part in enumerate(self.parts):
            if part.gap:
                yield _raw_span(at, part.gap, f"parts[{index}].gap", "between parts")
                at += len(part.gap)
            start = at + PART_HEADER
            size = int.from_bytes(data[at + 4 : start], "little")
            yield from part.spans_at(at, paths[index], size, data[start : start + size])
            at = start + size
        for raw, name in ((self.tail, "tail"), (self.trailing, "trailing")):
            if raw:
                yield _raw_span(at, raw, name, "after the last part")
                at += len(raw)

    def spans_below(self, path: str) -> list[Span]:
        """Return the spans at or below a path; spans of other parts are not computed."""
        name = path.partition(".")[0]
        paths = part_paths(self.parts)
        if name not in paths:
            return [each for each in self.iter_spans() if is_below(each.path, path)]
        data = self.to_bytes()
        index = paths.index(name)
        at = trace(Header, data).end + sum(
            len(each.gap) + PART_HEADER + each.size for each in self.parts[:index]
        )
        at += len(self.parts[index].gap)
        start = at + PART_HEADER
        size = int.from_bytes(data[at + 4 : start], "little")
        found = self.parts[index].spans_at(at, name, size, data[start : start + size])
        return [each for each in found if is_below(each.path, path)]

    def to_data(self) -> dict[str, Any]:
        self.pad_parts()
        found: dict[str, Any] = {"format": "dxcontainer", **self._header_data()}
        found["parts"] = [part.to_data() for part in self.parts]
        return found | self._tail_data()

    def frame(self) -> dict[str, Any]:
        """Return the plain data of everything but the parts; gaps by the part that follows."""
        gaps = {f"{part.name}.gap": part.gap.hex() for part in self.parts if part.gap}
        return {"digest": DigestKind.RETAIL.value, **self._header_data(), **gaps} | (
            self._tail_data()
        )

    def _header_data(self) -> dict[str, Any]:
        """Return the header fields that are not derived, as plain data."""
        found: dict[str, Any] = {}
        if (self.major, self.minor) != (1, 0):
            found["version"] = [self.major, self.minor]
        kind = self.digest_kind
        if kind is DigestKind.UNKNOWN:
            found["digest"] = self.digest.hex()
        elif kind is not DigestKind.RETAIL:
            found["digest"] = kind.value
        if self.declared_size is not None:
            found["size"] = self.declared_size
        if self.order is not None and self._order_fits():
            found["order"] = list(self.order)
        return found

    def _tail_data(self) -> dict[str, Any]:
        ends = (("tail", self.tail), ("trailing", self.trailing))
        return {name: raw.hex() for name, raw in ends if raw}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        known = ("format", "version", "digest", "size", "order", "parts", "tail", "trailing")
        check_fields(data, known)
        parts = data.get("parts")
        if not isinstance(parts, list):
            raise FormatError(f"expected a list of parts, got {parts!r:.40}", path="parts")
        pad = pad_beside(part.get("name") for part in parts if isinstance(part, dict))
        self = cls([DxPart.from_data(part, pad, f"parts[{i}]") for i, part in enumerate(parts)])
        version = _numbers(data.get("version", [1, 0]), "version", 0xFFFF)
        if len(version) != 2:
            raise FormatError(f"expected two numbers, got {version!r:.40}", path="version")
        self.major, self.minor = version
        if "size" in data:
            self.declared_size = _numbers([data["size"]], "size", 0xFFFF_FFFF)[0]
        if "order" in data:
            self.order = _numbers(data["order"], "order", len(parts))
            if not self._order_fits():
                problem = f"expected each number from 0 to {len(parts) - 1}, got {self.order!r:.40}"
                raise FormatError(problem, path="order")
        self.tail = hex_from_data(data.get("tail", ""), "tail")
        self.trailing = hex_from_data(data.get("trailing", ""), "trailing")
        given = data.get("digest", DigestKind.RETAIL.value)
        kinds = {kind.value: kind for kind in DigestKind if kind is not DigestKind.UNKNOWN}
        if isinstance(given, str) and given in kinds:
            self.digest = digests.MARKS.get(kinds[given], self.digest)
            self.signed = kinds[given]
        else:
            raw = hex_from_data(given, "digest")
            if len(raw) != digests.SIZE:
                raise FormatError(f"expected {digests.SIZE} bytes, got {len(raw)}", path="digest")
            self.digest = raw
            self.signed = DigestKind.UNKNOWN
        return self

    def odd(self) -> list[Diagnostic]:
        """Return the problems found while reading the structure and the parts."""
        found = []
        if self.declared_size is not None:
            actual = len(self._unsigned())
            problem = f"expected a declared size of {actual} bytes, got {self.declared_size}"
            found.append(
                Diagnostic("container.size", Severity.ERROR, problem, offset=24, path="size")
            )
        for part in self.parts:
            found += part.remarks
            if (finding := part.finding()) is not None:
                found.append(finding)
        return found


def _raw_span(at: int, raw: bytes, path: str, doc: str) -> Span:
    return Span(at, len(raw), path, raw, doc, None, "raw")


def _numbers(data: Any, path: str, highest: int) -> list[int]:
    if not isinstance(data, list) or not all(
        isinstance(each, int) and 0 <= each <= highest for each in data
    ):
        raise FormatError(f"expected numbers from 0 to {highest}, got {data!r:.40}", path=path)
    return [int(each) for each in data]
