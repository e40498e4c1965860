"""Integer results that Vulkan leaves undefined, in the report of a call."""

import numpy as np
import pytest

import unshade

from .modules import shader

ENGINES = ("lockstep", "jit")
LEAST, ONES = 0x8000_0000, 0xFFFF_FFFF
F = "%f = OpBitcast %float %x\n"


def bits(number: float) -> int:
    return int(np.float32(number).view("<u4"))


CASES = [
    ("%y = OpUDiv %uint %c3 %x", [0, 1, 0, 2], 2),
    ("%y = OpUMod %uint %c3 %x", [0, 1, 0, 0], 3),
    ("%y = OpSDiv %uint %least %x", [0, ONES, 1, 2], 2),
    ("%y = OpSRem %uint %x %ones", [LEAST, ONES, 1, LEAST], 4),
    ("%y = OpSRem %uint %x %c3", [LEAST, ONES, 1, 0], 2),
    ("%y = OpSMod %uint %c3 %x", [LEAST, ONES, 1, 0], 3),
    ("%y = OpSMod %uint %x %x", [5, ONES, 0, 1], 2),
    ("%y = OpSDiv %uint %x %c3", [LEAST, ONES, 1, 0], 0),
    ("%y = OpUDiv %uint %x %c3", [0, 1, 2, 3], 0),
    ("%y = OpShiftLeftLogical %uint %c1 %x", [31, 32, 33, ONES], 3),
    ("%y = OpShiftRightLogical %uint %x %c3", [1, 2, 3, 4], 0),
    ("%y = OpBitFieldUExtract %uint %ones %c3 %x", [29, 30, ONES, 0], 2),
    ("%y = OpBitFieldUExtract %uint %x %c3 %c4", [29, 30, ONES, 0], 0),
    (F + "%y = OpConvertFToU %uint %f", [bits(-0.5), bits(-1), bits(2**32), bits(np.nan)], 3),
    (F + "%y = OpConvertFToS %uint %f", [bits(-(2**31)), bits(2**31), bits(3.5), bits(-3e9)], 2),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("code", "given", "count"), CASES)
def test_undefined_results_are_counted(
    code: str, given: list[int], count: int, engine: str
) -> None:
    constants = f"%least = OpConstant %uint {LEAST}\n%ones = OpConstant %uint {ONES}"
    kernel = unshade.kernel(shader(code, "%y", globals=constants), engine=engine)
    kernel.dispatch(1, source=np.array(given, "<u4"), target=np.zeros(4, "<u4"))
    assert kernel.report is not None
    assert kernel.report.undefined == count


@pytest.mark.parametrize("engine", ENGINES)
def test_of_all_iterations_and_of_lanes_that_return(engine: str) -> None:
    code = """%first = OpIEqual %bool %x %c0
OpSelectionMerge %more None
OpBranchConditional %first %end %more
%end = OpLabel
%q = OpUDiv %uint %c3 %x
OpReturn
%more = OpLabel
%y = OpUDiv %uint %c3 %i"""
    kernel = unshade.kernel(shader(code, "%y"), engine=engine)
    kernel.dispatch(1, source=np.array([5, 0, 5, 5], "<u4"), target=np.zeros(4, "<u4"))
    assert kernel.report is not None
    assert kernel.report.undefined == 2
