"""The exact text of any instruction of the table, with any tokens, reproduces it."""

import struct
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sampling import fewer
from unshade.programs.tpf import Index, Instruction, Operand, Program
from unshade.programs.tpf.instruction import CUSTOMDATA
from unshade.programs.tpf.operands import LITERAL_DWORDS, MORE
from unshade.programs.tpf.tables.ops import OPS, Op
from unshade.programs.tpf.text.literals import Library
from unshade.programs.tpf.text.style import Style

# Small numbers, special floats, any bits: an ordinary one is most likely ordinary.
WORDS = st.one_of(
    st.integers(0, 20),
    st.sampled_from((0x3F80_0000, 0x3EAA_AAAB, 0x8000_0000, 0x7FC0_0001, 0x7F80_0000, 0xFFFF_FFFF)),
    st.floats(width=32).map(lambda value: struct.unpack("<I", struct.pack("<f", value))[0]),
    st.integers(0, 0xFFFF_FFFF),
)
TOKENS = st.lists(st.integers(0, 0x7FFF_FFFF), max_size=2)
MODIFIERS = st.integers(0, 0x3_FFFF).map(lambda bits: [bits & ~63 | 1])


@st.composite
def operands(draw: st.DrawFn, depth: int = 2) -> Operand:
    """Return an operand of random bits, most often of a known kind."""
    kind = draw(st.one_of(st.integers(0, 42), st.integers(0, 255)))
    token = kind << 12 | draw(st.sampled_from((2, 2, 0, 1, 3)))
    token |= draw(st.integers(0, 0x3FF)) << 2
    if draw(st.booleans()):
        token &= ~0xC00 if token >> 2 & 3 != 1 else token
    extended = draw(st.one_of(st.just([]), MODIFIERS, TOKENS))
    literal: Sequence[int] = ()
    if kind in (4, 5):
        size = LITERAL_DWORDS[token & 3]
        literal = draw(st.lists(WORDS, min_size=size, max_size=size))
    several = draw(st.lists(indices(depth), max_size=3))
    return Operand(token, extended, literal, several)


@st.composite
def indices(draw: st.DrawFn, depth: int) -> Index:
    """Return an index in any representation."""
    representation = draw(st.integers(0, 4)) if depth else draw(st.integers(0, 1))
    wide = representation in (1, 4)
    number = draw(st.one_of(WORDS, st.integers(0, (1 << 64) - 1))) if wide else draw(WORDS)
    relative = draw(operands(depth - 1)) if representation > 1 else None
    return Index(0 if representation == 2 else number, relative, representation)


@st.composite
def instructions(draw: st.DrawFn) -> Instruction:
    """Return an instruction of the table with random controls, tokens and dwords."""
    row: Op = draw(st.sampled_from(OPS.rows))
    controls = draw(st.one_of(st.just(0), st.integers(0, 0x1FFF)))
    if row.code == CUSTOMDATA:
        return Instruction(row.code | controls << 11, payload=draw(st.lists(WORDS, max_size=9)))
    extended = draw(st.one_of(st.just([]), st.lists(st.integers(0, 0x7FFF_FFFF), max_size=3)))
    words = draw(st.lists(WORDS, min_size=row.leading, max_size=len(row.dwords) + 1))
    made = [draw(operands()) for _ in row.operands]
    return Instruction(row.code | controls << 11, made, words, extended)


@settings(max_examples=fewer(500), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(instructions(), min_size=1, max_size=4), st.sampled_from(Library))
def test_exact_text_round_trips(several: list[Instruction], library: Library) -> None:
    short = [each for each in several if sum(map(len, encoded(each))) <= 127]
    words = [word for each in short for part in encoded(each) for word in part]
    data = struct.pack(f"<{len(words) + 2}I", 0x50, len(words) + 2, *words)
    program = Program.decode(data)
    text = program.disassemble("exact", style=Style(library=library))
    assert "<dwords>" not in text
    assert Program.assemble(text).encode() == data


def encoded(instruction: Instruction) -> list[list[int]]:
    """Return the dwords of an instruction, even if its length field cannot hold them."""
    if instruction.payload is not None:
        return [instruction.encode()]
    parts = [operand.words() for operand in instruction.operands]
    size = 1 + len(instruction.extended) + sum(map(len, parts)) + len(instruction.words)
    return [instruction.encode()] if size <= 127 else [[0] * size]


def test_the_last_extended_token_ends_the_chain() -> None:
    made = Instruction(OPS["ret"].code, extended=[MORE | 5, MORE | 6])
    assert made.encode()[1:] == [MORE | 5, 6]
