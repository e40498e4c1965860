"""Statements, loops, declarations and functions: the tree, and what is refused."""

import pytest

from tests.programs.sksl.compiling import ES3, MAIN, messages, problems_of, unit_of, upstream
from unshade.programs.sksl.tables.enumerations import SkslProgramKind
from unshade.programs.sksl.tree import BlockStatement, ForStatement, FunctionDefinition, Statement

QUALIFIERS = [
    ("origin_upper_left", "origin_upper_left"), ("push_constant", "push_constant"),
    ("blend_support_all_equations", "blend_support_all_equations"), ("color", "color"),
    ("location = 1", "location"), ("offset = 4", "offset"), ("binding = 1", "binding"),
    ("index = 1", "index"), ("set = 1", "set"), ("builtin = 15", "builtin"),
    ("input_attachment_index = 1", "input_attachment_index"),
]  # fmt: skip

Kind = SkslProgramKind


def body_of(statements: str, **settings: object) -> list[Statement]:
    text = ES3 + MAIN.format(statements + " return half4(0);")
    *_, main = unit_of(text, **settings).elements
    assert isinstance(main, FunctionDefinition)
    return main.body.statements[:-1]


def printed(statements: str, **settings: object) -> str:
    text = ES3 + MAIN.format(statements + " return half4(0);")
    found = upstream(text, **settings)
    return found.partition(") {\n")[2].partition("\nreturn half4(0.0);")[0]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("if (true) p.x = 1; else p.x = 2;", "(p.x = 1.0);"),
        ("if (p.x < 1) ; else p.x = 2;", "if ((p.x < 1.0)) ; else (p.x = 2.0);"),
        ("if (p.x < 1) ;", ";"),
        ("p.x;", ";"),
        ("switch (2) { case 1: p.x = 1; case 2: p.y = 1; break; }", "{\n(p.y = 1.0);\n}\n"),
        ("switch (3) { case 1: p.x = 1; }", ";"),
        ("@if (false) p.x = 1;", ";"),
        ("for (int i = 0; i < 0; i++) p.x = 1;", ";"),
        ("for (int i = 0; i < 9; i++) ;", ";"),
        ("int a = 1; int b = a;", ";\n;"),
        ("while (p.x < 1) p.x++;", "for (; (p.x < 1.0); ) p.x++;"),
        ("int a, b; a = 1; p.x = float(a);", "\nint a;\n;\n\n(a = 1);\n(p.x = float(a));"),
    ],
)
def test_the_simplest_form(statements: str, expected: str) -> None:
    assert printed(statements) == expected


def test_without_optimisation_nothing_is_removed() -> None:
    assert printed("int a = 1; if (true) p.x = 1;", optimize=False) == (
        "int a = 1;\nif (true) (p.x = 1.0);"
    )


def test_what_is_never_reached_is_removed() -> None:
    text = "half f() { while (true) { break; discard_me(); } return 1; return 2; }"
    text = "void discard_me() {} " + text + MAIN.format("return half4(f());")
    found = upstream(ES3 + text)
    assert "discard_me" not in found
    assert "return 1.0;\n;\n}" in found


def test_functions_that_are_not_called_are_removed() -> None:
    text = "half f() { return 1; } half g() { return f(); }" + MAIN.format("return half4(0);")
    assert "f()" not in upstream(text)
    assert "f()" in upstream(text, kind=Kind.GENERIC)


def test_variables_that_are_not_used_are_removed_with_their_values() -> None:
    text = "half x; const half y = 1; uniform half z;"
    text += "half f(inout half a) { return a; }"
    text += MAIN.format("half a = 1; half b = a + 1; half c = f(a); return half4(0);")
    found = upstream(text, inline_threshold=0)
    assert "half x" not in found
    assert "const" not in found
    assert "uniform half z;" in found
    assert "half a = 1.0;\n;\nf(a);" in found


def test_a_loop_with_several_variables_is_a_block() -> None:
    (block,) = body_of("for (int i = 0, j = 1; i < j; i++) p.x = float(i + j);")
    assert isinstance(block, BlockStatement)
    assert block.symbols is not None
    assert list(block.symbols.names) == ["i", "j"]
    loop = block.statements[1]
    assert isinstance(loop, ForStatement)
    assert loop.symbols is None


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("while (true) ;", "while loops are not supported"),
        ("do ; while (true);", "do-while loops are not supported"),
        ("for (;;) ;", "missing init declaration"),
        ("for (int i; i < 1; i++) ;", "missing loop index initializer"),
        ("for (bool i = true; i == false; ) ;", "invalid type for loop index"),
        ("for (int i = 0; ; i++) p.x = 1;", "missing condition"),
        ("for (int i = 0; 1 > i; i++) p.x = 1;",
            "expected loop index on left hand side of condition"),
        ("for (int i = 0; i < int(p.x); i++) p.x = 1;",
            "loop index must be compared with a constant expression"),
        ("for (int i = 0; i < 1; ) p.x = 1;", "missing loop expression"),
        ("for (int i = 0; i < 1; i *= 2) p.x = 1;", "invalid operator in loop expression"),
        ("for (int i = 0; i < 1; i--) p.x = 1;",
            "loop must guarantee termination in fewer iterations"),
        ("for (int i = 0; i != 5; i += 2) p.x = 1;",
            "loop must guarantee termination in fewer iterations"),
        ("for (int i = 0; i < 9; i++) i++;", "loop index must not be modified within body of "
            "the loop"),
        ("if (true) int x;", "variable 'x' must be created in a scope"),
        ("if (1) ;", "expected 'bool', but found 'int'"),
        ("switch (1) { case 1: case 1: break; }", "duplicate case value '1'"),
        ("switch (p.x) { }", "expected 'int', but found 'float'"),
        ("switch (1) { case int(p.x): break; }", "case value must be a constant integer"),
        ("break;", "break statement must be inside a loop or switch"),
        ("continue;", "continue statement must be inside a loop"),
        ("discard;", "discard statement is only permitted in fragment shaders"),
        ("return 1;", "expected 'half4', but found 'int'"),
        ("@if (p.x < 1) ;", "static if has non-static test"),
        ("int x; int x;", "symbol 'x' was already defined"),
        ("const int x;", "'const' variables must be initialized"),
        ("const float x = p.x;", "'const' variable initializer must be a constant expression"),
        ("void x;", "variables of type 'void' are not allowed"),
        ("shader x;", "variables of type 'shader' must be global"),
        ("sampler2D x;", "invalid type"),
        ("uniform int x;", "expected expression, but found 'uniform'"),
        ("missing x;", "unknown identifier 'missing'"),
        ("int x[0];", "array size must be positive"),
        ("int x[p];", "array size must be an integer"),
        ("int x[];", "unsized arrays are not permitted here"),
        ("int x[2][2];", "multi-dimensional arrays are not supported"),
        ("int x = attribute;", "'attribute' is a reserved word"),
        ("x", "expected ';', but found 'return'"),
    ],
)  # fmt: skip
def test_refusals(statement: str, problem: str) -> None:
    found = problems_of(statement, optimize=not statement.startswith("@"))
    assert problem in found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("half4 main() { return half4(0); }",
            "1: 'main' parameters must be (float2, (vec4|float4|half4)?)"),
        ("float main(float2 p) { return 0; }", "1: 'main' must return: 'vec4', 'float4', or "
            "'half4'"),
        ("half f() { }", "1: function 'f' can exit without returning a value"),
        ("half f() { switch (1) { default: return 1; } }", None),
        ("half f(half x); half f(half x) { return x; }", None),
        ("half f(half x); half f(inout half x) { return x; }",
            "1: modifiers on parameter 1 differ between declaration and definition"),
        ("half f(); float f();",
            "1: functions 'float f()' and 'half f()' differ only in return type"),
        ("void f(out half x) {}",
            "1: function 'f' never assigns a value to out parameter 'x'"),
        ("half f(); half g() { return f(); }", "1: function 'half f()' is not defined"),
        ("int f; void f() {}", "1: symbol 'f' was already defined"),
        ("inline noinline void f() {}", "1: functions cannot be both 'inline' and 'noinline'"),
        ("int[2] f() { return int[2](1, 2); }", "1: functions may not return type 'int[2]'"),
        ("void f(shader s) {}", "1: parameters of type 'shader' not allowed"),
        ("in half x;", "1: 'in' variables not permitted in runtime effects"),
        ("uniform bool x;", "1: variables of type 'bool' may not be uniform"),
        ("uniform half x = 1;", "1: 'uniform' variables cannot use initializer expressions"),
        ("layout(color) uniform half x;",
            "1: 'layout(color)' is not permitted on variables of type 'half'"),
        ("layout(color, color) uniform half4 x;",
            "1: layout qualifier 'color' appears more than once"),
        ("layout(binding = 1) uniform half x;",
            "1: layout qualifier 'binding' is not permitted here"),
        *(
            (f"layout({word}) {where}", f"1: layout qualifier '{name}' is not permitted here")
            for word, name in QUALIFIERS
            for where in ("void f() {}", "half f();")
        ),
        *(
            (f"void f(layout({word}) half4 x) {{}}",
                f"1: layout qualifier '{name}' is not permitted here")
            for word, name in QUALIFIERS
        ),
        ("half $x;", "1: name '$x' is reserved"),
        ("half x = sqrt(x);", "1: unknown identifier 'x'"),
        ("uniform half u; half x = u;",
            "1: global variable initializer must be a constant expression"),
        ("struct S { half x; half x; };",
            "1: field 'x' was already defined in the same struct ('S')"),
        ("struct S {};", "1: struct 'S' must contain at least one field"),
        ("struct S { const half x; };",
            "1: modifier 'const' is not permitted on a struct field"),
        ("struct S { shader x; };", "1: opaque type 'shader' is not permitted in a struct"),
        ("Block { half x; };", "1: interface blocks are not allowed in this kind of program"),
        ("#extension x : enable", "1: unsupported directive '#extension'"),
        ("half x;\n#version 300", "2: #version directive must appear before anything else"),
        ("#version 200", "1: unsupported version number"),
        ("highp lowp float x;", "1: only one precision qualifier can be used"),
        ("mediump bool x;", "1: type 'bool' does not support precision qualifiers"),
        (";", "1: expected a declaration, but found ';'"),
        ("?", "1: expected a type, but found '?'"),
        ("\\", "1: invalid token"),
        ("half float;", "1: expected an identifier, but found type 'float'"),
    ],
)  # fmt: skip
def test_declarations(text: str, problem: str | None) -> None:
    assert messages(text)[:1] == ([] if problem is None else [problem])


def test_precision_is_part_of_the_type() -> None:
    found = upstream(
        "uniform mediump float2 a; uniform highp float b; lowp int c[2];", optimize=False
    )
    assert "half2 a;" in found
    assert "float b;" in found
    assert "short c[2];" in found


def test_the_first_declaration_names_the_parameters() -> None:
    text = "half f(half x); half f(half y) { return y; }"
    assert messages(text) == ["1: unknown identifier 'y'"]  # as upstream has it


def test_interface_blocks_of_fragment_programs() -> None:
    text = "layout(binding = 3) uniform B { half4 a; float b[2]; }; void main() { half4 c = a; }"
    found = upstream(text, kind=Kind.FRAGMENT, optimize=False)
    assert "half4 c = B.a;" in found
    assert messages("uniform B { half4 a; } b; half4 b;", kind=Kind.FRAGMENT) == [
        "1: symbol 'b' was already defined"
    ]


@pytest.mark.parametrize(
    ("kind", "text", "fits"),
    [
        (Kind.RUNTIME_COLOR_FILTER, "half4 main(half4 c) { return c; }", True),
        (Kind.RUNTIME_COLOR_FILTER, "half4 main(float2 c) { return c.xyxy; }", False),
        (Kind.RUNTIME_BLENDER, "half4 main(half4 s, half4 d) { return s + d; }", True),
        (Kind.RUNTIME_BLENDER, "half4 main(half4 s) { return s; }", False),
        (Kind.RUNTIME_SHADER, "float4 main(float2 p, half4 c) { return c; }", True),
        (Kind.MESH_VERTEX, "struct Attributes { float2 p; }; struct Varyings { half4 c; };"
            "float2 main(Attributes a, out Varyings v) { return a.p; }", True),
        (Kind.MESH_VERTEX, "float2 main(float2 a) { return a; }", False),
        (Kind.MESH_FRAGMENT, "struct Varyings { half4 c; };"
            "float2 main(Varyings v, out half4 c) { c = v.c; return float2(0); }", True),
        (Kind.MESH_FRAGMENT, "void main() {}", False),
        (Kind.FRAGMENT, "void main() {}", True),
        (Kind.FRAGMENT, "void main(half x) {}", False),
        (Kind.VERTEX, "void main() {}", True),
        (Kind.VERTEX, "void main(float2 x) {}", False),
        (Kind.GENERIC, "int main(int x) { return x; }", True),
    ],
)  # fmt: skip
def test_the_signature_of_main(kind: Kind, text: str, fits: bool) -> None:
    assert (messages(text, kind=kind) == []) is fits
