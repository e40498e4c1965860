"""Rules that spirv-val 2026.4 has, each with its exceptions; every verdict here is its own.

Resources without a set or binding, offsets of interfaces, identifiers of specialisation, pointers
in composites, and lines and columns of debug information.
"""

from __future__ import annotations

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate
from unshade.programs.spirv.validate.environment import ValidatorOptions


def messages(
    text: str, target: str = "spv1.6", options: ValidatorOptions | None = None
) -> list[str]:
    module = assemble(Source(text_of(text)), target=target)
    return [each.message for each in validate(module, target, options)]


RESOURCE = """{compute} NAMED {types} %sampler = OpTypeSampler
    %p = OpTypePointer UniformConstant %sampler
    %v = OpVariable %p UniformConstant
    {main} {end}"""


@pytest.mark.parametrize(
    ("named", "missing"),
    [
        ("", ["DescriptorSet", "Binding"]),
        ("OpDecorate %v DescriptorSet 0", ["Binding"]),
        ("OpDecorate %v Binding 0", ["DescriptorSet"]),
        ("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0", []),
        (
            "OpDecorate %g DescriptorSet 0\nOpDecorate %g Binding 0\n"
            "%g = OpDecorationGroup\nOpGroupDecorate %g %v",
            [],
        ),
    ],
)
def test_resources_have_a_set_and_a_binding(named: str, missing: list[str]) -> None:
    """Also those that no entry point uses; before legalization, HLSL has others."""
    text = RESOURCE.replace("NAMED", named)
    wanted = [f"OpVariable: expected {' and '.join(missing)}"] if missing else []
    assert messages(text, "vulkan1.3") == wanted
    assert messages(text) == []
    assert messages(text, "vulkan1.3", ValidatorOptions(before_hlsl_legalization=True)) == []


OFFSET = """OpCapability Shader
    CAPABILITY
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main" LISTED
    OpMemberDecorate %s 0 Offset 0
    OpDecorate %s Block
    OpDecorate %v Location 0
    {types} %s = OpTypeStruct %float
    %t = OpTypeArray %s %two
    %p = OpTypePointer CLASS TYPE
    %v = OpVariable %p CLASS
    {main} {end}"""
FEEDBACK = "OpCapability TransformFeedback"


@pytest.mark.parametrize(
    ("storage", "capability", "type", "listed", "found"),
    [
        ("Output", "", "%s", "%v", True),
        ("Output", FEEDBACK, "%s", "%v", False),
        ("Output", "", "%t", "%v", False),
        ("Output", "", "%s", "", False),
        ("Input", "", "%s", "%v", True),
        ("Input", FEEDBACK, "%s", "%v", True),
    ],
)
def test_members_of_interfaces_have_no_offsets(
    storage: str, capability: str, type: str, listed: str, found: bool
) -> None:
    text = OFFSET
    for name, part in (
        ("CAPABILITY", capability), ("LISTED", listed), ("CLASS", storage), ("TYPE", type),
    ):  # fmt: skip
        text = text.replace(name, part)
    assert messages(text) == ["OpVariable: member 0 has an offset"] * found


@pytest.mark.parametrize(
    ("constant", "valid"),
    [
        ("OpSpecConstant %float 1", True),
        ("OpSpecConstantTrue %bool", True),
        ("OpSpecConstantFalse %bool", True),
        ("OpConstant %float 1", False),
        ("OpConstantTrue %bool", False),
        ("OpSpecConstantOp %uint IAdd %one %one", False),
        ("OpSpecConstantComposite %float2 %fone %fone", False),
        ("OpUndef %float", False),
    ],
)
def test_identifiers_are_for_scalars_that_can_be_specialised(constant: str, valid: bool) -> None:
    text = f"{{compute}} OpDecorate %c SpecId 1\n{{types}} %c = {constant}\n{{main}} {{end}}"
    message = "OpDecorate: SpecId: expected a scalar that can be specialised"
    assert messages(text) == ([] if valid else [message])


POINTERS = """OpCapability Int64
    {shader}
    {types} %ulong = OpTypeInt 64 0
    %long = OpConstant %ulong 1
    %p = OpTypePointer Private %float
    %q = OpTypePointer Private %uint
    %s = OpTypeStruct %p %p
    %none = OpUndef %s
    %v = OpVariable %p Private
    {main} LINE
    {end}"""
MADE = "a pointer is not made by this instruction"
TAKEN = "this instruction takes no pointers"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("OpCompositeConstruct %s %v %v", TAKEN),
        ("OpCompositeInsert %s %v %none 0", TAKEN),
        ("OpCompositeExtract %p %none 0", MADE),
        ("OpBitcast %ulong %v", TAKEN),
        ("OpBitcast %p %long", MADE),
        ("OpBitcast %q %v", MADE),
        ("OpCopyObject %p %v", None),
        ("OpUndef %p", None),
        ("OpSelect %s %true %none %none", None),
    ],
)
def test_logical_pointers_are_no_parts_and_no_numbers(line: str, found: str | None) -> None:
    text = POINTERS.replace("LINE", f"%x = {line}")
    name = line.split(maxsplit=1)[0]
    assert messages(text) == ([f"{name}: {found}"] if found else [])
    for relaxed in (
        ValidatorOptions(relax_logical_pointer=True),
        ValidatorOptions(before_hlsl_legalization=True),
    ):
        assert messages(text, options=relaxed) == []


RETURNING = """OpCapability {capability}
    OpCapability Linkage
    {more}
    OpMemoryModel {model}
    %uint = OpTypeInt 32 0
    %p = OpTypePointer {storage} %uint
    %ft = OpTypeFunction %p
    {global_variable}
    %f = OpFunction %p None %ft
    %l = OpLabel
    {variable}
    OpReturnValue %v
    OpFunctionEnd
"""


@pytest.mark.fast
@pytest.mark.parametrize(
    ("model", "storage", "relaxed", "refused"),
    [
        ("Logical GLSL450", "Private", False, True),
        ("Logical GLSL450", "Function", False, True),
        ("Logical GLSL450", "Private", True, False),
        ("Logical GLSL450", "Workgroup", False, False),
        ("Physical64 OpenCL", "Function", False, False),
        ("Physical64 OpenCL", "Workgroup", False, False),
    ],
)
def test_pointers_that_a_function_returns(
    model: str, storage: str, relaxed: bool, refused: bool
) -> None:
    """Logical pointers are not computed, unless VariablePointers has their storage class."""
    physical = model.startswith("Physical")
    place = "variable" if storage == "Function" else "global_variable"
    variables = {"variable": "", "global_variable": ""}
    variables[place] = f"%v = OpVariable %p {storage}"
    text = RETURNING.format(
        capability="Kernel" if physical else "Shader", model=model, storage=storage,
        more="OpCapability Addresses" if physical else "OpCapability VariablePointers",
        **variables,
    )  # fmt: skip
    found = messages(text, options=ValidatorOptions(relax_logical_pointer=relaxed))
    assert ("OpReturnValue: a pointer is not returned" in found) == refused


VULKAN = """OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "a.comp"
    %text = OpString "TEXT"
    {types}
    %first = OpConstant %uint FIRST
    %last = OpConstant %uint LAST
    %begin = OpConstant %uint BEGIN
    %end = OpConstant %uint END
    %source = OpExtInst %void %set DebugSource %file %text
    {main}
    %at = OpExtInst %void %set DebugLine %source %first %last %begin %end
    {end}"""


@pytest.mark.parametrize(
    ("text", "lines", "columns", "found"),
    [
        ("one\ntwo", (2, 2), (4, 4), ""),
        ("one\ntwo", (2, 2), (4, 5), "expected a column up to 4 in line 2, got 5"),
        ("one\ntwo ", (1, 2), (4, 5), ""),
        ("one\ntwo ", (1, 2), (5, 5), "expected a column up to 4 in line 1, got 5"),
        ("one\r\ntwo", (1, 1), (4, 5), "expected a column up to 4 in line 1, got 5"),
        ("one\rtwo", (2, 2), (1, 4), ""),
        ("one\ntwo\n", (3, 3), (1, 1), "expected a line up to 2, got 3"),
        ("one", (0, 1), (1, 1), "expected a line from 1 on, got 0"),
    ],
)
def test_lines_and_columns_are_in_the_text(
    text: str, lines: tuple[int, int], columns: tuple[int, int], found: str
) -> None:
    module = VULKAN.replace("TEXT", text)
    for name, number in zip(("FIRST", "LAST", "BEGIN", "END"), lines + columns, strict=True):
        module = module.replace(name, str(number))
    assert messages(module) == ([f"OpExtInst: {found}"] if found else [])


KERNEL = """OpCapability Shader
    %set = OpExtInstImport "OpenCL.DebugInfo.100"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "a.cl"
    %text = OpString "int x;"
    {types}
    %source = OpExtInst %void %set DebugSource %file %text
    %unit = OpExtInst %void %set DebugCompilationUnit 2 4 %source OpenCL_C
    %block = OpExtInst %void %set DebugLexicalBlock %source LINE COLUMN %unit
    {main} {end}"""


@pytest.mark.parametrize(
    ("line", "column", "found"),
    [
        (1, 7, ""),
        (1, 8, "expected a column up to 7 in line 1, got 8"),
        (2, 1, "expected a line up to 1, got 2"),
        (0, 1, ""),
    ],
)
def test_numbers_of_the_older_set_are_literals(line: int, column: int, found: str) -> None:
    module = KERNEL.replace("LINE", str(line)).replace("COLUMN", str(column))
    assert messages(module) == ([f"OpExtInst: {found}"] if found else [])
