"""Functions of modules that are called directly."""

import numpy as np
import pytest

import unshade
from unshade.errors import UnsupportedError, UsageError
from unshade.programs.spirv.exported import source_name
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.lower.accesses import AccessesOfFunctions, ParameterAccess
from unshade.programs.spirv.program import Program
from unshade.run.kernels import Kernel

ENGINES = ("lockstep", "auto")
# The functions and their calls are as glslang writes them: parameters are pointers to copies.
TEXT = """
OpCapability Shader
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpExtension "SPV_KHR_non_semantic_info"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %colour
OpExecutionMode %main OriginUpperLeft
%described = OpString "described"
%empty = OpString ""
OpName %main "main"
OpName %twice_f "twice(f1;"
OpName %twice_v "twice(vf2;"
OpName %x "x"
OpName %v "v"
OpName %gain "gain"
OpName %product "product(mf32;i1;b1;"
OpName %m "m"
OpName %count "count"
OpName %big "big"
OpName %moved "moved(struct-S;"
OpName %s "s"
OpName %S "S"
OpMemberName %S 0 "p"
OpMemberName %S 1 "on"
OpMemberName %S 2 "k"
OpName %fetched "fetched(s21;"
OpName %t "t"
OpName %albedo "albedo"
OpName %uv "uv"
OpName %colour "colour"
OpName %shaded "shaded("
OpName %picked "picked"
OpName %a "a"
OpName %i "i"
OpName %fails "fails"
OpDecorate %albedo DescriptorSet 0
OpDecorate %albedo Binding 3
OpDecorate %other DescriptorSet 0
OpDecorate %other Binding 4
OpDecorate %uv Location 0
OpDecorate %colour Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%m3v2 = OpTypeMatrix %v2float 3
%u3 = OpConstant %uint 3
%u16 = OpConstant %uint 16
%u2 = OpConstant %uint 2
%uints = OpTypeArray %uint %u2
%floats = OpTypeArray %float %u16
%S = OpTypeStruct %v2float %bool %uints
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%p_float = OpTypePointer Function %float
%p_v2 = OpTypePointer Function %v2float
%p_int = OpTypePointer Function %int
%p_bool = OpTypePointer Function %bool
%p_m = OpTypePointer Function %m3v2
%p_S = OpTypePointer Function %S
%p_floats = OpTypePointer Function %floats
%p_uint = OpTypePointer Function %uint
%p_private = OpTypePointer Private %float
%p_image = OpTypePointer UniformConstant %sampled
%p_in = OpTypePointer Input %v2float
%p_out = OpTypePointer Output %v4float
%gain = OpVariable %p_private Private
%albedo = OpVariable %p_image UniformConstant
%other = OpVariable %p_image UniformConstant
%uv = OpVariable %p_in Input
%colour = OpVariable %p_out Output
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%f3 = OpConstant %float 3
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%u7 = OpConstant %uint 7
%ones = OpConstantComposite %v3float %f1 %f2 %f3
%true = OpConstantTrue %bool
%named = OpExtInst %void %debug DebugInfoNone
%of = OpExtInst %void %debug DebugFunction %described %named %named %u3 %u3 %named %empty %u3 %u3
%void_f = OpTypeFunction %void
%t_twice_f = OpTypeFunction %float %p_float
%t_twice_v = OpTypeFunction %float %p_v2
%t_product = OpTypeFunction %v2float %p_m %p_int %p_bool
%t_moved = OpTypeFunction %S %p_S
%t_fetched = OpTypeFunction %v4float %p_image %v2float
%t_picked = OpTypeFunction %float %p_floats %int
%t_unary = OpTypeFunction %float %float
%main = OpFunction %void None %void_f
%main_l = OpLabel
%copy = OpVariable %p_S Function
%copy_m = OpVariable %p_m Function
%copy_i = OpVariable %p_int Function
%copy_b = OpVariable %p_bool Function
%c_moved = OpFunctionCall %S %moved %copy
%c_product = OpFunctionCall %v2float %product %copy_m %copy_i %copy_b
%back = OpLoad %int %copy_i
%back_b = OpLoad %bool %copy_b
%where = OpLoad %v2float %uv
%c_fetched = OpFunctionCall %v4float %fetched %albedo %where
OpReturn
OpFunctionEnd
%twice_f = OpFunction %float None %t_twice_f
%x = OpFunctionParameter %p_float
%twice_f_l = OpLabel
%twice_f_x = OpLoad %float %x
%twice_f_k = OpLoad %float %gain
%twice_f_r = OpFMul %float %twice_f_x %twice_f_k
OpReturnValue %twice_f_r
OpFunctionEnd
%twice_v = OpFunction %float None %t_twice_v
%v = OpFunctionParameter %p_v2
%twice_v_l = OpLabel
OpStore %gain %f2
%twice_v_p = OpAccessChain %p_float %v %i1
%twice_v_x = OpLoad %float %twice_v_p
%twice_v_k = OpLoad %float %gain
%twice_v_r = OpFMul %float %twice_v_x %twice_v_k
OpReturnValue %twice_v_r
OpFunctionEnd
%product = OpFunction %v2float None %t_product
%m = OpFunctionParameter %p_m
%count = OpFunctionParameter %p_int
%big = OpFunctionParameter %p_bool
%product_l = OpLabel
%product_m = OpLoad %m3v2 %m
%product_v = OpMatrixTimesVector %v2float %product_m %ones
%product_x = OpCompositeExtract %float %product_v 0
%product_b = OpFOrdGreaterThan %bool %product_x %f3
OpStore %big %product_b
%product_c = OpLoad %int %count
%product_n = OpIAdd %int %product_c %i1
OpStore %count %product_n
OpReturnValue %product_v
OpFunctionEnd
%moved = OpFunction %S None %t_moved
%s = OpFunctionParameter %p_S
%moved_l = OpLabel
%moved_k = OpAccessChain %p_uint %s %i2 %i1
OpStore %moved_k %u7
%moved_p = OpAccessChain %p_bool %s %i1
%moved_b = OpLoad %bool %moved_p
%moved_n = OpLogicalNot %bool %moved_b
OpStore %moved_p %moved_n
%moved_r = OpLoad %S %s
OpReturnValue %moved_r
OpFunctionEnd
%fetched = OpFunction %v4float None %t_fetched
%t = OpFunctionParameter %p_image
%fetched_at = OpFunctionParameter %v2float
%fetched_l = OpLabel
%fetched_t = OpLoad %sampled %t
%fetched_r = OpImageSampleExplicitLod %v4float %fetched_t %fetched_at Lod %f0
OpReturnValue %fetched_r
OpFunctionEnd
%shaded = OpFunction %void None %void_f
%shaded_l = OpLabel
%shaded_uv = OpLoad %v2float %uv
%shaded_c = OpVectorShuffle %v4float %shaded_uv %shaded_uv 1 0 1 0
OpStore %colour %shaded_c
OpReturn
OpFunctionEnd
%picked = OpFunction %float None %t_picked
%a = OpFunctionParameter %p_floats
%i = OpFunctionParameter %int
%picked_l = OpLabel
%picked_p = OpAccessChain %p_float %a %i
%picked_r = OpLoad %float %picked_p
OpReturnValue %picked_r
OpFunctionEnd
%unnamed = OpFunction %float None %t_unary
%unnamed_x = OpFunctionParameter %float
%unnamed_l = OpLabel
%unnamed_d = OpExtInst %void %debug DebugFunctionDefinition %of %unnamed
%unnamed_r = OpFAdd %float %unnamed_x %f1
OpReturnValue %unnamed_r
OpFunctionEnd
%bare = OpFunction %float None %t_unary
%bare_x = OpFunctionParameter %float
%bare_l = OpLabel
%bare_r = OpFNegate %float %bare_x
OpReturnValue %bare_r
OpFunctionEnd
%fails = OpFunction %float None %t_unary
%fails_x = OpFunctionParameter %float
%fails_l = OpLabel
%fails_y = OpFunctionCall %float %fails %fails_x
OpReturnValue %fails_y
OpFunctionEnd
"""


def program(text: str = TEXT) -> Program:
    found = unshade.assemble(text, target="spv1.5").programs[0]
    assert isinstance(found, Program)
    return found


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def shader() -> unshade.Shader:
    return unshade.assemble(TEXT, target="spv1.5")


def kernel(shader: unshade.Shader, name: str, engine: str) -> Kernel:
    return unshade.kernel(shader, entry=name, engine=engine)


def signature(found: Kernel) -> list[tuple[str, tuple[int, ...], bool, bool]]:
    return [
        (each.name, each.layout.shape, each.read, each.written) for each in found.lowered.parameters
    ]


def test_names(shader: unshade.Shader) -> None:
    (found,) = shader.programs
    bare = found.exports[-2]
    assert found.exports == [
        "twice(f1;", "twice(vf2;", "product(mf32;i1;b1;", "moved(struct-S;", "fetched(s21;",
        "shaded(", "picked", "described", bare, "fails",
    ]  # fmt: skip
    assert bare.startswith("%")
    assert found.export_names[:4] == ["twice(f1;", "twice(vf2;", "product", "moved"]
    assert found.callables["twice"] == ["twice(f1;", "twice(vf2;"]
    assert found.exports_named("twice") == ["twice(f1;", "twice(vf2;"]
    assert found.exports_named("product") == ["product(mf32;i1;b1;"]
    number = found.exports_named("described")
    assert found.exports_named(bare) == [bare]
    assert number == ["described"]
    assert source_name("(x") == "(x"


def test_a_name_of_several_functions_is_refused(shader: unshade.Shader) -> None:
    with pytest.raises(UsageError, match=r"several functions twice; .*: twice\(f1;, twice\(vf2;"):
        unshade.kernel(shader, entry="twice")


def test_a_variable_that_is_read_first_is_a_parameter(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "twice(f1;", engine)
    assert signature(found) == [
        ("x", (), True, False), ("gain", (), True, False), ("result", (), False, True),
    ]  # fmt: skip
    assert found.call({"x": [1.0, 2.0], "gain": 5.0})["result"].tolist() == [5, 10]


def test_a_variable_that_is_stored_first_is_no_parameter(
    shader: unshade.Shader, engine: str
) -> None:
    found = kernel(shader, "twice(vf2;", engine)
    assert signature(found) == [("v", (2,), True, False), ("result", (), False, True)]
    assert found.call([np.array([[1, 2], [3, 4]], "f4")])["result"].tolist() == [4, 8]


def test_directions_and_matrices(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "product", engine)
    assert signature(found) == [
        ("m", (2, 3), True, False), ("count", (), True, True), ("big", (), False, True),
        ("result", (2,), False, True),
    ]  # fmt: skip
    made = found.call({"m": np.array([[1, 2, 3], [0, 0, 1]], "f4"), "count": np.array([4, 5])})
    assert made["result"].tolist() == [[14, 3], [14, 3]]
    assert made["count"].tolist() == [5, 6]
    assert made["big"].tolist() == [True, True]


def test_columns_are_rows_in_hlsl(engine: str) -> None:
    text = TEXT.replace("%described = OpString", "OpSource HLSL 600\n%described = OpString", 1)
    hlsl = unshade.assemble(text, target="spv1.5")
    found = kernel(hlsl, "product", engine)
    assert found.lowered.parameters[0].layout.shape == (3, 2)
    made = found.call({"m": np.array([[1, 0], [2, 0], [3, 1]], "f4"), "count": 0})
    assert made["result"].tolist() == [14, 3]


def test_a_changed_copy_does_not_come_back(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "moved", engine)
    assert signature(found) == [("s", (), True, False), ("result", (), False, True)]
    made = found.call([[{"p": [1, 2], "on": True, "k": [3, 4]}]])["result"]
    assert made.dtype.names == ("p", "on", "k")
    assert [each.tolist() for each in made[0]] == [[1, 2], False, [3, 7]]


def test_a_texture_is_the_variable_that_is_passed(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "fetched", engine)
    assert signature(found) == [("p1", (2,), True, False), ("result", (4,), False, True)]
    made = found.call([[[0.5, 0.5]]], albedo=np.full((2, 2, 4), 0.25, "f4"))
    assert made["result"].tolist() == [[0.25] * 4]


@pytest.mark.parametrize(
    ("call", "which"),
    [
        ("", "none"),
        ("%c_fetched = OpFunctionCall %v4float %fetched %albedo %where\n"
         "%c_other = OpFunctionCall %v4float %fetched %other %where", "%albedo, %other"),
    ],
)  # fmt: skip
def test_a_texture_that_calls_do_not_decide(call: str, which: str) -> None:
    text = TEXT.replace("%c_fetched = OpFunctionCall %v4float %fetched %albedo %where", call)
    with pytest.raises(UnsupportedError) as caught:
        program(text).lower("fetched")
    named = r"parameter t: expected one variable that all calls pass, got "
    assert str(caught.value).startswith(named)
    assert str(caught.value).removeprefix(named).count("%") == which.count("%")


def test_inputs_and_outputs_of_the_stage(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "shaded", engine)
    assert signature(found) == [("uv", (2,), True, False), ("colour", (4,), False, True)]
    assert found.call([[[1, 2]]])["colour"].tolist() == [[2, 1, 2, 1]]


def test_an_array_indexed_at_run_time(shader: unshade.Shader, engine: str) -> None:
    found = kernel(shader, "picked", engine)
    made = found.call([np.arange(16, dtype="f4"), np.array([3, 15])])
    assert made["result"].tolist() == [3, 15]


def test_names_of_debug_information_and_ids(shader: unshade.Shader, engine: str) -> None:
    assert kernel(shader, "described", engine).call([1.0])["result"] == 2
    bare = shader.programs[0].exports[-2]
    found = kernel(shader, bare, engine)
    assert found.call([1.0])["result"] == -1
    assert found.stage == "library"


def test_a_function_is_traced(shader: unshade.Shader) -> None:
    debugger = kernel(shader, "described", "lockstep").debug(1)
    debugger.call([[1.0, 2.5]])
    (added,) = (each for each in debugger.trace.entries if each.writes)
    assert [each.as_float for each in added.writes] == [3.5]
    assert debugger.listing[added.line - 1].split("=")[1].split()[0] == "OpFAdd"


def test_a_refused_function_names_the_cause() -> None:
    with pytest.raises(UnsupportedError, match="fails calls itself"):
        program().lower("fails")


def test_accesses() -> None:
    index = ModuleIndex(program().module)
    accesses = AccessesOfFunctions(index)
    named = {name.partition("(")[0]: number for number, name in index.names.items()}
    assert accesses.of(named["product"]) == {
        named["m"]: ParameterAccess(True, False),
        named["count"]: ParameterAccess(True, True),
        named["big"]: ParameterAccess(False, True, whole=True),
    }
    assert accesses.of(named["moved"]) == {named["s"]: ParameterAccess(True, True)}
    assert accesses.of(named["shaded"]) == {
        named["uv"]: ParameterAccess(True, False),
        named["colour"]: ParameterAccess(False, True, whole=True),
    }
    assert accesses.of(named["main"]) == {
        named["uv"]: ParameterAccess(True, False),
        named["albedo"]: ParameterAccess(True, False),
    }
