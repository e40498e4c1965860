"""Source lines beside instructions: texts with `#line`, and sources beside the program."""

from __future__ import annotations

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import sources, typed
from tests.programs.dxil.modules import MINIMAL
from unshade.cli.debug_step import Stepping
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.programs.dxil import Program
from unshade.run.debugging import trace_view
from unshade.run.debugging.debugger import Debugger

pytestmark = pytest.mark.heavy
# glslangValidator -g writes OpSource so for SPIR-V 1.0; OpLine counts from #version.
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "a.comp"
%lib = OpString "lib.glsl"
%gone = OpString "gone.glsl"
OpSource GLSL 450 %file "// OpModuleProcessed client vulkan100
// OpModuleProcessed entry-point main
#line 1
#version 450
// note
void main() {
    a = 1;
#line 20 \\"lib.glsl\\"
    b = 2;
}
"
OpName %a "a"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%local = OpTypePointer Function %uint
%one = OpConstant %uint 1
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpVariable %local Function
OpLine %file 4 0
OpStore %a %one
OpLine %lib 20 0
OpStore %a %one
OpLine %gone 1 0
OpStore %a %one
OpLine %lib 99 0
OpStore %a %one
OpNoLine
OpStore %a %one
OpLine %file 4 0
OpStore %a %one
OpLine %lib 0 0
OpStore %a %one
OpReturn
OpFunctionEnd
"""


@pytest.fixture
def debugger() -> Debugger:
    found = unshade.kernel(unshade.assemble(MODULE, "spirv")).debug(0)
    found.dispatch(1)
    return found


def test_lines_of_a_trace_are_those_that_debug_information_counts(debugger: Debugger) -> None:
    heads = [line for line in trace_view.text(trace_view.trace(debugger)) if line[0] != " "]
    none = "// no line of the source"  # OpNoLine, and `#line 0`
    assert [line.rstrip() for line in heads] == [
        "a.comp:4  a = 1;    // in main", "lib.glsl:20  b = 2;", "gone.glsl:1", "lib.glsl:99",
        none, "a.comp:4  a = 1;    // in main", none,
    ]  # fmt: skip


def test_ls_prints_the_lines_around_or_why_there_are_none(
    debugger: Debugger, capsys: pytest.CaptureFixture[str]
) -> None:
    stepping = Stepping(debugger, ())
    lines = []
    for _ in debugger.trace.entries[:5]:
        stepping.command("ls", "")
        lines.append(capsys.readouterr().out.splitlines())
        stepping.at += 1
    assert lines == [
        ["    1  #version 450", "    2  // note", "    3  void main() {", ">   4      a = 1;",
         '    5  #line 20 "lib.glsl"'],
        [">  20      b = 2;", "   21  }", "   22  "],
        ["  no source: the program does not contain gone.glsl"],
        ["  no source: expected one line numbered as line 99 of lib.glsl"],
        ["  no source: the program has no source location for this instruction"],
    ]  # fmt: skip


def test_sources_beside_the_program_of_dxc_are_taken() -> None:
    entry = 'void ()* @main, !"main"'
    code = MINIMAL.format(stage="vs", minor=0, entry=entry, interface="null, null")
    code += '\n!dx.source.contents = !{!3}\n!3 = !{!"", !""}\n'  # as dxc leaves it with SRCI
    shader = DxContainer.loads(container([("DXIL", Program.assemble(code).encode())]))
    before = unshade.kernel(shader).lowered.sources
    shader.parts.append(DxPart("SRCI", DxContainer.loads(typed("SRCI", sources())).parts[0].data))
    after = unshade.kernel(shader).lowered.sources
    assert not any(before.values())
    assert {name: text.encode() for name, text in after.items()} == shader.sources()
