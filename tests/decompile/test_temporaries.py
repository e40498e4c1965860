"""Variables that the program has no name for."""

from unshade.decompile.hlsl import Hlsl
from unshade.decompile.names import DecompiledNames
from unshade.decompile.printer import Printer
from unshade.decompile.temporaries import name_temporaries, without_temporaries
from unshade.decompile.tree import (
    Assign,
    BranchLine,
    Define,
    Line,
    NodeForm,
    ScalarKind,
    SourceExpression,
    TermType,
    name,
)
from unshade.ir.ops import OPS

FLOAT = TermType(ScalarKind.FLOAT)
PAIR = SourceExpression(NodeForm.CONSTRUCT, FLOAT.wide(2), (name("x", FLOAT), name("y", FLOAT)))


def printed(lines: list[Line]) -> str:
    return " ".join(each.strip() for each in Printer(Hlsl(False), exact=False).lines(lines))


def called(word: str, value: SourceExpression) -> SourceExpression:
    return SourceExpression(NodeForm.CALL, value.type, (value,), word)


def total(*terms: SourceExpression) -> SourceExpression:
    first, *rest = terms
    for each in rest:
        first = SourceExpression(OPS.fadd, first.type, (first, each))
    return first


def defined(word: str, use: SourceExpression, *more: Line) -> str:
    other = name("a", FLOAT.wide(2))
    start = Define(word, other.type, total(other, other))
    lines: list[Line] = [start, Assign(name("o", other.type), use), *more]
    without_temporaries(lines)
    return printed(lines)


def test_an_operand_of_a_function_is_in_its_call() -> None:
    value = name("%1", FLOAT.wide(2))
    assert defined("%1", called("normalize", value)) == "o = normalize(a + a);"


def test_a_value_with_another_use_or_a_name_stays() -> None:
    value = name("%1", FLOAT.wide(2))
    again = Assign(name("p", FLOAT.wide(2)), value)
    kept = "float2 %1 = a + a; o = normalize(%1);"
    assert defined("%1", called("normalize", value), again) == f"{kept} p = %1;"
    assert defined("%1", total(value, PAIR)).startswith("float2 %1 = ")
    known = name("to_light", FLOAT.wide(2))
    assert defined("to_light", called("normalize", known)).startswith("float2 to_light = ")


def test_a_part_of_a_vector_is_in_it() -> None:
    whole = SourceExpression(NodeForm.CONSTRUCT, FLOAT.wide(3), (name("%1", FLOAT.wide(2)), PAIR))
    assert defined("%1", whole) == "o = float3(a + a, float2(x, y));"


def test_a_long_expression_is_not_a_part_of_a_vector() -> None:
    other = name("a", FLOAT.wide(2))
    whole = SourceExpression(NodeForm.CONSTRUCT, FLOAT.wide(3), (name("%1", FLOAT.wide(2)), PAIR))
    for count, left in ((7, 1), (8, 2)):
        lines: list[Line] = [
            Define("%1", other.type, total(*[other] * count)),
            Assign(name("o", FLOAT.wide(3)), whole),
        ]
        without_temporaries(lines)
        assert len(lines) == left


def test_names_have_the_order_of_the_text() -> None:
    one, two, three = (name(f"%{each}", FLOAT) for each in (3, 1, 2))
    inner: list[Line] = [Define("%1", FLOAT, one), Assign(name("o", FLOAT), two)]
    lines: list[Line] = [
        Define("%3", FLOAT, name("x", FLOAT)),
        BranchLine(name("c", TermType(ScalarKind.BOOL)), inner),
        Define("%2", FLOAT, one),
        Assign(name("p", FLOAT), three),
    ]
    name_temporaries(lines, DecompiledNames(frozenset(), {"t_2": "end"}))
    assert printed(lines) == (
        "float t = x; if (c) { float t_1 = t; o = t_1; } float end = t; p = end;"
    )
