"""Statements as instructions: their list, their parts, and edits."""

from __future__ import annotations

import pytest

import unshade
from tests.programs.sksl.compiling import unit_of
from unshade.errors import AssembleError, UsageError
from unshade.programs.sksl import Program
from unshade.programs.sksl.instruction import source_step

TEXT = """
uniform half gain;
half twice(half x) { return x * 2.0; }
half4 main(float2 p) {
    half4 c = half4(half2(p), 0, 1);
    if (p.x > 1.0) {
        c.r *= gain;
    }
    for (int i = 0; i < 2; ++i) c.g += 0.5;
    return c * twice(gain);
}
"""


@pytest.fixture
def program() -> Program:
    return Program(unit_of(TEXT, inline_threshold=0))


def names(program: Program) -> list[str]:
    return [each.name for each in program.instructions]


def number(program: Program, text: str) -> int:
    return next(at for at, each in enumerate(program.instructions) if str(each).startswith(text))


def test_statements_are_listed_with_those_in_them(program: Program) -> None:
    assert names(program) == ["uniform half", "return", "=", "if", "*=", "for", "+=", "return"]
    found = program.instructions[4]
    assert (str(found), found.results, found.operands) == ("c.x *= gain;", ["c.x"], ["c.x", "gain"])
    assert found.path.endswith("if_true.statements[0]")
    assert program.offset(program.instruction_path(4)) is not None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("half4 c = f(a, b);", ("=", "half4", ["c"], ["f(a, b)"])),
        ("a[i == 1 ? 0 : 1].x <<= 2;", ("<<=", "", ["a[i == 1 ? 0 : 1].x"], ["2"])),
        ("f(a, g(b, c));", ("f", "", [], ["a", "g(b, c)"])),
        ("layout(color) uniform half4 tint;", ("layout(color) uniform half4", "", ["tint"], [])),
        ("return a >= b;", ("return", "", [], ["a >= b"])),
        ("if (a == b) {", ("if", "", [], ["a == b"])),
        ("++i;", ("++", "", ["i"], [])),
        ("i--;", ("--", "", ["i"], [])),
        ("a[i = 2].x = (b, c);", ("=", "", ["a[i = 2].x"], ["(b, c)"])),
        ("f(i = 2);", ("f", "", [], ["i = 2"])),
        ("a != b;", ("a", "", [], ["!= b"])),
        ("a <= b;", ("a", "", [], ["<= b"])),
        ("x >>= y == z ? 1 : 2;", (">>=", "", ["x"], ["y == z ? 1 : 2"])),
        (
            "const half3x3 m[2] = half3x3[2](a, b);",
            ("=", "const half3x3", ["m[2]"], ["half3x3[2](a, b)"]),
        ),
        ("half[2] c;", ("half[2]", "", ["c"], [])),
        ("uniform half4[3] colors;", ("uniform half4[3]", "", ["colors"], [])),
        ("half[2] c = half[2](a, b);", ("=", "half[2]", ["c"], ["half[2](a, b)"])),
        ("return (a, b);", ("return", "", [], ["a", "b"])),
        ("return (a) + (b);", ("return", "", [], ["(a) + (b)"])),
        ("@if (a, f(b, c)) {", ("@if", "", [], ["a", "f(b, c)"])),
        ("discard;", ("discard", "", [], [])),
    ],
)
def test_lines_are_taken_apart(line: str, expected: tuple[str, str, list[str], list[str]]) -> None:
    step = source_step(line)
    results, operands = ([each.text for each in part] for part in (step.results, step.operands))
    assert (step.operation, step.controls, results, operands) == expected


def test_replacing(program: Program) -> None:
    (new,) = program.replace(number(program, "c.x *="), "c.r *= gain + 1.0;")
    assert str(new) == "c.x *= gain + 1.0;"
    assert "        c.x *= gain + 1.0;\n" in program.disassemble()
    assert unshade.loads(unshade.SkslShader(program).to_bytes()).programs[0] == program


def test_inserting_several_and_at_the_end(program: Program) -> None:
    new = program.insert(number(program, "if"), "half k = 3.0;", "if (k > gain) { c.b = k; }")
    assert [each.name for each in new] == ["=", "if"]
    text = program.disassemble()
    assert text.index("half k = 3.0;") < text.index("c.z = k;") < text.index("c.x *= gain;")
    total = len(program.instructions)
    (last,) = program.insert(total, "return half4(0);")
    assert str(last) == "return half4(0.0);"
    assert len(program.instructions) == total + 1


def test_removing_a_statement_removes_those_in_it(program: Program) -> None:
    (gone,) = program.remove(number(program, "if"))
    assert gone.name == "if"
    assert names(program) == ["uniform half", "return", "=", "for", "+=", "return"]
    program.remove(number(program, "c.y +="))
    assert "c.y" not in program.disassemble()


def test_a_uniform_is_inserted_and_used(program: Program) -> None:
    program.insert(0, "uniform float2 size;")
    program.replace(number(program, "half4 c"), "half4 c = half4(half2(p / size), 0, 1);")
    variables = program.interface().constant_buffers[0].variables
    assert [each.name for each in variables] == ["size", "gain"]


def test_an_invalid_edit_changes_nothing(program: Program) -> None:
    before = program.disassemble()
    with pytest.raises(AssembleError, match="unknown identifier 'q'"):
        program.insert(number(program, "if"), "c *= q;")
    with pytest.raises(AssembleError, match="unknown identifier 'c'"):
        program.remove(number(program, "half4 c"))
    with pytest.raises(UsageError, match="expected a statement or its text, got 3"):
        program.replace(2, 3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="consecutive statements"):
        program.replace(slice(0, 5, 2))
    assert program.disassemble() == before


def test_statements_are_copied_from_another_program(program: Program) -> None:
    other = Program(unit_of("half4 main(float2 p) { half4 c = half4(0); c.a = 0.5; return c; }"))
    (new,) = program.insert(number(program, "return c"), other.instructions[1])
    assert str(new) == "c.w = 0.5;"
