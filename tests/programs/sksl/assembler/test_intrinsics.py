"""Folding of builtin functions."""

import pytest

from tests.programs.sksl.compiling import problems_of, value_of


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
