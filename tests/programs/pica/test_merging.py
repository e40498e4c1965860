"""Pieces of code in one: the table of descriptors that they share, and their targets."""

import pytest

from unshade.errors import UsageError
from unshade.programs.pica.merging import CodePiece, merge

ADD, MAD, MADI, CALL, IFU, JMPU, FOR, END, NOP = (
    0x00,
    0x38,
    0x30,
    0x24,
    0x27,
    0x2D,
    0x29,
    0x22,
    0x21,
)
EMIT, UNKNOWN = 0x2A, 0x10


def word(opcode: int, *, desc: int = 0, target: int = 0, rest: int = 0) -> int:
    return opcode << 26 | target << 10 | desc | rest


def piece(
    *code: int, descriptors: tuple[int, ...] = (), outside: dict[int, int] | None = None
) -> CodePiece:
    return CodePiece(code, descriptors, outside or {})


def test_equal_descriptors_are_one() -> None:
    first = piece(word(ADD, desc=0), word(ADD, desc=1), descriptors=(10, 11))
    second = piece(
        word(ADD, desc=0), word(ADD, desc=1), word(ADD, desc=2), descriptors=(11, 12, 10)
    )
    code, table = merge([first, second])
    assert table == [10, 11, 12]
    assert code == [word(ADD, desc=each) for each in (0, 1, 1, 2, 0)]


def test_descriptors_that_nothing_names_are_left_out() -> None:
    code, table = merge([piece(word(ADD, desc=2), word(END), descriptors=(7, 8, 9))])
    assert (code, table) == ([word(ADD, desc=0), word(END)], [9])
    code, table = merge([piece(word(ADD, desc=3), word(ADD, desc=2), descriptors=(7, 8, 9))])
    assert (code, table) == ([word(ADD, desc=3), word(ADD, desc=0)], [9])  # the first has none


@pytest.mark.parametrize("opcode", [MAD, MADI, MAD + 7, MADI + 7])
def test_descriptors_of_mad_come_first(opcode: int) -> None:
    first = piece(word(ADD, desc=0), descriptors=(10,))
    second = piece(word(ADD, desc=0), word(opcode, desc=1), descriptors=(10, 11))
    code, table = merge([first, second])
    assert table == [11, 10]
    assert code == [word(ADD, desc=1), word(ADD, desc=1), word(opcode, desc=0)]


def test_bits_that_are_no_descriptor_stay() -> None:
    """Those of a mad above its field of five bits, and words without descriptors."""
    rest = 1 << 5 | 1 << 24
    words = word(MAD, desc=0, rest=rest), word(NOP), word(EMIT), word(UNKNOWN, desc=5)
    code, _ = merge([piece(word(ADD, desc=0), descriptors=(1,)), piece(*words, descriptors=(2,))])
    assert code == [
        word(ADD, desc=1), word(MAD, desc=0, rest=rest), word(NOP), word(EMIT),
        word(UNKNOWN, desc=5),
    ]  # fmt: skip


@pytest.mark.parametrize("opcode", [CALL, IFU, JMPU, FOR])
def test_targets_move_with_their_piece(opcode: int) -> None:
    first = piece(*[word(NOP)] * 3, word(opcode, target=2))
    second = piece(word(opcode, target=1), word(NOP), outside={})
    code, _ = merge([first, second])
    assert code[3:5] == [word(opcode, target=2), word(opcode, target=5)]


def test_targets_in_other_pieces_are_given() -> None:
    first = piece(word(CALL, target=0), word(CALL, target=0), outside={1: 7})
    second = piece(word(CALL, target=0), outside={0: 0})
    assert merge([first, second])[0] == [word(CALL), word(CALL, target=7), word(CALL)]


def distinct(opcode: int, count: int) -> CodePiece:
    """Return a piece with so many descriptors, each of an instruction of its own."""
    limit = 32 if opcode == MAD else 128
    assert count <= limit
    return piece(
        *(word(opcode, desc=at) for at in range(count)), descriptors=tuple(range(1, 1 + count))
    )


def test_there_are_128_descriptors_and_32_of_mad() -> None:
    assert len(merge([distinct(ADD, 128)])[1]) == 128
    assert len(merge([distinct(MAD, 32), distinct(MAD, 32)])[1]) == 32
    others = CodePiece((word(ADD, desc=0),), (500,), {})
    with pytest.raises(UsageError, match="expected at most 128 descriptors in all objects"):
        merge([distinct(ADD, 128), others])
    assert len(merge([distinct(ADD, 127), others])[1]) == 128
    more = CodePiece((word(MAD, desc=0),), (500,), {})
    with pytest.raises(UsageError, match="expected at most 32 descriptors of mad, got 33"):
        merge([distinct(MAD, 32), more])
    assert merge([distinct(MAD, 31), more])[1][-1] == 500


def test_targets_have_twelve_bits() -> None:
    filler = piece(*[word(NOP)] * 4095)
    assert merge([filler, piece(word(CALL, target=0))])[0][-1] == word(CALL, target=4095)
    with pytest.raises(UsageError, match="word 0 of the object at 4095"):
        merge([filler, piece(word(CALL, target=1))])
