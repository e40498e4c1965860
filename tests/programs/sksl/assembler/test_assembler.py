"""The compiler as a whole: programs, errors, and the bytes that follow."""

import pytest

from tests.programs.sksl.compiling import ES3, MAIN, messages, unit_of, upstream
from unshade.errors import AssembleError, LimitError, UsageError
from unshade.isa.source import Source
from unshade.limits import Limits
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import Settings, compile
from unshade.programs.sksl.tables.enumerations import LanguageVersion, SkslProgramKind
from unshade.programs.sksl.tree import (
    ArrayDataType,
    FunctionDeclaration,
    OverloadSet,
    SharedFunction,
)


def test_a_shader() -> None:
    text = "uniform half4 tint; half4 main(float2 p) { return tint * half(p.x); }"
    assert upstream(text) == (
        "#version 100\nuniform half4 tint;half4 main(float2 p) {\nreturn (tint * half(p.x));\n}\n"
    )


def test_a_program_of_the_printed_text_is_the_same() -> None:
    program = Program.assemble(
        ES3 + "struct S { half2 a[2]; int n; };\nuniform int count;\n"
        "half f(inout half x, S s) { x += s.a[1].y; do { x *= 2; } while (x < 4); return -x; }\n"
        "half4 main(float2 p) { S s; s.n = count; half y = 1; switch (s.n) { case 0: y = 2; break; "
        "default: y++; } for (int i = 0; i < 3; ++i) y += half(i); return half4(f(y, s)); }"
    )
    again = Program.assemble(program.disassemble())
    assert again == program
    pool, commands = program.encoded()
    assert Program.decode(commands, pool) == program
    assert again.encoded() == program.encoded()


def test_the_language_and_the_kind() -> None:
    assert unit_of(ES3 + MAIN.format("return half4(0);")).language is LanguageVersion.ES3
    filtered = unit_of(
        "half4 main(half4 c) { return c.bgra; }", kind=SkslProgramKind.RUNTIME_COLOR_FILTER
    )
    assert filtered.kind is SkslProgramKind.RUNTIME_COLOR_FILTER
    assert filtered.language is LanguageVersion.ES2


def test_errors_have_lines_and_columns() -> None:
    with pytest.raises(AssembleError) as raised:
        Program.assemble(
            "half4 main(float2 p) {\n    float x = true;\n    return y;\n}", file="a.rts"
        )
    first, second = raised.value.errors
    assert (first.line, first.column, first.width) == (2, 15, 4)
    assert str(first.with_caret()) == (
        "a.rts:2:15: expected 'float', but found 'bool'\n"
        "        float x = true;\n                  ^~~~"
    )
    assert (second.line, second.problem) == (3, "unknown identifier 'y'")


def test_the_kind_must_exist() -> None:
    with pytest.raises(UsageError, match="unknown kind 'shader'"):
        Program.assemble("", kind="shader")
    with pytest.raises(UsageError, match="expected a text"):
        Program.assemble(b"")  # type: ignore[arg-type]


def test_the_source_has_a_greatest_size() -> None:
    with pytest.raises(LimitError, match="file_size"):
        compile(Source(" " * 100), Settings(), Limits(file_size=99))


def test_symbols_are_made_in_the_order_of_the_source() -> None:
    table = unit_of(
        "uniform half4 a; half f(half x) { float y[2]; return x; }"
        "half f(half2 x) { return x.x; } half f(half3 x) { return x.x; }"
        + MAIN.format("return a;"),
        optimize=False,
    ).symbols
    shown = [f"{type(each).__name__}:{each.name}" for each in table.owned if each.name != "p"]
    assert shown == [
        "VariableSymbol:a", "VariableSymbol:x", "FunctionDeclaration:f", "ArrayDataType:float[2]",
        "VariableSymbol:x", "FunctionDeclaration:f", "OverloadSet:f",
        "VariableSymbol:x", "FunctionDeclaration:f", "OverloadSet:f", "FunctionDeclaration:main",
    ]  # fmt: skip
    last = table.names["f"]
    assert isinstance(last, OverloadSet)
    assert len(last.functions) == 3
    assert isinstance(table.names["float[2]"], ArrayDataType)


def test_functions_of_the_program_add_to_builtin_ones() -> None:
    text = "half sin(bool x) { return 1; }" + MAIN.format("return half4(sin(true) + sin(p.x));")
    table = unit_of(text).symbols
    sets = [each for each in table.owned if isinstance(each, OverloadSet)]
    assert [len(each.functions) for each in sets] == [3, 3]  # one for each search
    assert isinstance(table.names["sin"], FunctionDeclaration)


def test_functions_of_a_module_with_a_body_become_elements() -> None:
    text = MAIN.format("return unpremul(half4(half2(p), 1, 1));")
    shared, *_ = unit_of(text, inline_threshold=0).elements
    assert isinstance(shared, SharedFunction)
    assert not shared.declaration.builtin
    assert messages("half4 unpremul(half4 color) { return color; }") == [
        "1: function 'half4 unpremul(half4 color)' was already defined"
    ]


def test_dfdy_depends_on_the_orientation() -> None:
    text = ES3 + MAIN.format("return half4(half2(dFdy(p)), 0, 1);")
    assert unit_of(text).uses_flip
    assert not unit_of(text, flip=False).uses_flip
