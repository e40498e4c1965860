"""WGSL of our own shaders: the text, refusals, and the compiler of wgpu."""

import re
import shutil
from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.decompile.interface import EntryParameter
from unshade.decompile.names import DecompiledNames
from unshade.decompile.printer import Printer
from unshade.decompile.tree import (
    Assign,
    Barrier,
    JumpLine,
    Leave,
    NodeForm,
    Once,
    ScalarKind,
    SourceExpression,
    TermType,
    name,
    swizzle,
)
from unshade.decompile.wgsl import WgslTarget
from unshade.decompile.wgsl.accesses import barrier
from unshade.decompile.wgsl.entry import LocatedPort
from unshade.decompile.wgsl.program import WgslPrinter
from unshade.decompile.wgsl.program import _result as returned
from unshade.errors import UnsupportedError, UsageError
from unshade.ir.barriers import ALL_MEMORY
from unshade.ir.memory import Port
from unshade.ir.types import F32
from unshade.vocab.slots import Direction

from .recompiled import recompiled
from .test_decompile import PIXEL
from .test_glsl import COMPUTE

EXAMPLES = REPOSITORY / "examples"
WHOLE = ("phong.dxbc", "saxpy.dxbc", "matmul.dxbc", "mandel.dxbc", "gyroid.dxbc", "skinning.dxbc",
         "saxpy6.dxil", "lit.shbin", "julia.skslb", "clay.frag.spv", "particles.spv")  # fmt: skip


def pixel(*lines: str) -> str:
    return unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer").translate("wgsl")


def compute(declared: str, *lines: str) -> str:
    text = COMPUTE.format(declared, "\n".join(lines))
    return unshade.assemble(text, "dxcontainer").translate("wgsl")


def source(name: str) -> str:
    shader = unshade.open(str(EXAMPLES / name))
    entries = shader.programs[0].entry_points
    return shader.translate("wgsl", entry=entries[0][0] if len(entries) > 1 else None)


@cache
def device() -> Any:
    """Return a device of wgpu, whose compiler is naga; skip if there is none."""
    if find_spec("wgpu") is None:
        pytest.skip("needs wgpu: pip install wgpu")
    import wgpu

    try:
        return wgpu.gpu.request_adapter_sync().request_device_sync()
    except (RuntimeError, wgpu.GPUError) as error:
        pytest.skip(f"wgpu has no adapter: {error}")


def test_members_of_buffers_have_the_names_of_the_source() -> None:
    text = source("saxpy.dxbc")
    assert "struct P_block {\n    a: f32,\n    n: u32,\n}" in text
    assert "@group(0) @binding(201) var<storage, read_write> Y: array<f32>;" in text
    assert "    Y[global_invocation_id.x] += P.a * X[global_invocation_id.x];\n" in text


def test_bindings_are_given_by_name_or_register() -> None:
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    text = shader.translate("wgsl", bindings={"X": (2, 3), "u1": (1, 0)})
    assert "@group(2) @binding(3) var<storage, read> X" in text
    assert "@group(1) @binding(0) var<storage, read_write> Y" in text
    with pytest.raises(UsageError, match="uses no resource 'Z'"):
        shader.translate("wgsl", bindings={"Z": (0, 0)})


def test_components_are_assigned_one_by_one() -> None:
    vector = TermType(ScalarKind.FLOAT, 32, 4)
    whole, pair = name("v", vector), name("p", vector.wide(2))
    target = WgslTarget(names=DecompiledNames(()))
    printer = Printer(target)
    for at, text in (
        ((0, 2), "let parts = p; v.x = parts.x; v.z = parts.y"),
        ((3, 0), "let parts_1 = p; v.w = parts_1.x; v.x = parts_1.y"),
    ):
        assert target.stored(printer, Assign(swizzle(whole, at), pair)) == text
    assert target.stored(printer, Assign(swizzle(whole, (2,)), name("s", vector.wide(1)))) == ""


def test_rules_that_wgsl_leaves_open_are_guarded() -> None:
    text = pixel("min r0.x, v0.x, v0.y", "ftoi r0.y, v0.z", "ishl r0.y, r0.y, v0.w",
                 "itof r0.y, r0.y", "udiv r0.z, r0.w, v0.x, v0.y", "mov o0.xyzw, r0.xyzw",
    )  # fmt: skip
    for word in ("fn min_number_f32", "fn to_int_f32", "fn quotient_u32", "& 31u"):
        assert word in text


def test_a_number_is_tested_for_nan_by_its_bits() -> None:
    text = pixel("ne r0.x, v0.x, v0.x", "eq r0.y, v0.y, v0.y", "max r0.z, v0.z, v0.w",
                 "ne r0.w, v0.x, v0.y", "mov o0.xyzw, r0.xyzw")  # fmt: skip
    bits = r"\(\(bitcast<u32>\({}\) & u32\(0x7fffffffu\)\) > u32\(0x7f800000u\)\)"
    for each in (bits.format(r"texcoord0\.x"), "!" + bits.format(r"texcoord0\.y"),
                 bits.format("b")):  # fmt: skip
        assert re.search(each, text)
    assert text.count("!=") == 1  # the numbers that differ
    assert device().create_shader_module(code=text)


def test_a_discarded_lane_leaves_a_body_that_runs_once() -> None:
    printer = WgslPrinter(WgslTarget(names=DecompiledNames(())))
    for how in Leave:
        (_, *inner, _) = printer.lines([Once([JumpLine(how)])])
        words = [each.strip() for each in inner]
        assert words == [f"{how.value};", *["break;"] * (how is Leave.DISCARD)]


def test_images_that_are_read_and_written_have_their_own_barrier() -> None:
    asked = SourceExpression(
        NodeForm.BARRIER, TermType(ScalarKind.UINT), (), Barrier(True, ALL_MEMORY)
    )
    target = WgslTarget()
    assert barrier(target, asked) == "workgroupBarrier(); storageBarrier()"
    target.images = True
    assert barrier(target, asked) == "workgroupBarrier(); storageBarrier(); textureBarrier()"


def test_lines_of_the_listing_are_comments() -> None:
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    text = shader.translate("wgsl", lines=True)
    found = re.search(r" \* X\[.*;  // (\d+)$", text, flags=re.M)
    assert found is not None
    code = [each for each in shader.disassemble().splitlines() if not each.startswith("//")]
    assert code[int(found[1]) - 1].startswith("store_structured")


def test_infinities_are_read_from_a_variable() -> None:
    text = pixel("add o0.xyzw, v0.xyzw, l(0x7f800000, 0, 0, 0)")
    assert "var<private> special_bits: u32 = 0x7f800000u;" in text
    assert "bitcast<f32>(special_bits)" in text


def test_a_switch_has_a_default() -> None:
    text = pixel("switch v0.x", "case l(1)", "case l(2)", "case l(3)", "mov o0.xyzw, v0.xyzw",
                 "ret", "endswitch", "mov o0.xyzw, v0.yzwx")  # fmt: skip
    assert "case 1, 2, 3: {" in text or "case 1u, 2u, 3u: {" in text
    assert "default: {" in text


def test_words_of_atomic_operations_are_atomic() -> None:
    text = compute("dcl_uav_raw u0", "atomic_iadd u0, l(0), vThreadID.x",
                   "ld_raw r0.x, l(4), u0.xxxx", "store_raw u0.x, l(8), r0.x")  # fmt: skip
    assert "array<atomic<u32>>" in text
    assert "atomicAdd(&u0[" in text
    assert "atomicStore(&u0[" in text
    assert "atomicLoad(&u0[" in text
    assert device().create_shader_module(code=text)


def test_words_of_shared_memory_are_atomic() -> None:
    for declared, place in (("dcl_tgsm_structured g0, 16, 64", "l(1, 4, 0, 0)"),
                            ("dcl_tgsm_raw g0, 256", "vThreadID.x")):  # fmt: skip
        load = "ld_structured r0.x, l(1), l(4), g0.xxxx" if "," in place else (
            "ld_raw r0.x, l(4), g0.xxxx"
        )  # fmt: skip
        text = compute(f"dcl_uav_raw u0\n{declared}", f"atomic_iadd g0, {place}, vThreadID.y",
                       "sync_g_t", load, "store_raw u0.x, l(8), r0.x")  # fmt: skip
        assert "atomicAdd(&g0[" in text
        assert "atomicLoad(&g0[" in text
        assert "array<u32>" in text
        assert device().create_shader_module(code=text)


def test_an_exchange_is_repeated_until_it_is_made_or_another_word_is_there() -> None:
    text = compute(
        "dcl_uav_raw u0\ndcl_tgsm_structured g0, 16, 64",
        "imm_atomic_cmp_exch r0.x, u0, l(4), l(1), vThreadID.x",
        "imm_atomic_cmp_exch r0.y, g0, l(1,4,0,0), l(1), vThreadID.x",
        "atomic_cmp_store u0, vThreadID.x, l(3), r0.y", "store_raw u0.x, l(8), r0.x",
    )  # fmt: skip
    assert text.count("fn exchange_u0(i: u32, value: u32, expected: u32) -> u32 {") == 1
    assert "atomicCompareExchangeWeak(&g0[i][j], expected, value)" in text
    assert "exchange_u0(1u, global_invocation_id.x, 1u)" in text
    assert device().create_shader_module(code=text)


def test_an_operation_of_literals_is_no_constant_expression() -> None:
    text = pixel("sincos r0.x, null, l(100.0)", "exp r0.y, l(1000.0)", "mov r0.zw, l(0)",
                 "rsq r0.z, l(0)", "mov o0.xyzw, r0.xyzw")  # fmt: skip
    assert "bitcast<f32>(special_bits)" in text  # an infinity is no literal
    assert device().create_shader_module(code=text)


WAVES = """
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformQuad
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lane
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%zero = OpConstant %uint 0
%scope = OpConstant %uint 3
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%blocks = OpTypePointer StorageBuffer %block
%word = OpTypePointer StorageBuffer %uint
%given = OpTypePointer Input %uint
%lane = OpVariable %given Input
%out = OpVariable %blocks StorageBuffer
%main = OpFunction %void None %function
%start = OpLabel
%x = OpLoad %uint %lane
%sum = OpGroupNonUniformIAdd %uint %scope Reduce %x
%before = OpGroupNonUniformIAdd %uint %scope ExclusiveScan %sum
%first = OpGroupNonUniformBroadcastFirst %uint %scope %before
%other = OpGroupNonUniformQuadSwap %uint %scope %first %zero
%same = OpGroupNonUniformAllEqual %bool %scope %other
%one = OpSelect %uint %same %other %x
%place = OpAccessChain %word %out %zero %x
OpStore %place %one
OpReturn
OpFunctionEnd
"""


def test_operations_of_waves_are_those_of_subgroups() -> None:
    text = unshade.assemble(WAVES, "spirv").translate("wgsl")
    assert text.startswith("enable subgroups;\n@group")
    assert "@builtin(subgroup_invocation_id) subgroup_invocation_id: u32" in text
    for each in ("subgroupAdd(", "subgroupExclusiveAdd(", "subgroupBroadcastFirst(",
                 "subgroupShuffle(", "subgroupAll("):  # fmt: skip
        assert each in text


def test_high_products_have_a_function() -> None:
    text = pixel("imul r0.xyzw, null, v0.xyzw, v0.yzwx", "imul r1.xyzw, null, v0.x, v0.y",
                 "umul r0.x, null, v0.x, v0.y", "imul r0.y, r1.x, v0.x, v0.y",
                 "umul r0.z, r1.y, v0.x, v0.y", "iadd o0.xyzw, r0.xyzw, r1.xyxy")  # fmt: skip
    assert "fn high_product_u32(" in text
    assert device().create_shader_module(code=text)


@pytest.mark.parametrize(
    ("declared", "lines", "message"),
    [
        ("dcl_uav_typed_buffer (float,float,float,float) u0",
         ("store_uav_typed u0.xyzw, vThreadID.xxxx, l(1.0,1.0,1.0,1.0)",),
         "u0: WGSL has no buffers of texels"),
        ("dcl_uav_raw u0", ("sync_g", "store_raw u0.x, l(0), vThreadID.x"),
         "WGSL has no barrier that orders accesses without waiting"),
    ],
)  # fmt: skip
def test_what_wgsl_lacks_is_refused_by_name(
    declared: str, lines: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        compute(declared, *lines)


def test_a_refusal_names_the_line() -> None:
    with pytest.raises(UnsupportedError, match=r"without waiting \(line 7\)"):
        compute("dcl_uav_raw u0", "sync_g", "store_raw u0.x, l(0), vThreadID.x")


def test_two_resources_cannot_have_one_binding() -> None:
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    with pytest.raises(UnsupportedError, match="WGSL has no binding of several resources"):
        shader.translate("wgsl", bindings={"X": (0, 1), "Y": (0, 1)})


SAMPLED = """#version 460
layout(set = 0, binding = 1) uniform texture2D colours;
layout(set = 0, binding = 1) uniform sampler linear;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 made;
void main() { made = texture(sampler2D(colours, linear), at); }
"""


@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslangValidator")
def test_a_sampler_with_the_binding_of_a_texture_gets_another() -> None:
    """In Vulkan both may be of one combined descriptor."""
    shader = recompiled(SAMPLED, "pixel", "glsl")
    text = shader.translate("wgsl")
    assert "@group(0) @binding(1) var colours: texture_2d<f32>;" in text
    assert "@group(0) @binding(301) var linear: sampler;" in text


def test_a_texel_of_a_layer() -> None:
    text = compute(
        "dcl_uav_typed_texture2darray (float,float,float,float) u0",
        "store_uav_typed u0.xyzw, vThreadID.xyzz, l(0, 1.0, 0, 1.0)",
    )
    assert "var u0: texture_storage_2d_array<rgba32float, write>;" in text
    where = "global_invocation_id.xy, global_invocation_id.z"
    assert f"textureStore(u0, {where}, vec4f(0.0, 1.0, 0.0, 1.0));" in text
    with pytest.raises(UnsupportedError, match="u0: WGSL has no writable texture of this shape"):
        compute(
            "dcl_uav_typed_texture1darray (float,float,float,float) u0",
            "store_uav_typed u0.xyzw, vThreadID.xyyy, l(0, 1.0, 0, 1.0)",
        )


@pytest.mark.slow
def test_naga_accepts_them() -> None:
    for each in WHOLE:
        assert device().create_shader_module(code=source(each)), each


def test_a_row_beyond_the_end_of_a_table_is_zero() -> None:
    table = "dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0}, { 5.0, 6.0, 7.0, 8.0} }"
    lines = ("ftoi r0.x, v0.x", "ieq r0.x, r0.x, l(1)", "mov o0.xyzw, icb[r0.x + 0].xyzw")
    text = PIXEL.format("\n".join(lines)).replace("dcl_temps", f"{table}\ndcl_temps")
    made = unshade.assemble(text, "dxcontainer").translate("wgsl")
    assert "fn icb_row(i: u32) -> vec4f {" in made
    assert "out_target0 = icb_row(" in made
    assert device().create_shader_module(code=made)


def test_parameters_of_one_location_keep_their_own_components() -> None:
    target, vector = WgslTarget(), TermType(ScalarKind.FLOAT, 32, 4)
    listed = EntryParameter("uv", vector.wide(2), Direction.OUTPUT, location=2)
    listed.ports = {Port("uv.x", F32): 0, Port("uv.y", F32): 1}
    rest = EntryParameter("o2", vector, Direction.OUTPUT, location=2)  # without a signature
    rest.ports = {Port("o2.z", F32): 2, Port("o2.w", F32): 3}
    for each in ([listed, rest], [rest, listed]):
        parts: Any = SimpleNamespace(interface=SimpleNamespace(outputs=each))
        port = LocatedPort("location_2", vector, "@location(2)", each)
        text = returned(target, parts, [port])
        assert text == "Outputs(vec4f(uv.x, uv.y, o2.z, o2.w))"


def test_groups_are_those_of_webgpu() -> None:
    """A device has at least four; the groups of higher spaces are free ones, in order."""
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    text = shader.translate(bindings={"X": (9, 0), "Y": (5, 1)}).translate("wgsl")
    assert "@group(0) @binding(0) var<uniform> P" in text
    assert "@group(1) @binding(1) var<storage, read_write> Y" in text
    assert "@group(2) @binding(0) var<storage, read> X" in text
    given = shader.translate("wgsl", bindings={"X": (9, 0)})
    assert "@group(9) @binding(0) var<storage, read> X" in given


INTERPOLATED = """ps_5_0
dcl_input_ps linear v0.xy
dcl_input_ps constant v1.x
dcl_input_ps linear noperspective v2.xy
dcl_input_ps linear centroid v3.x
dcl_output o0.xyzw
dcl_temps 1
add r0.xy, v0.xyxx, v2.xyxx
mov o0.xy, r0.xyxx
mov o0.z, v1.x
mov o0.w, v3.x
ret
"""
PASSED = """// Input signature:
// Name Index Mask Register SysValue Format Used
// ---- ----- ---- -------- -------- ------ ----
// CORNER   0 xyzw        0     NONE  float xyzw
// PIECE    0    x        1     NONE   uint    x
//
// Output signature:
// Name        Index Mask Register SysValue Format Used
// ----------- ----- ---- -------- -------- ------ ----
// SV_Position     0 xyzw        0      POS  float xyzw
// PIECE           0    x        1     NONE   uint    x
vs_5_0
dcl_input v0.xyzw
dcl_input v1.x
dcl_output_siv o0.xyzw, position
dcl_output o1.x
mov o0.xyzw, v0.xyzw
mov o1.x, v1.x
ret
"""


@pytest.mark.fast
@pytest.mark.parametrize(
    ("text", "located"),
    [
        (
            INTERPOLATED,
            [(0, "", "vec2f"), (1, "flat", "f32"), (2, "linear", "vec2f"),
             (3, "perspective, centroid", "f32"), (0, "", "vec4f")],
        ),
        (PASSED, [(0, "", "vec4f"), (1, "", "u32"), (1, "flat", "u32")]),
    ],
)  # fmt: skip
def test_what_lies_between_stages_is_interpolated(
    text: str, located: list[tuple[int, str, str]]
) -> None:
    """Attributes of vertices and targets are not; integers are flat."""
    made = unshade.assemble(text, "dxcontainer").translate("wgsl")
    found = re.findall(r"@location\((\d)\)(?: @interpolate\(([^)]*)\))? \w+: (\w+)", made)
    assert sorted(found) == sorted((str(number), how, type) for number, how, type in located)
