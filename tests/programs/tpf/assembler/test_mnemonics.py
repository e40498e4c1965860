"""Mnemonics and their suffixes, valid and invalid."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import drawn, instruction
from unshade.programs.tpf.assembler.mnemonics import resolve
from unshade.programs.tpf.tables.tokens import ResourceDim, ResourceReturn, SampleControls


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("sample_c_lz_aoffimmi_indexable", "sample_c_lz"),
        ("gather4_c_s_aoffimmi_indexable", "gather4_c_s"),
        ("round_z", "round_z"),
        ("discard_z", "discard"),
        ("sync_uglobal_g_t", "sync"),
        ("sync_sat_ugroup", "sync"),
        ("resinfo_rcpfloat", "resinfo"),
        ("resinfo_<3>", "resinfo"),
        ("dcl_input_ps_siv", "dcl_input_ps_siv"),
        ("dcl_resource_raw", "dcl_resource_raw"),
        ("dcl_resource_texture2d", "dcl_resource"),
        ("dcl_resource_<0>", "dcl_resource"),
        ("dcl_uav_typed_texture2darray_glc_rov", "dcl_uav_typed"),
        ("dcl_uav_structured_glc_opc", "dcl_uav_structured"),
        ("dcl_interface_dynamicindexed", "dcl_interface"),
    ],
)
def test_the_longest_name_wins(word: str, name: str) -> None:
    found = resolve(word)
    assert found is not None
    assert found.row.name == name


@pytest.mark.parametrize(
    "word",
    [
        "", "_", "if", "if_x", "mov_", "mov_uint", "sync_t_g", "sync_gg", "resinfo_half",
        "resinfo_<9>", "dcl_input_uav", "dcl_resource_texture4d", "dcl_uav_raw_opc", "add_sat_sat",
        "sample_indexable_aoffimmi", "dcl_globalflags", "ADD",
    ],
)  # fmt: skip
def test_unknown_mnemonics(word: str) -> None:
    assert resolve(word) is None


def test_extended_tokens_have_the_order_of_compilers() -> None:
    made = instruction(
        "ld_structured_aoffimmi_indexable(7,-8,0)(structured_buffer, stride=4095)"
        "(mixed,<0>,<15>,<unused>) r0.x, l(0), l(0), t0.xxxx"
    )
    offsets, shape, types = made.extended
    texels = SampleControls(offsets)
    assert (texels.kind, texels.u, texels.v, texels.w) == (1, 7, -8, 0)
    assert (ResourceDim(shape).dimension, ResourceDim(shape).stride) == (12, 4095)
    each = ResourceReturn(types)
    assert (each.x, each.y, each.z, each.w) == (6, 0, 15, 9)


def test_one_of_the_two_in_parentheses() -> None:
    shape = instruction("ld_indexable(texture2d) r0.x, r1.xyzw, t0.xxxx")
    assert [word & 63 for word in shape.extended] == [2]
    types = instruction("ld_indexable(float,uint,sint,<0>) r0.x, r1.xyzw, t0.xxxx")
    assert [word & 63 for word in types.extended] == [3]


SOURCES = "r0.xyzw, v0.xyxx, t0.xyzw, s0"


@pytest.mark.parametrize(
    ("text", "problem", "caret"),
    [
        (f"sample_aoffimmi {SOURCES}",
         "expected texel offsets, (u,v,w), got 'r0'",
         "                ^~"),
        (f"sample_aoffimmi(8,0,0) {SOURCES}",
         "expected -8 to 7 (4 bits), got 8",
         "                ^"),
        (f"sample_aoffimmi(1,0) {SOURCES}",
         "expected ',', got ')'",
         "                   ^"),
        (f"sample_aoffimmi(x,0,0) {SOURCES}",
         "expected a texel offset, got 'x'",
         "                ^"),
        (f"sample_indexable {SOURCES}",
         "expected the resource, such as (texture2d)(float,float,float,float), got 'r0'",
         "                 ^~"),
        (f"sample_indexable(texture5d)(float,float,float,float) {SOURCES}",
         "unknown resource dimension 'texture5d'; did you mean texture3d?",
         "                 ^~~~~~~~~"),
        (f"sample_indexable(<32>)(float,float,float,float) {SOURCES}",
         "expected 0 to 31 (5 bits), got 32",
         "                 ^~~~"),
        (f"sample_indexable(texture2d)(float,flaot,float,float) {SOURCES}",
         "unknown component type 'flaot'; did you mean float?",
         "                                  ^~~~~"),
        (f"ld_structured_indexable(structured_buffer)(mixed,mixed,mixed,mixed) {SOURCES}",
         "expected ', stride=', got ')'",
         "                                         ^"),
        (f"ld_structured_indexable(structured_buffer, stride=4096)(mixed) {SOURCES}",
         "expected 0 to 4095 (12 bits), got 4096",
         "                                                  ^~~~"),
        ("add [precise(xx)] r0.x, r1.x, r1.x",
         "expected each component once, got 'xx'",
         "             ^~"),
        ("add [precies] r0.x, r1.x, r1.x",
         "expected a register, or a literal such as l(1.0), got '['",
         "    ^"),
    ],
)  # fmt: skip
def test_mistakes(text: str, problem: str, caret: str) -> None:
    assert drawn(text) == (problem, caret)
