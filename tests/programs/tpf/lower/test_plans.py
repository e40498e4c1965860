"""Plans of instructions: made once for equal instructions, anew for those that can be changed."""

import pytest

from tests.programs.tpf.lower.support import program
from unshade.errors import UnsupportedError
from unshade.ir.printing import print_kernel
from unshade.programs.tpf.build import temp
from unshade.programs.tpf.lower.plans import PLANS
from unshade.programs.tpf.lower.reading import reader
from unshade.programs.tpf.program import Program

TEXT = """ps_5_0
dcl_input_ps linear v0.xyzw
dcl_output o0.xyzw
dcl_temps 2
mad_sat r0.xy, -|v0.xyxx|, r1.zzzz, l(0.5, 2.0, 0, 0)
mov o0.xyzw, r0.xyxy
ret
"""


def decoded(text: str) -> Program:
    """Return a program as it is read from a file."""
    return Program.decode(program(text).encode())


def test_equal_instructions_of_two_programs_share_a_plan() -> None:
    one, other = decoded(TEXT), decoded(TEXT.replace("dcl_temps 2", "dcl_temps 3"))
    first, second = ([*PLANS.of_all(each.listed)] for each in (one, other))
    assert [a is b for a, b in zip(first, second, strict=True)] == [True, True, False, *[True] * 3]
    assert print_kernel(one.lower().kernel) == print_kernel(other.lower().kernel)


def test_an_instruction_that_was_changed_has_a_plan_of_its_own() -> None:
    one = decoded(TEXT)
    before = print_kernel(one.lower().kernel)
    changed = one.instructions[3]
    changed.saturate = 0
    changed.operands[2].swizzle = (1, 0, 0, 0)
    expected = program(TEXT.replace("mad_sat", "mad").replace("r1.zzzz", "r1.yxxx"))
    assert print_kernel(one.lower().kernel) == print_kernel(expected.lower().kernel) != before
    assert print_kernel(decoded(TEXT).lower().kernel) == before


def test_the_stage_is_not_part_of_a_plan() -> None:
    pixel = TEXT.replace("mov o0.xyzw, r0.xyxy", "deriv_rtx o0.xyzw, r0.xyxy")
    program(pixel).lower()
    found = program(pixel.replace("ps_5_0", "vs_5_0").replace("_ps linear", ""))
    with pytest.raises(UnsupportedError, match=r"line 6: deriv_rtx does not exist in vertex"):
        found.lower()


def test_sources_with_equal_tokens_share_a_reader() -> None:
    one, other = temp(0, swizzle="xyzw"), temp(7, swizzle="xyzw")
    assert reader(one, "f", 1) is reader(other, "f", 1)
    assert reader(one, "f", 1) is not reader(one, "f", 2)
    assert reader(one, "f", 1) is not reader(one, "i", 1)
