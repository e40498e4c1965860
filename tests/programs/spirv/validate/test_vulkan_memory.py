"""Rules of Vulkan about variables: layouts where there are none, interfaces, flat inputs."""

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.validate import validate

STRIDED = "OpDecorate %a ArrayStride 4"
FRAGMENT = """OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %v
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %v Location 0"""
HIT = """OpCapability RayTracingKHR
    OpExtension "SPV_KHR_ray_tracing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint ClosestHitKHR %main "main" %v %w"""


def variable(storage: str, decoration: str, inside: str = "") -> str:
    return f"""{{shader}} {decoration} {{types}} %a = OpTypeArray %uint %two
        %s = OpTypeStruct %a
        %p = OpTypePointer {storage} %s
        {"" if inside else f"%v = OpVariable %p {storage}"}
        {{main}} {inside} {{end}}"""


WRONG = {
    "a layout of workgroup memory": (variable("Workgroup", STRIDED), "10684"),
    "a layout of private memory": (variable("Private", "OpMemberDecorate %s 0 Offset 0"), "10684"),
    "a layout of local memory": (
        variable("Function", STRIDED, "%v = OpVariable %p Function"), "10684",
    ),
    "a stride of an array of buffers": (
        """{shader} OpDecorate %b Block
        OpMemberDecorate %b 0 Offset 0
        OpDecorate %a ArrayStride 4
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
        {types} %b = OpTypeStruct %uint
        %a = OpTypeArray %b %two
        %p = OpTypePointer Uniform %a
        %v = OpVariable %p Uniform
        {main} {end}""", "10684",
    ),
    "an integer that is interpolated": (
        f"""{FRAGMENT} {{types}} %p = OpTypePointer Input %uint2
        %v = OpVariable %p Input
        {{main}} {{end}}""", "04744",
    ),
    "two payloads": (
        f"""{HIT} {{types}} %p = OpTypePointer IncomingRayPayloadKHR %uint
        %v = OpVariable %p IncomingRayPayloadKHR
        %w = OpVariable %p IncomingRayPayloadKHR
        {{main}} {{end}}""", "04700",
    ),
    "a built-in in a block and alone": (
        """OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main "main" %v %w
        OpDecorate %b Block
        OpMemberDecorate %b 0 BuiltIn Position
        OpDecorate %w BuiltIn Position
        {types} %float4 = OpTypeVector %float 4
        %b = OpTypeStruct %float4
        %p = OpTypePointer Output %b
        %q = OpTypePointer Output %float4
        %v = OpVariable %p Output
        %w = OpVariable %q Output
        {main} {end}""", "09659",
    ),
    "members at the same location": (
        f"""{FRAGMENT.replace("OpDecorate %v Location 0", "OpDecorate %b Block")}
        OpMemberDecorate %b 0 Location 0
        OpMemberDecorate %b 1 Location 0
        OpMemberDecorate %b 1 Component 1
        {{types}} %b = OpTypeStruct %float2 %float
        %p = OpTypePointer Input %b
        %v = OpVariable %p Input
        {{main}} {{end}}""", "08721",
    ),
    "a location of a block and of its member": (
        f"""{FRAGMENT} OpDecorate %b Block
        OpMemberDecorate %b 0 Location 1
        {{types}} %b = OpTypeStruct %float
        %p = OpTypePointer Input %b
        %v = OpVariable %p Input
        {{main}} {{end}}""", "04918",
    ),
    "a decoration of OpenGL": (
        "{shader} OpDecorate %b GLSLShared {types} %b = OpTypeStruct %uint {main} {end}", "04669",
    ),
}  # fmt: skip
RIGHT = {
    "a layout of private memory before version 1.5": (variable("Private", STRIDED), "spv1.4"),
    "no layout": (variable("Workgroup", ""), "spv1.6"),
    "an integer that is flat": (
        f"""{FRAGMENT} OpDecorate %v Flat {{types}} %p = OpTypePointer Input %uint
        %v = OpVariable %p Input
        {{main}} {{end}}""", "spv1.6",
    ),
}  # fmt: skip
ELSEWHERE = {
    "an index below zero": (
        """{shader} {types} %int = OpTypeInt 32 1
        %minus = OpConstant %int -1
        %q = OpTypePointer Function %uint2
        %p = OpTypePointer Function %uint
        {main} %v = OpVariable %q Function
        %c = OpAccessChain %p %v %minus {end}""", "spirv.chain",
    ),
    "a matrix stride that is repeated": (
        """{shader} OpMemberDecorate %b 0 MatrixStride 16
        OpMemberDecorate %b 0 MatrixStride 16
        {types} %b = OpTypeStruct %uint {main} {end}""", "spirv.decoration-twice",
    ),
    "rows and columns": (
        """{shader} OpMemberDecorate %b 0 RowMajor
        OpMemberDecorate %b 0 ColMajor
        {types} %b = OpTypeStruct %uint {main} {end}""", "spirv.decoration-twice",
    ),
    "an undefined value of void": (
        "{shader} {types} %u = OpUndef %void {main} {end}", "spirv.result-type",
    ),
    "a helper invocation that is a number": (
        """OpCapability DemoteToHelperInvocation
        OpExtension "SPV_EXT_demote_to_helper_invocation"
        {shader} {types} {main} %u = OpIsHelperInvocationEXT %uint {end}""", "spirv.result-type",
    ),
    "a decoration by an id that follows": (
        "{shader} OpDecorateId %one UniformId %two {types} {main} {end}", "spirv.decoration-ids",
    ),
}  # fmt: skip


POINTERS = """OpCapability Shader
    OpCapability Linkage
    CAPABILITY
    OpMemoryModel Logical GLSL450
    {types} %m = TYPE
    %p = OpTypePointer CLASS %m
    %v = OpVariable %p CLASS
    %null = OpConstantNull %p
    {main} {end}"""


def pointers(storage: str, type_: str = "OpTypeStruct %uint", capability: str = "") -> str:
    text = POINTERS.replace("CLASS", storage).replace("TYPE", type_)
    return text.replace("CAPABILITY", f"OpCapability {capability}" if capability else "")


@pytest.mark.parametrize(
    "body",
    [
        pointers("Private", capability="VariablePointers"),
        pointers("Workgroup", capability="VariablePointersStorageBuffer"),
        pointers("Workgroup"),
        pointers("Workgroup", "OpTypeMatrix %float2 2", "VariablePointers"),
    ],
)
def test_variable_pointers_that_a_module_may_not_have(body: str) -> None:
    assert "spirv.pointer" in identifiers(body)


def test_variable_pointers_of_workgroup_memory() -> None:
    assert identifiers(pointers("Workgroup", capability="VariablePointers")) <= {
        "spirv.api-capability"
    }


def identifiers(body: str, version: str = "spv1.6") -> set[str]:
    found = validate(assemble(Source(text_of(body)), target=version), "vulkan1.3")
    return {getattr(each, "vuid", "")[-5:] or each.code for each in found}


@pytest.mark.parametrize("name", WRONG)
def test_a_violation_has_the_identifier_of_vulkan(name: str) -> None:
    body, identifier = WRONG[name]
    assert identifier in identifiers(body)


@pytest.mark.parametrize("name", RIGHT)
def test_what_vulkan_allows_has_no_finding(name: str) -> None:
    body, version = RIGHT[name]
    assert identifiers(body, version) <= {"spirv.api-capability"}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_violation_of_the_language(name: str) -> None:
    body, code = ELSEWHERE[name]
    assert code in identifiers(body)
