"""Every operation of the IR: one row each, from which builder, text, verifier and engines work.

    operands   one letter each: b bool, i integer, f float, n integer or bool, x anything,
               I i32, t texel, * any number of anything; equal letters are of one type
    result     a letter of the operands, b, I, v (nothing), = (stated by whoever makes it; =i an
               integer, =f a float), ~i or ~f (that kind, as wide as the operand)
    attribute  what else belongs to it: a number, a variable, a memory, a port, a word
    flags      p pure: may be left out, merged and moved         a float arithmetic (see below)
               c ends its region (break, continue, return)       m a maths function: `library`

All operations are total. Integers wrap; shifts use the low bits of the amount; x / 0 and x % 0 are
all ones, the least integer / -1 is itself; a float becomes the nearest integer that exists,
and NaN 0. Floats are rounded to nearest even after every operation, nothing is contracted. A float
operation ("a") whose result is NaN gives the one quiet NaN without a sign; fneg, fabs, select and
moves give the bits of an operand. With `Kernel.flush` 32-bit operands of float arithmetic and
comparisons, and results of float arithmetic, that are subnormal count as zero with their sign: a
result is subnormal if it is below the least normal number when rounded as if exponents had no bound
(what x86 does with FTZ). Only who looks at bits sees any of this: `observe` puts fquiet there.

A lane that was discarded, or that only helps its quad, goes on without effect on others: it writes
no buffer and no output, its atomics give 0; its own (local) memory it writes. `quad_swap` gives the
lane's own value where the partner is not at this statement. Atomics need an aligned place: others
are invalid accesses.

`fold.py` defines each of them on plain numbers, and is what both engines are tested against.
"""

from dataclasses import dataclass

from ..isa.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation; the columns are explained at the top of the module."""

    code: int
    name: str
    operands: str
    result: str
    attribute: str
    flags: str
    doc: str

    @property
    def pure(self) -> bool:
        return "p" in self.flags

    @property
    def arithmetic(self) -> bool:
        return "a" in self.flags

    @property
    def ends(self) -> bool:
        return "c" in self.flags

    @property
    def library(self) -> bool:
        return "m" in self.flags


# fmt: off
_ROWS: tuple[tuple[str, str, str, str, str, str], ...] = (
    # name         operands result attribute flags what it gives
    ("const",       "",     "=",  "number",  "p",  "the same bits in every lane"),
    ("source",      "",     "=",  "word",    "p",  "where the lane is: see sources.py"),
    ("input",       "",     "=",  "port",    "p",  "what the stage before gave this lane"),
    ("get",         "",     "=",  "var",     "",   "the variable's value in this lane"),
    ("set",         "x",    "v",  "var",     "",   "give the variable a value"),
    ("output",      "x",    "v",  "port",    "",   "give the next stage a value"),

    ("iadd",        "ii",   "i",  "",        "p",  "a + b"),
    ("isub",        "ii",   "i",  "",        "p",  "a - b"),
    ("imul",        "ii",   "i",  "",        "p",  "the low half of a * b"),
    ("imulh",       "ii",   "i",  "",        "p",  "the high half of the signed a * b"),
    ("umulh",       "ii",   "i",  "",        "p",  "the high half of the unsigned a * b"),
    ("idiv",        "ii",   "i",  "",        "p",  "signed a / b, toward zero"),
    ("irem",        "ii",   "i",  "",        "p",  "signed remainder, with the sign of a"),
    ("udiv",        "ii",   "i",  "",        "p",  "unsigned a / b"),
    ("urem",        "ii",   "i",  "",        "p",  "unsigned remainder"),
    ("ineg",        "i",    "i",  "",        "p",  "-a"),
    ("imin",        "ii",   "i",  "",        "p",  "the lesser as signed numbers"),
    ("imax",        "ii",   "i",  "",        "p",  "the greater as signed numbers"),
    ("umin",        "ii",   "i",  "",        "p",  "the lesser as unsigned numbers"),
    ("umax",        "ii",   "i",  "",        "p",  "the greater as unsigned numbers"),
    ("and",         "nn",   "n",  "",        "p",  "bits that both have"),
    ("or",          "nn",   "n",  "",        "p",  "bits that one has"),
    ("xor",         "nn",   "n",  "",        "p",  "bits that exactly one has"),
    ("not",         "n",    "n",  "",        "p",  "the other bits"),
    ("ishl",        "ii",   "i",  "",        "p",  "a shifted left"),
    ("ishr",        "ii",   "i",  "",        "p",  "a shifted right, copies of the sign moving in"),
    ("ushr",        "ii",   "i",  "",        "p",  "a shifted right, zeros moving in"),
    ("popcount",    "i",    "i",  "",        "p",  "how many bits are set"),
    ("clz",         "i",    "i",  "",        "p",  "zeros above the highest bit; of 0 all"),
    ("ctz",         "i",    "i",  "",        "p",  "zeros below the lowest bit; of 0 all"),
    ("bitrev",      "i",    "i",  "",        "p",  "the bits in opposite order"),
    ("ieq",         "nn",   "b",  "",        "p",  "a = b"),
    ("ine",         "nn",   "b",  "",        "p",  "a is not b"),
    ("ilt",         "ii",   "b",  "",        "p",  "a < b as signed numbers"),
    ("ile",         "ii",   "b",  "",        "p",  "a <= b as signed numbers"),
    ("ult",         "ii",   "b",  "",        "p",  "a < b as unsigned numbers"),
    ("ule",         "ii",   "b",  "",        "p",  "a <= b as unsigned numbers"),

    ("fadd",        "ff",   "f",  "",        "pa", "a + b"),
    ("fsub",        "ff",   "f",  "",        "pa", "a - b"),
    ("fmul",        "ff",   "f",  "",        "pa", "a * b"),
    ("fdiv",        "ff",   "f",  "",        "pa", "a / b"),
    ("ffma",        "fff",  "f",  "",        "pa", "a * b + c, rounded once"),
    ("fsqrt",       "f",    "f",  "",        "pa", "square root; NaN below zero"),
    ("fmin",        "ff",   "f",  "",        "pa", "a if a < b or b is NaN, else b"),
    ("fmax",        "ff",   "f",  "",        "pa", "a if a > b or b is NaN, else b"),
    ("ffloor",      "f",    "f",  "",        "pa", "the integer at or below"),
    ("fceil",       "f",    "f",  "",        "pa", "the integer at or above"),
    ("ftrunc",      "f",    "f",  "",        "pa", "the integer toward zero"),
    ("frint",       "f",    "f",  "",        "pa", "the nearest integer, halves to the even one"),
    ("fneg",        "f",    "f",  "",        "p",  "the other sign"),
    ("fabs",        "f",    "f",  "",        "p",  "without the sign"),
    ("fquiet",      "f",    "f",  "",        "pa", "the same number, every NaN the quiet one"),
    ("feq",         "ff",   "b",  "",        "p",  "a = b; false with a NaN"),
    ("fne",         "ff",   "b",  "",        "p",  "a is not b; true with a NaN"),
    ("flt",         "ff",   "b",  "",        "p",  "a < b; false with a NaN"),
    ("fle",         "ff",   "b",  "",        "p",  "a <= b; false with a NaN"),

    ("ftoi",        "f",    "=i", "",        "p",  "toward zero, to the nearest signed integer"),
    ("ftou",        "f",    "=i", "",        "p",  "toward zero, to the nearest unsigned integer"),
    ("itof",        "i",    "=f", "",        "pa", "the nearest float of a signed integer"),
    ("utof",        "i",    "=f", "",        "pa", "the nearest float of an unsigned integer"),
    ("fconv",       "f",    "=f", "",        "pa", "the nearest float of another width"),
    ("iconv",       "i",    "=i", "",        "p",  "another width, the sign repeated"),
    ("uconv",       "i",    "=i", "",        "p",  "another width, filled with zeros"),
    ("asint",       "f",    "~i", "",        "p",  "the bits, as the integer of that width"),
    ("peek",        "f",    "~i", "",        "p",  "as asint, where all NaNs are the same"),
    ("asfloat",     "i",    "~f", "",        "p",  "the bits, as the float of that width"),
    ("select",      "bxx",  "x",  "",        "p",  "b ? x : y, lane by lane"),

    ("sin",         "f",    "f",  "",        "pm", "sine of radians"),
    ("cos",         "f",    "f",  "",        "pm", "cosine of radians"),
    ("tan",         "f",    "f",  "",        "pm", "tangent of radians"),
    ("asin",        "f",    "f",  "",        "pm", "arc sine"),
    ("acos",        "f",    "f",  "",        "pm", "arc cosine"),
    ("atan",        "f",    "f",  "",        "pm", "arc tangent"),
    ("sinh",        "f",    "f",  "",        "pm", "hyperbolic sine"),
    ("cosh",        "f",    "f",  "",        "pm", "hyperbolic cosine"),
    ("tanh",        "f",    "f",  "",        "pm", "hyperbolic tangent"),
    ("exp2",        "f",    "f",  "",        "pm", "2 to the power of a"),
    ("log2",        "f",    "f",  "",        "pm", "binary logarithm; -inf for 0, NaN below"),
    ("pow",         "ff",   "f",  "",        "pm", "exp2(b * log2(a))"),
    ("rsqrt",       "f",    "f",  "",        "pm", "1 / fsqrt(a)"),

    ("load",        "II",   "=",  "memory",  "",   "what stands at (element, byte in it)"),
    ("store",       "IIx",  "v",  "memory",  "",   "write at (element, byte in it)"),
    ("count",       "",     "I",  "memory",  "p",  "how many elements are bound"),
    ("atomic_add",  "IIi",  "i",  "memory",  "",   "add; gives what stood there before"),
    ("atomic_and",  "IIi",  "i",  "memory",  "",   "and"),
    ("atomic_or",   "IIi",  "i",  "memory",  "",   "or"),
    ("atomic_xor",  "IIi",  "i",  "memory",  "",   "xor"),
    ("atomic_imin", "IIi",  "i",  "memory",  "",   "imin"),
    ("atomic_imax", "IIi",  "i",  "memory",  "",   "imax"),
    ("atomic_umin", "IIi",  "i",  "memory",  "",   "umin"),
    ("atomic_umax", "IIi",  "i",  "memory",  "",   "umax"),
    ("atomic_xchg", "IIi",  "i",  "memory",  "",   "exchange"),
    ("atomic_cas",  "IIii", "i",  "memory",  "",   "write the third where the fourth stands"),

    ("sample",      "*",    "t",  "texture", "p",  "what a texture holds: see textures.py"),
    ("part",        "t",    "=",  "number",  "p",  "one of the four components"),
    ("quad_swap",   "x",    "x",  "number",  "",   "the value of the lane own xor number"),

    ("barrier",     "",     "v",  "word",    "",   "group: wait for it; memory: order only"),
    ("discard",     "b",    "v",  "",        "",   "where true, the lane has no more effects"),
    ("message",     "*",    "v",  "word",    "",   "text for who debugs, % standing for values"),
    ("break",       "",     "v",  "",        "c",  "leave the innermost loop or switch"),
    ("continue",    "",     "v",  "",        "c",  "begin the innermost loop's body again"),
    ("return",      "",     "v",  "",        "c",  "the lane ends"),
)
# fmt: on

OPS: Table[Op] = Table(Op(code, *row) for code, row in enumerate(_ROWS))
