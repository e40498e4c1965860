"""Two traces side by side: the first step that writes another value, or goes another way."""

from __future__ import annotations

import pytest

import unshade
from unshade import UsageError
from unshade.run.debugging.compare import TraceDifference, compare_traces, shown
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.trace_view import text

CODE = """\
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.x, position
dcl_output o0.x
dcl_temps 4
mul r0.x, v0.x, l(2.0)
lt r1.x, r0.x, l(4.0)
if_nz r1.x
  add r0.x, r0.x, l(1.0)
endif
mov o0.x, r0.x
ret
"""


def traced(code: str, x: int = 0) -> Debugger:
    made = unshade.kernel(unshade.assemble(code)).debug((x, 0), checks=False)
    made.shade((4, 1))
    return made


def step_of(made: Debugger, opcode: str) -> int:
    return next(at for at, one in enumerate(made.trace.entries) if opcode in made.line(one.line))


def compared(before: Debugger, after: Debugger) -> TraceDifference | None:
    step = unshade.assemble(CODE).programs[0].step
    return compare_traces(before, after, step)


def test_equal_traces_and_renumbered_registers() -> None:
    before = traced(CODE)
    assert compared(before, traced(CODE)) is None
    assert compared(before, traced(CODE.replace("r0", "r3"))) is None
    assert [*text(shown(None, before, before))] == ["no step differs"]


def test_a_constant_that_differs() -> None:
    before, after = traced(CODE), traced(CODE.replace("l(1.0)", "l(1.5)"))
    at = step_of(before, "add")
    assert compared(before, after) == TraceDifference("value", at, at)
    found = compared(before, after)
    lines = "\n".join(text(shown(found, before, after)))
    assert "first step that differs: the step writes another value" in lines
    assert f"step {at + 1} of {len(before.trace.entries)}" in lines
    assert "2.00" in lines or "2.0" in lines
    assert "2.5" in lines


def test_a_line_that_was_added_shows_in_the_next_step_that_it_changes() -> None:
    more = "add r0.x, r0.x, l(0.25)\nmov o0.x"
    before, after = traced(CODE), traced(CODE.replace("mov o0.x", more))
    at = step_of(before, "mov o0")
    found = compared(before, after)
    assert found == TraceDifference("value", at, at + 1, own_after=1)
    lines = [*text(shown(found, before, after))]
    (own,) = (line for line in lines if "// only in this version" in line)
    assert "add r0.x, r0.x, l(0.25" in own
    assert ": step " in lines[lines.index(own) - 1]  # the first of the second trace
    unused = CODE.replace("mov o0.x", "add r2.x, r0.x, l(0.25)\nmov o0.x")
    assert compared(before, traced(unused)) is None


def test_of_many_changed_lines_the_last_are_shown() -> None:
    more = "add r0.x, r0.x, l(0.25)\n" * 20 + "mov o0.x"
    before, after = traced(CODE), traced(CODE.replace("mov o0.x", more))
    lines = [*text(shown(compared(before, after), before, after))]
    assert sum("// only in this version" in line for line in lines) == 8
    assert "   12 steps of lines that only this version has" in lines


def test_another_way_through_a_branch() -> None:
    """Of the same program, at pixels whose values differ, and of programs with equal values."""
    before, after = traced(CODE), traced(CODE, 3)
    assert compared(before, after) == TraceDifference("value", 0, 0)
    ways = CODE.replace("if_nz", "if_z")
    found = compared(before, traced(ways))
    assert found is not None
    assert found.kind == "path"
    assert before.line(before.trace.entries[found.before or 0].line).startswith("add")


def test_a_trace_that_ends() -> None:
    early = CODE.replace("mov o0.x", "discard_nz r1.x\nmov o0.x")
    before, after = traced(early.replace("l(4.0)", "l(0.0)")), traced(early)
    assert compared(before, after) is not None  # the condition is another value first
    ended = CODE.replace("if_nz r1.x", "retc_nz r1.x\nif_nz r1.x")
    found = compared(traced(CODE), traced(ended))
    assert found is not None
    assert (found.kind, found.after) == ("end", None)
    assert found.document() == {"kind": "end", "before": found.before, "after": None}


def test_a_debugger_without_a_trace() -> None:
    made = unshade.kernel(unshade.assemble(CODE)).debug(checks=False)
    with pytest.raises(UsageError, match="no thread is traced"):
        compare_traces(made, made)
