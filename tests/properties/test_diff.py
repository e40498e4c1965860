"""Alignments of any texts are complete and in order; a text equals itself."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.diff.keys import keys
from unshade.analysis.diff.align import align
from unshade.analysis.diff.code import compare
from unshade.isa.lexer import Lexer
from unshade.program import EntryPoint, Program
from unshade.programs.tpf.lexer import LEXER

WORDS = st.sampled_from(["add", "mul", "mov_sat", "ret", "if_nz", "endif", "%1 = OpFAdd"])
OPERANDS = st.sampled_from(["", " r0.x", " r1.xyz, r0", " l(1.0)", " r12, cb0[3].x", " %4 %5"])
TEXTS = st.lists(st.builds("{}{}".format, WORDS, OPERANDS) | st.just(""), max_size=90)


class Script(Program):
    """A program that is its text."""

    def __init__(self, lines: list[str]) -> None:
        self.text = "\n".join([*lines, ""])

    entry_points = (EntryPoint("main", "pixel"),)

    def disassemble(self, dialect: str | None = None) -> str:
        return self.text

    def lexer(self) -> Lexer:
        return LEXER


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_each_line_is_in_one_row(before: list[str], after: list[str]) -> None:
    rows = align(*keys(before, after))
    assert [i for i, _ in rows if i is not None] == list(range(len(before)))
    assert [j for _, j in rows if j is not None] == list(range(len(after)))
    assert (None, None) not in rows


@settings(deadline=None)
@given(TEXTS)
def test_a_text_equals_itself(text: list[str]) -> None:
    assert align(*keys(text, text)) == [(at, at) for at in range(len(text))]


@settings(deadline=None)
@given(TEXTS, st.data())
def test_a_removed_line_is_one_removed_line(text: list[str], data: st.DataObject) -> None:
    text = ["start", *text]
    at = data.draw(st.integers(0, len(text) - 1))
    rows = align(*keys(text, text[:at] + text[at + 1 :]))
    (gone,) = [i for i, j in rows if j is None]
    assert gone is not None
    assert text[gone] == text[at]
    assert not [j for i, j in rows if i is None]


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_counts_add_up(before: list[str], after: list[str]) -> None:
    found = compare(Script(before), Script(after))
    if found is None:
        assert [line.strip() for line in before] == [line.strip() for line in after]
        return
    assert found.equal + found.changed + found.moved + found.removed == found.lines_before
    assert found.equal + found.changed + found.moved + found.added == found.lines_after
    assert len(found.lines) == found.changed + found.moved + found.added + found.removed
    for line in found.lines:
        for number, text, lines in (
            (line.line_before, line.before, before),
            (line.line_after, line.after, after),
        ):
            assert (number is None) == (text is None)
            assert number is None or lines[number - 1] == text


@settings(deadline=None)
@given(TEXTS)
def test_renumbered_registers_are_named(text: list[str]) -> None:
    text = [line for line in text if "%" not in line]
    other = [re.sub(r"\br(\d+)", lambda found: f"r{int(found[1]) + 1}", line) for line in text]
    found = compare(Script(text), Script(other))
    if text == other:
        assert found is None
    else:
        assert found is not None
        if found.changed and not found.removed and not found.moved:
            assert found.only_registers
