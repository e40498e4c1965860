"""SkSL programs as text: upstream's, and source."""

import pytest

from tests.programs.sksl.generate import generated
from tests.programs.sksl.samples import (
    binary,
    block,
    call,
    declare_function,
    function,
    half,
    integer,
    local,
    named,
    parameter,
    program,
    statements,
    tinted,
    use,
)
from unshade.programs.sksl import Program
from unshade.programs.sksl.builtins import parent_of
from unshade.programs.sksl.tables.enumerations import BlockForm, SkslProgramKind
from unshade.programs.sksl.tables.operators import Operator
from unshade.programs.sksl.text.expressions import float_text
from unshade.programs.sksl.text.grouping import SourceExpressions, short_float
from unshade.programs.sksl.text.native import disassemble
from unshade.programs.sksl.tree import (
    INT_LITERAL,
    BlockStatement,
    ConstructorSplat,
    DoStatement,
    Expression,
    ExpressionStatement,
    FloatLiteral,
    ForStatement,
    FunctionDefinition,
    IfStatement,
    NopStatement,
    PrefixExpression,
    ReturnStatement,
    Statement,
    SymbolTable,
    TernaryExpression,
)

A, B = use(local("a", "half")), use(local("b", "half"))
SOURCE = SourceExpressions(parent_of(SkslProgramKind.RUNTIME_SHADER))


def negated(value: Expression) -> PrefixExpression:
    return PrefixExpression(operator=Operator.MINUS, operand=value)


@pytest.mark.parametrize(
    ("value", "long", "short"),
    [
        (0.1, "0.10000000000000001", "0.1"),
        (1.0, "1.0", "1.0"),
        (1e30, "1.0000000000000000e+30", "1e+30"),
        (1e-45, "9.9999999999999998e-46", "1e-45"),
        (16777216.0, "16777216.0", "16777216.0"),
    ],
)
def test_floats(value: float, long: str, short: str) -> None:
    assert short_float(value) == short
    if value < 1e20 and value > 1e-20:
        assert float_text(value) == long


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (binary(binary(A, "+", B), "*", A), "(a + b) * a"),
        (binary(A, "-", binary(A, "-", B)), "a - (a - b)"),
        (binary(binary(A, "-", A), "-", B), "a - a - b"),
        (binary(A, "=", binary(B, "=", A)), "a = b = a"),
        (binary(binary(A, ",", B), ",", A), "a, b, a"),
        (negated(negated(A)), "-(-a)"),
        (negated(binary(A, "*", B)), "-(a * b)"),
        (
            TernaryExpression(test=binary(A, "<", B), if_true=A, if_false=binary(A, "=", B)),
            "a < b ? a : a = b",
        ),
    ],
)
def test_parentheses(value: Expression, text: str) -> None:
    assert SOURCE.text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (binary(A, "*", half(0.5)), "a * 0.5"),
        (binary(half(0.5), "*", half(0.5)), "half(0.5) * half(0.5)"),
        (binary(use(local("n", "int")), "<", integer(3)), "n < 3"),
        (binary(A, "=", half(0.5)), "a = 0.5"),
        (ConstructorSplat(type=named("half3"), arguments=[half(0.5)]), "half3(0.5)"),
        (ConstructorSplat(type=named("float3"), arguments=[half(0.5)]), "float3(half(0.5))"),
        (call("max", "half", A, half(0.5)), "max(a, 0.5)"),
        (
            call("sin", "float", FloatLiteral(type=named("float"), value=1.0)),
            "sin(float(1.0))",
        ),
        (integer(3, INT_LITERAL), "3"),
    ],
)
def test_literals_have_their_type_where_the_place_gives_another(
    value: Expression, text: str
) -> None:
    assert SOURCE.text(value) == text


def test_a_program_as_source() -> None:
    assert tinted().disassemble() == (
        "// sksl runtime_shader\n"
        "\n"
        "uniform half4 tint;\n"
        "uniform shader image;\n"
        "uniform float3 weights[4];\n"
        "uniform float2x2 turn;\n"
        "\n"
        "half4 main(float2 p) {\n"
        "    return tint * half(p.x);\n"
        "}\n"
    )
    exact = disassemble(tinted(), heading=True)
    assert exact.startswith("// unshade sksl exact 1\n// sksl runtime_shader\n\nuniform")


def test_statements_as_source() -> None:
    text = statements().disassemble()
    assert "#version 300\n" in text
    assert "struct Pair {\n    half a;\n    half b;\n};\n" in text
    assert "noinline half f(int x) {" in text
    assert "    for (int i = 0; i < 2; ++i) {\n        half inner[2] = weights;\n" in text
    assert "        case -7:\n            return color;\n        default:\n            ;\n" in text


def text_of(*given: Statement) -> str:
    table = SymbolTable()
    main = function("main", "half4", parameter("p", "float2"))
    declare_function(table, main)
    made = program([FunctionDefinition(declaration=main, body=block(*given))], table)
    return made.disassemble().partition("{\n")[2].rpartition("}")[0]


def test_branches_and_loops() -> None:
    done, test = ExpressionStatement(expression=A), binary(A, "<", B)
    either = IfStatement(
        is_static=False,
        test=test,
        if_true=block(done),
        if_false=IfStatement(is_static=True, test=test, if_true=done, if_false=NopStatement()),
    )
    assert text_of(either) == (
        "    if (a < b) {\n        a;\n    } else @if (a < b)\n        a;\n    else ;\n"
    )
    forever = ForStatement(symbols=None, initialiser=None, test=None, next=None, body=done)
    assert text_of(forever) == "    for (;;)\n        a;\n"
    loop = ForStatement(symbols=None, initialiser=None, test=test, next=None, body=block(done))
    assert text_of(loop) == "    while (a < b) {\n        a;\n    }\n"
    assert text_of(DoStatement(body=block(done), test=test)) == (
        "    do {\n        a;\n    } while (a < b);\n"
    )


def test_unbraced_blocks_are_their_statements() -> None:
    both: list[Statement] = [ExpressionStatement(expression=A), ReturnStatement(value=B)]
    joined = BlockStatement(symbols=None, statements=both, form=BlockForm.UNBRACED)
    assert text_of(joined) == "    a;\n    return b;\n"


def test_upstream() -> None:
    assert tinted().disassemble("upstream") == (
        "#version 100\n"
        "uniform half4 tint;uniform shader image;uniform float3 weights[4];"
        "uniform float2x2 turn;half4 main(float2 p) {\nreturn (tint * half(p.x));\n}\n"
    )


def test_the_lexer_keeps_every_character() -> None:
    made: Program = statements()
    for dialect in ("native", "upstream"):
        text = made.disassemble(dialect)
        tokens = list(made.lexer().tokens(text))
        assert "".join(word for word, _ in tokens) == text
    kinds = dict(tokens)
    assert [str(kinds[each]) for each in ("for", "half", "max", "color", "0.25")] == [
        "flow", "word", "operation", "name", "literal",
    ]  # fmt: skip


def test_what_inlining_left_is_kept() -> None:
    """Skia folds calls and drops empty loops when it makes them, before it inlines and removes."""
    text = """\
// sksl runtime_shader

half4 main(float2 p) {
    for (int i = 0; i < 2; ++i) {
        ;
    }
    half v = clamp(pow(abs(saturate(0.944679)) + 0.1, 1.7), -4.0, 4.0);
    return half4(v);
}
"""
    found = Program.assemble(text)
    assert found.disassemble() == text
    source = text.partition("\n")[2]
    folded = Program.assemble(source, kind="runtime_shader").disassemble()
    assert "for" not in folded
    assert "clamp" not in folded


@pytest.mark.parametrize("kind", ["filter", "blender", "shader"])
def test_optimised_programs_are_compiled_to_the_same_text(kind: str) -> None:
    name = {"filter": "color_filter"}.get(kind, kind)
    for seed in range(4):
        source = generated(kind, seed).text
        text = Program.assemble(source, kind=f"runtime_{name}").disassemble()
        assert Program.assemble(text).disassemble() == text
