"""What `fast` allows: fused products, and division by way of the processor's estimates.

    fmul, fadd, fsub     `contract`: LLVM may round a product and a sum once
    x / y                e = estimate of 1/y;        r = e + e * (1 - y * e);             x * r
    1 / fsqrt(x)         e = estimate of 1/sqrt(x);  r = e + e * (1/2 - x * e * (e/2))

One step doubles the 11 (AVX) or 14 (AVX-512) bits that an estimate has: quotients are within 3 ulp.
Where the step makes a NaN of an estimate (1/0, 1/inf) the estimate was right. A quotient by more
than 2^126 is 0. Processors other than x86 divide.
"""

from ...ir.kernel import Value
from ...ir.types import F32
from .text import Text, Val

CONTRACTED = frozenset({"fadd", "fsub", "fmul"})
ONE = 0x3F80_0000
# fmt: off
ESTIMATES = {  # of 1/x and 1/sqrt(x), by the registers' bits
    512: ("llvm.x86.avx512.rcp14.ps.512", "llvm.x86.avx512.rsqrt14.ps.512"),
    256: ("llvm.x86.avx.rcp.ps.256", "llvm.x86.avx.rsqrt.ps.256"),
}
UNMASKED = {512: ("<16 x float> zeroinitializer", "i16 -1"), 256: ()}  # further operands
# fmt: on


def quotient(t: Text, value: Value, args: list[Val]) -> Val | None:
    """fdiv in the short way; None where there is none."""
    x, y = args
    if t.estimates not in ESTIMATES or value.type != F32 or not (x.wide or y.wide):
        return None
    if not y.wide:
        once = Val(t.make(f"fdiv float 1.0, {y.text}"), F32)
        inverse = t.spread(once).text
    elif y.text in t.roots:
        inverse = _inverse_root(t, t.roots[y.text])
    else:
        inverse = _inverse(t, y)
    if x.number == ONE:
        return Val(inverse, F32, True)
    wide = t.wide(F32)
    return Val(t.make(f"fmul contract {wide} {t.spread(x).text}, {inverse}"), F32, True)


def _inverse(t: Text, y: Val) -> str:
    wide = t.wide(F32)
    first = _estimate(t, 0, y.text)
    opposite = t.make(f"fneg {wide} {y.text}")
    miss = _fused(t, opposite, first, "splat (float 1.0)")
    return _settled(t, first, _fused(t, first, miss, first))


def _inverse_root(t: Text, x: Val) -> str:
    wide = t.wide(F32)
    first = _estimate(t, 1, t.spread(x).text)
    half = t.make(f"fmul {wide} {first}, splat (float 0.5)")
    product = t.make(f"fmul {wide} {t.spread(x).text}, {first}")
    opposite = t.make(f"fneg {wide} {product}")
    miss = _fused(t, opposite, half, "splat (float 0.5)")
    return _settled(t, first, _fused(t, first, miss, first))


def _fused(t: Text, a: str, b: str, c: str) -> str:
    wide = t.wide(F32)
    return t.call(wide, f"llvm.fma.v{t.width}f32", *(f"{wide} {each}" for each in (a, b, c)))


def _settled(t: Text, first: str, second: str) -> str:
    """The second, unless it is NaN."""
    wide = t.wide(F32)
    nan = t.make(f"fcmp uno {wide} {second}, {second}")
    return t.make(f"select {t.mask} {nan}, {wide} {first}, {wide} {second}")


def _estimate(t: Text, which: int, a: str) -> str:
    """The estimate, a register after the other."""
    bits = t.estimates or 0
    name, lanes = ESTIMATES[bits][which], bits // 32
    kind = f"<{lanes} x float>"
    wide, found = t.wide(F32), []
    for first in range(0, t.width, lanes):
        piece = _picked(t, wide, a, "zeroinitializer", first, lanes, t.width)
        found.append(t.call(kind, name, f"{kind} {piece}", *UNMASKED[bits]))
    while len(found) > 1:
        kind = f"<{lanes} x float>"
        pairs = zip(found[::2], found[1::2], strict=True)
        lanes *= 2
        found = [_picked(t, kind, one, two, 0, lanes, lanes) for one, two in pairs]
    if t.width < lanes:
        return _picked(t, kind, found[0], "poison", 0, t.width, lanes)
    return found[0]


def _picked(t: Text, kind: str, one: str, two: str, first: int, count: int, beyond: int) -> str:
    """So many lanes of two vectors, from the first on; `beyond` where they are more."""
    lanes = ", ".join(f"i32 {min(first + n, beyond)}" for n in range(count))
    return t.make(f"shufflevector {kind} {one}, {kind} {two}, <{count} x i32> <{lanes}>")
