"""One-turn loops, flags and copies that branches and variables make unnecessary."""

import pytest

from unshade.decompile.exits import without_exits
from unshade.decompile.hlsl import Hlsl
from unshade.decompile.printer import Printer
from unshade.decompile.tree import (
    Assign,
    BranchLine,
    Define,
    JumpLine,
    Leave,
    Line,
    NodeForm,
    Once,
    Repeat,
    ScalarKind,
    SourceExpression,
    TermType,
    literal,
    name,
)
from unshade.ir.ops import OPS

INT, BOOL = TermType(ScalarKind.INT), TermType(ScalarKind.BOOL)
BREAK, RETURN = JumpLine(Leave.BREAK), JumpLine(Leave.RETURN)


def sets(word: str, value: int) -> Assign:
    return Assign(name(word, INT), literal((value,), INT))


def when(word: str, *then: Line, otherwise: tuple[Line, ...] = ()) -> BranchLine:
    return BranchLine(name(word, BOOL), [*then], [*otherwise])


def text(*lines: Line, variables: str = "xyt", keep_outer: bool = False) -> str:
    """Return the printed lines in one line."""
    made = without_exits(lines, variables, keep_outer)
    return " ".join(each.strip() for each in Printer(Hlsl(True)).lines(made))


def test_a_body_left_at_the_ends_of_branches_is_branches() -> None:
    body: list[Line] = [when("a", sets("x", 1), BREAK), sets("y", 2)]
    assert text(Once(body)) == "if (a) { x = 1; } else { y = 2; }"


def test_a_branch_that_only_leaves_is_negated() -> None:
    assert text(Once([when("a", BREAK), sets("y", 2)])) == "if (!a) { y = 2; }"


def test_lines_after_a_branch_that_returns_are_not_written_twice() -> None:
    body: list[Line] = [when("a", RETURN, otherwise=(when("b", BREAK),)), sets("y", 2)]
    assert text(Once(body)) == "if (a) { return; } else if (!b) { y = 2; }"


@pytest.mark.fast
def test_a_branch_that_does_not_leave_is_a_line_as_any_other() -> None:
    body: list[Line] = [when("a", sets("x", 1)), sets("t", 3), when("b", BREAK), sets("y", 2)]
    assert text(Once(body)) == "if (a) { x = 1; } t = 3; if (!b) { y = 2; }"
    body = [when("a", sets("x", 1), otherwise=(sets("x", 4),)), sets("y", 2)]
    assert text(Once(body)) == "if (a) { x = 1; } else { x = 4; } y = 2;"


def test_a_branch_that_leaves_on_some_paths_keeps_its_loop() -> None:
    body: list[Line] = [when("a", when("b", BREAK), sets("x", 1)), sets("y", 2)]
    assert text(Once(body)).startswith("do { if (a) { if (b) { break; }")


def test_a_break_of_a_loop_inside_is_not_one_of_the_body() -> None:
    body: list[Line] = [Repeat([when("a", BREAK)]), sets("y", 2)]
    assert text(Once(body)) == "while (true) { if (a) { break; } } y = 2;"


def test_deep_bodies_stay_flat() -> None:
    body: list[Line] = [when("a", sets("x", at), BREAK) for at in range(10)]
    assert text(Once([*body, sets("y", 2)])).startswith("do {")


def test_phases_of_hull_shaders_stay() -> None:
    assert text(Once([sets("y", 2)]), keep_outer=True).startswith("do {")


def test_a_flag_is_cleared_before_the_loop_that_sets_it() -> None:
    flag = name("leave", BOOL)
    inner = Repeat([when("a", Assign(flag, literal((1,), BOOL)), BREAK)])
    clear = Assign(flag, literal((0,), BOOL))
    body: list[Line] = [inner, when("leave", clear, BREAK), sets("y", 2)]
    assert text(Once(body)) == (
        "leave = false; while (true) { if (a) { leave = true; break; } } if (!leave) { y = 2; }"
    )


def test_an_assignment_on_both_paths_comes_before_the_branch() -> None:
    lines: list[Line] = [when("a", sets("x", 1), BREAK), sets("x", 1), sets("y", 2)]
    assert text(Repeat(lines)) == "while (true) { x = 1; if (a) { break; } y = 2; }"


def test_an_assignment_to_what_the_condition_reads_stays() -> None:
    test = BranchLine(SourceExpression(OPS.ieq, BOOL, (name("x", INT), literal((3,), INT))), [])
    test.then[:] = [sets("x", 1), BREAK]
    assert text(Repeat([test, sets("x", 1)])).startswith("while (true) { if (x == 3) { x = 1;")


def test_a_value_that_is_copied_at_once_is_the_variable() -> None:
    total = SourceExpression(OPS.iadd, INT, (name("x", INT), name("n", INT)))
    lines: list[Line] = [Define("t", INT, total), Assign(name("x", INT), name("t", INT))]
    assert text(*lines, Assign(name("y", INT), name("t", INT))) == "x += n; y = x;"


def test_a_value_that_outlives_the_variable_keeps_its_name() -> None:
    lines: list[Line] = [Define("t", INT, name("n", INT)), Assign(name("x", INT), name("t", INT))]
    after = Assign(name("y", INT), name("t", INT))
    assert text(*lines, sets("x", 4), after) == "int t = n; x = t; x = 4; y = t;"


def test_a_value_that_is_copied_to_an_output_keeps_its_name() -> None:
    lines: list[Line] = [
        Define("t", INT, literal((5,), INT)),
        Assign(name("colour", INT), name("t", INT)),
    ]
    assert text(*lines) == "int t = 5; colour = t;"


def test_the_result_of_an_atomic_operation_is_a_parameter_in_hlsl() -> None:
    """The functions of HLSL return nothing."""
    call = SourceExpression(
        NodeForm.ATOMIC, INT, (name("counter", INT), literal((1,), INT)), OPS.atomic_add
    )
    copied = Define("t", INT, call), Assign(name("x", INT), name("t", INT))
    assert text(*copied) == "InterlockedAdd(counter, 1, x);"
