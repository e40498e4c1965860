"""The table of operations, which builder, text, verifier and engines are driven by.

    operands   one letter each: b bool, i integer, f float, n integer or bool, x anything,
               I i32, t texel, * any number of anything; equal letters are of one type
    result     a letter of the operands, b, I, v (void), = (stated at each use; =i an integer,
               =f a float), ~i or ~f (that kind, as wide as the operand)
    attribute  a further parameter of the operation: a number, variable, memory, port, word or block
    flags      p pure: may be removed, merged and moved          a float arithmetic (see below)
               c ends its region (break, return, …)              m a maths function: `library`
               b moves bits of its operands unchanged            x an atomic
               w convergent: reads other lanes of the wave, must not be moved (waves.py)

All operations are total. Integers wrap; shifts use the low bits of the amount; x / 0 and x % 0 are
all ones, the least integer / -1 is itself; a float becomes the nearest integer that exists,
and NaN 0, for signed and unsigned integers of any width. Floats are rounded to nearest even after
every operation, nothing is contracted; conversions whose name ends in z round toward zero. A float
operation ("a") whose result is NaN returns the positive quiet NaN; fneg, fabs, select and moves
return the bits of an operand. For the widths in `KernelIR.flush`, subnormal operands of float
arithmetic, comparisons and conversions, and subnormal results of float arithmetic, count as zero
with their sign: a result is subnormal if it is below the least normal number when rounded as if
exponents had no bound (as x86 does with FTZ). The same holds for the operands of float atomics and
wave reductions. All this is visible only where bits are read: `canonicalise` inserts fcanonicalise
there.

A discarded lane, and a helper lane of a quad, continues without effect on others: it writes no
buffer and no output, and its atomics return 0; it does write its own (local) memory. `is_helper` is
the current state of the lane, the source `helper` only its initial one. To end a lane at once,
discard it and return (`Builder.terminate`). `quad_swap` returns the lane's own value if the partner
is not active at this statement; a quad is four consecutive lanes of a wave.

Atomics are of 32 or 64 bits and need an aligned address: others are invalid accesses. Float atomics
calculate as fadd, fmin and fmax do; if lanes of several groups change one location concurrently,
the sum and the returned values depend on the order, so they are defined without contention only.

`fold.py` defines each pure operation on plain numbers; both engines are tested against it. A new
pure operation needs one row here and one definition each in `fold`, `vm.lockstep.operations` and
`vm.jit.codegen.pure`; `tools/ir_builder.py` writes its builder method. Compare operations by
identity (`value.op is OPS.fadd`, `case OPS.get:`) or by a flag, never by name.
"""

from collections.abc import Iterator

from ..dataclass import dataclass, field
from .types import BOOL, I32, TEXEL, Type

# By letter of `Op.operands`: the kinds of types that it takes, the words for them in messages, and
# the type of letters with a single one.
OPERAND_KINDS = {"b": "b", "I": "i", "i": "i", "f": "f", "n": "ib", "x": "bift", "t": "t"}
OPERAND_NAMES = {"i": "an integer", "f": "a float", "n": "an integer or bool", "x": "a value"}
OPERAND_TYPES: dict[str, Type] = {"I": I32, "b": BOOL, "t": TEXEL}
FLAGS = {
    "p": "pure", "a": "arithmetic", "c": "ends", "m": "library", "b": "moves", "x": "atomic",
    "w": "convergent",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An operation; the columns are described at the top of the module.

    The name is the attribute of `Operations` that it is assigned to, without a final underscore.
    Each flag is also an attribute, because passes test flags very often.

    Attributes:
        pure: the result depends on the operands only
        arithmetic: arithmetic of floats
        ends: no statement of the region runs after it
        library: a maths function, which `library` expands
        moves: returns bits of its operands unchanged, subnormal or NaN
        atomic: an atomic access
        convergent: the result depends on which lanes are active
    """

    operands: str
    result: str
    attribute: str
    flags: str
    doc: str
    name: str = field(init=False)
    pure: bool = field(init=False)
    arithmetic: bool = field(init=False)
    ends: bool = field(init=False)
    library: bool = field(init=False)
    moves: bool = field(init=False)
    atomic: bool = field(init=False)
    convergent: bool = field(init=False)

    def __post_init__(self) -> None:
        for letter, name in FLAGS.items():
            object.__setattr__(self, name, letter in self.flags)

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name.removesuffix("_"))


class Operations:
    """The table: `OPS.fadd` is a row; `OPS["fadd"]` looks a row up by name."""

    # fmt: off
    # name           operands result attribute flags  meaning
    const         = Op("",     "=",  "number",  "p",  "the same bits in every lane")
    source        = Op("",     "=",  "word",    "p",  "position of the lane: see sources.py")
    input         = Op("",     "=",  "port",    "p",  "input of the lane from the previous stage")
    get           = Op("",     "=",  "var",     "",   "the lane's value of the variable")
    set           = Op("x",    "v",  "var",     "",   "set the variable")
    output        = Op("x",    "v",  "port",    "",   "output of the lane to the next stage")

    iadd          = Op("ii",   "i",  "",        "p",  "a + b")
    isub          = Op("ii",   "i",  "",        "p",  "a - b")
    imul          = Op("ii",   "i",  "",        "p",  "low half of a * b")
    imulh         = Op("ii",   "i",  "",        "p",  "high half of the signed a * b")
    umulh         = Op("ii",   "i",  "",        "p",  "high half of the unsigned a * b")
    idiv          = Op("ii",   "i",  "",        "p",  "signed a / b, toward zero")
    irem          = Op("ii",   "i",  "",        "p",  "signed remainder, with the sign of a")
    udiv          = Op("ii",   "i",  "",        "p",  "unsigned a / b")
    urem          = Op("ii",   "i",  "",        "p",  "unsigned remainder")
    ineg          = Op("i",    "i",  "",        "p",  "-a")
    imin          = Op("ii",   "i",  "",        "p",  "signed minimum")
    imax          = Op("ii",   "i",  "",        "p",  "signed maximum")
    umin          = Op("ii",   "i",  "",        "p",  "unsigned minimum")
    umax          = Op("ii",   "i",  "",        "p",  "unsigned maximum")
    and_          = Op("nn",   "n",  "",        "p",  "bitwise and")
    or_           = Op("nn",   "n",  "",        "p",  "bitwise or")
    xor           = Op("nn",   "n",  "",        "p",  "bitwise exclusive or")
    not_          = Op("n",    "n",  "",        "p",  "bitwise complement")
    ishl          = Op("ii",   "i",  "",        "p",  "shift left")
    ishr          = Op("ii",   "i",  "",        "p",  "arithmetic shift right")
    ushr          = Op("ii",   "i",  "",        "p",  "logical shift right")
    popcount      = Op("i",    "i",  "",        "p",  "number of set bits")
    clz           = Op("i",    "i",  "",        "p",  "leading zeros; the number of bits for 0")
    ctz           = Op("i",    "i",  "",        "p",  "trailing zeros; the number of bits for 0")
    bitrev        = Op("i",    "i",  "",        "p",  "bits reversed")
    ieq           = Op("nn",   "b",  "",        "p",  "a = b")
    ine           = Op("nn",   "b",  "",        "p",  "a != b")
    ilt           = Op("ii",   "b",  "",        "p",  "a < b as signed numbers")
    ile           = Op("ii",   "b",  "",        "p",  "a <= b as signed numbers")
    ult           = Op("ii",   "b",  "",        "p",  "a < b as unsigned numbers")
    ule           = Op("ii",   "b",  "",        "p",  "a <= b as unsigned numbers")

    fadd          = Op("ff",   "f",  "",        "pa", "a + b")
    fsub          = Op("ff",   "f",  "",        "pa", "a - b")
    fmul          = Op("ff",   "f",  "",        "pa", "a * b")
    fmul_legacy   = Op("ff",   "f",  "",        "pa", "a * b, but 0 where a or b is 0")
    fdiv          = Op("ff",   "f",  "",        "pa", "a / b")
    ffma          = Op("fff",  "f",  "",        "pa", "a * b + c, rounded once")
    fsqrt         = Op("f",    "f",  "",        "pa", "square root; NaN below zero")
    fmin          = Op("ff",   "f",  "",        "pa", "a if a < b or b is NaN, else b")
    fmax          = Op("ff",   "f",  "",        "pa", "a if a > b or b is NaN, else b")
    ffloor        = Op("f",    "f",  "",        "pa", "round down")
    fceil         = Op("f",    "f",  "",        "pa", "round up")
    ftrunc        = Op("f",    "f",  "",        "pa", "round toward zero")
    frint         = Op("f",    "f",  "",        "pa", "nearest integer, ties to even")
    fneg          = Op("f",    "f",  "",        "pb", "sign flipped")
    fabs          = Op("f",    "f",  "",        "pb", "sign cleared")
    fcanonicalise = Op("f",    "f",  "",        "pa", "a, with every NaN the quiet NaN")
    feq           = Op("ff",   "b",  "",        "p",  "a = b; false with a NaN")
    fne           = Op("ff",   "b",  "",        "p",  "a != b; true with a NaN")
    flt           = Op("ff",   "b",  "",        "p",  "a < b; false with a NaN")
    fle           = Op("ff",   "b",  "",        "p",  "a <= b; false with a NaN")

    ftoi          = Op("f",    "=i", "",        "p",  "signed integer, toward zero, saturated")
    ftou          = Op("f",    "=i", "",        "p",  "unsigned integer, toward zero, saturated")
    itof          = Op("i",    "=f", "",        "pa", "nearest float of a signed integer")
    utof          = Op("i",    "=f", "",        "pa", "nearest float of an unsigned integer")
    fconv         = Op("f",    "=f", "",        "pa", "nearest float of another width")
    iconv         = Op("i",    "=i", "",        "p",  "another width, sign-extended")
    uconv         = Op("i",    "=i", "",        "p",  "another width, zero-extended")
    asint         = Op("f",    "~i", "",        "pb", "bits as an integer of the same width")
    bitcast       = Op("f",    "~i", "",        "pb", "as asint, but any NaN bits may result")
    asfloat       = Op("i",    "~f", "",        "pb", "bits as a float of the same width")
    select        = Op("bxx",  "x",  "",        "pb", "b ? x : y, lane by lane")

    sin           = Op("f",    "f",  "",        "pm", "sine of radians")
    cos           = Op("f",    "f",  "",        "pm", "cosine of radians")
    tan           = Op("f",    "f",  "",        "pm", "tangent of radians")
    asin          = Op("f",    "f",  "",        "pm", "arc sine")
    acos          = Op("f",    "f",  "",        "pm", "arc cosine")
    atan          = Op("f",    "f",  "",        "pm", "arc tangent")
    sinh          = Op("f",    "f",  "",        "pm", "hyperbolic sine")
    cosh          = Op("f",    "f",  "",        "pm", "hyperbolic cosine")
    tanh          = Op("f",    "f",  "",        "pm", "hyperbolic tangent")
    exp2          = Op("f",    "f",  "",        "pm", "2 to the power of a")
    log2          = Op("f",    "f",  "",        "pm", "binary logarithm; -inf for 0, NaN below")
    pow           = Op("ff",   "f",  "",        "pm", "exp2(b * log2(a))")
    rsqrt         = Op("f",    "f",  "",        "pm", "1 / fsqrt(a)")
    frem          = Op("ff",   "f",  "",        "pm", "remainder of a / b, exact, with a's sign")
    fconvz        = Op("f",    "=f", "",        "pm", "float of another width, toward zero")
    itofz         = Op("i",    "=f", "",        "pm", "float of a signed integer, toward zero")
    utofz         = Op("i",    "=f", "",        "pm", "float of an unsigned one, toward zero")

    load          = Op("II",   "=",  "memory",  "",   "read at (element, byte in it)")
    store         = Op("IIx",  "v",  "memory",  "",   "write at (element, byte in it)")
    count         = Op("",     "I",  "memory",  "p",  "number of elements bound")
    atomic_add    = Op("IIi",  "i",  "memory",  "x",  "add; returns the old value")
    atomic_and    = Op("IIi",  "i",  "memory",  "x",  "and")
    atomic_or     = Op("IIi",  "i",  "memory",  "x",  "or")
    atomic_xor    = Op("IIi",  "i",  "memory",  "x",  "xor")
    atomic_imin   = Op("IIi",  "i",  "memory",  "x",  "imin")
    atomic_imax   = Op("IIi",  "i",  "memory",  "x",  "imax")
    atomic_umin   = Op("IIi",  "i",  "memory",  "x",  "umin")
    atomic_umax   = Op("IIi",  "i",  "memory",  "x",  "umax")
    atomic_xchg   = Op("IIi",  "i",  "memory",  "x",  "exchange")
    atomic_fadd   = Op("IIf",  "f",  "memory",  "x",  "fadd")
    atomic_fmin   = Op("IIf",  "f",  "memory",  "x",  "fmin")
    atomic_fmax   = Op("IIf",  "f",  "memory",  "x",  "fmax")
    atomic_cas    = Op("IIii", "i",  "memory",  "x",  "write c if the old value is d")

    sample        = Op("*",    "t",  "texture", "p",  "read a texture: see textures.py")
    part          = Op("t",    "=",  "number",  "p",  "one of the four components")
    quad_swap     = Op("x",    "x",  "number",  "w",  "value of the lane: own number xor attribute")

    wave_elect    = Op("",     "b",  "wave",    "w",  "true in the lowest lane")
    wave_all      = Op("b",    "b",  "wave",    "w",  "true if it is true in all lanes")
    wave_any      = Op("b",    "b",  "wave",    "w",  "true if it is true in any lane")
    wave_equal    = Op("x",    "b",  "wave",    "w",  "true if all lanes have the same value")
    wave_ballot   = Op("b",    "I",  "wave",    "w",  "a bit for each of 32 lanes")
    wave_first    = Op("x",    "x",  "wave",    "w",  "value of the lowest lane")
    wave_read     = Op("xI",   "x",  "wave",    "w",  "value of lane b")
    wave_reduce   = Op("x",    "x",  "wave",    "w",  "reduction over all lanes")
    wave_scan     = Op("x",    "x",  "wave",    "w",  "inclusive scan")
    wave_before   = Op("x",    "x",  "wave",    "w",  "exclusive scan")

    barrier       = Op("",     "v",  "word",    "",   "wait, or order accesses: barriers.py")
    discard       = Op("b",    "v",  "",        "",   "if true, the lane has no more effects")
    is_helper     = Op("",     "b",  "",        "",   "true if the lane has no effects now")
    message       = Op("*",    "v",  "word",    "",   "debug text of printf, with its operands")
    break_        = Op("",     "v",  "",        "c",  "leave the innermost loop or switch")
    continue_     = Op("",     "v",  "",        "c",  "continue the innermost loop")
    return_       = Op("",     "v",  "",        "c",  "end the lane")
    exit          = Op("",     "v",  "block",   "c",  "leave the named block")
    # fmt: on

    def __init__(self) -> None:
        self.by_name = {row.name: row for row in vars(Operations).values() if isinstance(row, Op)}
        self._rows = frozenset(self.by_name.values())

    def __iter__(self) -> Iterator[Op]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)

    def __contains__(self, op: object) -> bool:
        return op in self._rows

    def __getitem__(self, name: str) -> Op:
        return self.by_name[name]


OPS = Operations()
