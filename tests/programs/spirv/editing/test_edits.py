"""Edits of modules: what is asked for changes, and the module stays valid."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs.spirv.modules import SAXPY
from unshade.errors import AssembleError, UsageError
from unshade.programs.spirv import Program
from unshade.programs.spirv.validate import verify

TWO = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %first "first" %id
OpEntryPoint GLCompute %second "second"
OpExecutionMode %first LocalSize 1 1 1
OpExecutionMode %second LocalSize 1 1 1
OpName %first "first"
OpName %second "second"
OpName %B "B"
OpMemberName %B 0 "a"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %B Block
OpMemberDecorate %B 0 Offset 0
OpDecorate %group DescriptorSet 0
%group = OpDecorationGroup
OpGroupDecorate %group %x %y
OpDecorate %x Binding 0
OpDecorate %y Binding 1
OpDecorate %n SpecId 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%B = OpTypeStruct %float
%n = OpSpecConstant %uint 3
%yes = OpConstantTrue %bool
%triple = OpSpecConstantComposite %v3uint %n %n %n
%p = OpTypePointer Uniform %B
%in = OpTypePointer Input %v3uint
%id = OpVariable %in Input
%x = OpVariable %p Uniform
%y = OpVariable %p Uniform
%first = OpFunction %void None %fn
%l = OpLabel
%i = OpLoad %v3uint %id
%vx = OpLoad %B %x
%c = OpFunctionCall %void %helper
OpReturn
OpFunctionEnd
%second = OpFunction %void None %fn
%m = OpLabel
%vy = OpLoad %B %y
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %fn
%k = OpLabel
OpReturn
OpFunctionEnd
"""


def two() -> Program:
    return Program.assemble(TWO, target="vulkan1.1")


def checked(program: Program, tmp_path: Path, target: str = "vulkan1.1") -> str:
    """Return the text of a module that our rules, and spirv-val if it is here, accept."""
    assert verify(program.module) == []
    tool = shutil.which("spirv-val")
    if tool is not None:
        path = tmp_path / "edited.spv"
        path.write_bytes(program.encode())
        ended = subprocess.run(
            [tool, "--target-env", target, path], check=False, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    return program.disassemble(header=False, indent=False)


@pytest.mark.slow
def test_an_entry_point_goes_with_what_it_alone_needs(tmp_path: Path) -> None:
    program = two()
    program.remove_entry_point("first")
    assert program.entry_points == [("second", "compute")]
    text = checked(program, tmp_path)
    assert "first" not in text
    assert "GlobalInvocationId" not in text
    assert text.count("OpFunction ") == 1
    assert text.count("Binding") == 1
    with pytest.raises(UsageError, match="the only entry point cannot be removed"):
        program.remove_entry_point("second")


@pytest.mark.fast
@pytest.mark.parametrize(("gone", "left"), [("first", "second"), ("second", "first")])
def test_what_the_other_entry_point_needs_stays(gone: str, left: str) -> None:
    program = two()
    program.remove_entry_point(gone)
    assert [each.name for each in program.entry_points] == [left]
    assert verify(program.module) == []
    text = program.disassemble()
    assert f'"{left}"' in text
    assert f'"{gone}"' not in text


@pytest.mark.slow
def test_bindings_are_exchanged_at_once(tmp_path: Path) -> None:
    program = two()
    program.remap({(0, 0): (2, 1), (0, 1): (2, 0)})
    text = checked(program, tmp_path)
    assert text.count("DescriptorSet 2") == 2
    assert "OpGroupDecorate" not in text
    found = [each.resource for each in program.all_facts()[0].resources]
    assert [(each.space, each.register) for each in found] == [(2, 1)]
    with pytest.raises(UsageError, match="nothing is bound in set 0, binding 0"):
        program.remap({(0, 0): (1, 1)})


@pytest.mark.slow
def test_a_frozen_constant_is_a_plain_one(tmp_path: Path) -> None:
    program = two()
    program.freeze(4, 8)
    text = checked(program, tmp_path)
    assert "SpecId" not in text
    assert "OpSpecConstant" not in text
    assert "= OpConstant %uint 8" in text
    with pytest.raises(UsageError, match="no specialisation constant 4: there is none"):
        program.freeze(4)


@pytest.mark.parametrize("value", [-1, 1 << 32, 1.5, "x"])
def test_values_of_another_type_are_refused(value: object) -> None:
    program = two()
    before = program.encode()
    with pytest.raises(UsageError, match="expected an integer from 0 to 4294967295"):
        program.freeze(4, value)  # type: ignore[arg-type]
    assert program.encode().count(b"\x04\0\0\0") >= before.count(b"\x04\0\0\0")


@pytest.mark.slow
def test_names_of_ids_members_and_entry_points(tmp_path: Path) -> None:
    program = two()
    program.rename("B", "Colours")
    program.rename("Colours.a", "tint")
    program.rename("first", "begin")
    program.rename("%1", "unused")
    text = checked(program, tmp_path)
    assert 'OpName %Colours "Colours"' in text
    assert 'OpMemberName %Colours 0 "tint"' in text
    assert 'OpEntryPoint GLCompute %unused "begin"' in text
    with pytest.raises(UsageError, match="nothing is called 'nobody'"):
        program.rename("nobody", "x")


def test_a_name_that_several_ids_have_is_refused() -> None:
    program = Program.assemble('OpName %a "i"\nOpName %b "i"\n%a = OpTypeVoid\n%b = OpTypeBool')
    with pytest.raises(UsageError, match="2 ids are called 'i': expected one of %1, %2"):
        program.rename("i", "j")


# ---------------------------------------------------------------- instructions


def saxpy() -> Program:
    return Program.assemble(SAXPY.read_text("utf-8"), target="vulkan1.2")


@pytest.mark.slow
def test_instructions_are_inserted_as_text(tmp_path: Path) -> None:
    program = saxpy()
    names = [each.name for each in program.instructions]
    at = names.index("OpFAdd")
    before = program.module.bound
    factor = program.instructions[at - 1].results[0]
    (new,) = program.insert(at, f"%twice = OpFAdd %float {factor} {factor}")
    assert new.name == "OpFAdd"
    assert program.module.bound == before + 1
    checked(program, tmp_path, "vulkan1.2")


def test_removing_what_was_inserted_restores_the_module() -> None:
    program = saxpy()
    before = program.encode()
    at = [each.name for each in program.instructions].index("OpFAdd")
    program.insert(at, str(program.instructions[at]).replace("%", "%unused_", 1))
    assert program.encode() != before
    program.remove(at)
    assert program.encode() == before


def test_every_instruction_reads_as_its_own_text() -> None:
    program = saxpy()
    before = program.encode()
    for at, each in enumerate(program.instructions):
        program.replace(at, str(each))
    assert program.encode() == before
    program.replace(slice(0, None), *program.instructions)
    assert program.encode() == before


def test_objects_can_be_moved_between_places() -> None:
    program = saxpy()
    last = program.module.instructions[-1]
    program.replace(slice(0, 0), last)
    assert program.module.instructions[0] == last
    program.remove(0)
    assert program.encode() == saxpy().encode()


@pytest.mark.parametrize("text", ["OpNonsense", "%1 =", "OpLoad", "OpStore %a"])
def test_a_text_that_is_no_instruction_is_refused(text: str) -> None:
    program = saxpy()
    with pytest.raises(AssembleError):
        program.insert(3, text)
    assert program.encode() == saxpy().encode()
    with pytest.raises(UsageError, match="expected an instruction or its text"):
        program.insert(3, 5)  # type: ignore[arg-type]
