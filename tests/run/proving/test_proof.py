"""Two shaders run on the same seeded arguments."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.run.proving import loop_budget, prove
from unshade.run.proving.numbers import seeded
from unshade.run.proving.proof import _differing

EXAMPLES = REPOSITORY / "examples"
PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[1], immediateIndexed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 1
{}
ret
"""
COMPUTE = """
cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 1
dcl_thread_group 8, 1, 1
{}
ret
"""


def pixel(*lines: str) -> unshade.Shader:
    return unshade.assemble(PIXEL.format("\n".join(lines)), "dxcontainer")


def compute(*lines: str) -> unshade.Shader:
    return unshade.assemble(COMPUTE.format("\n".join(lines)), "dxcontainer")


def test_equal_code_with_other_registers_and_order() -> None:
    one = pixel("mul r0.x, v0.x, l(2.0)", "add o0.xyzw, r0.xxxx, v0.yyyy")
    two = pixel("mul r0.y, l(2.0), v0.x", "add o0.xyzw, v0.yyyy, r0.yyyy")
    proof = prove(one, two, rounds=8, lanes=64)
    assert proof.equal
    assert proof
    assert (proof.rounds, proof.uncovered) == (8, [])
    assert proof.compared == ["SV_Target", "covered"]
    assert str(proof) == "equal in 8 rounds of 64 lanes, seed 0\ncompared: SV_Target, covered"
    assert proof.debug() is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add o0.xyzw, v0.xxxx, v0.yyyy", "add o0.xyzw, v0.xxxx, -v0.yyyy"),
        ("max o0.xyzw, v0.xxxx, l(0,0,0,0)", "mov_sat o0.xyzw, v0.xxxx"),  # above 1 alone
        (
            "mul o0.xyzw, v0.xxxx, l(1.0,1.0,1.0,1.0)",
            "mul o0.xyzw, v0.xxxx, l(1.0,1.0,1.0,1.0000001)",
        ),
        ("min o0.xyzw, v0.xxxx, v0.xxxx", "mul o0.xyzw, v0.xxxx, v0.xxxx"),
        ("ftoi o0.xyzw, v0.xxxx", "ftou o0.xyzw, v0.xxxx"),  # of negative numbers
        ("round_ne o0.xyzw, v0.xxxx", "round_z o0.xyzw, v0.xxxx"),
        ("lt o0.xyzw, v0.xxxx, v0.yyyy", "ge o0.xyzw, v0.yyyy, v0.xxxx"),  # of equal ones
        ("mov o0.xyzw, cb0[0].xyzw", "mov o0.xyzw, cb0[0].xyzz"),
    ],
)
def test_one_other_token_is_found(before: str, after: str) -> None:
    proof = prove(pixel(before), pixel(after))
    assert not proof.equal
    assert proof.difference is not None
    assert proof.difference.name == "SV_Target"


def test_the_first_lane_its_values_and_their_distance() -> None:
    one = pixel("mov o0.xyzw, l(1.0,1.0,1.0,1.0)")
    two = pixel("mov o0.xyzw, l(1.0,1.0,1.0,1.0000001)")
    found = prove(one, two, lanes=4).difference
    assert found is not None
    assert (found.round, found.lane, found.ulp, found.lanes) == (0, 0, 1, 4)
    assert prove(one, two, lanes=4, ulp=1).equal
    assert "1 ulp apart (4 differ)" in str(found)


def test_the_traces_of_the_lane_that_differs() -> None:
    proof = prove(pixel("mul o0.xyzw, v0.xxxx, v0.xxxx"), pixel("mul o0.xyzw, v0.xxxx, v0.yyyy"))
    found = proof.debug()
    assert found is not None
    assert proof.difference is not None
    assert [each.thread for each in found] == [(proof.difference.lane,)] * 2
    assert all(each.trace.entries for each in found)


def test_discarded_pixels_are_compared() -> None:
    one = pixel("discard_nz v0.x", "mov o0.xyzw, l(0,0,0,0)")
    two = pixel("discard_z v0.x", "mov o0.xyzw, l(0,0,0,0)")
    found = prove(one, two).difference
    assert found is not None
    assert found.name == "covered"


def test_buffers_are_compared_by_element() -> None:
    load = "ishl r0.x, vThreadID.x, l(2)", "ld_raw r0.y, r0.x, t0.x"
    one = compute(*load, "store_raw u0.x, r0.x, r0.y")
    two = compute(*load, "iadd r0.y, r0.y, l(1)", "store_raw u0.x, r0.x, r0.y")
    assert prove(one, one, rounds=4).equal
    found = prove(one, two, rounds=4).difference
    assert found is not None
    assert (found.name, found.lane) == ("u0", 0)


def test_what_depends_on_the_order_of_threads_is_no_difference() -> None:
    one = compute("store_raw u0.x, l(0), vThreadID.x")
    two = compute("iadd r0.x, vThreadID.x, l(1)", "store_raw u0.x, l(0), r0.x")
    proof = prove(one, two, rounds=2)
    assert proof.equal
    assert proof.uncovered == [
        f"round {at}: the order of threads decides what is written" for at in range(2)
    ]


def test_loops_that_go_on() -> None:
    loop = "loop", "breakc_nz v0.x", "endloop", "mov o0.xyzw, l(0,0,0,0)"
    end = "mov o0.xyzw, l(0,0,0,0)"
    kernels = [unshade.kernel(pixel(*loop)), unshade.kernel(pixel(end))]
    kernels[0].budget = 100
    found = prove(*kernels, lanes=4)
    assert found.equal  # all of the first round are between 0 and 1
    both = unshade.kernel(pixel("loop", "endloop", end))
    both.budget = 100
    proof = prove(both, both, rounds=1, lanes=4)
    assert proof.equal
    assert proof.uncovered == ["round 0: loops of both go on after 100 turns"]
    found = prove(both, kernels[1], lanes=4)
    assert str(found.difference) == ("the call of lane 0 differs in round 0: goes on and ends")


def test_rounds_after_one_that_goes_on_have_a_smaller_budget() -> None:
    both = unshade.kernel(pixel("loop", "endloop", "mov o0.xyzw, l(0,0,0,0)"))
    both.budget = 10_000
    proof = prove(both, both, rounds=4, lanes=4)
    assert proof.uncovered == [
        f"round {at}: loops of both go on after {turns} turns"
        for at, turns in enumerate(("10,000", "2,500", "1,024", "1,024"))
    ]
    assert both.budget == 10_000


def test_the_budget_is_smaller_where_lockstep_runs() -> None:
    shader = pixel("mov o0.xyzw, l(0,0,0,0)")
    fast, slow = (unshade.kernel(shader, engine=engine) for engine in ("auto", "lockstep"))
    assert loop_budget(slow, slow) == loop_budget(fast, slow) == 1 << 14
    if fast.execution.engine.name == "jit":
        assert loop_budget(fast, fast) == 1 << 20


def test_a_pixel_shader_without_inputs() -> None:
    text = PIXEL.replace("dcl_input_ps linear v0.xy\n", "")
    one, two = (
        unshade.assemble(text.format(f"add o0.xyzw, cb0[0].xyzw, l({number})"))
        for number in ("1.0,1.0,1.0,1.0", "1.0,1.0,1.0,2.0")
    )
    proof = prove(one, one, rounds=2, lanes=5)
    assert proof.equal
    assert proof.compared == ["SV_Target", "covered"]
    found = prove(one, two, lanes=5)
    assert found.difference is not None
    assert found.debug() is not None


def test_inputs_and_bindings_that_only_one_has() -> None:
    one = pixel("mov o0.xyzw, cb0[0].xyzw")
    text = PIXEL.format("mov o0.xyzw, l(0,0,0,0)")
    two = unshade.assemble(text.replace("dcl_constantbuffer cb0[1], immediateIndexed\n", ""))
    proof = prove(one, two, rounds=1)
    assert not proof.equal
    assert "only the first uses cb0" in proof.uncovered


def test_what_cannot_be_compared() -> None:
    with pytest.raises(unshade.UsageError, match="expected shaders of one stage, got pixel and co"):
        prove(pixel("mov o0.xyzw, l(0,0,0,0)"), compute("store_raw u0.x, l(0), l(1)"))
    shader = pixel("mov o0.xyzw, l(0,0,0,0)")
    with pytest.raises(unshade.UsageError, match="rounds: expected a positive int, got 0"):
        prove(shader, shader, rounds=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["billboards.dxbc", "clay.vert.spv", "lit.shbin", "noise.skslb", "phong.dxbc", "saxpy6.dxil",
     "sheet.h.dxbc", "sheet.d.dxbc", "particles.spv", "matmul.dxbc"],
)  # fmt: skip
def test_the_engines_agree_on_every_family(name: str) -> None:
    pytest.importorskip("llvmlite")
    shader = unshade.open(EXAMPLES / name)
    kernels = [unshade.kernel(shader, engine=engine) for engine in ("lockstep", "jit")]
    assert prove(*kernels, rounds=4, lanes=64).equal


def test_a_shader_and_its_translation() -> None:
    """The constant buffers have other names, and share the names of variables."""
    one = unshade.open(EXAMPLES / "saxpy.dxbc")
    two = unshade.open(EXAMPLES / "saxpy6.dxil")
    proof = prove(one, two, rounds=1, lanes=64)
    assert proof.compared


# ---------------------------------------------------------------- numbers


def test_numbers_are_repeatable_and_contain_edge_values() -> None:
    def drawn(round: int, dtype: str) -> np.ndarray:
        return seeded(np.random.default_rng((7, round)), round, np.dtype(dtype), (4096,))

    assert (drawn(0, "<f4") == drawn(0, "<f4")).all()
    assert drawn(0, "<f4").min() >= 0
    later = drawn(2, "<f4")
    assert np.isnan(later).any()
    assert np.isposinf(later).any()
    assert (np.signbit(later) & (later == 0)).any()
    assert (np.abs(later[later != 0]) < np.finfo("<f4").tiny).any()
    assert {-(2**31), 2**31 - 1} <= set(drawn(2, "<i4").tolist())
    assert 2**32 - 1 in drawn(2, "<u4")
    assert np.isinf(drawn(2, "<f2")).any()


def test_bits_are_compared_but_for_those_of_nan() -> None:
    one = np.array([0.0, np.nan, 1.0], np.float32)
    two = np.array([-0.0, np.uint32(0x7FC0_0001).view(np.float32), 1.0], np.float32)
    assert _differing(one, two, 0).tolist() == [0]
