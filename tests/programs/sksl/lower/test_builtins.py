"""Builtin functions. `p` is (0.5, 0.5)."""

from __future__ import annotations

import math

import pytest

from tests.programs.sksl.lower.support import pixel, shaded, shader, value

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("radians(p.x * 360.0)", math.pi),
        ("degrees(p.x)", math.degrees(0.5)),
        ("sin(p.x)", math.sin(0.5)),
        ("cos(p.x * 20.0)", math.cos(10)),
        ("tan(p.x * 2.0)", math.tan(1)),
        ("asin(-p.x)", math.asin(-0.5)),
        ("acos(p.x)", math.acos(0.5)),
        ("atan(p.x * 6.0)", math.atan(3)),
        ("atan(p.x, -1.0)", math.atan2(0.5, -1)),
        ("atan(-p.x, -0.25)", math.atan2(-0.5, -0.25)),
        ("sinh(p.x)", math.sinh(0.5)),
        ("cosh(p.x)", math.cosh(0.5)),
        ("tanh(p.x)", math.tanh(0.5)),
        ("asinh(-p.x)", math.asinh(-0.5)),
        ("acosh(p.x + 1.0)", math.acosh(1.5)),
        ("atanh(p.x)", math.atanh(0.5)),
        ("pow(p.x, 3.0)", 0.125),
        ("pow(p.x - 0.5, 0.0)", 0),
        ("pow(p.x + 0.5, 90.0)", 1),
        ("exp(p.x)", math.exp(0.5)),
        ("log(p.x)", math.log(0.5)),
        ("exp2(-p.x * 8.0)", 0.0625),
        ("exp2(p.x * 400.0)", INF),
        ("exp2(p.x * -400.0)", 0),
        ("log2(p.x * 16.0)", 3),
        ("sqrt(p.x + 1.75)", 1.5),
        ("inversesqrt(p.x * 8.0)", 0.5),
        ("fract(-p.x + 0.25)", 0.75),
        ("mod(p.x - 1.0, 2.0)", 1.5),
        ("step(0.25, p.x) + step(0.75, p.x)", 1),
        ("smoothstep(0.0, 2.0, p.x)", 0.15625),
        ("mix(2.0, 4.0, p.x)", 3),
        ("clamp(p.x, 0.6, 0.8)", 0.6),
        ("saturate(-p.x)", 0),
        ("sign(-p.x) + sign(p.x - 0.5)", -1),
        ("round(p.x + 1.0) + roundEven(p.x)", 2),
        ("trunc(-p.x - 1.0)", -1),
        ("floor(-p.x) + ceil(p.x)", 0),
        ("float(abs(int(p.x * -8.0)))", 4),
        ("float(sign(int(p.x * -8.0)))", -1),
        ("float(clamp(int(p.x * 8.0), -1, 3))", 3),
        ("float(clamp(uint(int(p.x * -8.0)), 3u, 4000000000u))", 4e9),
        ("intBitsToFloat(floatBitsToInt(p.x))", 0.5),
        ("unpackUnorm2x16(packUnorm2x16(p)).y", 0.5),
        ("length(p * 6.0 + float2(0, 1))", 5),
        ("distance(p, float2(3.5, 4.5))", 5),
        ("dot(p, float2(2, 4))", 3),
        ("cross(float3(p, 0), float3(0, 1, 0)).z", 0.5),
        ("normalize(p * 6.0 + float2(0, 1)).y", 0.8),
        ("faceforward(p, p, p).x", -0.5),
        ("reflect(p, float2(0, 1)).y", -0.5),
        ("refract(float2(0, -1) + p - 0.5, float2(0, 1), 0.5).y", -1),
        ("refract(float2(1, 0), float2(0, 1), p.x * 4.0).x", 0),
        ("float(any(lessThan(p, float2(0, 1)))) + float(all(equal(p, p.yx)))", 2),
        ("float(isnan(p.x)) + float(isinf(1.0 / (p.x - 0.5)))", 1),
    ],
)
def test_functions(call: str, expected: float) -> None:
    (found,) = value(call)
    assert found == pytest.approx(expected, abs=5e-4, rel=1e-4)


def test_modf_has_two_results() -> None:
    assert pixel("float n; float f = modf(p.x * 7.0, n); return half4(f, n, 0, 0);")[:2] == [0.5, 3]


def test_derivatives() -> None:
    text = "#version 300\nhalf4 main(float2 p) { return half4(dFdx(p.x * p.y), dFdy(p.y), 0, 1); }"
    found = shaded(shader(text), (2, 2))
    assert found[0, 0].tolist() == [0.5, 1, 0, 1]


def test_unpremul_is_a_function_of_the_program() -> None:
    assert pixel("return unpremul(half4(half2(p) * 0.5, 0.25, 0.5));") == [0.5, 0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "plain", "srgb"),
    [
        ("toLinearSrgb(half3(p.x, 0.02, -p.x))", [0.5, 0.02, -0.5], [0.214, 0.00155, -0.214]),
        ("fromLinearSrgb(half3(0.214, 0.001, p.x * 2.0))", [0.214, 0.001, 1], [0.5, 0.01292, 1]),
    ],
)
def test_colours_are_converted_to_a_colour_space(
    call: str, plain: list[float], srgb: list[float]
) -> None:
    found = shader(f"half4 main(float2 p) {{ return half4({call}, 1); }}")
    assert shaded(found, (1, 1))[0, 0, :3] == pytest.approx(plain)
    converted = shaded(found, (1, 1), {"color_space": "srgb"})
    assert converted[0, 0, :3] == pytest.approx(srgb, abs=3e-4)


def test_colours_of_the_layout_stay_in_srgb() -> None:
    found = shader("layout(color) uniform half4 c; half4 main(float2 p) { return c; }")
    for options in ({}, {"color_space": "srgb"}):
        colour = shaded(found, (1, 1), options, c=[0.5, 0.25, 2.0, 1.0])
        assert colour[0, 0].tolist() == [0.5, 0.25, 2, 1]
