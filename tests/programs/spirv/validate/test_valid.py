"""Valid modules that a rule could take for invalid ones, and modules made to take long."""

from collections.abc import Iterator

import pytest

from tests.programs.spirv.modules import module, op
from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.module import Module
from unshade.programs.spirv.validate import validate

UNTYPED = """
    OpCapability Shader
    OpCapability Linkage
    OpCapability VariablePointers
    OpCapability UntypedPointersKHR
    OpCapability WorkgroupMemoryExplicitLayoutKHR
    OpExtension "SPV_KHR_untyped_pointers"
    OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
    OpMemoryModel Logical GLSL450
"""
VALID = {
    "an untyped access chain of a typed pointer": (
        UNTYPED
        + """{types} %s = OpTypeStruct %uint
        %p = OpTypePointer StorageBuffer %s
        %u = OpTypeUntypedPointerKHR StorageBuffer
        %v = OpVariable %p StorageBuffer
        {main} %a = OpUntypedAccessChainKHR %u %s %v %zero {end}""",
        "spv1.6",
    ),
    "an untyped access chain by a type without a layout": (
        UNTYPED
        + """{types} %s = OpTypeStruct %uint
        %u = OpTypeUntypedPointerKHR StorageBuffer
        %v = OpUntypedVariableKHR %u StorageBuffer %uint
        {main} %a = OpUntypedAccessChainKHR %u %s %v %zero {end}""",
        "spv1.6",
    ),
    "a difference of untyped pointers": (
        UNTYPED
        + """OpDecorate %s Block
        OpMemberDecorate %s 0 Offset 0
        {types} %s = OpTypeStruct %uint
        %u = OpTypeUntypedPointerKHR Workgroup
        %v = OpUntypedVariableKHR %u Workgroup %s
        {main} %a = OpPtrDiff %uint %v %v {end}""",
        "spv1.6",
    ),
    "a decoration of a group beside the same one": (
        """{shader} OpDecorate %group DescriptorSet 0
        %group = OpDecorationGroup
        OpGroupDecorate %group %v
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
        {types} %s = OpTypeSampler
        %p = OpTypePointer UniformConstant %s
        %v = OpVariable %p UniformConstant
        {main} {end}""",
        "spv1.6",
    ),
    "an output of a task shader": (
        """OpCapability MeshShadingNV
        OpExtension "SPV_NV_mesh_shader"
        OpMemoryModel Logical GLSL450
        OpEntryPoint TaskNV %main "main" %v
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %v PerTaskNV
        OpDecorate %v Offset 0
        {types} %p = OpTypePointer Output %uint
        %v = OpVariable %p Output
        {main} OpStore %v %one {end}""",
        "vulkan1.3",
    ),
    "an untyped pointer to texels": (
        """OpCapability Shader
        OpCapability UntypedPointersKHR
        OpCapability DescriptorHeapEXT
        OpExtension "SPV_KHR_untyped_pointers"
        OpExtension "SPV_EXT_descriptor_heap"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        {types} %p = OpTypeUntypedPointerKHR Image
        {main} {end}""",
        "vulkan1.3",
    ),
    "an instruction of a newer set that is not semantic": (
        """OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        {types} %a = OpExtInst %void %set 20000 %one
        {main} {end}""",
        "spv1.6",
    ),
    "a patch at the location of its vertices": (
        """OpCapability Tessellation
        OpMemoryModel Logical GLSL450
        OpEntryPoint TessellationControl %main "main" %v %w
        OpExecutionMode %main OutputVertices 4
        OpDecorate %v Location 0
        OpDecorate %w Patch
        OpDecorate %w Location 0
        {types} %a = OpTypeArray %float %two
        %p = OpTypePointer Output %a
        %q = OpTypePointer Output %float
        %v = OpVariable %p Output
        %w = OpVariable %q Output
        {main} {end}""",
        "vulkan1.2",
    ),
}
SHADER = (*op(17, 1), *op(17, 5), *op(14, 0, 1))
COUNT = 2000


@pytest.mark.parametrize("name", VALID)
def test_a_valid_module_has_no_errors(name: str) -> None:
    body, target = VALID[name]
    made = assemble(Source(text_of(body)), target="spv1.5")
    assert [str(each) for each in validate(made, target)] == []


def cyclic_structures() -> Iterator[int]:
    yield from SHADER
    for at in range(COUNT):
        yield from op(30, 10 + at, 10 + (at + 1) % COUNT, 10 + (at + 2) % COUNT)
        yield from op(32, 10 + COUNT + at, 12, 10 + at)
        yield from op(59, 10 + COUNT + at, 10 + 2 * COUNT + at, 12)


def cyclic_arrays() -> Iterator[int]:
    yield from (*SHADER, *op(21, 3, 32, 0), *op(43, 3, 4, 7))
    for at in range(COUNT):
        yield from op(28, 10 + at, 10 + (at + 1) % COUNT, 4)
        yield from op(32, 10 + COUNT + at, 2, 10 + at)
        yield from op(59, 10 + COUNT + at, 10 + 2 * COUNT + at, 2)


def nested_structures() -> Iterator[int]:
    yield from (*SHADER, *op(21, 9, 32, 0), *op(30, 10, 9, 9))
    for at in range(COUNT):
        yield from (*op(30, 11 + at, 10 + at, 10 + at), *op(71, 11 + at, 2))
        yield from (*op(32, 20 + COUNT + at, 12, 11 + at), *op(59, 20 + COUNT + at, 9000 + at, 12))


def phis_of_each_other() -> Iterator[int]:
    yield from (*SHADER, *op(19, 2), *op(21, 3, 32, 0), *op(43, 3, 4, 1), *op(33, 5, 2))
    yield from (*op(54, 2, 6, 0, 5), *op(248, 7), *op(249, 8), *op(248, 8))
    for at in range(COUNT):
        yield from op(245, 3, 100 + at, 100 + (at + 1) % COUNT, 8, 4, 7)
    yield from (*op(249, 8), *op(56))


def large_numbers() -> Iterator[int]:
    most = 2**32 - 1
    yield from (*SHADER, *op(19, most), *op(33, most - 1, most), *op(21, 3, 32, 0))
    yield from (*op(23, 4, 3, most), *op(24, 5, 4, most), *op(43, 3, 6, most), *op(28, 7, 5, 6))
    yield from (*op(32, 8, 3, 7), *op(59, 8, 9, 3))


def no_width() -> Iterator[int]:
    yield from (*SHADER, *op(21, 3, 0, 1), *op(43, 3, 4, 1), *op(28, 5, 3, 4))


@pytest.mark.parametrize(
    "words",
    [
        no_width,
        cyclic_structures,
        cyclic_arrays,
        nested_structures,
        phis_of_each_other,
        large_numbers,
    ],
)
@pytest.mark.parametrize("target", ["spv1.6", "vulkan1.3"])
@pytest.mark.heavy
def test_hostile_modules_have_findings(words: object, target: str) -> None:
    assert callable(words)
    data = module(*words(), bound=1 << 20, version=0x10500)
    assert validate(Module.loads(data), target)
