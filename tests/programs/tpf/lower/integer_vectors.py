"""Vectors of the instructions of 32-bit integers and bits.

Source of the values: Direct3D 11.3 functional specification, sections 22.6, 22.11 and 22.12.
"""

from tests.programs.tpf.lower.vectors import Vector

ALL = 0xFFFF_FFFF
SIGN = 0x8000_0000
MOST = 0x7FFF_FFFF
R1 = "r1.x -> r0.x"
R2 = "r1.x r2.x -> r0.x"
R3 = "r1.x r2.x r3.x -> r0.x"
R4 = "r1.x r2.x r3.x r4.x -> r0.x"
TWO = "r1.x r2.x -> r0.x r5.x"

VECTORS = [
    Vector("iadd", R2, "iadd r0.x, r1.x, r2.x", [
        (2, 3, 5), (MOST, 1, SIGN), (ALL, 1, 0), (-5, 3, -2),
    ]),
    Vector("iadd of negated sources", R2, "iadd r0.x, -r1.x, r2.x", [
        (2, 3, 1), (SIGN, 0, SIGN), (0, 7, 7),
    ]),
    Vector("imad", R3, "imad r0.x, r1.x, r2.x, r3.x", [
        (3, 4, 5, 17), (-3, 4, 5, -7), (ALL, 2, 1, ALL), (0x10000, 0x10000, 9, 9),
    ]),
    Vector("imad of a negated source", R3, "imad r0.x, r1.x, r2.x, -r3.x", [(3, 4, 5, 7)]),
    Vector("umad", R3, "umad r0.x, r1.x, r2.x, r3.x", [
        (3, 4, 5, 17), (ALL, ALL, 0, 1), (0x10000, 0x10000, 9, 9),
    ]),
    Vector("imax", R2, "imax r0.x, r1.x, r2.x", [(1, -1, 1), (SIGN, MOST, MOST), (-3, -2, -2)]),
    Vector("imin", R2, "imin r0.x, r1.x, r2.x", [(1, -1, -1), (SIGN, MOST, SIGN), (-3, -2, -3)]),
    Vector("umax", R2, "umax r0.x, r1.x, r2.x", [(1, -1, -1), (SIGN, MOST, SIGN), (0, 0, 0)]),
    Vector("umin", R2, "umin r0.x, r1.x, r2.x", [(1, -1, 1), (SIGN, MOST, MOST), (0, ALL, 0)]),
    Vector("ineg", R1, "ineg r0.x, r1.x", [(5, -5), (-5, 5), (0, 0), (SIGN, SIGN)]),
    Vector("imul", TWO, "imul r0.x, r5.x, r1.x, r2.x", [
        (3, 4, 0, 12), (-1, -1, 0, 1), (-1, 1, ALL, ALL), (SIGN, SIGN, 0x4000_0000, 0),
        (MOST, MOST, 0x3FFF_FFFF, 1), (SIGN, 2, ALL, 0), (0x10000, 0x10000, 1, 0),
    ]),
    Vector("imul of one half", TWO,
           "imul r0.x, null, r1.x, r2.x\nimul null, r5.x, -r1.x, r2.x", [(-1, 2, ALL, 2)]),
    Vector("umul", TWO, "umul r0.x, r5.x, r1.x, r2.x", [
        (3, 4, 0, 12), (ALL, ALL, 0xFFFF_FFFE, 1), (SIGN, 2, 1, 0), (ALL, 0, 0, 0),
    ]),
    Vector("umul of one half", TWO,
           "umul r0.x, null, r1.x, r2.x\numul null, r5.x, r1.x, r2.x", [(ALL, 2, 1, 0xFFFF_FFFE)]),
    Vector("udiv", TWO, "udiv r0.x, r5.x, r1.x, r2.x", [
        (7, 2, 3, 1), (ALL, 2, MOST, 1), (7, 0, ALL, ALL), (0, 0, ALL, ALL), (0, 5, 0, 0),
        (SIGN, ALL, 0, SIGN), (ALL, ALL, 1, 0),
    ]),
    Vector("udiv of one result", TWO,
           "udiv r0.x, null, r1.x, r2.x\nudiv null, r5.x, r1.x, r2.x", [(7, 2, 3, 1)]),
    Vector("udiv over its sources", "r1.x r2.x -> r1.x r2.x", "udiv r2.x, r1.x, r1.x, r2.x", [
        (7, 2, 1, 3),
    ]),
    Vector("uaddc", TWO, "uaddc r0.x, r5.x, r1.x, r2.x", [
        (1, 2, 3, 0), (ALL, 1, 0, 1), (ALL, ALL, 0xFFFF_FFFE, 1), (SIGN, SIGN, 0, 1),
    ]),
    Vector("usubb", TWO, "usubb r0.x, r5.x, r1.x, r2.x", [
        (3, 2, 1, 0), (2, 3, ALL, 1), (0, ALL, 1, 1), (5, 5, 0, 0),
    ]),
    Vector("uaddc and usubb without the second", TWO,
           "uaddc r0.x, null, r1.x, r2.x\nusubb r5.x, null, r1.x, r2.x", [
        (ALL, 1, 0, 0xFFFF_FFFE),
    ]),
    Vector("ieq", R2, "ieq r0.x, r1.x, r2.x", [(1, 1, ALL), (1, 2, 0), (0, SIGN, 0)]),
    Vector("ine", R2, "ine r0.x, r1.x, r2.x", [(1, 1, 0), (1, 2, ALL), (0, SIGN, ALL)]),
    Vector("ilt", R2, "ilt r0.x, r1.x, r2.x", [
        (-1, 1, ALL), (1, -1, 0), (1, 1, 0), (SIGN, MOST, ALL),
    ]),
    Vector("ige", R2, "ige r0.x, r1.x, r2.x", [
        (-1, 1, 0), (1, -1, ALL), (1, 1, ALL), (SIGN, MOST, 0),
    ]),
    Vector("ult", R2, "ult r0.x, r1.x, r2.x", [
        (-1, 1, 0), (1, -1, ALL), (1, 1, 0), (MOST, SIGN, ALL),
    ]),
    Vector("uge", R2, "uge r0.x, r1.x, r2.x", [
        (-1, 1, ALL), (1, -1, 0), (1, 1, ALL), (MOST, SIGN, 0),
    ]),
    Vector("and", R2, "and r0.x, r1.x, r2.x", [(0xFF00, 0x0FF0, 0x0F00)]),
    Vector("or", R2, "or r0.x, r1.x, r2.x", [(0xFF00, 0x0FF0, 0xFFF0)]),
    Vector("xor", R2, "xor r0.x, r1.x, r2.x", [(0xFF00, 0x0FF0, 0xF0F0)]),
    Vector("not", R1, "not r0.x, r1.x", [(0, ALL), (0x0F0F_0F0F, 0xF0F0_F0F0)]),
    Vector("ishl", R2, "ishl r0.x, r1.x, r2.x", [
        (1, 0, 1), (1, 31, SIGN), (1, 32, 1), (1, 33, 2), (3, 31, SIGN), (1, ALL, SIGN),
    ]),
    Vector("ishr", R2, "ishr r0.x, r1.x, r2.x", [
        (-8, 1, -4), (-8, 33, -4), (SIGN, 31, ALL), (MOST, 31, 0), (5, 32, 5), (-1, ALL, -1),
    ]),
    Vector("ushr", R2, "ushr r0.x, r1.x, r2.x", [
        (-8, 1, 0x7FFF_FFFC), (SIGN, 31, 1), (SIGN, 63, 1), (5, 32, 5),
    ]),
    Vector("countbits", R1, "countbits r0.x, r1.x", [(0, 0), (ALL, 32), (0x8000_0101, 3)]),
    Vector("firstbit_hi", R1, "firstbit_hi r0.x, r1.x", [
        (0x1000_0000, 3), (1, 31), (SIGN, 0), (0, ALL), (ALL, 0), (0x0000_8001, 16),
    ]),
    Vector("firstbit_lo", R1, "firstbit_lo r0.x, r1.x", [
        (1, 0), (SIGN, 31), (0, ALL), (0x0000_8100, 8), (ALL, 0),
    ]),
    Vector("firstbit_shi", R1, "firstbit_shi r0.x, r1.x", [
        (0, ALL), (ALL, ALL), (1, 31), (-2, 31), (SIGN, 1), (MOST, 1), (0xF000_0000, 4),
    ]),
    Vector("bfrev", R1, "bfrev r0.x, r1.x", [(0x1234_5678, 0x1E6A_2C48), (1, SIGN), (0, 0)]),
    Vector("ubfe", R3, "ubfe r0.x, r1.x, r2.x, r3.x", [
        (8, 4, 0x1234_5678, 0x67), (0, 7, ALL, 0), (32, 7, ALL, 0), (33, 0, 0xFF, 1),
        (8, 28, 0xF000_0000, 0xF), (31, 1, 0x8000_0001, 0x4000_0000), (31, 0, ALL, MOST),
        (4, 36, 0xAB, 0xA), (31, 31, SIGN, 1),
    ]),
    Vector("ibfe", R3, "ibfe r0.x, r1.x, r2.x, r3.x", [
        (4, 4, 0xF0, -1), (4, 4, 0x70, 7), (0, 7, ALL, 0), (32, 7, ALL, 0), (33, 0, 1, -1),
        (8, 28, 0xF000_0000, -1), (8, 28, 0x7000_0000, 7), (31, 1, 0x8000_0001, 0xC000_0000),
        (31, 0, MOST, ALL), (1, 31, SIGN, ALL),
    ]),
    Vector("bfi", R4, "bfi r0.x, r1.x, r2.x, r3.x, r4.x", [
        (8, 4, 0xAB, ALL, 0xFFFF_FABF), (0, 5, ALL, 0x1234, 0x1234), (32, 5, ALL, 0x1234, 0x1234),
        (31, 1, MOST, 1, ALL), (8, 28, 0xFF, 0, 0xF000_0000), (1, 31, 1, 0, SIGN),
        (4, 36, 0xC, 0, 0xC0), (31, 31, ALL, 0, SIGN),
    ]),
    Vector("msad", R3, "msad r0.x, r1.x, r2.x, r3.x", [
        (0, 0xFFFF_FFFF, 10, 10), (0x0102_0304, 0x0403_0201, 10, 18), (0xFF00_FF00, 0, 1, 511),
        (0xFF00_0000, 0x00FF_FFFF, 0, 255), (0xFF, 0, ALL, ALL), (0x0A0A, 0, 0xFFFF_FFF8, ALL),
        (5, 5, 7, 7),
    ]),
]  # fmt: skip
