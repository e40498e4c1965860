"""Lowering of arithmetic, component by component.

    mad r0.xy, r1.xyxx, r2.xxxx, l(1.0)      r0.x = r1.x * r2.x + 1.0, r0.y = r1.y * r2.x + 1.0

Each formula returns one component of the destination; letters in the table of operations give the
types of the sources. Comparisons return all ones or zero.

Choices that the specification leaves:

    mad, dp     round after every step; dp from x on
    div, rcp    rounded correctly; rsq is 1 / sqrt, both rounded correctly
    min, max    of zeros with different signs: the second of min, the first of max
    frc, f32tof16, msad, bit fields: ir.library.direct3d
    ftod, dtof  of subnormal 32-bit floats: zero
    imul        both halves are computed even if one is discarded

Source: the public documentation of the HLSL assembly instructions; Direct3D 11.3 functional
specification, sections 3.1 (floating point rules) and 22 (instructions).
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library import direct3d
from ....ir.ops import OPS
from ....ir.types import F32, F64, I32
from ..operands import Operand, written_components
from ..tables.enumerations import Components, OperandType
from ..tables.ops import Op
from .reading import Read, reader
from .registers import Registers

Formula = Callable[..., Value]
Computation: TypeAlias = Callable[[Registers], None]
Readers: TypeAlias = list[tuple[Read, Operand]]  # with the source of each

ZERO = constant(0, I32)
FLOAT_ONE = constant(0x3F80_0000, F32)


def _nonzero(b: Builder, value: Value) -> Value:
    found: Value = b.ine(value, ZERO)
    return found


# fmt: off
COMPONENTS: dict[str, Formula] = {
    "mov":      lambda b, a: a,
    "movc":     lambda b, c, x, y: b.select(_nonzero(b, c), x, y),
    "add":      lambda b, x, y: b.fadd(x, y),
    "mul":      lambda b, x, y: b.fmul(x, y),
    "mad":      lambda b, x, y, z: b.fadd(b.fmul(x, y), z),
    "div":      lambda b, x, y: b.fdiv(x, y),
    "min":      lambda b, x, y: b.fmin(x, y),
    "max":      lambda b, x, y: b.fmax(y, x),
    "rcp":      lambda b, x: b.fdiv(FLOAT_ONE, x),
    "rsq":      lambda b, x: b.rsqrt(x),
    "sqrt":     lambda b, x: b.fsqrt(x),
    "exp":      lambda b, x: b.exp2(x),
    "log":      lambda b, x: b.log2(x),
    "frc":      direct3d.fraction,
    "round_ne": lambda b, x: b.frint(x),
    "round_ni": lambda b, x: b.ffloor(x),
    "round_pi": lambda b, x: b.fceil(x),
    "round_z":  lambda b, x: b.ftrunc(x),
    "eq":       lambda b, x, y: b.feq(x, y),
    "ne":       lambda b, x, y: b.fne(x, y),
    "lt":       lambda b, x, y: b.flt(x, y),
    "ge":       lambda b, x, y: b.fle(y, x),
    "ftoi":     lambda b, x: b.ftoi(x, type=I32),
    "ftou":     lambda b, x: b.ftou(x, type=I32),
    "itof":     lambda b, x: b.itof(x, type=F32),
    "utof":     lambda b, x: b.utof(x, type=F32),
    "f32tof16": direct3d.half,
    "iadd":     lambda b, x, y: b.iadd(x, y),
    "imad":     lambda b, x, y, z: b.iadd(b.imul(x, y), z),
    "umad":     lambda b, x, y, z: b.iadd(b.imul(x, y), z),
    "imin":     lambda b, x, y: b.imin(x, y),
    "imax":     lambda b, x, y: b.imax(x, y),
    "umin":     lambda b, x, y: b.umin(x, y),
    "umax":     lambda b, x, y: b.umax(x, y),
    "ineg":     lambda b, x: b.ineg(x),
    "and":      lambda b, x, y: b.and_(x, y),
    "or":       lambda b, x, y: b.or_(x, y),
    "xor":      lambda b, x, y: b.xor(x, y),
    "not":      lambda b, x: b.not_(x),
    "ishl":     lambda b, x, y: b.ishl(x, y),
    "ishr":     lambda b, x, y: b.ishr(x, y),
    "ushr":     lambda b, x, y: b.ushr(x, y),
    "ieq":      lambda b, x, y: b.ieq(x, y),
    "ine":      lambda b, x, y: b.ine(x, y),
    "ilt":      lambda b, x, y: b.ilt(x, y),
    "ige":      lambda b, x, y: b.ile(y, x),
    "ult":      lambda b, x, y: b.ult(x, y),
    "uge":      lambda b, x, y: b.ule(y, x),
    "countbits":    lambda b, x: b.popcount(x),
    "firstbit_hi":  direct3d.first_high,
    "firstbit_lo":  direct3d.first_low,
    "firstbit_shi": direct3d.first_high_signed,
    "bfrev":    lambda b, x: b.bitrev(x),
    "ubfe":     lambda b, w, o, x: direct3d.field(b, w, o, x, OPS.ushr),
    "ibfe":     lambda b, w, o, x: direct3d.field(b, w, o, x, OPS.ishr),
    "bfi":      direct3d.bits_inserted,
    "msad":     direct3d.msad,
}
# Operations with two destinations: a formula for each.
PAIRS: dict[str, tuple[Formula, Formula]] = {
    "imul":   (lambda b, x, y: b.imulh(x, y), lambda b, x, y: b.imul(x, y)),
    "umul":   (lambda b, x, y: b.umulh(x, y), lambda b, x, y: b.imul(x, y)),
    "udiv":   (lambda b, x, y: b.udiv(x, y), lambda b, x, y: b.urem(x, y)),
    "sincos": (lambda b, x: b.sin(x), lambda b, x: b.cos(x)),
    "uaddc":  (lambda b, x, y: b.iadd(x, y),
               lambda b, x, y: b.select(b.ult(b.iadd(x, y), x), 1, ZERO)),
    "usubb":  (lambda b, x, y: b.isub(x, y),
               lambda b, x, y: b.select(b.ult(x, y), 1, ZERO)),
    "swapc":  (lambda b, c, x, y: b.select(_nonzero(b, c), y, x),
               lambda b, c, x, y: b.select(_nonzero(b, c), x, y)),
}
DOTS = {"dp2": 2, "dp3": 3, "dp4": 4}
DOUBLES: dict[str, Formula] = {
    "dadd":  lambda b, x, y: b.fadd(x, y),
    "dmul":  lambda b, x, y: b.fmul(x, y),
    "ddiv":  lambda b, x, y: b.fdiv(x, y),
    "dfma":  lambda b, x, y, z: b.ffma(x, y, z),
    "dmin":  lambda b, x, y: b.fmin(x, y),
    "dmax":  lambda b, x, y: b.fmax(y, x),
    "drcp":  lambda b, x: b.fdiv(constant(0x3FF0_0000_0000_0000, F64), x),
    "dmov":  lambda b, x: x,
    "deq":   lambda b, x, y: b.feq(x, y),
    "dne":   lambda b, x, y: b.fne(x, y),
    "dlt":   lambda b, x, y: b.flt(x, y),
    "dge":   lambda b, x, y: b.fle(y, x),
    "dtof":  lambda b, x: b.fconv(x, type=F32),
    "dtoi":  lambda b, x: b.ftoi(x, type=I32),
    "dtou":  lambda b, x: b.ftou(x, type=I32),
    "ftod":  lambda b, x: b.fconv(x, type=F64),
    "itod":  lambda b, x: b.itof(x, type=F64),
    "utod":  lambda b, x: b.utof(x, type=F64),
    "dmovc": lambda b, c, x, y: b.select(_nonzero(b, c), x, y),
}
# fmt: on


def computation(row: Op, operands: Sequence[Operand]) -> Computation | None:
    """Return the function that lowers an operation; None if no table of this module has it."""
    name = row.name
    letters = row.operands
    if name in COMPONENTS:
        return _by_component(COMPONENTS[name], operands, letters[1:])
    if name == "f16tof32":
        return _from_half(*operands)
    if name in DOTS:
        return _dot(operands, letters[1:], DOTS[name])
    if name in PAIRS:
        return _pair(PAIRS[name], operands, letters[2:])
    if name in DOUBLES:
        return _doubles(row, DOUBLES[name], operands)
    return None


def _readers(sources: Sequence[Operand], letters: str, at: int) -> Readers:
    """Return how the sources are read for a component of the destination."""
    return [
        (reader(source, letter, at), source)
        for source, letter in zip(sources, letters, strict=True)
    ]


def _by_component(formula: Formula, operands: Sequence[Operand], letters: str) -> Computation:
    target, *sources = operands
    written = written_components(target)
    places = [(at, _readers(sources, letters, at)) for at in written]

    def compute(registers: Registers) -> None:
        b = registers.builder
        made = [
            (at, formula(b, *[read(registers, source) for read, source in readers]))
            for at, readers in places
        ]
        for at, value in made:
            registers.write(target, at, value)

    return compute


def _from_half(target: Operand, source: Operand) -> Computation:
    """Lower f16tof32: modifiers apply to the number, not to its bits."""

    def compute(registers: Registers) -> None:
        b = registers.builder
        made = []
        for at in written_components(target):
            number = direct3d.from_half(b, registers.bits(source, at))
            made.append((at, registers.signed(source, number)))
        for at, value in made:
            registers.write(target, at, value)

    return compute


def _dot(operands: Sequence[Operand], letters: str, count: int) -> Computation:
    target, *sources = operands
    first, *rest = [_readers(sources, letters, at) for at in range(count)]

    def compute(registers: Registers) -> None:
        b = registers.builder
        total = b.fmul(*[read(registers, source) for read, source in first])
        for readers in rest:
            product = b.fmul(*[read(registers, source) for read, source in readers])
            total = b.fadd(total, product)
        for at in written_components(target):
            registers.write(target, at, total)

    return compute


def _pair(
    formulas: tuple[Formula, Formula], operands: Sequence[Operand], letters: str
) -> Computation:
    sources = operands[2:]
    places = [
        (target, at, formula, _readers(sources, letters, at))
        for target, formula in zip(operands[:2], formulas, strict=True)
        if target.type != OperandType.NULL
        for at in written_components(target)
    ]

    def compute(registers: Registers) -> None:
        b = registers.builder
        made = [
            (target, at, formula(b, *[read(registers, source) for read, source in readers]))
            for target, at, formula, readers in places
        ]
        for target, at, value in made:
            registers.write(target, at, value)

    return compute


def _doubles(row: Op, formula: Formula, operands: Sequence[Operand]) -> Computation:
    """Lower an operation on doubles, which are pairs of components.

    The first component written by a comparison or conversion to 32 bits is the result of the pair
    xy, the second the result of zw.
    """
    target, *sources = operands
    letters = row.operands[1:]
    written = written_components(target)
    gives_double = row.name not in ("deq", "dne", "dlt", "dge", "dtof", "dtoi", "dtou")
    takes_double = "d" in letters
    wide = target.components == Components.FOUR
    pairs = [pair for pair in (0, 1) if not wide or target.mask >> 2 * pair & 3]
    places = [(pair, pair) for pair in pairs] if gives_double else [*enumerate(written)][:2]

    def compute(registers: Registers) -> None:
        made = []
        for number, place in places:
            args = []
            for source, letter in zip(sources, letters, strict=True):
                if letter == "d":
                    args.append(registers.double(source, place if gives_double else number))
                elif takes_double:  # the condition of dmovc: x for the first pair, y for the second
                    args.append(registers.read(source, letter, place))
                else:  # ftod, itod, utod: x for the first pair that is written, y for the second
                    args.append(registers.read(source, letter, number))
            made.append((place, formula(registers.builder, *args)))
        for place, value in made:
            if gives_double:
                registers.write_double(target, place, value)
            else:
                registers.write(target, place, value)

    return compute
