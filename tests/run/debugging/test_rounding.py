"""The lines that amplify the difference of two traces."""

from __future__ import annotations

import math

import pytest

import unshade
from unshade.run.debugging.compare import compare_traces
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.rounding import (
    amplifying_lines,
    distance,
    is_by_rounding,
    shown_lines,
)
from unshade.run.debugging.trace_view import text

CODE = """\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v0.xy
dcl_output o0.xyzw
dcl_temps 3
mul r0.x, v0.x, l(3.0)
add r0.y, r0.x, l(-1.0)
mul r0.z, r0.y, r0.y
ge r0.w, r0.x, l(1.0)
mul r1.x, r0.x, l(2.0)
mov o0.xyzw, r0.zzzz
ret
"""
THIRD = 0.33333334  # in float32: times 3 it is 1, and one unit below it 0.9999999


def traced(code: str, x: float) -> Debugger:
    made = unshade.kernel(unshade.assemble(code)).debug(0, checks=False)
    made.shade({made.inputs[0].label: [[x, 0.0]]})
    return made


@pytest.fixture(scope="module")
def pair() -> tuple[Debugger, Debugger]:
    return traced(CODE, 0.34), traced(CODE, 0.34000003)


def test_lines_in_order_of_amplification(pair: tuple[Debugger, Debugger]) -> None:
    """1.02 - 1 loses a factor of 51, the square doubles, and the product by 2 changes nothing."""
    found = amplifying_lines(*pair)
    assert [(pair[0].line(each.line).split()[0], each.name) for each in found] == [
        ("add", "r0.y"), ("mul", "r0.z"),
    ]  # fmt: skip
    assert found[0].factor == pytest.approx(51, rel=0.01)
    assert found[1].factor == pytest.approx(2, rel=0.01)
    assert found[0].written == found[1].read
    assert (found[0].before, found[0].after, found[0].visits) == (1, 1, 1)


def test_a_comparison_that_turns_over_is_first() -> None:
    one, two = traced(CODE, THIRD), traced(CODE, 0.3333333)
    found = amplifying_lines(one, two)
    words = {one.line(each.line).split()[0] for each in found if math.isinf(each.factor)}
    assert "ge" in words
    assert found[0].factor == math.inf
    assert found[0].document()["factor"] == "inf"
    assert "turns over" in next(iter(text([*shown_lines(found, one)][1:])))


def test_equal_traces_and_differences_that_are_no_rounding(
    pair: tuple[Debugger, Debugger],
) -> None:
    assert amplifying_lines(pair[0], pair[0]) == []
    assert not is_by_rounding(None, *pair)
    assert is_by_rounding(compare_traces(*pair), *pair)
    far = pair[0], traced(CODE, 0.5)
    assert not is_by_rounding(compare_traces(*far), *far)
    assert amplifying_lines(*far) == []


def test_the_lines_of_text(pair: tuple[Debugger, Debugger]) -> None:
    found = amplifying_lines(*pair)
    lines = [*text(shown_lines(found, pair[0]))]
    assert lines[0] == "lines that amplify the difference, most first:"
    assert lines[1].split()[:5] == ["51", "x", "7", "add", "r0.y,"]
    assert "r0.y: 1.2e-07 apart, then 6.0e-06" in lines[1]
    assert [*text(shown_lines(found, pair[0], 1))][-1].split() == ["…", "1", "more"]
    assert [*shown_lines([], pair[0])] == []


def test_a_loop_is_one_line_at_its_worst_visit() -> None:
    loop = CODE.replace(
        "add r0.y",
        "mov r2.x, l(0)\nloop\nige r2.y, r2.x, l(3)\nbreakc_nz r2.y\nmul r0.x, r0.x, r0.x\n"
        "iadd r2.x, r2.x, l(1)\nendloop\nadd r0.y",
    )
    one, two = traced(loop, 0.34), traced(loop, 0.34000003)
    found = {one.line(each.line): each for each in amplifying_lines(one, two)}
    square = found["mul r0.x, r0.x, r0.x"]
    assert square.visits == 3
    assert square.factor == pytest.approx(2, rel=0.5)
    note = "\n".join(text(shown_lines([square], one)))
    assert "iteration" in note
    assert "amplifies in 3 visits" in note


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [(1.0, 1.0, 0.0), (1.0, 2.0, 0.5), (-1.0, 1.0, 2.0), (0.0, 4.0, 1.0), (0.0, -0.0, 0.0),
     (math.nan, math.nan, 0.0), (math.nan, 1.0, math.inf), (math.inf, 1.0, math.inf),
     (math.inf, math.inf, 0.0)],
)  # fmt: skip
def test_distances(a: float, b: float, apart: float) -> None:
    assert distance(a, b) == apart
