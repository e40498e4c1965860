"""Random programs of the table of instructions, and random dwords."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.programs.tpf.test_program import DECL_TEMPS, MOV, PS_5_0, RET, check, stream
from tests.sampling import fewer
from unshade.errors import EncodeError, FormatError, LimitError
from unshade.programs.tpf import Index, Instruction, Operand, Program
from unshade.programs.tpf.instruction import CUSTOMDATA, LONG
from unshade.programs.tpf.operands import LITERAL_DWORDS
from unshade.programs.tpf.tables.ops import OPS, Op
from unshade.programs.tpf.tables.tokens import VersionToken

u32 = st.integers(0, 0xFFFF_FFFF)
ROWS = [row for row in OPS if row.code != CUSTOMDATA]


@st.composite
def operands(draw: st.DrawFn, depth: int = 2) -> Operand:
    token = draw(u32) & 0xFFFF
    indices = []
    for _ in range(draw(st.integers(0, 3 if depth == 2 else 1))):
        representation = draw(st.integers(0, 4 if depth else 1))
        wide = 64 if representation in (1, 4) else 32
        number = 0 if representation == 2 else draw(st.integers(0, (1 << wide) - 1))
        relative = draw(operands(depth=depth - 1)) if representation > 1 else None
        indices.append(Index(number, relative, representation))
    count = LITERAL_DWORDS[token & 3] if token >> 12 & 0xFE == 4 else 0
    literal = draw(st.lists(u32, min_size=count, max_size=count))
    return Operand(token, draw(st.lists(u32, max_size=2)), literal, indices)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    row: Op = draw(st.sampled_from(ROWS))
    extended = draw(st.lists(u32, max_size=1 if row.code in LONG else 3))
    words = draw(st.lists(u32, min_size=row.leading, max_size=4))
    found = [draw(operands(depth=1 if len(row.operands) > 4 else 2)) for _ in row.operands]
    token = draw(u32) & 0x00FF_F800 | row.code
    return Instruction(token, found, words, extended)


def fits(instruction: Instruction) -> bool:
    try:
        instruction.encode()
    except EncodeError as error:
        assert "length" in str(error)  # noqa: PT017
        return False
    return True


@settings(max_examples=fewer(150), deadline=None)
@given(st.lists(instructions().filter(fits), max_size=4))
def test_generated_programs_round_trip(drawn: list[Instruction]) -> None:
    program = Program(VersionToken(PS_5_0), drawn)
    found = check(program.encode())
    assert found.instructions == drawn
    for one, other in zip(found.instructions, drawn, strict=True):
        assert one.words == other.words
        assert one.operands == other.operands


@settings(max_examples=fewer(300), deadline=None)
@given(st.lists(u32 | st.sampled_from([*DECL_TEMPS, *MOV, *RET, CUSTOMDATA]), max_size=40))
def test_any_dwords_end_in_a_program_or_an_error(words: list[int]) -> None:
    with contextlib.suppress(FormatError, LimitError):
        check(stream(*words))
