"""Vectors of the instructions of 64-bit floats, which keep subnormal numbers.

Source of the values: Direct3D 11.3 functional specification, sections 3.1.4 and 22.14 to 22.17.
"""

from tests.programs.tpf.lower.support import D
from tests.programs.tpf.lower.vectors import INF, NAN, Vector

ALL = 0xFFFF_FFFF
LEAST = D(5e-324)
NOTHING = D(NAN)
R1 = "r1.xy -> r0.xy"
R2 = "r1.xy r2.xy -> r0.xy"
COMPARED = "r1.xy r2.xy -> r0.x"
NARROW = "r1.xy -> r0.x"
ONCE = 1.0 + 2.0**-30  # its square has a bit that a double does not hold
GUARD = 0xDEAD_BEEF

VECTORS = [
    Vector("dadd", R2, "dadd r0.xy, r1.xyxy, r2.xyxy", [
        (D(1.5), D(2.25), D(3.75)), (D(INF), D(-INF), NOTHING), (LEAST, LEAST, D(1e-323)),
        (D(-0.0), D(0.0), D(0.0)), (D(1.0), D(2.0**-53), D(1.0)), (D(1e308), D(1e308), D(INF)),
        (NOTHING, D(1.0), NOTHING), (D(0.1), D(0.2), D(0.30000000000000004)),
    ]),
    Vector("dadd of pairs", "r1.xyzw r2.xyzw -> r0.xyzw", "dadd r0.xyzw, r1.zwxy, -r2.xyzw", [
        (D(1.0), D(2.0), D(10.0), D(20.0), D(-8.0), D(-19.0)),
    ]),
    Vector("dadd_sat", R2, "dadd_sat r0.xy, r1.xyxy, r2.xyxy", [
        (D(0.75), D(0.75), D(1.0)), (D(0.25), D(0.5), D(0.75)), (NOTHING, D(1.0), D(0.0)),
        (D(-3.0), D(1.0), D(0.0)),
    ]),
    Vector("dmul", R2, "dmul r0.xy, r1.xyxy, r2.xyxy", [
        (D(3.0), D(-4.0), D(-12.0)), (D(INF), D(0.0), NOTHING), (D(1e-200), D(1e-123), D(1e-323)),
        (D(1e200), D(1e200), D(INF)),
    ]),
    Vector("ddiv", R2, "ddiv r0.xy, r1.xyxy, r2.xyxy", [
        (D(1.0), D(3.0), D(1 / 3)), (D(1.0), D(0.0), D(INF)), (D(1.0), D(-0.0), D(-INF)),
        (D(0.0), D(0.0), NOTHING), (D(1e-300), D(1e10), D(1e-310)),
    ]),
    Vector("drcp", R1, "drcp r0.xy, r1.xyxy", [
        (D(4.0), D(0.25)), (D(3.0), D(1 / 3)), (D(-0.0), D(-INF)), (D(0.0), D(INF)),
        (D(-INF), D(-0.0)), (NOTHING, NOTHING),
    ]),
    Vector("dfma", "r1.xy r2.xy r3.xy -> r0.xy", "dfma r0.xy, r1.xyxy, r2.xyxy, r3.xyxy", [
        (D(2.0), D(3.0), D(4.0), D(10.0)), (D(ONCE), D(ONCE), D(-(1 + 2.0**-29)), D(2.0**-60)),
        (D(INF), D(0.0), D(1.0), NOTHING), (D(1e300), D(1e300), D(-INF), D(-INF)),
    ]),
    Vector("dmin", R2, "dmin r0.xy, r1.xyxy, r2.xyxy", [
        (D(1.0), D(2.0), D(1.0)), (NOTHING, D(1.0), D(1.0)), (D(1.0), NOTHING, D(1.0)),
        (NOTHING, NOTHING, NOTHING), (LEAST, D(0.0), D(0.0)), (D(0.0), D(-0.0), D(-0.0)),
    ]),
    Vector("dmax", R2, "dmax r0.xy, r1.xyxy, r2.xyxy", [
        (D(1.0), D(2.0), D(2.0)), (NOTHING, D(1.0), D(1.0)), (D(1.0), NOTHING, D(1.0)),
        (NOTHING, NOTHING, NOTHING), (LEAST, D(0.0), LEAST), (D(0.0), D(-0.0), D(0.0)),
    ]),
    Vector("dmov", R1, "dmov r0.xy, r1.xyxy", [
        (D(1.5), D(1.5)), (LEAST, LEAST), (0x1234, 0x7FF0_0001, 0x1234, 0x7FF0_0001),
    ]),
    Vector("dmov of a modified source", R1, "dmov r0.xy, -|r1.xyxy|", [
        (D(1.5), D(-1.5)), (D(-1.5), D(-1.5)),
    ]),
    Vector("dmov_sat", R1, "dmov_sat r0.xy, r1.xyxy", [(D(1.5), D(1.0)), (NOTHING, D(0.0))]),
    Vector("dmovc", "r1.xy r2.xyzw r3.xyzw -> r0.xyzw",
           "dmovc r0.xyzw, r1.xyxx, r2.xyzw, r3.xyzw", [
        (1, 0, D(1.0), D(2.0), D(3.0), D(4.0), D(1.0), D(4.0)),
        (0, 1, D(1.0), D(2.0), D(3.0), D(4.0), D(3.0), D(2.0)),
    ]),
    Vector("dmovc of the second pair", "r1.xy r2.xyzw r3.xyzw -> r0.xyzw",
           "dmovc r0.zw, r1.xyxx, r2.xyzw, r3.xyzw", [
        (1, 0, D(1.0), D(2.0), D(3.0), D(4.0), GUARD, GUARD, D(4.0)),
    ]),
    Vector("deq", COMPARED, "deq r0.x, r1.xyxy, r2.xyxy", [
        (D(1.0), D(1.0), ALL), (D(1.0), D(2.0), 0), (D(0.0), D(-0.0), ALL), (LEAST, D(0.0), 0),
        (NOTHING, NOTHING, 0),
    ]),
    Vector("deq of pairs", "r1.xyzw r2.xyzw -> r0.xyzw", "deq r0.yw, r1.xyzw, r2.xyzw", [
        (D(1.0), D(2.0), D(1.0), D(3.0), GUARD, ALL, GUARD, 0),
    ]),
    Vector("dne", COMPARED, "dne r0.x, r1.xyxy, r2.xyxy", [
        (D(1.0), D(1.0), 0), (D(1.0), D(2.0), ALL), (NOTHING, NOTHING, ALL),
    ]),
    Vector("dlt", COMPARED, "dlt r0.x, r1.xyxy, r2.xyxy", [
        (D(1.0), D(2.0), ALL), (D(2.0), D(1.0), 0), (D(1.0), D(1.0), 0), (NOTHING, D(1.0), 0),
        (D(0.0), LEAST, ALL),
    ]),
    Vector("dge", COMPARED, "dge r0.x, r1.xyxy, r2.xyxy", [
        (D(1.0), D(2.0), 0), (D(2.0), D(1.0), ALL), (D(1.0), D(1.0), ALL), (D(1.0), NOTHING, 0),
    ]),
    Vector("dtof", NARROW, "dtof r0.x, r1.xyxy", [
        (D(1.5), 1.5), (D(1e300), INF), (D(-1e300), -INF), (D(1.0 + 2.0**-24), 1.0),
        (D(1.0 + 3 * 2.0**-24), 1.0 + 2.0**-22), (NOTHING, NAN), (D(-0.0), -0.0), (D(1e-40), 0.0),
        (D(INF), INF),
    ]),
    Vector("dtof of pairs", "r1.xyzw -> r0.xyzw", "dtof r0.xz, -r1.zwxy", [
        (D(1.5), D(2.5), -2.5, GUARD, -1.5, GUARD),
    ]),
    Vector("ftod", "r1.x -> r0.xy", "ftod r0.xy, r1.xxxx", [
        (1.5, D(1.5)), (-0.0, D(-0.0)), (INF, D(INF)), (NAN, NOTHING), (0x0000_0001, D(0.0)),
        (0.1, D(0.10000000149011612)),
    ]),
    Vector("ftod of pairs", "r1.xy -> r0.xyzw", "ftod r0.xyzw, -r1.xyxx", [
        (1.5, 2.5, D(-1.5), D(-2.5)),
    ]),
    Vector("dtoi", NARROW, "dtoi r0.x, r1.xyxy", [
        (D(1.9), 1), (D(-1.9), -1), (D(3e9), 0x7FFF_FFFF), (D(-3e9), 0x8000_0000), (NOTHING, 0),
        (D(2147483647.9), 0x7FFF_FFFF), (D(-INF), 0x8000_0000),
    ]),
    Vector("dtou", NARROW, "dtou r0.x, r1.xyxy", [
        (D(1.9), 1), (D(-1.0), 0), (D(4294967295.9), ALL), (D(5e9), ALL), (NOTHING, 0),
        (D(INF), ALL),
    ]),
    Vector("itod", "r1.x -> r0.xy", "itod r0.xy, r1.xxxx", [
        (-1, D(-1.0)), (0x7FFF_FFFF, D(2147483647.0)), (0, D(0.0)),
    ]),
    Vector("utod", "r1.xy -> r0.xyzw", "utod r0.xyzw, r1.xyxx", [
        (ALL, 7, D(4294967295.0), D(7.0)),
    ]),
]  # fmt: skip
