"""Functions of compiled shaders, called over arrays: no compiler takes part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unshade
from unshade.ir.parameters import laid_out
from unshade.ir.types import BOOL, I32
from unshade.run.source_functions import ShaderFunctions, functions
from unshade.run.source_functions.calls import FunctionKernel, memory_of
from unshade.run.stages.functions import dtype_of_parameter

SPIRV = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpEntryPoint GLCompute %second "second"
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %second LocalSize 1 1 1
OpName %mix_f "mix(f1;f1;"
OpName %mix_v "mix(vf2;f1;"
OpName %x "x"
OpName %k "k"
OpName %v "v"
OpName %kv "k"
OpName %named "named"
OpName %self "self"
OpName %selected "selected"
OpName %which "which"
OpName %block "Settings"
OpMemberName %block 0 "bias"
OpName %settings "settings"
OpName %recursive "recursive"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %settings DescriptorSet 0
OpDecorate %settings Binding 2
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%block = OpTypeStruct %float
%p_block = OpTypePointer Uniform %block
%p_bias = OpTypePointer Uniform %float
%int = OpTypeInt 32 1
%i0 = OpConstant %int 0
%f2 = OpConstant %float 2
%settings = OpVariable %p_block Uniform
%t_void = OpTypeFunction %void
%t_f = OpTypeFunction %float %float %float
%t_v = OpTypeFunction %v2float %v2float %float
%t_b = OpTypeFunction %bool %bool
%t_1 = OpTypeFunction %float %float
%main = OpFunction %void None %t_void
%main_l = OpLabel
%main_p = OpAccessChain %p_bias %settings %i0
%main_b = OpLoad %float %main_p
%main_r = OpFunctionCall %float %mix_f %main_b %main_b
OpReturn
OpFunctionEnd
%second = OpFunction %void None %t_void
%second_l = OpLabel
OpReturn
OpFunctionEnd
%mix_f = OpFunction %float None %t_f
%x = OpFunctionParameter %float
%k = OpFunctionParameter %float
%mix_f_l = OpLabel
%bias_p = OpAccessChain %p_bias %settings %i0
%bias = OpLoad %float %bias_p
%mix_f_m = OpFMul %float %x %k
%mix_f_r = OpFAdd %float %mix_f_m %bias
OpReturnValue %mix_f_r
OpFunctionEnd
%mix_v = OpFunction %v2float None %t_v
%v = OpFunctionParameter %v2float
%kv = OpFunctionParameter %float
%mix_v_l = OpLabel
%mix_v_r = OpVectorTimesScalar %v2float %v %kv
OpReturnValue %mix_v_r
OpFunctionEnd
%selected = OpFunction %bool None %t_b
%which = OpFunctionParameter %bool
%selected_l = OpLabel
%selected_r = OpLogicalNot %bool %which
OpReturnValue %selected_r
OpFunctionEnd
%recursive = OpFunction %float None %t_1
%recursive_x = OpFunctionParameter %float
%recursive_l = OpLabel
%recursive_r = OpFunctionCall %float %recursive %recursive_x
OpReturnValue %recursive_r
OpFunctionEnd
"""
DXIL = """
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i32:32-i64:64-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {
  ret void
}

define internal float @"\\01?half_of@ns@@YAMM@Z"(float %x, i32* %n) {
  %1 = load i32, i32* %n
  %2 = add i32 %1, 1
  store i32 %2, i32* %n
  %3 = fmul float %x, 5.000000e-01
  ret float %3
}

!dx.version = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}
!0 = !{i32 1, i32 6}
!1 = !{!"cs", i32 6, i32 6}
!2 = !{void ()* @main, !"main", null, null, !3}
!3 = !{i32 4, !4}
!4 = !{i32 1, i32 1, i32 1}
"""


FUNCTION = FunctionKernel(None, {}, {})  # type: ignore[arg-type]  # no kernel is called


@pytest.fixture(scope="module", params=["lockstep", "auto"])
def library(request: pytest.FixtureRequest) -> ShaderFunctions:
    shader = unshade.assemble(SPIRV, target="spv1.5")
    return functions(shader, engine=request.param, bindings={"settings": {"bias": 0}})


def test_names_and_declarations(library: ShaderFunctions) -> None:
    assert list(library) == ["mix", "selected", "recursive"]
    assert repr(library.mix) == (
        "float32 mix(float32 x, float32 k)\nfloat32[2] mix(float32[2] v, float32 k)"
    )


def test_overloads_and_broadcasting(library: ShaderFunctions) -> None:
    assert library.mix(3.0, k=5.0) == 15
    assert library.mix(np.arange(6, dtype="f4").reshape(2, 3), 2.0).tolist() == [
        [0, 2, 4], [6, 8, 10],
    ]  # fmt: skip
    vectors = np.arange(4, dtype="f4").reshape(2, 1, 2)
    found = library.mix(vectors, np.array([1, 10, 100], "f4"))
    assert found.shape == (2, 3, 2)
    assert found[1].tolist() == [[2, 3], [20, 30], [200, 300]]


def test_strided_and_reversed_arrays(library: ShaderFunctions) -> None:
    x = np.arange(12, dtype="f4")
    assert library.mix(x[::-3], 1.0).tolist() == [11, 8, 5, 2]
    given = np.asfortranarray(np.arange(6, dtype="f4").reshape(3, 2))
    assert library.mix(given, 2.0).tolist() == (2 * given).tolist()
    frozen = x[1:4]
    frozen.setflags(write=False)
    assert library.mix(frozen, 2.0).tolist() == [2, 4, 6]
    assert library.mix(x.astype(">f4"), 1.0).tolist() == x.tolist()


def test_arguments_are_not_changed_and_results_are_new(library: ShaderFunctions) -> None:
    x = np.ones(4, "f4")
    found = library.mix(x, 3.0)
    found[:] = 7
    assert x.tolist() == [1] * 4
    assert library.mix(x, 3.0).tolist() == [3] * 4


def test_truth_values(library: ShaderFunctions) -> None:
    assert library.selected([True, False]).tolist() == [False, True]
    assert library.selected(False).dtype == np.bool_


def test_padding_of_structures_is_zero() -> None:
    layout = laid_out((), None, [("n", laid_out((), I32, [])), ("on", laid_out((), BOOL, []))])
    rows = np.full(8 * 50, 0xFF, np.uint8).view(dtype_of_parameter(layout))
    rows["on"] = True
    found = memory_of(FUNCTION, layout, rows, (50,), writable=True).reshape(50, 8)
    assert found[0].tolist() == [255, 255, 255, 255, 1, 0, 0, 0]
    assert (found == found[0]).all()


def test_an_empty_batch(library: ShaderFunctions) -> None:
    assert library.mix(np.zeros((0, 3, 2), "f4"), 1.0).shape == (0, 3, 2)


def test_resources_by_name_and_by_variable() -> None:
    shader = unshade.assemble(SPIRV, target="spv1.5")
    assert functions(shader, bindings={"bias": 1.5}).mix(2.0, 2.0) == 5.5
    library = functions(shader)
    with pytest.raises(unshade.UsageError, match=r"settings .*is not bound"):
        library.mix(2.0, 2.0)
    library.bindings["settings"] = {"bias": 10}
    assert library.mix(2.0, 2.0) == 14


def test_a_refused_function(library: ShaderFunctions) -> None:
    with pytest.raises(unshade.UnsupportedError, match="recursive calls itself"):
        library.recursive(1.0)


def test_trace_coverage_and_picture(library: ShaderFunctions) -> None:
    debugger = library.mix.debug(2, [1.0, 2.0, 3.0], 2.0)
    written = [each.as_float for entry in debugger.trace.entries for each in entry.writes]
    assert written == [0, 6, 6]
    assert set(library.mix.coverage([1.0, 2.0, 3.0], 2.0).lines.values()) == {3}
    picture = library.mix.image((2, 1), 4.0)
    assert picture.tolist() == [[[1, 2], [3, 2]]]


def test_a_path_of_a_shader_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "module.bin"
    unshade.assemble(SPIRV, target="spv1.5").save(path)
    assert list(functions(path)) == ["mix", "selected", "recursive"]
    with pytest.raises(unshade.FileError):
        functions(tmp_path / "missing.spv")


@pytest.mark.parametrize("engine", ["lockstep", "auto"])
def test_an_internal_function_of_dxil(engine: str) -> None:
    shader = unshade.assemble(DXIL)
    assert shader.programs[0].exports == []
    library = functions(shader, engine=engine)
    assert list(library) == ["ns::half_of"]
    found = library["ns::half_of"]([3.0, 5.0], [1, 2])
    assert [each.tolist() for each in found] == [[1.5, 2.5], [2, 3]]
    kernel = unshade.kernel(shader, entry="ns::half_of", engine=engine)
    assert kernel.stage == "library"
