"""Operands of debug information: lines and columns of the source."""

import pytest

from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

LINE = """
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "a.comp"
%text = OpString "TEXT"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%line = OpConstant %uint 500
%source = OpExtInst %void %set DebugSource %file %text
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpExtInst %void %set DebugLine %source %line %line %zero %zero
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("one\ntwo", ["OpExtInst: expected a line up to 2, got 500"]),
        ("one\n// #line 500\n", ["OpExtInst: expected a line up to 3, got 500"]),
        ("one\n#line 500\nfive hundred", []),
    ],
)
def test_a_line_is_in_its_text_unless_directives_number_lines(text: str, found: list[str]) -> None:
    module = assemble(Source(LINE.replace("TEXT", text)))
    assert [each.message for each in validate(module, "spv1.6")] == found
