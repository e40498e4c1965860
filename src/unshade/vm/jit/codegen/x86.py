"""Instructions of x86 that LLVM does not select, one register of floats at a time.

    512    vfixupimmps x, table              replaces floats by kind: here NaNs by the quiet NaN
    256    vcmpunordps x, x; vblendvps       LLVM removes a comparison that it knows, since it
    128                                      treats all NaNs of arithmetic as equal

Each replaces several other instructions with the same result in every bit; scalars, chunks of less
than a register and other processors use the longer sequences.
"""

from collections.abc import Callable

from ....ir.types import F32
from .llvm_text import FunctionText

QUIET = "float 0x7FF8000000000000"
# By kind, from the lowest four bits on: quiet NaN, signalling NaN, 0, 1, -inf, inf, below 0, above.
KEPT_UNLESS_NAN = 0x1111_1100  # 0: the first operand; 1: the second
ALL_LANES, CURRENT_ROUNDING = "i16 -1", "i32 4"
UNORDERED = "i8 3"
COMPARE = {256: "llvm.x86.avx.cmp.ps.256", 128: "llvm.x86.sse.cmp.ps"}


def available(t: FunctionText, llvm: str) -> bool:
    """Return whether values of an LLVM type are vectors of whole registers."""
    return t.x86 and t.width * 32 >= t.native > 0 and llvm == t.wide(F32)


def canonical_nan(t: FunctionText, a: str) -> str:
    """Emit a vector with every NaN the quiet NaN."""
    lanes = t.native // 32
    vector, words = f"<{lanes} x float>", f"<{lanes} x i32>"

    def fixed(piece: str) -> str:
        table = f"{words} splat (i32 {KEPT_UNLESS_NAN})"
        return t.call(
            vector, "llvm.x86.avx512.mask.fixupimm.ps.512", f"{vector} splat ({QUIET})",
            f"{vector} {piece}", table, "i32 0", ALL_LANES, CURRENT_ROUNDING,
        )  # fmt: skip

    def blended(piece: str) -> str:
        name = COMPARE[t.native]
        found = t.call(vector, name, f"{vector} {piece}", f"{vector} {piece}", UNORDERED)
        bits = t.make(f"bitcast {vector} {found} to {words}")
        nan = t.make(f"icmp slt {words} {bits}, zeroinitializer")
        return t.make(f"select <{lanes} x i1> {nan}, {vector} splat ({QUIET}), {vector} {piece}")

    return by_register(t, a, lanes, fixed if t.native == 512 else blended)


def by_register(t: FunctionText, a: str, lanes: int, make: Callable[[str], str]) -> str:
    """Apply a function to each register of a vector of floats."""
    if t.width == lanes:
        return make(a)
    found = [
        make(t.shuffled(t.wide(F32), a, "poison", first, lanes))
        for first in range(0, t.width, lanes)
    ]
    while len(found) > 1:
        kind = f"<{lanes} x float>"
        pairs = zip(found[::2], found[1::2], strict=True)
        lanes *= 2
        found = [t.shuffled(kind, one, two, 0, lanes) for one, two in pairs]
    return found[0]
