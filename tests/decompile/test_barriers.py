"""Barriers keep their kind: from each family, to each language."""

import re

import pytest

import unshade
from tests.programs.dxil.lower.support import compute, lowered, store
from unshade.decompile import decompile

COMPUTE = """
cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadIDInGroup.xyz
dcl_temps 1
dcl_tgsm_structured g0, 4, 64
dcl_thread_group 8, 1, 1
store_structured g0.x, vThreadIDInGroup.x, l(0), l(1)
{}
ld_structured r0.x, l(3), l(0), g0.xxxx
store_raw u0.x, l(16), r0.x
ret
"""
MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%order = OpConstant %uint {}
%main = OpFunction %void None %function
%begin = OpLabel
{}
OpReturn
OpFunctionEnd
"""
WAIT = "OpControlBarrier %group %group %order"
SHARED, UNIFORM, IMAGE, RELEASED = 0x100, 0x40, 0x800, 8


def of_direct3d(line: str) -> unshade.Shader:
    return unshade.assemble(COMPUTE.format(line), "dxcontainer")


def of_vulkan(line: str, semantics: int) -> unshade.Shader:
    return unshade.assemble(MODULE.format(semantics, line), "spirv")


def barriers(text: str) -> list[str]:
    return re.findall(r"^ +((?:\w*[bB]arrier\w*\(\);? ?)+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "hlsl", "glsl"),
    [
        ("sync_g_t", "GroupMemoryBarrierWithGroupSync();", "barrier();"),
        ("sync_g", "GroupMemoryBarrier();", "memoryBarrierShared();"),
        ("sync_uglobal", "DeviceMemoryBarrier();", "memoryBarrierBuffer(); memoryBarrierImage();"),
        ("sync_uglobal_t", "DeviceMemoryBarrierWithGroupSync();",
         "memoryBarrierBuffer(); memoryBarrierImage(); barrier();"),
        ("sync_ugroup_g_t", "AllMemoryBarrierWithGroupSync();", "groupMemoryBarrier(); barrier();"),
        ("sync_uglobal_g_t", "AllMemoryBarrierWithGroupSync();", "memoryBarrier(); barrier();"),
        ("sync_uglobal_g", "AllMemoryBarrier();", "memoryBarrier();"),
        ("sync_t", "GroupMemoryBarrierWithGroupSync();", "barrier();"),
    ],
)  # fmt: skip
def test_barriers_of_direct3d(line: str, hlsl: str, glsl: str) -> None:
    shader = of_direct3d(line)
    assert barriers(shader.decompile()) == [hlsl]
    assert barriers(shader.decompile("glsl")) == [glsl]


@pytest.mark.parametrize(
    ("line", "semantics", "hlsl", "glsl"),
    [
        (WAIT, SHARED | RELEASED, "GroupMemoryBarrierWithGroupSync();", "barrier();"),
        (WAIT, 0, "GroupMemoryBarrierWithGroupSync();", "barrier();"),
        (WAIT, UNIFORM | RELEASED, "DeviceMemoryBarrierWithGroupSync();",
         "groupMemoryBarrier(); barrier();"),
        ("OpMemoryBarrier %device %order", UNIFORM | RELEASED, "DeviceMemoryBarrier();",
         "memoryBarrierBuffer();"),
        ("OpMemoryBarrier %device %order", IMAGE | RELEASED, "DeviceMemoryBarrier();",
         "memoryBarrierImage();"),
        ("OpMemoryBarrier %device %order", IMAGE | SHARED | RELEASED, "AllMemoryBarrier();",
         "memoryBarrierImage(); memoryBarrierShared();"),
    ],
)  # fmt: skip
def test_barriers_of_vulkan(line: str, semantics: int, hlsl: str, glsl: str) -> None:
    shader = of_vulkan(line, semantics)
    assert barriers(shader.decompile()) == [hlsl]
    assert barriers(shader.decompile("glsl")) == [glsl]


@pytest.mark.parametrize(
    ("line", "spirv", "wgsl"),
    [
        ("sync_g_t", "OpControlBarrier %uint_2 %uint_2 %uint_264", "workgroupBarrier();"),
        ("sync_uglobal_t", "OpControlBarrier %uint_2 %uint_1 %uint_2120", "storageBarrier();"),
        ("sync_uglobal_g_t", "OpControlBarrier %uint_2 %uint_1 %uint_2376",
         "workgroupBarrier(); storageBarrier();"),
        ("sync_g", "OpMemoryBarrier %uint_2 %uint_264", ""),
    ],
)  # fmt: skip
def test_barriers_of_translations(line: str, spirv: str, wgsl: str) -> None:
    shader = of_direct3d(line)
    assert spirv in shader.translate().disassemble()
    if wgsl:
        assert barriers(shader.translate("wgsl")) == [wgsl]


@pytest.mark.parametrize(
    ("call", "hlsl"),
    [
        ("barrier(i32 80, i32 9)", "GroupMemoryBarrierWithGroupSync();"),
        ("barrier(i32 80, i32 8)", "GroupMemoryBarrier();"),
        ("barrier(i32 80, i32 3)", "DeviceMemoryBarrierWithGroupSync();"),
        ("barrier(i32 80, i32 4)", "DeviceMemoryBarrier();"),
        ("barrier(i32 80, i32 11)", "AllMemoryBarrierWithGroupSync();"),
        ("barrierByMemoryType(i32 244, i32 2, i32 3)", "GroupMemoryBarrierWithGroupSync();"),
        ("barrierByMemoryType(i32 244, i32 1, i32 4)", "DeviceMemoryBarrier();"),
    ],
)
def test_barriers_of_dxil(call: str, hlsl: str) -> None:
    code = compute(f"  call void @dx.op.{call}" + store("1"), threads=4)
    assert barriers(decompile(lowered(code))) == [hlsl]
