"""Blocks and procedures from targets, and the successors of a word."""

from __future__ import annotations

from tests.programs.pica.broken_programs import (
    BREAKC,
    END,
    NOP,
    call,
    deep_ifs,
    i,
    ifu,
    jump,
    loop,
    program,
)
from unshade.programs.pica import Entry, Program
from unshade.programs.pica.flow import ControlFlow
from unshade.programs.pica.structure import CodeStructure, structure


def shape(found: CodeStructure) -> list[tuple[int, int, int, int, int]]:
    return [(b.at, b.middle, b.end, b.ifs, b.loops) for b in found.blocks]


def test_blocks_nest() -> None:
    found = structure(program(ifu(5, 3), loop(3), NOP, NOP, NOP, ifu(7), NOP, NOP, END))
    assert shape(found) == [(0, 5, 8, 1, 0), (1, 4, 4, 1, 1), (5, 7, 7, 1, 0)]
    outer, inner, other = found.blocks
    assert inner.outer is outer
    assert other.outer is outer
    assert outer.inner == [inner, other]
    assert outer.has_else
    assert list(found.around(2)) == [inner, outer]
    assert list(found.around(1)) == [outer]
    assert list(found.around(0)) == []
    assert found.loop_around(3) is inner
    assert found.loop_around(4) is None
    assert found.sound
    assert not found.problems


def test_procedures() -> None:
    code = [call(4, 6), jump(3), NOP, END, NOP, NOP]
    entries = [Entry("a", "vertex", 0, 4), Entry("b", "vertex", 4, 6)]
    found = structure(Program(code, (), entries))
    assert [(p.start, p.end, p.entries, p.callers) for p in found.procedures] == [
        (0, 4, [0], []),
        (4, 6, [1], [0]),
    ]
    assert found.labels == {3}
    assert found.procedure(4, 6) is found.procedures[1]
    assert found.procedure(4, 5) is None


def test_the_end_of_an_entry_is_inferred() -> None:
    """It is the first `end` after all targets, or the end of a shader with the same start."""
    code = [ifu(2), END, jump(4), NOP, END, NOP]
    assert structure(program(*code)).procedures[0].end == 5
    code = [NOP, END, NOP]
    entries = [Entry("a", "vertex", 0), Entry("b", "vertex", 0, 3)]
    assert len(structure(Program(code, (), entries)).procedures) == 1
    entries = [Entry("a", "vertex", 0), Entry("b", "vertex", 1, 3)]
    assert [p.end for p in structure(Program([NOP, NOP, END], (), entries)).procedures] == [1, 3]


def test_invalid_blocks_are_reported_and_dropped() -> None:
    found = structure(program(ifu(3), loop(4), NOP, NOP, NOP, END))
    assert [(p.rule, p.at) for p in found.problems] == [("pica.crossing", 1)]
    assert shape(found) == [(0, 3, 3, 1, 0)]
    assert not found.sound
    found = structure(program(ifu(40), jump(30), call(5, 60), loop(2), END))
    assert [(p.rule, p.at) for p in found.problems] == [
        ("pica.target", 0),
        ("pica.target", 1),
        ("pica.target", 2),
        ("pica.target", 3),
    ]


def test_thousands_of_nested_blocks() -> None:
    found = structure(deep_ifs(1000))
    assert found.blocks[-1].ifs == 1000


def test_successors() -> None:
    code = [
        ifu(3, 2),  # 0: the if part 1, 2, the else part 3, 4
        NOP,
        NOP,
        NOP,
        NOP,
        loop(8),  # 5: the body 6 to 8
        BREAKC,
        i("break"),
        NOP,
        jump(0),
        END,
    ]
    flow = ControlFlow(structure(program(*code)))
    assert flow.after(0) == (1, 3)
    assert flow.after(2) == (5,)
    assert flow.after(4) == (5,)
    assert flow.after(6) == (7, 9)
    assert flow.after(7) == (9,)
    assert flow.after(8) == (6, 9)
    assert flow.after(9) == (10, 0)
    assert flow.after(10) == ()
    reach = flow.reach(0)
    assert reach.words == set(range(11)) - {8}
    assert not reach.falls


def test_reach_goes_into_procedures() -> None:
    code = [call(3, 5), END, NOP, call(5, 6), NOP, NOP, NOP]
    flow = ControlFlow(structure(program(*code)))
    assert flow.reach(0).words == {0, 1}
    assert flow.reach_all([0]).words == {0, 1, 3, 4, 5}
