"""Writing of bitstreams, the inverse of `reader.py`.

A record is written with its abbreviation if that is defined and fits, else without. The blocks
determine the widths of abbreviation ids.
"""

from ....errors import EncodeError
from ....tuples import NamedTuple
from .abbreviation import (
    BLOB,
    CHAR6,
    CODES,
    FIXED,
    LITERAL,
    VBR,
    Abbreviation,
    Encoding,
    vbr_size,
)
from .items import (
    ANY,
    BLOCKINFO,
    DEFINE_ABBREV,
    END_BLOCK,
    ENTER_SUBBLOCK,
    SETBID,
    UNABBREVIATED,
    AbbreviationDefinition,
    BitBlock,
    BitRecord,
    Bitstream,
)
from .reader import MAGIC, WRAPPER_MAGIC
from .scope import AbbreviationScope

__all__ = ["Extent", "write"]

FLUSH = 1 << 12  # bits after which whole bytes leave the accumulator


class Extent(NamedTuple):
    """The place of an item: its first bit, counted from the magic number, and its size in bits."""

    item: BitRecord | AbbreviationDefinition | BitBlock
    bit: int
    bits: int


def write(stream: Bitstream, extents: list[Extent] | None = None) -> bytes:
    """Return the bytes of a bitstream; add the extent of each item to `extents`, in order.

    Raises:
        EncodeError: An operand is not a number of 64 bits, or a blob lacks an abbreviation.
    """
    writer = _Writer(extents)
    for block in stream.blocks:
        writer.block(block)
    body = MAGIC + writer.taken() + stream.trailing
    wrapper = stream.wrapper
    if wrapper[:4] == WRAPPER_MAGIC:
        wrapper = wrapper[:12] + len(body).to_bytes(4, "little") + wrapper[16:]
    return wrapper + body + stream.outside


class _Writer:
    """A writer of one bitstream: `bits` contains the `have` bits after the bytes of `out`."""

    def __init__(self, extents: list[Extent] | None) -> None:
        self.out = bytearray()
        self.bits = 0
        self.have = 0
        self.extents = extents
        self.standard: dict[int, list[Abbreviation]] = {}
        self.irregular: dict[int, int] | None = None
        self.count = 0

    @property
    def pos(self) -> int:
        """The position in bits from the magic number."""
        return 32 + 8 * len(self.out) + self.have

    def taken(self) -> bytes:
        return bytes(self.out)

    # -- scalars ---------------------------------------------------------------------------------

    def fixed(self, value: int, width: int) -> None:
        self.bits |= value << self.have
        self.have += width
        if self.have >= FLUSH:
            self.flush()

    def flush(self) -> None:
        """Move whole bytes to the output."""
        whole = self.have >> 3
        self.out += (self.bits & ((1 << 8 * whole) - 1)).to_bytes(whole, "little")
        self.bits >>= 8 * whole
        self.have -= 8 * whole

    def vbr(self, value: int, width: int) -> None:
        if not width:
            return
        extra = 0
        if self.irregular is not None:
            extra = self.irregular.get(self.count, 0)
            self.count += 1
        more = 1 << (width - 1)
        bits, have = self.bits, self.have
        while value >= more or extra:
            if value < more:
                extra -= 1
            bits |= (value & (more - 1) | more) << have
            have += width
            value >>= width - 1
        self.bits, self.have = bits | value << have, have + width
        if self.have >= FLUSH:
            self.flush()

    def align(self, padding: int = 0) -> None:
        """Write padding up to the next multiple of 32 bits."""
        width = -self.pos & 31
        self.fixed(padding & ((1 << width) - 1), width)

    def begin(self, irregular: dict[int, int] | None) -> None:
        """Set the superfluous chunks of the VBRs that follow."""
        self.irregular = irregular
        self.count = 0

    # -- blocks ----------------------------------------------------------------------------------

    def block(self, top: BitBlock) -> None:
        """Write a block and its inner blocks."""
        stack = [self.enter(top, 2)]
        while stack:
            opened = stack[-1]
            block, scope = opened.block, opened.scope
            for item in opened.items:
                at = self.pos
                if isinstance(item, BitRecord):
                    self.record(item, scope, block.width)
                    if block.id == BLOCKINFO and item.code == SETBID and item.operands:
                        scope.target = self.standard.setdefault(item.operands[0], [])
                elif isinstance(item, AbbreviationDefinition):
                    self.fixed(DEFINE_ABBREV, block.width)
                    self.definition(item)
                    if scope.target is None:
                        raise EncodeError("expected SETBID before the abbreviations of BLOCKINFO")
                    scope.target.append(item.abbreviation)
                else:
                    stack.append(self.enter(item, block.width))
                    break
                if self.extents is not None:
                    self.extents.append(Extent(item, at, self.pos - at))
            else:
                self.leave(opened)
                stack.pop()

    def enter(self, block: BitBlock, width: int) -> "_Opened":
        """Write the start of a block."""
        irregular = block.irregular or {}
        at = self.pos
        self.fixed(ENTER_SUBBLOCK, width)
        chunks = {number: irregular.get(name, 0) for number, name in enumerate(("id", "width"))}
        self.begin(chunks if any(chunks.values()) else None)
        self.vbr(_number(block.id), 8)
        self.vbr(_number(block.width), 4)
        self.begin(None)
        self.align(irregular.get("padding", 0))
        self.fixed(0, 32)
        self.flush()
        if self.extents is not None:
            self.extents.append(Extent(block, at, self.pos - at))
        return _Opened(block, AbbreviationScope(block.id, self.standard), len(self.out))

    def leave(self, opened: "_Opened") -> None:
        """Write the end of a block, and its length at its start."""
        irregular = opened.block.irregular or {}
        at = self.pos
        self.fixed(END_BLOCK, opened.block.width)
        self.align(irregular.get("end", 0))
        self.flush()
        words = (len(self.out) - opened.start) // 4 + irregular.get("length", 0)
        self.out[opened.start - 4 : opened.start] = (words & 0xFFFF_FFFF).to_bytes(4, "little")
        if self.extents is not None:
            self.extents.append(Extent(opened.block, at, self.pos - at))

    # -- records ---------------------------------------------------------------------------------

    def definition(self, item: AbbreviationDefinition) -> None:
        self.begin(item.irregular)
        encodings = item.abbreviation.encodings
        self.vbr(len(encodings), 5)
        for kind, value in encodings:
            if kind == LITERAL:
                self.fixed(1, 1)
                self.vbr(value, 8)
            else:
                self.fixed(kind << 1, 4)
                if kind in (FIXED, VBR):
                    self.vbr(value, 5)
        self.begin(None)

    def record(self, record: BitRecord, scope: AbbreviationScope, width: int) -> None:
        """Write a record, with its abbreviation if that fits."""
        identity, operands = record.abbreviation, record.operands
        self.begin(record.irregular)
        if identity == ANY:
            identity = shortest(record, scope, width)
        if identity != UNABBREVIATED:
            abbreviation = scope.get(identity - 4) if identity > UNABBREVIATED else None
            if (
                abbreviation is not None
                and identity < 1 << width
                and abbreviation.fits(record.code, operands, record.blob)
            ):
                self.fixed(identity, width)
                self.abbreviated(abbreviation, record)
                return
        if record.blob is not None:
            raise EncodeError("expected an abbreviation for a record with a blob")
        self.fixed(UNABBREVIATED, width)
        self.vbr(_number(record.code), 6)
        self.vbr(len(operands), 6)
        if record.irregular is not None:
            for each in operands:
                self.vbr(_number(each), 6)
            return
        # The most frequent kind of record, so without calls.
        bits, have = self.bits, self.have
        for each in operands:
            value = each
            if not 0 <= value < 1 << 64:
                raise EncodeError(f"expected a number of 64 bits, got {each!r:.40}")
            while value > 31:
                bits |= (value & 31 | 32) << have
                have += 6
                value >>= 5
            bits |= value << have
            have += 6
            if have >= FLUSH:
                self.bits, self.have = bits, have
                self.flush()
                bits, have = self.bits, self.have
        self.bits, self.have = bits, have

    def abbreviated(self, abbreviation: Abbreviation, record: BitRecord) -> None:
        """Write a record with an abbreviation that fits."""
        head = abbreviation.head
        self.scalar(head[0], record.code)
        for (kind, width), value in zip(head[1:], record.operands, strict=False):
            if kind == FIXED:
                self.bits |= value << self.have
                self.have += width
            elif kind == VBR:
                self.vbr(value, width)
            elif kind == CHAR6:
                self.fixed(CODES[value], 6)
        if self.have >= FLUSH:
            self.flush()
        tail = abbreviation.tail
        if tail is None:
            return
        if record.blob is not None:
            assert tail.kind == BLOB
            self.vbr(len(record.blob), 6)
            self.align()
            self.flush()
            self.out += record.blob
            self.align()
            return
        rest = record.operands[len(head) - 1 :]
        self.vbr(len(rest), 6)
        if tail.kind == VBR:
            for value in rest:
                self.vbr(value, tail.value)
        elif tail.kind in (CHAR6, FIXED):
            width = tail.least_bits
            values = [CODES[each] for each in rest] if tail.kind == CHAR6 else rest
            for value in values:
                self.bits |= value << self.have
                self.have += width
                if self.have >= FLUSH:
                    self.flush()

    def scalar(self, encoding: Encoding, value: int) -> None:
        kind, width = encoding
        if kind == VBR:
            self.vbr(value, width)
        elif kind == FIXED:
            self.fixed(value, width)
        elif kind == CHAR6:
            self.fixed(CODES[value], 6)
        else:
            assert kind == LITERAL


def shortest(record: BitRecord, scope: AbbreviationScope, width: int) -> int:
    """Return the id of the abbreviation that makes a record shortest, or UNABBREVIATED."""
    operands = record.operands
    best, least = UNABBREVIATED, sum(vbr_size(each, 6) for each in operands)
    least += vbr_size(record.code, 6) + vbr_size(len(operands), 6)
    for identity in range(UNABBREVIATED + 1, 1 << min(width, 8)):
        abbreviation = scope.get(identity - 4)
        if abbreviation is None:
            break
        if abbreviation.fits(record.code, operands, record.blob):
            size = abbreviation.size(operands, record.code)
            if size < least:
                best, least = identity, size
    return best


class _Opened:
    """A block that is being written; `start` is the byte of the output after its length."""

    __slots__ = ("block", "items", "scope", "start")

    def __init__(self, block: BitBlock, scope: AbbreviationScope, start: int) -> None:
        self.block = block
        self.items = iter(block.items)
        self.scope = scope
        self.start = start


def _number(value: int) -> int:
    if not 0 <= value < 1 << 64:
        raise EncodeError(f"expected a number of 64 bits, got {value!r:.40}")
    return value
