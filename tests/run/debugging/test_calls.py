"""The debugger on procedures of the 3DS: their names, where they are called, and registers."""

from __future__ import annotations

import numpy as np
import pytest

import unshade
from tests.kernels import kernel_of
from unshade.isa.source import Source
from unshade.run.debugging import trace_view
from unshade.run.debugging.breakpoints import hits, parse
from unshade.run.debugging.debugger import Debugger
from unshade.run.debugging.frames import frames
from unshade.vm.lockstep import Lockstep
from unshade.vm.lockstep.debug import Coverage

TEXT = """\
.fvec scale, bias
.bool turned
.in position v0
.out outposition position
.proc main
	mov r0, position
	call stretch
	call push
	ifu turned
		mov r0, bias
	.end
	mov outposition, r0
	end
.end
.proc stretch
	mul r0, scale, r0
	call push
.end
.proc push
	add r0, bias, r0
.end
"""


def debugger(labels: dict[int, str] | None = None) -> Debugger:
    shader = unshade.Shbin.assemble([Source(TEXT)])
    (program,) = shader.programs
    program.marks, program.mark_names = list(labels or ()), list((labels or {}).values())
    kernel = kernel_of(program.lower(), shader.reflect(), Lockstep())
    found = kernel.debug(0)
    found.transform(
        {"position": np.ones((1, 4), "f4")}, scale=[2] * 4, bias=[1, 0, 0, 0], turned=True
    )
    return found


JUMP = """\
.fvec scale
.in position v0
.out outposition position
.proc main
	mov r0, position
	cmp scale.xy, lt, lt, r0.xy
	jmpc {}cmp.x, over
	add r0, scale, r0
	mov r1, r0
over:
	mov outposition, r0
	end
.end
"""


@pytest.mark.parametrize(
    ("sign", "x", "taken"), [("", 1, False), ("", 3, True), ("!", 1, True), ("!", 3, False)]
)
def test_a_jump_notes_whether_it_is_taken(sign: str, x: int, taken: bool) -> None:
    """Also where the regions that it became ask the opposite."""
    shader = unshade.Shbin.assemble([Source(JUMP.format(sign))])
    coverage = Coverage()
    found = unshade.kernel(shader, engine="lockstep").debug(0, coverage=coverage)
    found.transform({"position": np.full((1, 4), x, "f4")}, scale=[2] * 4)
    line = opcode(found, "jmpc")
    (entry,) = (each for each in found.trace.entries if each.line == line)
    assert entry.notes == ["taken" if taken else "not taken"]
    assert any(each.line == opcode(found, "add") for each in found.trace.entries) is not taken
    (branch,) = (each for each in coverage.branches.values() if each.line == line)
    assert dict(zip(branch.words, branch.ways, strict=True)) == {"yes": taken, "no": not taken}


def stacks(found: Debugger) -> list[str]:
    return [
        ", ".join(str(each) for each in frames(entry.location, entry.line))
        for entry in found.trace.entries
    ]


def opcode(found: Debugger, name: str) -> int:
    """The first line of the listing with an instruction."""
    return next(at for at, line in enumerate(found.listing, 1) if line.split()[:1] == [name])


def test_entries_know_the_procedures_that_they_are_in() -> None:
    found = debugger()
    first = opcode(found, "call")
    mul, add = opcode(found, "mul"), opcode(found, "add")
    names = {line.split()[1] for line in found.listing if line.startswith(".proc")}
    stretch, push = sorted(names - {"main"}, key=lambda name: int(name[4:]))
    assert stacks(found)[1:4] == [
        f"line {mul} in {stretch}, line {first} in main",
        f"line {add} in {push}, line {mul + 1} in {stretch}, line {first} in main",
        f"line {add} in {push}, line {first + 1} in main",
    ]
    heads = [line for line in trace_view.text(trace_view.trace(found)) if line[0] == "/"]
    assert heads == [
        f"// in {stretch}, called from line {first} in main",
        f"// in {push}, called from line {mul + 1} in {stretch}, called from line {first} in main",
        f"// in {push}, called from line {first + 1} in main",
        "// in main",
    ]


def test_labels_of_the_file_name_procedures() -> None:
    found = debugger()
    words = {line.split()[1] for line in found.listing if line.startswith(".proc")} - {"main"}
    stretch, push = sorted(int(word[4:]) for word in words)
    found = debugger({stretch: "stretch", push: "not a name", push + 1: "elsewhere"})
    assert stacks(found)[1].partition(",")[0].endswith(" in stretch")
    assert stacks(found)[3].partition(",")[0].endswith(f" in proc{push}")
    assert "\tcall stretch" in found.listing
    assert ".proc stretch" in found.listing


def test_breakpoints_stop_at_calls() -> None:
    found = debugger()
    first = opcode(found, "call")
    assert hits(found, parse(found, str(first))) == [1]
    assert hits(found, parse(found, str(first + 1))) == [3]
    assert hits(found, parse(found, "call")) == [1, 2, 3]
    assert hits(found, parse(found, f"{first} if r0.x >= 3")) == [2]
    assert hits(found, parse(found, "add")) == [2, 3]


def test_registers_have_the_words_of_the_listing() -> None:
    found = debugger()
    names = {
        each.name: each.label
        for entry in found.trace.entries
        for each in (*entry.reads, *entry.writes)
    }
    assert names["c0.x"] == "scale.x"
    assert names["b0"] == "turned"
    assert names["v0.y"] == "position.y"
    for name in ("c0", "c0.xy", "c95.w", "b0", "scale", "scale.xy", "bias", "turned", "o0"):
        found.check_name(name)
    for name in ("c0.q.", "cc", "d0", "x0"):
        with pytest.raises(unshade.UsageError, match="unknown name"):
            found.check_name(name)
    assert len(hits(found, parse(found, "r0.x > c0.x"))) == 2


def test_a_write_names_its_procedure() -> None:
    found = debugger()
    lines = [*trace_view.text(trace_view.watched(found, range(len(found.trace.entries)), ["r0.x"]))]
    assert [", in " in line for line in lines] == [False, True, True, True, False]
