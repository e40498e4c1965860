"""The counters of fxc, operation by operation, and recounting STAT."""

from __future__ import annotations

import pytest

from tests.fixtures import blog_vs_4_0 as blog
from tests.programs.dxil.modules import part as part_of_program
from tests.programs.tpf.broken_programs import RET, compute, i, lit, o, one, pixel, program, s
from unshade.errors import UnsupportedError, UsageError
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.fxc.counting import count, counted
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.programs.tpf import Instruction, Operand
from unshade.programs.tpf.facts.statistics import COUNTERS
from unshade.programs.tpf.tables.ops import OPS

OLD = (9, 30)


def negated(text: str) -> Operand:
    operand = s(text)
    operand.negate = True
    return operand


def added_counts(found: ShaderStatistics) -> dict[str, int]:
    """Return the counters that are not those of an empty `pixel` program, by short name."""
    plain = count(pixel())
    names = [field.name for field in ShaderStatistics.layout.fields]
    return {
        name.removesuffix("_count").removesuffix("_instruction").removesuffix("_instructions"): more
        for name in names
        if name != "instruction_count" and (more := getattr(found, name) - getattr(plain, name))
    }


r, t = o("r0.x"), s("r0.xyzw")
ADD = i("add", r, t, t)
SHARED = o("g0")

COUNTED = [
    (ADD, {"float": 1}),
    (i("mad", r, t, t, t), {"float": 1}),
    (i("round_ni", r, t), {"float": 1, "conversion": 1}),
    (i("ne", r, t, lit(0)), {"float": 1}),
    (i("ne", r, lit(0), t), {"conversion": 1}),
    (i("sincos", r, o("null"), t), {"float": 1}),
    (i("sincos", r, r, t), {}),
    (i("udiv", o("null"), r, t, t), {"uint": 1}),
    (i("and", r, t, t), {"uint": 1}),
    (i("and", r, lit(0xFFFFFFFF), lit(1)), {"conversion": 1}),
    (i("msad", r, t, t, t), {"uint": 1}),
    (i("dtof", r, t), {"conversion": 1}),
    (i("utod", o("r7.xy"), t), {"conversion": 1}),
    (i("bfi", r, t, t, t, t), {}),
    (i("imad", r, t, t, t), {"int": 1}),
    (i("mov", r, t), {"mov": 1}),
    (i("mov", r, negated("r0.xyzw")), {"float": 1}),
    (i("mov", o("x0[1].x"), t), {"array": 1}),
    (i("mov", r, s("v1[0].xyzw", one("r0.x"))), {"mov": 1}),
    (i("mov", r, negated("r0.xyzw"), bits=1 << 13), {"mov": 1}),
    (i("mov", o("o0.xyzw"), negated("r0.xyzw")), {"float": 1}),
    (i("mov", s("o0[0].xyzw", one("r0.x")), negated("r0.xyzw")), {"mov": 1}),
    (i("movc", r, t, t, t), {"movc": 1}),
    (i("dadd", o("r1.xy"), s("r1.xyzw"), s("r1.xyzw")), {}),
    (i("discard", one("r0.x")), {}),
    (i("retc", one("r0.x")), {"dynamic_flow_control": 1}),
    (i("retc", one("cb0[1].x")), {"static_flow_control": 1}),
    (i("sample", r, t, s("t0.xyzw"), o("s0")), {"texture_normal": 1}),
    (i("gather4_c", r, t, s("t0.xyzw"), o("s0"), one("r0.x")), {}),
    (i("ld_structured", r, t, t, s("t0.xyzw")), {"texture_load": 1}),
    (i("ld_structured", r, t, t, SHARED), {}),
    (i("store_raw", SHARED, t, t), {}),
    (i("imm_atomic_alloc", r, o("u0")), {"interlocked": 1}),
]


@pytest.mark.parametrize(("instruction", "wanted"), COUNTED)
def test_one_operation(instruction: Instruction, wanted: dict[str, int]) -> None:
    found = count(pixel(instruction))
    assert added_counts(found) == wanted
    assert found.instruction_count == 3


@pytest.mark.parametrize(
    ("instruction", "name"),
    [
        (i("mad", r, t, t, t), "float_instruction_count"),
        (i("imad", r, t, t, t), "int_instruction_count"),
        (i("mov", r, negated("v1.xyzw")), "float_instruction_count"),
    ],
)
def test_old_compilers_count_less(instruction: Instruction, name: str) -> None:
    assert getattr(count(pixel(instruction)), name) == 1
    assert getattr(count(pixel(instruction), version=OLD), name) == 0


def test_9_29_counts_only_loads_with_samplers() -> None:
    load = i("ld", r, t, s("t0.xyzw"))
    sample = i("sample_l", r, t, s("t0.xyzw"), o("s0"), one("r0.x"))
    store = i("store_structured", o("u0"), t, t, t)
    for version, loads, stores in (((9, 29), 1, 0), (OLD, 2, 1)):
        found = count(pixel(load, sample, store), version=version)
        assert (found.texture_load_instructions, found.texture_store_instructions) == (
            loads,
            stores,
        )


def test_flow() -> None:
    block = [i("if", one("r0.x")), RET, i("else"), RET, i("endif")]
    found = count(program("ps_5_0", *block, RET))
    # the two rets and the else; the last ret is never reached
    assert found.static_flow_control_count == 3
    assert found.dynamic_flow_control_count == 1
    assert found.instruction_count == 6
    assert count(program("ps_5_0", *block[:2], *block[4:], RET)).static_flow_control_count == 2


def test_movs_to_geometry_outputs_are_not_counted() -> None:
    code = [i("mov", o("o0.x"), t), i("mov", o("o0.x"), negated("r0.xyzw")), i("mov", r, t), RET]
    found = count(program("gs_5_0", *code))
    assert (found.mov_instruction_count, found.float_instruction_count) == (1, 0)
    assert count(program("vs_5_0", *code)).mov_instruction_count == 2


def test_declarations() -> None:
    found = count(pixel())
    assert (found.temp_register_count, found.temp_array_count) == (2, 4)
    assert found.declaration_count == 2
    assert count(compute()).declaration_count == 1


def test_hull_shaders() -> None:
    fork = [i("hs_fork_phase"), i("dcl_temps", words=(3,)), ADD, RET]
    inputs = [i("dcl_input", o(name)) for name in ("vicp3[0].x", "vicp3[1].x")]
    join = [
        i("hs_join_phase"),
        *inputs,
        i("dcl_temps", words=(1,)),
        i("dcl_output", o("o0.x")),
        RET,
    ]
    control = [i("hs_control_point_phase"), i("dcl_output", o("o0.x")), i("dcl_output", o("o1.x"))]
    points = i("dcl_input_control_point_count", bits=3 << 11)
    code = program("hs_5_0", i("hs_decls"), points, *control, ADD, RET, *fork, *join)
    found = count(code)
    assert (found.temp_register_count, found.declaration_count) == (3, 4)
    assert (found.instruction_count, found.float_instruction_count) == (5, 2)
    assert found.input_primitive == 10
    assert count(code, version=OLD).float_instruction_count == 1
    assert count(code, version=OLD).instruction_count == 5


def test_sample_frequency() -> None:
    per_sample = i("dcl_input_ps", o("v2.x"), bits=6 << 11)
    index = i("dcl_input_ps_sgv", o("v2.x"), words=(10,), bits=1 << 11)
    for given in (per_sample, index):
        assert count(pixel(declare=(given,))).is_sample_frequency == 1
    assert count(pixel()).is_sample_frequency == 0


def test_length() -> None:
    code = program("vs_4_0", RET)
    assert count(code).control_points is None
    assert count(code, extended=True).control_points == 0
    assert count(program("vs_5_0", RET)).texture_store_instructions == 0


def test_incomplete_programs_are_counted() -> None:
    code = program("ps_5_0", i("dcl_temps"), Instruction(54), Instruction(0x7F0), i("dcl_maxout"))
    assert count(code).instruction_count == 2


def test_every_letter_of_the_table_is_a_counter() -> None:
    letters = {letter for row in OPS for letter in row.counts.lower()}
    assert letters == set(COUNTERS) | set("<>")


def test_programs_that_cannot_be_counted() -> None:
    assert "mov_instruction_count" in counted()
    assert set(counted()) - set(counted(OLD)) == {"mov_instruction_count"}


# ---------------------------------------------------------------- STAT


def test_recount() -> None:
    shader = DxContainer.loads(blog.build())
    assert shader.recount() == {}
    shader.programs[0].insert(-1, i("add", o("r0.x"), s("r0.xyzw"), s("r0.xyzw")))
    counts = shader.recount()
    assert counts["instruction_count"] == (blog.INSTRUCTIONS, blog.INSTRUCTIONS + 1)
    assert set(counts) == {"instruction_count", "float_instruction_count"}
    assert DxContainer.loads(shader.to_bytes())["STAT"] == shader["STAT"]
    assert shader.recount() == {}


def test_recount_keeps_counters_of_fxc_9() -> None:
    shader = DxContainer.loads(blog.build())
    shader["RDEF"].creator = "Microsoft (R) HLSL Shader Compiler 9.30.9200.20714"
    shader["STAT"].mov_instruction_count = 77
    assert "mov_instruction_count" not in shader.recount()
    assert shader["STAT"].mov_instruction_count == 77
    shader["RDEF"].creator = "Microsoft (R) HLSL Shader Compiler 10.1"
    assert "mov_instruction_count" in shader.recount()


def test_recount_needs_counters_and_a_program() -> None:
    shader = DxContainer.loads(blog.build())
    del shader["SHDR"]
    with pytest.raises(UsageError, match="no part SHDR or SHEX"):
        shader.recount()
    del shader["STAT"]
    with pytest.raises(UsageError, match="no part STAT to recount"):
        shader.recount()
    dxil = DxContainer([DxPart("STAT", part_of_program())])
    with pytest.raises(UnsupportedError, match="expected STAT with counters, got a DXIL"):
        dxil.recount()
