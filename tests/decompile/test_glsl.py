"""GLSL of our own shaders, as text and by recompiling it."""

import shutil

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.programs.dxil.lower.support import lowered, store
from tests.programs.dxil.lower.test_handles import PROPERTIES, descriptor, word
from tests.programs.dxil.lower.test_textures import RAW, texture_code, written
from unshade.decompile.source import decompile
from unshade.errors import UnsupportedError

from .recompiled import FEW, outcome, recompiled
from .test_decompile import PIXEL
from .test_families import module

EXAMPLES = REPOSITORY / "examples"
COMPUTE = """
cs_5_0
dcl_globalFlags refactoringAllowed
{}
dcl_input vThreadID.xyz
dcl_temps 3
dcl_thread_group 8, 8, 1
{}
ret
"""


def pixel(*lines: str, style: str = "exact", declared: str = "") -> str:
    text = PIXEL.format("\n".join(lines)).replace("dcl_temps", f"{declared}\ndcl_temps")
    return unshade.assemble(text, "dxcontainer").decompile("glsl", style)


def compute(declared: str, *lines: str) -> str:
    text = COMPUTE.format(declared, "\n".join(lines))
    return unshade.assemble(text, "dxcontainer").decompile("glsl", "exact")


def source(name: str, style: str = "exact") -> str:
    return unshade.open(str(EXAMPLES / name)).decompile("glsl", style)


def test_a_compute_shader_has_blocks_with_the_names_of_the_source() -> None:
    text = source("saxpy.dxbc", "readable")
    assert text == (
        "#version 460\n"
        "layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;\n\n"
        "layout(set = 0, binding = 0, std140) uniform P {\n"
        "    float a;\n"
        "    uint n;\n"
        "};\n"
        "layout(set = 0, binding = 100, std430) readonly buffer X_buffer {\n"
        "    float X[];\n"
        "};\n"
        "layout(set = 0, binding = 201, std430) buffer Y_buffer {\n"
        "    float Y[];\n"
        "};\n\n"
        "void main()\n{\n"
        "    Y[gl_GlobalInvocationID.x] += a * X[gl_GlobalInvocationID.x];\n"
        "}\n"
    )


def test_inputs_and_outputs_have_locations() -> None:
    text = source("phong.dxbc")
    assert "layout(location = 2) flat in int texcoord2;" in text
    assert "layout(location = 0) precise out vec4 out_target0;" in text
    assert "texture(sampler2D(tex, _tex_sampler), texcoord1)" in text


def test_exact_flushes_subnormal_numbers_by_a_mode() -> None:
    mode = "capabilities = [4465], 4460, 32);"
    assert mode in source("phong.dxbc")
    assert mode not in source("phong.dxbc", "readable")


def test_exact_guards_what_the_language_leaves_open() -> None:
    lines = ("min r0.x, v0.x, v0.y", "ftoi r0.y, v0.z", "ishl r0.y, r0.y, v0.w",
             "itof r0.y, r0.y", "mov o0.xyzw, r0.xyxy")  # fmt: skip
    text = pixel(*lines)
    assert "min_number(texcoord0.x, texcoord0.y)" in text
    assert "to_int(texcoord0.z) << (floatBitsToInt(texcoord0.w) & 31)" in text
    plain = pixel(*lines, style="readable")
    assert "min(texcoord0.x, texcoord0.y)" in plain
    assert "int(texcoord0.z) << floatBitsToInt(texcoord0.w)" in plain


def test_a_function_for_vectors_calls_the_one_for_scalars() -> None:
    text = pixel("frc r0.xyz, v0.xyzx", "mov o0.xyzw, r0.xyzx")
    assert "float fraction(float x) {" in text
    assert "vec3 fraction(vec3 x) {\n    return vec3(fraction(x.x), fraction(x.y)," in text


def test_a_power_has_operands_of_one_width() -> None:
    lines = ["log r0.xyz, |v0.xyzx|", "mul r0.xyz, r0.xyzx, v0.wwww", "exp o0.xyz, r0.xyzx"]
    text = pixel(*lines, "mov o0.w, l(1.0)", style="readable")
    assert "pow(abs(texcoord0.xyz), vec3(texcoord0.w))" in text
    lines = ["log r0.x, |v0.x|", "mul r0.xyz, r0.xxxx, v0.xyzx", "exp o0.xyz, r0.xyzx"]
    text = pixel(*lines, "mov o0.w, l(1.0)", style="readable")
    assert "pow(vec3(abs(texcoord0.x)), texcoord0.xyz)" in text


def test_conditions_of_vectors() -> None:
    text = pixel("lt r0.xyz, v0.xyzx, cb0[0].xyzx", "movc o0.xyzw, r0.xyzx, v0.xyzw, cb0[1].xyzw")
    assert "lessThan(texcoord0.xyz, cb0_rows[0].xyz)" in text
    assert "mix(" in text


def test_w_of_a_pixel_is_the_inverse_of_the_built_in() -> None:
    declared = "dcl_input_ps_siv linear noperspective v1.xyzw, position"
    text = pixel("mov o0.xyzw, v1.xyww", declared=declared)
    assert "position = gl_FragCoord;\n    position.w = 1.0 / gl_FragCoord.w;" in text
    assert "gl_FragCoord.xy" in pixel("mov o0.xyzw, v1.xyxy", declared=declared)


def test_distances_are_copied_before_each_end() -> None:
    text = unshade.assemble(
        "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\n"
        "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xy, clip_distance\ndcl_temps 1\n"
        "mov o0.xyzw, v0.xyzw\nmov o1.xy, v0.xyxx\nlt r0.x, v0.x, l(0)\nretc_nz r0.x\n"
        "mov o1.x, v0.z\nret\n",
        "dxcontainer",
    ).decompile("glsl")  # fmt: skip
    assert text.count("gl_ClipDistance[1] = ") == 2
    assert "gl_Position = " in text


def test_buffers_and_images_of_compute_shaders() -> None:
    declared = (
        "dcl_resource_raw t0\ndcl_uav_raw u1\ndcl_uav_typed_texture2d (float,float,float,float) u0"
    )
    text = compute(
        declared, "ld_raw r0.x, vThreadID.x, t0.xxxx", "store_raw u1.x, vThreadID.y, r0.x",
        "store_uav_typed u0.xyzw, vThreadID.xyyy, r0.xxxx",
    )  # fmt: skip
    assert "uint t = t0[gl_GlobalInvocationID.x >> 2];" in text
    assert "u1[gl_GlobalInvocationID.y >> 2] = t;" in text
    assert "imageStore(u0, ivec2(gl_GlobalInvocationID.xy), vec4(" in text
    assert "layout(set = 0, binding = 200) uniform image2D u0;" in text
    assert "#extension GL_EXT_shader_image_load_formatted : require" in text


DISCARD = ("lt r0.x, v0.x, l(0)", "discard_nz r0.x")


@pytest.mark.parametrize(
    ("before", "after", "statement"),
    [
        ((), ("mov o0.xyzw, v0.xyzw",), "discard;"),
        ((), ("deriv_rtx_coarse r0.x, v0.x", "mov o0.xyzw, r0.xxxx"), "demote;"),
        (("deriv_rtx_coarse r1.x, v0.x",), ("mov o0.xyzw, r1.xxxx",), "discard;"),
        (
            ("loop", "deriv_rtx_coarse r1.x, v0.x"),
            ("breakc_nz r1.x", "endloop", "mov o0.xyzw, r1.xxxx"),
            "demote;",
        ),
    ],
)
def test_a_discarded_pixel_that_derivatives_need_is_a_helper(
    before: tuple[str, ...], after: tuple[str, ...], statement: str
) -> None:
    """By `discard` derivatives become undefined in GLSL, in Direct3D they do not."""
    text = pixel(*before, *DISCARD, *after)
    assert statement in text
    extension = "#extension GL_EXT_demote_to_helper_invocation : require"
    assert (extension in text) is (statement == "demote;")
    assert "demote" not in pixel(*before, *DISCARD, *after, style="readable")


def test_the_highest_bit_of_a_signed_number_is_unsigned() -> None:
    text = pixel("firstbit_shi r0.x, v0.x", "iadd r0.y, r0.x, l(1)", "itof o0.xyzw, r0.xyxy")
    assert "uint t = first_high_signed(floatBitsToInt(texcoord0.x));" in text
    assert "vec2(ivec2(int(t), int(t) + 1))" in text


def test_lanes_of_one_pixel_take_turns() -> None:
    declared = (
        "dcl_uav_typed_texture2d_rov (float,float,float,float) u0\ndcl_uav_raw_glc u1\ndcl_temps"
    )
    lines = ("ftou r0.xy, v0.xyxx", "store_uav_typed u0.xyzw, r0.xyyy, v0.xyzw",
             "store_raw u1.x, l(0), r0.x", "if_nz r0.x", "ret", "endif",
             "mov o0.xyzw, v0.xyzw")  # fmt: skip
    shader = unshade.assemble(
        PIXEL.format("\n".join(lines)).replace("dcl_temps", declared), "dxcontainer"
    )
    text = shader.decompile("glsl")
    assert "layout(pixel_interlock_ordered) in;" in text
    assert "layout(set = 0, binding = 200) coherent uniform image2D u0;" in text
    assert "binding = 201, std430) coherent buffer u1_buffer" in text
    assert text.endswith(
        "void main()\n{\n    beginInvocationInterlockARB();\n    in_turn();\n"
        "    endInvocationInterlockARB();\n}\n"
    )
    text = shader.decompile()
    assert "RasterizerOrderedTexture2D<float4> u0 : register(u0);" in text
    assert "globallycoherent RWByteAddressBuffer u1 : register(u1);" in text


def test_atomic_operations_and_barriers() -> None:
    text = compute(
        "dcl_uav_raw u0\ndcl_tgsm_structured g0, 4, 64",
        "imm_atomic_iadd r0.x, g0, vThreadID.xxxx, l(1)", "sync_g_t",
        "atomic_imin u0, vThreadID.x, r0.x", "imm_atomic_cmp_exch r1.x, u0, l(0), r0.x, l(3)",
        "store_raw u0.x, l(16), r1.x",
    ).replace("\n    ", "\n")  # fmt: skip
    assert "barrier();" in text
    assert "atomicMin(u0_signed[gl_GlobalInvocationID.x >> 2], " in text
    assert "int u0_signed[];" in text
    assert "atomicCompSwap(u0[0u], " in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize(
    ("name", "stage"),
    [("phong.dxbc", "pixel"), ("mandel.dxbc", "compute"), ("skinning.dxbc", "vertex")],
)
def test_recompiled_source_computes_the_same_bits(name: str, stage: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    text = shader.decompile("glsl", style="exact")
    assert outcome(shader, text, stage, seeds=5, language="glsl", turns=FEW) == "equal"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("FindUMsb", [0xFFFFFFFF, 0, 31, 30, 31, 1]),
        ("FindSMsb", [0xFFFFFFFF, 0, 0xFFFFFFFF, 30, 30, 1]),
        ("FindILsb", [0xFFFFFFFF, 0, 0, 0, 31, 1]),
    ],
)
def test_the_highest_and_the_lowest_bit_of_zero(function: str, expected: list[int]) -> None:
    """The numbers of zeros in 0 are 32, so that the place of the highest bit is -1."""
    given = np.array([0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 2], np.uint32)
    shader = module(
        f"%result = OpExtInst %uint %glsl {function} %given",
        imports='%glsl = OpExtInstImport "GLSL.std.450"',
    )
    made = recompiled(shader.decompile("glsl", "exact"), "compute", "glsl")
    for each in (shader, made):
        kernel = unshade.kernel(each)
        [name] = [binding.name for binding in kernel.bindings]
        data = np.zeros(32, np.uint32)
        data[: len(given)] = given
        found = kernel.dispatch(1, {name: data})[name]
        assert np.asarray(found).view(np.uint32)[: len(given)].tolist() == expected


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize("style", ["exact", "readable"])
def test_a_signed_remainder_has_the_sign_of_the_dividend(style: str) -> None:
    """GLSL leaves `%` of negative numbers open, and glslang writes OpSMod."""
    given = [7, -7, 4, -4, 0, -1]
    shader = module("%result = OpSRem %uint %given %three")
    made = recompiled(shader.decompile("glsl", style), "compute", "glsl")
    for each in (shader, made):
        kernel = unshade.kernel(each)
        [name] = [binding.name for binding in kernel.bindings]
        data = np.zeros(32, np.int32)
        data[: len(given)] = given
        found = kernel.dispatch(1, {name: data})[name]
        assert np.asarray(found).view(np.int32)[: len(given)].tolist() == [1, -1, 1, -1, 0, -1]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
@pytest.mark.parametrize(
    ("operation", "expected"),
    [("OpSDiv", [-1, -(1 << 31), 3, 4]), ("OpSRem", [-1, 0, 1, 0])],
)
def test_division_by_zero_and_of_the_least_number(operation: str, expected: list[int]) -> None:
    """GLSL leaves both open, so that the module of the source must not divide so."""
    given = [5, -(1 << 31), 7, -4]
    shader = module(
        "%bits = OpBitwiseAnd %uint %given %three\n%divisor = OpISub %uint %bits %one\n"
        f"%result = {operation} %uint %given %divisor",
        declarations="%one = OpConstant %uint 1",
    )
    text = shader.decompile("glsl", "exact")
    assert "if (b == int(0)) return ~int(0);" in text
    assert "b == int(-1) ?" in text
    for each in (shader, recompiled(text, "compute", "glsl")):
        kernel = unshade.kernel(each)
        [name] = [binding.name for binding in kernel.bindings]
        data = np.zeros(32, np.int32)
        data[: len(given)] = given
        found = kernel.dispatch(1, {name: data})[name]
        assert np.asarray(found).view(np.int32)[: len(given)].tolist() == expected


@pytest.mark.parametrize(("operation", "word"), [("OpUDiv", "/"), ("OpUMod", "%")])
def test_division_by_a_literal_needs_no_function(operation: str, word: str) -> None:
    shader = module(f"%result = {operation} %uint %given %three")
    assert f" {word} 3u;" in shader.decompile("glsl", "exact")


def test_descriptors_of_a_heap_are_refused() -> None:
    """GLSL does not name one by a binding: set 0, binding 0 is another."""
    body = f"""{descriptor("d", 3, "i32 11, i32 0")}{word("x", "d")}
  %at = shl i32 %lane, 2{store("%x")}"""
    code = texture_code(body, written(RAW, 5), types=PROPERTIES)
    with pytest.raises(UnsupportedError, match="heap"):
        decompile(lowered(code), to="glsl")


BLOCK = """
OpCapability Shader
OpCapability ClipDistance
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %vertex %depth
OpMemberName %PerVertex 0 "gl_Position"
OpMemberDecorate %PerVertex 0 BuiltIn Position
OpMemberDecorate %PerVertex 1 BuiltIn PointSize
OpMemberDecorate %PerVertex 2 BuiltIn ClipDistance
OpMemberDecorate %PerVertex 3 BuiltIn CullDistance
OpDecorate %PerVertex Block
OpDecorate %depth Location 0
%void = OpTypeVoid
%entry = OpTypeFunction %void
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%two = OpConstant %uint 2
%one = OpConstant %uint 1
%member = OpConstant %int 2
%second = OpConstant %int 1
%distances = OpTypeArray %float %two
%others = OpTypeArray %float %one
%PerVertex = OpTypeStruct %v4float %float %distances %others
%ptr = OpTypePointer Output %PerVertex
%out = OpTypePointer Output %float
%in = OpTypePointer Input %float
%vertex = OpVariable %ptr Output
%depth = OpVariable %in Input
%main = OpFunction %void None %entry
%start = OpLabel
%value = OpLoad %float %depth
%place = OpAccessChain %out %vertex %member %second
OpStore %place %value
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_built_ins_of_a_block_that_are_never_written_are_left_out(to: str) -> None:
    """Writing them would need a capability that the module does not have."""
    text = unshade.assemble(BLOCK, "spirv").decompile(to).casefold()
    assert "pointsize" not in text
    assert "culldistance" not in text
    assert text.count("clipdistance") >= 2  # the first one, too: the second has a number
