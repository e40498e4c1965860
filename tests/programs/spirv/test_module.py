"""Modules as words: header, byte order, what cannot be read."""

import struct

import pytest

from tests.programs.spirv.modules import CAPABILITY, MEMORY_MODEL, VOID, module, op, words_of
from unshade.errors import FormatError, LimitError
from unshade.limits import Limits
from unshade.programs.spirv import Program
from unshade.programs.spirv.context import Context, string_of
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.operands import decode
from unshade.programs.spirv.spans import spans
from unshade.programs.spirv.tables.grammar import grammar


@pytest.mark.parametrize(("order", "name"), [("<", "little"), (">", "big")])
def test_either_byte_order(order: str, name: str) -> None:
    data = module(*CAPABILITY, *VOID, version=0x10500, bound=3, order=order)
    read = Module.loads(data)
    assert (read.order, read.version, read.bound) == (name, 0x10500, 3)
    assert [each.opcode for each in read.instructions] == [17, 19]
    assert read.to_bytes() == data
    assert [*read.offsets()] == [20, 28, 36]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "expected the magic"),
        (b"DXBC", "expected the magic"),
        (module()[:12], "expected a header of 20 bytes, got 12"),
    ],
)
def test_data_that_is_not_a_module(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Module.loads(data)


@pytest.mark.parametrize("tail", [b"x", b"\0\0\0\0", (9 << 16 | 17).to_bytes(4, "little")])
def test_malformed_instructions_are_kept(tail: bytes) -> None:
    data = module(*CAPABILITY) + tail
    read = Module.loads(data)
    assert read.trailing == tail
    assert read.to_bytes() == data


def test_more_instructions_than_allowed() -> None:
    with pytest.raises(LimitError, match="instructions = 1"):
        Module.loads(module(*CAPABILITY, *VOID), Limits(instructions=1))


def test_strings() -> None:
    assert string_of(words_of("main")) == ("main", 2)
    assert string_of((0x6E69_616D,)) == ("main", 1)  # without a NUL
    assert string_of((0x0000_00FF,)) == ("\udcff", 1)


def pieces(*words: int) -> list[tuple[str, tuple[int, ...]]]:
    found = decode(tuple(words), Context(), grammar())
    assert not found.problem
    return [(each.kind, each.words) for each in found.operands]


def test_operands_of_a_mask_follow_it_lowest_bit_first() -> None:
    grad_and_offset = 0x4 | 0x8
    found = pieces(*op(88, 1, 2, 3, 4, grad_and_offset, 5, 6, 7))
    assert found[4:] == [
        ("ImageOperands", (grad_and_offset,)),
        ("IdRef", (5,)),
        ("IdRef", (6,)),
        ("IdRef", (7,)),
    ]


def test_a_literal_is_as_wide_as_its_type() -> None:
    context = Context()
    context.add(tuple(op(21, 1, 64, 1)), None, 1)
    found = decode(tuple(op(43, 1, 2, 5, 6)), context, grammar())
    assert found.operands[-1].words == (5, 6)
    assert decode(tuple(op(43, 1, 2, 5)), context, grammar()).problem


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (op(4000), "unknown opcode 4000"),
        (op(19), "expected the operand IdResult"),
        (op(19, 1, 2), "got 1 more words"),
        (op(17, 0xFFFF), "unknown Capability 65535"),
        (op(62, 1, 2, 0x4000_0000), "unknown bit 0x40000000 of MemoryAccess"),
        (op(43, 1, 2, 3), "expected a literal of a numeric type"),
    ],
)
def test_operands_unknown_to_the_grammar(words: tuple[int, ...], problem: str) -> None:
    assert problem in decode(tuple(words), Context(), grammar()).problem


def test_the_grammar() -> None:
    table = grammar()
    assert table.version.startswith("1.6 rev ")
    assert table.core.by_name["OpFAdd"].code == 129
    assert table.core.by_name["OpSDotKHR"] is table.core.by_name["OpSDot"]
    glsl = table.extended("GLSL.std.450")
    assert glsl is not None
    assert glsl.by_code[26].name == "Pow"
    assert table.extended("Haskell.std") is None
    assert table.generators[8] == "Khronos Glslang Reference Front End"
    assert MEMORY_MODEL[0] & 0xFFFF == table.core.by_name["OpMemoryModel"].code


def test_spans_cover_a_module_without_gaps() -> None:
    """Words that the grammar does not explain are raw, up to the end of their instruction."""
    data = module(*op(17, 1), *op(4000, 5, 6), *op(19, 2, 0x0102_0304)) + b"\7\7"
    found = sorted(spans(Program(Module.loads(data))), key=lambda each: (each.offset, each.length))
    reached = 0
    for each in found:
        assert each.offset <= reached, each.path
        reached = max(reached, each.offset + each.length)
    assert reached == len(data)
    raw = {each.path: (each.offset, each.value) for each in found if each.kind == "raw"}
    assert raw == {
        "instructions[1].rest": (32, struct.pack("<2I", 5, 6)),
        "instructions[2].rest": (44, struct.pack("<2I", 2, 0x0102_0304)),
        "trailing": (52, b"\7\7"),
    }
