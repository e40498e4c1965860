"""Statements and calls. `p` is (0.5, 0.5)."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.programs.sksl.lower.support import pixel, shaded, shader
from unshade.formats.sksl import SkslShader
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.programs.sksl import Program
from unshade.programs.sksl.lower.builtins import CallArguments, call_builtin
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.tree import (
    BinaryExpression,
    FunctionCall,
    ModuleUnit,
    PrefixExpression,
    SwizzleExpression,
    SymbolTable,
    walk,
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for (int i = 0; i < 4; i++) n += i;", 6),
        ("for (int i = 0; i < 9; i++) { if (i == 1) continue; if (i > 3) break; n += i; }", 5),
        ("int i = 0; while (i < 3) { i++; n += i; }", 6),
        ("do { n += 2; if (n > 100) continue; } while (n < 5);", 6),
        ("do { n++; break; } while (true);", 1),
        ("for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j > i) break; n++; }", 6),
        ("switch (int(p.x * 4.0)) { case 1: n = 9; case 2: n += 1; case 3: n += 2; break;"
         " default: n = 7; }", 3),
        ("switch (int(p.x * 4.0)) { case 1: n = 9; break; default: n = 7; }", 7),
        ("for (int i = 0; i < 4; i++) switch (i) { case 1: break; case 2: n += 10; break;"
         " default: n += 1; }", 12),
        ("if (p.x > 1.0) n = 1; else if (p.x > 0.25) n = 2; else n = 3;", 2),
    ],
)  # fmt: skip
def test_control_flow(body: str, expected: int) -> None:
    assert pixel(f"int n = 0; {body} return half4(n);")[0] == expected


def test_pixels_diverge() -> None:
    text = """
        half f(float x) { for (int i = 0; i < 8; i++) { if (float(i) > x) return half(i); }
                          return -1.0; }
        half4 main(float2 p) { return half4(f(p.x), f(p.y), 0, 1); }
    """
    found = shaded(shader(text), (4, 3))
    assert found[2, :, 0].tolist() == [1, 2, 3, 4]
    assert found[:, 1, 1].tolist() == [1, 2, 3]


def test_parameters_are_copied() -> None:
    before = """
        void swap(inout float a, inout float b) { float c = a; a = b; b = c; }
        float twice(float a) { a *= 2.0; return a; }
        void give(out float2 a, float b) { a = float2(b, b + 1.0); }
    """
    body = """
        float x = p.x, y = 3.0; swap(x, y); float z = twice(x);
        float4 v = float4(0); give(v.wy, z); return half4(x, y, v.y, v.w);
    """
    assert pixel(body, before) == [3, 0.5, 7, 6]


def test_structures_and_arrays() -> None:
    before = "struct S { float a; half2 b[2]; }; S make(float a) { S s; s.a = a; s.b[1] = half2(1);"
    before += " return s; }"
    body = """
        S s[2]; s[0] = make(p.x); s[1] = s[0]; s[1].b[1].y = 4.0;
        return half4(s[1].a, s[1].b[1], s[0] == s[1] ? 1.0 : 2.0);
    """
    assert pixel(body, before) == [0.5, 1, 4, 2]


def test_globals_keep_their_values() -> None:
    before = "float n = 2.0; const float k = 3.0; void f() { n *= k; }"
    assert pixel("f(); f(); return half4(n);", before)[0] == 18


@pytest.mark.parametrize("count", [3, 40])
def test_an_index_out_of_range_is_clamped(count: int) -> None:
    """A negative one is a large unsigned number, so it means the last element."""
    body = f"""
        float a[{count}]; for (int i = 0; i < {count}; i++) a[i] = float(i);
        int n = int(p.x * 2.0); a[n * 1000] = 77.0;
        return half4(a[n * -1], a[n], a[n * {count}], a[n - 1]);
    """
    assert pixel(body) == [77, 1, 77, 0]


def test_vectors_and_matrices_are_indexed() -> None:
    body = """
        int n = int(p.x * 2.0); float3 v = float3(1, 2, 3); v[n] = 5.0; v.zx[n] = 9.0;
        float2x2 m = float2x2(1, 2, 3, 4); m[n][n - 1] = 8.0;
        return half4(v[n * 7], v[n], m[n].x, v.x);
    """
    assert pixel(body) == [3, 5, 8, 9]


def test_uniforms_are_read_by_their_layout() -> None:
    before = """
        uniform int k; uniform float2x3 m; uniform half a[5]; uniform half4 c;
    """
    body = "return half4(m[1].z, a[k], 1, c.a);"
    bound = {"k": 3, "m": np.arange(6).reshape(2, 3).T, "a": range(5), "c": [9] * 4}
    assert pixel(body, before, **bound) == [5, 3, 1, 9]


def test_lines_are_those_of_the_source() -> None:
    text = "half4 main(float2 p) {\n  half2 q =\n    half2(p) * 2.0;\n  return q.xyxy;\n}"
    kernel = unshade.kernel(shader(text))
    assert kernel.listing == text.split("\n")
    debugger = kernel.debug((0, 0))
    debugger.shade((1, 1))
    assert [each.line for each in debugger.trace.entries if each.writes] == [2, 4]


def test_lines_of_a_file_are_those_of_its_text() -> None:
    text = "half4 main(float2 p) {\n  half2 q = half2(p) * 2.0;\n  return q.xyxy;\n}"
    found = unshade.loads(shader(text).to_bytes())
    debugger = unshade.kernel(found).debug((0, 0))
    debugger.shade((1, 1))
    lines = {debugger.line(each.line) for each in debugger.trace.entries}
    assert {"half2 q = half2(p) * 2.0;", "return q.xyxy;"} <= lines


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("half4 f(float2 p); half4 main(float2 p) { return f(p); }", "f"),
        ("struct S { float2 a; }; half4 main(S s) { return half4(s.a.x); }", "main"),
    ],
)
def test_what_cannot_be_run_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(unshade.UnshadeError, match=message):
        unshade.kernel(shader(text))


def test_a_module_is_not_run() -> None:
    module = Program(ModuleUnit(symbols=SymbolTable(), elements=[]))
    with pytest.raises(unshade.UsageError, match="the program has none"):
        module.lower()


def test_nested_calls_are_bounded() -> None:
    """Bodies are lowered inside each other: the whole nesting counts."""
    text = "float f0(float x) { return x; }\n"
    for number in range(1, 20):
        inner = f"f{number - 1}(x)"
        for _ in range(10):
            inner = f"({inner} + x)"
        text += f"float f{number}(float x) {{ return {inner}; }}\n"
    found = shader(f"{text}half4 main(float2 p) {{ return half4(f19(p.x)); }}", inline_threshold=0)
    with pytest.raises(unshade.UnsupportedError, match="more than 200 nested"):
        unshade.kernel(found)


def test_a_call_without_all_its_arguments_is_refused() -> None:
    text = "half4 main(float2 p) { return half4(mix(p.x, p.y, 0.5)); }"
    (program,) = SkslShader.loads(shader(text).to_bytes()).programs
    calls = [each for each in walk(program.unit) if isinstance(each, FunctionCall)]
    del calls[0].arguments[2]
    with pytest.raises(unshade.UnsupportedError, match="mix: expected 3 arguments, got 2"):
        program.lower()


def test_a_call_with_too_short_a_vector_is_refused() -> None:
    """Damaged files have such calls: the type of the result is that of the function's symbol."""
    b = Builder(KernelIR())
    vector = [b.f32(1.5), b.f32(2.5)]
    with pytest.raises(unshade.UnsupportedError, match="floor: expected arguments of 4 components"):
        call_builtin(b, "floor", CallArguments([vector], [], 4))


def test_a_step_of_a_uniform_is_refused() -> None:
    """Damaged files change uniforms: the negation becomes a step."""
    text = "uniform float k; half4 main(float2 p) { return half4(-k); }"
    (program,) = SkslShader.loads(shader(text).to_bytes()).programs
    (negation,) = (each for each in walk(program.unit) if isinstance(each, PrefixExpression))
    negation.operator = Operator.MINUS_MINUS
    with pytest.raises(unshade.UnsupportedError, match="expected a variable that can be assigned"):
        program.lower()


def test_operands_of_two_sizes_are_refused() -> None:
    """Damaged files have such operands."""
    text = "half4 main(float2 p) { float4 v = float4(1); v -= p.xyxy; return half4(v); }"
    (program,) = SkslShader.loads(shader(text).to_bytes()).programs
    (each,) = [each for each in walk(program.unit) if isinstance(each, BinaryExpression)]
    assert isinstance(each.right, SwizzleExpression)
    each.right = each.right.base
    with pytest.raises(unshade.UnsupportedError, match="of one size, got 4 and 2 components"):
        program.lower()


def test_a_colour_space_is_checked() -> None:
    with pytest.raises(unshade.UsageError, match="color_space: expected srgb, got 'rgb'"):
        unshade.kernel(shader("half4 main(float2 p) { return half4(0); }"), color_space="rgb")


def test_a_trace_tells_no_branch_where_a_loop_goes_on() -> None:
    """The test of a loop was a branch that is not taken, although its body is run."""
    found = shader(
        "half4 main(float2 p) {\n"
        "    half4 c = half4(0);\n"
        "    for (int i = 0; i < 2; i++) { c.r += 0.1; }\n"
        "    if (p.x > 9) c.g = 1;\n"
        "    return c;\n"
        "}\n"
    )
    made = unshade.kernel(found).debug((0, 0), checks=False)
    made.shade((1, 1))
    notes = {
        number: [note for one in made.trace.entries if one.line == number for note in one.notes]
        for number in (3, 4)
    }
    assert notes == {3: ["leaves"], 4: ["not taken"]}
