"""Variables for expressions that lines repeat, and where there are none."""

from unshade.decompile.hlsl import Hlsl
from unshade.decompile.names import DecompiledNames
from unshade.decompile.printer import Printer
from unshade.decompile.repeated import name_repeated
from unshade.decompile.temporaries import name_temporaries
from unshade.decompile.tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
)
from unshade.ir.ops import OPS

FLOAT = TermType(ScalarKind.FLOAT)
PAIR = FLOAT.wide(2)
X, Y, Z = (name(each, FLOAT) for each in "xyz")
WANTED = "float2 t = float2(x, y * z);"


def vector(first: SourceExpression = X) -> SourceExpression:
    """Return an expression of eight tokens: a new one, as another line has it."""
    product = SourceExpression(OPS.fmul, FLOAT, (Y, Z))
    return SourceExpression(NodeForm.CONSTRUCT, PAIR, (first, product))


def called(word: str, value: SourceExpression) -> SourceExpression:
    return SourceExpression(NodeForm.CALL, value.type, (value,), word)


def total(*terms: SourceExpression) -> SourceExpression:
    first, *rest = terms
    for each in rest:
        first = SourceExpression(OPS.fadd, first.type, (first, each))
    return first


def less(value: SourceExpression) -> SourceExpression:
    """Return a condition that reads an expression."""
    part = SourceExpression(NodeForm.SWIZZLE, FLOAT, (value,), (0,))
    return SourceExpression(OPS.flt, TermType(ScalarKind.BOOL), (part, Z))


def use(word: str, value: SourceExpression | None = None) -> Line:
    return Assign(name(word, PAIR), called(f"f{word}", value or vector()))


def named(*lines: Line) -> str:
    """Return the text of lines with variables."""
    found = [*lines]
    names = DecompiledNames(frozenset(), {})
    name_repeated(found, names)
    name_temporaries(found, names)
    return " ".join(each.strip() for each in Printer(Hlsl(False), exact=False).lines(found))


def test_an_expression_of_several_lines_is_named_before_the_first() -> None:
    found = named(use("a"), Assign(Z, X), use("b"), use("c"))
    assert found == (
        "a = fa(float2(x, y * z)); z = x; float2 t = float2(x, y * z); b = fb(t); c = fc(t);"
    )


def test_uses_before_and_after_an_assignment_have_variables_of_their_own() -> None:
    found = named(use("a"), use("b"), Assign(Z, X), use("c"), use("d"))
    assert found == f"{WANTED} a = fa(t); b = fb(t); z = x; " + (
        "float2 t_1 = float2(x, y * z); c = fc(t_1); d = fd(t_1);"
    )


def test_an_assignment_may_change_what_it_reads() -> None:
    whole = total(called("f", vector()), vector())
    target = SourceExpression(NodeForm.SWIZZLE, FLOAT, (name("p", PAIR),), (0,))
    part = name("p", PAIR)
    value = SourceExpression(OPS.fadd, PAIR, (part, part))
    assert named(Assign(part, whole), Assign(target, X)).startswith(f"{WANTED} p = f(t) + t;")
    lines = Assign(part, called("f", vector(less(value)))), use("a", vector(less(value)))
    assert "t = " not in named(*lines)


def test_small_expressions_and_parts_of_variables_are_not_named() -> None:
    one = SourceExpression(OPS.fadd, FLOAT, (X, literal((0x3F80_0000,), FLOAT)))
    rows = name("rows", FLOAT.wide(4))
    row = SourceExpression(NodeForm.INDEX, FLOAT.wide(4), (rows, one))
    part = SourceExpression(NodeForm.MEMBER, PAIR, (row,), "member")
    found = named(*(use(each, part) for each in "abcdefgh"))
    assert found.count("rows[x + 1.0].member") == 8


def test_a_variable_is_defined_where_it_reaches_all_uses() -> None:
    branch = BranchLine(less(X), [use("a")], [use("b")])
    after = named(use("c"), branch)
    assert after == f"{WANTED} c = fc(t); if (x < z) {{ a = fa(t); }} else {{ b = fb(t); }}"
    branch = BranchLine(less(X), [use("a")], [use("b")])
    assert "t = " not in named(branch, use("c"))  # which no use is in front of
    inside = BranchLine(less(X), [use("a"), use("b")])
    assert named(inside) == f"if (x < z) {{ {WANTED} a = fa(t); b = fb(t); }}"


def test_a_condition_is_a_use_and_an_else_if_stays() -> None:
    inner = BranchLine(less(vector()), [use("a")])
    found = named(BranchLine(less(X), [], [inner]))
    assert found == (
        "if (x < z) { } else if (float2(x, y * z).x < z) { a = fa(float2(x, y * z)); }"
    )
    assert named(BranchLine(less(vector()), [use("a")])) == (
        f"{WANTED} if (t.x < z) {{ a = fa(t); }}"
    )


def test_a_loop_that_changes_an_operand_has_its_own_variable() -> None:
    steady = Repeat([use("a"), use("b")], less(X))
    assert named(use("c"), steady) == (
        f"{WANTED} c = fc(t); while (x < z) {{ a = fa(t); b = fb(t); }}"
    )
    changing = Repeat([use("a"), use("b"), Assign(Z, X)], less(X))
    assert named(use("c"), changing) == (
        f"c = fc(float2(x, y * z)); while (x < z) {{ {WANTED} a = fa(t); b = fb(t); z = x; }}"
    )
    counting = Repeat([use("a")], less(vector()), Assign(Y, X), Assign(Z, total(Z, X)))
    assert "t = " not in named(counting)


def test_a_test_stays_behind_the_body_of_a_loop() -> None:
    leave = BranchLine(less(vector()), [JumpLine(Leave.BREAK)])
    found = named(Repeat([use("a"), leave]))
    assert found.endswith("} while (!(float2(x, y * z).x < z));")


def test_memory_that_the_program_writes_is_read_again() -> None:
    memory = name("shared", FLOAT)
    element = SourceExpression(NodeForm.INDEX, FLOAT, (memory, literal((0,), FLOAT)))
    lines = use("a", vector(element)), use("b", vector(element))
    assert "t = " in named(*lines)
    lines = use("a", vector(element)), use("b", vector(element))
    assert "t = " not in named(*lines, Assign(element, X))


def test_the_variable_whose_value_it_is_stands_for_an_expression() -> None:
    defined = Define("d", PAIR, vector())
    assert named(defined, use("a")) == "float2 d = float2(x, y * z); a = fa(d);"
    defined = Define("d", PAIR, vector())
    again = Assign(name("d", PAIR), name("e", PAIR))
    assert named(defined, again, use("a"), use("b")).count("d") == 2


def test_parts_of_what_is_repeated_are_defined_first() -> None:
    inner = called("g", vector())
    first, second = (called("h", total(inner, literal((0,), PAIR))) for _ in "ab")
    found = named(use("a", first), use("b", second), use("c", vector()))
    assert found == (f"{WANTED} float2 t_1 = h(g(t) + 0.0); a = fa(t_1); b = fb(t_1); c = fc(t);")
