"""Test vectors: results of each operation, by its documented rule.

A row is an operation, the code, the values of v0, v1 and the float uniforms, and the result o0.
Values are from 3dbrew's page on the instruction set and the published tests of emulators (azahar
and Panda3DS, whose authors compared them with hardware), or computed by hand from the rule. None
comes from our engines.
"""

from collections.abc import Mapping, Sequence
from math import inf, nan
from typing import NamedTuple

Value = float | Sequence[float]


class Vector(NamedTuple):
    name: str
    code: str
    v0: Value
    v1: Value
    o0: Value
    c: Mapping[int, Value] = {}
    i: Mapping[int, Sequence[int]] = {}
    b: Mapping[int, bool] = {}
    before: str = ""


V = Vector
TWO = "mov r0, v0\nmov r1, v1\n"  # an instruction reads one input register

FLOATS = [
    V("add", TWO + "add o0, r0, r1", (1, 2, -3, 0.5), (4, -2, -3, 0.25), (5, 0, -6, 0.75)),
    V("add", TWO + "add o0, r0, -r1", (1, inf, -inf, 0), (4, 1, 1, 0), (-3, inf, -inf, 0)),
    V("add", TWO + "add o0, r0, r1", inf, -inf, nan),
    V("add", TWO + "mov o0, r0\nadd o0.yw, r0, r1", (1, 2, 3, 4), 10, (1, 12, 3, 14)),
    V("add", TWO + "add o0, r0.wzyx, -r1.xxyy", (1, 2, 3, 4), (1, 2, 0, 0), (3, 2, 0, -1)),
    V("add", "mov r0, v0\nadd r0, r0.yxwz, r0\nmov o0, r0", (1, 2, 3, 4), 0, (3, 3, 7, 7)),
    V("dp3", TWO + "dp3 o0, r0, r1", (1, 2, 3, 100), (4, 5, 6, 100), 32),
    V("dp3", TWO + "dp3 o0, r0, r1", (0, inf, 1, 0), (inf, 0, 2, 0), 2),
    V("dp4", TWO + "dp4 o0, r0, r1", (1, 2, 3, 4), (5, 6, 7, 8), 70),
    V("dp4", TWO + "dp4 o0, r0, r1", (0, 1, 2, 3), (inf, 1, 1, 1), 6),
    V("dp4", TWO + "dp4 o0, r0, r1", (nan, 0, 0, 0), (0, 0, 0, 0), nan),
    V("dph", TWO + "dph o0, r0, r1", (1, 2, 3, 100), (5, 6, 7, 8), 46),
    V("dph", TWO + "dph o0, r0, r1", (0, 0, 0, 0), (inf, inf, inf, 8), 8),
    V("dphi", "dphi o0, v0, c90", (1, 2, 3, 100), 0, 46, {90: (5, 6, 7, 8)}),
    V("dst", TWO + "dst o0, r0, r1", (9, 4, 16, 9), (9, 3, 9, 0.25), (1, 12, 16, 0.25)),
    V("dst", TWO + "dst o0, r0, r1", (0, 0, 0, 0), (0, inf, 0, 0), (1, 0, 0, 0)),
    V("dsti", "dsti o0, v0, c90", (9, 4, 16, 9), 0, (1, 12, 16, 0.25), {90: (9, 3, 9, 0.25)}),
    V("ex2", "ex2 o0, v0", (3, 9, 9, 9), 0, 8),
    V("ex2", "ex2 o0, v0.y", (9, -2, 9, 9), 0, 0.25),
    V("ex2", "ex2 o0, v0", 0, 0, 1),
    V("ex2", "ex2 o0, v0", -inf, 0, 0),
    V("ex2", "ex2 o0, v0", inf, 0, inf),
    V("ex2", "ex2 o0, v0", nan, 0, nan),
    V("lg2", "lg2 o0, v0", (8, 9, 9, 9), 0, 3),
    V("lg2", "lg2 o0, v0.w", (9, 9, 9, 0.25), 0, -2),
    V("lg2", "lg2 o0, v0", 1, 0, 0),
    V("lg2", "lg2 o0, v0", 0, 0, -inf),
    V("lg2", "lg2 o0, v0", inf, 0, inf),
    V("lg2", "lg2 o0, v0", -1, 0, nan),
    V("lg2", "lg2 o0, v0", nan, 0, nan),
    V("litp", "litp o0, v0", (2, 3, 9, 4), 0, (2, 3, 0, 4)),
    V("litp", "litp o0, v0", (-2, 300, 9, -4), 0, (0, 127.99609375, 0, 0)),
    V("litp", "litp o0, v0", (0, -300, 9, 0), 0, (0, -127.99609375, 0, 0)),
    V("mul", TWO + "mul o0, r0, r1", (2, -3, 0.5, 0), (4, 5, 0.5, 9), (8, -15, 0.25, 0)),
    V("mul", TWO + "mul o0, r0, r1", (0, inf, inf, -inf), (inf, 0, inf, 2), (0, 0, inf, -inf)),
    V("mul", TWO + "mul o0, r0, r1", (nan, 0, nan, 1), (0, nan, 1, nan), nan),
    V("sge", TWO + "sge o0, r0, r1", (1, 2, 3, inf), (1, 3, 2, -inf), (1, 0, 1, 1)),
    V("sge", TWO + "sge o0, r0, r1", (nan, 0, nan, 0), (0, nan, nan, 0), (0, 0, 0, 1)),
    V("sgei", "sgei o0, v0, c90", (1, 2, 3, 4), 0, (1, 0, 1, 1), {90: (1, 3, 2, 4)}),
    V("slt", TWO + "slt o0, r0, r1", (1, 2, 3, -inf), (1, 3, 2, inf), (0, 1, 0, 1)),
    V("slt", TWO + "slt o0, r0, r1", (nan, 0, nan, 0), (0, nan, nan, 1), (0, 0, 0, 1)),
    V("slti", "slti o0, v0, c90", (1, 2, 3, 4), 0, (0, 1, 0, 0), {90: (1, 3, 2, 4)}),
    V("flr", "flr o0, v0", (0.5, -0.5, 1.5, -1.5), 0, (0, -1, 1, -2)),
    V("flr", "flr o0, v0", (-0.1, 7, inf, -inf), 0, (-1, 7, inf, -inf)),
    V("max", TWO + "max o0, r0, r1", (1, 2, 0, inf), (2, 1, inf, -inf), (2, 2, inf, inf)),
    V("max", TWO + "max o0, r0, r1", (0, nan, nan, 0), (nan, 0, nan, -inf), (nan, 0, nan, 0)),
    V("min", TWO + "min o0, r0, r1", (1, 2, 0, inf), (2, 1, inf, -inf), (1, 1, 0, -inf)),
    V("min", TWO + "min o0, r0, r1", (0, nan, nan, 0), (nan, 0, nan, -inf), (nan, 0, nan, -inf)),
    V("rcp", "rcp o0, v0", (4, 9, 9, 9), 0, 0.25),
    V("rcp", "rcp o0, -v0.y", (9, 2, 9, 9), 0, -0.5),
    V("rcp", "rcp o0, v0", 0, 0, inf),
    V("rcp", "rcp o0, v0", -0.0, 0, inf),
    V("rcp", "rcp o0, v0", inf, 0, 0),
    V("rcp", "rcp o0, v0", nan, 0, nan),
    V("rsq", "rsq o0, v0", (4, 9, 9, 9), 0, 0.5),
    V("rsq", "rsq o0, v0.z", (9, 9, 0.0625, 9), 0, 4),
    V("rsq", "rsq o0, v0", 0, 0, inf),
    V("rsq", "rsq o0, v0", -0.0, 0, inf),
    V("rsq", "rsq o0, v0", inf, 0, 0),
    V("rsq", "rsq o0, v0", -2, 0, nan),
    V("rsq", "rsq o0, v0", -inf, 0, nan),
    V("rsq", "rsq o0, v0", nan, 0, nan),
    V("mov", "mov o0, v0", (1, -0.0, nan, -inf), 0, (1, -0.0, nan, -inf)),
    V("mov", "mov o0, -v0.wzyx", (1, 2, 3, 4), 0, (-4, -3, -2, -1)),
    V("mad", TWO + "mad o0, r0, r1, r0", (1, 2, 3, 4), (5, 6, 7, 8), (6, 14, 24, 36)),
    V("mad", TWO + "mad o0, r0, c90, r1", (0, inf, 2, 2), 1, (1, 1, 5, -inf),
      {90: (inf, 0, 2, -inf)}),
    V("madi", TWO + "mad o0, r0, r1, c90", (1, 2, 3, 4), 2, (12, 24, 36, 48),
      {90: (10, 20, 30, 40)}),
]  # fmt: skip


def _picked(address: float, c: Mapping[int, Value], expected: Value, register: str = "x") -> Vector:
    """Return c40 relative to an address register."""
    text = f"mova a0.{register}, v0\nnop\nmov o0, c40[a0.{register}]"
    return V("mova", text, address, 0, expected, c)


ADDRESSES = [
    _picked(0.9, {40: 1.5, 41: 2.5}, 1.5),
    _picked(-0.9, {40: 1.5, 39: 2.5}, 1.5),
    _picked(1, {41: 2.5}, 2.5),
    _picked(1, {41: 2.5}, 2.5, "y"),
    _picked(-1, {39: 2.5}, 2.5, "y"),
    _picked(88, {0: 0.5}, 0.5),  # modulo 128
    _picked(60, {40: 3}, 1.0),  # 96 to 127 are ones
    _picked(127, {39: 0.75}, 0.75),
    _picked(128, {40: 4}, 4),  # beyond 127 nothing is added
    _picked(-73, {95: 6}, 6),
    _picked(-128, {40: 7}, 7),
    _picked(-129, {40: 8, 39: 9}, 8),
    V("mova", "mova a0.xy, v0\nnop\nmov r0, c40[a0.x]\nmov r1, c40[a0.y]\nadd o0, r0, r1",
      (1, 2, 9, 9), 0, 30, {41: 10, 42: 20}),
]  # fmt: skip

FLAGS = "mov o0, c0\nifc cmp.x\nmov o0.x, c1\n.end\nifc cmp.y\nmov o0.y, c1\n.end"
ONE = {1: 1.0}


def _compared(x: str, y: str, v0: Value, v1: Value, flags: tuple[int, int]) -> Vector:
    return V("cmp", f"{TWO}cmp r0, {x}, {y}, r1\n{FLAGS}", v0, v1, (*flags, 0, 0), ONE)


COMPARISONS = [
    *(
        _compared(name, name, (1, v0, 9, 9), (v1, 1, 9, 9), (first, second))
        for name, v0, v1, first, second in (
            ("eq", 1, 1, 1, 1), ("eq", 2, 2, 0, 0), ("ne", 1, 1, 0, 0), ("ne", 2, 2, 1, 1),
            ("lt", 0, 2, 1, 1), ("lt", 1, 1, 0, 0), ("le", 1, 1, 1, 1), ("le", 2, 0, 0, 0),
            ("gt", 2, 0, 1, 1), ("gt", 1, 1, 0, 0), ("ge", 1, 1, 1, 1), ("ge", 0, 2, 0, 0),
        )
    ),
    _compared("ne", "eq", nan, nan, (1, 0)),
    _compared("lt", "ge", nan, 0, (0, 0)),
    _compared("le", "gt", 0, nan, (0, 0)),
    V("litp", f"litp r0, v0\n{FLAGS}", (0, 0, 0, -1), 0, (1, 0, 0, 0), ONE),
    V("litp", f"litp r0.y, v0\n{FLAGS}", (-1, 0, 0, 2), 0, (0, 1, 0, 0), ONE),
]  # fmt: skip

ADD = ".proc more\nadd r0, c1, r0\n.end\n"
CALLS = ADD + ".proc twice\ncall more\ncall more\nnop\n.end\n"
START = "mov r0, c0\n"
COUNT = "add r0, c1, r0\n"
GIVE = "nop\nmov o0, r0"


def _chosen(condition: str, v0: Value, taken: bool) -> Vector:
    """Return a condition of cmp.x = v0.x == 1 and cmp.y = v0.y == 1."""
    text = (
        f"{START}cmp c1, eq, eq, v0\nifc {condition}\nmov r0, c1\n.else\nmov r0, c2\n.end\n{GIVE}"
    )
    return V("ifc", text, v0, 0, 1 if taken else 2, {1: 1, 2: 2})


BOTH, X, Y, NONE = (1, 1, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)
FLOW = [
    *(
        _chosen(condition, value, taken)
        for condition, holds in (
            ("cmp.x", (1, 1, 0, 0)), ("!cmp.x", (0, 0, 1, 1)), ("cmp.y", (1, 0, 1, 0)),
            ("!cmp.y", (0, 1, 0, 1)), ("cmp.x && cmp.y", (1, 0, 0, 0)),
            ("cmp.x || cmp.y", (1, 1, 1, 0)), ("cmp.x && !cmp.y", (0, 1, 0, 0)),
            ("!cmp.x || cmp.y", (1, 0, 1, 1)),
        )
        for value, taken in zip((BOTH, X, Y, NONE), map(bool, holds), strict=True)
    ),
    V("ifu", f"{START}ifu b3\n{COUNT}.else\n{COUNT}{COUNT}.end\n{GIVE}", 0, 0, 1, ONE, b={3: True}),
    V("ifu", f"{START}ifu b3\n{COUNT}.else\n{COUNT}{COUNT}.end\n{GIVE}", 0, 0, 2, ONE),
    V("for", f"{START}for i1\n{COUNT}.end\n{GIVE}", 0, 0, 1, ONE, {1: (0, 0, 0)}),
    V("for", f"{START}for i1\n{COUNT}.end\n{GIVE}", 0, 0, 256, ONE, {1: (255, 0, 0)}),
    V("for", f"{START}for i0\nadd r0, c20[aL], r0\n.end\n{GIVE}", 0, 0, 21,
      {23: 1, 25: 4, 27: 16}, {0: (2, 3, 2)}),
    V("for", f"{START}for i0\nfor i1\n{COUNT}nop\n.end\nnop\n.end\n{GIVE}", 0, 0, 12, ONE,
      {0: (2, 0, 0), 1: (3, 0, 0)}),
    # after a loop aL keeps its last value; after an inner loop it has the value of before
    V("for", f"{START}for i0\nnop\n.end\nmov o0, c20[aL]", 0, 0, 7, {29: 7}, {0: (2, 3, 2)}),
    V("for", f"{START}for i0\nfor i1\nnop\n.end\nadd r0, c20[aL], r0\n.end\n{GIVE}", 0, 0, 3,
      {23: 1, 24: 2}, {0: (1, 3, 1), 1: (0, 50, 9)}),
    V("break", f"{START}for i0\n{COUNT}break\nnop\n.end\n{GIVE}", 0, 0, 1, ONE, {0: (9, 0, 0)}),
    V("breakc", f"{START}for i0\n{COUNT}cmp c2, eq, eq, r0\nbreakc cmp.x\nnop\n.end\n{GIVE}", 0, 0,
      4, {1: 1, 2: 4}, {0: (9, 0, 0)}),
    V("call", f"{START}call twice\n{GIVE}", 0, 0, 2, ONE, before=CALLS),
    V("callc", f"{START}cmp c1, eq, eq, v0\ncallc cmp.x, twice\n{GIVE}", 1, 0, 2, ONE,
      before=CALLS),
    V("callc", f"{START}cmp c1, eq, eq, v0\ncallc cmp.x, twice\n{GIVE}", 2, 0, 0, ONE,
      before=CALLS),
    V("callu", f"{START}callu b0, more\ncallu b1, more\n{GIVE}", 0, 0, 1, ONE, b={1: True},
      before=ADD),
    V("jmpc", f"{START}cmp c1, eq, eq, v0\njmpc cmp.x, there\n{COUNT}there:\n{COUNT}{GIVE}", 1, 0,
      1, ONE),
    V("jmpc", f"{START}cmp c1, eq, eq, v0\njmpc cmp.x, there\n{COUNT}there:\n{COUNT}{GIVE}", 2, 0,
      2, ONE),
    V("jmpc", f"{START}again:\n{COUNT}cmp c2, gt, gt, r0\njmpc cmp.x, again\n{GIVE}", 0, 0, 5,
      {1: 1, 2: 5}),
    # two loops that share code: jumps into the middle of each other
    V("jmpc", f"{START}one:\n{COUNT}two:\n{COUNT}cmp c2, gt, gt, r0\njmpc cmp.x, two\nnop\n"
      f"cmp c3, gt, gt, r0\njmpc cmp.x, one\n{GIVE}", 0, 0, 10, {1: 1, 2: 4, 3: 9}),
    V("jmpu", f"{START}jmpu b0, there\n{COUNT}there:\n{COUNT}{GIVE}", 0, 0, 1, ONE, b={0: True}),
    V("jmpu", f"{START}jmpu b0, there\n{COUNT}there:\n{COUNT}{GIVE}", 0, 0, 2, ONE),
    V("jmpu", f"{START}jmpu !b0, there\n{COUNT}there:\n{COUNT}{GIVE}", 0, 0, 1, ONE),
    V("nop", "nop\nmov o0, v0\nnop", 3, 0, 3),
    V("end", "mov o0, v0\nifu b0\nend\n.end\nmov o0, c1", 3, 0, 3, ONE, b={0: True}),
    V("end", "mov o0, v0\nifu b0\nend\n.end\nmov o0, c1", 3, 0, 1, ONE),
]  # fmt: skip

VECTORS = [*FLOATS, *ADDRESSES, *COMPARISONS, *FLOW]
