"""SPIR-V of our own shaders: instructions, names, bindings, validity, and the same bits."""

import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.decompile.shaders import translated_text
from unshade.decompile.tree import (
    BranchLine,
    Evaluate,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
)
from unshade.decompile.tree import name as named
from unshade.decompile.vulkan.lines import FunctionLines
from unshade.decompile.vulkan.module import SpirvSections, number
from unshade.decompile.vulkan.operations import emitted
from unshade.decompile.vulkan.writer import SpirvWriter
from unshade.errors import UnsupportedError, UsageError
from unshade.ir.ops import OPS

from .recompiled import translated_outcome
from .test_decompile import PIXEL
from .test_glsl import COMPUTE

EXAMPLES = REPOSITORY / "examples"
TARGETS = ("vulkan1.1", "vulkan1.2", "vulkan1.3")
WHOLE = ("phong.dxbc", "saxpy.dxbc", "matmul.dxbc", "mandel.dxbc", "gyroid.dxbc", "skinning.dxbc",
         "saxpy6.dxil", "lit.shbin", "julia.skslb", "clay.frag.spv", "particles.spv")  # fmt: skip


def pixel(*lines: str, declared: str = "", target: str = "vulkan1.1") -> unshade.Shader:
    text = PIXEL.format("\n".join(lines)).replace("dcl_temps", f"{declared}\ndcl_temps")
    return unshade.assemble(text, "dxcontainer").translate(target=target)


def compute(declared: str, *lines: str) -> unshade.Shader:
    text = COMPUTE.format(declared, "\n".join(lines))
    return unshade.assemble(text, "dxcontainer").translate()


def listing(name: str, target: str = "vulkan1.1") -> str:
    shader = unshade.open(str(EXAMPLES / name))
    return shader.translate(target=target, entry=_entry(shader)).disassemble()


def _entry(shader: unshade.Shader) -> str | None:
    entries = shader.programs[0].entry_points
    return entries[0][0] if len(entries) > 1 else None


def test_names_are_those_of_the_reflection() -> None:
    text = listing("saxpy.dxbc")
    for name in ("P", "X", "Y", "gl_GlobalInvocationID"):
        assert f'"{name}"' in text
    assert re.search(r'OpMemberName %\w+ 1 "n"', text)


def test_bindings_follow_the_class_of_the_register() -> None:
    found = unshade.open(str(EXAMPLES / "saxpy.dxbc")).translate().reflect().resources
    places = {each.name: (each.space, each.register) for each in found}
    assert places == {"P": (0, 0), "X": (0, 100), "Y": (0, 201)}


def test_bindings_are_given_by_name_or_register() -> None:
    shader = unshade.open(str(EXAMPLES / "saxpy.dxbc"))
    made = shader.translate(bindings={"X": (2, 3), "u1": (1, 0), "b0,space0": (4, 5)})
    places = {each.name: (each.space, each.register) for each in made.reflect().resources}
    assert places == {"P": (4, 5), "X": (2, 3), "Y": (1, 0)}


@pytest.mark.parametrize(
    ("given", "message"),
    [({"Z": (0, 0)}, "uses no resource 'Z'"), ({"X": (0, -1)}, "a set and a binding"),
     ({"X": 3}, "a set and a binding")],
)  # fmt: skip
def test_a_wrong_map_is_refused(given: dict[str, tuple[int, int]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        unshade.open(str(EXAMPLES / "saxpy.dxbc")).translate(bindings=given)


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown target 'vulkan9': expected one of vulkan1\.1"):
        unshade.open(str(EXAMPLES / "saxpy.dxbc")).translate(target="vulkan9")


def test_rules_that_spirv_leaves_open_are_guarded() -> None:
    text = pixel(
        "min r0.x, v0.x, v0.y", "ftoi r0.y, v0.z", "ishl r0.y, r0.y, v0.w", "itof r0.y, r0.y",
        "udiv r0.z, r0.w, v0.x, v0.y", "utof r0.zw, r0.zzzw", "mov o0.xyzw, r0.xyzw",
    ).disassemble()  # fmt: skip
    for word in ("NMin", "NClamp", "OpBitwiseAnd", "DenormFlushToZero 32", "OpUDiv", "OpUMod"):
        assert word in text
    assert "FMin" not in text
    assert "OpDot" not in listing("phong.dxbc")
    assert "NoContraction" in listing("phong.dxbc")


def test_the_modes_of_floats_hold_for_what_samplers_compute() -> None:
    fetch = (
        "mov r0.xyzw, l(0, 0, 0, 0)",
        "ld_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyzw, t0.xyzw",
    )
    sample = ("sample_b o0.xyzw, v0.xyxx, t0.xyzw, s0, v0.z",)
    declared = "dcl_sampler s0, mode_default\ndcl_resource_texture2d (float,float,float,float) t0"
    assert "DenormFlushToZero 32" in pixel(*sample, declared=declared).disassemble()
    assert "Denorm" not in pixel(*fetch, declared=declared).disassemble()


DISCARD = ("lt r0.x, v0.x, l(0)", "discard_nz r0.x", "mov o0.xyzw, v0.xyzw")


def test_a_discarded_pixel_ends_only_if_nothing_needs_it() -> None:
    assert "OpKill" in pixel(*DISCARD).disassemble()
    assert "OpDemoteToHelperInvocation" in pixel(*DISCARD, target="vulkan1.3").disassemble()
    quad = pixel(*DISCARD[:2], "deriv_rtx_coarse r0.x, v0.x", "mov o0.xyzw, r0.xxxx")
    text = quad.disassemble()
    assert "OpKill" not in text
    assert 'OpExtension "SPV_EXT_demote_to_helper_invocation"' in text


def test_versions_of_vulkan_need_fewer_extensions() -> None:
    old, new = (listing("phong.dxbc", target) for target in ("vulkan1.1", "vulkan1.3"))
    assert "; Version: 1.3" in old
    assert "; Version: 1.6" in new
    assert old.count("OpExtension ") == 2
    assert "OpExtension " not in new


def test_a_value_is_computed_once_in_a_block() -> None:
    text = pixel("mul r0.xyzw, v0.xyzw, v0.xyzw", "mad o0.xyzw, v0.xyzw, v0.xyzw, r0.xyzw")
    assert text.disassemble().count("OpFMul") == 1


@pytest.mark.parametrize(
    ("bits", "type", "text"),
    [
        (0x3F80_0000, "float", "1"), (0x8000_0000, "float", "-0"), (0x3DCC_CCCD, "float", "0.1"),
        (0x7F80_0000, "float", "0x1p+128"), (0xFFC0_0000, "float", "-0x1.8p+128"),
        (1, "float", "0x1p-149"), (0x0040_0001, "float", "0x1.000004p-127"),
        (0xFFFF_FFFF, "int", "-1"), (0xFFFF_FFFF, "uint", "4294967295"),
    ],
)  # fmt: skip
def test_numbers_are_the_shortest_with_the_same_bits(bits: int, type: str, text: str) -> None:
    assert number(bits, TermType(ScalarKind(type))) == text


@pytest.mark.parametrize("bits", [1, 0x0040_0001, 0x7F80_0001, 0xFF80_0000, 0x7F7F_FFFF, 0xB3])
def test_the_assembler_reads_the_same_bits(bits: int) -> None:
    text = f"; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeFloat 32\n%2 = OpConstant %1 {number(bits, TermType(ScalarKind.FLOAT))}\n"  # noqa: E501
    made = unshade.assemble(text, "spirv").to_bytes()
    assert int.from_bytes(made[-4:], "little") == bits


def test_a_stage_without_a_translation_is_refused() -> None:
    shader = unshade.open(str(EXAMPLES / "sheet.h.dxbc"))
    with pytest.raises(UnsupportedError, match="hull shaders cannot be"):
        shader.translate("wgsl")


@pytest.mark.parametrize("name", WHOLE)
def test_modules_are_valid_and_read_again(name: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    made = shader.translate(entry=_entry(shader))
    assert [*made.verify()] == []
    assert made.programs[0].entry_points[0].stage == shader.programs[0].entry_points[0].stage


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="needs spirv-tools")
@pytest.mark.parametrize("target", TARGETS)
def test_spirv_val_accepts_them(target: str, tmp_path: Path) -> None:
    path = tmp_path / "made.spv"
    for name in WHOLE:
        shader = unshade.open(str(EXAMPLES / name))
        path.write_bytes(shader.translate(target=target, entry=_entry(shader)).to_bytes())
        ended = subprocess.run(
            ["spirv-val", "--target-env", target, path], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, (name, ended.stdout, ended.stderr)


# Those with loops whose number of turns is an argument take long.
SHORT = tuple(each for each in WHOLE if each not in ("phong.dxbc", "matmul.dxbc"))


@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_both_engines_compute_the_same_bits(name: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    entry = _entry(shader)
    assert translated_outcome(shader, shader.translate(entry=entry), 64, 2, entry) == "equal"


ARITHMETIC = (
    ("ftoi r0.xyzw, v0.xyzw", "itof o0.xyzw, r0.xyzw"),
    ("ftou r0.xyzw, v0.xyzw", "utof o0.xyzw, r0.xyzw"),
    ("udiv r0.xyzw, r1.xyzw, v0.xyzw, v0.yzwx", "iadd o0.xyzw, r0.xyzw, r1.xyzw"),
    ("umul r0.xyzw, null, v0.xyzw, v0.yzwx", "mov o0.xyzw, r0.xyzw"),
    ("imul r0.xyzw, null, v0.xyzw, v0.yzwx", "mov o0.xyzw, r0.xyzw"),
    ("ishl r0.xyzw, v0.xyzw, v0.yzwx", "ishr o0.xyzw, r0.xyzw, v0.zwxy"),
    ("firstbit_hi r0.x, v0.x", "firstbit_shi r0.y, v0.y", "firstbit_lo r0.z, v0.z",
     "countbits r0.w, v0.w", "mov o0.xyzw, r0.xyzw"),
    ("f32tof16 r0.xyzw, v0.xyzw", "f16tof32 o0.xyzw, r0.xyzw"),
    ("mov_sat r0.xyzw, v0.xyzw", "frc o0.xyzw, r0.xyzw"),
    ("min r0.xyzw, v0.xyzw, v0.yzwx", "max o0.xyzw, r0.xyzw, v0.zwxy"),
    ("dp4 r0.x, v0.xyzw, v0.yzwx", "dp2 r0.y, v0.xyxx, v0.zwzz", "dp3 r0.z, v0.xyzx, v0.yzwy",
     "mov r0.w, v0.x", "mov o0.xyzw, r0.xyzw"),
    ("lt r0.xyzw, v0.xyzw, v0.yzwx", "ne r1.xyzw, v0.xyzw, v0.zwxy",
     "and r0.xyzw, r0.xyzw, r1.xyzw", "movc o0.xyzw, r0.xyzw, v0.xyzw, v0.yzwx"),
    ("sincos r0.xyzw, r1.xyzw, v0.xyzw", "add o0.xyzw, r0.xyzw, r1.xyzw"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lines", ARITHMETIC, ids=[each[0].split()[0] for each in ARITHMETIC])
def test_operations_have_the_same_bits(lines: tuple[str, ...]) -> None:
    text = PIXEL.format("\n".join(lines))
    shader = unshade.assemble(text, "dxcontainer")
    assert translated_outcome(shader, shader.translate(), 64, 4) == "equal"


LOOPS = (
    ("mov r0.x, l(0)", "mov r0.yzw, v0.yyzw", "loop", "ige r1.x, r0.x, l(4)", "breakc_nz r1.x",
     "add r0.yzw, r0.yyzw, v0.xxyz", "lt r1.y, r0.y, v0.z", "if_nz r1.y", "iadd r0.x, r0.x, l(2)",
     "continue", "endif", "iadd r0.x, r0.x, l(1)", "endloop", "mov o0.xyzw, r0.xyzw"),
    ("and r0.x, v0.x, l(3)", "switch r0.x", "case l(1)", "case l(2)", "mov o0.xyzw, v0.xyzw",
     "break", "case l(0)", "mov o0.xyzw, v0.yzwx", "ret", "default", "mov o0.xyzw, v0.wzyx",
     "break", "endswitch"),
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lines", LOOPS, ids=["loop", "switch"])
def test_control_flow_has_the_same_bits(lines: tuple[str, ...]) -> None:
    text = PIXEL.format("\n".join(lines))
    shader = unshade.assemble(text, "dxcontainer")
    made = shader.translate()
    assert [*made.verify()] == []
    assert translated_outcome(shader, made, 64, 2) == "equal"


def test_atomic_operations_and_shared_memory() -> None:
    text = compute(
        "dcl_uav_raw u0\ndcl_tgsm_structured g0, 16, 64",
        "store_structured g0.x, vThreadID.x, l(4), vThreadID.y",
        "sync_g_t",
        "ld_structured r0.x, vThreadID.y, l(4), g0.xxxx",
        "imm_atomic_iadd r1.x, u0, l(8), r0.x",
        "atomic_umax u0, l(12), r1.x",
    ).disassemble()
    for word in ("OpAtomicIAdd", "OpAtomicUMax", "OpControlBarrier", "Workgroup"):
        assert word in text


def test_a_fused_product_and_sum_is_not_taken_apart() -> None:
    module = SpirvSections((1, 3))
    type = TermType(ScalarKind.FLOAT, 32, 2)
    value = SourceExpression(OPS.ffma, type, (named("a", type),) * 3)
    nothing: Any = None  # an operation asks for no part of the program
    made = emitted(SpirvWriter(module, nothing), value, type, ["%a"] * 3)
    assert module.decorations == [f"OpDecorate {made} NoContraction"]


SHARED = ("ld_raw r0.x, vThreadID.x, u0.xxxx", "store_raw u1.x, l(4), r0.x", "sync_uglobal_g_t",
          "store_raw u0.x, l(8), r0.x")  # fmt: skip


def test_what_lanes_write_for_others_is_coherent() -> None:
    text = compute("dcl_uav_raw u0\ndcl_uav_raw u1", *SHARED).disassemble()
    assert "OpDecorate %u0 Coherent" in text
    assert "OpDecorate %u1 Coherent" not in text  # which nobody reads
    alone = (*SHARED[:2], *SHARED[3:])
    assert "Coherent" not in compute("dcl_uav_raw u0\ndcl_uav_raw u1", *alone).disassemble()
    asked = compute("dcl_uav_raw_glc u0\ndcl_uav_raw u1", *alone).disassemble()
    assert "OpDecorate %u0 Coherent" in asked


def test_an_image_that_is_only_written_is_not_read_without_format() -> None:
    text = compute(
        "dcl_uav_typed_texture2d (float,float,float,float) u0",
        "store_uav_typed u0.xyzw, vThreadID.xyyy, l(1.0,2.0,3.0,4.0)",
    ).disassemble()
    assert "StorageImageWriteWithoutFormat" in text
    assert "StorageImageReadWithoutFormat" not in text


@pytest.mark.parametrize("name", ["phong.dxbc", "mandel.dxbc"])
def test_lines_of_the_listing_are_debug_information(name: str) -> None:
    shader = unshade.open(str(EXAMPLES / name))
    made = shader.translate(lines=True)
    assert [*made.verify()] == []
    text = made.disassemble()
    assert re.search(r'(%\w+) = OpString "listing"', text)
    told = {int(each) for each in re.findall(r"OpLine %\w+ (\d+) 0", text)}
    instructions = 1 + sum(not each.startswith("//") for each in shader.disassemble().splitlines())
    assert len(told) > 4
    assert max(told) in range(instructions - 2, instructions)  # the last but `ret`
    without = re.sub(r" *OpLine.*\n", "", text).count("\n")
    assert without == shader.translate().disassemble().count("\n") + 1  # the name of the listing


def test_a_refusal_names_the_line_and_what_was_asked_for() -> None:
    parts: Any = SimpleNamespace(numbers=False)
    lines = [Evaluate(named("nothing", TermType(ScalarKind.FLOAT)), 7)]
    nested = [
        Repeat([BranchLine(literal((1,), TermType(ScalarKind.BOOL)), [*lines], [], 6)], line=5)
    ]
    for each in (lines, nested):
        made = FunctionLines(SpirvWriter(SpirvSections((1, 6)), parts), each)
        with pytest.raises(UnsupportedError, match=r"the name nothing .* yet \(line 7\)$"):
            made.write(each)
    hull = unshade.open(str(EXAMPLES / "sheet.h.dxbc"))
    with pytest.raises(UnsupportedError, match="hull shaders cannot be translated yet"):
        hull.translate("wgsl")


def test_a_module_keeps_its_bindings() -> None:
    shader = unshade.open(str(EXAMPLES / "clay.frag.spv"))
    places = {(each.space, each.register) for each in shader.translate().reflect().resources}
    assert places == {(each.space, each.register) for each in shader.reflect().resources}


def test_a_geometry_shader_emits_vertices() -> None:
    shader = unshade.open(str(EXAMPLES / "billboards.dxbc"))
    made = shader.translate()
    assert [*made.verify()] == []
    text = made.disassemble()
    for word in ("InputPoints", "OutputTriangleStrip", "OutputVertices 4", "OpEmitVertex"):
        assert word in text
    assert translated_outcome(shader, made, 64, 1) == "equal"


def test_a_hull_shader_is_two_functions() -> None:
    shader = unshade.open(str(EXAMPLES / "sheet.h.dxbc"))
    made = shader.translate()
    assert [*made.verify()] == []
    text = made.disassemble()
    for word in ("TessellationControl", "OutputVertices 4", "Quads", "BuiltIn TessLevelOuter",
                 "OpControlBarrier"):  # fmt: skip
        assert word in text
    assert text.count("OpFunctionCall") == 2
    assert translated_outcome(shader, made, 64, 2) == "equal"


def test_constants_of_a_patch_follow_its_control_points() -> None:
    shader = unshade.open(str(EXAMPLES / "sheet.d.dxbc"))
    made = shader.translate()
    assert [*made.verify()] == []
    text = made.disassemble()
    for word in ("TessellationEvaluation", "Quads", "BuiltIn TessCoord", "Patch"):
        assert word in text
    assert translated_outcome(shader, made, 64, 1) == "equal"


def test_the_text_has_each_type_once() -> None:
    shader = unshade.open(str(EXAMPLES / "phong.dxbc"))
    lines = translated_text(shader, target="vulkan1.1").splitlines()
    types = [each.split(" = ")[1] for each in lines if " = OpTypeVector" in each]
    assert len(types) == len(set(types))


ROWS = ("ftou r0.x, v0.x", "mov o0.xyzw, icb[r0.x + 0].xyzw")
TABLE = "dcl_immediateConstantBuffer { { 1.0, 2.0, 3.0, 4.0}, { 5.0, 6.0, 7.0, 8.0} }"


def test_a_row_beyond_the_end_of_a_table_is_zero() -> None:
    text = PIXEL.format("\n".join(ROWS)).replace("dcl_temps", f"{TABLE}\ndcl_temps")
    shader = unshade.assemble(text, "dxcontainer")
    made = shader.translate()
    assert [*made.verify()] == []
    found = made.disassemble()
    assert "OpULessThan" in found
    assert re.search(r"OpSelect %v4float ", found)
    assert translated_outcome(shader, made, 64, 2) == "equal"
    known = pixel("mov o0.xyzw, icb[1].xyzw", declared=TABLE).disassemble()
    assert "OpULessThan" not in known


def test_lanes_of_one_pixel_take_turns() -> None:
    declared = "dcl_uav_typed_texture2d_rov (float,float,float,float) u0\ndcl_temps"
    lines = ("ftou r0.xy, v0.xyxx", "store_uav_typed u0.xyzw, r0.xyyy, v0.xyzw", "if_nz r0.x",
             "ret", "endif", "mov o0.xyzw, v0.xyzw")  # fmt: skip
    text = PIXEL.format("\n".join(lines)).replace("dcl_temps", declared)
    shader = unshade.assemble(text, "dxcontainer")
    made = shader.translate()
    assert [*made.verify()] == []
    found = made.disassemble()
    assert "PixelInterlockOrderedEXT" in found
    assert "OpDecorate %u0 Coherent" in found
    assert found.count("OpBeginInvocationInterlockEXT") == 1
    assert len(re.findall(r"OpEndInvocationInterlockEXT\n +OpReturn\n", found)) == 2
    with pytest.raises(UnsupportedError, match="WGSL has no order of the lanes of one pixel"):
        shader.translate("wgsl")


@pytest.mark.fast
@pytest.mark.parametrize(
    ("conversion", "least", "largest"),
    [
        ("ftoi r0.x, v0.x", -(1 << 31), (1 << 31) - (1 << 7)),
        ("ftou r0.x, v0.x", 0, (1 << 32) - (1 << 8)),
        ("dtoi r0.x, v0.xyxy", -(1 << 31), (1 << 31) - 1),
        ("dtou r0.x, v0.xyxy", 0, (1 << 32) - 1),
    ],
)
def test_floats_are_clamped_to_those_that_are_integers(
    conversion: str, least: int, largest: int
) -> None:
    """Only values that exist in both types are converted; a float has 24 bits, a double 53."""
    text = pixel(conversion, "mov o0.xyzw, r0.xxxx").disassemble(raw_id=True)
    values = dict(re.findall(r"(%\d+) = OpConstant %\d+ (\S+)", text))
    (clamp,) = re.findall(r"NClamp %\S+ (%\d+) (%\d+)", text)
    digits = 1e-8 if conversion[0] == "f" else 1e-12  # as many as a listing has
    found = [float(values[each]) for each in clamp]
    assert found == pytest.approx([least, largest], rel=digits)


@pytest.mark.fast
@pytest.mark.parametrize(
    ("shape", "numbers"),
    [("1d", 1), ("1darray", 2), ("2d", 2), ("2darray", 3), ("3d", 3), ("cube", 2)],
)
def test_sizes_of_textures_are_as_many_numbers_as_their_shape_has(shape: str, numbers: int) -> None:
    """Then zeros, so that the number of levels is the fourth."""
    types = "(float,float,float,float)"
    made = pixel(
        f"resinfo_indexable(texture{shape}){types}_uint r0.xyzw, l(0), t0.xyzw",
        "utof o0.xyzw, r0.xyzw",
        declared=f"dcl_resource_texture{shape} {types} t0",
    )
    text = made.disassemble()
    (type,) = re.findall(r"OpImageQuerySizeLod (%\S+)", text)
    assert type == ("%uint" if numbers == 1 else f"%v{numbers}uint")
    assert text.count("OpImageQueryLevels %uint") == 1
    assert made.verify() == []


def test_built_ins_that_are_arrays_have_the_size_that_is_written() -> None:
    distances = unshade.assemble(
        "vs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v0.xyzw\n"
        "dcl_output_siv o0.xyzw, position\ndcl_output_siv o1.xyz, clip_distance\n"
        "mov o0.xyzw, v0.xyzw\nmov o1.xyz, v0.xyzx\nret\n",
        "dxcontainer",
    ).translate("spirv").disassemble()  # fmt: skip
    assert re.search(r"%_arr_float_uint_3 = OpTypeArray %float %uint_3\n", distances)
    mask = unshade.assemble(
        "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_output o0.xyzw\ndcl_output oMask\n"
        "mov o0.xyzw, l(1.0,1.0,1.0,1.0)\nmov oMask, l(5)\nret\n",
        "dxcontainer",
    ).translate("spirv").disassemble()  # fmt: skip
    assert re.search(r"%_arr_int_uint_1 = OpTypeArray %int %uint_1\n", mask)
    assert len(re.findall("OpTypeArray", mask)) == 1
