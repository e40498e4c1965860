"""Bitstreams are written as they were read, to the bit."""

import pytest

from tests.programs.dxil.bits import Bits, stream
from tests.programs.dxil.modules import saxpy
from unshade.errors import EncodeError
from unshade.programs.dxil.bitstream import (
    ANY,
    UNABBREVIATED,
    Abbreviation,
    AbbreviationDefinition,
    BitBlock,
    BitRecord,
    Bitstream,
    Encoding,
    read,
    write,
)
from unshade.programs.dxil.bitstream.abbreviation import ARRAY, BLOB, CHAR6, FIXED, LITERAL, VBR

TEXT = Abbreviation([Encoding(LITERAL, 2), Encoding(ARRAY), Encoding(CHAR6)])
MIXED = Abbreviation(
    [Encoding(FIXED, 3), Encoding(VBR, 6), Encoding(FIXED, 40), Encoding(FIXED, 0)]
)
BYTES = Abbreviation([Encoding(LITERAL, 4), Encoding(VBR, 6), Encoding(BLOB)])
WIDE = Abbreviation([Encoding(LITERAL, 5), Encoding(ARRAY), Encoding(VBR, 6)])


def a_stream() -> Bitstream:
    info = BitBlock(0, 2, [BitRecord(1, [9]), AbbreviationDefinition(TEXT)])
    inner = BitBlock(
        9,
        4,
        [
            AbbreviationDefinition(MIXED),
            AbbreviationDefinition(BYTES),
            AbbreviationDefinition(WIDE),
            BitRecord(2, list(b"abc_XYZ.09"), 4),
            BitRecord(7, [2**64 - 1, 2**40 - 1, 0], 5),
            BitRecord(4, [77], 6, b"a blob"),
            BitRecord(5, [0, 31, 32, 2**64 - 1], 7),
            BitRecord(5, [], 7),
            BitRecord(1000, [0, 31, 32, 1 << 63]),
            BitBlock(9, 3, [BitRecord(2, list(b"x" * 100), 4)]),
        ],
    )
    return Bitstream([BitBlock(8, 3, [info, inner, BitRecord(1, [1])])], b"\0\0\0\0rest")


def test_every_kind_of_item() -> None:
    made = a_stream()
    data = write(made)
    found = read(data)
    assert found == made
    assert write(found) == data
    assert found != Bitstream([])
    inner = list(found.blocks[0].blocks)[1]
    assert [each.code for each in inner.records] == [2, 7, 4, 5, 5, 1000]
    assert repr(inner) == "<BitBlock 9 of 10 items>"


def test_a_module_of_dxc() -> None:
    bitcode = saxpy().bitcode
    assert isinstance(bitcode, Bitstream)
    assert read(write(bitcode)) == bitcode


def test_a_wrapper_keeps_its_header() -> None:
    bitcode = write(a_stream())
    header = b"\xde\xc0\x17\x0b" + b"".join(
        each.to_bytes(4, "little") for each in (0, 20, len(bitcode), 7)
    )
    found = read(header + bitcode + b"outside")
    assert (found.wrapper, found.outside) == (header, b"outside")
    assert write(found) == header + bitcode + b"outside"
    found.trailing = b""
    assert write(found)[12:16] == (len(bitcode) - 8).to_bytes(4, "little")


@pytest.mark.parametrize(
    "record",
    [
        BitRecord(2, [200], 4),  # no char6
        BitRecord(3, [97], 4),  # another code
        BitRecord(2, [97], 9),  # no such abbreviation
        BitRecord(2, [97], 1),  # no abbreviation at all
    ],
)
def test_what_does_not_fit_is_written_without_abbreviation(record: BitRecord) -> None:
    block = BitBlock(9, 4, [AbbreviationDefinition(TEXT), record])
    (found,) = read(write(Bitstream([block]))).blocks[0].records
    assert (found.code, found.operands) == (record.code, record.operands)
    assert found.abbreviation == UNABBREVIATED


@pytest.mark.parametrize(
    ("record", "identity"),
    [
        (BitRecord(2, list(b"text"), ANY), 4),
        (BitRecord(2, [1 << 63], ANY), UNABBREVIATED),
        (BitRecord(5, [], ANY), 5),
        (BitRecord(6, [1], ANY), UNABBREVIATED),
    ],
)
def test_new_records_are_as_short_as_can_be(record: BitRecord, identity: int) -> None:
    block = BitBlock(9, 4, [AbbreviationDefinition(TEXT), AbbreviationDefinition(WIDE), record])
    (found,) = read(write(Bitstream([block]))).blocks[0].records
    assert (found.operands, found.abbreviation) == (record.operands, identity)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (BitRecord(1, [-1]), "expected a number of 64 bits, got -1"),
        (BitRecord(1, [1 << 64]), "expected a number of 64 bits"),
        (BitRecord(1, [], blob=b"x"), "expected an abbreviation for a record with a blob"),
    ],
)
def test_what_cannot_be_written(record: BitRecord, problem: str) -> None:
    with pytest.raises(EncodeError, match=problem):
        write(Bitstream([BitBlock(8, 3, [record])]))


def test_superfluous_chunks_are_kept() -> None:
    bits = Bits().fixed(3, 3).vbr(5, 6, extra=1).vbr(2, 6).vbr(7, 6, extra=2).vbr(40, 6)
    data = stream(bits)
    (record,) = read(data).blocks[0].records
    assert (record.code, record.operands, record.irregular) == (5, [7, 40], {0: 1, 2: 2})
    assert write(read(data)) == data


def test_padding_and_wrong_lengths_are_kept() -> None:
    good = stream(Bits().fixed(3, 3).vbr(1, 6).vbr(0, 6))
    length = good[8:12]
    data = good[:8] + (int.from_bytes(length, "little") - 1).to_bytes(4, "little") + good[12:]
    data = data[:-1] + b"\xff"
    block = read(data).blocks[0]
    assert block.irregular is not None
    assert block.irregular["length"] == -1
    assert block.irregular["end"]
    assert write(read(data)) == data
    assert block.with_items([]).irregular == {"end": block.irregular["end"]}


def test_extents_cover_the_stream() -> None:
    from unshade.programs.dxil.bitstream import Extent

    extents: list[Extent] = []
    made = a_stream()
    size = len(write(made, extents)) - len(made.trailing)
    at = 32
    for each in extents:
        assert each.bit == at
        at += each.bits
    assert at == 8 * size
