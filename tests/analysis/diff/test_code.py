"""Comparison of two programs, in any language whose programs have a text."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.analysis.diff import ChangeKind, Differs, ProgramDiff, code
from unshade.errors import Diagnostic, UnsupportedError
from unshade.isa.lexer import Lexer
from unshade.program import EntryPoint, Program
from unshade.programs.tpf.lexer import LEXER


class Script(Program):
    """A program that is its text; `exact` is its text in the exact dialect, if given."""

    def __init__(self, text: str, exact: str | None = None, names: list[str] | None = None) -> None:
        self.text = text
        self.exact = exact
        self.names = names or []

    entry_points = (EntryPoint("main", "pixel"),)

    @property
    def instructions(self) -> list[Any]:
        return [type("One", (), {"name": name}) for name in self.names]

    def disassemble(self, dialect: str | None = None) -> str:
        if dialect is None:
            return self.text
        if self.exact is None:
            raise UnsupportedError(f"no dialect {dialect}")
        return self.exact

    def lexer(self) -> Lexer:
        return LEXER

    def verify(self) -> list[Diagnostic]:
        return []


def compared(before: Program | None, after: Program | None) -> ProgramDiff:
    found = code.compare(before, after)
    assert found is not None
    return found


def test_equal_texts_have_no_difference() -> None:
    assert code.compare(Script("ret\n"), Script("ret\n")) is None
    assert code.compare(Script("if\nret\nendif\n"), Script("if\n  ret\nendif\n")) is None  # indents


def test_each_line_is_listed_once() -> None:
    before = "add r0.x, r1.x\nmul r0.x, l(2)\nmov o0, r0\nlt r3, r2\nge r3, r2\nret\n"
    after = (
        "add r0.x, r2.x\nmul r0.x, l(3)\nlt r3, r2\nge r3, r2\nmad r9, r8, r7\nmov o0, r0\nret\n"
    )
    found = compared(Script(before), Script(after))
    assert found.name == "main (pixel)"
    assert (found.dialect, found.lines_before, found.lines_after) == ("native", 6, 7)
    assert (found.equal, found.changed, found.added, found.removed, found.moved) == (3, 2, 1, 0, 1)
    rows = [(each.change, each.differs, each.line_before, each.line_after) for each in found.lines]
    assert rows == [
        (ChangeKind.CHANGED, Differs.REGISTERS, 1, 1),
        (ChangeKind.CHANGED, Differs.OPERANDS, 2, 2),
        (ChangeKind.MOVED, None, 3, 6),
        (ChangeKind.ADDED, None, None, 5),
    ]
    assert (found.lines[0].before, found.lines[0].after) == ("add r0.x, r1.x", "add r0.x, r2.x")
    assert found.lines[2].before == found.lines[2].after == "mov o0, r0"


def test_another_operation_on_the_same_operands_is_a_change() -> None:
    found = compared(Script("add r0, r1\nret\n"), Script("mul r0, r1\nret\n"))
    assert [each.differs for each in found.lines] == [Differs.OPERATION]


def test_differences_that_only_the_exact_text_shows() -> None:
    one = Script("mov r0, l(0.05)\nret\n", "// unshade x exact 1\nmov r0, l(0.05{1})\nret\n")
    two = Script("mov r0, l(0.05)\nret\n", "// unshade x exact 1\nmov r0, l(0.05{2})\nret\n")
    found = compared(one, two)
    assert found.dialect == "exact"
    (line,) = found.lines
    assert line.differs is Differs.BITS
    assert (line.before, line.after) == ("mov r0, l(0.05{1})", "mov r0, l(0.05{2})")
    assert code.compare(one, one) is None
    # the native text is shown where it tells the difference
    three = Script("mov r1, l(0.05)\nret\n", "// unshade x exact 1\nmov r1, l(0.05{1})\nret\n")
    (line,) = compared(one, three).lines
    assert (line.before, line.after) == ("mov r0, l(0.05)", "mov r1, l(0.05)")
    # one side has no such text: both are compared in the other
    assert code.compare(one, Script("mov r0, l(0.05)\nret\n")) is None


def test_only_registers_renamed() -> None:
    before = "add r0.x, v0.x\nmul r1.x, r0.x\nmov o0.x, r1.x\n"
    after = "add r1.x, v0.x\nmul r0.x, r1.x\nmov o0.x, r0.x\n"
    found = compared(Script(before), Script(after))
    assert found.only_registers
    assert [(each.before, each.after) for each in found.renamed] == [("r0", "r1"), ("r1", "r0")]
    # r0 becomes r1 here and r2 there: another program
    found = compared(Script(before), Script(after.replace("mov o0.x, r0", "mov o0.x, r2")))
    assert not found.only_registers
    assert not found.renamed
    # two registers become one
    found = compared(Script(before), Script(before.replace("r1", "r0")))
    assert not found.only_registers


def test_operations_are_counted() -> None:
    before = Script("add a\nadd b\nret\n")
    found = compared(before, Script("mul a\nmul b\nmul c\nadd b\nret\n"))
    rows = [(each.name, each.before, each.after) for each in found.operations]
    assert rows == [("mul", 0, 3), ("add", 2, 1)]
    # the instructions' own names count where they have such
    found = compared(
        Script("add_sat a\n", names=["add"]), Script("add_sat a\nadd b\n", names=["add", "add"])
    )
    assert [(each.name, each.before, each.after) for each in found.operations] == [("add", 1, 2)]


@pytest.mark.parametrize("which", [0, 1])
def test_added_and_removed_programs(which: int) -> None:
    pair = [Script("ret\n"), None]
    found = compared(pair[which], pair[1 - which])
    assert found.change is (ChangeKind.REMOVED, ChangeKind.ADDED)[which]
    assert len(found.lines) == 1
    assert (found.removed, found.added) == ((1, 0), (0, 1))[which]
