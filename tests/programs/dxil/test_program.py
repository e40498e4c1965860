"""DXIL as a program: instructions with their text, text in both dialects, places of paths."""

from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.programs.dxil.modules import Everything, minimal, part
from unshade import FormatError, UsageError
from unshade.formats.dxcontainer import DxContainer
from unshade.programs.dxil import Program
from unshade.programs.dxil.bitstream import Bitstream


def saxpy() -> Program:
    return Program.decode(part())


def everything() -> Program:
    code = Program(0x50065, 0x105, Bitstream([]))
    code.module = Everything().module
    return code


def test_a_container_has_its_program() -> None:
    shader = unshade.open(EXAMPLES / "saxpy6.dxil")
    (program,) = shader.programs
    assert isinstance(program, Program)
    assert program is shader["DXIL"]
    assert program.entry_points == [("main", "compute")]
    assert program.facts().thread_group == [64, 1, 1]
    assert program.statistics().instructions == 18


def test_debug_information_is_a_program_where_there_is_no_other() -> None:
    shader = DxContainer()
    shader["ILDB"] = Program.decode(minimal("cs"))
    assert shader.programs == [shader["ILDB"]]
    shader["DXIL"] = Program.decode(minimal("cs"))
    (found,) = shader.programs
    assert found is shader["DXIL"]


def test_bitcode_that_cannot_be_read_is_no_program() -> None:
    shader = DxContainer()
    shader["DXIL"] = Program(0x50060, 0x100, b"BC\xc0\xde")
    assert shader.programs == []
    with pytest.raises(FormatError):
        shader["DXIL"].disassemble()
    assert shader["DXIL"].entry_points == []
    assert shader["DXIL"].sources == {}
    assert "dxil.bitcode" in [each.code for each in shader.verify()]


def test_instructions() -> None:
    each = saxpy().instructions[9]
    assert each.name == "RawBufferLoad"
    assert str(each).startswith("%10 = call %dx.types.ResRet.f32 @dx.op.rawBufferLoad.f32(i32 139")
    assert [str(operand) for operand in each.results] == ["%10"]
    assert [(operand.name, str(operand)) for operand in each.operands] == [
        ("", "%10"), ("srv", "%9"), ("index", "%8"), ("elementOffset", "undef"), ("mask", "1"),
        ("alignment", "4"),
    ]  # fmt: skip
    assert each.operands[1].value is each.instruction.operands[1]
    assert each.function.name == "main"


def test_operands_are_in_the_order_of_the_text() -> None:
    found = {each.name: each for each in everything().instructions}
    assert [str(each) for each in found["extractvalue"].operands][-1].isdigit()
    for each in found.values():
        words = str(each).replace(",", " ").replace(")", " ").split()
        names = [str(one) for one in each.operands if str(one).startswith("%")]
        assert [one for one in words if one in names][: len(names)] or not names


@pytest.mark.parametrize(
    ("line", "operation", "results", "operands"),
    [
        ("%3 = fadd fast float %1, 2.0e+00 ; line:3", "fadd", ["%3"],
         ["fast", "float", "%1", "2.0e+00"]),
        ("  %5 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)", "ThreadId",
         ["%5"], ["i32", "0"]),
        ("tail call void @f(i32 %x)", "call", [], ["void", "@f", "i32", "%x"]),
        ("br label %5, !dbg !7", "br", [], ["label", "%5", "!dbg", "!7"]),
        ("%4:", "label", ["%4"], []),
        ('%1 = load i8, i8* %"a;b"', "load", ["%1"], ["i8", "i8", '%"a;b"']),
        ("call void @dx.op.unknown(i32 99999)", "call", [], ["void", "@dx.op.unknown", "i32",
                                                             "99999"]),
        ("; a comment", "", [], []),
    ],
)  # fmt: skip
def test_step(line: str, operation: str, results: list[str], operands: list[str]) -> None:
    step = saxpy().step(line)
    assert step.operation == operation
    assert [each.text for each in step.results] == results
    assert [each.text for each in step.operands] == operands


def test_places() -> None:
    program = saxpy()
    first, second = program.offset("instructions[0]"), program.offset("instructions[1]")
    assert first is not None
    assert second is not None
    assert first < second
    assert program.offset("main[1]") == second
    assert program.offset("main[18]") is None
    paths = [each.path for each in program.facts().resources]
    names = ["cbuffers[0]", "srvs[0]", "uavs[0]"]
    assert paths == [f"dx.entryPoints[0].{name}" for name in names]
    offsets = [program.offset(path) for path in paths]
    assert None not in offsets
    assert len(set(offsets)) == 3
    assert program.offset("dx.version") != program.offset("dx.version[0]")
    assert program.offset("dxil_version") == 12


def test_both_dialects_assemble() -> None:
    program = saxpy()
    text = program.disassemble()
    assert Program.assemble(text).disassemble() == text
    text = program.disassemble("exact")
    assert text.startswith("; unshade dxil exact 1\n")
    assert Program.assemble(text) == program
    assert unshade.assemble(text).programs == [program]


def test_sources_of_debug_information() -> None:
    assert saxpy().sources == {}


def test_instructions_and_operands_are_shown_as_text() -> None:
    found = next(each for each in saxpy().instructions if each.name == "fmul")
    assert repr(found) == "<ListedInstruction %12 = fmul fast float %11, %7>"
    assert repr(found.operands[1]) == "<ListedOperand %11>"
    load = next(each for each in saxpy().instructions if each.name == "RawBufferLoad")
    assert repr(load.operands[1]) == "<ListedOperand srv=%9>"


def test_a_list_of_instructions_refuses_edits_that_would_be_lost() -> None:
    program = saxpy()
    code: Any = program.instructions
    for edit in (
        lambda: code.append(code[0]),
        lambda: code.insert(0, code[0]),
        lambda: code.__setitem__(0, code[1]),
        lambda: code.__delitem__(0),
        code.clear,
    ):
        with pytest.raises(UsageError, match="the program's insert, replace or remove"):
            edit()
    assert program.instructions == code
