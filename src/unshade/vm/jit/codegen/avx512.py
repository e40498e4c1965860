"""Instructions of AVX-512 that LLVM does not select, one register of 16 floats at a time.

    vfixupimmps x, table      replaces floats by kind: here NaNs by the quiet NaN

Each replaces several other instructions with the same result in every bit; scalars, chunks of eight
lanes and other processors use the longer sequences.
"""

from collections.abc import Callable

from ....ir.types import F32
from .llvm_text import FunctionText

LANES = 16
VECTOR = f"<{LANES} x float>"
NAN = "splat (float 0x7FF8000000000000)"
# By kind, from the lowest four bits on: quiet NaN, signalling NaN, 0, 1, -inf, inf, below 0, above.
KEPT_UNLESS_NAN = 0x1111_1100  # 0: the first operand; 1: the second
ALL_LANES, CURRENT_ROUNDING = "i16 -1", "i32 4"


def available(t: FunctionText, llvm: str) -> bool:
    """Return whether values of an LLVM type are vectors of whole registers."""
    return t.native == 512 and t.width >= LANES and llvm == t.wide(F32)


def canonical_nan(t: FunctionText, a: str) -> str:
    """Emit a vector with every NaN the quiet NaN."""

    def one(piece: str) -> str:
        table = f"<{LANES} x i32> splat (i32 {KEPT_UNLESS_NAN})"
        return t.call(
            VECTOR, "llvm.x86.avx512.mask.fixupimm.ps.512", f"{VECTOR} {NAN}", f"{VECTOR} {piece}",
            table, "i32 0", ALL_LANES, CURRENT_ROUNDING,
        )  # fmt: skip

    return _by_register(t, a, one)


def _by_register(t: FunctionText, a: str, make: Callable[[str], str]) -> str:
    """Apply a function to each register of a vector."""
    if t.width == LANES:
        return make(a)
    found = [
        make(shuffled(t, t.wide(F32), a, "poison", first, LANES))
        for first in range(0, t.width, LANES)
    ]
    lanes = LANES
    while len(found) > 1:
        kind = f"<{lanes} x float>"
        pairs = zip(found[::2], found[1::2], strict=True)
        lanes *= 2
        found = [shuffled(t, kind, one, two, 0, lanes) for one, two in pairs]
    return found[0]


def shuffled(t: FunctionText, kind: str, one: str, two: str, first: int, count: int) -> str:
    """Return `count` lanes of two concatenated vectors, from lane `first` on."""
    order = ", ".join(f"i32 {first + n}" for n in range(count))
    return t.make(f"shufflevector {kind} {one}, {kind} {two}, <{count} x i32> <{order}>")
