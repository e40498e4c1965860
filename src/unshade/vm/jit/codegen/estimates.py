"""Instructions that `fast` allows: fused products, and division by the processor's estimates.

    fmul, fadd, fsub     `contract`: LLVM may fuse a product and a sum
    x / y                e = estimate of 1/y;        r = e + e * (1 - y * e);             x * r
    1 / fsqrt(x)         e = estimate of 1/sqrt(x);  r = e + e * (1/2 - x * e * (e/2))

A Newton step doubles the 11 (AVX) or 14 (AVX-512) bits of an estimate: quotients are within 3 ulp.
If the step makes the estimate NaN (1/0, 1/inf), the estimate itself is exact. A quotient by more
than 2^126 is 0. Processors other than x86 divide.
"""

from ....ir.kernel import Value
from ....ir.types import F32
from .llvm_text import FunctionText, Val

CONTRACTED = frozenset({"fadd", "fsub", "fmul"})
ONE = 0x3F80_0000
# fmt: off
ESTIMATES = {  # of 1/x and 1/sqrt(x), by register width
    512: ("llvm.x86.avx512.rcp14.ps.512", "llvm.x86.avx512.rsqrt14.ps.512"),
    256: ("llvm.x86.avx.rcp.ps.256", "llvm.x86.avx.rsqrt.ps.256"),
}
UNMASKED = {512: ("<16 x float> zeroinitializer", "i16 -1"), 256: ()}  # operands for all lanes
# fmt: on


def quotient(t: FunctionText, value: Value, args: list[Val]) -> Val | None:
    """Emit an approximate fdiv; return None if there is none."""
    x, y = args
    if t.estimates not in ESTIMATES or value.type != F32 or not (x.wide or y.wide):
        return None
    if not y.wide:
        once = Val(t.make(f"fdiv float 1.0, {y.text}"), F32)
        inverse = t.splat(once).text
    elif y.text in t.roots:
        inverse = _inverse_root(t, t.roots[y.text])
    else:
        inverse = _inverse(t, y)
    if x.number == ONE:
        return Val(inverse, F32, True)
    wide = t.wide(F32)
    return Val(t.make(f"fmul contract {wide} {t.splat(x).text}, {inverse}"), F32, True)


def _inverse(t: FunctionText, y: Val) -> str:
    wide = t.wide(F32)
    first = _estimate(t, 0, y.text)
    opposite = t.make(f"fneg {wide} {y.text}")
    miss = _fused(t, opposite, first, "splat (float 1.0)")
    return _unless_nan(t, first, _fused(t, first, miss, first))


def _inverse_root(t: FunctionText, x: Val) -> str:
    wide = t.wide(F32)
    first = _estimate(t, 1, t.splat(x).text)
    half = t.make(f"fmul {wide} {first}, splat (float 0.5)")
    product = t.make(f"fmul {wide} {t.splat(x).text}, {first}")
    opposite = t.make(f"fneg {wide} {product}")
    miss = _fused(t, opposite, half, "splat (float 0.5)")
    return _unless_nan(t, first, _fused(t, first, miss, first))


def _fused(t: FunctionText, a: str, b: str, c: str) -> str:
    wide = t.wide(F32)
    return t.call(wide, f"llvm.fma.v{t.width}f32", *(f"{wide} {each}" for each in (a, b, c)))


def _unless_nan(t: FunctionText, first: str, second: str) -> str:
    """Return the second value, or the first one if the second is NaN."""
    wide = t.wide(F32)
    nan = t.make(f"fcmp uno {wide} {second}, {second}")
    return t.make(f"select {t.mask} {nan}, {wide} {first}, {wide} {second}")


def _estimate(t: FunctionText, which: int, a: str) -> str:
    """Return the estimate of a vector, one register at a time."""
    bits = t.estimates or 0
    name, lanes = ESTIMATES[bits][which], bits // 32
    kind = f"<{lanes} x float>"
    wide, found = t.wide(F32), []
    for first in range(0, t.width, lanes):
        piece = _shuffled(t, wide, a, "zeroinitializer", first, lanes, t.width)
        found.append(t.call(kind, name, f"{kind} {piece}", *UNMASKED[bits]))
    while len(found) > 1:
        kind = f"<{lanes} x float>"
        pairs = zip(found[::2], found[1::2], strict=True)
        lanes *= 2
        found = [_shuffled(t, kind, one, two, 0, lanes, lanes) for one, two in pairs]
    if t.width < lanes:
        return _shuffled(t, kind, found[0], "poison", 0, t.width, lanes)
    return found[0]


def _shuffled(
    t: FunctionText, kind: str, one: str, two: str, first: int, count: int, beyond: int
) -> str:
    """Return `count` lanes of two concatenated vectors, from lane `first` on.

    Indices are limited to `beyond`.
    """
    lanes = ", ".join(f"i32 {min(first + n, beyond)}" for n in range(count))
    return t.make(f"shufflevector {kind} {one}, {kind} {two}, <{count} x i32> <{lanes}>")
