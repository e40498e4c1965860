"""Folding of builtin functions."""

import math

import pytest

from tests.programs.sksl.compiling import problems_of, value_of
from unshade.programs.sksl.assembler.intrinsics import BY_COMPONENT, COMPARISONS


@pytest.mark.parametrize(
    ("call", "type_", "expected"),
    [
        ("sqrt(4)", "float", "2.0"),
        ("sqrt(-1)", "float", "sqrt(-1.0)"),
        ("pow(2.0, 10.0)", "float", "1024.0"),
        ("exp(1000)", "float", "exp(1000.0)"),
        ("floor(float2(1.5, -1.5))", "float2", "float2(1.0, -2.0)"),
        ("ceil(-0.5)", "float", "-0.0"),
        ("round(2.5)", "float", "2.0"),
        ("trunc(-1.5)", "float", "-1.0"),
        ("fract(1.25)", "float", "0.25"),
        ("mod(5.5, 2.0)", "float", "1.5"),
        ("mod(5.5, 0.0)", "float", "float(mod(5.5, 0.0))"),
        ("clamp(float2(-1, 2), 0, 1)", "float2", "float2(0.0, 1.0)"),
        ("mix(float2(0, 2), float2(4, 4), 0.5)", "float2", "float2(2.0, 3.0)"),
        ("mix(float2(1), float2(2), bool2(true, false))", "float2", "float2(2.0, 1.0)"),
        ("step(2.0, 1.0)", "float", "0.0"),
        ("smoothstep(0.0, 2.0, 1.0)", "float", "0.5"),
        ("sign(int(-3))", "int", "-1"),
        ("abs(int2(-3, 3))", "int2", "int2(3, 3)"),
        ("length(float2(3, 4))", "float", "5.0"),
        ("distance(float2(1, 1), float2(4, 5))", "float", "5.0"),
        ("dot(float2(1, 2), float2(3, 4))", "float", "11.0"),
        ("cross(float3(1, 0, 0), float3(0, 1, 0))", "float3", "float3(0.0, 0.0, 1.0)"),
        ("normalize(float2(0, 4))", "float2", "float2(0.0, 1.0)"),
        ("faceforward(float2(1), float2(1), float2(1))", "float2", "float2(-1.0)"),
        ("reflect(float2(1, -1), float2(0, 1))", "float2", "float2(1.0, 1.0)"),
        ("refract(float2(0, -1), float2(0, 1), 1.0)", "float2", "float2(0.0, -1.0)"),
        ("transpose(float2x2(1, 2, 3, 4))", "float2x2", "float2x2(1.0, 3.0, 2.0, 4.0)"),
        ("outerProduct(float2(1, 2), float2(3, 4))", "float2x2", "float2x2(3.0, 6.0, 4.0, 8.0)"),
        ("determinant(float2x2(1, 2, 3, 4))", "float", "-2.0"),
        ("inverse(float2x2(2))", "float2x2", "float2x2(0.5, -0.0, -0.0, 0.5)"),
        ("inverse(float2x2(0))", "float2x2", "inverse(float2x2(0.0))"),
        ("lessThan(float2(1, 2), float2(2))", "bool2", "bool2(true, false)"),
        ("any(bool2(false, true))", "bool", "true"),
        ("all(bool2(false, true))", "bool", "false"),
        ("not(bool2(false, true))", "bool2", "bool2(true, false)"),
        ("floatBitsToInt(1.0)", "int", "1065353216"),
        ("intBitsToFloat(1065353216)", "float", "1.0"),
        ("packUnorm2x16(float2(0, 1))", "uint", "4294901760"),
        ("unpackUnorm2x16(4294901760)", "float2", "float2(0.0, 1.0)"),
        ("sin(x)", "float", "sin(x)"),
    ],
)
def test_values(call: str, type_: str, expected: str) -> None:
    assert value_of(call, type_) == expected


@pytest.mark.parametrize("size", [3, 4])
def test_the_inverse_of_larger_matrices(size: int) -> None:
    rows = ", ".join(
        str(2.0 if at % (size + 1) == 0 else 1.0 if at == 1 else 0.0) for at in range(size * size)
    )
    matrix = f"float{size}x{size}({rows})"
    found = value_of(f"inverse({matrix}) * {matrix} * 2", f"float{size}x{size}")
    numbers = [abs(float(each)) for each in found.partition("(")[2].rstrip(")").split(", ")]
    assert numbers == [2.0 if at % (size + 1) == 0 else 0.0 for at in range(size * size)]
    assert value_of(f"determinant({matrix})", "float") == f"{2.0**size}"


def test_a_vector_of_length_zero_cannot_be_normalised() -> None:
    assert problems_of("float2 x = normalize(float2(0));") == ["division by zero"]


VALUES: list[tuple[str, tuple[float, ...], float]] = [
    ("radians", (180,), 3.1415926535), ("degrees", (1.5,), 85.94366927),
    ("sin", (0.5,), 0.479425539),
    ("cos", (0.5,), 0.877582562), ("tan", (0.5,), 0.54630249), ("asin", (0.5,), 0.523598776),
    ("acos", (0.5,), 1.047197551), ("atan", (0.5,), 0.463647609), ("atan", (1, -1), 2.35619449),
    ("sinh", (0.5,), 0.521095305), ("cosh", (0.5,), 1.127625965), ("tanh", (0.5,), 0.462117157),
    ("asinh", (0.5,), 0.481211825), ("acosh", (1.5,), 0.962423650), ("atanh", (0.5,), 0.549306144),
    ("pow", (3, 4), 81), ("exp", (0.5,), 1.648721271), ("log", (0.5,), -0.693147181),
    ("exp2", (0.5,), 1.414213562), ("log2", (8,), 3), ("sqrt", (2.25,), 1.5),
    ("inversesqrt", (4,), 0.5), ("abs", (-2.5,), 2.5), ("sign", (-2.5,), -1), ("sign", (0,), 0),
    ("sign", (3,), 1), ("floor", (-1.5,), -2), ("ceil", (-1.5,), -1), ("fract", (-1.25,), 0.75),
    ("mod", (-5.5, 2), 0.5), ("mod", (5.5, -2), -0.5), ("min", (1, 2), 1), ("min", (2, 1), 1),
    ("max", (1, 2), 2), ("max", (2, 1), 2), ("clamp", (-1, 0, 2), 0), ("clamp", (3, 0, 2), 2),
    ("clamp", (1, 0, 2), 1), ("saturate", (-0.5,), 0), ("saturate", (1.5,), 1),
    ("saturate", (0.25,), 0.25), ("mix", (2, 6, 0.25), 3), ("step", (2, 1), 0), ("step", (2, 2), 1),
    ("smoothstep", (0, 4, 1), 0.15625), ("smoothstep", (0, 4, -1), 0), ("smoothstep", (0, 4, 5), 1),
    ("trunc", (-1.5,), -1), ("round", (2.5,), 2), ("round", (-1.25,), -1), ("roundEven", (3.5,), 4),
    ("floatBitsToInt", (-1,), -1082130432), ("floatBitsToUint", (-1,), 3212836864),
    ("intBitsToFloat", (-1082130432,), -1), ("uintBitsToFloat", (3212836864,), -1),
    ("matrixCompMult", (3, 4), 12), ("not", (1,), 0), ("not", (0,), 1),
]  # fmt: skip


@pytest.mark.fast
def test_each_function_of_components() -> None:
    """By GLSL's definition; every function that is folded has a row here."""
    wrong = [
        (name, given)
        for name, given, expected in VALUES
        if not math.isclose(BY_COMPONENT[name][len(given)](*given), expected, rel_tol=1e-8)
    ]
    assert wrong == []
    assert {(name, len(given)) for name, given, _ in VALUES} == {
        (name, count) for name, counts in BY_COMPONENT.items() for count in counts
    }
    signs = [BY_COMPONENT[name][1](-0.25) for name in ("ceil", "trunc")]
    assert [math.copysign(1, each) for each in signs] == [-1, -1]


def test_each_comparison() -> None:
    for name, orders in (
        ("lessThan", "<"), ("lessThanEqual", "<="), ("greaterThan", ">"),
        ("greaterThanEqual", ">="), ("equal", "="), ("notEqual", "<>"),
    ):  # fmt: skip
        found = [COMPARISONS[name](a, b) for a, b in ((1, 2), (2, 2), (2, 1))]
        assert found == [order in orders for order in "<=>"], name
    assert len(COMPARISONS) == 6
