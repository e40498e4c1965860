"""The types of values: one scalar per lane.

    bool  i8  i16  i32  i64  f16  f32  f64    integers are signless: operations have a sign
    texel                                     four 32-bit components, from a texture to `part`

Sources: DESIGN section 6; the register files of the instruction sets that are lowered here are
untyped 32-bit (Direct3D bytecode, PICA200) or typed scalars (DXIL, SPIR-V, SkSL).
"""

from typing import TypeAlias

from ..tuples import NamedTuple


class Type(NamedTuple):
    """A type; `kind` is b, i, f, t (texel) or v (void: operations that only have effects)."""

    name: str
    kind: str
    bits: int

    @property
    def size(self) -> int:
        """Size in memory in bytes; 0 for a bool, which is not stored."""
        return self.bits // 8

    @property
    def mask(self) -> int:
        """The bit mask of an integer of this type."""
        return (1 << self.bits) - 1

    def __repr__(self) -> str:
        return self.name


BOOL = Type("bool", "b", 1)
I8 = Type("i8", "i", 8)
I16 = Type("i16", "i", 16)
I32 = Type("i32", "i", 32)
I64 = Type("i64", "i", 64)
F16 = Type("f16", "f", 16)
F32 = Type("f32", "f", 32)
F64 = Type("f64", "f", 64)
TEXEL = Type("texel", "t", 128)
VOID = Type("void", "v", 0)

TYPES = {t.name: t for t in (BOOL, I8, I16, I32, I64, F16, F32, F64, TEXEL, VOID)}
INTEGERS = {t.bits: t for t in (I8, I16, I32, I64)}
FLOATS = {t.bits: t for t in (F16, F32, F64)}

# The widths of floats whose subnormal numbers count as zero; others are preserved.
Widths: TypeAlias = frozenset[int]
KEEP: Widths = frozenset()
FLUSH_32: Widths = frozenset({32})  # Direct3D
