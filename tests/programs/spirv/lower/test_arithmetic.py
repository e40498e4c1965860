import math
from collections.abc import Callable

import numpy as np
import pytest

from .modules import run, shader

WORDS = [7, 0xFFFF_FFF9, 1 << 31, 0]
DIVISOR = "%m = OpConstant %int -3\n%s = OpConstant %uint 33"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("OpIAdd %uint %x %c3", [10, 0xFFFF_FFFC, 0x8000_0003, 3]),
        ("OpSMod %int %x %m", [0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFE, 0]),
        ("OpSRem %int %x %m", [1, 0xFFFF_FFFF, 0xFFFF_FFFE, 0]),
        ("OpUDiv %uint %x %c0", [0xFFFF_FFFF] * 4),  # undefined: as in Direct3D
        ("OpShiftLeftLogical %uint %x %s", [14, 0xFFFF_FFF2, 0, 0]),  # low bits of the amount
        ("OpBitFieldSExtract %int %x %c1 %c2", [0xFFFF_FFFF, 0, 0, 0]),
        ("OpBitFieldUExtract %uint %x %c0 %c0", [0, 0, 0, 0]),
        ("OpBitFieldInsert %uint %x %c0 %c1 %c2", [1, 0xFFFF_FFF9, 1 << 31, 0]),
    ],
)
def test_an_operation_of_integers(code: str, expected: list[int]) -> None:
    module = shader(f"%y = {code}\n%z = OpBitcast %uint %y", "%z", globals=DIVISOR)
    assert run(module, WORDS) == expected


EDGES = [
    0.0, 1.0, 3.0, 0.1, 5.5, 1e-45, 1.5e-39, 1.17549435e-38, 16777216.0, 3.4e38, math.inf, math.nan,
    7e-12, 1e30,
]  # fmt: skip


def _modulo(x: float, y: float) -> float:
    """Return x - y * floor(x / y) as SPIR-V has it: exact, then rounded; a zero has y's sign."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or not y:
        return math.nan
    rest = math.fmod(x, y)
    if not rest:
        return math.copysign(0.0, y)
    return float(np.float32(rest + y)) if (rest < 0) != (y < 0) else rest


def _remainder(x: float, y: float) -> float:
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or not y:
        return math.nan
    return math.copysign(math.fmod(x, y), x)


@pytest.mark.parametrize(
    ("code", "expected"),
    [("OpFRem", [2.5, -2.5, 1.0, -0.0]), ("OpFMod", [-0.5, -2.5, -2.0, -0.0])],
)
def test_a_remainder_of_floats(code: str, expected: list[float]) -> None:
    given = np.array([5.5, -5.5, 16777216.0, -9.0], "<f4").view("<u4")
    text = f"""%f = OpBitcast %float %x
%d = OpBitcast %float %bits
%r = {code} %float %f %d
%y = OpBitcast %uint %r"""
    bits = int(np.float32(-3.0).view("<u4"))
    module = shader(text, "%y", globals=f"%bits = OpConstant %uint {bits}")
    found = np.array(run(module, given.tolist()), "<u4").view("<f4")
    assert found.tobytes() == np.array(expected, "<f4").tobytes()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "exact"), [("OpFRem", _remainder), ("OpFMod", _modulo)])
@pytest.mark.parametrize("divisor", [s * float(np.float32(y)) for y in EDGES for s in (1, -1)])
def test_remainders_of_floats_are_exact(
    name: str, exact: Callable[[float, float], float], divisor: float
) -> None:
    bits = int(np.float32(divisor).view("<u4"))
    code = f"""%f = OpBitcast %float %x
%d = OpBitcast %float %bits
%r = {name} %float %f %d
%y = OpBitcast %uint %r"""
    module = shader(code, "%y", globals=f"%bits = OpConstant %uint {bits}")
    given = [np.float32(s * x) for x in EDGES for s in (1, -1)]
    for start in range(0, len(given), 4):
        part = given[start : start + 4]
        found = np.array(run(module, [int(x.view("<u4")) for x in part]), "<u4").view("<f4")
        for x, got in zip(part, found, strict=True):
            wanted = np.float32(exact(float(x), divisor))
            if np.isnan(wanted):
                assert np.isnan(got)
            else:
                assert got.tobytes() == wanted.tobytes(), (x, divisor)
