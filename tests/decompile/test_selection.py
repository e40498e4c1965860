"""Elements of arrays of resources: one access with an index, in place of a switch."""

from importlib.util import find_spec

import pytest

import unshade

from .recompiled import outcome

COMPUTE = """
cs_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:0][1], immediateIndexed, space=0
dcl_resource_raw T0[0:3], space=0
dcl_uav_raw U0[0:3], space=0
dcl_input vThreadID.xyz
dcl_temps 2
dcl_thread_group 1, 1, 1
{}
ret
"""
DYNAMIC = (
    "and r0.x, vThreadID.x, l(3)",
    "ld_raw r0.y, vThreadID.y, T0[r0.x].xxxx",
    "store_raw U0[r0.x].x, vThreadID.z, r0.y",
)


def compute(*lines: str) -> unshade.Shader:
    return unshade.assemble(COMPUTE.format("\n".join(lines)), "dxcontainer")


def test_the_elements_of_an_array_are_chosen_by_an_index() -> None:
    text = compute(*DYNAMIC).decompile()
    assert "switch" not in text
    assert "t0[NonUniformResourceIndex(" in text
    assert "u0[NonUniformResourceIndex(" in text


def test_an_index_from_constants_is_the_same_for_all_lanes() -> None:
    text = compute("store_raw U0[CB0[0][0].x].x, vThreadID.z, vThreadID.x").decompile()
    assert "NonUniformResourceIndex" not in text
    assert "u0[index].Store(" in text


def test_glsl_and_exact_hlsl_choose_by_a_switch() -> None:
    """An element outside of the array reads 0, as the program does."""
    assert "switch" in compute(*DYNAMIC).decompile("glsl")
    assert "switch" in compute(*DYNAMIC).decompile(style="exact")


def test_part_of_an_array_is_chosen_by_a_switch() -> None:
    """The lowered program has two other accesses between; the third differs in its element."""
    lines = ("switch vThreadID.x", "case l(0)", "store_raw U0[0].x, vThreadID.z, l(1)", "break",
             "case l(1)", "store_raw U0[1].x, vThreadID.z, l(1)", "break", "endswitch")  # fmt: skip
    text = compute(*lines).decompile()
    assert "switch (thread_id.x) {" in text


def test_cases_that_differ_stay() -> None:
    cases = [
        line for at in range(4)
        for line in (f"case l({at})", f"store_raw U0[{at}].x, vThreadID.z, l({at})", "break")
    ]  # fmt: skip
    text = compute("switch vThreadID.x", *cases, "endswitch").decompile()
    assert "switch (thread_id.x) {" in text
    alike = [each.replace("l(2)", "l(1)") if "store" in each else each for each in cases]
    assert "switch" in compute("switch vThreadID.x", *alike, "endswitch").decompile()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_elements_by_an_index_compute_the_same() -> None:
    shader = compute(*DYNAMIC)
    text = shader.decompile("hlsl")
    assert outcome(shader, text, "compute", seeds=2).startswith("equal")
