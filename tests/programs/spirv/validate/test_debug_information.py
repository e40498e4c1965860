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
        ("one\n// #line 500\n", ["OpExtInst: expected a line up to 2, got 500"]),
        ("one\n#line 500\nfive hundred", []),
    ],
)
def test_a_line_is_in_its_text_unless_directives_number_lines(text: str, found: list[str]) -> None:
    module = assemble(Source(LINE.replace("TEXT", text)))
    assert [each.message for each in validate(module, "spv1.6")] == found


@pytest.mark.parametrize(
    ("format", "arguments", "type", "found"),
    [
        ("%format", "%one %one", "%void", []),
        ("%format", "%one %one %one", "%void", []),  # more are ignored
        ("%format", "%one", "%void", ["expected an argument for each of 2 conversions, got 1"]),
        ("%one", "", "%void", ["Format: expected a string"]),
        ("%format", "%one %one", "%uint", ["expected the result type void"]),
        (
            "%vector",
            "%one",
            "%void",
            [
                "%5.2v3f: expected 3 components, each a float, got uint32",
            ],
        ),
        (
            "%unknown",
            "",
            "%void",
            [
                "expected an argument for each of 1 conversions, got 0",
                "%s: unknown conversion",
            ],
        ),
    ],
)
def test_operands_of_debug_printf(format: str, arguments: str, type: str, found: list[str]) -> None:
    text = LINE.replace(
        "%at = OpExtInst %void %set DebugLine %source %line %line %zero %zero",
        f"""
%p = OpExtInst {type} %printf DebugPrintf {format} {arguments}""",
    )
    formats = {"%format": "100%% of %d, %u", "%vector": "%5.2v3f", "%unknown": "%s"}
    strings = "\n".join(f'{name} = OpString "{each}"' for name, each in formats.items())
    text = text.replace("%file =", f"{strings}\n%file =")
    text = text.replace("OpMemoryModel", '%printf = OpExtInstImport "NonSemantic.DebugPrintf"\nOpM'
                        "emoryModel").replace("%line =", "%one =")  # fmt: skip
    findings = validate(assemble(Source(text)), "spv1.6")
    assert [each.message.removeprefix("OpExtInst: ") for each in findings] == found


def test_debug_information_has_the_type_void() -> None:
    text = LINE.replace("TEXT", "").replace("OpConstant %uint 500", "OpConstant %uint 1")
    text = text.replace("OpExtInst %void %set DebugLine", "OpExtInst %uint %set DebugLine")
    found = validate(assemble(Source(text)), "spv1.6")
    assert [each.message for each in found] == ["OpExtInst: expected the result type void"]


@pytest.mark.parametrize(
    ("flags", "found"),
    [("%zero", []), ("%none", ["OpExtInst: Flags: expected a constant of 32-bit uint"])],
)
def test_a_number_of_debug_information_cannot_be_absent(flags: str, found: list[str]) -> None:
    text = LINE.replace("TEXT", "").replace("OpConstant %uint 500", "OpConstant %uint 1")
    basic = f"%basic = OpExtInst %void %set DebugTypeBasic %file %line %zero {flags}\n"
    none = "%none = OpExtInst %void %set DebugInfoNone\n"
    text = text.replace("%main = OpFunction", f"{none}{basic}%main = OpFunction", 1)
    assert [each.message for each in validate(assemble(Source(text)), "spv1.6")] == found
