"""Hostile sources: deep, long, and cyclic ones end in an error or in time."""

import pytest

from tests.programs.sksl.compiling import ES3, MAIN, messages, problems_of, upstream
from unshade.errors import AssembleError, LimitError
from unshade.isa.source import Source
from unshade.limits import Limits
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import Settings, compile

DEEP = 10_000
TOO_DEEP = "1: exceeded max parse depth"


@pytest.mark.parametrize(
    "text",
    [
        MAIN.format("return half4(" + "(" * DEEP + "1" + ")" * DEEP + ");"),
        MAIN.format("return half4(" + "-" * DEEP + "1);"),
        MAIN.format("return half4(" + "!" * DEEP + "true);"),
        MAIN.format("return half4(1" + " + 1" * DEEP + ");"),
        MAIN.format("return half4(" + "p.x < 1 ? 1 : " * DEEP + "1);"),
        MAIN.format("return p" + "[0" * DEEP + "]" * DEEP + ";"),
        MAIN.format("return half4(p" + ".xy" * DEEP + ", 0, 1);"),
        MAIN.format("{" * DEEP + "}" * DEEP),
        MAIN.format("if (true) " * DEEP + ";"),
        MAIN.format("float x; " + "x = " * DEEP + "1;"),
    ],
)
def test_nesting_is_bounded(text: str) -> None:
    assert TOO_DEEP in [each.replace("2: ", "1: ") for each in messages(text)]


def test_disassembled_text_may_be_deeper_but_not_endless() -> None:
    head = "// sksl runtime_shader\n"
    inner = "(" * 60 + "p.x" + ")" * 60
    assert "half(p.x)" in upstream(head + MAIN.format(f"return half4(half({inner}));"))
    with pytest.raises(AssembleError, match="exceeded max parse depth"):
        Program.assemble(head + MAIN.format("return half4(" + "(" * DEEP + "1" + ")" * DEEP + ");"))


def test_structs_of_structs_are_counted_once() -> None:
    structs = "struct S0 { float a; };" + "".join(
        f"struct S{n} {{ {' '.join(f'S{n - 1} m{i};' for i in range(30))} }};" for n in range(1, 8)
    )
    found = messages(structs + MAIN.format("S7 s; return half4(0);"))
    assert found == ["1: variable 's' exceeds the stack size limit"]
    deeper = "".join(
        f"struct T{n} {{ {'T' if n else 'S'}{n - 1 if n else 7} m; }};" for n in range(9)
    )
    assert "is too deeply nested" in messages(structs + deeper)[0]


def test_arrays_are_bounded() -> None:
    assert problems_of("float x[2147483647];") == ["variable 'x' exceeds the stack size limit"]
    assert problems_of("float x[4294967295];") == ["array size out of bounds"]
    assert problems_of("float x[99999999999999999999];")[0].startswith("integer is too large")


def test_numbers_of_any_length() -> None:
    digits = "9" * DEEP
    assert problems_of(f"int x = {digits};") == [f"integer is too large: {digits}"]
    assert problems_of(f"float x = {digits}.0;") == [
        f"floating-point value is too large: {digits}.0"
    ]
    assert problems_of(f"int x = {'0' * DEEP};") == []


def test_calls_in_a_circle() -> None:
    (found,) = messages("void f(); void g() { f(); } void f() { g(); }")
    assert found == "1: potential recursion (function call cycle) not allowed:"


def test_chains_of_calls_are_bounded() -> None:
    chain = "void f0() {}" + "".join(f"void f{n}() {{ f{n - 1}(); }}" for n in range(1, 200))
    assert messages(chain) == []  # each is known when the next one calls it
    backwards = "".join(f"void f{n}();" for n in range(200)) + "".join(
        f"void f{n}() {{ f{n - 1}(); }}" for n in range(199, 0, -1)
    )
    assert "1: exceeded max function call depth:" in messages(backwards + "void f0() {}")


def test_programs_that_unroll_to_too_much() -> None:
    calls = "void f0() { int x; x = 1; }" + "".join(
        f"void f{n}() {{ f{n - 1}(); f{n - 1}(); f{n - 1}(); }}" for n in range(1, 40)
    )
    assert messages(calls + MAIN.format("f39(); return half4(0);")) == ["program is too large"]


def test_folding_does_not_blow_up() -> None:
    lines = "const float x0 = 1.5;" + "".join(
        f"const float x{n} = x{n - 1} * x{n - 1};" for n in range(1, 40)
    )
    assert len(upstream(lines + MAIN.format("return half4(x39);"))) < 10_000
    wide = f"{ES3}const int a[1000] = int[1000]({', '.join('1' * 1000)});"
    text = wide + MAIN.format("return half4(a == a && a[999] == 1 ? 1 : 0);")
    assert "half4(1.0)" in upstream(text)


def test_large_constants_are_compared_in_time() -> None:
    values = ", ".join(["1"] * 2_000)
    text = f"{ES3}const int a[2000] = int[2000]({values}); "
    text += f"const int b[2000] = int[2000]({values.removesuffix('1')}2);"
    assert "half4(0.0)" in upstream(text + MAIN.format("return half4(a == b ? 1 : 0);"))
    again = Source(text + MAIN.format("bool x = a == b || a == b || a == b; return half4(0);"))
    with pytest.raises(LimitError):
        compile(again, Settings(), Limits(nodes=5_000))


def test_functions_of_one_name_are_bounded() -> None:
    structs = "".join(f"struct S{n} {{ half x; }}; void f(S{n} s) {{}}" for n in range(300))
    assert messages(structs)[0] == "1: too many functions are called 'f'"


def test_unfinished_text() -> None:
    whole = "/* a */ uniform half4 c; half4 main(float2 p) { return c.rgb1 * half(p[0]); } // b"
    for end in range(len(whole)):
        messages(whole[:end])


def test_errors_do_not_end() -> None:
    with pytest.raises(AssembleError):
        Program.assemble(MAIN.format("x;" * 2000))
