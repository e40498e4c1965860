"""The DirectX container: a header, a table of offsets, and parts with four-letter names.

    +0  DXBC  +4 digest[16]  +20 u16 major 1, u16 minor 0  +24 u32 size  +28 u32 part count
    +32 u32[count] offsets of the parts        part: FourCC, u32 size, data

Parts may stand in any order, anywhere behind the table, aligned or not, and share names. Source:
DXC DxilContainer.h, LLVM DXContainer.h; the oddities are from files.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self, overload

from ...errors import Diagnostic, FormatError, LimitError, Severity, UsageError
from ...limits import DEFAULT, Limits
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
from ...wire.data import hex_from_data
from ...wire.spans import spans_of
from . import digest as digests
from .digest import DigestKind
from .parts import kind_of
from .parts.kind import Kind
from .parts.titles import TITLES

MAGIC = b"DXBC"
PART_HEADER = 8


class Header(Record, source="DXC DxilContainer.h (DxilContainerHeader)"):
    """The first bytes of the file."""

    magic: bytes = blob("`DXBC`", 4, default=MAGIC, opaque=False)
    digest: bytes = blob(
        "MD5 with a tail of its own, over all that follows", 16, default=bytes(16), opaque=False
    )
    major: u16 = field("1", default=1)
    minor: u16 = field("0", default=0)
    size: u32 = field("bytes of the file")
    part_count: u32 = field("number of parts")
    offsets: list[int] = array("offsets of the parts", U32, count="part_count")


class Part:
    """One part: its name, its bytes, and what they mean.

    `value` is the typed record, the program, or plain bytes where nothing here describes the part
    or the part is malformed (then `error` says why). Assign to it, or edit it, to change the file.
    `gap` holds the bytes between the part and the one before it.
    """

    __slots__ = (
        "_data",
        "_limits",
        "_value",
        "declared_size",
        "error",
        "gap",
        "name",
        "offset",
        "pad",
    )

    def __init__(
        self,
        name: str,
        data: bytes = b"",
        *,
        gap: bytes = b"",
        offset: int = 0,
        pad: int = 0xAB,
        limits: Limits = DEFAULT,
    ) -> None:
        self.name = name
        self.gap = gap
        self.offset = offset
        self.pad = pad
        self.error: FormatError | LimitError | None = None
        self._data: bytes | None = data
        self._value: Any = None
        self._limits = limits

    @property
    def kind(self) -> Kind | None:
        """What describes the part; None where it is, or has to stay, plain bytes."""
        kind = kind_of(self.name)
        if kind is None or self.error is not None:
            return None
        return kind if self._data is None or kind.accepts(self._data) else None

    @property
    def value(self) -> Any:
        """The typed part, read when first asked for."""
        if self._value is None:
            assert self._data is not None
            kind = self.kind
            self._value = self._data
            if kind is not None:
                try:
                    self._value = kind.read(self.name, self._data, self._limits)
                except FormatError as error:
                    self.error = error.within(self.offset + PART_HEADER, self.name)
                except LimitError as error:
                    self.error = error
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self._value = value
        self.error = None
        if isinstance(value, bytes | bytearray):
            self._data = bytes(value)
            self._value = None

    @property
    def data(self) -> bytes:
        """The part's bytes as they would be written now."""
        if self._value is None or isinstance(self._value, bytes):
            assert self._data is not None
            return self._data
        kind = kind_of(self.name)
        assert kind is not None
        return kind.write(self.name, self._value, self.pad, self._data)

    @property
    def size(self) -> int:
        """Bytes of the data, without the eight of the part's own header."""
        return len(self.data)

    @property
    def title(self) -> str:
        """What such parts are for; empty where that is not known."""
        return TITLES.get(self.name, "")

    def spans(self) -> list[Span]:
        """Every field of the part's data."""
        data = self.data
        value = self.value  # reading decides whether the part is typed
        if self.kind is None or isinstance(value, bytes):
            doc = "malformed, kept as it is" if self.error else "kept as it is"
            return [Span(0, len(data), "", data, doc, None, "raw")] if data else []
        return self.kind.spans(self.name, data, self.pad)

    def to_data(self) -> dict[str, Any]:
        """Plain data: the name and the fields, or the bytes as hex."""
        found: dict[str, Any] = {"name": self.name}
        if self.gap:
            found["gap"] = self.gap.hex()
        value = self.value
        kind = self.kind
        if kind is not None and not isinstance(value, bytes):
            try:
                found["fields"] = kind.to_data(self.name, value, self.pad, self._data, self._limits)
            except FormatError:  # its layout cannot be told apart from its bytes
                found["data"] = self.data.hex()
        else:
            found["data"] = self.data.hex()
        return found

    @classmethod
    def from_data(cls, data: Any, pad: int, path: str) -> "Part":
        """The part that plain data describes."""
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise FormatError("a part needs a name", path=path)
        part = cls(data["name"], gap=hex_from_data(data.get("gap", ""), f"{path}.gap"), pad=pad)
        if "fields" in data:
            kind = kind_of(part.name)
            if kind is None:
                raise FormatError(f"{part.name} has no fields here, give its data", path=path)
            part._value, part._data = kind.from_data(
                part.name, data["fields"], pad, f"{path}.{part.name}"
            )
        else:
            part._data = hex_from_data(data.get("data", ""), f"{path}.data")
        return part

    def __repr__(self) -> str:
        return f"<Part {self.name} at 0x{self.offset:x}>"


class PartList(list[Part]):
    """The parts in file order; `["RDEF"]` is the first of a name, `all("RDEF")` every one."""

    @overload  # type: ignore[override]
    def __getitem__(self, key: int) -> Part: ...
    @overload
    def __getitem__(self, key: slice) -> list[Part]: ...
    @overload
    def __getitem__(self, key: str) -> Part: ...
    def __getitem__(self, key: int | slice | str) -> Part | list[Part]:
        if isinstance(key, str):
            found = self.get(key)
            if found is None:
                names = ", ".join(part.name for part in self) or "no parts"
                raise UsageError(f"no part {key!r}; there are {names}")
            return found
        return super().__getitem__(key)

    def get(self, *names: str) -> Part | None:
        """The first part with one of these names."""
        return next((part for part in self if part.name in names), None)

    def all(self, *names: str) -> list[Part]:
        """Every part with one of these names, in file order."""
        return [part for part in self if part.name in names]


class Container:
    """The structure alone: parts, order, gaps, digest. `DxContainer` adds what it means."""

    __slots__ = (
        "declared_size",
        "digest",
        "limits",
        "major",
        "minor",
        "order",
        "parts",
        "signed",
        "source",
        "tail",
        "trailing",
    )  # fmt: skip

    def __init__(self, parts: Sequence[Part] = (), limits: Limits = DEFAULT) -> None:
        self.parts = PartList(parts)
        self.major, self.minor = 1, 0
        self.digest = bytes(16)
        self.signed: DigestKind | None = DigestKind.RETAIL  # None: not asked yet
        self.declared_size: int | None = None
        self.order: list[int] | None = (
            None  # part table as indices into `parts`, None: as they stand
        )
        self.tail = b""
        self.trailing = b""
        self.source: bytes | None = None
        self.limits = limits

    # -- reading -----------------------------------------------------------------------------

    @classmethod
    def read(cls, data: bytes, limits: Limits) -> Self:
        if len(data) > limits.file_size:
            raise LimitError("file_size", limits.file_size, len(data))
        header, end = read_prefix(Header, data, limits=limits)
        if header.magic != MAGIC:
            raise FormatError(f"{header.magic!r} is not {MAGIC!r}", path="magic")
        if header.part_count > limits.parts:
            raise LimitError("parts", limits.parts, header.part_count)
        self = cls(limits=limits)
        self.major, self.minor, self.digest = header.major, header.minor, header.digest
        places = sorted(range(header.part_count), key=lambda i: header.offsets[i])
        if places != list(range(header.part_count)):
            ranks = {index: rank for rank, index in enumerate(places)}
            self.order = [ranks[index] for index in range(header.part_count)]
        at = end
        for index in places:
            at = self._read_part(data, header.offsets[index], at, index)
        pad = self.pad
        for part in self.parts:
            part.pad = pad
        stop = max(min(header.size, len(data)), at)
        self.tail = data[at:stop]
        self.trailing = data[stop:]
        if header.size != stop:
            self.declared_size = header.size
        self.source = data[:stop] if self.trailing else data
        self.signed = None
        return self

    def _read_part(self, data: bytes, offset: int, free: int, index: int) -> int:
        path = f"parts[{index}]"
        slot = 32 + 4 * index
        if offset < free:
            problem = f"the part at 0x{offset:x} begins inside what ends at 0x{free:x}"
            raise FormatError(problem, offset=slot, path=path)
        if offset + PART_HEADER > len(data):
            problem = f"no room for a part header at 0x{offset:x}, the end is 0x{len(data):x}"
            raise FormatError(problem, offset=slot, path=path)
        name = data[offset : offset + 4].decode("latin-1")
        size = int.from_bytes(data[offset + 4 : offset + 8], "little")
        start = offset + PART_HEADER
        if start + size > len(data):
            raise FormatError(
                f"{name} declares {size} bytes, {len(data) - start} are left",
                offset=offset + 4,
                path=f"{path}.size",
            )
        self.parts.append(
            Part(
                name,
                data[start : start + size],
                gap=data[free:offset],
                offset=offset,
                limits=self.limits,
            )
        )
        return start + size

    @property
    def pad(self) -> int:
        """The byte that fills up: fxc's 0xAB, or 0 beside DXIL."""
        return 0 if any(part.name in ("DXIL", "ILDB") for part in self.parts) else 0xAB

    # -- writing -----------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """The file. A digest that was right follows the bytes, any other stays as it is."""
        made = self._unsigned()
        start = digests.COVERED_FROM
        if self.source is not None and made[start:] == self.source[start:]:
            return made[:4] + self.digest + made[20:] + self.trailing
        kind = self.digest_kind
        digest = self.digest
        if kind in (DigestKind.RETAIL, DigestKind.DEBUG):
            digest = digests.digest(memoryview(made)[start:], kind)
        return made[:4] + digest + made[20:] + self.trailing

    def _unsigned(self) -> bytes:
        body = bytearray()
        start = 32 + 4 * len(self.parts)
        offsets = []
        for part in self.parts:
            name = part.name.encode("latin-1")
            if len(name) != 4:
                raise UsageError(f"a part's name has four letters, {part.name!r} has {len(name)}")
            data = part.data
            body += part.gap
            offsets.append(start + len(body))
            body += name
            body += len(data).to_bytes(4, "little")
            body += data
        body += self.tail
        order = self.order
        if order is not None and sorted(order) == list(range(len(offsets))):
            offsets = [offsets[rank] for rank in order]
        size = start + len(body) if self.declared_size is None else self.declared_size
        header = Header(
            major=self.major,
            minor=self.minor,
            size=size,
            part_count=len(offsets),
            offsets=offsets,
        )
        return write(header) + bytes(body)

    # -- digest ------------------------------------------------------------------------------

    @property
    def digest_kind(self) -> DigestKind:
        """What the digest was when the file was read."""
        if self.signed is None:
            assert self.source is not None
            self.signed = digests.identify(self.digest, self.source[digests.COVERED_FROM :])
        return self.signed

    def sign(self) -> None:
        """Make the digest right, as retail; a debug digest stays one of that kind."""
        kind = DigestKind.DEBUG if self.digest_kind is DigestKind.DEBUG else DigestKind.RETAIL
        self.declared_size = None
        made = self._unsigned()
        self.digest = digests.digest(memoryview(made)[digests.COVERED_FROM :], kind)
        self.signed = kind
        self.source = made[:4] + self.digest + made[20:]

    # -- views -------------------------------------------------------------------------------

    def spans(self) -> Iterator[Span]:
        data = self.to_bytes()
        head = trace(Header, data)
        yield from spans_of(head, head.end)
        at = head.end
        for index, part in enumerate(self.parts):
            if part.gap:
                yield Span(
                    at, len(part.gap), f"parts[{index}].gap", part.gap, "between parts", None, "raw"
                )
                at += len(part.gap)
            path = (
                f"{part.name}[{_number(self.parts, index)}]" if self._repeats(part) else part.name
            )
            yield Span(at, 4, f"{path}.name", part.name, "FourCC")
            yield Span(at + 4, 4, f"{path}.size", part.size, "bytes of the data that follow")
            for span in part.spans():
                yield span.shifted(at + PART_HEADER, path)
            at += PART_HEADER + part.size
        for raw, name in ((self.tail, "tail"), (self.trailing, "trailing")):
            if raw:
                yield Span(at, len(raw), name, raw, "behind the last part", None, "raw")
                at += len(raw)

    def _repeats(self, part: Part) -> bool:
        return len(self.parts.all(part.name)) > 1

    def to_data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"format": "dxcontainer"}
        if (self.major, self.minor) != (1, 0):
            found["version"] = [self.major, self.minor]
        kind = self.digest_kind
        if kind is DigestKind.UNKNOWN:
            found["digest"] = self.digest.hex()
        elif kind is not DigestKind.RETAIL:
            found["digest"] = kind.value
        if self.declared_size is not None:
            found["size"] = self.declared_size
        if self.order is not None:
            found["order"] = list(self.order)
        found["parts"] = [part.to_data() for part in self.parts]
        for name, raw in (("tail", self.tail), ("trailing", self.trailing)):
            if raw:
                found[name] = raw.hex()
        return found

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        parts = data.get("parts")
        if not isinstance(parts, list):
            raise FormatError("a list of parts expected", path="parts")
        names = {part.get("name") for part in parts if isinstance(part, dict)}
        pad = 0 if names & {"DXIL", "ILDB"} else 0xAB
        self = cls([Part.from_data(part, pad, f"parts[{i}]") for i, part in enumerate(parts)])
        version = data.get("version", [1, 0])
        self.major, self.minor = version
        self.declared_size = data.get("size")
        self.order = data.get("order")
        self.tail = hex_from_data(data.get("tail", ""), "tail")
        self.trailing = hex_from_data(data.get("trailing", ""), "trailing")
        given = data.get("digest", DigestKind.RETAIL.value)
        known = {kind.value: kind for kind in DigestKind}
        if given in known:
            self.signed = known[given]
            self.digest = digests.MARKS.get(self.signed, self.digest)
        else:
            self.digest = hex_from_data(given, "digest")
            self.signed = DigestKind.UNKNOWN
        return self

    def odd(self) -> list[Diagnostic]:
        """What was odd while reading the structure and the parts."""
        found = []
        if self.declared_size is not None:
            found.append(
                Diagnostic(
                    "container.size",
                    Severity.ERROR,
                    f"declares {self.declared_size} bytes, has {len(self._unsigned())}",
                    offset=24,
                    path="size",
                )
            )
        for part in self.parts:
            _ = part.value
            if isinstance(part.error, FormatError):
                found.append(
                    Diagnostic(
                        "part.malformed",
                        Severity.ERROR,
                        f"{part.error.problem}; kept as bytes",
                        offset=part.error.offset,
                        path=part.error.path,
                    )
                )
            elif part.error is not None:
                found.append(
                    Diagnostic(
                        "part.limit",
                        Severity.ERROR,
                        str(part.error),
                        offset=part.offset,
                        path=part.name,
                    )
                )
        return found


def _number(parts: PartList, index: int) -> int:
    """How many parts of the same name stand before this one."""
    return sum(1 for part in parts[:index] if part.name == parts[index].name)
