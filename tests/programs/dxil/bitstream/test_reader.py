"""Malformed bitstreams are refused, in time and space that the size of the data bounds."""

from itertools import count

import pytest

from tests.programs.dxil.bits import MAGIC, Bits, stream
from unshade.errors import EncodeError, FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.dxil.bitstream import Abbreviation, Encoding, read
from unshade.programs.dxil.bitstream.abbreviation import ARRAY, BLOB, CHAR6, FIXED, LITERAL, VBR

HUGE = 2**32


def define(*encodings: tuple[int, int], width: int = 3) -> Bits:
    """Return the definition of an abbreviation."""
    bits = Bits().fixed(2, width).vbr(len(encodings), 5)
    for kind, value in encodings:
        if kind == LITERAL:
            bits.fixed(1, 1).vbr(value, 8)
        else:
            bits.fixed(0, 1).fixed(kind, 3)
            if kind in (FIXED, VBR):
                bits.vbr(value, 5)
    return bits


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "expected the magic number 42 43 c0 de, got nothing"),
        (b"DXBC", "expected the magic number 42 43 c0 de, got 44 58 42 43"),
        (b"\xde\xc0\x17\x0b" + bytes(16), "expected bitcode in bytes 20 to 20, got 0 at 0"),
        (Bits().enter(8, 3, words=HUGE - 1).data(), "expected a block of at most 0 words"),
        (
            Bits().enter(8, 1).fixed(0, 32).data(),
            "expected abbreviation ids of 2 to 32 bits, got 1",
        ),
        (Bits().enter(8, 40).fixed(0, 32).data(), "expected abbreviation ids of 2 to 32 bits"),
        (Bits().enter(8, 3).data(), "expected more data, got its end"),
        (stream(Bits().fixed(3, 3).vbr(1, 6).vbr(HUGE, 6)), "expected at most . operands"),
        (stream(Bits().fixed(3, 3).vbr(1, 6).vbr(1, 6).vbr(2**64, 6)), "at most 64 bits"),
        (stream(Bits().fixed(4, 3)), "expected an abbreviation that is defined, got 4"),
        (stream(Bits().fixed(2, 3).vbr(HUGE, 5)), "expected at most .* encodings, got 4294967296"),
        (stream(Bits().fixed(2, 3).vbr(1, 5).fixed(0, 4)), "expected an encoding of 1 to 5, got 0"),
        (stream(define()), "expected an abbreviation that begins with the code"),
        (stream(define((ARRAY, 0), (CHAR6, 0))), "begins with the code"),
        (stream(define((FIXED, 3), (FIXED, 65))), "expected a width of at most 64 bits"),
        (stream(define((FIXED, 3), (ARRAY, 0))), "expected an array as the last but one"),
        (stream(define((FIXED, 3), (BLOB, 0), (FIXED, 1))), "a blob as the last"),
        (stream(define((FIXED, 3), (ARRAY, 0), (LITERAL, 1))), "elements of at least one bit"),
        (stream(define((FIXED, 3), (ARRAY, 0), (FIXED, 0))), "elements of at least one bit"),
        (stream(define((VBR, 1)).fixed(4, 3).fixed(1, 1)), "chunks of more than one bit"),
        (
            stream(define((FIXED, 3), (ARRAY, 0), (FIXED, 1)).fixed(4, 3).fixed(1, 3).vbr(HUGE, 6)),
            "expected at most .* elements, got 4294967296",
        ),
        (
            stream(define((FIXED, 3), (BLOB, 0)).fixed(4, 3).fixed(1, 3).vbr(HUGE, 6)),
            "expected at most . bytes, got 4294967296",
        ),
        (stream(define((FIXED, 3)), block=0), "expected SETBID before the abbreviations"),
        (stream(Bits().fixed(3, 3).vbr(1, 6).vbr(0, 6), block=0), "expected a block id"),
    ],
    ids=count(),
)
def test_what_is_no_bitstream(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        read(data)


def test_nesting_is_bounded() -> None:
    bits = Bits()
    for depth in range(1000):
        bits.enter(8, 3, outer=3 if depth else 2)
    data = bits.fixed(0, 32).data()
    with pytest.raises(LimitError, match="depth = 64"):
        read(data)
    with pytest.raises(FormatError):
        read(data, Limits(depth=2000))


@pytest.mark.slow
def test_literals_of_abbreviations_are_counted() -> None:
    """Each use of such an abbreviation takes three bits and yields a thousand numbers."""
    items = define(*[(LITERAL, 1)] * 1000)
    for _ in range(200):
        items.fixed(4, 3)
    data = stream(items)
    assert len(read(data).blocks[0].items) == 201
    with pytest.raises(LimitError, match="sharing = 1000"):
        read(data, Limits(sharing=1000))


def test_as_many_literals_as_the_limit_are_read() -> None:
    """Sixteen for each byte of the data are not counted."""
    items = define(*[(LITERAL, 1)] * 400)
    for _ in range(200):
        items.fixed(4, 3)
    data = stream(items)
    beyond = 400 * 200 - 16 * len(data)
    assert beyond > 0
    assert len(read(data, Limits(sharing=beyond)).blocks[0].items) == 201
    with pytest.raises(LimitError, match=f"sharing = {beyond - 1}"):
        read(data, Limits(sharing=beyond - 1))


def test_blocks_share_the_abbreviations_of_blockinfo() -> None:
    """Many blocks with many abbreviations take time in proportion to both, not to the product."""
    info = Bits().fixed(3, 3).vbr(1, 6).vbr(1, 6).vbr(9, 6)
    for _ in range(2000):
        info.add(define((LITERAL, 1)))
    inner = info.fixed(0, 3).align()
    bits = Bits().enter(0, 3, words=inner.count // 32).add(inner)
    for _ in range(2000):
        bits.enter(9, 3, words=1).fixed(0, 32)
    assert len(read(bits.data()).blocks) == 2001


@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000])
def test_long_arrays(count: int) -> None:
    values = [number % 5 for number in range(count)]
    items = define((FIXED, 3), (ARRAY, 0), (FIXED, 3)).fixed(4, 3).fixed(1, 3).vbr(count, 6)
    for value in values:
        items.fixed(value, 3)
    (record,) = read(stream(items)).blocks[0].records
    assert record.operands == values


def test_what_follows_the_blocks_is_kept() -> None:
    assert read(MAGIC).trailing == b""
    assert read(MAGIC + bytes(8)).trailing == bytes(8)


def test_abbreviations_as_text() -> None:
    made = Abbreviation([Encoding(LITERAL, 1), Encoding(VBR, 6), Encoding(ARRAY), Encoding(CHAR6)])
    assert repr(made) == "<Abbreviation [1, vbr6, array, char6]>"
    with pytest.raises(EncodeError, match="begins with the code"):
        Abbreviation([])
