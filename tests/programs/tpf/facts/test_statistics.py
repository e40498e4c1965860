"""Instruction counts of fxc: rules that STAT parts of its versions follow, each on a few lines."""

from __future__ import annotations

import pytest

from tests.programs.facts import shown
from unshade.programs.tpf import Program
from unshade.programs.tpf.facts.statistics import instruction_count, statistics

FXC_10, FXC_9, EARLY = (10, 1), (9, 30), (9, 29)
NAMES = {
    "instructions": "n", "float_instructions": "float", "int_instructions": "int",
    "uint_instructions": "uint", "static_flow_control": "static",
    "dynamic_flow_control": "dynamic", "conditional_moves": "movc", "array_instructions": "array",
    "texture_loads": "loads", "texture_samples": "samples", "temp_registers": "temps",
    "temp_array_registers": "elements", "conversions": "conv", "declarations": "dcl",
}  # fmt: skip


def counts(text: str, version: tuple[int, int] = FXC_10, profile: str = "ps_5_0") -> str:
    """Return the counters that are not 0, except the ret at the end and its two counts."""
    lines = [profile, *text.strip().splitlines(), "ret", ""]
    found = shown(statistics(Program.assemble("\n".join(each.strip() for each in lines)), version))
    assert isinstance(found, dict)
    assert found.pop("computed") is True
    for name in ("instructions", "static_flow_control"):
        found[name] -= 1
    return " ".join(f"{NAMES.get(name, name)}={each}" for name, each in found.items() if each)


def order(text: str) -> list[str]:
    return sorted(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add r0.x, r0.x, r1.x", "n=1 float=1"),
        ("mad r0.x, r0.x, r1.x, r2.x", "n=1 float=1"),
        ("iadd r0.x, r0.x, r1.x", "n=1 int=1"),
        ("imad r0.x, r0.x, r1.x, r2.x", "n=1 int=1"),
        ("and r0.x, r0.x, r1.x", "n=1 uint=1"),
        ("round_ni r0.x, r0.x", "n=1 float=1 conv=1"),
        ("ftoi r0.x, r0.x", "n=1 conv=1"),
        ("movc r0.x, r0.x, r1.x, r2.x", "n=1 movc=1"),
        ("sample r0.xyzw, r0.xyxx, t0.xyzw, s0", "n=1 samples=1"),
        ("ld r0.xyzw, r0.xyzw, t0.xyzw", "n=1 loads=1"),
        ("dadd r0.xy, r0.xyxy, r1.xyxy", "n=1"),
        ("emit_stream m0", "n=1 emits=1"),
        ("emit_then_cut_stream m0", "n=1 emits=1 cuts=1"),
        ("cut_stream m0", "n=1 cuts=1"),
        ("sync_g_t", "n=1 barriers=1"),
        ("nop", "n=1"),
    ],
)
def test_operations(text: str, expected: str) -> None:
    assert order(counts(text)) == order(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if_nz r0.x\nendif", "n=2 dynamic=1"),
        ("if_nz l(1)\nendif", "n=2 static=1"),
        ("if_nz cb1[2].x\nendif", "n=2 static=1"),
        ("if_z icb[0].x\nendif", "n=2 static=1"),
        ("if_nz v0.x\nendif", "n=2 dynamic=1"),
        ("loop\nbreak\nendloop", "n=3 static=1"),
        ("loop\nbreakc_nz r0.x\nendloop", "n=3 dynamic=1"),
    ],
)
def test_flow_is_static_where_the_condition_is_a_constant(text: str, expected: str) -> None:
    assert order(counts(text)) == order(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mov r0.x, r1.x", "n=1 moves=1"),
        ("mov r0.x, -r1.x", "n=1 float=1"),
        ("mov r0.x, |r1.x|", "n=1"),
        ("mov r0.x, -|r1.x|", "n=1 float=1"),
        ("mov_sat r0.x, -r1.x", "n=1 moves=1"),
        ("mov o[r0.x + 1].x, -r1.x", "n=1 moves=1"),
        ("mov r0.x, -v1.x", "n=1 float=1"),
        ("mov r0.x, x0[1].x", "n=1 array=1"),
        ("mov x0[1].x, r0.x", "n=1 array=1"),
        ("add r0.x, x0[1].x, r0.x", "n=1 float=1 array=1"),
    ],
)
def test_moves(text: str, expected: str) -> None:
    assert order(counts(text)) == order(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mov r0.x, -r1.x", "n=1 float=1"), ("mov r0.x, -v1.x", "n=1"),
        ("mov_sat r0.x, -r1.x", "n=1 float=1"), ("mad r0.x, r0.x, r1.x, r2.x", "n=1"),
        ("imad r0.x, r0.x, r1.x, r2.x", "n=1"), ("add r0.x, r0.x, r1.x", "n=1 float=1"),
        ("ld r0.xyzw, r0.xyzw, t0.xyzw", "n=1 loads=1"),
        ("check_access_fully_mapped r0.x, r0.x\nand r0.x, r0.x, l(1)", "n=2 uint=1"),
    ],
)  # fmt: skip
def test_what_version_9_counts(text: str, expected: str) -> None:
    assert order(counts(text, FXC_9)) == order(expected)


@pytest.mark.parametrize(
    ("text", "version", "expected"),
    [
        ("ld r0.xyzw, r0.xyzw, t0.xyzw", (9, 28), "n=1"),
        ("ld r0.xyzw, r0.xyzw, t0.xyzw", (9, 29), "n=1"),
        ("ld r0.xyzw, r0.xyzw, t0.xyzw", (9, 30), "n=1 loads=1"),
        ("store_raw u0.x, r0.x, r0.x", (9, 29), "n=1"),
        ("store_raw u0.x, r0.x, r0.x", (9, 30), "n=1 stores=1"),
        ("sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, r0.x", (9, 29), "n=1 loads=1"),
        ("mad r0.x, r0.x, r1.x, r2.x", (9, 99), "n=1"),
        ("mad r0.x, r0.x, r1.x, r2.x", (10, 0), "n=1 float=1"),
    ],
)
def test_versions(text: str, version: tuple[int, int], expected: str) -> None:
    assert order(counts(text, version)) == order(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sincos r0.x, r1.x, r2.x", "n=1"), ("sincos r0.x, null, r2.x", "n=1 float=1"),
        ("sincos null, r1.x, r2.x", "n=1 float=1"), ("udiv r0.x, r1.x, r2.x, r3.x", "n=1"),
        ("udiv null, r1.x, r2.x, r3.x", "n=1 uint=1"),
        ("ne r0.x, l(0.0), r1.x", "n=1 conv=1"), ("ne r0.x, l(1.0), r1.x", "n=1 float=1"),
        ("ne r0.x, r1.x, l(0.0)", "n=1 float=1"), ("ne r0.x, r1.x, r2.x", "n=1 float=1"),
    ],
)  # fmt: skip
def test_operands_that_decide(text: str, expected: str) -> None:
    assert order(counts(text)) == order(expected)


def test_shared_memory_is_not_counted() -> None:
    text = "store_raw g0.x, r0.x, r0.x\nld_raw r0.x, r0.x, g0.xxxx\nstore_raw u0.x, r0.x, r0.x"
    assert order(counts(text, profile="cs_5_0")) == order("n=3 stores=1")


@pytest.mark.parametrize(
    ("profile", "version", "expected"),
    [
        ("gs_5_0", FXC_10, "n=2 moves=1"), ("gs_5_0", FXC_9, "n=2 moves=2"),
        ("vs_5_0", FXC_10, "n=2 moves=2"),
    ],
)  # fmt: skip
def test_moves_to_outputs_of_geometry(
    profile: str, version: tuple[int, int], expected: str
) -> None:
    text = "mov o0.x, r0.x\nmov r0.x, r1.x"
    assert order(counts(text, version, profile)) == order(expected)


BOTH = "if_nz r0.x\nret\nelse\nret\nendif"
ONE = "if_nz r0.x\nret\nendif"


@pytest.mark.parametrize(
    ("text", "static"),
    [(BOTH, 3), (f"{BOTH}\nnop", 4), (ONE, 2), (f"{ONE}\n{ONE}", 3),
     ("if_nz r0.x\nret\nelse\nnop\nendif", 3), ("if_nz r0.x\nnop\nelse\nret\nendif", 3)],
)  # fmt: skip
def test_a_ret_after_both_branches_is_unreachable(text: str, static: int) -> None:
    """Each ret that can be reached counts, and each else."""
    found = statistics(Program.assemble(f"ps_5_0\n{text}\nret\n"))
    assert found.static_flow_control == static
    assert found.dynamic_flow_control == text.count("if_nz")


def test_declarations() -> None:
    assert order(counts("""
        dcl_constantbuffer CB0[4], immediateIndexed
        dcl_input_ps linear v0.xy
        dcl_input_ps linear v1.xy
        dcl_output o0.xyzw
        dcl_temps 3
        dcl_indexableTemp x0[4], 2
        dcl_indexableTemp x1[5], 4
        dcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { 0, 1.0, 0, 0} }
    """)) == order("defines=2 dcl=3 temps=3 elements=9")  # fmt: skip


HULL = """
    hs_decls
    dcl_input_control_point_count 3
    hs_control_point_phase
    dcl_input v[3][0].xyz
    dcl_input v[3][1].xyz
    dcl_output o0.xyz
    dcl_temps 2
    add r0.x, r0.x, r0.x
    ret
    hs_fork_phase
    dcl_input vicp[3][0].x
    dcl_output o0.x
    dcl_output o1.x
    dcl_output o2.x
    dcl_temps 5
    add r0.x, r0.x, r0.x
    mov r0.x, r1.x
    ret
    hs_join_phase
    dcl_temps 1
    add r0.x, r0.x, r0.x
"""


def test_phases_of_a_hull_shader() -> None:
    """The most registers of a phase; the most inputs and the most outputs of one."""
    assert order(counts(HULL, FXC_10, "hs_5_0")) == order(
        "n=6 float=3 moves=1 static=2 temps=5 dcl=5"
    )
    assert order(counts(HULL, FXC_9, "hs_5_0")) == order("n=6 float=1 temps=5 dcl=5")


def test_copies_of_doubles_are_not_moves() -> None:
    text = "dadd r0.xy, r1.xyxy, r2.xyxy\nmov r3.xy, r0.xyxx\nmov r4.x, r5.x"
    assert order(counts(text)) == order("n=3 moves=1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("check_access_fully_mapped r0.x, r0.x\nand r0.x, r0.x, l(1)", "n=2 conv=1"),
        ("lt r0.x, r0.x, r1.x\nand r0.x, r0.x, l(1)", "n=2 float=1 uint=1"),
        ("and r0.x, l(-1), l(1)", "n=1 conv=1"), ("and r0.x, l(-1), l(2)", "n=1 uint=1"),
    ],
)  # fmt: skip
def test_bools_that_become_numbers(text: str, expected: str) -> None:
    assert order(counts(text)) == order(expected)


def test_instructions_with_messages_and_without_tables() -> None:
    text = "ps_5_0\ndcl_temps 1\nnop\nlabel l1\nret\n"
    found = Program.assemble(text)
    assert instruction_count(found) == 2
    table = text.replace("nop", "dcl_immediateConstantBuffer { { 1.0, 0, 0, 0} }\nnop")
    assert instruction_count(Program.assemble(table)) == 2
    message = text.replace("nop", 'printf "text"\nnop')
    assert instruction_count(Program.assemble(message)) == 3
