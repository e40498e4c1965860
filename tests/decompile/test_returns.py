"""The only output of an entry point as the value that it returns."""

from pathlib import Path

import pytest

import unshade
from unshade.decompile.hlsl import Hlsl
from unshade.decompile.interface import EntryParameter
from unshade.decompile.printer import Printer
from unshade.decompile.returns import returning
from unshade.decompile.tree import (
    Assign,
    BranchLine,
    Choice,
    Define,
    JumpLine,
    Leave,
    Line,
    Repeat,
    ScalarKind,
    TermType,
    name,
    swizzle,
)
from unshade.vocab.slots import Direction

EXAMPLES = Path(__file__).parents[2] / "examples"
FLOAT4, BOOL = TermType(ScalarKind.FLOAT, 32, 4), TermType(ScalarKind.BOOL)
OUTPUT = EntryParameter("colour", FLOAT4, Direction.OUTPUT)
COLOUR = name("colour", FLOAT4)
RETURN = JumpLine(Leave.RETURN)


def sets(word: str) -> Assign:
    return Assign(COLOUR, name(word, FLOAT4))


def when(word: str, *then: Line, otherwise: tuple[Line, ...] = ()) -> BranchLine:
    return BranchLine(name(word, BOOL), [*then], [*otherwise])


def text(*lines: Line) -> str | None:
    """Return the printed lines in one line; None if they cannot return the output."""
    made = returning(lines, OUTPUT)
    if made is None:
        return None
    return " ".join(each.strip() for each in Printer(Hlsl(True)).lines(made))


def test_the_last_assignment_is_returned() -> None:
    assert text(sets("a")) == "return a;"


def test_each_path_returns_its_value() -> None:
    lines = (when("x", sets("a"), RETURN), when("y", sets("b"), otherwise=(sets("c"),)))
    assert text(*lines) == "if (x) { return a; } if (y) { return b; } else { return c; }"


def test_a_loop_returns_what_it_finds() -> None:
    body: list[Line] = [when("x", sets("a"), RETURN)]
    assert text(Repeat(body), sets("b")) == "while (true) { if (x) { return a; } } return b;"


def test_a_path_without_an_assignment_returns_zero() -> None:
    assert text(when("x", sets("a"))) == "if (x) { return a; } return 0.0;"
    lines = (when("x", JumpLine(Leave.DISCARD), RETURN), sets("a"))
    assert text(*lines) == "if (x) { discard; return 0.0; } return a;"


@pytest.mark.parametrize("lines", [
    (sets("a"), when("x", sets("b"))),
    (Assign(swizzle(COLOUR, (0, 1)), name("a", FLOAT4.wide(2))),),
    (Define("t", FLOAT4, COLOUR), sets("a")),
    (when("x", sets("a")), sets("b")),
    (Choice(name("n", TermType(ScalarKind.INT)), [((1,), [sets("a")])]),),
    (sets("colour"),),
])  # fmt: skip
def test_an_output_that_is_set_twice_in_part_or_read_stays(lines: tuple[Line, ...]) -> None:
    assert text(*lines) is None


def test_only_readable_source_returns_the_output() -> None:
    shader = unshade.open(str(EXAMPLES / "gyroid.dxbc"))
    assert ") : SV_Target" in shader.decompile()
    assert "out float4" in shader.decompile(style="exact")


def test_a_case_that_defines_a_variable_is_a_block() -> None:
    cases: list[tuple[tuple[int | None, ...], list[Line]]] = [
        ((1, 2), [Define("t", BOOL, None), JumpLine(Leave.BREAK)]),
        ((None,), [JumpLine(Leave.BREAK)]),
    ]
    choice = Choice(name("n", TermType(ScalarKind.INT)), cases)
    assert [*Printer(Hlsl(True)).lines([choice], 0)] == [
        "switch (n) {", "case 1:", "case 2: {", "    bool t;", "    break;", "}",
        "default:", "    break;", "}",
    ]  # fmt: skip
