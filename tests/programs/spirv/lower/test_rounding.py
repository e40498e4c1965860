"""Arithmetic that rounds toward zero, against exact fractions."""

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
import pytest

from unshade import UnsupportedError

from .graphics import same_everywhere
from .modules import shader

MODE = "OpExecutionMode %main RoundingModeRTZ 32"
LARGEST = 0x7F7F_FFFF


def rounding(code: str, x: Any, mode: str = MODE, globals: str = "") -> Any:
    """Return the bits of %y from the bits of x."""
    made = shader(
        f"%f = OpBitcast %float %x\n{code}\n%r = OpBitcast %uint %y", "%r", globals=globals
    )
    text = made.programs[0].disassemble()
    line = "OpExecutionMode %main LocalSize 4 1 1"
    text = text.replace(line, f"{line}\n{mode}")
    text = text.replace("OpCapability Shader", "OpCapability Shader\nOpCapability RoundingModeRTZ")
    changed = type(made).loads(type(made.programs[0]).assemble(text).encode())

    def call(each: Any) -> Any:
        count = -(-len(x) // 4)
        return each.dispatch(count, source=x, target=np.zeros(len(x), "<u4"))["target"]

    return same_everywhere(changed, call).view("<f4")


def truncated(exact: Fraction) -> float:
    """Return the float32 nearest to a fraction that is no farther from zero."""
    if not exact:
        return 0.0
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    while Fraction(2) ** exponent > size:
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= size:
        exponent += 1
    step = Fraction(2) ** (max(exponent, -126) - 23)
    found = size // step * step
    most = Fraction(float(np.uint32(LARGEST).view("<f4")))
    return float(min(found, most) * (1 if exact > 0 else -1))


def samples() -> Any:
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 32, 400, np.uint32)
    near = random.integers(0x3F00_0000, 0x4100_0000, 600, np.uint32)
    found = np.concatenate([bits, near, np.array([0x0080_0000, 0x7F7F_FFFF, 1, 0], "<u4")])
    return found[np.isfinite(found.view("<f4"))]


@pytest.mark.slow
@pytest.mark.parametrize("constant", ["0.1", "1.0000001", "-0.99999994", "1e-9", "3e38"])
def test_sums_products_and_quotients(constant: str) -> None:
    x = samples()
    given = Fraction(float(np.float32(constant)))
    numbers = [Fraction(float(each)) for each in x.view("<f4")]
    globals_ = f"%k = OpConstant %float {constant}"
    for code, exact in {
        "%y = OpFAdd %float %f %k": [each + given for each in numbers],
        "%y = OpFSub %float %f %k": [each - given for each in numbers],
        "%y = OpFMul %float %f %k": [each * given for each in numbers],
        "%y = OpFDiv %float %f %k": [each / given for each in numbers],
    }.items():
        found = rounding(code, x, globals=globals_)
        expected = np.array([truncated(each) for each in exact], "<f4")
        np.testing.assert_array_equal(found, expected)


def test_square_roots() -> None:
    x = samples()
    x = x[x.view("<f4") > 0]
    found = rounding("%y = OpExtInst %float %1 Sqrt %f", x)
    scale = 1 << 300  # a power of four
    for number, root in zip(x.view("<f4"), found, strict=True):
        exact = Fraction(float(number)) * scale
        assert root == truncated(Fraction(isqrt(exact.numerator // exact.denominator), 1 << 150))


def test_conversions_follow_the_mode() -> None:
    x = np.array([0x0FFF_FFFF, 0xFFFF_FFFF], "<u4")
    found = rounding("%y = OpConvertUToF %float %x", x)
    assert found.tolist() == [float(0x0FFF_FFF0), float(0xFFFF_FF00)]


def test_64_bits_are_refused_by_name() -> None:
    code = "%d = OpFConvert %double %f\n%e = OpFAdd %double %d %d\n%y = OpFConvert %float %e"
    with pytest.raises(UnsupportedError, match="FAdd of 64 bits cannot be run: RoundingModeRTZ"):
        rounding(code, np.zeros(1, "<u4"), MODE.replace("32", "64"), "%double = OpTypeFloat 64")
