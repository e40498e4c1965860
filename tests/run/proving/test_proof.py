"""Two shaders run on the same seeded arguments."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import unshade
from tests.corpus import REPOSITORY
from tests.run.stages.test_patches import TWO_COLORS
from unshade.isa.source import Source
from unshade.run.proving import loop_budget, prove
from unshade.run.proving import proof as proof_module
from unshade.run.proving.numbers import CodeConstants, NumberSource, constants_of, seeded
from unshade.run.proving.proof import _differing, _example

EXAMPLES = REPOSITORY / "examples"
PIXEL = """
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[1], immediateIndexed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 2
{}
ret
"""
COMPUTE = """
cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_temps 2
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


SUM = (
    "mul r0.x, v0.x, l(0.1)", "add r0.x, r0.x, l(100.0)", "add r0.y, r0.x, l(-100.0)",
    "mul o0.xyzw, r0.yyyy, r0.yyyy",
)  # fmt: skip
OTHER = "mul r0.x, v0.x, l(0.3)", "mul r0.x, r0.x, l(0.33333334)", *SUM[1:]


def test_the_lines_that_amplify_a_rounding_difference() -> None:
    """A product is rounded otherwise; the difference of two numbers near 100 loses most."""
    proof = prove(pixel(*SUM), pixel(*OTHER), rounds=1, lanes=8192)
    found = proof.explain()
    assert found is not None
    assert found.of_both
    assert found.step is not None
    assert found.lines
    assert "l(-100.0" in found.before.line(found.lines[0].line)
    factors = [each.factor for each in found.lines]
    assert factors == sorted(factors, reverse=True)
    assert found.apart is not None
    assert found.moved_apart is not None
    assert 0 < found.apart < 64 * found.moved_apart  # rounding explains it
    assert found.to_dict()["lines"][0]["line"] == found.lines[0].line


def test_two_languages_are_explained_by_moved_arguments() -> None:
    text = """
        OpCapability Shader
        %1 = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main" %v %o
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %v Location 0
        OpDecorate %o Location 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %v2 = OpTypeVector %float 2
        %v4 = OpTypeVector %float 4
        %in = OpTypePointer Input %v2
        %out = OpTypePointer Output %v4
        %v = OpVariable %in Input
        %o = OpVariable %out Output
        %a = OpConstant %float 0.3
        %third = OpConstant %float 0.33333334
        %hundred = OpConstant %float 100
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %place = OpLoad %v2 %v
        %x = OpCompositeExtract %float %place 0
        %more = OpFMul %float %x %a
        %less = OpFMul %float %more %third
        %far = OpFAdd %float %less %hundred
        %near = OpFSub %float %far %hundred
        %square = OpFMul %float %near %near
        %all = OpCompositeConstruct %v4 %square %square %square %square
        OpStore %o %all
        OpReturn
        OpFunctionEnd
    """
    other = unshade.assemble(text, target="spv1.3")
    proof = prove(pixel(*SUM), other, rounds=1, lanes=8192)
    found = proof.explain()
    assert found is not None
    assert found.step is None
    assert not found.of_both
    assert "l(-100.0" in found.before.line(found.lines[0].line)


def test_a_difference_that_is_no_rounding_has_a_step_and_no_lines() -> None:
    proof = prove(pixel("add o0.xyzw, v0.xxxx, v0.yyyy"), pixel("add o0.xyzw, v0.xxxx, -v0.yyyy"))
    found = proof.explain()
    assert found is not None
    assert found.step is not None
    assert found.lines == []
    assert prove(pixel(*SUM), pixel(*SUM), rounds=1).explain() is None


def test_the_thread_that_wrote_an_element_is_traced() -> None:
    load = "iadd r1.x, vThreadID.x, l(3)", "ishl r0.x, r1.x, l(2)", "ld_raw r0.y, r0.x, t0.x"
    one = compute(*load, "store_raw u0.x, r0.x, r0.y")
    two = compute(*load, "iadd r0.y, r0.y, l(0x00800000)", "store_raw u0.x, r0.x, r0.y")
    text = [each.to_bytes() for each in (one, two)]
    proof = prove(*map(unshade.loads, text), rounds=2, lanes=16)
    assert proof.difference is not None
    found = proof.debug()
    assert found is not None
    assert proof.difference.lane == 3  # the word of thread 0
    assert [each.thread for each in found] == [(0, 0, 0)] * 2


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
    assert (proof.verdict, proof.compared_rounds) == ("unknown", 0)
    groups = "from round 0 on, more than one thread group: the order of threads decides what is"
    assert proof.uncovered == [
        f"{groups} written",
        *(f"round {at}: the order of threads decides what is written" for at in range(2)),
    ]


def test_one_group_runs_where_groups_write_the_same_elements() -> None:
    """All groups write the eight elements of the first; within one group no two threads do."""
    own = "and r0.z, vThreadID.x, l(7)", "ishl r0.x, r0.z, l(2)", "ishl r1.x, vThreadID.x, l(2)"
    text = COMPUTE.replace("dcl_temps 1", "dcl_temps 2")

    def made(*lines: str) -> unshade.Shader:
        return unshade.assemble(text.format("\n".join(lines)), "dxcontainer")

    one = made(*own, "ld_raw r0.y, r1.x, t0.x", "store_raw u0.x, r0.x, r0.y")
    two = made(
        *own, "ld_raw r0.y, r1.x, t0.x", "iadd r0.y, r0.y, l(1)", "store_raw u0.x, r0.x, r0.y"
    )
    proof = prove(one, two, rounds=1)
    assert not proof.equal
    assert len(proof.uncovered) == 1
    assert proof.debug() is not None


def test_loops_that_go_on() -> None:
    loop = "loop", "breakc_nz v0.x", "endloop", "mov o0.xyzw, l(0,0,0,0)"
    end = "mov o0.xyzw, l(0,0,0,0)"
    kernels = [unshade.kernel(pixel(*loop)), unshade.kernel(pixel(end))]
    kernels[0].budget = 100
    found = prove(*kernels, rounds=2, lanes=4)
    assert found.equal  # no number of the first rounds is 0
    both = unshade.kernel(pixel("loop", "endloop", end))
    both.budget = 100
    proof = prove(both, both, rounds=1, lanes=4)
    assert (proof.verdict, proof.equal, proof.difference) == ("unknown", False, None)
    assert str(proof).startswith("unknown: no round could be compared, of 1 rounds of 4 lanes")
    assert proof.uncovered == ["round 0: loops of both go on after 100 turns"]
    assert proof.explain() is None
    found = prove(both, kernels[1], lanes=4)
    assert str(found.difference) == ("the call of lane 0 differs in round 0: goes on and ends")


def test_rounds_that_end_are_counted() -> None:
    """The loop ends in the rounds in which the constant of all lanes is not 0."""
    text = PIXEL.replace("dcl_input_ps linear v0.xy\n", "")
    loop = "loop", "breakc_nz cb0[0].x", "endloop", "mov o0.xyzw, cb0[0].xyzw"
    both = unshade.kernel(unshade.assemble(text.format("\n".join(loop))))
    both.budget = 100
    proof = prove(both, both, rounds=64, lanes=4)
    assert proof.equal
    assert 0 < proof.compared_rounds == 64 - len(proof.uncovered) < 64
    assert str(proof).startswith(f"equal in {proof.compared_rounds} of 64 rounds of 4 lanes")
    assert proof.to_dict()["compared_rounds"] == proof.compared_rounds


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


def test_more_rounds_where_lanes_differ_in_their_position_alone() -> None:
    text = PIXEL.replace("dcl_input_ps linear v0.xy\n", "").format("mov o0.xyzw, cb0[0].xyzw")
    alike = unshade.assemble(text)
    proof = prove(alike, alike)
    assert (proof.rounds, proof.lanes) == (64, 64)
    assert prove(alike, alike, rounds=2).rounds == 2
    shader = pixel("mov o0.xyzw, v0.xxxx")
    proof = prove(shader, shader)
    assert (proof.rounds, proof.lanes) == (16, 256)


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


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_a_bank_and_the_buffer_of_the_decompiled_source() -> None:
    """The registers of a bank are also parts of the variables in it."""
    one = unshade.open(EXAMPLES / "lit.shbin")
    source = Source(one.decompile(style="exact"), "lit.hlsl")
    two = unshade.compile(source, language="hlsl", stage="vertex", entry="main", debug=False)
    proof = prove(one, two, rounds=2, lanes=64)
    assert proof.equal
    assert proof.uncovered == []
    assert len(proof.compared) == 2


def test_registers_are_joined_with_the_descriptors_that_compilers_make_of_them() -> None:
    """Neither has names: b2 is binding 2. That it is binding 102, of a t2, would be assumed."""
    constants = PIXEL.replace("cb0[1]", "cb2[1]").replace("dcl_input_ps linear v0.xy\n", "")
    one = unshade.assemble(constants.format("mov o0.xyzw, cb2[0].xyzw"))
    text = """
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main" %o
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %o Location 0
        OpDecorate %b Block
        OpMemberDecorate %b 0 Offset 0
        OpDecorate %c DescriptorSet 0
        OpDecorate %c Binding 2
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %v4 = OpTypeVector %float 4
        %int = OpTypeInt 32 1
        %0 = OpConstant %int 0
        %out = OpTypePointer Output %v4
        %b = OpTypeStruct %v4
        %pb = OpTypePointer Uniform %b
        %pv = OpTypePointer Uniform %v4
        %o = OpVariable %out Output
        %c = OpVariable %pb Uniform
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %p = OpAccessChain %pv %c %0
        %x = OpLoad %v4 %p
        OpStore %o %x
        OpReturn
        OpFunctionEnd
    """
    proof = prove(one, unshade.assemble(text, target="spv1.3"), rounds=3)
    assert proof.equal
    assert proof.uncovered == []
    other = unshade.assemble(text.replace("Binding 2", "Binding 102"), target="spv1.3")
    proof = prove(one, other, rounds=1)
    assert proof.equal
    assert proof.assumed[-1] == "cb2 and set0_binding102 are one"


def test_pixels_that_write_one_element_race() -> None:
    text = PIXEL.replace("dcl_output", "dcl_uav_raw u1\ndcl_output")
    end = "mov o0.xyzw, l(0,0,0,0)"
    one = unshade.assemble(text.format(f"store_raw u1.x, l(0), v0.x\n{end}"))
    two = unshade.assemble(text.format(f"store_raw u1.x, l(0), v0.y\n{end}"))
    proof = prove(one, two, rounds=1)
    assert proof.verdict == "unknown"
    assert proof.uncovered == ["round 0: the order of threads decides what is written"]


def looping(times: int, *store: str) -> unshade.Shader:
    """A compute shader that stores at the end of a loop of so many turns."""
    turn = "iadd r0.x, r0.x, l(1)", f"ige r0.y, r0.x, l({times})", "breakc_nz r0.y"
    return compute("mov r0.x, l(0)", "loop", *turn, "endloop", *store)


def test_a_difference_behind_a_long_loop_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lockstep looks for races in so many turns; what lies behind them is not followed."""
    monkeypatch.setattr(proof_module, "LEAST_TURNS", 16)
    monkeypatch.setattr(proof_module, "SLOW_TURNS", 64)
    own = "ishl r0.z, vThreadID.x, l(2)"

    def difference(times: int) -> proof_module.Proof:
        one = looping(times, own, "store_raw u0.x, r0.z, r0.x")
        two = looping(times + 1, own, "store_raw u0.x, r0.z, r0.x")
        return prove(*(unshade.kernel(each) for each in (one, two)), rounds=1)

    assert difference(40).verdict == "different"
    proof = difference(100)
    assert proof.verdict == "unknown"
    assert proof.uncovered[-1] == (
        "round 0: the order of threads may decide what is written: loops go on after 64 turns"
    )


def test_a_race_before_a_long_loop_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_module, "LEAST_TURNS", 16)
    store = "store_raw u0.x, l(0), vThreadID.x"
    one = compute(store, "loop", "iadd r0.x, r0.x, l(1)", "ige r0.y, r0.x, l(99)",
        "breakc_nz r0.y", "endloop")  # fmt: skip
    two = compute("iadd r0.z, vThreadID.x, l(1)", "store_raw u0.x, l(0), r0.z")
    proof = prove(*(unshade.kernel(each) for each in (one, two)), rounds=1)
    assert proof.uncovered[-1] == "round 0: the order of threads decides what is written"


def test_rounds_are_told_while_they_run() -> None:
    told: list[tuple[int, int]] = []
    one = pixel("mov o0.xyzw, v0.xyzw")
    prove(one, one, rounds=3, progress=lambda *at: told.append(at))
    assert told == [(0, 3), (1, 3), (2, 3)]


# ---------------------------------------------------------------- numbers


def test_constants_of_the_code_are_among_the_arguments() -> None:
    one = pixel("eq r0.x, v0.x, l(37.5)", "and o0.xyzw, r0.xxxx, l(1,1,1,1)")
    assert not prove(one, pixel("mov o0.xyzw, l(0,0,0,0)")).equal
    known = constants_of(unshade.kernel(one).lowered.kernel)
    assert 37.5 in known.floats
    assert 1 in known.wholes


def test_equal_inputs_are_among_the_arguments() -> None:
    one = pixel("eq r0.x, v0.x, v0.y", "and o0.xyzw, r0.xxxx, l(1,1,1,1)")
    assert not prove(one, pixel("mov o0.xyzw, l(0,0,0,0)"), lanes=64).equal


@pytest.mark.parametrize(
    "dtype", ["<f4", "<f2", "<f8", "<i8", "<u8", "<i4", "<u4", "<i2", "u1", "?"]
)
def test_later_rounds_have_numbers_of_one_kind(dtype: str) -> None:
    known = CodeConstants(np.array([37.5]), np.array([37]))

    def drawn(round: int) -> np.ndarray:
        source = NumberSource(np.random.default_rng((7, round)), round, known)
        found = source.numbers(np.dtype(dtype), (4096,))
        assert found.dtype == np.dtype(dtype)
        assert found.shape == (4096,)
        return found

    if dtype == "?":
        assert all(set(drawn(round).tolist()) == {False, True} for round in range(6))
        return
    constants, wholes, sizes = (drawn(round) for round in (3, 4, 5))
    constant = 37.5 if "f" in dtype else 37
    assert 1000 < (constants == constant).sum() < 3000
    assert set(wholes.tolist()) <= set(range(-3, 17))
    assert len(set(wholes.tolist())) >= 17
    magnitudes = np.abs(sizes[sizes != 0].astype(np.float64))
    assert magnitudes.max() / magnitudes.min() > 100


def test_untyped_memory_is_whole_numbers_in_half_of_the_rounds_of_each_kind() -> None:
    whole = [NumberSource(np.random.default_rng(0), round).is_whole for round in range(10)]
    assert all(whole[at] != whole[at + 4] for at in range(2, 6))
    assert whole[0] != whole[1]


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


def test_a_buffer_of_other_elements_has_the_same_bytes() -> None:
    """One shader has vectors where the other has words: the bytes are shared, not the elements."""
    text = """
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %id
    OpExecutionMode %main LocalSize 4 1 1
    OpName %data "data"
    OpDecorate %id BuiltIn GlobalInvocationId
    OpDecorate %array ArrayStride {stride}
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block Block
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %float = OpTypeFloat 32
    %uint = OpTypeInt 32 0
    %v3uint = OpTypeVector %uint 3
    %v4float = OpTypeVector %float 4
    %array = OpTypeRuntimeArray %{element}
    %block = OpTypeStruct %array
    %to_block = OpTypePointer StorageBuffer %block
    %to_float = OpTypePointer StorageBuffer %float
    %to_input = OpTypePointer Input %v3uint
    %fn = OpTypeFunction %void
    %data = OpVariable %to_block StorageBuffer
    %id = OpVariable %to_input Input
    %0 = OpConstant %uint 0
    %1 = OpConstant %uint 1
    %4 = OpConstant %uint 4
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %all = OpLoad %v3uint %id
    %x = OpCompositeExtract %uint %all 0
    {places}
    %value = OpLoad %float %from
    OpStore %to %value
    OpReturn
    OpFunctionEnd
    """
    vectors = "\n".join(
        f"%{name} = OpAccessChain %to_float %data %0 %x %{part}"
        for name, part in (("from", "1"), ("to", "0"))
    )
    words = """
    %first = OpIMul %uint %x %4
    %second = OpIAdd %uint %first %1
    %from = OpAccessChain %to_float %data %0 %second
    %to = OpAccessChain %to_float %data %0 %first
    """
    one, two = (
        unshade.assemble(text.format(stride=stride, element=name, places=places), "spirv")
        for stride, name, places in ((16, "v4float", vectors), (4, "float", words))
    )
    proof = prove(one, two, rounds=3, lanes=16)
    assert proof.equal
    assert proof.compared == ["data"]
    assert not proof.uncovered
    other = unshade.assemble(
        text.format(stride=4, element="float", places=words.replace("%first %1", "%first %4")),
        "spirv",
    )
    assert not prove(one, other, rounds=3, lanes=16).equal


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gyroid", "skinning"])
def test_a_translation_is_joined_by_built_ins_and_registers(name: str) -> None:
    shader = unshade.open(str(EXAMPLES / f"{name}.dxbc"))
    proof = unshade.prove(shader, shader.translate(), rounds=2, lanes=32)
    assert proof.equal
    assert proof.uncovered == []


def test_geometry_shaders_that_emit_nothing() -> None:
    """Their results have no rows."""
    text = """
gs_5_0
dcl_input v[1][0].xyz
dcl_inputprimitive point
dcl_stream m0
dcl_outputtopology pointlist
dcl_output o0.xyzw
dcl_maxout 1
{}
ret
"""
    nothing = unshade.assemble(text.format("mov o0.xyzw, l(1.0, 0, 0, 0)"), "dxcontainer")
    something = unshade.assemble(
        text.format("mov o0.xyzw, l(1.0, 0, 0, 0)\nemit_stream m0"), "dxcontainer"
    )
    assert prove(nothing, nothing, rounds=2, lanes=4).equal
    assert not prove(nothing, something, rounds=2, lanes=4).equal


@pytest.mark.parametrize(
    ("first", "second", "lane"),
    [
        ([1, 2, 3], [1, 2.5, 9], 1),  # the first is seen at once
        ([1, 2, 3, 4], [1, 2.0000002, 3.5, 4.1], 2),
        ([1, 2, np.nan], [1, 2.0000002, 3], 2),
        ([1, np.inf, 3], [1, np.inf, 3.0000002], 2),
        ([[1, 5], [1, 5]], [[1.0000001, 5], [1.0000001, 6]], 1),
    ],
)
def test_the_lane_that_is_shown_differs_visibly(
    first: list[float], second: list[float], lane: int
) -> None:
    one, other = np.array(first, np.float32), np.array(second, np.float32)
    assert _example(one, other, _differing(one, other, 0)) == lane


def test_numbers_that_are_not_floats_show_the_first_lane() -> None:
    one, other = np.array([1, 2, 3]), np.array([1, 3, 9])
    assert _example(one, other, _differing(one, other, 0)) == 1


@pytest.mark.slow
def test_constants_of_a_patch_are_joined_apart_from_control_points() -> None:
    shader = unshade.assemble(TWO_COLORS, "dxcontainer")
    moved = unshade.assemble(TWO_COLORS.replace("vpc0.yyyz", "vpc0.zzzz"), "dxcontainer")
    translated = shader.translate()
    for one, other in ((shader, shader), (shader, translated), (translated, shader)):
        proof = unshade.prove(one, other, rounds=3, lanes=8)
        assert proof.equal
        assert proof.uncovered == []
    assert not unshade.prove(shader, moved, rounds=3, lanes=8).equal
    assert not unshade.prove(moved, translated, rounds=3, lanes=8).equal


# ---------------------------------------------------------------- what is compared

MODULE = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %words ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %from NonWritable
OpDecorate %from DescriptorSet SETS
OpDecorate %from Binding 4
OpDecorate %to DescriptorSet SETS
OpDecorate %to Binding 9
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %uint 3
%words = OpTypeRuntimeArray %float
%block = OpTypeStruct %words
%p_block = OpTypePointer StorageBuffer %block
%p_float = OpTypePointer StorageBuffer %float
%p_v3 = OpTypePointer Input %v3
%c0 = OpConstant %uint 0
%half = OpConstant %float 0.5
%id = OpVariable %p_v3 Input
%from = OpVariable %p_block StorageBuffer
%to = OpVariable %p_block StorageBuffer
%main = OpFunction %void None %fn
%start = OpLabel
%at = OpLoad %v3 %id
%x = OpCompositeExtract %uint %at 0
%p = OpAccessChain %p_float %from %c0 %x
%a = OpLoad %float %p
%b = OpFMul %float %a %half
%q = OpAccessChain %p_float %to %c0 %x
OpStore %q %b
OpReturn
OpFunctionEnd
"""
HALVED = (
    "ishl r0.x, vThreadID.x, l(2)", "ld_raw r0.y, r0.x, t0.x",
    "mul r0.y, r0.y, l(0.5)", "store_raw u0.x, r0.x, r0.y",
)  # fmt: skip


def test_buffers_that_only_their_kind_joins_are_compared_and_told() -> None:
    """Neither names nor numbers are equal; the read and the written buffer are alone of theirs.

    The module leaves subnormal numbers open, which Direct3D flushes.
    """
    module = unshade.assemble(MODULE.replace("SETS", "1"), "spirv")
    proof = prove(compute(*HALVED), module)
    assert proof.equal
    assert proof.compared == ["u0"]
    assert proof.assumed == [
        "subnormal numbers of 32 bits are zero in both, which the module of the second leaves open",
        "t0 and set1_binding4 are one",
        "u0 and set1_binding9 are one",
    ]
    assert "assumed: t0 and set1_binding4 are one" in str(proof).splitlines()
    wrong = compute(*HALVED[:2], "mul r0.y, r0.y, l(0.50000006)", HALVED[3])
    assert prove(wrong, module).verdict == "different"


def test_sksl_flushes_what_direct3d_does() -> None:
    """Skia leaves it open, too: no option of the program is missing."""
    proof = prove(pixel("mov o0.xyzw, v0.xyxy"), unshade.open(EXAMPLES / "plasma.skslb"), rounds=1)
    assert proof.verdict == "different"  # the colour of SkSL, which has no location, is target 0
    assert proof.assumed[0] == (
        "subnormal numbers of 32 bits are zero in both, which the module of the second leaves open"
    )


def test_coverage_alone_says_nothing_of_outputs_that_have_no_partner() -> None:
    depth = PIXEL.replace("dcl_output o0.xyzw", "dcl_output oDepth")
    two = unshade.assemble(depth.format("mov oDepth, l(0.5)"))
    proof = prove(pixel("mov o0.xyzw, l(0,0,0,0)"), two)
    assert (proof.verdict, proof.compared) == ("unknown", ["covered"])
    assert proof.uncovered[-2:] == [
        "only the first writes SV_Target", "only the second writes SV_Depth"
    ]  # fmt: skip
    discards = PIXEL.replace("dcl_output o0.xyzw\n", "")
    one = unshade.assemble(discards.format("discard_nz v0.x"))
    assert prove(one, one).equal


def test_nothing_compared_is_unknown() -> None:
    typed = COMPUTE.replace(
        "dcl_uav_raw u0", "dcl_uav_typed_texture2d (float,float,float,float) u1"
    )
    one, two = (
        unshade.assemble(each.replace("dcl_resource_raw t0\n", "").format("mov r0.x, l(0)"))
        for each in (COMPUTE, typed)
    )
    proof = prove(one, two)
    assert (proof.verdict, proof.equal, proof.compared) == ("unknown", False, [])
    assert str(proof).startswith("unknown: no output or buffer could be compared in 16 rounds")


def test_raw_buffers_are_compared_by_words() -> None:
    """Words that look like floats are shown as such, and a distance in ulp counts."""
    near = (*HALVED[:2], "mul r0.y, r0.y, l(0.50000006)", HALVED[3])
    proof = prove(compute(*HALVED), compute(*near))
    assert proof.difference is not None
    assert proof.difference.ulp in (1, 2)
    assert np.asarray(proof.difference.first).dtype == np.float32
    assert prove(compute(*HALVED), compute(*near), ulp=2).equal
    whole = ("ishl r0.x, vThreadID.x, l(2)", "iadd r0.y, vThreadID.x, l({})")
    one, two = (
        compute(whole[0], whole[1].format(number), HALVED[3]) for number in (1, 2)
    )  # fmt: skip
    found = prove(one, two).difference
    assert found is not None
    assert (found.first, found.second, found.ulp, found.lane) == (1, 2, None, 0)


@pytest.mark.parametrize(
    ("name", "old", "new", "member"),
    [
        ("clay.vert", "ColMajor", "RowMajor", "viewProjection"),
        ("clay.frag", "%Camera 0 Offset 0", "%Camera 0 Offset 16", "eye"),
    ],
)
def test_constants_at_other_places_are_told(name: str, old: str, new: str, member: str) -> None:
    """Values by name agree; a buffer of bytes for the first is none for the second."""
    text = (EXAMPLES / f"{name}.spvasm").read_text("utf-8")
    one, two = (unshade.assemble(each, "spirv") for each in (text, text.replace(old, new)))
    assert prove(one, one, rounds=1).assumed == []
    proof = prove(one, two, rounds=2)
    assert proof.equal
    [assumed] = proof.assumed
    assert assumed.endswith(f" are bound by name: {member} has other bytes in the second")


ELEMENTS = """
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpName %Item "Item"
OpMemberName %Item 0 "weight"
OpMemberName %Item 1 "count"
OpName %items "items"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride {stride}
OpMemberDecorate %Item 0 Offset {weight}
OpMemberDecorate %Item 1 Offset {count}
OpMemberDecorate %Items 0 Offset 0
OpDecorate %Items BufferBlock
OpDecorate %items DescriptorSet 0
OpDecorate %items Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%0 = OpConstant %uint 0
%1 = OpConstant %uint 1
%added = OpConstant %uint {added}
%v3 = OpTypeVector %uint 3
%Item = OpTypeStruct %float %uint
%array = OpTypeRuntimeArray %Item
%Items = OpTypeStruct %array
%p_items = OpTypePointer Uniform %Items
%p_count = OpTypePointer Uniform %uint
%items = OpVariable %p_items Uniform
%in_v3 = OpTypePointer Input %v3
%id = OpVariable %in_v3 Input
%main = OpFunction %void None %function
%begin = OpLabel
%at = OpLoad %v3 %id
%lane = OpCompositeExtract %uint %at 0
%place = OpAccessChain %p_count %items %0 %lane %1
%count = OpLoad %uint %place
%sum = OpIAdd %uint %count %added
OpStore %place %sum
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize(
    ("layout", "moved"),
    [
        ({"weight": 4, "count": 0, "stride": 8}, "weight, count have"),
        ({"weight": 0, "count": 12, "stride": 16}, "weight, count have"),
        ({"weight": 0, "count": 4, "stride": 8}, ""),
    ],
)
def test_elements_at_other_places_are_compared_by_name(layout: dict[str, int], moved: str) -> None:
    one = unshade.assemble(ELEMENTS.format(weight=0, count=4, stride=8, added=1), "spirv")
    same, other = (
        unshade.assemble(ELEMENTS.format(**layout, added=added), "spirv") for added in (1, 2)
    )
    proof = prove(one, same, rounds=2)
    assert (proof.equal, proof.compared) == (True, ["items"])
    tells = f" are bound by the names of members: {moved} other bytes in the second"
    assert [each.endswith(tells) for each in proof.assumed] == [True] * bool(moved)
    found = prove(one, other, rounds=2).difference
    assert found is not None
    assert (found.first["weight"], found.first["count"] + 1) == (
        found.second["weight"], found.second["count"]
    )  # fmt: skip
