"""Scripts of Amber through benchmarks/amber_script.py: what is expected holds, or is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conformance.vulkan_vectors import VulkanVector, component_layout

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

RED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %colour
OpExecutionMode %main OriginUpperLeft
OpDecorate %colour Location 0
%void = OpTypeVoid
%nothing = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%out = OpTypePointer Output %v4
%colour = OpVariable %out Output
%zero = OpConstant %float 0
%one = OpConstant %float 1
%red = OpConstantComposite %v4 %one %zero %zero %one
%main = OpFunction %void None %nothing
%start = OpLabel
OpStore %colour %red
OpReturn
OpFunctionEnd
"""
DOUBLED = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 1
%void = OpTypeVoid
%nothing = OpTypeFunction %void
%int = OpTypeInt 32 1
%array = OpTypeRuntimeArray %int
%block = OpTypeStruct %array
%pointer = OpTypePointer Uniform %block
%place = OpTypePointer Uniform %int
%data = OpVariable %pointer Uniform
%zero = OpConstant %int 0
%main = OpFunction %void None %nothing
%start = OpLabel
%at = OpAccessChain %place %data %zero %zero
%old = OpLoad %int %at
%new = OpIAdd %int %old %old
OpStore %at %new
OpReturn
OpFunctionEnd
"""
DRAWN = f"""#!amber
SHADER vertex corners PASSTHROUGH
SHADER fragment red SPIRV-ASM TARGET_ENV spv1.0{RED}END

BUFFER places DATA_TYPE vec4<float> DATA  # a triangle over the lower left half
-1 -1 0.25 1
-1  1 0.25 1
 1  1 0.25 1
END
BUFFER picture FORMAT R8G8B8A8_UNORM
BUFFER depths FORMAT D16_UNORM
BUFFER counted DATA_TYPE int32 SIZE 4 SERIES_FROM 7 INC_BY -2
BUFFER halves DATA_TYPE vec3<float16> FILL 0.1

PIPELINE graphics first
  ATTACH corners
  ATTACH red
  FRAMEBUFFER_SIZE 8 8
  VERTEX_DATA places LOCATION 0
  BIND BUFFER picture AS color LOCATION 0
  BIND BUFFER depths AS depth_stencil
  DEPTH
    TEST on
    WRITE on
    COMPARE_OP less
    BIAS constant 2 clamp 0 slope 0
  END
END
DERIVE_PIPELINE second FROM first
  POLYGON_MODE point
END

CLEAR_COLOR first 0 255 0 255
CLEAR_DEPTH first 0.5
CLEAR first
RUN first DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3
EXPECT picture IDX 0 4 SIZE 4 1 EQ_RGBA 255 0 0 255
EXPECT picture IDX 6 0 SIZE 2 4 EQ_RGB 0 255 0
EXPECT depths IDX 112 EQ 16386
EXPECT depths IDX 14 EQ 32768
EXPECT counted IDX 4 EQ 5 3 1
EXPECT halves IDX 2 TOLERANCE 0.001 EQ 0.1
REPEAT 2
  CLEAR_DEPTH second 0.0
  CLEAR second
  RUN second DRAW_RECT POS 0 0 SIZE 8 8
  EXPECT picture IDX 0 0 SIZE 8 8 EQ_RGBA 0 0 0 0
END
"""
COMPUTED = f"""
[require]
VariablePointerFeatures.variablePointers

[compute shader spirv]{DOUBLED}
[test]
# a comment
ssbo 0:1 subdata int 0 21 \\
  5
compute entrypoint main
compute 1 1 1
probe ssbo int 0:1 0 == 42 5
probe ssbo ivec2 0:1 0 == 42 5
"""


def faults(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run a script; return what does not hold."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import amber
    from amber_script import script_of

    path = tmp_path / "given.amber"
    path.write_text(text)
    script = script_of(path)
    for module in script["modules"]:
        if "builtin" not in module:
            module["code"] = amber.compiled(module, script["requirements"])
    for name in ("amber", "amber_script"):
        sys.modules.pop(name, None)
    return VulkanVector(script, tmp_path, "lockstep").run()


def test_a_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults(DRAWN, tmp_path, monkeypatch) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("EQ 16386", "EQ 16385", "depths, byte 112: expected EQ 16385"),
        ("SIZE 4 1 EQ_RGBA 255", "SIZE 4 1 EQ_RGBA 254", "picture: 4 of 4 pixels differ"),
        ("EQ 5 3 1", "EQ 5 3 2", "counted, byte 12"),
    ],
)
def test_an_expectation_that_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, said: str
) -> None:
    found = faults(DRAWN.replace(old, new), tmp_path, monkeypatch)
    (fault,) = found
    assert fault.startswith(said)


def test_vk_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert faults(COMPUTED, tmp_path, monkeypatch) == []
    (found,) = faults(COMPUTED.replace("== 42 5\nprobe", "== 41 5\nprobe"), tmp_path, monkeypatch)
    assert "expected EQ 41" in found


def test_layouts() -> None:
    """Sizes and offsets of docs/amber_script.md's types, by the rules of std430 and std140."""
    assert component_layout("vec3<float>", "std430")[1:] == ([0, 4, 8], 16)
    assert component_layout("mat2x3<float>", "std430")[1:] == ([0, 4, 8, 16, 20, 24], 32)
    assert component_layout("mat3x2<float>", "std140")[1:] == ([0, 4, 16, 20, 32, 36], 48)
    assert component_layout("float[]", "std140")[2] == 16
    assert component_layout("B8G8R8A8_UNORM", "std430")[1:] == ([0, 1, 2, 3], 4)
    assert component_layout("D32_SFLOAT_S8_UINT", "std430")[2] == 8
