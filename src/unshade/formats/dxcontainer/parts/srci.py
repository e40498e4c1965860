"""SRCI: the sources and the arguments of a compilation, in containers of PDBs.

    +0 u32 size   +4 u16 flags   +6 u16 number of sections
    section:      u32 size   u16 flags   u16 type   contents, padded with zeros to 4 bytes
    contents (0): u32 size or 0   u16 flags   u16 1 = zlib   u32 stored   u32 inflated   u32 files
                  inflated, of each file: u32 size   u32 flags   u32 length   text, NUL, padding
    names (1):    u32 flags   u32 files   u16 size of what follows
                  u32 size   u32 flags   u32 length of the name   u32 length of the text   name, NUL
    arguments (2): u32 flags   u32 size   u32 count   name, NUL, value, NUL …

Source: DXC DxilContainer.h (DxilSourceInfo) and lib/DxilContainer/DxcPdbUtils, checked on files.
"""

from collections.abc import Sequence
from struct import pack, unpack_from
from typing import Any

from ....enums import IntEnum
from ....errors import FormatError, UnshadeError
from ....limits import DEFAULT, Limits
from ....tuples import NamedTuple
from ....wire import (
    CString,
    Record,
    align,
    array,
    blob,
    derived,
    field,
    switch,
    text,
    u16,
    u32,
)
from ....wire.data import Plain, hex_from_data, text_from_data, text_to_data
from ....wire.schema import HEX, TEXT
from .compression import deflated, inflated
from .description import Category, PartDescription
from .kind import RecordKind

TEXT_HEADER = 12


class SourceCompression(IntEnum):
    """DxilSourceInfo_SourceContentsCompressType."""

    NONE = 0
    ZLIB = 1


class SourceSectionType(IntEnum):
    """DxilSourceInfo_SectionType: the contents of a section."""

    CONTENTS = 0
    NAMES = 1
    ARGUMENTS = 2


class SourceContents(Record):
    """The texts of all files, compressed."""

    size: u32 = field("size; 0 in all files", default=0)
    flags: u16 = field("flags; 0", default=0)
    compression: u16 = field("compression", enum=SourceCompression)
    stored_size: u32 | None = derived("size in the file", "len(stored)")
    inflated_size: u32 = field("size of the inflated contents")
    count: u32 = field("number of files")
    stored: bytes = blob("the contents as stored", "stored_size", opaque=False)

    def inflated(self, limits: Limits = DEFAULT) -> bytes:
        """Return the inflated contents; raise FormatError or LimitError."""
        if self.compression == SourceCompression.ZLIB:
            return inflated(self.stored, self.inflated_size, limits, "stored")
        if self.compression != SourceCompression.NONE:
            raise FormatError(f"unknown compression {self.compression}", path="compression")
        return self.stored

    def texts(self, limits: Limits = DEFAULT) -> list[bytes]:
        """Return the text of each file with its NUL; raise FormatError or LimitError."""
        raw = self.inflated(limits)
        found = []
        at = 0
        for _ in range(min(self.count, len(raw) // TEXT_HEADER)):
            size, _, length = unpack_from("<III", raw, at)
            end = at + TEXT_HEADER + length
            if not TEXT_HEADER <= size <= len(raw) - at or end > at + size:
                problem = f"expected a text of {length} bytes in {size}, got {len(raw) - at}"
                raise FormatError(problem, path="texts")
            found.append(raw[at + TEXT_HEADER : end])
            at += size
            if len(raw) - at < TEXT_HEADER:
                break
        if len(found) < self.count:
            raise FormatError(f"expected {self.count} texts, got {len(found)}", path="texts")
        return found

    def replace(self, texts: Sequence[bytes]) -> None:
        """Store other texts, each with its NUL; keep the stored bytes if they hold equal texts."""
        raw = b"".join(
            pack("<III", TEXT_HEADER + -(-len(each) // 4) * 4, 0, len(each))
            + each
            + bytes(-len(each) % 4)
            for each in texts
        )
        self.inflated_size, self.count = len(raw), len(texts)
        try:
            same = self.inflated(Limits(inflated=len(raw))) == raw
        except UnshadeError:
            same = False
        if not same:
            self.stored = deflated(raw) if self.compression == SourceCompression.ZLIB else raw


class SourceName(Record):
    """The name of a file."""

    size: u32 | None = derived("size in bytes", "16 + size(name) + size(padding)")
    flags: u32 = field("flags; 0", default=0)
    name_length: u32 | None = derived("length of the name with its NUL", "bytes((name,))")
    text_length: u32 = field("length of the text with its NUL")
    name: str = text("name")
    padding: bytes = align("alignment", 4)


class SourceNameList(Record):
    """The names of all files."""

    flags: u32 = field("flags; 0", default=0)
    count: u32 | None = derived("number of files", "len(names)")
    size: u16 | None = derived("size of the names in bytes", "size(names)")
    names: list[SourceName] = array("names", SourceName, count="count")


class SourceArguments(Record):
    """The arguments of the compiler."""

    flags: u32 = field("flags; 0", default=0)
    size: u32 | None = derived("size of the texts in bytes", "bytes(texts)")
    count: u32 | None = derived("number of arguments", "len(texts) // 2")
    texts: list[str] = array(
        "name and value of each argument in turn", CString(), count="2 * count"
    )


class SourceSection(Record):
    """A section: the names, the contents or the arguments."""

    size: u32 | None = derived("size in bytes", "8 + size(content) + size(padding) + size(unread)")
    flags: u16 = field("flags; 0", default=0)
    type: u16 = field("contents", enum=SourceSectionType)
    content: SourceContents | SourceNameList | SourceArguments | None = switch(
        "contents",
        "type",
        {
            SourceSectionType.CONTENTS: SourceContents,
            SourceSectionType.NAMES: SourceNameList,
            SourceSectionType.ARGUMENTS: SourceArguments,
        },
        when="type in (0, 1, 2)",
    )
    padding: bytes = align("alignment", 4)
    unread: bytes = blob(
        "a section of an unknown type, or bytes after the contents",
        "size - 8 - size(content) - size(padding)",
    )


class EmbeddedSource(NamedTuple):
    """A source in SRCI."""

    name: str
    text: bytes


class SourceInfo(Record, source="DXC DxilContainer.h (DxilSourceInfo)"):
    """The SRCI part."""

    size: u32 | None = derived("size in bytes", "8 + size(sections)")
    flags: u16 = field("flags; 0", default=0)
    section_count: u16 | None = derived("number of sections", "len(sections)")
    sections: list[SourceSection] = array("sections", SourceSection, count="section_count")

    def section(self, kind: type[Record]) -> Any:
        """Return the contents of the first section of that class, or None."""
        contents = (each.content for each in self.sections)
        return next((each for each in contents if isinstance(each, kind)), None)

    def files(self, limits: Limits = DEFAULT) -> list[EmbeddedSource]:
        """Return the sources with their names.

        Raises:
            FormatError: The stream is damaged.
            LimitError: The sources are larger than `limits.inflated`.
        """
        contents: SourceContents | None = self.section(SourceContents)
        names: SourceNameList | None = self.section(SourceNameList)
        texts = [] if contents is None else contents.texts(limits)
        listed = [] if names is None else [each.name for each in names.names]
        listed += [f"source{index}" for index in range(len(listed), len(texts))]
        return [
            EmbeddedSource(name, text.removesuffix(b"\0"))
            for name, text in zip(listed, texts, strict=False)
        ]

    def arguments(self, limits: Limits = DEFAULT) -> list[tuple[str, str]]:
        """Return the name and the value of each argument of the compiler."""
        found: SourceArguments | None = self.section(SourceArguments)
        texts = [] if found is None else found.texts
        return list(zip(texts[::2], texts[1::2], strict=False))


class SourceKind(RecordKind):
    """The kind of SRCI: in plain data, the contents are texts.

    zlib can store the same texts in many ways, so that plain data contains the stored bytes, too.
    The stored bytes are used as long as they hold the same texts; stored bytes and sizes may be
    left out.
    """

    __slots__ = ()

    def to_data(
        self, name: str, value: Record, pad: int, like: bytes | None, limits: Limits
    ) -> Plain:
        found = super().to_data(name, value, pad, like, limits)
        assert isinstance(value, SourceInfo)
        for section, shown in zip(value.sections, found["sections"], strict=True):
            contents = section.content
            if isinstance(contents, SourceContents):
                again = SourceContents(compression=contents.compression, stored=contents.stored)
                try:
                    texts = contents.texts(limits)
                    again.replace(texts)
                except UnshadeError:
                    continue
                if again == contents:  # else the texts do not determine it
                    shown["content"] = {
                        key: each
                        for key, each in shown["content"].items()
                        if key not in ("inflated_size", "count")
                    } | {"sources": [_shown(each) for each in texts]}
        return found

    def from_data(self, name: str, data: Plain, pad: int, path: str) -> tuple[Record, bytes]:
        texts: dict[int, list[bytes]] = {}
        if isinstance(data, dict) and isinstance(data.get("sections"), list):
            data = {**data, "sections": list(data["sections"])}
            for index, section in enumerate(data["sections"]):
                contents = section.get("content") if isinstance(section, dict) else None
                if isinstance(contents, dict) and isinstance(contents.get("sources"), list):
                    where = f"{path}.sections[{index}].content.sources"
                    texts[index] = [_bytes(each, where) for each in contents["sources"]]
                    rest = {key: each for key, each in contents.items() if key != "sources"}
                    rest = {"inflated_size": 0, "count": 0, "stored": "", **rest}
                    data["sections"][index] = {**section, "content": rest}
        value, made = super().from_data(name, data, pad, path)
        assert isinstance(value, SourceInfo)
        for index, each in texts.items():
            contents = value.sections[index].content
            if not isinstance(contents, SourceContents):
                where = f"{path}.sections[{index}].content"
                raise FormatError("expected sources in a section of type CONTENTS", path=where)
            contents.replace(each)
        return value, self.write(name, value, pad, made)

    def schema(self) -> dict[str, Plain]:
        found = super().schema()
        contents = found["$defs"]["SourceContents"]
        contents["properties"]["sources"] = {
            "type": "array",
            "items": {"anyOf": [*TEXT["anyOf"], {"type": "object", "properties": {"raw": HEX}}]},
        }
        contents["required"] = ["compression"]
        return found


def _shown(text: bytes) -> Plain:
    """Return a text as plain data, without its NUL if that is the only one."""
    if text.endswith(b"\0") and b"\0" not in text[:-1]:
        return text_to_data(text[:-1].decode("utf-8", "surrogateescape"))
    return {"raw": text.hex()}


def _bytes(shown: Plain, path: str) -> bytes:
    """Return the text that `_shown` made plain."""
    if isinstance(shown, dict) and shown.keys() == {"raw"}:
        return hex_from_data(shown["raw"], path)
    return text_from_data(shown, path).encode("utf-8", "surrogateescape") + b"\0"


PARTS = {
    "SRCI": PartDescription(
        "source",
        Category.DEBUG,
        SourceKind(SourceInfo),
        sources=True,
        loss="sources and the compiler's arguments",
        by_dxc=True,
    )
}
