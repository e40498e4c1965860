"""Tests of all or any components of a vector, and the order of conditions."""

import re

import pytest

import unshade

from .recompiled import outcome, translated_outcome

VECTORS = """
ps_5_0
dcl_input_ps linear v0.xyzw
dcl_input_ps linear v1.xyzw
dcl_input_ps constant v2.xyz
dcl_output o0.xyzw
dcl_temps 3
lt r0.xyzw, v0.xyzw, v1.xyzw
and r1.x, r0.xxxx, r0.yyyy
and r1.x, r1.xxxx, r0.zzzz
and r1.x, r1.xxxx, r0.wwww
movc o0.x, r1.xxxx, l(1.000000), l(0)
ieq r1.xyz, v2.xyzx, l(1, 2, 3, 0)
or r1.w, r1.xxxx, r1.yyyy
or r1.x, r1.wwww, r1.zzzz
movc o0.y, r1.xxxx, l(1.000000), l(0)
or r1.x, r0.xxxx, r0.yyyy
dp2 r1.y, v0.xyxx, v1.xyxx
lt r1.y, l(0.000000), r1.yyyy
and r1.x, r1.xxxx, r1.yyyy
movc o0.z, r1.xxxx, l(1.000000), l(0)
feq
movc o0.w, r1.xxxx, l(1.000000), l(0)
ret
"""
# Scalars, as compilers leave them: chains whose operands are compared one by one.
SCALARS = """
lt r1.x, v0.xxxx, l(0.000000)
lt r1.y, l(1.000000), v0.xxxx
or r1.x, r1.xxxx, r1.yyyy
lt r1.y, v0.yyyy, l(0.000000)
or r1.x, r1.xxxx, r1.yyyy
lt r1.y, l(1.000000), v0.yyyy
or r1.x, r1.xxxx, r1.yyyy
"""
DIFFERENT = """
lt r1.x, v0.xxxx, l(0.250000)
lt r1.y, v0.yyyy, l(0.500000)
and r1.x, r1.xxxx, r1.yyyy
eq r1.y, v0.zzzz, l(1.000000)
eq r1.z, v0.zzzz, l(2.000000)
or r1.y, r1.yyyy, r1.zzzz
and r1.x, r1.xxxx, r1.yyyy
"""
EQUAL = """
eq r1.xyz, v0.xyzx, v1.xyzx
and r1.x, r1.xxxx, r1.yyyy
and r1.x, r1.xxxx, r1.zzzz
ne r2.xy, v0.xyxx, v1.xyxx
or r2.x, r2.xxxx, r2.yyyy
or r1.x, r1.xxxx, r2.xxxx
"""


def shader(code: str) -> unshade.Shader:
    return unshade.assemble(VECTORS.replace("feq", code.strip()), "dxcontainer")


def conditions(code: str, to: str = "hlsl") -> str:
    (line,) = (each for each in shader(code).decompile(to).splitlines() if "1.0 : 0.0" in each
               or "mix(" in each)  # fmt: skip
    return line.replace("texcoord", "v")


def test_lanes_of_a_vector_are_one_test() -> None:
    found = conditions(SCALARS)
    assert (
        "(all(t), any(asint(v2) == int3(1, 2, 3)), any(t.xy) && dot(v0.xy, v1.xy) > 0.0, " in found
    )


# One value tested again and again, as a comparison of equal matrices leaves it.
REPEATED = """
lt r1.xyzw, v0.xyzw, v1.xyzw
and r2.x, r1.xxxx, r1.yyyy
and r2.y, r1.xxxx, r1.zzzz
and r2.x, r2.xxxx, r2.yyyy
and r2.z, r1.wwww, r1.yyyy
and r2.w, r1.wwww, r1.xxxx
and r2.z, r2.zzzz, r2.wwww
and r1.x, r2.xxxx, r2.zzzz
"""


def test_a_lane_that_is_tested_again_is_tested_once() -> None:
    text = shader(REPEATED).decompile("hlsl")
    assert not re.search(r"\.[xyzw]{5}", text)
    found = shader(REPEATED)
    assert translated_outcome(found, found.translate(), seeds=2) == "equal"


def test_scalars_are_compared_as_vectors() -> None:
    assert ", any(v0.xy < 0.0) || any(v0.xy > 1.0)) ? " in conditions(SCALARS)


def test_scalars_that_are_no_vector_stay() -> None:
    text = ", v0.x < 0.25 && v0.y < 0.5 && (v0.z == 1.0 || v0.z == 2.0)) ? "
    assert text in conditions(DIFFERENT)


def test_glsl_compares_vectors_with_operators() -> None:
    assert "all(equal" not in conditions(EQUAL, "glsl")
    assert ", v0.xyz == v1.xyz || v0.xy != v1.xy)" in conditions(EQUAL, "glsl")
    assert ", all(v0.xyz == v1.xyz) || any(v0.xy != v1.xy)) ? " in conditions(EQUAL)


def test_the_operands_of_a_chain_are_in_the_order_of_the_program() -> None:
    text = """
lt r1.x, v0.zzzz, l(0.500000)
lt r1.y, v0.xxxx, v1.yyyy
lt r1.z, v1.wwww, v0.yyyy
and r1.y, r1.yyyy, r1.zzzz
and r1.x, r1.yyyy, r1.xxxx
"""
    assert ", v0.z < 0.5 && v0.x < v1.y && v1.w < v0.y) ? " in conditions(text)


@pytest.mark.parametrize("code", [SCALARS, DIFFERENT, EQUAL])
def test_a_translation_computes_the_same_bits(code: str) -> None:
    found = shader(code)
    made = found.translate()
    assert translated_outcome(found, made, seeds=2) == "equal"
    listing = made.disassemble()
    assert "OpAll" in listing
    assert "OpAny" in listing


@pytest.mark.slow
@pytest.mark.parametrize("code", [SCALARS, DIFFERENT, EQUAL])
@pytest.mark.parametrize("to", ["hlsl", "glsl"])
def test_recompiled_sources_compute_the_same_bits(code: str, to: str) -> None:
    found = shader(code)
    text = found.decompile(to, style="exact")
    assert outcome(found, text, "pixel", seeds=2, language=to) == "equal"
