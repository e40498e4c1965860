"""Edge values of instructions, as the SPIR-V specification defines them: extreme integers, widths of
fields, NaN and signed zeros, and conversions that have to round once.

Rows are those of `test_operations`.
"""
# ruff: noqa: E501  (the tables are columns)

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from .test_operations import check

LEAST = -(1 << 31)


def _floats(*given: str) -> str:
    """Return code that defines %_a, %_b, … as floats of these bits."""
    return "".join(
        f"%_{name} = OpBitcast %float <uint {bits}>\n"
        for name, bits in zip("abc", given, strict=False)
    )


def _compared(name: str, a: str, b: str) -> str:
    return f"{_floats(a, b)}%_y = {name} %bool %_a %_b"


ONE, TWO, QUIET, MINUS_ZERO, ZERO = "1065353216", "1073741824", "2143289344", "2147483648", "0"
# fmt: off
INTEGERS = [
    ("uint", "%_y = OpBitReverse %uint <uint 13>", (0xB000_0000,)),
    ("uint", "%_s = OpUConvert %ushort <uint 13>\n%_r = OpBitReverse %ushort %_s\n%_y = OpUConvert %uint %_r", (0xB000,)),
    ("ulong", "%_y = OpBitReverse %ulong <ulong 13>", (0xB000_0000_0000_0000,)),
    ("int", "%_y = OpSNegate %int <int -2147483648>", (LEAST,)),
    ("uint", "%_y = OpBitFieldInsert %uint <uint 5> <uint 4294967295> <uint 0> <uint 32>", (0xFFFF_FFFF,)),
    ("uint", "%_y = OpBitFieldInsert %uint <uint 5> <uint 4294967295> <uint 7> <uint 0>", (5,)),
    ("uint", "%_y = OpBitFieldInsert %uint <uint 5> <uint 4294967295> <uint 32> <uint 0>", (5,)),
    ("uint", "%_y = OpBitFieldInsert %uint <uint 5> <uint 2> <uint 31> <uint 1>", (5,)),
    ("uint", "%_y = OpBitFieldInsert %uint <uint 5> <uint 3> <uint 31> <uint 1>", (0x8000_0005,)),
    ("int", "%_y = OpBitFieldSExtract %int <int -5> <uint 0> <uint 32>", (-5,)),
    ("int", "%_y = OpBitFieldSExtract %int <int -5> <uint 31> <uint 1>", (-1,)),
    ("int", "%_y = OpBitFieldSExtract %int <int 5> <uint 9> <uint 0>", (0,)),
    ("uint", "%_y = OpBitFieldUExtract %uint <uint 4294967291> <uint 0> <uint 32>", (0xFFFF_FFFB,)),
    ("uint", "%_y = OpBitFieldUExtract %uint <uint 4294967291> <uint 31> <uint 1>", (1,)),
    ("uint", "%_y = OpBitFieldUExtract %uint <uint 4294967291> <uint 32> <uint 0>", (0,)),
    ("long", "%_y = OpBitFieldSExtract %long <long -5> <uint 63> <uint 1>", (-1,)),
    ("long", "%_y = OpBitFieldSExtract %long <long -5> <uint 0> <uint 64>", (-5,)),
    ("ulong", "%_y = OpBitFieldInsert %ulong <ulong 5> <ulong 9> <uint 60> <uint 4>", ((9 << 60) + 5,)),
    ("ints", "%_y = OpSMulExtended %ints <int -2147483648> <int -2147483648>", (0, 1 << 30)),
    ("uints", "%_y = OpUMulExtended %uints <uint 4294967295> <uint 4294967295>", (1, 0xFFFF_FFFE)),
    ("int", "%_y = OpExtInst %int %1 SAbs <int -2147483648>", (LEAST,)),
    ("int", "%_y = OpExtInst %int %1 SSign <int -2147483648>", (-1,)),
    ("int", "%_y = OpExtInst %int %1 FindSMsb <int -2147483648>", (30,)),
    ("int", "%_y = OpExtInst %int %1 FindSMsb <int -1>", (-1,)),
    ("int", "%_y = OpExtInst %int %1 FindSMsb <int -2>", (0,)),
    ("int", "%_y = OpExtInst %int %1 FindSMsb <int 0>", (-1,)),
    ("int", "%_y = OpExtInst %int %1 FindUMsb <int -2147483648>", (31,)),
    ("int", "%_y = OpExtInst %int %1 FindILsb <int -2147483648>", (31,)),
    ("int", "%_y = OpExtInst %int %1 FindILsb <int 0>", (-1,)),
    ("int", "%_y = OpExtInst %int %1 SClamp <int -7> <int -3> <int 4>", (-3,)),
    ("uint", "%_y = OpExtInst %uint %1 UClamp <uint 4294967295> <uint 3> <uint 9>", (9,)),
    ("int", "%_y = OpExtInst %int %1 SMin <int -2147483648> <int 1>", (LEAST,)),
    ("int", "%_y = OpExtInst %int %1 UMin <int -2147483648> <int 1>", (1,)),
    ("int", "%_s = OpSDiv %int <int -7> <int 2>\n%_y = OpCopyObject %int %_s", (-3,)),
    ("uint", "%_y = OpUMod %uint <uint 4294967295> <uint 16>", (15,)),
    ("uint", "%_s = OpUConvert %ushort <uint 33000>\n%_r = OpShiftRightArithmetic %ushort %_s <uint 4>\n%_y = OpUConvert %uint %_r", (0xF80E,)),
    ("uint", "%_s = OpUConvert %ushort <uint 33000>\n%_r = OpShiftRightLogical %ushort %_s <uint 4>\n%_y = OpUConvert %uint %_r", (0x80E,)),
    ("uint", "%_s = OpUConvert %ushort <uint 33000>\n%_y = OpSConvert %uint %_s", (0xFFFF_80E8,)),
    ("long", "%_y = OpSConvert %long <int -2147483648>", (LEAST,)),
    ("ulong", "%_y = OpUConvert %ulong <uint 4294967295>", (0xFFFF_FFFF,)),
    ("uint", "%_y = OpBitCount %uint <ulong 18446744073709551615>", (64,)),
]
COMPARISONS = [
    row
    for name, answers in (
        # less, equal, greater, NaN on the right, NaN on the left, -0 and 0
        ("OpFOrdEqual", (0, 1, 0, 0, 0, 1)), ("OpFUnordEqual", (0, 1, 0, 1, 1, 1)),
        ("OpFOrdNotEqual", (1, 0, 1, 0, 0, 0)), ("OpFUnordNotEqual", (1, 0, 1, 1, 1, 0)),
        ("OpFOrdLessThan", (1, 0, 0, 0, 0, 0)), ("OpFUnordLessThan", (1, 0, 0, 1, 1, 0)),
        ("OpFOrdGreaterThan", (0, 0, 1, 0, 0, 0)), ("OpFUnordGreaterThan", (0, 0, 1, 1, 1, 0)),
        ("OpFOrdLessThanEqual", (1, 1, 0, 0, 0, 1)), ("OpFUnordLessThanEqual", (1, 1, 0, 1, 1, 1)),
        ("OpFOrdGreaterThanEqual", (0, 1, 1, 0, 0, 1)), ("OpFUnordGreaterThanEqual", (0, 1, 1, 1, 1, 1)),
        ("OpLessOrGreater", (1, 0, 1, 0, 0, 0)), ("OpOrdered", (1, 1, 1, 0, 0, 1)),
        ("OpUnordered", (0, 0, 0, 1, 1, 0)),
    )
    for (a, b), answer in zip(
        ((ONE, TWO), (TWO, TWO), (TWO, ONE), (ONE, QUIET), (QUIET, ONE), (MINUS_ZERO, ZERO)),
        answers, strict=True,
    )
    for row in [("bool", _compared(name, a, b), (answer,))]
]
FINITE = [
    ("bool", f"%_f = OpBitcast %float <uint {bits}>\n%_y = OpIsFinite %bool %_f", (answer,))
    for bits, answer in ((0, 1), (1, 1), (0x7F7F_FFFF, 1), (0x7F80_0000, 0), (0xFF80_0000, 0), (0x7FC0_0000, 0))
]


def _half(code: str) -> str:
    """Return code whose result is a half %_h, shown as a float."""
    return f"{code}\n%_y = OpFConvert %float %_h"


ROUNDED = [  # once, to the nearest even number
    # 1 + 2^-11 + 2^-40 is above the middle between two halves; as a float it is that middle.
    ("float", _half("%_d = OpBitcast %double <ulong 4607184617823277056>\n%_h = OpFConvert %half %_d"), (1.0009765625,)),
    ("float", _half("%_d = OpBitcast %double <ulong 4607184617823272960>\n%_h = OpFConvert %half %_d"), (1.0,)),
    # 2^63 + 2^39 + 1 is above the middle between two floats; as a double it is that middle.
    ("float", "%_y = OpConvertUToF %float <ulong 9223372586610589697>", (9223373136366403584.0,)),
    ("float", "%_y = OpConvertUToF %float <ulong 9223372586610589696>", (9223372036854775808.0,)),
    ("float", "%_y = OpConvertSToF %float <long -9223372036854775808>", (-9223372036854775808.0,)),
    ("float", "%_y = OpConvertUToF %float <uint 16777217>", (16777216.0,)),
    ("float", "%_y = OpConvertUToF %float <uint 4294967295>", (4294967296.0,)),
    ("float", "%_y = OpConvertSToF %float <int -16777219>", (-16777220.0,)),
    ("float", _half("%_h = OpConvertUToF %half <uint 2049>"), (2048.0,)),
    ("float", _half("%_h = OpConvertUToF %half <uint 2051>"), (2052.0,)),
    ("float", _half("%_h = OpConvertUToF %half <uint 65519>"), (65504.0,)),
    ("float", _half("%_h = OpConvertUToF %half <uint 65520>"), (math.inf,)),
    ("float", _half("%_h = OpConvertUToF %half <ulong 18446744073709551615>"), (math.inf,)),
    ("float", _half("%_a = OpFConvert %half <float 2048>\n%_b = OpFConvert %half <float 1>\n%_h = OpFAdd %half %_a %_b"), (2048.0,)),
    ("float", _half("%_a = OpFConvert %half <float 2048>\n%_b = OpFConvert %half <float 3>\n%_h = OpFAdd %half %_a %_b"), (2052.0,)),
    ("float", _half("%_a = OpFConvert %half <float 65504>\n%_b = OpFConvert %half <float 16>\n%_h = OpFAdd %half %_a %_b"), (math.inf,)),
    ("float", _half("%_a = OpFConvert %half <float 1>\n%_b = OpFConvert %half <float 3>\n%_h = OpFDiv %half %_a %_b"), (0.333251953125,)),
    ("uint", "%_h = OpFConvert %half <float -0.00000005960464477539063>\n%_b = OpBitcast %ushort %_h\n%_y = OpUConvert %uint %_b", (0x8001,)),
    ("uint", "%_h = OpFConvert %half <float 0.000000029802322387695313>\n%_b = OpBitcast %ushort %_h\n%_y = OpUConvert %uint %_b", (0,)),
    ("uint", "%_h = OpFConvert %half <float 65520>\n%_b = OpBitcast %ushort %_h\n%_y = OpUConvert %uint %_b", (0x7C00,)),
]
FLOATS = [
    ("float", f"{_floats(QUIET, ONE)}%_y = OpExtInst %float %1 NMin %_a %_b", (1.0,)),
    ("float", f"{_floats(ONE, QUIET)}%_y = OpExtInst %float %1 NMax %_a %_b", (1.0,)),
    ("float", f"{_floats(QUIET, ONE, TWO)}%_y = OpExtInst %float %1 NClamp %_a %_b %_c", (1.0,)),
    ("float", "%_y = OpExtInst %float %1 RoundEven <float 0.5>", (0.0,)),
    ("float", "%_y = OpExtInst %float %1 RoundEven <float 1.5>", (2.0,)),
    ("float", "%_y = OpExtInst %float %1 RoundEven <float -0.5>", (-0.0,)),
    ("float", "%_y = OpExtInst %float %1 RoundEven <float -2.5>", (-2.0,)),
    ("float", "%_y = OpExtInst %float %1 RoundEven <float 8388609>", (8388609.0,)),
    ("float", "%_y = OpExtInst %float %1 Trunc <float -0.5>", (-0.0,)),
    ("float", "%_y = OpExtInst %float %1 Ceil <float -0.5>", (-0.0,)),
    ("float", "%_y = OpExtInst %float %1 Floor <float -0.5>", (-1.0,)),
    ("float", "%_y = OpExtInst %float %1 Fract <float -0.25>", (0.75,)),
    ("float", "%_y = OpExtInst %float %1 FSign <float -3>", (-1.0,)),
    ("float", "%_y = OpExtInst %float %1 Step <float 1> <float 1>", (1.0,)),
    ("float", "%_y = OpExtInst %float %1 Step <float 1> <float 0.5>", (0.0,)),
    ("float", "%_y = OpExtInst %float %1 SmoothStep <float 1> <float 3> <float 1.5>", (0.15625,)),
    ("float", "%_y = OpExtInst %float %1 FMix <float 2> <float 4> <float 0.25>", (2.5,)),
    ("float", "%_y = OpExtInst %float %1 InverseSqrt <float 0.25>", (2.0,)),
    ("float", f"{_floats(ZERO)}%_y = OpExtInst %float %1 InverseSqrt %_a", (math.inf,)),
    ("float", f"{_floats(MINUS_ZERO)}%_y = OpExtInst %float %1 Sqrt %_a", (-0.0,)),
    ("v2float", "%_y = OpExtInst %v2float %1 FaceForward <v2float 1 2> <v2float 1 0> <v2float -1 0>", (1.0, 2.0)),
    ("v2float", "%_y = OpExtInst %v2float %1 Refract <v2float 0 -1> <v2float 0 1> <float 0.5>", (0.0, -1.0)),
    ("float", "%_y = OpFNegate %float <float 0>", (-0.0,)),
    ("float", "%_y = OpFSub %float <float 0> <float 0>", (0.0,)),
]
# -128 and -32768 unpack to -1, as -127 and -32767 do.
PACKED = [
    ("v4float", "%_y = OpExtInst %v4float %1 UnpackSnorm4x8 <uint 2155970560>", (0.0, -1.0, -1.0, -1.0)),
    ("v2float", "%_y = OpExtInst %v2float %1 UnpackSnorm2x16 <uint 2147516417>", (-1.0, -1.0)),
    ("v2float", "%_y = OpExtInst %v2float %1 UnpackSnorm2x16 <uint 32767>", (1.0, 0.0)),
    ("v2float", "%_y = OpExtInst %v2float %1 UnpackUnorm2x16 <uint 65535>", (1.0, 0.0)),
    ("v4float", "%_y = OpExtInst %v4float %1 UnpackUnorm4x8 <uint 16711935>", (1.0, 0.0, 1.0, 0.0)),
    ("uint", "%_y = OpExtInst %uint %1 PackUnorm4x8 <v4float -1 0.2 2 1>", (0xFFFF_3300,)),
    ("uint", "%_y = OpExtInst %uint %1 PackSnorm4x8 <v4float -2 -1 1 3>", (0x7F7F_8181,)),
    ("uint", "%_y = OpExtInst %uint %1 PackUnorm2x16 <v2float 1 0.25>", (0x4000_FFFF,)),
    ("uint", "%_y = OpExtInst %uint %1 PackSnorm2x16 <v2float -1 0.5>", (0x4000_8001,)),
    ("uint", "%_y = OpExtInst %uint %1 PackHalf2x16 <v2float 1.00048828125 -65520>", (0xFC00_3C00,)),
    ("uint", "%_y = OpExtInst %uint %1 PackHalf2x16 <v2float 0.00000005960464477539063 -0.00006097555160522461>", (0x83FF_0001,)),
    ("v2float", "%_y = OpExtInst %v2float %1 UnpackHalf2x16 <uint 4227858433>", (2.0**-24, -math.inf)),
]
# fmt: on


@pytest.mark.parametrize(
    "rows",
    [INTEGERS, COMPARISONS, FINITE, ROUNDED, FLOATS, PACKED],
    ids=["integers", "comparisons", "finite", "rounded", "floats", "packed"],
)
def test_edge_values(rows: Sequence[tuple[str, str, Sequence[float]]]) -> None:
    check(rows)
