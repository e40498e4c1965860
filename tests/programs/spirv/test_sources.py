"""Sources and source lines."""

from tests.programs.spirv.modules import debugged
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.sources import SourceFiles, SourceLine, sources
from unshade.programs.spirv.tables.numbers import Opcode


def test_sources_of_both_kinds_are_kept_if_they_differ() -> None:
    assert sources(debugged()) == {
        "a.comp": "first half, second half",
        "a.comp.1": "void main() {}",
    }


def test_lines_end_where_debug_information_says() -> None:
    module = debugged()
    found = SourceFiles(ModuleIndex(module)).lines()
    sums = [
        place
        for place, each in zip(found, module.instructions, strict=True)
        if each.opcode == Opcode.IAdd
    ]
    assert sums == [SourceLine("a.comp", 3, 9), SourceLine("a.comp.1", 7, 1), None]


BLOCKS = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString ""
%other = OpString "b.comp"
OpSource GLSL 450 %file "unnamed"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
OpLine %file 2 1
%main = OpFunction %void None %fn
%a = OpLabel
%s = OpIAdd %uint %one %one
OpBranch %b
OpLine %other 7 1
%b = OpLabel
%t = OpIAdd %uint %one %one
OpBranch %c
%c = OpLabel
%u = OpIAdd %uint %one %one
OpLine %file 0 0
%v = OpIAdd %uint %one %one
OpReturn
OpFunctionEnd
"""


def test_a_line_applies_until_the_end_of_a_block() -> None:
    module = assemble(Source(BLOCKS))
    found = SourceFiles(ModuleIndex(module)).lines()
    sums = [
        place
        for place, each in zip(found, module.instructions, strict=True)
        if each.opcode == Opcode.IAdd
    ]
    assert sums == [SourceLine("source", 2, 1), SourceLine("b.comp", 7, 1), None, None]
    assert sources(module) == {"source": "unnamed"}


def test_equal_sources_of_one_name_are_one_and_others_are_numbered() -> None:
    texts = ["a", "b", "a", "c", "b"]
    code = "".join(f'OpSource HLSL 600 %file "{text}"\n' for text in texts)
    module = assemble(Source(f'%file = OpString "f"\n{code}'))
    assert sources(module) == {"f": "a", "f.1": "b", "f.2": "c"}


def test_debug_information_of_an_unknown_version_is_read_with_care() -> None:
    text = "%void = OpTypeVoid\n"
    imports = '%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.999"\n'
    code = "".join(f"%e{at} = OpExtInst %void %set {at}\n" for at in (35, 102, 103, 104))
    module = assemble(Source(imports + text + code))
    assert SourceFiles(ModuleIndex(module)).lines() == [None] * 6
