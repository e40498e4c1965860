"""Programs: bytes, plain data, spans, and inserting and removing code."""

from __future__ import annotations

import random
import re

import pytest

from tests.programs.pica.broken_programs import BROKEN, END, NOP, SOUND, call, i, ifu, loop, program
from unshade.errors import AssembleError, EncodeError, FormatError, LimitError, UsageError
from unshade.limits import Limits
from unshade.program import Program as Base
from unshade.programs.pica import Entry, Instruction, OperandDescriptor, Program

ALL = [make() for make in SOUND.values()] + [m() for each in BROKEN.values() for m in each]


def test_is_a_program() -> None:
    found = SOUND["geometry"]()
    assert isinstance(found, Base)
    assert found.entry_points == [("main", "geometry")]
    assert repr(found) == "<Program geometry main, 10 instructions, 4 descriptors>"


@pytest.mark.slow
def test_bytes_and_plain_data() -> None:
    for found in ALL:
        data = found.encode()
        code, descriptors = data[: found.code_size], data[found.code_size :]
        assert Program.decode(code, descriptors, found.entries) == found
        assert Program.from_data(found.to_data()) == found


def test_plain_data_of_any_word() -> None:
    rng = random.Random(3)
    for _ in range(1000):
        found = Program(
            [Instruction(rng.getrandbits(32))],
            [OperandDescriptor(rng.getrandbits(32), rng.getrandbits(32))],
        )
        assert Program.from_data(found.to_data()) == found


def test_plain_data_reads_well() -> None:
    found = Program(
        [
            Instruction(0x2227F107),
            i("mov", dst="o0", src1="c4", idx="a0.y", desc=1),
            i("ifc", condop="X", refx=1, target=3),
            i("cmp", src1="r0", cmpx="LT", src2="r1"),
            Instruction(0x7800_0005),
        ],
        [OperandDescriptor(mask=14, swz1=0x1B, neg1=1, high=0xF)],
        [Entry("main", "vertex", 0, 5, {0: "xyz"})],
    )
    assert found.to_data() == {
        "instructions": [
            {"op": "mul", "dst": "r1", "src1": "c95", "src2": "v2", "desc": 7},
            {"op": "mov", "dst": "o0", "src1": "c4", "desc": 1, "idx": "a0.y"},
            {"op": "ifc", "condop": "X", "refx": 1, "target": 3},
            {"op": "cmp", "src1": "r0", "cmpx": "LT", "cmpy": "EQ", "src2": "r1", "desc": 0},
            {"op": "opcode_1e", "unnamed": "0x00000005"},
        ],
        "descriptors": [{"mask": "xyz", "neg1": 1, "swz1": "xyzw", "high": "0xf"}],
        "entries": [
            {"name": "main", "stage": "vertex", "main": 0, "end": 5, "outputs": {"o0": "xyz"}}
        ],
    }


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"instructions": [{"op": "mull"}]}, "instructions[0].op"),
        ({"instructions": [{"op": "opcode_00"}]}, "instructions[0].op"),
        ({"instructions": [{"op": "opcode_99"}]}, "instructions[0].op"),
        ({"instructions": [{"op": "mul", "dst": "c3"}]}, "instructions[0].dst"),
        ({"instructions": [{"op": "mul", "dst": 32}]}, "instructions[0].dst"),
        ({"instructions": [{"op": "nop", "dst": 1}]}, "instructions[0]"),
        ({"instructions": [{"op": "nop", "unnamed": "0x08000000"}]}, "instructions[0]"),
        ({"instructions": [3]}, "instructions[0]"),
        ({"instructions": {}}, "instructions"),
        ({"descriptors": [{"swz1": "xyzq"}]}, "descriptors[0].swz1"),
        ({"descriptors": [{"mask": 16}]}, "descriptors[0].mask"),
        ({"entries": [{"stage": "pixel"}]}, "entries[0].stage"),
        ({"entries": [{"stage": "vertex", "outputs": {"x": "x"}}]}, "entries[0].outputs"),
        ({"more": 1}, ""),
    ],
)
def test_invalid_plain_data_is_refused(data: object, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        Program.from_data(data)
    assert caught.value.path == path


def test_every_bit_is_in_one_span() -> None:
    rng = random.Random(5)
    found = Program(
        [Instruction(rng.getrandbits(32)) for _ in range(300)],
        [OperandDescriptor(rng.getrandbits(32), 1) for _ in range(20)],
    )
    spans = found.spans()
    descriptors = [each.word for each in found.descriptors]
    for start, step, words in ((0, 4, found.words()), (found.code_size, 8, descriptors)):
        for n, word in enumerate(words):
            seen = 0
            for span in (each for each in spans if each.offset == start + n * step):
                low, width = span.bits or (0, 32)
                mask = (1 << width) - 1 << low
                if span.kind == "field":
                    assert not seen & mask
                seen |= mask
            assert word & ~seen == 0
    whole = Program([Instruction(0x2227F107)]).spans()
    assert {span.path: span.value for span in whole} == {
        "instructions[0].desc": 7,
        "instructions[0].src2": "v2",
        "instructions[0].src1": "c95",
        "instructions[0].idx": 0,
        "instructions[0].dst": "r1",
        "instructions[0].opcode": "mul",
    }


def test_set_bits_without_use_are_raw() -> None:
    spans = Program([Instruction(END.word | 0x30)]).spans()
    assert [(s.path, s.kind, s.bits) for s in spans if s.kind == "raw"] == [
        ("instructions[0].unnamed", "raw", (4, 2))
    ]


def test_refusals() -> None:
    with pytest.raises(FormatError, match="multiple of 4"):
        Program.decode(b"123")
    with pytest.raises(FormatError, match="multiple of 8"):
        Program.decode(b"1234", b"1234")
    with pytest.raises(LimitError, match="instructions"):
        Program.decode(bytes(12), limits=Limits(instructions=2))
    with pytest.raises(EncodeError, match=r"instructions\[1\]"):
        Program([NOP, Instruction(1 << 32)]).encode()
    with pytest.raises(EncodeError, match=r"descriptors\[0\].high"):
        Program([], [OperandDescriptor(0, -1)]).encode()


# ---------------------------------------------------------------- code put in and taken out


def blocks() -> Program:
    """Return main [0, 9) with a loop and an if with its else, and a procedure [9, 11)."""
    return program(call(9, 11), loop(3), NOP, NOP, ifu(6, 2), NOP, NOP, NOP, END, NOP, NOP, end=9)


def numbers(found: Program) -> list[tuple[int, ...]]:
    return [
        (at, each.target, *([each.length] if each.name != "for" else []))
        for at, each in enumerate(found.instructions)
        if each.name in ("call", "for", "ifu")
    ]


def test_insert_moves_targets() -> None:
    found = blocks()
    found.marks = [0, 2, 9]
    found.insert(2, NOP, NOP)
    assert numbers(found) == [(0, 11, 2), (1, 5), (6, 8, 2)]
    assert found.marks == [0, 2, 11]
    assert found.entries[0] == Entry("main", "vertex", 0, 11)
    assert len(found.instructions) == 13


def test_inserted_code_belongs_to_the_block_of_the_next_word() -> None:
    found = blocks()
    found.insert(6, NOP)  # the first word of the else part
    assert numbers(found) == [(0, 10, 2), (1, 3), (4, 6, 3)]
    found = blocks()
    found.insert(9, NOP)  # the first word of the procedure
    assert numbers(found)[0] == (0, 9, 3)
    assert found.entries[0].end == 9


def test_remove() -> None:
    found = blocks()
    found.remove(2)
    assert numbers(found) == [(0, 8, 2), (1, 2), (3, 5, 2)]
    found.remove(slice(8, 10))
    assert numbers(found)[0] == (0, 8, 0)
    assert len(found.instructions) == 8


def test_insert_and_remove_cancel() -> None:
    for place in range(12):
        found = blocks()
        found.insert(place, NOP, NOP, NOP)
        found.remove(slice(place, place + 3))
        assert found == blocks()


def test_replace_takes_text() -> None:
    found = blocks()
    before = [each.word for each in found.descriptors]
    (new,) = found.replace(2, "mul r0.xy, -c95, v1.w")
    assert new is found.instructions[2]
    assert str(new) == "mul r0.xy, -c95, v1.w"
    assert [each.word for each in found.descriptors][: len(before)] == before
    assert len(found.descriptors) == len(before) + 1
    (again,) = found.insert(-1, "mul r3.xy, -c2, v0.w")
    assert again.desc == new.desc
    assert len(found.descriptors) == len(before) + 1


def test_text_of_several_lines_may_have_blocks() -> None:
    found = blocks()
    new = found.insert(2, "ifc cmp.x\n\tmov r0, v0 ; a comment\n\tnop\n.end")
    assert [each.name for each in new] == ["ifc", "mov", "nop"]
    assert (new[0].target, str(new[0])) == (5, "ifc cmp.x, 0x5, 0")
    assert numbers(found)[0] == (0, 12, 2)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("nop\nmvo r0, v0", 2, "unknown instruction 'mvo'"),
        ("call main", 1, "unknown procedure 'main'"),
        ("jmpc cmp.x, there", 1, "unknown label 'there'"),
        (".out a position", 1, "unknown directive '.out'"),
        ("ifc cmp.x\nnop", 1, "this if has no .end"),
    ],
)
def test_refused_text_changes_nothing(text: str, line: int, words: str) -> None:
    found = blocks()
    with pytest.raises(AssembleError, match=re.escape(words)) as caught:
        found.insert(1, "mov r0.x, v3.y", text)
    assert caught.value.line == line
    assert found == blocks()


def test_an_instruction_is_its_line_of_the_listing() -> None:
    """Except that names are numbers, and that `.end` has no instruction."""
    for make in SOUND.values():
        found = make()
        text = found.disassemble("exact")
        lines = [re.sub(r" *\{.*| *;.*", "", line).strip() for line in text.split("\n")]
        code = [
            line for line in lines if line and not line.startswith((".", ";")) and line[-1:] != ":"
        ]
        for line, instruction in zip(code, found.instructions, strict=True):
            name = line.partition(" ")[0]
            if instruction.op is not None and instruction.op.kind in ("call", "jump", "break"):
                assert str(instruction).startswith(f"{name} ") or str(instruction) == name
            elif instruction.op is not None and instruction.op.kind in ("if", "loop"):
                assert str(instruction).startswith(f"{line}, 0x")
            else:
                assert str(instruction) == line


def test_a_single_line_round_trips() -> None:
    for make in SOUND.values():
        found = make()
        for at, instruction in enumerate(found.instructions):
            again = make()
            (new,) = again.replace(at, str(instruction))
            assert str(new) == str(instruction)
            assert new.opcode == instruction.opcode


def test_operands_follow_the_descriptor_table() -> None:
    one = Instruction(0x2227F107)
    assert str(one) == ".inst 0x2227f107"
    found = Program([one], [OperandDescriptor(mask=15, swz1=0x1B, swz2=0x1B)] * 8)
    assert str(one) == "mul r1, c95, v2"
    found.descriptors = [OperandDescriptor(mask=8, swz1=0x1B, neg2=1, swz2=0)] * 8
    assert str(one) == "mul r1.x, c95, -v2.x"
    assert str(Instruction(0x7800_0005)) == ".inst 0x78000005"


def test_impossible_splices_are_refused() -> None:
    found = blocks()
    with pytest.raises(UsageError):
        found.insert(12, NOP)
    with pytest.raises(UsageError):
        found.remove(11)
    before = found.words()
    with pytest.raises(EncodeError, match=r"instructions\[0\]"):
        found.insert(2, *[NOP] * 4090)
    assert found.words() == before
