"""An operand that was read before is the same, and its own."""

import pytest

from unshade.errors import AssembleError
from unshade.programs.tpf.assembler import operands, parse_instructions
from unshade.programs.tpf.tables.enumerations import SelectionMode

LINES = [
    "mov r0.xy, r1.xyxx", "mov r0.xy, r1.xyxx // comment", "mov_sat r0.xy , -|r1.xyxx|",
    "add r0.xyzw, l(1, 2.5, 0x3f800000, nan), cb0[r1.x + 4].xyzw", "mov r0.x, l(1.0)",
    "iadd r0.x, l(1), l(1.0)", "mov x0[r1.x + 2].x, r0.y", "swapc r0.x, r1.x, r2.x, r3.x, r4.x",
    "mov r0.x {min16f}, r1.x {min16f as def32}", "mul r0.xyz, abs(r1.xyzx), r2.xyzx",
    "sample r0.xyzw, v1.xyxx, t1.xyzw, s1", "dcl_temps 4", "mov o0.xyzw, l(0,0,0,0)",
    "movc r0.xy, r1.xyxx, l(1,2,0,0), r0.xyxx", "dmul r0.xy, r0.xyxy, d(0.5l, 1.0l)",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_again(line: str) -> None:
    operands._KNOWN.clear()
    (first,) = parse_instructions(line)
    (again,) = parse_instructions(line)
    assert first == again
    assert first.encode() == again.encode()
    for one, other in zip(first.operands, again.operands, strict=True):
        assert one is not other
        for each, its in zip(one.indices, other.indices, strict=True):
            assert each is not its


def test_the_letter_decides_how_a_literal_is_read() -> None:
    first, second = parse_instructions("add r0.x, r0.x, l(1)\niadd r0.x, r0.x, l(1)")
    assert first.operands[2].literal == (0x3F80_0000,)
    assert second.operands[2].literal == (1,)


def test_the_role_decides_the_selection() -> None:
    first, second = parse_instructions("mov r0.xyzw, r1.xyzw\nmov r1.xyzw, r0.xyzw")
    assert first.operands[0].mode == second.operands[0].mode == SelectionMode.MASK
    assert first.operands[1].mode == second.operands[1].mode == SelectionMode.SWIZZLE


def test_an_error_is_found_again() -> None:
    for _ in range(2):
        with pytest.raises(AssembleError, match="expected components"):
            parse_instructions("mov r0.xyzw, r1.xyzw\nmov r0.yx, r1.xyzw")
