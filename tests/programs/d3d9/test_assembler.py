"""Texts that are refused, with the place; a donor's tokens and comments."""

from __future__ import annotations

import pytest

from tests.programs.d3d9.programs import PIXEL_2_0, PIXEL_2_0_TEXT, assembled, packed
from tests.programs.d3d9.test_text import with_debug
from unshade.errors import AssembleError
from unshade.isa.source import ErrorList, Source
from unshade.programs.d3d9.assembler import assemble
from unshade.programs.d3d9.code import Code, Comment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected a profile such as ps_2_0"),
        ("ps_5_0", "1:1: expected a profile from vs_1_1 to vs_3_0 or ps_1_0 to ps_3_0, got ps_5_0"),
        ("mov r0, c0", "1:1: expected a profile such as ps_2_0, got 'mov'"),
        ("ps_2_0\nmvo r0, c0", "2:1: unknown instruction 'mvo'; did you mean mov?"),
        ("ps_2_0\nmov_big r0, c0", "2:1: unknown instruction 'mov_big'"),
        ("ps_2_0\nmov_sat_sat r0, c0", "2:1: unknown instruction 'mov_sat_sat'"),
        ("ps_2_0\ndcl_texcoord16 t0", "2:1: unknown instruction 'dcl_texcoord16'"),
        ("ps_2_0\nmov r0", "2:7: expected a comma, got the end of the line"),
        ("ps_2_0\nmov r0, c0, c1", "2:11: expected a comma or the end of the line, got ','"),
        ("ps_2_0\nmov a0, c0", "2:5: expected a register of ps_2_0, got 'a'"),
        ("vs_2_0\nmov t0, c0", "2:5: expected a register of vs_2_0, got 't'"),
        ("ps_2_0\nmov r, c0", "2:6: expected the number of a register, got ','"),
        ("ps_2_0\nmov r2048, c0", "2:5: expected a register up to 2047, got 2048"),
        ("ps_2_0\nmov r0.yx, c0", "2:7: expected a mask such as .xyw, got .yx"),
        ("ps_2_0\nmov r0, 1-c0_x2", "2:13: expected no _x2 of a source with '1-'"),
        ("ps_2_0\ndef c0, 1, 2, 3, x", "2:18: expected a number, got 'x'"),
        ("ps_2_0\ndef c0, 1e99, 2, 3, 4", "2:9: expected a float of 32 bits, got 1e99"),
        ("ps_2_0\ndefi i0, 1.5, 0, 0, 0", "2:11: expected a comma, got '.'"),
        ("ps_2_0\ndefi i0, 9999999999, 0, 0, 0", "2:10: expected an integer of 32 bits"),
        ("ps_2_0\ndefb b0, 2", "2:10: expected true or false, got '2'"),
        ("vs_3_0\nsetp p0, r0, r1", "2:1: expected a comparison such as setp_gt, got setp"),
        ("vs_3_0\ndcl_specular15 v0", "2:1: unknown instruction 'dcl_specular15'"),
        ("vs_3_0\nloop aL1, i0", "2:8: expected a comma, got '1'"),
        ("vs_3_0\nmov r0, |r1_abs|", "2:12: expected '|', got '_abs'"),
        ("vs_3_0\nmov r0, |r1.x", "2:14: expected '|', got the end of the line"),
        ("vs_3_0\nmov r0, 1-|r1|", "2:14: expected no _abs of a source with '1-'"),
        ("ps_2_0\ntexkill r0.xyxy", "2:11: expected a mask such as .xyw, got .xyxy"),
        ("ps_2_0\ntexkill r0.xyx", "2:11: expected a mask such as .xyw, got .xyx"),
        ("vs_2_0\nmov r0, c[a0.x + aL]", "2:18: expected a number, got 'aL'"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(AssembleError) as caught:
        assembled(text)
    assert message in str(caught.value)


def test_all_errors_are_told() -> None:
    with pytest.raises(AssembleError) as caught:
        assembled("ps_2_0\nmvo r0, c0\nmov oC0, r0\nadd r0, q0, c0")
    assert [each.line for each in caught.value.errors] == [2, 4]


def test_comments_and_blank_lines_are_skipped() -> None:
    text = '; of ours\n\nps_2_0 // version\n\n#line 3 "a.fx"\n    mov oC0, c0  // ::v<0>\n'
    assert assembled(text).encode() == packed(
        0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000, 0xFFFF
    )


def test_texts_of_vkd3d() -> None:
    text = "vs_2_0\ndef c0 = 1.5e+00, 0, 1, 2\ndefi i0 = 4, 0, 1, 0\ndefb b0 = true\n"
    text += (
        "dcl_position0 v0\ndcl_blend v1\ndcl_weight v2\nmova a.x, v1.x\nmov oPos.xyzw, c[a.x + 7]"
    )
    same = "vs_2_0\ndef c0, 1.5, 0, 1, 2\ndefi i0, 4, 0, 1, 0\ndefb b0, true\n"
    same += "dcl_position v0\ndcl_blendindices v1\ndcl_blendweight v2\nmova a0.x, v1.x\n"
    same += "mov oPos, c7[a0.x]"
    assert assembled(text).encode() == assembled(same).encode()
    with pytest.raises(AssembleError, match="expected a comma, got '='"):
        assembled("ps_2_0\nmov r0 = c0")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("dcl_specular0 v0", "dcl_color1 v0"),
        ("dcl_specular14_pp v0", "dcl_color15_pp v0"),
        ("if_nz !b1.xyzw", "if !b1"),
        ("breakp_nz !p0.y", "break !p0.y"),
        ("callnz l1, b1.xyzw", "callnz l1, b1"),
        ("mov r0.xyzw, -|r2.x|", "mov r0, -r2_abs.x"),
        ("(!p0.x) mov r1.w, |c[a.y + 3].xyzz|", "(!p0.x) mov r1.w, c[a0.y + 3]_abs.xyz"),
        ("loop aL0.xyzw, i0.xyzw", "loop aL, i0"),
        ("mov o[aL0.xyzw + 2].xyzw, v[aL0.xyzw + 0].xyzw", "mov o2[aL], v0[aL]"),
    ],
)
def test_spellings_of_vkd3d(theirs: str, ours: str) -> None:
    """What version 2.1 prints of a program with `ours`."""
    assert assembled(f"vs_3_0\n{theirs}").encode() == assembled(f"vs_3_0\n{ours}").encode()


@pytest.mark.parametrize("mask", ["x", "xy", "y", "yw", "yzw", "xyz", "w", "xyzw"])
def test_masks_of_texkill_are_filled_up_by_vkd3d(mask: str) -> None:
    same = assembled(f"ps_3_0\ntexkill r0.{mask}").encode()
    assert assembled(f"ps_3_0\ntexkill r0.{mask.ljust(4, 'x')}").encode() == same


def test_a_donor_keeps_its_tokens_and_comments() -> None:
    words = list(PIXEL_2_0)
    words[7:7] = ()
    words[8] = 0x80000005  # dcl t0.xy with a usage that the text of this version does not show
    donor = Code.decode(packed(*words))
    donor.comments = [Comment(b"CTABabcd"), Comment(b"TAIL", len(donor.instructions))]
    errors = ErrorList()
    text = PIXEL_2_0_TEXT.replace("mul r0, r0, c0.x", "add r0, r0, c0.x")
    found = assemble(Source(text), errors, donor)
    errors.check()
    assert found.instructions[1].words == donor.instructions[1].words
    assert found.instructions[4].name == "add"
    assert found.comments == donor.comments
    same = assemble(Source(PIXEL_2_0_TEXT), errors, donor)
    assert same.encode() == donor.encode()


def test_debug_information_is_dropped_where_instructions_have_moved() -> None:
    code = assembled("ps_2_0\nmov r0, c0\nmov oC0, r0")
    donor = with_debug(code, [(1, 0), (2, 0)], [1])
    errors = ErrorList()
    kept = assemble(Source("ps_2_0\nmov r1, c0\nmov oC0, r0"), errors, donor)
    assert kept.comment("DBUG") is not None
    moved = assemble(Source("ps_2_0\nadd r0, c0, c0\nmov oC0, r0"), errors, donor)
    assert moved.comment("DBUG") is None
    errors.check()
