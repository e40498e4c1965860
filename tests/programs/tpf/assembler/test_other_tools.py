"""Listings of other tools: vkd3d-compiler, RenderDoc, fxc with numbers, terminals."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import dwords, program, program_errors
from unshade import assemble
from unshade.errors import AssembleError
from unshade.programs.tpf import Instruction, Program
from unshade.programs.tpf.operands import Index, Operand
from unshade.programs.tpf.tables.ops import OPS

VKD3D = """\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer {
    {0xbf800000, 0x3f800000, 0x00000000, 0x00000000},
    {0x3f800000, 0x00000007, 0x3f800000, 0x00000000},
}
dcl_constantBuffer cb0[4], dynamicIndexed
dcl_sampler s0
dcl_sampler s1, comparisonMode
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (int,int,int,int) t1
dcl_input_ps linear v0.xyw
dcl_input_ps_siv constant v1.x, render_target_array_index
dcl_input_ps_sgv v1.y, sample_index
dcl_input primID
dcl_output o0.xyzw
dcl_temps 2
dsx r0.x, v0.x
loop
    ge r0.y, r0.x, cb0[0].x
    breakp_nz r0.y
    mul_sat r0.xyz, r0.x, -|cb0[r1.x + 0].xyzx|
endloop
sample_indexable(texture2d) r0.xyzw, v0.xyxx, t0.xyzw, s0
sample_c_lz_indexable(texture2d)(1,0,-2) r0.w, v0.xyxx, t0.x, s1, r0.x
ld_indexable(texture2d)(int,int,int,int) r1.xyzw, vThreadID.xyyy, t1.xyzw
resinfo_uint_indexable(texture2d) r1.xy, l(0), t0.xyzw
dp3 r0.x, r0.xyzx, r1.w
sample_l_indexable(texture2d) r0.xyzw, v0.xyxx, t0.xyzw, s0, v0.w
add [precise(xy)]_sat r0.xy, r0.x, l(1.00000000e+00, 5.00000000e-01, 0.00000000e+00, 0.00000000e+00)
mov r0.w, l(7)
mad o0.xyzw, v0.w, r0.xyzw, icb[r0.w + 1].y
retp_z r1.x
ret
"""
NATIVE = """\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { -1.000000, 1.000000, 0, 0},
                              { 1.000000, 7, 1.000000, 0} }
dcl_constantbuffer CB0[4], dynamicIndexed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (sint,sint,sint,sint) t1
dcl_input_ps linear v0.xyw
dcl_input_ps_siv constant v1.x, rendertarget_array_index
dcl_input_ps_sgv constant v1.y, sampleIndex
dcl_input vPrim
dcl_output o0.xyzw
dcl_temps 2
deriv_rtx r0.x, v0.x
loop
  ge r0.y, r0.x, cb0[0].x
  breakc_nz r0.y
  mul_sat r0.xyz, r0.xxxx, -|cb0[r1.x + 0].xyzx|
endloop
sample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0
sample_c_lz_aoffimmi_indexable(1,0,-2)(texture2d)(float,float,float,float) r0.w, v0.xyxx, t0.xxxx, s1, r0.x
ld_indexable(texture2d)(sint,sint,sint,sint) r1.xyzw, vThreadID.xyyy, t1.xyzw
resinfo_indexable(texture2d)(float,float,float,float)_uint r1.xy, l(0), t0.xyzw
dp3 r0.x, r0.xyzx, r1.wwww
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0, v0.w
add_sat [precise(xy)] r0.xy, r0.xxxx, l(1.000000, 0.500000, 0, 0)
mov r0.w, l(7)
mad o0.xyzw, v0.wwww, r0.xyzw, icb[r0.w + 1].yyyy
retc_z r1.x
ret
"""  # noqa: E501


def test_a_listing_of_vkd3d_compiler() -> None:
    theirs, ours = Program.assemble(VKD3D), Program.assemble(NATIVE)
    for one, other in zip(theirs.instructions, ours.instructions, strict=True):
        assert one.encode() == other.encode(), one
    assert theirs.encode() == ours.encode()


def test_saturation_is_printed_before_each_result() -> None:
    assert dwords("sincos_sat r2.xy_sat, r3.xy, r1.xyxx") == dwords(
        "sincos_sat r2.xy, r3.xy, r1.xyxx"
    )
    assert dwords("sincos_sat null_sat, r3.x, r1.x") == dwords("sincos_sat null, r3.x, r1.x")
    assert dwords("swapc_sat r0.x_sat, r1.y, r2.x, l(1), l(2)")[0] >> 13 & 1


def test_colours() -> None:
    coloured = VKD3D.replace("r0", "\x1b[96mr0\x1b[m").replace("ps_5_0", "\x1b[36mps_5_0\x1b[m")
    assert Program.assemble(coloured).encode() == Program.assemble(NATIVE).encode()


def test_errors_show_the_text_without_colours() -> None:
    with pytest.raises(AssembleError) as caught:
        Program.assemble("ps_5_0\n\x1b[96;1mmvo\x1b[m \x1b[96mr0\x1b[m.\x1b[93mx\x1b[m, l(0)\nret")
    assert str(caught.value) == (
        "text:2:1: unknown instruction 'mvo'; did you mean mov?\n    mvo r0.x, l(0)\n    ^~~"
    )


def test_ranges_of_shader_model_5_1() -> None:
    theirs = program(
        "dcl_constantBuffer cb0[0:0][2], immediateIndexed, space=0",
        "dcl_sampler s0[0:0], space=3",
        "dcl_resource_structured t0[0:*].xyzw, 16, space=1",
        "dcl_uav_raw u0[2:2].xyzw, space=0",
        "ret",
        profile="ps_5_1",
    )
    ours = program(
        "dcl_constantbuffer CB0[0:0][2], immediateIndexed, space=0",
        "dcl_sampler S0[0:0], mode_default, space=3",
        "dcl_resource_structured T0[0:*], 16, space=1",
        "dcl_uav_raw U0[2:2], space=0",
        "ret",
        profile="ps_5_1",
    )
    assert theirs.encode() == ours.encode()


def test_a_component_for_several_shows_the_tool() -> None:
    """Without other signs; but fxc itself writes some shifts so."""
    found = program("mov r0.xyz, r1.x", "ushr r0.xy, r1.xyxx, r2.x", "if_nz r0.x", "endif", "ret")
    moved, shifted, tested = found.instructions[:3]
    assert moved.operands[1].mode == 1
    assert moved.operands[1].swizzle == (0, 0, 0, 0)
    assert shifted.operands[2].mode == 1
    assert tested.operands[0].mode == 2
    alone = program("ushr r0.xy, r1.xyxx, r2.x", "ret").instructions[0]
    assert alone.operands[2].mode == 2


def test_what_the_listing_does_not_contain_is_refused() -> None:
    lines = ("dcl_sampler s0", "dcl_function_table ft0 = {...}", "dcl_input r", "ret")
    assert program_errors(*lines) == [
        (3, "expected a function body, fb# for each element, got '...'"),
        (4, "expected a number after 'r': vkd3d-compiler prints 'r' for registers that it"
            " does not know"),
    ]  # fmt: skip


NUMBERED = """\
ps_5_0
dcl_temps 1
   0: mov r0.x, l(1.000000)
   1: if_nz r0.x
   2:   mov r0.y, l(2)   // 3: no number
0x00000060: endif
      12:
   3: ret
"""


def test_numbers_and_offsets_of_lines() -> None:
    plain = program(
        "dcl_temps 1", "mov r0.x, l(1.0)", "if_nz r0.x", "mov r0.y, l(2)", "endif", "ret"
    )
    assert Program.assemble(NUMBERED).encode() == plain.encode()


def test_errors_of_numbered_lines() -> None:
    assert program_errors("   0: mvo r0.x, l(0)", "   1: ret") == [
        (2, "unknown instruction 'mvo'; did you mean mov?")
    ]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("dcl_globalFlags refactoringAllowed, skipOptimisation, d3d12AllResourcesBound",
         "dcl_globalFlags refactoringAllowed | skipOptimization | allResourcesBound"),
        ("dcl_input_ps nointerpolation v1.x", "dcl_input_ps constant v1.x"),
        ("dcl_input_ps_sgv nointerpolation v1.x, isfrontface",
         "dcl_input_ps_sgv constant v1.x, is_front_face"),
        ("dcl_uav_structured u1, 16, hasOrderPreservingCounter, globallyCoherant",
         "dcl_uav_structured_glc_opc u1, 16"),
        ("dcl_uav_raw u1, rasterizerOrderedAccess", "dcl_uav_raw_rov u1"),
        ("dcl_uav_typed_texture2d (uint,uint,uint,uint) u1, rasterizerOrderedAccess",
         "dcl_uav_typed_texture2d_rov (uint,uint,uint,uint) u1"),
        ("add_sat [precise(x)]  r0.x, -abs(r1.x {min16f}), abs(cb0[1].x)",
         "add_sat [precise(x)] r0.x, -|r1.x {min16f}|, |cb0[1].x|"),
        ("sample_c(texture2d)(float,float,float,float) r0.x, v0.xyxx, t0.xxxx, s0, l(0)",
         "sample_c_indexable(texture2d)(float,float,float,float) r0.x, v0.xyxx, t0.xxxx, s0, l(0)"),
        ("ld_indexable(1,0,-1)(texture2d)(float,float,float,float) r0.xyzw, r1.xyzw, t0.xyzw",
         "ld_aoffimmi_indexable(1,0,-1)(texture2d)(float,float,float,float) r0.xyzw, r1.xyzw,"
         " t0.xyzw"),
        ("resinfo_indexable(texture2d)(float,float,float,float)_float r0.x, l(0), t0.xyzw",
         "resinfo_indexable(texture2d)(float,float,float,float) r0.x, l(0), t0.xyzw"),
    ],
)  # fmt: skip
def test_renderdoc(theirs: str, ours: str) -> None:
    assert dwords(theirs) == dwords(ours)


def test_renderdoc_before_shader_model_5() -> None:
    """It names the operation sample_indexable in every model."""
    source = "r0.xyzw, v0.xyxx, t0.xyzw, s0"
    theirs = program(f"sample_indexable {source}", "ret", profile="ps_4_0")
    assert theirs.encode() == program(f"sample {source}", "ret", profile="ps_4_0").encode()


def test_literals_of_3dmigoto() -> None:
    assert dwords("mul r0.x, r0.x, l(2.083333395E-02)")[-1] == 0x3CAAAAAB
    halves = dwords("dadd r0.xy, r0.xyxy, d(0x00000000, 0x3ff00000, 0x00000000, 0x40000000)")
    assert halves == dwords("dadd r0.xy, r0.xyxy, d(1.0l, 2.0l)")


def test_registers_without_components_are_meant_as_a_whole() -> None:
    """As in assembly for Direct3D 9; no compiler writes them so."""
    assert dwords("mad r0, v1, x2[3], -r1") == dwords("mad r0.xyzw, v1.xyzw, x2[3].xyzw, -r1.xyzw")
    assert dwords("dcl_output o0") == dwords("dcl_output o0.xyzw")
    assert dwords("mov oDepth, r0.x")[1] & 3 == 1
    assert dwords("sample r0.xyzw, v0.xyxx, t0.xyzw, s0")[-2] & 3 == 0


def test_exact_text_of_registers_without_components() -> None:
    bare = Instruction(
        OPS["mov"].code, [Operand(0, indices=[Index(0)]), Operand(0, indices=[Index(1)])]
    )
    before = Program.assemble("ps_5_0\nret")
    before.instructions = [bare]
    text = before.disassemble("exact")
    assert "mov r0 {components=ZERO}, r1 {components=ZERO}" in text
    assert Program.assemble(text).encode() == before.encode()


def test_a_listing_is_recognised_in_colours() -> None:
    shader = assemble("\x1b[36mps_5_0\x1b[m\n\x1b[96;1mret\x1b[m\n")
    assert shader.format == "dxcontainer"


@pytest.mark.parametrize("text", ["dcl_temps 1\nret\n", "PS_5_0\nret\n", "\n  dcl_output o0.x\n"])
def test_a_part_of_a_listing_lacks_its_profile(text: str) -> None:
    first = text.split(maxsplit=1)[0]
    with pytest.raises(AssembleError, match=f"expected a profile such as ps_5_0, got '{first}'"):
        assemble(text)


RENDERDOC_5_1 = """\
ps_5_1
      dcl_globalFlags refactoringAllowed
      dcl_constantbuffer CB0[2], immediateIndexed space=0,reg=0
      dcl_constantbuffer CB1[4:7][3], dynamicIndexed space=3,regs=4:7
      dcl_sampler S0, mode_default space=1,reg=5
      dcl_sampler S1[0:unbound], mode_comparison space=1,regs=0:unbounded
      dcl_resource_texture2d (float,float,float,float) T0 space=2,reg=9
      dcl_resource_texture2d (float,float,float,float) T1[0:unbound] space=2,regs=0:unbounded
      dcl_resource_structured T2, 16 space=1,reg=3
      dcl_resource_raw T3 space=1,reg=1
      dcl_uav_typed_buffer (uint,uint,uint,uint) U0, rasterizerOrderedAccess space=0,reg=0
      dcl_uav_structured U1, 16, hasOrderPreservingCounter space=0,reg=2
      dcl_uav_raw U2, globallyCoherant space=4,reg=3
      dcl_output o0.xyzw
      dcl_temps 2
   0: mov r0.xyzw, CB0[1].xyzw
   1: mov r1.xyzw, CB1[r0.x + 4][2].xyzw
   2: sample_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyxx, T0.xyzw, S0
   3: sample_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyxx, T1[r0.x].xyzw, S0
   4: ld_raw r0.x, CB0[r1.x + 1].x, T3.xxxx
   5: store_raw U2.x, r0.x, r0.x
   6: ret
"""
FXC_5_1 = """\
ps_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:0][2], immediateIndexed, space=0
dcl_constantbuffer CB1[4:7][3], dynamicIndexed, space=3
dcl_sampler S0[5:5], mode_default, space=1
dcl_sampler S1[0:*], mode_comparison, space=1
dcl_resource_texture2d (float,float,float,float) T0[9:9], space=2
dcl_resource_texture2d (float,float,float,float) T1[0:*], space=2
dcl_resource_structured T2[3:3], 16, space=1
dcl_resource_raw T3[1:1], space=1
dcl_uav_typed_buffer_rov (uint,uint,uint,uint) U0[0:0], space=0
dcl_uav_structured_opc U1[2:2], 16, space=0
dcl_uav_raw_glc U2[3:3], space=4
dcl_output o0.xyzw
dcl_temps 2
mov r0.xyzw, CB0[0][1].xyzw
mov r1.xyzw, CB1[r0.x + 4][2].xyzw
sample_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyxx, T0[9].xyzw, S0[5]
sample_indexable(texture2d)(float,float,float,float) o0.xyzw, r0.xyxx, T1[r0.x].xyzw, S0[5]
ld_raw r0.x, CB0[0][r1.x + 1].x, T3[1].xxxx
store_raw U2[3].x, r0.x, r0.x
ret
"""


def test_registers_that_renderdoc_leaves_out() -> None:
    theirs, ours = Program.assemble(RENDERDOC_5_1), Program.assemble(FXC_5_1)
    for one, other in zip(theirs.instructions, ours.instructions, strict=True):
        assert one.encode() == other.encode(), one
    assert theirs.encode() == ours.encode()


def test_registers_of_renderdoc_that_do_not_fit() -> None:
    found = program_errors(
        "dcl_resource_raw T0[1:2] space=1,regs=1:3",
        "dcl_resource_raw T1[0:unbound] space=1,regs=0:unbounded",
        "dcl_temps 1",
        "ld_raw r0.x, l(0), T1.xxxx",
        "ld_raw r0.x, l(0), T7.xxxx",
        "ret",
        profile="cs_5_1",
    )
    missing = "expected a range of one register where an index is missing"
    assert found == [(2, "expected the registers 1:2 of the range"), (5, missing), (6, missing)]
