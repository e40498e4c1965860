"""The index of a module: names, decorations, entry points, constants, functions and blocks."""

import pytest

from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.tables.numbers import Decoration, ExecutionModel, Opcode

TEXT = """
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %in
OpExecutionMode %main LocalSize 8 4 1
OpName %main "main"
OpName %main "second"
OpMemberName %block 1 "b"
OpDecorate %group Block
%group = OpDecorationGroup
OpGroupDecorate %group %block
OpDecorate %size SpecId 3
OpMemberDecorate %block 1 Offset 16
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%short = OpTypeInt 16 1
%long = OpTypeInt 64 0
%block = OpTypeStruct %int %int
%pointer = OpTypePointer Uniform %block
%in = OpVariable %pointer Uniform
%size = OpSpecConstant %int -7
%small = OpConstant %short -2
%big = OpConstant %long 0x100000002
%none = OpConstantNull %int
%yes = OpConstantTrue %bool
%main = OpFunction %void None %function
%start = OpLabel
OpSelectionMerge %end None
OpBranchConditional %yes %then %end 1 2
%then = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"""


@pytest.fixture(scope="module")
def index() -> ModuleIndex:
    return ModuleIndex(assemble(Source(TEXT)))


def named(index: ModuleIndex, opcode: int, place: int = 0) -> int:
    found = [number for number, each in index.definitions.items() if each.opcode == opcode]
    return found[place]


def test_the_first_name_of_an_id_counts(index: ModuleIndex) -> None:
    (entry,) = index.entry_points
    assert (entry.model, entry.name) == (ExecutionModel.GLCompute, "main")
    assert index.names == {entry.function: "main"}
    assert [each.words for each in index.modes[entry.function]] == [(8, 4, 1)]


def test_decorations_of_groups_and_members(index: ModuleIndex) -> None:
    block = named(index, Opcode.TypeStruct)
    assert index.decoration(Decoration.Block, block) is not None
    assert index.decoration_word(Decoration.Offset, block, 1) == 16
    assert index.decoration_word(Decoration.Offset, block, 0) is None
    assert index.member_names == {block: {1: "b"}}


def test_pointers(index: ModuleIndex) -> None:
    variable = named(index, Opcode.Variable)
    assert index.pointee(variable) == named(index, Opcode.TypeStruct)
    assert index.pointee(named(index, Opcode.ConstantTrue)) is None


def test_integers_of_every_width(index: ModuleIndex) -> None:
    constants = [
        number
        for number, each in index.definitions.items()
        if each.opcode in (Opcode.SpecConstant, Opcode.Constant, Opcode.ConstantNull)
    ]
    assert [index.integer(each) for each in constants] == [-7, -2, (1 << 32) + 2, 0]
    assert [index.specialisation(each) for each in constants] == [3, None, None, None]
    assert index.integer(named(index, Opcode.ConstantTrue)) is None


def test_blocks_know_their_successors(index: ModuleIndex) -> None:
    (function,) = index.functions.values()
    start, then, end = function.blocks
    assert start.successors == (then.label, end.label)
    assert (start.merge, then.successors, end.successors) == (end.label, (end.label,), ())
    assert index.module.instructions[end.end - 1].opcode == Opcode.Return
