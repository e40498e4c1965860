"""Programs that keep dwords in place of instructions give the same answers."""

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import unshade
from tests.programs.tpf.test_program import MOV, RET, stream
from unshade.errors import AssembleError, FormatError
from unshade.isa.source import ErrorList, Source
from unshade.programs.tpf import Program, assembler, decoding
from unshade.programs.tpf.decoding import BLOCK, PackedTokens, packed
from unshade.screens.hexdump import lines

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = ("gyroid", "phong", "sheet.h", "skinning")
ANSWERS: dict[str, Callable[[Program], object]] = {
    "native": Program.disassemble,
    "exact": lambda program: program.disassemble("exact"),
    "verify": Program.verify,
    "facts": lambda program: vars(program.facts()),
    "statistics": Program.statistics,
    "reads": Program.constant_reads,
    "data": Program.to_data,
    "spans": Program.spans,
    "bytes": Program.encode,
    "lines": Program.line_paths,
    "stripped": lambda program: program.stripped("debug"),
    "instructions": lambda program: program.instructions,
}


def code(name: str) -> bytes:
    shader = unshade.open(EXAMPLES / f"{name}.dxbc")
    program = shader.programs[0]
    assert isinstance(program, Program)
    return program.encode()


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "LARGE", 0)
    monkeypatch.setattr(assembler, "LARGE", 0)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_program_answers_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = code(name)
    usual = Program.decode(data)
    wanted = {key: answer(usual) for key, answer in ANSWERS.items()}
    monkeypatch.setattr(decoding, "LARGE", 0)
    for key, answer in ANSWERS.items():
        program = Program.decode(data)
        assert isinstance(program.listed, PackedTokens)
        assert answer(program) == wanted[key], key


def test_access_by_index_and_slice() -> None:
    numbers = [BLOCK - 1, BLOCK, 2 * BLOCK]
    for number in numbers:
        found = packed(struct.pack(f"<{5 * number + 1}I", *MOV * number, *RET))
        listed = [*found]
        assert [each.name for each in listed] == ["mov"] * number + ["ret"]
        assert len(found) == number + 1
        assert [found[at] for at in range(number + 1)] == listed
        assert found[-1].name == "ret"
        assert found[number - 1 :] == listed[-2:]
        assert found[::-1] == listed[::-1]
        assert found[number + 1 :] == []
        for outside in (number + 1, -number - 2):
            with pytest.raises(IndexError):
                found[outside]


def test_appended_instructions_are_seen() -> None:
    mov, ret = Program.decode(stream(*MOV, *RET)).listed
    assert isinstance(mov, decoding.SharedInstruction)
    assert isinstance(ret, decoding.SharedInstruction)
    found = PackedTokens()
    found.append(mov)
    assert [*found] == [mov]
    found.append(ret)
    assert [*found] == [mov, ret]
    assert found == [mov, ret]
    assert found != [ret, mov]
    assert found != [mov]
    assert found.opcodes() == [mov.opcode, ret.opcode]


def test_an_edit_makes_objects(small_is_large: None) -> None:
    program = Program.decode(stream(*MOV, *RET))
    program.instructions[0].operands[1].indices[0].immediate = 7
    assert "v7.xyzx" in program.disassemble()
    assert program != Program.decode(stream(*MOV, *RET))


def test_damage_is_reported_alike(small_is_large: None) -> None:
    data = stream(*MOV, *RET)
    with pytest.raises(FormatError, match=r"instructions\[1\]\.length"):
        Program.decode(data[:-4] + b"\x3e\0\0\x7f")
    program, error = Program.decode_intact(data[:-4] + b"\x3e\0\0\x7f")
    assert program is not None
    assert error is not None
    assert [each.name for each in program.listed] == ["mov"]


@pytest.mark.parametrize("name", NAMES)
def test_a_large_text_assembles_alike(name: str, small_is_large: None) -> None:
    data = code(name)
    text = Program.decode(data).disassemble("exact")
    found = Program.assemble(text)
    assert isinstance(found.listed, PackedTokens)
    assert found.encode() == data


def test_a_large_listing_of_vkd3d_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "ps_4_0\nmul r0.xyz, r1.x, v0.xyzx\nret\n"
    wanted = Program.assemble(text)
    assert wanted.instructions[0].operands[1].swizzle == (0, 0, 0, 0)
    monkeypatch.setattr(assembler, "LARGE", 0)
    found = Program.assemble(text)
    assert found == wanted
    assert not isinstance(found.listed, PackedTokens)


@pytest.mark.parametrize(
    "text",
    [
        "ps_4_0\nmov r0.x, q0.x\nmov r0.x\nendif\nret\n",
        "ps_4_0\nif_nz r0.x\nret\n",
        "ps_4_0\nCUSTOMDATA\nret\n",
        "ps_4_0 {no=1}\nret\n",
    ],
)
def test_errors_of_a_large_text_are_all_reported(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def errors() -> list[str]:
        found = ErrorList()
        with pytest.raises(AssembleError) as caught:  # noqa: PT012
            assembler.assemble(Source(text), found)
            found.check()
        return [str(each) for each in caught.value.errors]

    wanted = errors()
    monkeypatch.setattr(assembler, "LARGE", 0)
    assert errors() == wanted


@pytest.mark.usefixtures("small_is_large")
def test_a_dump_of_a_large_program_does_not_hold_its_fields() -> None:
    """Eleven blocks more take the places of their instructions, and not a fraction of a field."""
    peaks = []
    for copies in (12 * BLOCK, BLOCK, 12 * BLOCK):  # the first one fills caches
        program = Program.decode(stream(*MOV * copies, *RET))
        data = program.encode()
        tracemalloc.start()
        count = sum(1 for _ in lines(program.iter_spans, data))
        peaks.append(tracemalloc.get_traced_memory()[1] - len(data))
        tracemalloc.stop()
        assert count > 20 * copies
    assert peaks[2] - peaks[1] < 16 * 11 * BLOCK  # the place of each instruction has 8 bytes
