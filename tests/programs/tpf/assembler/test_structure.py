"""Blocks that do not nest: one error, with its line, for each mistake."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import program, program_errors


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        ("endif", [(2, "endif without an open if")]),
        ("else; endif", [(2, "else without an open if")]),
        ("endloop", [(2, "endloop without an open loop")]),
        ("endswitch", [(2, "endswitch without an open switch")]),
        ("if_z r0.x; nop", [(2, "if has no endif before the end of the program")]),
        ("if_z r0.x; else; nop", [(3, "else has no endif before the end of the program")]),
        ("loop; break", [(2, "loop has no endloop before the end of the program")]),
        ("if_z r0.x; loop; endif", [(3, "loop has no endloop before endif")]),
        ("loop; if_z r0.x; endloop", [(3, "if has no endif before endloop")]),
        ("loop; endif; endloop",
         [(3, "endif without an open if: the open block starts on line 2")]),
        ("if_z r0.x; else; else; endif",
         [(4, "else without an open if: the open block starts on line 3")]),
        ("case l(1)", [(2, "case not directly inside a switch")]),
        ("switch r0.x; if_z r0.x; case l(1); endif; endswitch",
         [(4, "case not directly inside a switch: the open block starts on line 3")]),
        ("default", [(2, "default not directly inside a switch")]),
        ("break", [(2, "break outside a loop or switch")]),
        ("breakc_nz r0.x", [(2, "breakc outside a loop or switch")]),
        ("switch r0.x; continue; endswitch", [(3, "continue outside a loop")]),
        ("loop; label fb0; ret", [(2, "loop has no endloop before label")]),
        ("if_z r0.x; hs_fork_phase; ret", [(2, "if has no endif before hs_fork_phase")]),
        ("endif; break; loop",
         [(2, "endif without an open if"), (3, "break outside a loop or switch"),
          (4, "loop has no endloop before the end of the program")]),
    ],
)  # fmt: skip
def test_mistakes(lines: str, errors: list[tuple[int, str]]) -> None:
    assert program_errors(*lines.split("; ")) == errors


def test_a_closed_block_is_no_longer_around_what_follows() -> None:
    """What needs an open block is refused after its end, also if it was open twice."""
    end = {"loop": "endloop", "switch r0.x": "endswitch", "if_z r0.x": "endif"}
    for opener, needs in (
        ("loop", ("break", "continue", "breakc_nz r0.x", "continuec_nz r0.x", "endloop")),
        ("switch r0.x", ("break", "case l(1)", "default", "endswitch")),
        ("if_z r0.x", ("else", "endif")),
    ):
        twice = [opener, opener, end[opener], end[opener]]
        for before in ([opener, end[opener]], twice, [*twice, opener, end[opener]]):
            for line in needs:
                errors = program_errors(*before, line)
                assert {at for at, _ in errors} == {len(before) + 2}, (before, line)
        for line in needs[:-1]:
            around = [opener, opener, end[opener], line, end[opener]]
            assert len(program(*around).instructions) == len(around)


def test_nested_blocks() -> None:
    lines = [
        "loop", "breakc_nz r0.x", "switch r0.x", "case l(1)", "if_z r0.x", "break", "else",
        "continue", "endif", "default", "break", "endswitch", "continuec_z r0.x", "endloop", "ret",
        "label fb0", "ret",
    ]  # fmt: skip
    assert len(program(*lines).instructions) == len(lines)


def test_a_note_allows_unbalanced_blocks() -> None:
    assert len(program("endif", "loop", profile="ps_5_0 {unbalanced=1}").instructions) == 2


def test_errors_of_lines_and_structure_together() -> None:
    assert program_errors("if_z r0.x", "mov r0.x", "endloop") == [
        (2, "if has no endif before the end of the program"),
        (3, "expected ',' and operand 2 of mov, which takes 2, got the end of the line"),
        (4, "endloop without an open loop: the open block starts on line 2"),
    ]
