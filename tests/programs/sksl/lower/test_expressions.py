"""Operators, constructors, swizzles and conversions. `p` is (0.5, 0.5)."""

from __future__ import annotations

import pytest

from tests.programs.sksl.lower.support import pixel, value

MATRIX = "float2x3 m = float2x3(1, 2, 3, 4, 5, 6) * (p.x * 2.0);"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("p + float2(1, 2)", [1.5, 2.5]),
        ("p.x * float2(4, 6)", [2, 3]),
        ("float2(1) / p", [2, 2]),
        ("-p", [-0.5, -0.5]),
        ("float2(int2(p * 7.0) % 2)", [1, 1]),
        ("float2(int(p.x * 10.0) / 2, int(p.x * -10.0) / 2)", [2, -2]),
        ("float2(int(p.x * 10.0) / int(p.x), 0)", [-5, 0]),
        ("float2((int(p.x * 2.0) << 3) >> 1, ~int(p.x))", [4, -1]),
        ("float2(uint(p.x * 14.0) & 6u, uint(p.x * 2.0) ^ 3u)", [6, 2]),
        ("p.x < 1.0 && p.y > 1.0 ? p : p.yx * 4.0", [2, 2]),
        ("float2(p == float2(0.5), p != p)", [1, 0]),
        ("float2(p.x > 0.0 ^^ p.y > 0.0, !(p.x > 0.0))", [0, 0]),
        ("float2(bool(p.x), bool(p.x - 0.5))", [1, 0]),
        ("float2(float(p.x > 0.25), float(int(p.x + 1.75)))", [1, 2]),
        ("(float4(p, 1, 2).wzyx).xy", [2, 1]),
        ("(p.x, p + 1.0)", [1.5, 1.5]),
    ],
)
def test_operators(expression: str, expected: list[float]) -> None:
    assert value(expression, 2) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("m[1]", [4, 5, 6]),
        ("m * float2(1, 10)", [41, 52, 63]),
        ("float3(float3(1, 2, 3) * m, 0)", [14, 32, 0]),
        ("float3x3(m)[2]", [0, 0, 1]),
        ("(float3x3(p.x * 2.0) * m)[0]", [1, 2, 3]),
        ("(m * float2x2(0, 1, 1, 0))[0]", [4, 5, 6]),
        ("float3(transpose(m)[2], float(m == m))", [3, 6, 1]),
        ("(m + 1.0)[0]", [2, 3, 4]),
        ("(inverse(float3x3(2, 0, 0, 0, 4, 0, 1, 0, 8 * p.x)))[2]", [-0.125, 0, 0.25]),
        ("float3(determinant(float3x3(m * float3x2(1, 0, 0, 1, 1, 1)) + 1.0))", [0, 0, 0]),
        ("outerProduct(float3(1, 2, 3), p)[1]", [0.5, 1, 1.5]),
    ],
)
def test_matrices(expression: str, expected: list[float]) -> None:
    found = pixel(f"{MATRIX} float3 v = {expression}; return half4(half3(v), 0);")
    assert found[:3] == pytest.approx(expected, abs=1e-5)


def test_swizzles_are_assigned() -> None:
    body = "half4 c = half4(0, 1, 2, 3); c.wx = c.yz; c.zy *= half2(p * 4.0); return c;"
    assert pixel(body) == [2, 2, 4, 1]


def test_operands_are_evaluated_once_and_only_if_needed() -> None:
    before = "int n; bool f() { n += 1; return true; } int g() { return n++; }"
    found = pixel(
        "bool a = p.x > 1.0 && f(); bool c = p.x < 1.0 || f(); int d = p.x < 1.0 ? 7 : g();"
        "half s[2]; s[0] = 0; s[1] = 0; s[g()] += 5.0; return half4(half(n), s[0], s[1], d);",
        before,
    )
    assert found == [1, 5, 0, 7]


def test_steps() -> None:
    assert pixel("half x = half(p.x); half y = x++; half z = --x; return half4(x, y, z, x--);") == [
        0.5, 0.5, 0.5, 0.5,
    ]  # fmt: skip
