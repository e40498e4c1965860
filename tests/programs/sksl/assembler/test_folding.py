"""Folding of constants, and of operators that change nothing."""

import pytest

from tests.programs.sksl.compiling import problems_of, upstream, value_of


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("1 + 2 * 3", "int", "7"),
        ("-7 / 2", "int", "-3"),
        ("-7 % 4", "int", "-3"),
        ("1 << 31", "int", "int((1 << 31))"),  # too large for int
        ("7 >> 1 & 2 | 8 ^ 1", "int", "11"),
        ("2147483647 + 1", "int", "int((2147483647 + 1))"),
        ("4294967295", "uint", "4294967295"),
        ("1.0 / 3.0", "float", "0.3333333432674408"),
        ("1e38 * 10", "float", "float((9.9999996802856925e+37 * 10.0))"),
        ("true && b", "bool", "b"),
        ("b || true", "bool", "true"),
        ("b ^^ false", "bool", "b"),
        ("b == true", "bool", "b"),
        ("i == i", "bool", "true"),
        ("v != v", "bool", "false"),
        ("half4(1) + half4(2)", "half4", "half4(3.0, 3.0, 3.0, 3.0)"),
        ("half2(1, 2) * 3", "half2", "half2(3.0, 6.0)"),
        ("8 / half2(1, 2)", "half2", "half2(8.0, 4.0)"),
        ("half2(1, 2) == half2(1)", "bool", "false"),
        ("float2x2(2) * float2(1, 3)", "float2", "float2(2.0, 6.0)"),
        ("float2(1, 3) * float2x2(1, 2, 3, 4)", "float2", "float2(7.0, 15.0)"),
        ("float2x2(1, 2, 3, 4) * float2x2(2)", "float2x2", "float2x2(2.0, 4.0, 6.0, 8.0)"),
        ("int[2](1, 2) == int[2](1, 2)", "bool", "true"),
        ("b ? i : i", "int", "i"),
        ("true ? i : 3", "int", "i"),
    ],
)
def test_constants(expression: str, type_: str, expected: str) -> None:
    assert value_of(expression, type_) == expected


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("x + 0", "float", "x"),
        ("0 + x", "float", "x"),
        ("x - 0", "float", "x"),
        ("0 - x", "float", " - x"),
        ("x * 1", "float", "x"),
        ("1 * v", "float2", "v"),
        ("v * 0", "float2", "float2(0.0)"),
        ("x * float2(1)", "float2", "float2(x)"),
        ("-1 * v", "float2", " - v"),
        ("x / 1", "float", "x"),
        ("0 / x", "float", "(0.0 / x)"),
        ("float4(float2(x), v)", "float4", "float4(float2(x), v)"),
        ("float4(float2(x, y), v)", "float4", "float4(x, float(y), v)"),
    ],
)
def test_operators_that_change_nothing(expression: str, type_: str, expected: str) -> None:
    assert value_of(expression, type_) == expected


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("float x = 1 / 0;", "division by zero"),
        ("float2 x = p / float2(1, 0);", "division by zero"),
        ("p /= 0;", "division by zero"),
    ],
)
def test_division_by_zero(statement: str, problem: str) -> None:
    assert problems_of(statement) == [problem]


def test_disassembled_programs_keep_what_inlining_left() -> None:
    head = "// sksl runtime_shader\nhalf4 main(float2 p) { "
    text = (
        head + "const int n = 1 + 1; float a[n + 1]; a[0] = 5.0 + 3.0; return half4(half(a[0])); }"
    )
    found = upstream(text)
    assert "const int n = 2;" in found
    assert "float a[3];" in found
    assert "(5.0 + 3.0)" in found


def test_shifts_out_of_range() -> None:
    assert problems_of("int x = 1 << 32;", es2=False) == ["shift value out of range"]


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("-(-x)", "float", "x"),
        ("-float2(1, -2)", "float2", "float2(-1.0, 2.0)"),
        ("-float2x2(3)", "float2x2", "float2x2(-3.0)"),
        ("!(!b)", "bool", "b"),
        ("!true", "bool", "false"),
        ("~0", "int", "~0"),
        ("+x", "float", "x"),
    ],
)
def test_negation(expression: str, type_: str, expected: str) -> None:
    assert value_of(expression, type_).replace(" ", "") == expected.replace(" ", "")
