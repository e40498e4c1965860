"""Edge values: NaN, signed zeros, overflow, division by zero, widths of 0, out-of-bounds accesses.

    *of("udiv", '''
        s  7, 0 = all, all          by zero
    ''')

Each row is one execution of an operation: its basis, sources, results, and a note.

    s  specification   Direct3D 11.3 requires it
    o  ours            Direct3D 11.3 leaves a choice, or differs: see the note
    ?  open            undefined or unspecified in Direct3D 11.3: do not rely on it

The results are always unshade's: the tests run every row on all engines.

Numbers with a point, an exponent or a sign before 0, `inf` and `NaN` are floats, all others are
integers; `sub` is the greatest subnormal float, `least` the smallest normal one, `all` is
0xffffffff. In operations on doubles, floats are doubles.

`SNIPPETS` are operations that need more than numbers: lines of a compute shader that leave their
result in r0. Snippets run after the declarations of `SETTING`, with the contents listed beside
them.

Source: Direct3D 11.3 functional specification, sections 3.1, 3.2, 4.4.12, 7.5, 7.11 and 22.
"""

from typing import NamedTuple

from tests.edges import Edge, edges, terms

__all__ = [
    "BASES",
    "EDGES",
    "MEMORY",
    "PROVEN",
    "SETTING",
    "SNIPPETS",
    "Edge",
    "Proven",
    "Snippet",
]  # fmt: skip

BASES = {"s": "specification", "o": "ours", "?": "open"}


class Snippet(NamedTuple):
    """One execution of lines in the shader of `SETTING`, and the contents of r0 after them."""

    ops: tuple[str, ...]
    when: str
    code: str
    result: tuple[str, ...]
    basis: str
    note: str


class Proven(NamedTuple):
    """A result that a whole program of the tests shows; `case` is the name of the test case."""

    ops: tuple[str, ...]
    when: str
    result: str
    basis: str
    case: str


def of(op: str, text: str) -> list[Edge]:
    """Return the rows of one operation."""
    return edges(op, BASES, text)


def snippet(ops: str, when: str, code: str, result: str, basis: str, note: str = "") -> Snippet:
    """Return one row; semicolons separate its lines."""
    lines = "\n".join(each.strip() for each in code.split(";"))
    return Snippet(tuple(ops.split()), when, lines, terms(result), BASES[basis], note)


EDGES: tuple[Edge, ...] = (
    # ---- floats
    *of("add", """
        s  inf, -inf = NaN
        s  inf, 1.0 = inf
        s  -0.0, +0.0 = +0.0
        s  -0.0, -0.0 = -0.0
        s  NaN, 1.0 = NaN
        s  3e38, 3e38 = inf       overflow
        s  sub, +0.0 = +0.0       subnormal numbers count as zero, the sign is kept
        s  -sub, -0.0 = -0.0
        s  sub, 1.5 = 1.5
        o  1.0, 0x33800000 = 1.0   rounded to nearest, ties to even; 0.5 ulp are allowed
    """),
    *of("mul", """
        s  inf, +0.0 = NaN
        s  inf, -2.0 = -inf
        s  -2.0, +0.0 = -0.0
        s  1e30, 1e30 = inf
        s  NaN, +0.0 = NaN
        s  1.0, sub = +0.0
        s  least, 0.5 = +0.0      a result that would be subnormal is zero
    """),
    *of("mad", """
        s  inf, +0.0, 1.0 = NaN
        o  1e30, 1e30, -inf = NaN   the product overflows first; a fused operation may return -inf
        o  0x3f800800, 0x3f800800, 0xbf801000 = +0.0   rounded twice; fused it is 2^-24
        s  NaN, +0.0, +0.0 = NaN
    """),
    *of("div", """
        s  1.0, +0.0 = inf
        s  1.0, -0.0 = -inf
        s  +0.0, +0.0 = NaN
        s  inf, inf = NaN
        s  1.0, inf = +0.0
        s  -1.0, inf = -0.0
        s  inf, -2.0 = -inf
        s  1.0, sub = inf
        s  NaN, 1.0 = NaN
        o  1.0, 3.0 = 0x3eaaaaab   rounded correctly; x * (1 / y) is allowed
        o  inf, 2e38 = inf         NaN is allowed: 1 / y is subnormal
    """),
    *of("dp2", """
        s  inf, 1.0, +0.0, 1.0 = NaN   sources in the order x, y, x, y
        s  sub, 1.0, 1.0, 2.0 = 2.0
    """),
    *of("dp3", """
        o  1e8, 1.0, -1e8, 1.0, 1.0, 1.0 = +0.0   from x on, rounded after each step
        s  NaN, +0.0, +0.0, +0.0, +0.0, +0.0 = NaN
    """),
    *of("dp4", """
        o  1e8, 1.0, -1e8, 1.0, 1.0, 1.0, 1.0, 1.0 = 1.0   from x on, rounded after each step
        s  inf, +0.0, +0.0, +0.0, +0.0, 1.0, 1.0, 1.0 = NaN
    """),
    *of("exp", """
        s  -inf = +0.0
        s  inf = inf
        s  +0.0 = 1.0
        s  sub = 1.0
        s  128.0 = inf
        s  -150.0 = +0.0
        s  NaN = NaN
    """),
    *of("log", """
        s  +0.0 = -inf
        s  -0.0 = -inf
        s  sub = -inf
        s  -1.0 = NaN
        s  inf = inf
        s  -inf = NaN
        s  NaN = NaN
    """),
    *of("rcp", """
        s  +0.0 = inf
        s  -0.0 = -inf
        s  sub = inf
        s  inf = +0.0
        s  -inf = -0.0
        s  2e38 = +0.0    a result that would be subnormal is zero
        s  NaN = NaN
    """),
    *of("rsq", """
        s  +0.0 = inf
        s  -0.0 = -inf
        s  sub = inf
        s  -1.0 = NaN
        s  inf = +0.0
        s  NaN = NaN
    """),
    *of("sqrt", """
        s  -0.0 = -0.0
        s  -sub = -0.0
        s  -1.0 = NaN
        s  inf = inf
        s  -inf = NaN
        s  NaN = NaN
    """),
    *of("sincos", """
        s  +0.0 = +0.0, 1.0
        s  -0.0 = -0.0, 1.0
        s  -sub = -0.0, 1.0
        s  inf = NaN, NaN
        s  NaN = NaN, NaN
    """),
    *of("frc", """
        s  -1.25 = 0.75
        s  -0.0 = +0.0
        s  -sub = +0.0
        s  inf = NaN
        s  NaN = NaN
        o  -1e-9 = 0x3f7fffff   x - floor(x) rounds to 1, which the table [0, 1) excludes: the table is kept
    """),
    *of("min", """
        s  NaN, 1.0 = 1.0
        s  1.0, NaN = 1.0
        s  NaN, NaN = NaN
        s  -inf, NaN = -inf
        o  +0.0, -0.0 = -0.0    recommended: -0; allowed: either
        o  -0.0, +0.0 = +0.0    the second of two zeros
        o  sub, 1.0 = +0.0      compared as zero; a subnormal result is allowed
    """),
    *of("max", """
        s  NaN, 1.0 = 1.0
        s  1.0, NaN = 1.0
        s  NaN, NaN = NaN
        s  NaN, -inf = -inf
        o  +0.0, -0.0 = +0.0    recommended: +0; allowed: either
        o  -0.0, +0.0 = -0.0    the first of two zeros
        o  sub, -1.0 = +0.0     compared as zero; a subnormal result is allowed
    """),
    *of("round_ne", """
        s  0.5 = +0.0
        s  1.5 = 2.0
        s  2.5 = 2.0
        ?  -0.5 = -0.0            the sign of the zero is unspecified
        s  -sub = -0.0
        s  inf = inf
        s  NaN = NaN
    """),
    *of("round_ni", """
        s  -0.25 = -1.0
        s  -0.0 = -0.0
        s  -sub = -0.0
        s  -inf = -inf
        s  NaN = NaN
    """),
    *of("round_pi", """
        s  0.25 = 1.0
        ?  -0.25 = -0.0           the sign of the zero is unspecified
        s  sub = +0.0
        s  inf = inf
        s  NaN = NaN
    """),
    *of("round_z", """
        s  -1.75 = -1.0
        ?  -0.25 = -0.0           the sign of the zero is unspecified
        s  -sub = -0.0
        s  inf = inf
        s  NaN = NaN
    """),
    *of("eq", """
        s  +0.0, -0.0 = all
        s  NaN, NaN = 0
        s  inf, inf = all
        s  sub, +0.0 = all       subnormal numbers count as zero
    """),
    *of("ne", """
        s  +0.0, -0.0 = 0
        s  NaN, NaN = all
        s  NaN, 1.0 = all
        s  sub, +0.0 = 0
    """),
    *of("lt", """
        s  -0.0, +0.0 = 0
        s  NaN, 1.0 = 0
        s  -inf, inf = all
        s  +0.0, sub = 0
    """),
    *of("ge", """
        s  -0.0, +0.0 = all
        s  1.0, NaN = 0
        s  inf, inf = all
        s  +0.0, sub = all
    """),
    *of("mov", """
        s  sub = sub              all bits are copied
        s  0x7fa00000 = 0x7fa00000   a signalling NaN stays signalling
    """),
    *of("movc", """
        s  -0.0, 5, 6 = 5         the bits are tested, not the number
        s  0, 5, 6 = 6
        s  NaN, sub, 6 = sub
    """),
    *of("swapc", """
        s  -0.0, 5, 6 = 6, 5      the bits are tested, not the number
        s  0, 5, 6 = 5, 6
    """),
    # ---- conversions
    *of("ftoi", """
        s  NaN = 0
        s  inf = 0x7fffffff
        s  -inf = 0x80000000
        s  3e9 = 0x7fffffff
        s  -1.9 = -1
    """),
    *of("ftou", """
        s  NaN = 0
        s  -1.0 = 0
        s  inf = all
        s  5e9 = all
        s  1.9 = 1
    """),
    *of("itof", """
        s  0x80000000 = -2147483648.0
        o  16777217 = 16777216.0   to nearest, ties to even: recommended, not required
    """),
    *of("utof", """
        s  0x80000000 = 2147483648.0
        o  all = 4294967296.0      to nearest, ties to even: recommended, not required
    """),
    *of("f32tof16", """
        s  inf = 0x7c00
        s  NaN = 0x7e00            any NaN is allowed
        s  -0.0 = 0x8000
        s  0x33800000 = 0x0001     2^-24: subnormal halves are kept
        s  sub = 0
        o  65520.0 = 0x7c00        to nearest, as Vulkan does; the specification and Direct3D 12 have 0x7bff, toward zero
        o  0x3f803000 = 0x3c02     ties to even; toward zero it is 0x3c01
    """),
    *of("f16tof32", """
        s  0x7c00 = inf
        s  0x7e00 = NaN
        s  0x8000 = -0.0
        s  0x0001 = 0x33800000     2^-24
        s  0xffff0000 = +0.0       the upper half is ignored
    """),
    # ---- integers
    *of("iadd", """
        s  0x7fffffff, 1 = 0x80000000   wraps around
    """),
    *of("imad", """
        s  0x10000, 0x10000, 9 = 9      low 32 bits
        s  -3, 4, 5 = -7
    """),
    *of("umad", """
        s  all, all, 0 = 1              low 32 bits
    """),
    *of("imax", """
        s  0x80000000, 0x7fffffff = 0x7fffffff
    """),
    *of("imin", """
        s  0x80000000, 0x7fffffff = 0x80000000
    """),
    *of("umax", """
        s  0x80000000, 0x7fffffff = 0x80000000
    """),
    *of("umin", """
        s  0x80000000, 0x7fffffff = 0x7fffffff
    """),
    *of("imul", """
        s  0x80000000, 0x80000000 = 0x40000000, 0   high half, low half
        s  -1, 1 = all, all
    """),
    *of("umul", """
        s  all, all = 0xfffffffe, 1     high half, low half
    """),
    *of("udiv", """
        s  7, 0 = all, all              by zero: quotient and remainder
        s  0, 0 = all, all
        s  7, 2 = 3, 1
    """),
    *of("ineg", """
        s  0x80000000 = 0x80000000
    """),
    *of("ieq", """
        s  0, 0x80000000 = 0            there is no negative zero
    """),
    *of("ine", """
        s  0, 0x80000000 = all
    """),
    *of("ige", """
        s  0x80000000, 0x7fffffff = 0
    """),
    *of("ilt", """
        s  0x80000000, 0x7fffffff = all
    """),
    *of("uge", """
        s  0x80000000, 0x7fffffff = all
    """),
    *of("ult", """
        s  0x80000000, 0x7fffffff = 0
    """),
    *of("ishl", """
        s  1, 31 = 0x80000000
        s  1, 32 = 1                    the count has five bits
        s  1, all = 0x80000000
    """),
    *of("ishr", """
        s  0x80000000, 31 = all
        s  5, 32 = 5                    the count has five bits
    """),
    *of("ushr", """
        s  0x80000000, 31 = 1
        s  5, 32 = 5                    the count has five bits
    """),
    *of("uaddc", """
        s  all, 1 = 0, 1                sum, carry
    """),
    *of("usubb", """
        s  0, all = 1, 1                difference, borrow
    """),
    *of("msad", """
        s  0, all, 10 = 10              a reference byte of 0 is skipped
        o  0xff, 0, all = all           saturates: recommended; wrapping is allowed
    """),
    # ---- bits
    *of("and", """
        s  all, NaN = NaN               all bits, whatever their type
    """),
    *of("or", """
        s  0, sub = sub
    """),
    *of("xor", """
        s  0x80000000, +0.0 = -0.0
    """),
    *of("not", """
        s  0 = all
    """),
    *of("countbits", """
        s  0 = 0
        s  all = 32
    """),
    *of("firstbit_hi", """
        s  0 = all                      no bit is set
        s  1 = 31                       counted from the top
    """),
    *of("firstbit_lo", """
        s  0 = all                      no bit is set
        s  0x80000000 = 31              counted from the bottom
    """),
    *of("firstbit_shi", """
        s  0 = all                      no bit differs from the sign
        s  all = all
        s  -2 = 31
    """),
    *of("bfrev", """
        s  1 = 0x80000000
    """),
    *of("ubfe", """
        s  0, 7, all = 0                width 0
        s  32, 7, all = 0               five bits of the width
        s  8, 28, 0xf0000000 = 15       a field that leaves the word is cut
        s  4, 36, 0xab = 10             five bits of the offset
    """),
    *of("ibfe", """
        s  0, 7, all = 0                width 0
        s  32, 7, all = 0               five bits of the width
        s  8, 28, 0xf0000000 = all      a field that leaves the word is cut
        s  4, 4, 0xf0 = all
    """),
    *of("bfi", """
        s  0, 5, all, 0x1234 = 0x1234   width 0
        s  32, 5, all, 0x1234 = 0x1234   five bits of the width
        s  8, 28, 0xff, 0 = 0xf0000000   a field that leaves the word is cut
        s  31, 1, all, 1 = all
    """),
    # ---- doubles
    *of("dadd", """
        s  inf, -inf = NaN
        s  5e-324, 5e-324 = 1e-323      subnormal doubles are kept
        s  -0.0, +0.0 = +0.0
        s  1e308, 1e308 = inf
    """),
    *of("dmul", """
        s  inf, +0.0 = NaN
        s  1e200, 1e200 = inf
        s  1e-200, 1e-123 = 1e-323
    """),
    *of("ddiv", """
        s  1.0, -0.0 = -inf
        s  +0.0, +0.0 = NaN
        s  1e-300, 1e10 = 1e-310
    """),
    *of("drcp", """
        s  -0.0 = -inf
        s  -inf = -0.0
        s  NaN = NaN
        o  3.0 = 0.3333333333333333     rounded correctly; 1 ulp is allowed
    """),
    *of("dfma", """
        s  inf, +0.0, 1.0 = NaN
        s  1e300, 1e300, -inf = -inf    rounded once: the product does not overflow
    """),
    *of("dmin", """
        s  NaN, 1.0 = 1.0
        s  NaN, NaN = NaN
        o  -0.0, +0.0 = +0.0            the second of two zeros
    """),
    *of("dmax", """
        s  NaN, 1.0 = 1.0
        s  NaN, NaN = NaN
        o  -0.0, +0.0 = -0.0            the first of two zeros
    """),
    *of("deq", """
        s  +0.0, -0.0 = all
        s  NaN, NaN = 0
        s  5e-324, +0.0 = 0             subnormal doubles are kept
    """),
    *of("dne", """
        s  NaN, NaN = all
        s  +0.0, -0.0 = 0
    """),
    *of("dlt", """
        s  NaN, 1.0 = 0
        s  +0.0, 5e-324 = all
    """),
    *of("dge", """
        s  1.0, NaN = 0
        s  -0.0, +0.0 = all
    """),
    *of("dmov", """
        s  5e-324 = 5e-324
    """),
    *of("dmovc", """
        s  -0.0, 1.0, 2.0 = 1.0         the bits are tested, not the number
        s  0, 1.0, 2.0 = 2.0
    """),
    *of("dtof", """
        s  NaN = NaN
        s  1e300 = inf                  to nearest, ties to even
        s  -0.0 = -0.0
        o  1e-40 = +0.0                 a subnormal float may be kept or become zero
    """),
    *of("ftod", """
        s  NaN = NaN
        s  -inf = -inf
        o  sub = +0.0                   a subnormal float may be kept or become zero
    """),
    *of("dtoi", """
        s  NaN = 0
        s  3e9 = 0x7fffffff
        s  -inf = 0x80000000
    """),
    *of("dtou", """
        s  NaN = 0
        s  -1.0 = 0
        s  1e10 = all
    """),
    *of("itod", """
        s  0x80000000 = -2147483648.0
    """),
    *of("utod", """
        s  all = 4294967295.0
    """),
)  # fmt: skip

MEMORY = {
    "t0": (10, 11, 12, 13),
    "t1": (20, 21, 22, 23),
    "t2": (30, 31, 32, 33, 34, 35, 36, 37),
    "u1": (40, 41, 42, 43),
    "u2": (50, 51, 52, 53),
    "u3": (60, 61, 62, 63, 64, 65, 66, 67),
    "u4": (70, 71),
    "u4_counter": (0,),
    "cb0": (80, 81, 82, 83, 84, 85, 86, 87),
}
SETTING = """\
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer { { 90, 91, 92, 93} }
dcl_constantbuffer CB0[2], dynamicIndexed             cb0  80 81 82 83, 84 85 86 87
dcl_sampler s0, mode_default                          s0   point, clamped
dcl_sampler s1, mode_comparison                       s1   the same, less
dcl_resource_raw t0                                   t0   10 11 12 13
dcl_resource_structured t1, 8                         t1   20 21, 22 23
dcl_resource_buffer (uint,uint,uint,uint) t2          t2   30 31 32 33, 34 35 36 37
dcl_resource_texture2d (float,float,float,float) t3   t3   2 x 2 texels, red only: 1 2, 3 4
dcl_uav_raw u1                                        u1   40 41 42 43
dcl_uav_structured u2, 8                              u2   50 51, 52 53
dcl_uav_typed_buffer (uint,uint,uint,uint) u3         u3   60 61 62 63, 64 65 66 67
dcl_uav_structured_opc u4, 4                          u4   70, 71; its counter is 0
dcl_indexableTemp x0[2], 4
dcl_tgsm_raw g0, 16
dcl_temps 4                                           r1.x is 5
dcl_thread_group 1, 1, 1"""


ZEROS = "0, 0, 0, 0"
# fmt: off
# ruff: noqa: E501
SNIPPETS: tuple[Snippet, ...] = (
    # ---- registers and constants
    snippet("mov", "past the end of a constant buffer", "mov r0.xyzw, cb0[r1.x + 0].xyzw", ZEROS, "s"),
    snippet("customdata", "past the end of the immediate constant buffer", "mov r0.xyzw, icb[r1.x + 0].xyzw", ZEROS, "s", "as in constant buffers"),
    snippet("mov", "past the end of an array of temporaries", "mov r0.xyzw, x0[r1.x + 0].xyzw", ZEROS, "?", "undefined"),
    # ---- memory
    snippet("ld_raw ld_raw_s", "some components past the end", "ld_raw r0.xyzw, l(8), t0.xyzw", "12, 13, 0, 0", "s", "each component on its own"),
    snippet("ld_raw ld_raw_s", "far out of bounds", "ld_raw r0.xyzw, l(-4), t0.xyzw", ZEROS, "s"),
    snippet("ld_raw", "past the end of shared memory", "ld_raw r0.xyzw, l(16), g0.xyzw", ZEROS, "?", "undefined"),
    snippet("store_raw", "some components past the end", "store_raw u1.xyzw, l(8), l(1, 2, 3, 4); ld_raw r0.xyzw, l(0), u1.xyzw", "40, 41, 1, 2", "s", "components in bounds are written"),
    snippet("store_raw", "past the end of shared memory", "store_raw g0.x, l(0), l(7); store_raw g0.x, l(16), l(1); ld_raw r0.xyzw, l(0), g0.xyzw", "7, 0, 0, 0", "?", "undefined for the whole of it"),
    snippet("ld_structured ld_structured_s", "an element that does not exist", "ld_structured r0.xy, l(2), l(0), t1.xyxx", "0, 0", "s"),
    snippet("ld_structured ld_structured_s", "an offset past the end of the element", "ld_structured r0.xy, l(0), l(4), t1.xyxx", "21, 0", "?", "undefined"),
    snippet("store_structured", "an element that does not exist", "store_structured u2.xy, l(2), l(0), l(1, 2, 0, 0); ld_structured r0.xy, l(1), l(0), u2.xyxx", "52, 53", "s"),
    snippet("ld ld_s", "an element of a buffer that does not exist", "ld r0.xyzw, l(2, 0, 0, 0), t2.xyzw", ZEROS, "s", "components that the format lacks: 0, 0, 0, 1"),
    snippet("ld ld_s", "a texel that does not exist", "ld r0.xyzw, l(2, 0, 0, 0), t3.xyzw", ZEROS, "s"),
    snippet("ld ld_s", "a mip level that does not exist", "ld r0.xyzw, l(0, 0, 0, 1), t3.xyzw", ZEROS, "s"),
    snippet("ld_uav_typed ld_uav_typed_s", "an element that does not exist", "ld_uav_typed r0.xyzw, l(-1, 0, 0, 0), u3.xyzw", ZEROS, "s"),
    snippet("store_uav_typed", "an element that does not exist", "store_uav_typed u3.xyzw, l(2, 0, 0, 0), l(9, 9, 9, 9); ld_uav_typed r0.xyzw, l(1, 0, 0, 0), u3.xyzw", "64, 65, 66, 67", "s"),
    # ---- atomics
    *(
        snippet(f"atomic_{name}", "outside of the memory", f"atomic_{name} u1, l(16), {rest}; ld_raw r0.xyzw, l(0), u1.xyzw", "40, 41, 42, 43", "s", "nothing is written")
        for name, rest in (
            ("and", "l(0)"), ("or", "l(1)"), ("xor", "l(1)"), ("cmp_store", "l(0), l(1)"), ("iadd", "l(1)"),
            ("imax", "l(1)"), ("imin", "l(1)"), ("umax", "l(1)"), ("umin", "l(1)"),
        )
    ),
    *(
        snippet(f"imm_atomic_{name}", "outside of the memory", f"imm_atomic_{name} r0.x, u1, l(16), {rest}", "0", "?", "nothing is written; the returned value is undefined")
        for name, rest in (
            ("iadd", "l(1)"), ("and", "l(0)"), ("or", "l(1)"), ("xor", "l(1)"), ("exch", "l(1)"), ("cmp_exch", "l(0), l(1)"),
            ("imax", "l(1)"), ("imin", "l(1)"), ("umax", "l(1)"), ("umin", "l(1)"),
        )
    ),
    snippet("atomic_iadd imm_atomic_iadd", "overflow", "store_raw u1.x, l(0), l(0x7fffffff); imm_atomic_iadd r0.x, u1, l(0), l(1); ld_raw r0.y, l(0), u1.xxxx", "0x7fffffff, 0x80000000", "s", "wraps around"),
    snippet("imm_atomic_consume", "a counter of 0", "imm_atomic_consume r0.x, u4", "all", "s", "wraps around: the new value is returned"),
    snippet("imm_atomic_alloc", "a counter of 0xffffffff", "imm_atomic_consume r0.y, u4; imm_atomic_alloc r0.x, u4; imm_atomic_alloc r0.y, u4", "all, 0", "s", "wraps around: the old value is returned"),
    # ---- textures
    snippet("sample_l sample_l_s", "a coordinate that is NaN", "mov r2.xy, l(nan, 0.25, 0, 0); sample_l r0.x, r2.xyxx, t3.xyzw, s0, l(0.0)", "1.0", "?", "unspecified; here treated as 0"),
    snippet("sample_l sample_l_s", "a coordinate that is infinite", "mov r2.xy, l(inf, 0.25, 0, 0); sample_l r0.x, r2.xyxx, t3.xyzw, s0, l(0.0)", "2.0", "?", "unspecified; here the last texel, by the addressing mode"),
    snippet("sample_d sample_d_cl_s", "gradients of 0", "sample_d r0.x, l(0.25, 0.25, 0.0, 0.0), t3.xyzw, s0, l(0.0, 0.0, 0.0, 0.0), l(0.0, 0.0, 0.0, 0.0)", "1.0", "s", "the level is −inf, then clamped"),
    snippet("sample_c_lz sample_c_lz_s", "a reference that is NaN", "sample_c_lz r0.x, l(0.25, 0.25, 0.0, 0.0), t3.xxxx, s1, l(nan)", "+0.0", "s", "comparisons with NaN fail"),
    snippet("gather4_po gather4_po_s", "an offset of more than six bits", "gather4_po r0.xyzw, l(0.5, 0.5, 0.0, 0.0), l(64, 64, 0, 0), t3.xyzw, s0.x", "3.0, 4.0, 2.0, 1.0", "s", "the offset has six bits, signed"),
    snippet("gather4_po_c gather4_po_c_s gather4_c gather4_c_s", "a reference that is NaN", "gather4_c r0.xyzw, l(0.5, 0.5, 0.0, 0.0), t3.xyzw, s1.x, l(nan)", "+0.0, +0.0, +0.0, +0.0", "s", "comparisons with NaN fail"),
    snippet("gather4 gather4_s", "at the border", "gather4 r0.xyzw, l(0.0, 0.0, 0.0, 0.0), t3.xyzw, s0.x", "1.0, 1.0, 1.0, 1.0", "s", "the addressing mode applies"),
    snippet("resinfo", "a mip level that does not exist", "resinfo_uint r0.xyzw, l(7), t3.xyzw", "0, 0, 0, 1", "s", "the number of levels is returned nevertheless"),
    snippet("bufinfo", "a raw, a structured, a typed buffer", "bufinfo r0.x, t0.xxxx; bufinfo r0.y, t1.xxxx; bufinfo r0.z, t2.xxxx", "16, 2, 2", "s", "bytes, structures, elements"),
    snippet("check_access_fully_mapped", "the status of any access", "ld_raw_s r0.y, r2.x, l(64), t0.xxxx; check_access_fully_mapped r0.x, r2.x", "all, 0", "o", "unshade has no tiled memory: everything is mapped"),
    # ---- flow
    snippet("switch case default", "no matching case and no default", "mov r0.x, l(3); switch r1.x; case l(4); mov r0.x, l(4); break; endswitch", "3", "s"),
    snippet("loop breakc endloop", "left in the first iteration", "mov r0.x, l(3); loop; breakc_nz r1.x; mov r0.x, l(4); endloop", "3", "s"),
    snippet("if", "a condition of −0.0", "mov r0.x, l(3); mov r2.x, l(-0.0); if_nz r2.x; mov r0.x, l(4); endif", "4", "s", "the bits are tested, not the number"),
)

PROVEN = tuple(
    Proven(tuple(ops.split()), when, result, BASES[basis], case)
    for ops, when, result, basis, case in (
        ("discard", "stores and atomics after it", "nothing is written", "s", "discarded lanes and helpers write nothing"),
        ("deriv_rtx_coarse deriv_rtx_fine deriv_rty_coarse deriv_rty_fine deriv_rtx deriv_rty", "a neighbour that was discarded", "it still counts: it continues as a helper lane", "s", "a discarded lane still helps"),
        ("eval_snapped", "offsets of more than four bits", "the offset has four bits, signed", "s", "inputs at another place"),
        ("eval_sample_index", "a sample that does not exist", "undefined; here the centre of the pixel", "?", "inputs at sample positions"),
        ("eval_centroid", "a partially covered pixel", "the first covered sample; unshade covers pixels fully and uses the centre", "o", "inputs at another place"),
        ("ldms ldms_s", "a sample that does not exist", "undefined; here 0", "?", "samples of a texture"),
        ("samplepos", "a sample that does not exist", "0, 0", "s", "samples of the target"),
        ("sampleinfo", "components after the first", "0", "s", "samples of the target"),
        ("sample sample_b sample_c sample_cl_s sample_b_cl_s sample_c_cl_s", "a level beyond the last", "the last", "s", "sample of the last level"),
        ("lod", "a level below 0", "x is clamped, y is not", "s", "lod below 0"),
        ("emit emit_stream emit_then_cut emit_then_cut_stream", "more vertices than `dcl_maxout` says", "they are discarded", "s", "vertices beyond the limit are dropped"),
    )
)
# fmt: on
