"""Spans of a program: the header, and every operand of every record, with its bits.

    bitcode.blocks[0].items[2].items[7].pointee      TYPE_BLOCK POINTER     bits 5, 4

Paths are as in plain data (`data.py`). The first span of a record contains the id of its
abbreviation, its code, and its number of operands.
"""

from collections.abc import Iterator
from typing import Any

from ...wire import Span
from .bitstream import AbbreviationDefinition, BitBlock, BitRecord, Bitstream, Extent, write
from .bitstream.abbreviation import BLOB, VBR, Abbreviation, Encoding, vbr_size
from .bitstream.items import BLOCKINFO, SETBID, UNABBREVIATED
from .bitstream.scope import AbbreviationScope
from .bitstream.writer import shortest
from .code import HEADER_SIZE, Code
from .tables.blocks import BLOCKS, RecordRow

__all__ = ["bitcode_spans", "program_spans"]

HEADER = (
    ("version", "shader model and stage"),
    ("size", "dwords of the program, header included"),
    ("magic", "magic number: `DXIL`"),
    ("dxil_version", "version of DXIL: minor, then major"),
    ("bitcode_offset", "offset of the bitcode from the magic number"),
    ("bitcode_size", "size of the bitcode in bytes"),
)


def program_spans(code: Code) -> Iterator[Span]:
    """Iterate over the fields of a program in file order."""
    data = code.encode()
    for number, (name, doc) in enumerate(HEADER):
        at = 4 * number
        value: Any = int.from_bytes(data[at : at + 4], "little")
        if name == "magic":
            value = data[at : at + 4]
        yield Span(at, 4, name, value, doc)
    at = HEADER_SIZE
    if code.gap:
        yield Span(at, len(code.gap), "gap", code.gap, "", None, "raw")
        at += len(code.gap)
    yield from bitcode_spans(code, at)
    if code.trailing:
        size = len(code.trailing)
        yield Span(len(data) - size, size, "trailing", code.trailing, "", None, "raw")


def bitcode_spans(code: Code, at: int = 0) -> Iterator[Span]:
    """Iterate over the fields of the bitcode of a program, which begins at the offset `at`."""
    stream = code.stream()
    if not isinstance(stream, bytes):
        yield from _StreamSpans(stream, at).run()
    elif stream:
        yield Span(at, len(stream), "bitcode", stream, "not readable", None, "raw")


class _StreamSpans:
    """The spans of a bitstream that begins at byte `base`.

    `found` has the spans that have not been handed out.
    """

    def __init__(self, stream: Bitstream, base: int) -> None:
        self.stream = stream
        self.base = base
        self.found: list[Span] = []
        self.standard: dict[int, list[Abbreviation]] = {}
        self.bit = 0

    def run(self) -> Iterator[Span]:
        stream = self.stream
        extents: list[Extent] = []
        size = len(write(stream, extents))
        if stream.wrapper:
            raw = stream.wrapper
            yield Span(self.base, len(raw), "bitcode.wrapper", raw, "", None, "raw")
            self.base += len(raw)
        yield Span(self.base, 4, "bitcode.magic", "BC", "magic number: `BC` C0 DE")
        self.extents = iter(extents)
        for number, block in enumerate(stream.blocks):
            yield from self.block(block, f"bitcode.blocks[{number}]", 2)
        at = self.base - len(stream.wrapper) + size - len(stream.trailing) - len(stream.outside)
        for raw, name in ((stream.trailing, "trailing"), (stream.outside, "outside")):
            if raw:
                yield Span(at, len(raw), f"bitcode.{name}", raw, "", None, "raw")
                at += len(raw)

    def taken(self) -> list[Span]:
        """Return the spans found since the last call."""
        found, self.found = self.found, []
        return found

    def add(self, bits: int, path: str, value: object, doc: str, kind: str = "field") -> None:
        """Add a field with a number of bits at the current position."""
        if not bits:
            return
        first, low = divmod(self.bit, 8)
        length = (low + bits + 7) // 8
        place = None if not low and not bits % 8 else (low, bits)
        self.found.append(Span(self.base + first, length, path, value, doc, place, kind))
        self.bit += bits

    def block(self, block: BitBlock, path: str, width: int) -> Iterator[Span]:
        """Iterate over the fields of a block; the reader and plain data bound the nesting."""
        extent = next(self.extents)
        row = BLOCKS.get(block.id)
        name = row.name if row else f"block {block.id}"
        self.bit = extent.bit
        irregular = block.irregular or {}
        self.add(width, path, name, "begin of a block")
        self.add(vbr_size(block.id, 8) + 8 * irregular.get("id", 0), f"{path}.block", name, "id")
        size = vbr_size(block.width, 4) + 4 * irregular.get("width", 0)
        self.add(size, f"{path}.width", block.width, "bits of ids of abbreviations")
        self.padding(path)
        self.add(32, f"{path}.length", None, f"{name}: its size in words")
        scope = AbbreviationScope(block.id, self.standard)
        for number, item in enumerate(block.items):
            yield from self.taken()
            at = f"{path}.items[{number}]"
            if isinstance(item, BitBlock):
                yield from self.block(item, at, block.width)
                continue
            extent = next(self.extents)
            self.bit = extent.bit
            if isinstance(item, BitRecord):
                self.record(item, at, block, scope, name)
                if block.id == BLOCKINFO and item.code == SETBID and item.operands:
                    scope.target = self.standard.setdefault(item.operands[0], [])
            else:
                self.definition(item, at, extent)
                if scope.target is not None:
                    scope.target.append(item.abbreviation)
        extent = next(self.extents)
        self.bit = extent.bit
        self.add(block.width, f"{path}.end", name, "end of a block")
        self.padding(path)
        yield from self.taken()

    def padding(self, path: str) -> None:
        self.add(-self.bit & 31, f"{path}.padding", None, "up to 32 bits", "padding")

    def definition(self, item: AbbreviationDefinition, path: str, extent: Extent) -> None:
        shown = ", ".join(map(str, item.abbreviation.encodings))
        self.add(extent.bits, f"{path}.define", shown, "encodings of an abbreviation")

    # -- records ---------------------------------------------------------------------------------

    def record(
        self, item: BitRecord, path: str, block: BitBlock, scope: AbbreviationScope, name: str
    ) -> None:
        rows = BLOCKS.get(block.id)
        row = rows.records.get(item.code) if rows else None
        label = row.name if row else f"record {item.code}"
        doc = f"{name} {label}"
        identity = item.abbreviation
        if identity < 0:
            identity = shortest(item, scope, block.width)
        abbreviation = scope.get(identity - 4) if identity > UNABBREVIATED else None
        if abbreviation is None or not abbreviation.fits(item.code, item.operands, item.blob):
            abbreviation = None
        sizes, head = self.sizes(item, abbreviation)
        self.add(block.width + head, f"{path}.record", label, doc)
        self.operands(item, sizes, path, row, doc)
        if item.blob is not None:
            self.add(vbr_size(len(item.blob), 6), f"{path}.blob", len(item.blob), f"{doc}: size")
            self.padding(path)
            self.add(8 * len(item.blob), f"{path}.blob", item.blob, doc, "raw")
            self.padding(path)

    def sizes(self, item: BitRecord, abbreviation: Abbreviation | None) -> tuple[list[int], int]:
        """Return the number of bits of each operand, and of the code and operand count."""
        extra = item.irregular or {}
        count = 0  # VBRs so far
        operands = item.operands

        def size(encoding: Encoding, number: int) -> int:
            nonlocal count
            bits = encoding.size(number)
            if encoding.kind == VBR and encoding.value:
                bits += encoding.value * extra.get(count, 0)
                count += 1
            return bits

        six = Encoding(VBR, 6)
        if abbreviation is None:
            head = size(six, item.code) + size(six, len(operands))
            return [size(six, each) for each in operands], head
        head = size(abbreviation.head[0], item.code)
        scalars = abbreviation.head[1:]
        found = [size(one, each) for one, each in zip(scalars, operands, strict=False)]
        tail = abbreviation.tail
        if tail is None or tail.kind == BLOB:
            return found, head
        rest = operands[len(scalars) :]
        length = size(six, len(rest))
        more = [size(tail, each) for each in rest]
        # The length of an array comes before its elements; it counts to the first of them.
        if more:
            more[0] += length
        else:
            found = [*found, length]
        return found + more, head

    def operands(
        self,
        item: BitRecord,
        sizes: list[int],
        path: str,
        row: RecordRow | None,
        doc: str,
    ) -> None:
        """Add the operands by their names; unnamed operands are raw."""
        values = item.operands
        at = 0
        for name in row.operands if row else ():
            if at >= len(sizes):
                break
            if name[-1] in "*$":
                rest = values[at:]
                shown: object = rest
                if name[-1] == "$" and max(rest, default=0) < 256:
                    shown = bytes(rest).decode("utf-8", "backslashreplace")
                self.add(sum(sizes[at:]), f"{path}.{name[:-1]}", shown, doc)
                return
            if at >= len(values):
                break
            self.add(sizes[at], f"{path}.{name}", values[at], doc)
            at += 1
        self.add(sum(sizes[at:]), f"{path}.operands", values[at:], doc, "raw")
