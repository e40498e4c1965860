"""Reading of bitstreams.

    id of 2 bits or the block's width:
    0  END_BLOCK       align to 32 bits
    1  ENTER_SUBBLOCK  vbr8 block id, vbr4 width, align to 32 bits, u32 length in words
    2  DEFINE_ABBREV   vbr5 count; each: 1 bit "literal", vbr8 value, or 3 bits encoding, vbr5 width
    3  UNABBREVIATED   vbr6 code, vbr6 count, vbr6 operands
    4… a record with an abbreviation of the block, BLOCKINFO's abbreviations first

No count is trusted: a value takes at least a bit, so the remaining data bounds every count.
Literals take none; those that abbreviations repeat count against `Limits.sharing`. Nesting is
bounded by `Limits.depth`, and nothing is recursive.

Source: LLVM's public document "LLVM Bitcode File Format".
"""

from ....errors import EncodeError, FormatError, LimitError
from ....limits import DEFAULT, Limits
from .abbreviation import (
    ARRAY,
    BLOB,
    CHAR6,
    CHARACTERS,
    FIXED,
    LITERAL,
    VBR,
    Abbreviation,
    Encoding,
)
from .items import (
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
from .scope import AbbreviationScope

__all__ = ["MAGIC", "WRAPPER_MAGIC", "read"]

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"
WRAPPER_SIZE = 20  # magic number, version, offset, size, CPU type
WINDOW = 40  # bytes that are taken from the data at once
MOST_WIDTH = 32  # of abbreviation ids


def read(data: bytes, limits: Limits = DEFAULT) -> Bitstream:
    """Return the bitstream that bytes contain.

    Raises:
        FormatError: The data is malformed; offsets are relative to its start.
        LimitError: The data exceeds a limit.
    """
    start, end = 0, len(data)
    if data[:4] == WRAPPER_MAGIC:
        start, end = _wrapped(data)
    found = bytes(data[start : start + 4])
    if found != MAGIC:
        raise FormatError(
            f"expected the magic number {MAGIC.hex(' ')}, got {found.hex(' ') or 'nothing'}",
            offset=start,
        )
    reader = _Reader(data, start, end, limits)
    blocks, at = reader.blocks()
    return Bitstream(blocks, bytes(data[at:end]), bytes(data[:start]), bytes(data[end:]))


def _wrapped(data: bytes) -> tuple[int, int]:
    """Return start and end of the bitcode in a wrapper."""
    offset = int.from_bytes(data[8:12], "little")
    size = int.from_bytes(data[12:16], "little")
    if not WRAPPER_SIZE <= offset <= offset + size <= len(data):
        raise FormatError(
            f"expected bitcode in bytes {WRAPPER_SIZE} to {len(data)}, got {size} at {offset}",
            offset=8,
            path="wrapper",
        )
    return offset, offset + size


class _Reader:
    """A reader of one bitstream; `pos` is in bits."""

    def __init__(self, data: bytes, start: int, end: int, limits: Limits) -> None:
        self.data = bytes(data[:end]) if end < len(data) else bytes(data)
        self.start = start
        self.pos = 8 * start + 32
        self.end = 8 * end
        self.limits = limits
        self.literals = limits.sharing + 16 * (end - start)
        self.standard: dict[int, list[Abbreviation]] = {}  # from BLOCKINFO, by block id
        self.irregular: dict[int, int] = {}  # superfluous chunks of the current record
        self.count = 0  # VBRs of the current record

    # -- scalars ---------------------------------------------------------------------------------

    def fail(self, problem: str) -> FormatError:
        return FormatError(problem, offset=min(self.pos, self.end) // 8)

    def fixed(self, width: int) -> int:
        """Read a number of `width` bits."""
        pos = self.pos
        self.pos = pos + width
        if self.pos > self.end:
            raise self.fail("expected more data, got its end")
        byte = pos >> 3
        chunk = int.from_bytes(self.data[byte : byte + 16], "little")
        return (chunk >> (pos & 7)) & ((1 << width) - 1)

    def vbr(self, width: int) -> int:
        """Read a number in chunks of `width` bits; the highest bit continues."""
        if not width:
            return 0
        more = 1 << (width - 1)
        chunk = self.fixed(width)
        number, self.count = self.count, self.count + 1
        if chunk < more:
            return chunk
        value = chunk & (more - 1)
        shift, zeros = width - 1, 0
        if not shift:
            raise self.fail("expected a VBR with chunks of more than one bit")
        while True:
            chunk = self.fixed(width)
            part = chunk & (more - 1)
            value |= part << shift
            shift += width - 1
            zeros = 0 if part else zeros + 1
            if value >> 64 or shift > 1 << 16:
                raise self.fail("expected a number of at most 64 bits")
            if chunk < more:
                break
        if zeros:
            self.irregular[number] = zeros
        return value

    def align(self) -> int:
        """Skip to the next multiple of 32 bits; return the skipped bits."""
        return self.fixed(-(self.pos - 8 * self.start) & 31)

    def taken(self) -> dict[int, int] | None:
        """Return the superfluous chunks since the last call, or None."""
        self.count = 0
        if not self.irregular:
            return None
        found, self.irregular = self.irregular, {}
        return found

    # -- blocks ----------------------------------------------------------------------------------

    def blocks(self) -> tuple[list[BitBlock], int]:
        """Return the outermost blocks, and the byte offset of the end of the last."""
        found: list[BitBlock] = []
        while self.pos + 64 <= self.end and self.data[self.pos >> 3] & 3 == ENTER_SUBBLOCK:
            self.pos += 2
            found.append(self.block(self.enter()))
        return found, self.pos >> 3

    def enter(self) -> tuple[BitBlock, int]:
        """Read the start of a block; return the block, and where its declared length ends."""
        self.taken()
        identity = self.vbr(8)
        width = self.vbr(4)
        irregular: dict[str, int] = {}
        chunks = self.taken()
        if chunks:
            irregular = {("id", "width")[at]: each for at, each in chunks.items()}
        if not 2 <= width <= MOST_WIDTH:
            raise self.fail(f"expected abbreviation ids of 2 to {MOST_WIDTH} bits, got {width}")
        padding = self.align()
        if padding:
            irregular["padding"] = padding
        length = self.fixed(32)
        if length > (self.end - self.pos) // 32:
            left = (self.end - self.pos) // 32
            raise self.fail(f"expected a block of at most {left} words, got {length}")
        return BitBlock(identity, width, irregular=irregular or None), self.pos + 32 * length

    def block(self, opened: tuple[BitBlock, int]) -> BitBlock:
        """Read the items of a block and its inner blocks."""
        top, ends = opened
        stack: list[tuple[BitBlock, int, AbbreviationScope]] = []
        block, scope = top, self.scope(top)
        items, width = block.items, block.width
        while True:
            identity = self.fixed(width)
            if identity == UNABBREVIATED:
                record = self.unabbreviated()
                items.append(record)
                if block.id == BLOCKINFO:
                    self.aim(scope, record)
            elif identity > UNABBREVIATED:
                abbreviation = scope.get(identity - 4)
                if abbreviation is None:
                    raise self.fail(f"expected an abbreviation that is defined, got {identity}")
                record = self.abbreviated(abbreviation, identity)
                items.append(record)
                if block.id == BLOCKINFO:
                    self.aim(scope, record)
            elif identity == ENTER_SUBBLOCK:
                if len(stack) + 1 >= self.limits.depth:
                    raise LimitError("depth", self.limits.depth, "deeper nesting of blocks")
                stack.append((block, ends, scope))
                block, ends = self.enter()
                items.append(block)
                items, width, scope = block.items, block.width, self.scope(block)
            elif identity == DEFINE_ABBREV:
                if scope.target is None:
                    raise self.fail("expected SETBID before the abbreviations of BLOCKINFO")
                definition = self.definition()
                items.append(definition)
                scope.target.append(definition.abbreviation)
            else:
                assert identity == END_BLOCK
                self.leave(block, ends)
                if not stack:
                    return top
                block, ends, scope = stack.pop()
                items, width = block.items, block.width

    def scope(self, block: BitBlock) -> AbbreviationScope:
        """Return the abbreviations of a block that begins."""
        return AbbreviationScope(block.id, self.standard)

    def aim(self, scope: AbbreviationScope, record: BitRecord) -> None:
        """Set the target of later abbreviations of BLOCKINFO, if the record is SETBID."""
        if record.code == SETBID:
            if not record.operands:
                raise self.fail("expected a block id, got no operand")
            scope.target = self.standard.setdefault(record.operands[0], [])

    def leave(self, block: BitBlock, ends: int) -> None:
        """Finish a block after END_BLOCK."""
        padding = self.align()
        wrong = {"end": padding} if padding else {}
        if self.pos != ends:
            wrong["length"] = (ends - self.pos) // 32
        if wrong:
            block.irregular = (block.irregular or {}) | wrong

    # -- records ---------------------------------------------------------------------------------

    def definition(self) -> AbbreviationDefinition:
        """Read the definition of an abbreviation."""
        count = self.vbr(5)
        if count > self.end - self.pos:
            raise self.fail(f"expected at most {self.end - self.pos} encodings, got {count}")
        encodings = []
        for _ in range(count):
            if self.fixed(1):
                encodings.append(Encoding(LITERAL, self.vbr(8)))
                continue
            kind = self.fixed(3)
            if kind in (FIXED, VBR):
                encodings.append(Encoding(kind, self.vbr(5)))
            elif kind in (ARRAY, CHAR6, BLOB):
                encodings.append(Encoding(kind))
            else:
                raise self.fail(f"expected an encoding of 1 to 5, got {kind}")
        try:
            return AbbreviationDefinition(Abbreviation(encodings), self.taken())
        except EncodeError as error:
            raise self.fail(error.problem) from None

    def unabbreviated(self) -> BitRecord:
        """Read a record of VBRs of 6 bits; the most frequent kind."""
        pos, data = self.pos, self.data
        operands: list[int] = []
        window = have = left = 0
        count = -2  # the code and the number of operands come first
        code = 0
        while count < left:
            value = shift = 0
            while True:
                if have < 6:
                    byte = pos >> 3
                    window = int.from_bytes(data[byte : byte + WINDOW], "little") >> (pos & 7)
                    have = 8 * WINDOW - (pos & 7)
                chunk = window & 63
                window >>= 6
                have -= 6
                pos += 6
                if chunk < 32:
                    value |= chunk << shift
                    if not chunk and shift:  # the last chunk is superfluous
                        return self.irregular_record()
                    break
                value |= (chunk & 31) << shift
                shift += 5
                if shift > 64:
                    return self.irregular_record()
            if value >> 64:
                return self.irregular_record()
            if count >= 0:
                operands.append(value)
            elif count == -2:
                code = value
            else:
                left = value
                if 6 * left > self.end - pos:
                    self.pos = pos
                    most = (self.end - pos) // 6
                    raise self.fail(f"expected at most {most} operands, got {left}")
            count += 1
        if pos > self.end:
            self.pos = pos
            raise self.fail("expected more data, got its end")
        self.pos = pos
        return BitRecord(code, operands)

    def irregular_record(self) -> BitRecord:
        """Read an unabbreviated record, and note superfluous chunks."""
        self.taken()
        code = self.vbr(6)
        count = self.vbr(6)
        if 6 * count > self.end - self.pos:
            most = (self.end - self.pos) // 6
            raise self.fail(f"expected at most {most} operands, got {count}")
        operands = [self.vbr(6) for _ in range(count)]
        return BitRecord(code, operands, irregular=self.taken())

    def abbreviated(self, abbreviation: Abbreviation, identity: int) -> BitRecord:
        """Read a record with an abbreviation."""
        values = [self.scalar(each) for each in abbreviation.head]
        tail = abbreviation.tail
        blob = None
        if tail is not None:
            count = self.vbr(6)
            if tail.kind == BLOB:
                blob = self.blob(count)
            else:
                values += self.array(tail, count)
        code = values.pop(0)
        irregular = self.taken() if self.irregular else None
        self.count = 0
        return BitRecord(code, values, identity, blob, irregular)

    def scalar(self, encoding: Encoding) -> int:
        kind, width = encoding
        if kind == VBR:
            return self.vbr(width)
        if kind == FIXED:
            return self.fixed(width)
        if kind == CHAR6:
            return CHARACTERS[self.fixed(6)]
        self.literals -= 1
        if self.literals < 0:
            raise LimitError("sharing", self.limits.sharing, "more literals of abbreviations")
        return width

    def array(self, encoding: Encoding, count: int) -> list[int]:
        """Read the elements of an array."""
        kind, width = encoding
        if count * encoding.least_bits > self.end - self.pos:
            most = (self.end - self.pos) // encoding.least_bits
            raise self.fail(f"expected at most {most} elements, got {count}")
        if kind == VBR:
            return [self.vbr(width) for _ in range(count)]
        if kind == CHAR6:
            width = 6
        pos, bits = self.pos, count * width
        self.pos = pos + bits
        chunk = self.data[pos >> 3 : (pos + bits + 7) >> 3]
        if width == 8:
            number = (int.from_bytes(chunk, "little") >> (pos & 7)) & ((1 << bits) - 1)
            return list(number.to_bytes(count, "little"))
        values = _split(int.from_bytes(chunk, "little") >> (pos & 7), width, count)
        return [CHARACTERS[each] for each in values] if kind == CHAR6 else values

    def blob(self, count: int) -> bytes:
        """Read a blob: aligned bytes."""
        if self.align():
            raise self.fail("expected zeros before a blob")
        if 8 * count > self.end - self.pos:
            most = (self.end - self.pos) // 8
            raise self.fail(f"expected at most {most} bytes, got {count}")
        at = self.pos >> 3
        self.pos += 8 * count
        if self.align():
            raise self.fail("expected zeros after a blob")
        return self.data[at : at + count]


def _split(number: int, width: int, count: int) -> list[int]:
    """Return `count` numbers of `width` bits; halve large numbers, or the time is quadratic."""
    if count <= 64:
        mask = (1 << width) - 1
        return [(number >> shift) & mask for shift in range(0, count * width, width)]
    half = count // 2
    low = number & ((1 << half * width) - 1)
    return _split(low, width, half) + _split(number >> half * width, width, count - half)
