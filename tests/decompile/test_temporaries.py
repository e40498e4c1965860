"""Variables for vectors that a line repeats, and none for operands of functions."""

from unshade.decompile.hlsl import Hlsl
from unshade.decompile.names import DecompiledNames
from unshade.decompile.printer import Printer
from unshade.decompile.temporaries import name_repeated, without_temporaries
from unshade.decompile.tree import (
    Assign,
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


def test_a_vector_that_a_line_has_three_times_is_named() -> None:
    value = total(*(called(word, PAIR) for word in ("f", "g", "h")))
    lines: list[Line] = [Assign(name("o", FLOAT.wide(2)), value)]
    name_repeated(lines, DecompiledNames(frozenset(), {}))
    assert printed(lines) == "float2 t = float2(x, y); o = f(t) + g(t) + h(t);"


def test_a_vector_that_a_line_has_twice_is_not() -> None:
    lines: list[Line] = [Assign(name("o", FLOAT.wide(2)), total(called("f", PAIR), PAIR))]
    name_repeated(lines, DecompiledNames(frozenset(), {}))
    assert len(lines) == 1


def defined(word: str, use: SourceExpression, *more: Line) -> str:
    other = name("a", FLOAT.wide(2))
    start = Define(word, other.type, total(other, other))
    lines: list[Line] = [start, Assign(name("o", other.type), use), *more]
    without_temporaries(lines)
    return printed(lines)


def test_an_operand_of_a_function_is_in_its_call() -> None:
    value = name("t_1", FLOAT.wide(2))
    assert defined("t_1", called("normalize", value)) == "o = normalize(a + a);"


def test_a_value_with_another_use_or_a_name_stays() -> None:
    value = name("t", FLOAT.wide(2))
    again = Assign(name("p", FLOAT.wide(2)), value)
    kept = "float2 t = a + a; o = normalize(t);"
    assert defined("t", called("normalize", value), again) == f"{kept} p = t;"
    assert defined("t", total(value, PAIR)).startswith("float2 t = ")
    known = name("to_light", FLOAT.wide(2))
    assert defined("to_light", called("normalize", known)).startswith("float2 to_light = ")
