"""Vectors of the instructions of 32-bit floats, and of moves.

Source of the values: Direct3D 11.3 functional specification, section 3.1 (rounding, subnormal
numbers, NaN) and the tables of section 22; where it leaves a choice, the docstring of
programs/tpf/lower/arithmetic states ours.
"""

from tests.programs.tpf.lower.vectors import INF, NAN, Near, Vector

LEAST = 2.0**-126  # of the normal numbers
TINY = 0x007F_FFFF  # the greatest subnormal number, and its negative
MINUS_TINY = 0x807F_FFFF
SIGNALLING = 0x7FA0_0000
ALL = 0xFFFF_FFFF
R1 = "r1.x -> r0.x"
R2 = "r1.x r2.x -> r0.x"
R3 = "r1.x r2.x r3.x -> r0.x"
ONCE = 1.0 + 2.0**-12  # its square has a bit that a float does not hold

VECTORS = [
    Vector("add", R2, "add r0.x, r1.x, r2.x", [
        (1.5, 2.25, 3.75), (INF, -INF, NAN), (INF, 1.0, INF), (-INF, -INF, -INF),
        (-0.0, 0.0, 0.0), (-0.0, -0.0, -0.0), (0.0, -0.0, 0.0), (3.0, -3.0, 0.0),
        (NAN, 1.0, NAN), (1.0, SIGNALLING, NAN), (-NAN, 1.0, NAN), (0xFFC0_1234, 1.0, NAN),
        (3e38, 3e38, INF), (-3e38, -3e38, -INF), (1.0, 2.0**-24, 1.0),
        (1.0 + 2.0**-23, 2.0**-24, 1.0 + 2.0**-22),
        (TINY, 0.0, 0.0), (MINUS_TINY, -0.0, -0.0), (MINUS_TINY, 0.0, 0.0), (TINY, TINY, 0.0),
        (TINY, 1.5, 1.5), (1.5 * LEAST, -LEAST, 0.0), (-1.5 * LEAST, LEAST, -0.0),
    ]),
    Vector("add_sat", R2, "add_sat r0.x, r1.x, r2.x", [
        (0.25, 0.25, 0.5), (1.0, 1.0, 1.0), (-3.0, 1.0, 0.0), (INF, 1.0, 1.0), (-INF, 1.0, 0.0),
        (NAN, 1.0, 0.0), (-0.0, -0.0, 0.0), (1.0, 0.0, 1.0),
    ]),
    Vector("add of modified sources", R2, "add r0.x, -r1.x, -|r2.x|", [
        (1.0, 2.0, -3.0), (-1.0, -2.0, -1.0), (INF, INF, -INF), (-INF, INF, NAN),
        (0.0, 0.0, -0.0),
    ]),
    Vector("mul", R2, "mul r0.x, r1.x, r2.x", [
        (2.0, 3.0, 6.0), (INF, 0.0, NAN), (-0.0, INF, NAN), (-2.0, 0.0, -0.0), (-2.0, -0.0, 0.0),
        (INF, -2.0, -INF), (1e30, 1e30, INF), (-1e30, 1e30, -INF), (NAN, 0.0, NAN),
        (LEAST, 0.5, 0.0), (-LEAST, 0.5, -0.0), (1.0, TINY, 0.0), (1.0, MINUS_TINY, -0.0),
        (1.0, LEAST, LEAST), (ONCE, ONCE, 1.0 + 2.0**-11),
    ]),
    Vector("mad", R3, "mad r0.x, r1.x, r2.x, r3.x", [
        (2.0, 3.0, 4.0, 10.0), (ONCE, ONCE, -(1.0 + 2.0**-11), 0.0), (INF, 0.0, 1.0, NAN),
        (1e30, 1e30, -INF, NAN), (1.0, 1.0, NAN, NAN), (TINY, 1.0, 2.0, 2.0),
        (LEAST, 0.5, 0.0, 0.0),
    ]),
    Vector("mad_sat", R3, "mad_sat r0.x, r1.x, r2.x, r3.x", [
        (0.5, 0.5, 0.5, 0.75), (2.0, 3.0, 4.0, 1.0), (NAN, 0.0, 0.0, 0.0),
    ]),
    Vector("div", R2, "div r0.x, r1.x, r2.x", [
        (7.0, 2.0, 3.5), (1.0, 3.0, 0x3EAA_AAAB), (1.0, 0.0, INF), (-1.0, 0.0, -INF),
        (1.0, -0.0, -INF), (0.0, 0.0, NAN), (-0.0, 0.0, NAN), (INF, INF, NAN), (INF, -INF, NAN),
        (1.0, INF, 0.0), (-1.0, INF, -0.0), (INF, 0.0, INF), (INF, -0.0, -INF), (INF, -2.0, -INF),
        (0.0, -5.0, -0.0), (-0.0, -5.0, 0.0), (TINY, 1.0, 0.0), (1.0, TINY, INF),
        (1.0, MINUS_TINY, -INF), (TINY, TINY, NAN), (NAN, 1.0, NAN), (1.0, NAN, NAN),
        (0.1, 1.0, 0.1), (LEAST, 2.0, 0.0),
    ]),
    Vector("dp2", "r1.xy r2.xy -> r0.xy", "dp2 r0.xy, r1.xyxx, r2.xyxx", [
        (1.0, 2.0, 3.0, 4.0, 11.0, 11.0), (INF, 1.0, 0.0, 1.0, NAN, NAN),
        (TINY, 1.0, 1.0, 2.0, 2.0, 2.0),
    ]),
    Vector("dp3", "r1.xyz r2.xyz -> r0.x", "dp3 r0.x, r1.xyzx, r2.xyzx", [
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 32.0), (1e8, 1.0, -1e8, 1.0, 1.0, 1.0, 0.0),
        (NAN, 0.0, 0.0, 0.0, 0.0, 0.0, NAN),
    ]),
    Vector("dp4", "r1.xyzw r2.xyzw -> r0.x", "dp4 r0.x, r1.xyzw, r2.xyzw", [
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 70.0),
        (1e8, 1.0, -1e8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    ]),
    Vector("dp4_sat", "r1.xyzw -> r0.x", "dp4_sat r0.x, r1.xyzw, r1.xyzw", [
        (0.5, 0.5, 0.5, 0.0, 0.75), (1.0, 2.0, 3.0, 4.0, 1.0),
    ]),
    Vector("exp", R1, "exp r0.x, r1.x", [
        (-INF, 0.0), (INF, INF), (NAN, NAN), (0.0, 1.0), (-0.0, 1.0), (TINY, 1.0),
        (MINUS_TINY, 1.0), (128.0, INF), (1e30, INF), (-1e30, 0.0), (-150.0, 0.0),
        (3.0, Near.of(8.0, 4)), (-1.0, Near.of(0.5, 4)), (-126.0, Near.of(LEAST, 4)),
        (0.5, Near.of(1.4142135, 4)), (-0.5, Near.of(0.70710677, 4)),
        (127.5, Near.of(2.0**127.5, 4)), (10.25, Near.of(2.0**10.25, 4)),
    ]),
    Vector("log", R1, "log r0.x, r1.x", [
        (0.0, -INF), (-0.0, -INF), (TINY, -INF), (MINUS_TINY, -INF), (-1.0, NAN), (-INF, NAN),
        (INF, INF), (NAN, NAN), (1.0, Near.of(0.0, absolute=2.0**-21)),
        (1.0001, Near.of(1.4425937e-4, absolute=2.0**-21)),
        (0.75, Near.of(-0.4150375, absolute=2.0**-21)), (8.0, Near.of(3.0, 4)),
        (10.0, Near.of(3.321928, 4)), (LEAST, Near.of(-126.0, 4)), (3e38, Near.of(127.81823, 4)),
    ]),
    Vector("rsq", R1, "rsq r0.x, r1.x", [
        (4.0, Near.of(0.5, 4)), (2.0, Near.of(0.70710677, 4)), (0.0, INF), (-0.0, -INF),
        (TINY, INF), (MINUS_TINY, -INF), (-1.0, NAN), (-INF, NAN), (INF, 0.0), (NAN, NAN),
        (LEAST, Near.of(2.0**63, 4)),
    ]),
    Vector("rcp", R1, "rcp r0.x, r1.x", [
        (2.0, Near.of(0.5, 4)), (-4.0, Near.of(-0.25, 4)), (3.0, Near.of(1 / 3, 4)), (0.0, INF),
        (-0.0, -INF), (TINY, INF), (MINUS_TINY, -INF), (INF, 0.0), (-INF, -0.0), (NAN, NAN),
        (2e38, 0.0),
    ]),
    Vector("sqrt", R1, "sqrt r0.x, r1.x", [
        (4.0, 2.0), (2.0, Near.of(1.4142135, 1)), (0.0, 0.0), (-0.0, -0.0), (TINY, 0.0),
        (MINUS_TINY, -0.0), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN),
    ]),
    Vector("sincos", "r1.x -> r0.x r5.x", "sincos r0.x, r5.x, r1.x", [
        (0.0, 0.0, 1.0), (-0.0, -0.0, 1.0), (TINY, 0.0, 1.0), (MINUS_TINY, -0.0, 1.0),
        (INF, NAN, NAN), (-INF, NAN, NAN), (NAN, NAN, NAN),
        (1.5707964, Near.of(1.0, absolute=8e-4), Near.of(0.0, absolute=8e-4)),
        (3.1415927, Near.of(0.0, absolute=8e-4), Near.of(-1.0, absolute=8e-4)),
        (-300.0, Near.of(0.99975586, absolute=8e-4), Near.of(-0.022096619, absolute=8e-4)),
    ]),
    Vector("sincos of one", "r1.x -> r0.x r5.x",
           "sincos r0.x, null, r1.x\nsincos null, r5.x, r1.x", [(0.0, 0.0, 1.0)]),
    Vector("sincos over its source", "r1.x -> r1.x r0.x", "sincos r1.x, r0.x, r1.x", [
        (0.0, 0.0, 1.0),
    ]),
    Vector("frc", R1, "frc r0.x, r1.x", [
        (1.25, 0.25), (-1.25, 0.75), (3.0, 0.0), (-3.0, 0.0), (0.0, 0.0), (-0.0, 0.0),
        (TINY, 0.0), (MINUS_TINY, 0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (8388607.5, 0.5),
        (-1e-9, 0x3F7F_FFFF), (-(2.0**-25), 0x3F7F_FFFF), (-(2.0**-24), 0x3F7F_FFFF),
        (-LEAST, 0x3F7F_FFFF),
    ]),
    Vector("min", R2, "min r0.x, r1.x, r2.x", [
        (1.0, 2.0, 1.0), (2.0, 1.0, 1.0), (-INF, INF, -INF), (NAN, 1.0, 1.0), (1.0, NAN, 1.0),
        (NAN, NAN, NAN), (SIGNALLING, 1.0, 1.0), (NAN, INF, INF), (0.0, -0.0, -0.0),
        (-0.0, 0.0, 0.0), (TINY, 1.0, 0.0), (MINUS_TINY, 1.0, -0.0),
    ]),
    Vector("max", R2, "max r0.x, r1.x, r2.x", [
        (1.0, 2.0, 2.0), (2.0, 1.0, 2.0), (-INF, INF, INF), (NAN, 1.0, 1.0), (1.0, NAN, 1.0),
        (NAN, NAN, NAN), (1.0, SIGNALLING, 1.0), (NAN, -INF, -INF), (0.0, -0.0, 0.0),
        (-0.0, 0.0, -0.0), (TINY, -1.0, 0.0),
    ]),
    Vector("round_ne", R1, "round_ne r0.x, r1.x", [
        (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0), (-1.5, -2.0), (0.75, 1.0),
        (8388607.5, 8388608.0), (TINY, 0.0), (MINUS_TINY, -0.0), (-0.0, -0.0), (INF, INF),
        (-INF, -INF), (NAN, NAN), (1e30, 1e30),
    ]),
    Vector("round_ni", R1, "round_ni r0.x, r1.x", [
        (1.5, 1.0), (-1.5, -2.0), (0.25, 0.0), (-0.25, -1.0), (-0.0, -0.0), (MINUS_TINY, -0.0),
        (INF, INF), (-INF, -INF), (NAN, NAN),
    ]),
    Vector("round_pi", R1, "round_pi r0.x, r1.x", [
        (1.5, 2.0), (-1.5, -1.0), (0.25, 1.0), (-0.25, -0.0), (0.0, 0.0), (TINY, 0.0),
        (INF, INF), (-INF, -INF), (NAN, NAN),
    ]),
    Vector("round_z", R1, "round_z r0.x, r1.x", [
        (1.75, 1.0), (-1.75, -1.0), (0.25, 0.0), (-0.25, -0.0), (INF, INF), (-INF, -INF),
        (NAN, NAN), (1e30, 1e30),
    ]),
    Vector("eq", R2, "eq r0.x, r1.x, r2.x", [
        (1.0, 1.0, ALL), (1.0, 2.0, 0), (0.0, -0.0, ALL), (NAN, NAN, 0), (INF, INF, ALL),
        (TINY, 0.0, ALL), (MINUS_TINY, TINY, ALL),
    ]),
    Vector("ne", R2, "ne r0.x, r1.x, r2.x", [
        (1.0, 1.0, 0), (1.0, 2.0, ALL), (0.0, -0.0, 0), (NAN, NAN, ALL), (NAN, 1.0, ALL),
        (TINY, 0.0, 0),
    ]),
    Vector("lt", R2, "lt r0.x, r1.x, r2.x", [
        (1.0, 2.0, ALL), (2.0, 1.0, 0), (1.0, 1.0, 0), (-0.0, 0.0, 0), (NAN, 1.0, 0),
        (1.0, NAN, 0), (-INF, INF, ALL), (0.0, TINY, 0),
    ]),
    Vector("ge", R2, "ge r0.x, r1.x, r2.x", [
        (1.0, 2.0, 0), (2.0, 1.0, ALL), (1.0, 1.0, ALL), (-0.0, 0.0, ALL), (NAN, 1.0, 0),
        (1.0, NAN, 0), (INF, INF, ALL), (0.0, TINY, ALL),
    ]),
    Vector("mov", R1, "mov r0.x, r1.x", [
        (1.0, 1.0), (1, 1), (SIGNALLING, SIGNALLING), (0xFFC0_1234, 0xFFC0_1234), (-0.0, -0.0),
    ]),
    Vector("mov of modified sources", "r1.x -> r0.xyz",
           "mov r0.x, -r1.x\nmov r0.y, |r1.x|\nmov r0.z, -|r1.x|", [
        (1.0, -1.0, 1.0, -1.0), (-2.0, 2.0, 2.0, -2.0), (-INF, INF, INF, -INF),
        (0x0000_0001, 0x8000_0001, 0x0000_0001, 0x8000_0001),
    ]),
    Vector("mov_sat", R1, "mov_sat r0.x, r1.x", [
        (0.5, 0.5), (2.0, 1.0), (-2.0, 0.0), (NAN, 0.0), (-0.0, 0.0), (INF, 1.0),
    ]),
    Vector("mov swizzled over itself", "r1.xyzw -> r1.xyzw", "mov r1.xyzw, r1.wzyx", [
        (1, 2, 3, 4, 4, 3, 2, 1),
    ]),
    Vector("movc", R3, "movc r0.x, r1.x, r2.x, r3.x", [
        (1, 5, 6, 5), (0, 5, 6, 6), (-0.0, 5, 6, 5), (TINY, SIGNALLING, 6, SIGNALLING),
        (0.0, 1, 2, 2),
    ]),
    Vector("movc of modified sources", R3, "movc_sat r0.x, r1.x, -r2.x, |r3.x|", [
        (1, -0.5, 9.0, 0.5), (1, 0.5, 9.0, 0.0), (0, 1.0, -0.25, 0.25), (0, 1.0, NAN, 0.0),
    ]),
    Vector("swapc", "r1.x r2.x r3.x -> r0.x r5.x", "swapc r0.x, r5.x, r1.x, r2.x, r3.x", [
        (1, 5, 6, 6, 5), (0, 5, 6, 5, 6), (-0.0, 5, 6, 6, 5),
    ]),
    Vector("swapc over its sources", "r1.xyzw r2.xyzw r3.xyzw -> r1.xyzw r2.xyzw",
           "swapc r1.xy, r2.yzw, r3.xyzw, r1.xyzw, r2.xyzw", [
        (1, 2, 3, 4, 11, 12, 13, 14, 1, 0, 1, 0, 11, 2, 3, 4, 11, 12, 3, 14),
    ]),
    Vector("swapc_sat", "r1.x r2.x r3.x -> r0.x r5.x", "swapc_sat r0.x, r5.x, r1.x, -r2.x, r3.x", [
        (1, -0.5, 2.0, 1.0, 0.5), (0, 3.0, NAN, 0.0, 0.0),
    ]),
    Vector("nop", R1, "nop\nmov r0.x, r1.x", [(7, 7)]),
    Vector("ftoi", R1, "ftoi r0.x, r1.x", [
        (1.9, 1), (-1.9, -1), (0.0, 0), (-0.0, 0), (TINY, 0), (NAN, 0), (INF, 0x7FFF_FFFF),
        (-INF, 0x8000_0000), (3e9, 0x7FFF_FFFF), (-3e9, 0x8000_0000),
        (2147483520.0, 2147483520), (-2147483648.0, 0x8000_0000), (2147483648.0, 0x7FFF_FFFF),
    ]),
    Vector("ftoi of a modified source", R1, "ftoi r0.x, -|r1.x|", [(1.9, -1), (-1.9, -1)]),
    Vector("ftou", R1, "ftou r0.x, r1.x", [
        (1.9, 1), (-1.0, 0), (-0.5, 0), (4294967040.0, 0xFFFF_FF00), (4294967296.0, ALL),
        (5e9, ALL), (2147483648.0, 0x8000_0000), (NAN, 0), (INF, ALL), (-INF, 0),
    ]),
    Vector("itof", R1, "itof r0.x, r1.x", [
        (0, 0.0), (-1, -1.0), (0x7FFF_FFFF, 2147483648.0), (0x8000_0000, -2147483648.0),
        (16777217, 16777216.0), (16777219, 16777220.0), (-16777219, -16777220.0),
    ]),
    Vector("itof of a negated source", R1, "itof r0.x, -r1.x", [
        (5, -5.0), (0x8000_0000, -2147483648.0),
    ]),
    Vector("utof", R1, "utof r0.x, r1.x", [
        (0, 0.0), (ALL, 4294967296.0), (0x8000_0000, 2147483648.0), (16777217, 16777216.0),
        (16777219, 16777220.0), (0xFFFF_FF7F, 4294967040.0),
    ]),
    Vector("itof_sat", R1, "itof_sat r0.x, r1.x", [
        (7, 1.0), (1, 1.0), (0, 0.0), (-7, 0.0), (0x8000_0000, 0.0),
    ]),
    Vector("utof_sat", R1, "utof_sat r0.x, r1.x", [(7, 1.0), (0, 0.0), (0x8000_0000, 1.0)]),
    Vector("ftoi_sat", R1, "ftoi_sat r0.x, r1.x", [(7.0, 7), (-7.0, -7)]),
    Vector("ge_sat", R2, "ge_sat r0.x, r1.x, r2.x", [(2.0, 1.0, ALL), (1.0, 2.0, 0)]),
    Vector("f32tof16", R1, "f32tof16 r0.x, r1.x", [
        (1.0, 0x3C00), (-2.0, 0xC000), (65504.0, 0x7BFF), (65519.0, 0x7BFF), (65520.0, 0x7C00),
        (1e30, 0x7C00), (-1e30, 0xFC00), (INF, 0x7C00), (-INF, 0xFC00), (NAN, 0x7E00),
        (2.0**-24, 0x0001), (2.0**-25, 0x0000), (1.5 * 2.0**-25, 0x0001), (-(2.0**-24), 0x8001),
        (2.0**-14, 0x0400), (-0.0, 0x8000), (TINY, 0), (1.0 + 2.0**-11, 0x3C00),
        (1.0 + 3 * 2.0**-11, 0x3C02),
    ]),
    Vector("f16tof32", R1, "f16tof32 r0.x, r1.x", [
        (0x3C00, 1.0), (0xC000, -2.0), (0x0001, 2.0**-24), (0x83FF, -1023 * 2.0**-24),
        (0x7C00, INF), (0xFC00, -INF), (0x7E00, NAN), (0x7D00, NAN), (0x8000, -0.0),
        (0xABCD_3C00, 1.0), (0x7BFF, 65504.0),
    ]),
    Vector("f16tof32 of a modified source", "r1.x -> r0.xy",
           "f16tof32 r0.x, -r1.x\nf16tof32_sat r0.y, |r1.x|", [
        (0x3C00, -1.0, 1.0), (0xB800, 0.5, 0.5), (0x0000, -0.0, 0.0),
    ]),
]  # fmt: skip
