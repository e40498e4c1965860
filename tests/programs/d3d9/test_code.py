"""Tokens are read and written without loss; damage is told with its place."""

from __future__ import annotations

import pytest

from tests.programs.d3d9.programs import PIXEL_2_0, packed
from unshade.errors import EncodeError, FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.d3d9.code import Code, Comment
from unshade.programs.d3d9.instruction import Instruction

VERTEX_1_1 = (
    0xFFFE0101,
    0x0000001F, 0x80000000, 0x900F0000,
    0x00000051, 0xA00F0004, 0x3F800000, 0x00000001, 0x7F800000, 0x0000FFFF,  # any number
    0x00000009, 0xC0010000, 0x90E40000, 0xA0E40000,
    0x00000001, 0xD00F0000, 0xA0E42003,  # c[a0.x + 3]: no token for a0
    0x0000FFFF,
)  # fmt: skip


def test_a_program_is_its_bytes() -> None:
    data = packed(*PIXEL_2_0)
    code = Code.decode(data)
    assert code.version.profile == "ps_2_0"
    assert [each.name for each in code.instructions] == ["def", "dcl", "dcl", "texld", "mul", "mov"]
    assert code.encode() == data
    assert code.offsets() == [4, 28, 40, 52, 68, 84]


def test_instructions_of_model_1_have_no_length() -> None:
    code = Code.decode(packed(*VERTEX_1_1))
    assert [str(each) for each in code.instructions] == [
        "dcl_position v0",
        "def c4, 1, 1.40129846e-45, inf, 9.18340949e-41",
        "dp4 oPos.x, v0, c0",
        "mov oD0, c3[a0.x]",
    ]
    assert code.encode() == packed(*VERTEX_1_1)


def test_comments_keep_their_places() -> None:
    words = (0xFFFE0200, 0x0002FFFE, 0x42415443, 7, 0, 0x0000FFFE, 0, 0x0001FFFE, 9, 0x0000FFFF)
    code = Code.decode(packed(*words))
    assert [(each.before, each.tag) for each in code.comments] == [(0, "CTAB"), (1, ""), (2, "")]
    assert code.encode() == packed(*words)
    assert code.comment("CTAB") is code.comments[0]
    assert code.comment("DBUG") is None
    assert code.offsets() == [16, 24]


def test_what_follows_the_end_is_not_read() -> None:
    data = packed(*PIXEL_2_0)
    code, size = Code.decode_prefix(data + b"more")
    assert (size, code.encode()) == (len(data), data)
    with pytest.raises(FormatError, match="at 0x64, end: expected the end of the data, got 4 byte"):
        Code.decode(data + b"more")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "at 0x0, version: expected a version of Shader Model 1 to 3, got nothing"),
        ((0xFFFD0200,), "got 00 02 fd ff"),
        ((0xFFFF0400,), "got 00 04 ff ff"),
        ((0xFFFF0200,), r"at 0x4, instructions\[0\]: expected an instruction or the end token"),
        ((0xFFFF0200, 0x02000001, 0x800F0000), r"instructions\[0\]: expected 2 tokens, got 1"),
        ((0xFFFF0200, 0x0003FFFE, 0), r"at 0x4, comments\[0\]: expected 3 tokens, got 1"),
        ((0xFFFE0101, 0x51, 0xA00F0000), r"at 0x4, instructions\[0\]: expected 5 tokens, got 1"),
    ],
)  # fmt: skip
def test_damage(words: tuple[int, ...], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Code.decode(packed(*words))


def test_the_number_of_instructions_is_limited() -> None:
    with pytest.raises(LimitError, match="instructions"):
        Code.decode(packed(*PIXEL_2_0), Limits(instructions=5))
    assert len(Code.decode(packed(*PIXEL_2_0), Limits(instructions=6)).instructions) == 6


def test_what_does_not_fit_is_not_written() -> None:
    code = Code(0xFFFF0200, [Instruction([1 << 32], Code(0xFFFF0200).version)])
    with pytest.raises(EncodeError, match=r"instructions\[0\]"):
        code.encode()
    code = Code(0xFFFF0200, [], [Comment(b"12345")])
    with pytest.raises(EncodeError, match=r"comments\[0\]: expected a multiple of 4 bytes, 131068"):
        code.encode()


@pytest.mark.fast
@pytest.mark.parametrize("at", range(4))
def test_what_does_not_fit_is_named_by_its_number(at: int) -> None:
    """Instructions and comments are counted apart."""
    version = Code(0xFFFF0200).version
    code = Code(0xFFFF0200, [Instruction([0], version) for _ in range(4)])
    code.comments = [Comment(b"abcd", each) for each in range(4)]
    assert len(code.encode()) == 4 + 4 * 4 + 4 * 8 + 4
    code.comments[at] = Comment(b"12345", at)
    with pytest.raises(EncodeError, match=rf"comments\[{at}\]: expected a multiple of 4"):
        code.encode()
    code.instructions[at] = Instruction([1 << 32], version)
    code.comments[at] = Comment(b"abcd", at)
    with pytest.raises(EncodeError, match=rf"instructions\[{at}\]"):
        code.encode()
