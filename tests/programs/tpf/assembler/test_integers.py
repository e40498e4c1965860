"""Warnings about integers that are copied to where floats are read."""

from __future__ import annotations

import pytest

from unshade.isa.source import ErrorList, Location, Source
from unshade.programs.tpf.assembler import assemble, integers
from unshade.programs.tpf.assembler.integers import warnings_of_integers
from unshade.programs.tpf.instruction import Instruction
from unshade.programs.tpf.tables.ops import Op

FLOATS = {0: 0b0111}


def warned(lines: str) -> list[int]:
    """Return the numbers of the lines, from 1, with a warning."""
    text = "ps_5_0\n" + "\n".join(line.strip() for line in lines.split(";"))
    errors = ErrorList()
    places: list[Location] = []
    code = assemble(Source(text, "t.asm"), errors, places=places)
    errors.check()
    found = warnings_of_integers(code.instructions, places, FLOATS)
    assert {each.code for each in found} <= {"tpf.source-integer"}
    return [int(each.message.split(":")[1]) - 1 for each in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("mov o0.xyzw, l(1, 0, 0, 1)", [1]),
        ("mov o0.xyzw, l(1.0, 0, 0, 1)", []),  # o0.w is no float
        ("mov o0.xyz, l(0, 0, 0, 0)", []),
        ("mov o0.xyz, l(0x3f800000, 1.0, 0, 0)", []),
        ("mov o1.x, l(1)", []),  # an output of integers
        ("movc o0.x, v0.x, l(2), r0.x", [1]),
        ("mov r0.x, l(2); mul r1.x, r0.x, r1.x", [1]),
        ("mov r0.xy, l(2, 3.0, 0, 0); iadd r0.x, r0.x, l(1); mul r1.y, r0.xyxx, r1.y", []),
        ("mov r0.x, l(2); mov r0.x, l(1.0); mul r1.x, r0.x, r1.x", []),
        ("mov r0.x, l(2); itof r0.x, r0.x; mul r1.x, r0.x, r1.x", []),
        ("mov r0.x, l(2); if_nz r1.x; mul r1.x, r0.x, r1.x; endif", []),
        ("mov r0.y, l(2); dp2 r1.x, r0.xyxx, r0.xyxx", [1]),
        ("mov r0.z, l(2); dp2 r1.x, r0.xyxx, r0.xyxx", []),
        ("mov r0.x, l(2); mov r1.x, cb0[r0.x].x; mul r1.x, r0.x, r1.x", []),
        ("mov r0.x, l(2); sample r1.xyzw, r0.xxxx, t0.xyzw, s0", [1]),
        ("mul r0.x, l(2), r0.x", []),  # read as a float by the assembler
    ],
)
def test_small_integers_that_floats_are_read_from(lines: str, expected: list[int]) -> None:
    assert warned(lines) == expected


def test_each_instruction_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    before = integers._reads

    def counted(each: Instruction, row: Op) -> dict[tuple[int, int], set[str]]:
        read.append(each)
        return before(each, row)

    monkeypatch.setattr(integers, "_reads", counted)
    lines = [f"mov r{number}.x, l(2)" for number in range(200)]
    assert warned(";".join([*lines, "mul o0.x, r7.x, r7.x"])) == [8]
    assert len(read) == 200
