"""Conversions of float vectors to integers: toward zero, saturating, NaN to 0.

    over   = x >= 2^31                           unsigned: 2^32
    inside = x < 2^31 ? max(x, -2^31) : 0        unsigned: 0 < x and x < 2^32 ? x : 0
    over ? 2^31 - 1 : fptosi(inside)             unsigned: 2^32 - 1, fptoui

On AArch64, `llvm.fptosi.sat` becomes a single instruction. x86 lacks one, and LLVM 22 converts the
lanes of a vector one at a time.
"""

from ....ir.types import F32, F64, I32, Type
from .llvm_text import LLVM, FunctionText, Val, literal

SPLIT = {(F32, I32), (F64, I32)}  # what LLVM splits into lanes though x86 converts vectors
LIMITS = {F32: (0x4F00_0000, 0xCF00_0000, 0x4F80_0000),  # 2^31, -2^31, 2^32
          F64: (0x41E << 52, 0xC1E << 52, 0x41F << 52)}  # fmt: skip


def convert(t: FunctionText, a: Val, to: Type, signed: bool) -> str:
    """Emit a conversion of a vector."""
    source, target = t.wide(a.type), t.wide(to)
    limit, least, limit_unsigned = (_splat(bits, a.type) for bits in LIMITS[a.type])
    top = limit if signed else limit_unsigned
    over = t.make(f"fcmp oge {source} {a.text}, {top}")
    inside = t.make(f"fcmp olt {source} {a.text}, {top}")
    if not signed:
        positive = t.make(f"fcmp ogt {source} {a.text}, zeroinitializer")
        inside = t.make(f"and {t.mask} {inside}, {positive}")
    kept = t.make(f"select {t.mask} {inside}, {source} {a.text}, {source} zeroinitializer")
    if signed:
        below = t.make(f"fcmp olt {source} {kept}, {least}")
        kept = t.make(f"select {t.mask} {below}, {source} {least}, {source} {kept}")
    found = t.make(f"fpto{'s' if signed else 'u'}i {source} {kept} to {target}")
    most = _splat(0x7FFF_FFFF if signed else 0xFFFF_FFFF, to)
    return t.make(f"select {t.mask} {over}, {target} {most}, {target} {found}")


def _splat(bits: int, type: Type) -> str:
    return f"splat ({LLVM[type.name]} {literal(bits, type)})"
