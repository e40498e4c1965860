"""Expressions: the simplest form, and what is refused."""

import pytest

from tests.programs.sksl.compiling import messages, problems_of, value_of


@pytest.mark.parametrize(
    ("expression", "type_", "expected"),
    [
        ("c.rgba", "half4", "c"),
        ("c.bgra.bgra", "half4", "c"),
        ("v.yx.y", "float", "v.x"),
        ("x.xxx", "float3", "float3(x)"),
        ("v.x01", "float3", "float3(v.x, 0.0, 1.0)"),
        ("v.y1x0", "float4", "float4(v.y, 1.0, v.x, 0.0)"),
        ("float4(v, x, 1).zw", "float2", "float2(x, 1.0)"),
        ("half4(v.xyxy).xw", "half2", "half2(v)"),
        ("float3(x).xy", "float2", "float2(x)"),
        ("c.LTRB", "half4", "c"),
        ("m[0]", "float2", "m[0]"),
        ("v[1]", "float", "v.y"),
        ("float2x2(1, 2, 3, 4)[1]", "float2", "float2(3.0, 4.0)"),
        ("int[2](i, 5)[1]", "int", "5"),
        ("float4(m)", "float4", "float4(m)"),
        ("float3x3(m)", "float3x3", "float3x3(m)"),
        ("half4(float4(1.5, 2, 3, 4))", "half4", "half4(1.5, 2.0, 3.0, 4.0)"),
        ("int(2.9)", "int", "2"),
        ("float2(1.5)", "float2", "float2(1.5)"),
    ],
)
def test_the_simplest_form(expression: str, type_: str, expected: str) -> None:
    assert value_of(expression, type_) == expected


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("p.xg;", "invalid swizzle mask 'xg'"),
        ("p.z;", "invalid swizzle component 'z'"),
        ("p.01;", "swizzle must refer to base expression"),
        ("p.xyxyx;", "too many components in swizzle mask"),
        ("p.k;", "invalid swizzle component 'k'"),
        ("p.;", "expected identifier, but found ';'"),
        ("p[2];", "index 2 out of range for 'float2'"),
        ("p[];", "missing index in '[]'"),
        ("true[0];", "expected array, but found 'bool'"),
        ("p = true;", "type mismatch: '=' cannot operate on 'float2', 'bool'"),
        ("p.xx = p;", "cannot write to the same swizzle field more than once"),
        ("1 = 2;", "cannot assign to this expression"),
        ("true++;", "'++' cannot operate on 'bool'"),
        ("!p;", "'!' cannot operate on 'float2'"),
        ("p(1);", "not a function"),
        ("sin;", "expected '(' to begin function call"),
        ("float;", "expected '(' to begin constructor invocation"),
        ("sin(true);", "no match for sin(bool)"),
        ("dot(p);", "no match for dot(float2)"),
        ("any(bool2(true), 1);", "call to 'any' expected 1 argument, but found 2"),
        ("float2(1, 2, 3);", "invalid arguments to 'float2' constructor (expected 2 scalars, "
            "but found 3)"),
        ("float2(p.xyxy);", "'float4' is not a valid parameter to 'float2' constructor; use '.xy' "
            "instead"),
        ("float(p);", "'float2' is not a valid parameter to 'float' constructor; use '.x' instead"),
        ("short x = 99999;", "integer is out of range for type 'short': 99999"),
        ("true ? p : 1;", "ternary operator result mismatch: 'float2', 'int'"),
        ("1 % 2;", "operator '%' is not allowed"),
        ("uint x;", "type 'uint' is not supported"),
        ("tanh(1.0);", "no match for tanh(float)"),  # neither of two is in the language
    ],
)  # fmt: skip
def test_refusals(statement: str, problem: str) -> None:
    assert problems_of(statement)[0] == problem


def test_children() -> None:
    head = "uniform shader s; uniform blender b; half4 main(float2 p) { return "
    assert messages(head + "s.eval(p); }") == []
    assert messages(head + "b.eval(s.eval(p), half4(1)); }") == []
    assert messages(head + "s.eval(half4(1)); }") == ["1: no match for shader::eval(half4)"]
    assert messages(head + "s.sample(p); }") == ["1: type 'shader' has no method named 'sample'"]
    assert messages(head + "s.eval; }") == ["1: expected '(' to begin method call"]
