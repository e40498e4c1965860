"""Edge cases: NaN, infinities, zeros, subnormal numbers, indices out of range.

    p  published   documented by 3dbrew, or by a published test run on hardware
    o  ours        sources or emulators disagree, or differ in rounding: see the note
    ?  open        undocumented and untested; emulators, and unshade, do this

Each row is one execution with 32-bit floats, as in emulators; the tests run every row on both
engines. One number means all four components; four separated by spaces are x, y, z, w. The result
of `mova` is a0.x, of `cmp` the flag for that comparison; `c40` … is read through a0.x.
"""

from tests.edges import Edge, edges

__all__ = ["BASES", "EDGES"]

BASES = {"p": "published", "o": "ours", "?": "open"}


def of(op: str, text: str) -> list[Edge]:
    """Return the edge cases of one operation."""
    return edges(op, BASES, text)


EDGES: tuple[Edge, ...] = (
    *of("add", """
        p  inf, -inf = NaN
        p  NaN, 1 = NaN
        ?  3e38, 3e38 = inf        hardware overflows beyond 2^64
    """),
    *of("mul", """
        p  0, inf = 0              where IEEE 754 has NaN
        p  -inf, 0 = 0
        o  NaN, 0 = NaN            as azahar's tests expect; 3dbrew had 0 in August 2015
        p  inf, -2 = -inf
    """),
    *of("mad", """
        p  inf, 0, 1 = 1           the product is that of mul
        o  NaN, 0, 1 = NaN         as mul
    """),
    *of("dp3", """
        p  inf 1 1 0, 0 2 3 0 = 5   each product is that of mul
        o  NaN 0 0 0, 0 0 0 0 = NaN   as mul
    """),
    *of("dp4", """
        p  inf 1 1 1, 0 2 3 4 = 9
    """),
    *of("dph", """
        p  1 1 1 5, 1 2 3 4 = 10   w of the first source is 1
        p  0 0 0 NaN, 0 0 0 2 = 2
    """),
    *of("dst", """
        p  2 3 5 7, 11 13 17 19 = 1 39 5 19
    """),
    *of("ex2", """
        p  -inf = 0
        p  inf = inf
        p  0 = 1
        p  NaN = NaN
    """),
    *of("lg2", """
        p  0 = -inf
        p  -1 = NaN
        p  inf = inf
        p  NaN = NaN
    """),
    *of("rcp", """
        p  0 = inf
        p  -0 = inf                there is no negative zero
        p  inf = 0
        p  NaN = NaN
    """),
    *of("rsq", """
        p  0 = inf
        p  -0 = inf
        p  -1 = NaN
        p  -inf = NaN
        p  inf = 0
    """),
    *of("litp", """
        p  -1 200 3 -1 = 0 127.99609375 0 0
        p  2 -200 3 4 = 2 -127.99609375 0 4
    """),
    *of("sge", """
        p  0, -0 = 1
        p  NaN, 1 = 0
        p  inf, inf = 1
    """),
    *of("slt", """
        p  -0, 0 = 0
        p  1, NaN = 0
    """),
    *of("flr", """
        p  -0.1 = -1
        p  inf = inf
        p  NaN = NaN
    """),
    *of("max", """
        p  0, NaN = NaN            the second where the first is not greater
        p  NaN, 0 = 0
        p  0, inf = inf
        p  1e-40, 0 = 1e-40        subnormal numbers pass
        o  0, -inf = 0             as a test for hardware expects; 3dbrew has −inf
    """),
    *of("min", """
        p  0, NaN = NaN            the second where the first is not less
        p  NaN, 0 = 0
        p  0, inf = 0
        p  0, -inf = -inf
    """),
    *of("mov", """
        p  NaN = NaN
        ?  -0 = -0                 copied, by implication of max and min
        ?  1e-40 = 1e-40           subnormal numbers are copied too
    """),
    *of("mova", """
        p  0.9 = 0                 toward zero
        p  -0.9 = 0
    """),
    *of("cmp eq", """
        p  NaN, NaN = 0
        p  0, -0 = 1
        p  1e-40, 0 = 0            a subnormal number is not 0
    """),
    *of("cmp ne", """
        p  NaN, NaN = 1
    """),
    *of("cmp lt", """
        p  NaN, 1 = 0
    """),
    *of("cmp ge", """
        p  NaN, 1 = 0
        p  0, -0 = 1
    """),
    *of("c40[a0.x]", """
        p  10 = c50
        p  60 = 1                  100 is past c95
        p  88 = c0                 128 wraps around
        p  -73 = c95               −33 wraps around
        p  128 = c40               out of −128 to 127: counts as 0
        p  -129 = c40
    """),
)  # fmt: skip
