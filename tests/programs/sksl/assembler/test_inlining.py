"""Inlining of calls."""

import pytest

from tests.programs.sksl.compiling import ES3, MAIN, messages, unit_of, upstream
from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler.inlining import depth_of
from unshade.programs.sksl.assembler.returns import ReturnForm, return_form
from unshade.programs.sksl.tables.enumerations import SkslProgramKind
from unshade.programs.sksl.tree import FunctionDefinition, SharedFunction, walk


def main_of(text: str, **settings: object) -> str:
    found = upstream(text, **settings)
    return found.partition("half4 main(float2 p) {\n")[2].removesuffix("}\n")


def test_a_call_of_an_expression_is_that_expression() -> None:
    text = "half twice(half x) { return x * 2; }" + MAIN.format("return half4(twice(half(p.x)));")
    assert main_of(text) == "\n;\nreturn half4((half(p.x) * 2.0));\n\n"
    assert "twice(half(p.x))" in main_of(text, inline_threshold=0)
    assert "twice(half(p.x))" in main_of("noinline " + text)
    assert "twice(half(p.x))" in main_of(text, optimize=False)


def test_arguments_with_effects_and_parameters_that_change_get_variables() -> None:
    text = "half f(half x) { x += 1; return x + x; }" + MAIN.format("return half4(f(half(p.x)));")
    assert main_of(text) == (
        "\nhalf _0_x = half(p.x);\n(_0_x += 1.0);\n;\nreturn half4((_0_x + _0_x));\n\n"
    )


def test_several_returns_need_a_variable() -> None:
    text = "half f(half x) { if (x < 1) return 1; else return x; }"
    found = main_of(text + MAIN.format("half y = half(p.x); return half4(f(y));"))
    assert found == (
        "half y = half(p.x);\n\nhalf _0_f;\nif ((y < 1.0)) (_0_f = 1.0); else (_0_f = y);\n"
        "return half4(_0_f);\n\n"
    )


def test_large_functions_are_inlined_once_only() -> None:
    large = "half f(half x) { return " + " + ".join(f"sin(x * {n}.5)" for n in range(15)) + "; }"
    once, twice = (
        MAIN.format("return half4(f(1));"),
        MAIN.format("return half4(f(p.x), f(p.y), 0, 1);"),
    )
    assert "f(1.0)" not in main_of(large + once)
    assert "f(half(p.x))" in main_of(large + twice)
    assert "f(half(p.x))" not in main_of("inline " + large + twice)
    assert "f(half(p.x))" not in main_of(large + twice, inline_threshold=(1 << 31) - 1)


def test_the_right_side_of_a_short_circuit_stays() -> None:
    text = "bool f(half x) { return x < 1; }"
    found = main_of(text + MAIN.format("return half4(p.x > 2 && f(1) ? 1 : 0);"))
    assert "&& f(1.0)" in found


def test_errors_that_inlining_finds_are_at_the_argument() -> None:
    text = ES3 + "int f(int a[2], int i) { return a[i]; }\n"
    text += "half4 main(float2 p) { int a[2]; return half4(half(f(a, 2))); }"
    assert messages(text) == ["3: index 2 out of range for 'int[2]'"]


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("return 1;", ReturnForm.SINGLE),
        ("if (b) return 1; else return 2;", ReturnForm.SCOPED),
        ("{ half x = 1; return x; }", ReturnForm.SCOPED),
        ("{ half x = 1; } return 1;", ReturnForm.SINGLE),
        ("if (b) return 1; return 2;", ReturnForm.EARLY),
        ("while (b) { return 1; } return 1;", ReturnForm.EARLY),
        ("switch (1) { default: return 1; }", ReturnForm.EARLY),
    ],
)
def test_forms_of_returns(body: str, form: ReturnForm) -> None:
    unit = unit_of(f"{ES3}half f(bool b) {{ {body} }}", optimize=False)
    (function,) = unit.elements
    assert isinstance(function, FunctionDefinition)
    assert return_form(function.body) is form


def chain(length: int, body: str) -> str:
    """Return functions each of which calls the one before."""
    first = "inline half f0(half x) { return sin(x); }"
    others = (
        f"inline half f{n}(half x) {{ return {body.format(f'f{n - 1}')}; }}"
        for n in range(1, length)
    )
    return first + "".join(others) + MAIN.format(f"return half4(f{length - 1}(half(p.x)));")


def test_growth_is_bounded() -> None:
    for length in (16, 40):
        doubled = chain(length, "{0}(x) + {0}(x)")
        unit = unit_of(doubled, kind=SkslProgramKind.GENERIC)
        assert sum(1 for _ in walk(unit)) < 2_000_000
    (main,) = unit_of(chain(500, "sin({0}(x))")).elements[-1:]
    assert isinstance(main, FunctionDefinition)
    assert depth_of(main.body) <= 101
    calls = ", ".join(["f(half(p.x))"] * 100)
    wide = f"{ES3}inline half f(half x) {{ x += 1; return x; }}"
    wide += MAIN.format(f"half a[100] = half[100]({calls}); return half4(a[int(p.x)]);")
    (main,) = unit_of(wide).elements[-1:]
    assert isinstance(main, FunctionDefinition)
    assert depth_of(main.body) <= 101
    assert Program.assemble(Source(wide).text).encoded()


def test_names_are_new() -> None:
    text = "half f(half x) { x += 1; return x; }"
    found = main_of(text + MAIN.format("half _0_x = 2; return half4(f(half(p.x)) + _0_x);"))
    assert "half _1_x = half(p.x);" in found


def test_a_shared_function_that_is_inlined_makes_no_difference() -> None:
    text = MAIN.format("return unpremul(half4(half2(p), 1, 1));")
    program = Program(unit_of(text, kind=SkslProgramKind.GENERIC))
    assert any(isinstance(each, SharedFunction) for each in program.unit.elements)
    assert Program.assemble(program.disassemble()) == program
