"""The operations of `ops` as methods of the builder.

Made by tools/ir_builder.py from the table; not to be edited.

An operand that is a plain number becomes a constant of the type that the others have.
"""
# fmt: off

from typing import Any, TypeAlias

from .kernel import Value
from .memory import Memory
from .ops import OPS, Op
from .textures import Sample
from .types import Type
from .waves import WHOLE, Wave

Operand: TypeAlias = Value | int | float


class Operators:
    """Methods that append one operation each."""

    def make(self, op: Op, *args: Operand, type: Type | None = None, attr: Any = None) -> Value:
        """Append one operation of the table."""
        raise NotImplementedError

    def iadd(self, a: Operand, b: Operand) -> Value:
        """a + b"""
        return self.make(OPS.iadd, a, b)

    def isub(self, a: Operand, b: Operand) -> Value:
        """a - b"""
        return self.make(OPS.isub, a, b)

    def imul(self, a: Operand, b: Operand) -> Value:
        """the low half of a * b"""
        return self.make(OPS.imul, a, b)

    def imulh(self, a: Operand, b: Operand) -> Value:
        """the high half of the signed a * b"""
        return self.make(OPS.imulh, a, b)

    def umulh(self, a: Operand, b: Operand) -> Value:
        """the high half of the unsigned a * b"""
        return self.make(OPS.umulh, a, b)

    def idiv(self, a: Operand, b: Operand) -> Value:
        """signed a / b, toward zero"""
        return self.make(OPS.idiv, a, b)

    def irem(self, a: Operand, b: Operand) -> Value:
        """signed remainder, with the sign of a"""
        return self.make(OPS.irem, a, b)

    def udiv(self, a: Operand, b: Operand) -> Value:
        """unsigned a / b"""
        return self.make(OPS.udiv, a, b)

    def urem(self, a: Operand, b: Operand) -> Value:
        """unsigned remainder"""
        return self.make(OPS.urem, a, b)

    def ineg(self, a: Operand) -> Value:
        """-a"""
        return self.make(OPS.ineg, a)

    def imin(self, a: Operand, b: Operand) -> Value:
        """the lesser as signed numbers"""
        return self.make(OPS.imin, a, b)

    def imax(self, a: Operand, b: Operand) -> Value:
        """the greater as signed numbers"""
        return self.make(OPS.imax, a, b)

    def umin(self, a: Operand, b: Operand) -> Value:
        """the lesser as unsigned numbers"""
        return self.make(OPS.umin, a, b)

    def umax(self, a: Operand, b: Operand) -> Value:
        """the greater as unsigned numbers"""
        return self.make(OPS.umax, a, b)

    def and_(self, a: Operand, b: Operand) -> Value:
        """bits that both have"""
        return self.make(OPS.and_, a, b)

    def or_(self, a: Operand, b: Operand) -> Value:
        """bits that one has"""
        return self.make(OPS.or_, a, b)

    def xor(self, a: Operand, b: Operand) -> Value:
        """bits that exactly one has"""
        return self.make(OPS.xor, a, b)

    def not_(self, a: Operand) -> Value:
        """the other bits"""
        return self.make(OPS.not_, a)

    def ishl(self, a: Operand, b: Operand) -> Value:
        """a shifted left"""
        return self.make(OPS.ishl, a, b)

    def ishr(self, a: Operand, b: Operand) -> Value:
        """a shifted right, copies of the sign moving in"""
        return self.make(OPS.ishr, a, b)

    def ushr(self, a: Operand, b: Operand) -> Value:
        """a shifted right, zeros moving in"""
        return self.make(OPS.ushr, a, b)

    def popcount(self, a: Operand) -> Value:
        """how many bits are set"""
        return self.make(OPS.popcount, a)

    def clz(self, a: Operand) -> Value:
        """zeros above the highest bit; of 0 all"""
        return self.make(OPS.clz, a)

    def ctz(self, a: Operand) -> Value:
        """zeros below the lowest bit; of 0 all"""
        return self.make(OPS.ctz, a)

    def bitrev(self, a: Operand) -> Value:
        """the bits in opposite order"""
        return self.make(OPS.bitrev, a)

    def ieq(self, a: Operand, b: Operand) -> Value:
        """a = b"""
        return self.make(OPS.ieq, a, b)

    def ine(self, a: Operand, b: Operand) -> Value:
        """a is not b"""
        return self.make(OPS.ine, a, b)

    def ilt(self, a: Operand, b: Operand) -> Value:
        """a < b as signed numbers"""
        return self.make(OPS.ilt, a, b)

    def ile(self, a: Operand, b: Operand) -> Value:
        """a <= b as signed numbers"""
        return self.make(OPS.ile, a, b)

    def ult(self, a: Operand, b: Operand) -> Value:
        """a < b as unsigned numbers"""
        return self.make(OPS.ult, a, b)

    def ule(self, a: Operand, b: Operand) -> Value:
        """a <= b as unsigned numbers"""
        return self.make(OPS.ule, a, b)

    def fadd(self, a: Operand, b: Operand) -> Value:
        """a + b"""
        return self.make(OPS.fadd, a, b)

    def fsub(self, a: Operand, b: Operand) -> Value:
        """a - b"""
        return self.make(OPS.fsub, a, b)

    def fmul(self, a: Operand, b: Operand) -> Value:
        """a * b"""
        return self.make(OPS.fmul, a, b)

    def fmul_legacy(self, a: Operand, b: Operand) -> Value:
        """a * b, but 0 where a or b is 0"""
        return self.make(OPS.fmul_legacy, a, b)

    def fdiv(self, a: Operand, b: Operand) -> Value:
        """a / b"""
        return self.make(OPS.fdiv, a, b)

    def ffma(self, a: Operand, b: Operand, c: Operand) -> Value:
        """a * b + c, rounded once"""
        return self.make(OPS.ffma, a, b, c)

    def fsqrt(self, a: Operand) -> Value:
        """square root; NaN below zero"""
        return self.make(OPS.fsqrt, a)

    def fmin(self, a: Operand, b: Operand) -> Value:
        """a if a < b or b is NaN, else b"""
        return self.make(OPS.fmin, a, b)

    def fmax(self, a: Operand, b: Operand) -> Value:
        """a if a > b or b is NaN, else b"""
        return self.make(OPS.fmax, a, b)

    def ffloor(self, a: Operand) -> Value:
        """the integer at or below"""
        return self.make(OPS.ffloor, a)

    def fceil(self, a: Operand) -> Value:
        """the integer at or above"""
        return self.make(OPS.fceil, a)

    def ftrunc(self, a: Operand) -> Value:
        """the integer toward zero"""
        return self.make(OPS.ftrunc, a)

    def frint(self, a: Operand) -> Value:
        """the nearest integer, halves to the even one"""
        return self.make(OPS.frint, a)

    def fneg(self, a: Operand) -> Value:
        """the other sign"""
        return self.make(OPS.fneg, a)

    def fabs(self, a: Operand) -> Value:
        """without the sign"""
        return self.make(OPS.fabs, a)

    def fquiet(self, a: Operand) -> Value:
        """the same number, every NaN the quiet one"""
        return self.make(OPS.fquiet, a)

    def feq(self, a: Operand, b: Operand) -> Value:
        """a = b; false with a NaN"""
        return self.make(OPS.feq, a, b)

    def fne(self, a: Operand, b: Operand) -> Value:
        """a is not b; true with a NaN"""
        return self.make(OPS.fne, a, b)

    def flt(self, a: Operand, b: Operand) -> Value:
        """a < b; false with a NaN"""
        return self.make(OPS.flt, a, b)

    def fle(self, a: Operand, b: Operand) -> Value:
        """a <= b; false with a NaN"""
        return self.make(OPS.fle, a, b)

    def ftoi(self, a: Operand, *, type: Type) -> Value:
        """toward zero, to the nearest signed integer"""
        return self.make(OPS.ftoi, a, type=type)

    def ftou(self, a: Operand, *, type: Type) -> Value:
        """toward zero, to the nearest unsigned integer"""
        return self.make(OPS.ftou, a, type=type)

    def itof(self, a: Operand, *, type: Type) -> Value:
        """the nearest float of a signed integer"""
        return self.make(OPS.itof, a, type=type)

    def utof(self, a: Operand, *, type: Type) -> Value:
        """the nearest float of an unsigned integer"""
        return self.make(OPS.utof, a, type=type)

    def fconv(self, a: Operand, *, type: Type) -> Value:
        """the nearest float of another width"""
        return self.make(OPS.fconv, a, type=type)

    def iconv(self, a: Operand, *, type: Type) -> Value:
        """another width, the sign repeated"""
        return self.make(OPS.iconv, a, type=type)

    def uconv(self, a: Operand, *, type: Type) -> Value:
        """another width, filled with zeros"""
        return self.make(OPS.uconv, a, type=type)

    def asint(self, a: Operand) -> Value:
        """the bits, as the integer of that width"""
        return self.make(OPS.asint, a)

    def peek(self, a: Operand) -> Value:
        """as asint, where all NaNs are the same"""
        return self.make(OPS.peek, a)

    def asfloat(self, a: Operand) -> Value:
        """the bits, as the float of that width"""
        return self.make(OPS.asfloat, a)

    def select(self, a: Operand, b: Operand, c: Operand) -> Value:
        """b ? x : y, lane by lane"""
        return self.make(OPS.select, a, b, c)

    def sin(self, a: Operand) -> Value:
        """sine of radians"""
        return self.make(OPS.sin, a)

    def cos(self, a: Operand) -> Value:
        """cosine of radians"""
        return self.make(OPS.cos, a)

    def tan(self, a: Operand) -> Value:
        """tangent of radians"""
        return self.make(OPS.tan, a)

    def asin(self, a: Operand) -> Value:
        """arc sine"""
        return self.make(OPS.asin, a)

    def acos(self, a: Operand) -> Value:
        """arc cosine"""
        return self.make(OPS.acos, a)

    def atan(self, a: Operand) -> Value:
        """arc tangent"""
        return self.make(OPS.atan, a)

    def sinh(self, a: Operand) -> Value:
        """hyperbolic sine"""
        return self.make(OPS.sinh, a)

    def cosh(self, a: Operand) -> Value:
        """hyperbolic cosine"""
        return self.make(OPS.cosh, a)

    def tanh(self, a: Operand) -> Value:
        """hyperbolic tangent"""
        return self.make(OPS.tanh, a)

    def exp2(self, a: Operand) -> Value:
        """2 to the power of a"""
        return self.make(OPS.exp2, a)

    def log2(self, a: Operand) -> Value:
        """binary logarithm; -inf for 0, NaN below"""
        return self.make(OPS.log2, a)

    def pow(self, a: Operand, b: Operand) -> Value:
        """exp2(b * log2(a))"""
        return self.make(OPS.pow, a, b)

    def rsqrt(self, a: Operand) -> Value:
        """1 / fsqrt(a)"""
        return self.make(OPS.rsqrt, a)

    def fconvz(self, a: Operand, *, type: Type) -> Value:
        """the float of another width, toward zero"""
        return self.make(OPS.fconvz, a, type=type)

    def itofz(self, a: Operand, *, type: Type) -> Value:
        """the float of a signed integer, toward zero"""
        return self.make(OPS.itofz, a, type=type)

    def utofz(self, a: Operand, *, type: Type) -> Value:
        """the float of an unsigned one, toward zero"""
        return self.make(OPS.utofz, a, type=type)

    def atomic_add(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """add; gives what stood there before"""
        return self.make(OPS.atomic_add, a, b, c, attr=attr)

    def atomic_and(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """and"""
        return self.make(OPS.atomic_and, a, b, c, attr=attr)

    def atomic_or(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """or"""
        return self.make(OPS.atomic_or, a, b, c, attr=attr)

    def atomic_xor(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """xor"""
        return self.make(OPS.atomic_xor, a, b, c, attr=attr)

    def atomic_imin(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """imin"""
        return self.make(OPS.atomic_imin, a, b, c, attr=attr)

    def atomic_imax(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """imax"""
        return self.make(OPS.atomic_imax, a, b, c, attr=attr)

    def atomic_umin(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """umin"""
        return self.make(OPS.atomic_umin, a, b, c, attr=attr)

    def atomic_umax(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """umax"""
        return self.make(OPS.atomic_umax, a, b, c, attr=attr)

    def atomic_xchg(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """exchange"""
        return self.make(OPS.atomic_xchg, a, b, c, attr=attr)

    def atomic_fadd(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """fadd"""
        return self.make(OPS.atomic_fadd, a, b, c, attr=attr)

    def atomic_fmin(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """fmin"""
        return self.make(OPS.atomic_fmin, a, b, c, attr=attr)

    def atomic_fmax(self, a: Operand, b: Operand, c: Operand, *, attr: Memory) -> Value:
        """fmax"""
        return self.make(OPS.atomic_fmax, a, b, c, attr=attr)

    def atomic_cas(self, a: Operand, b: Operand, c: Operand, d: Operand, *, attr: Memory) -> Value:
        """write the third where the fourth stands"""
        return self.make(OPS.atomic_cas, a, b, c, d, attr=attr)

    def sample(self, *args: Operand, attr: Sample) -> Value:
        """what a texture holds: see textures.py"""
        return self.make(OPS.sample, *args, attr=attr)

    def part(self, a: Operand, *, type: Type, attr: int) -> Value:
        """one of the four components"""
        return self.make(OPS.part, a, type=type, attr=attr)

    def quad_swap(self, a: Operand, *, attr: int) -> Value:
        """the value of the lane own xor number"""
        return self.make(OPS.quad_swap, a, attr=attr)

    def wave_elect(self, *, attr: Wave = WHOLE) -> Value:
        """true in the lowest lane"""
        return self.make(OPS.wave_elect, attr=attr)

    def wave_all(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """true where it is in all lanes"""
        return self.make(OPS.wave_all, a, attr=attr)

    def wave_any(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """true where it is in some lane"""
        return self.make(OPS.wave_any, a, attr=attr)

    def wave_equal(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """true where all lanes have the same"""
        return self.make(OPS.wave_equal, a, attr=attr)

    def wave_ballot(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """a bit for each of 32 lanes"""
        return self.make(OPS.wave_ballot, a, attr=attr)

    def wave_first(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """the value of the lowest lane"""
        return self.make(OPS.wave_first, a, attr=attr)

    def wave_read(self, a: Operand, b: Operand, *, attr: Wave = WHOLE) -> Value:
        """the value of lane b"""
        return self.make(OPS.wave_read, a, b, attr=attr)

    def wave_reduce(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """the values of all lanes combined"""
        return self.make(OPS.wave_reduce, a, attr=attr)

    def wave_scan(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """those up to the lane's own combined"""
        return self.make(OPS.wave_scan, a, attr=attr)

    def wave_before(self, a: Operand, *, attr: Wave = WHOLE) -> Value:
        """those before the lane's own combined"""
        return self.make(OPS.wave_before, a, attr=attr)

    def barrier(self, *, attr: str) -> Value:
        """group: wait for it; memory: order only"""
        return self.make(OPS.barrier, attr=attr)

    def discard(self, a: Operand) -> Value:
        """where true, the lane has no more effects"""
        return self.make(OPS.discard, a)

    def is_helper(self) -> Value:
        """true where the lane has no effects by now"""
        return self.make(OPS.is_helper)

    def message(self, *args: Operand, attr: str) -> Value:
        """text for who debugs, % standing for values"""
        return self.make(OPS.message, *args, attr=attr)

    def break_(self) -> Value:
        """leave the innermost loop or switch"""
        return self.make(OPS.break_)

    def continue_(self) -> Value:
        """begin the innermost loop's body again"""
        return self.make(OPS.continue_)

    def return_(self) -> Value:
        """the lane ends"""
        return self.make(OPS.return_)
