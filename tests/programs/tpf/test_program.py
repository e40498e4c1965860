"""Decoding and encoding programs: written by hand, damaged, and from containers."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.errors import EncodeError, FormatError, LimitError, UsageError
from unshade.limits import Limits
from unshade.programs.tpf import Index, Instruction, Program, immediate, temp
from unshade.programs.tpf.customdata import ShaderMessage, comment, text_to_words
from unshade.programs.tpf.instruction import CUSTOMDATA
from unshade.programs.tpf.tables.enumerations import CustomClass, OperandType
from unshade.programs.tpf.tables.ops import OPS
from unshade.programs.tpf.tables.tokens import VersionToken
from unshade.wire.spans import gaps

PS_5_0 = 0x50
DECL_TEMPS = (0x0200_0068, 1)
MOV = (0x0500_0036, 0x0010_0072, 0, 0x0010_1246, 1)
RET = (0x0100_003E,)


def stream(*words: int, version: int = PS_5_0) -> bytes:
    return struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words)


def again(program: Program) -> Program:
    """Return a program after a round trip through plain data and JSON."""
    return Program.from_data(json.loads(json.dumps(program.to_data())))


def check(data: bytes) -> Program:
    """Check what is true of every program that can be decoded."""
    program = Program.decode(data)
    assert program.encode() == data
    assert again(program).encode() == data
    assert program.instructions == [*Program.decode(data).listed]
    assert program.encode() == data  # from its own instructions
    spans = program.spans()
    assert not gaps(spans, len(data))
    assert max(span.offset + span.length for span in spans) == len(data)
    return program


def named(program: Program, size: int) -> int:
    """Return the number of bytes without a raw bit."""
    raw: set[int] = set()
    for span in program.spans():
        if span.kind == "raw":
            raw.update(range(span.offset, span.offset + span.length))
    return size - len(raw)


# ---------------------------------------------------------------- by hand


def test_decode() -> None:
    program = check(stream(*DECL_TEMPS, *MOV, *RET))
    assert program.model == (5, 0)
    assert [each.name for each in program.instructions] == ["dcl_temps", "mov", "ret"]
    assert program.instructions[0].words == (1,)
    assert program.instructions[1].operands[1].type == OperandType.INPUT


def test_plain_data_reads_well() -> None:
    words = (0x0700_2038, 0x0010_0012, 0, 0x0010_000A, 1, 0x4001, 0x3F00_0000)
    program = check(stream(*DECL_TEMPS, *words))
    assert program.to_data() == {
        "major": 5,
        "kind": "PIXEL",
        "instructions": [
            {"op": "dcl_temps", "count": 1},
            {
                "op": "mul",
                "saturate": 1,
                "operands": [
                    {"type": "TEMP", "mask": "x", "index": [0]},
                    {"type": "TEMP", "select": "x", "index": [1]},
                    {"type": "IMMEDIATE32", "literal": [0.5]},
                ],
            },
        ],
    }


def test_insert_delete_and_edit() -> None:
    program = Program.decode(stream(*DECL_TEMPS, *MOV, *RET))
    program.instructions.insert(2, Instruction(OPS["add"].code, [temp(0), temp(0), immediate(1)]))
    program.instructions[1].saturate = 1
    program.instructions[0].words = (2,)
    program = check(program.encode())
    assert [each.name for each in program.instructions] == ["dcl_temps", "mov", "add", "ret"]
    del program.instructions[1:3]
    assert program.encode() == stream(DECL_TEMPS[0], 2, *RET)


def test_unknown_opcode_is_kept() -> None:
    program = check(stream(0x8300_07FF, 0xFFFF_FFFF, 5, *RET))
    assert program.instructions[0].op is None
    assert program.instructions[0].name == "opcode_2047"
    assert named(program, 24) == 16


def test_dwords_after_the_table_are_kept() -> None:
    program = check(stream(0x0200_003E, 7))
    assert program.instructions[0].words == (7,)
    assert [span.path for span in program.spans() if span.kind == "raw"] == [
        "instructions[0].words[0]"
    ]


def test_spans_spell_components() -> None:
    made = [
        Instruction.make("mul", temp(0, mask="xw"), temp(1, swizzle="wzyx"), temp(2, select="y")),
        Instruction.make("add", temp(0, mask=""), temp(1), immediate(0), precise=3),
    ]
    named = ("mask", "swizzle", "select", "precise")
    spans = Program(VersionToken(0x50), made).spans()
    found = [span for span in spans if span.path.endswith(named)]
    assert [(span.path.removeprefix("instructions"), span.value) for span in found] == [
        ("[0].precise", 0),
        ("[0].operands[0].mask", "xw"),
        ("[0].operands[1].swizzle", "wzyx"),
        ("[0].operands[2].select", "y"),
        ("[1].precise", "xy"),
        ("[1].operands[0].mask", 0),
        ("[1].operands[1].mask", "xyzw"),
    ]


def test_interface_call_has_its_dword_first() -> None:
    program = check(stream(0x0600_0078, 9, 0x0021_3000, 1, 2, 77))
    assert program.instructions[0].words == (9, 77)
    assert program.instructions[0].operands[0].type == OperandType.INTERFACE


def test_long_declaration() -> None:
    bodies = range(300)
    words = (0x8000_0091 | (304 & 127) << 24, 304, 0, 300, *bodies)
    program = check(stream(*words, *RET))
    table = program.instructions[0]
    assert table.long
    assert table.words[2:] == tuple(bodies)
    table.words = (0, 1, 5)
    assert table.encode()[1] == 5


def test_space_of_shader_model_5_1() -> None:
    words = (0x0700_0059, 0x0030_8E46, 0, 0, 3, 16, 2)
    program = check(stream(*words, version=0x51))
    found = program.to_data()["instructions"][0]
    assert (found["size"], found["space"]) == (16, 2)


def test_immediate_constant_buffer() -> None:
    rows = (0x3F80_0000, 0, 1, 0x8000_0000)
    program = check(stream(0x0000_1835, 6, *rows))
    assert program.to_data()["instructions"][0] == {
        "op": "customdata",
        "custom_class": "DCL_IMMEDIATE_CONSTANT_BUFFER",
        "rows": [[1.0, 0, 1, -0.0]],
    }
    assert named(program, 32) == 32


def test_shader_message() -> None:
    message = ShaderMessage(0x0020_0102, b"x = %f\n", [temp(3, mask="x")])
    token = CUSTOMDATA | CustomClass.SHADER_MESSAGE << 11
    made = Program(VersionToken(PS_5_0), [Instruction(token, payload=message.words())])
    program = check(made.encode())
    found = program.to_data()["instructions"][0]
    assert found["text"] == "x = %f\n"
    assert found["operands"] == [{"type": "TEMP", "mask": "x", "index": [3]}]
    assert not [span for span in program.spans() if span.kind == "raw"]
    odd = Instruction(token, payload=(*message.words(), 0))
    program = check(Program(VersionToken(PS_5_0), [odd]).encode())
    assert "payload" in program.to_data()["instructions"][0]


def test_comment() -> None:
    words = text_to_words(b"made by hand")
    assert comment(words) == b"made by hand"
    program = check(stream(CUSTOMDATA, 2 + len(words), *words))
    assert program.to_data()["instructions"][0]["text"] == "made by hand"


def test_bytes_after_the_program_are_kept() -> None:
    assert check(stream(*RET) + b"\xab\xcd\xef").trailing == b"\xab\xcd\xef"


# ---------------------------------------------------------------- damaged


@pytest.mark.parametrize(
    ("data", "offset", "path"),
    [
        (b"", 0, ""),
        (stream(*RET)[:8], 4, "length"),
        (struct.pack("<2I", PS_5_0, 1), 4, "length"),
        (stream(0x0000_003E), 8, "instructions[0].length"),
        (stream(*RET, 0x0200_0068), 12, "instructions[1].length"),
        (stream(CUSTOMDATA, 1), 8, "instructions[0].length"),
        (stream(CUSTOMDATA, 0xFFFF_FFFF), 8, "instructions[0].length"),
        (stream(0x8100_0036), 12, "instructions[0].extended"),
        (stream(*RET, 0x0400_0036, *MOV[1:4]), 28, "instructions[1].operands[1].indices[0]"),
        (stream(0x0300_0036, *MOV[1:3]), 20, "instructions[0].operands[1]"),
    ],
)
def test_refused_with_offset_and_path(data: bytes, offset: int, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        Program.decode(data)
    assert (caught.value.offset, caught.value.path) == (offset, path)


def test_instructions_are_counted() -> None:
    with pytest.raises(LimitError, match="instructions = 2"):
        Program.decode(stream(*RET * 3), Limits(instructions=2))


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda p: p.instructions[1].operands.pop(), "instructions[1].operands"),
        (lambda p: p.instructions[1].operands[0].indices.append(Index(1 << 40, None, 3)),
         "instructions[1].operands[0].indices[1]"),
        (lambda p: p.instructions[1].operands[0].indices.append(Index(-1)), "instructions[1]"),
        (lambda p: setattr(p.instructions[2], "words", (0,) * 127), "instructions[2].length"),
        (lambda p: p.instructions.append("ret"), "instructions[3]"),
        (lambda p: setattr(p.instructions[1], "payload", (1,)), "instructions[1].payload"),
        (lambda p: setattr(p.instructions[1], "token", 0x7FF), "instructions[1].operands"),
        (lambda p: setattr(p.instructions[1], "token", CUSTOMDATA), "instructions[1].payload"),
        (lambda p: p.instructions.append(Instruction(OPS["fcall"].code, [temp(0)])),
         "instructions[3].words"),
        (lambda p: setattr(p.instructions[2], "words", (0.5,)), "instructions[2]: 0.5"),
        (lambda p: setattr(p.instructions[2], "words", ("x",)), "instructions[2]: 'x'"),
        (lambda p: p.instructions[1].operands.__setitem__(0, 5), "instructions[1]"),
        (lambda p: setattr(p, "trailing", "x"), "trailing"),
        (lambda p: setattr(p, "version", 0x50), "version"),
        (lambda p: setattr(p, "instructions", 5), "instructions: expected a list"),
    ],
)  # fmt: skip
def test_unencodable_programs(change: Callable[[Program], object], path: str) -> None:
    program = Program.decode(stream(*DECL_TEMPS, *MOV, *RET))
    change(program)
    with pytest.raises(EncodeError) as caught:
        program.encode()
    assert str(caught.value).startswith(path)


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        (1, "instructions[0]"),
        ({"op": "mul"}, "instructions[0]"),
        ({"op": "multiply"}, "instructions[0].op"),
        ({"op": "opcode_56"}, "instructions[0].op"),
        ({"op": "ret", "colour": 1}, "instructions[0]"),
        ({"op": "ret", "words": [1 << 33]}, "instructions[0].words[0]"),
        ({"op": "emit_stream", "operands": [{"type": "m"}]}, "instructions[0].operands[0].type"),
        ({"op": "if", "test_nonzero": 2, "operands": [{"type": 0}]}, "instructions[0]"),
        ({"op": "if", "operands": [{"type": 0, "mask": "xx"}]}, "instructions[0].operands[0].mask"),
        ({"op": "if", "operands": [{"type": 0, "index": [True]}]},
         "instructions[0].operands[0].index[0]"),
    ],
)  # fmt: skip
def test_plain_data_is_checked(entry: object, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        Program.from_data({"major": 5, "instructions": [entry]})
    assert caught.value.path == path


# ---------------------------------------------------------------- the corpus


def programs(root: Path) -> Iterator[bytes]:
    """Return the data of every SHDR and SHEX part."""
    for path in containers(root):
        data = path.read_bytes()
        if data[:4] != b"DXBC":
            continue
        (count,) = struct.unpack_from("<I", data, 28)
        for offset in struct.unpack_from(f"<{count}I", data, 32):
            name, size = struct.unpack_from("<4sI", data, offset)
            if name in (b"SHDR", b"SHEX"):
                yield data[offset + 8 : offset + 8 + size]


@pytest.mark.conformance
def test_corpus(corpus: Path, ratchet: Ratchet) -> None:
    total = same = plain = size = understood = 0
    for data in programs(corpus):
        program = Program.decode(data)
        total += 1
        same += program.encode() == data
        plain += again(program).encode() == data
        size += len(data)
        understood += named(program, len(data))
    ratchet("tpf/objects", same, total)
    ratchet("tpf/plain data", plain, total)
    ratchet("tpf/bytes in named fields", understood, size)
    assert same == plain == total
    assert understood >= 0.995 * size


def test_a_program_is_decoded_up_to_the_damage() -> None:
    data = stream(*DECL_TEMPS, *MOV, *RET)
    whole = Program.decode(data)
    assert Program.decode_intact(data) == (whole, None)
    for size in range(8, len(data)):
        program, error = Program.decode_intact(data[:size])
        assert program is not None
        assert isinstance(error, FormatError)
        assert program.instructions == whole.instructions[: len(program.instructions)]
        ends = 8 + 4 * sum(len(each.encode()) for each in program.instructions)
        assert ends <= size
    assert Program.decode_intact(data[:3])[0] is None
    long = data[:4] + b"\xff" * 4 + data[8:]
    program, error = Program.decode_intact(long)
    assert program is not None
    assert program.instructions == whole.instructions
    assert str(error).startswith("at 0x4, length: ")
    program, error = Program.decode_intact(data, Limits(instructions=1))
    assert program is not None
    assert len(program.instructions) == 1
    assert isinstance(error, LimitError)


def test_an_entry_point_is_checked_before_it_is_lowered() -> None:
    program = Program.assemble("vs_5_0\nret\n")
    assert program.lower("main").kernel.name == "main"
    with pytest.raises(UsageError, match="no entry point 'mian': expected one of main"):
        program.lower("mian")


def test_naming_the_operations_copies_no_instruction() -> None:
    program = Program.decode(stream(*DECL_TEMPS, *MOV, *RET))
    shared = program.listed
    assert [*program.operations()] == ["dcl_temps", "mov", "ret"]
    assert program.listed is shared
