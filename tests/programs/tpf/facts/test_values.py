"""Types of the values in registers: copies of doubles, and bools that become numbers."""

from __future__ import annotations

import pytest

from unshade.programs.tpf.assembler import parse_instructions
from unshade.programs.tpf.facts.values import bool_conversions, double_copies


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        ("mov r0.xyzw, v1.xyzw\ndadd r1.xy, r0.xyxy, r0.zwzw", {0}),
        ("dadd r0.zw, r1.xyxy, r2.xyxy\nmov r3.zw, r0.zzzw", {1}),
        ("dadd r0.xy, r1.xyxy, r2.xyxy\nmov r3.zw, r0.xxxy\nmov r4.xy, r3.zwzz", {1, 2}),
        ("mov r0.xy, v0.xyxx\nmov r1.xy, r0.xyxx\ndtof r0.x, r1.xyxy", {0, 1}),
        ("dtof r0.x, r0.xyxy\nmov o0.xyzw, r0.xxxx", set()),
        ("dadd r0.xy, r1.xyxy, r2.xyxy\nmov r3.x, r0.z", set()),
        ("mov r0.x, v0.x\nadd r0.x, r0.x, r0.x\nitod r0.xy, r0.x\ndtof r0.x, r0.xyxy", set()),
        ("mov r0.x, v0.x", set()),
    ],
)
def test_copies_of_doubles(text: str, copies: set[int]) -> None:
    assert double_copies(parse_instructions(text)) == copies


TEST = "check_access_fully_mapped r0.x, r1.x"
OTHER = "check_access_fully_mapped r0.y, r1.x"


@pytest.mark.parametrize(
    ("lines", "converted"),
    [
        ((TEST, "and r0.x, r0.x, l(0x3f800000)"), {1}),
        ((TEST, OTHER, "and r0.x, r0.x, r0.y", "and r2.x, l(1), r0.x"), {3}),
        (("and r0.x, l(-1), l(1)", "and r0.x, l(0), l(1)"), {0, 1}),
        (("lt r0.x, r0.x, r1.x", "and r0.x, r0.x, l(0x3f800000)"), set()),
        ((TEST, "and r0.x, r0.x, l(2)", "and r0.x, r0.x, l(1)"), set()),
        ((TEST, "mov r0.x, v0.x", "and r0.x, r0.x, l(1)"), set()),
        ((TEST, "and r0.x, r0.z, l(1)"), set()),
    ],
)
def test_bools_used_as_numbers(lines: tuple[str, ...], converted: set[int]) -> None:
    assert bool_conversions(parse_instructions("\n".join(lines))) == converted
