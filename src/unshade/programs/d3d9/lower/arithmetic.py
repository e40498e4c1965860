"""Lowering of arithmetic, by component.

All sources are read before a destination is written, since the destination may be a source. Zero
times anything is zero. Sums of products are added from x to w.

    rsq, log, pow   of the magnitude
    exp             2 to the power; expp in vs_1_1 has parts: 2^floor(x), x - floor(x), 2^x, 1
    lit             1, max(x, 0), max(y, 0)^w where x > 0, 1; w is limited to 127.9961
    nrm             times the reciprocal root of x x + y y + z z
    mova            the nearest integer, ties to even; mov to a0 in vs_1_1 the floor
    sincos          cosine in x, sine in y; the coefficients of Shader Model 2 are not used

Source: the pages of the assembly language.
"""

from collections.abc import Callable

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.library import derivatives
from ....ir.types import F32, I32
from ..instruction import Instruction
from ..tables.tokens import ComparisonControl, DestinationParameter, RegisterType
from .registers import COMPONENTS, Registers

__all__ = ["compared", "lower_arithmetic"]

Read = Callable[[int, int], Value]  # (source, component)
Rule = Callable[[Registers, Read, int], Value]

MOST_POWER = 127.9961


def lower_arithmetic(registers: Registers, instruction: Instruction) -> bool:
    """Lower one instruction; return False if it is of another kind."""
    op = instruction.op
    operands = instruction.sources
    destination = instruction.destination
    assert op is not None
    if destination is None:
        return False
    token = destination.token
    assert isinstance(token, DestinationParameter)
    mask = [at for at in range(4) if token.mask >> at & 1]

    def read(number: int, at: int) -> Value:
        return registers.source(operands[number], at)

    name = op.name
    if destination.register.place[0] == RegisterType.ADDR and not registers.version.is_pixel:
        _address(registers, instruction, read, mask)
        return True
    if name == "setp":
        values = {at: compared(registers, instruction, at) for at in mask}
    elif name in MATRICES:
        values = _matrix(registers, instruction, mask)
    elif name in WHOLE:
        values = dict.fromkeys(mask, WHOLE[name](registers, read, 0))
    elif name in COMPONENTWISE:
        rule = COMPONENTWISE[name]
        values = {at: rule(registers, read, at) for at in mask}
    else:
        return False
    registers.write(instruction, values)
    return True


def compared(registers: Registers, instruction: Instruction, at: int) -> Value:
    """Return the comparison of component `at` of both sources, as a condition."""
    b = registers.builder
    x, y = (registers.source(each, at) for each in instruction.sources)
    match instruction.comparison:
        case ComparisonControl.GT:
            return b.flt(y, x)
        case ComparisonControl.EQ:
            return b.feq(x, y)
        case ComparisonControl.GE:
            return b.fle(y, x)
        case ComparisonControl.LT:
            return b.flt(x, y)
        case ComparisonControl.NE:
            return b.fne(x, y)
        case ComparisonControl.LE:
            return b.fle(x, y)
    raise UnsupportedError(f"unknown comparison {instruction.token.controls}")


def _address(registers: Registers, instruction: Instruction, read: Read, mask: list[int]) -> None:
    b = registers.builder
    for at in mask:
        value = read(0, at)
        whole = b.frint(value) if instruction.name == "mova" else b.ffloor(value)
        var = registers.variable(f"a0.{COMPONENTS[at]}", I32, "a0")
        registers.assign(instruction, var, b.ftoi(whole, type=I32), at)


def _product(registers: Registers, x: Value, y: Value) -> Value:
    return registers.builder.fmul_legacy(x, y)


def _dot(count: int) -> Rule:
    def dot(registers: Registers, read: Read, _: int) -> Value:
        total = _product(registers, read(0, 0), read(1, 0))
        for at in range(1, count):
            total = registers.builder.fadd(total, _product(registers, read(0, at), read(1, at)))
        return total

    return dot


def _dot2_add(registers: Registers, read: Read, _: int) -> Value:
    return registers.builder.fadd(_dot(2)(registers, read, 0), read(2, 0))


MATRICES = {"m4x4": (4, 4), "m4x3": (4, 3), "m3x4": (3, 4), "m3x3": (3, 3), "m3x2": (3, 2)}


def _matrix(registers: Registers, instruction: Instruction, mask: list[int]) -> dict[int, Value]:
    """Return the products of the first source and rows in registers from the second on."""
    assert instruction.op is not None
    columns, rows = MATRICES[instruction.op.name]
    vector, matrix = instruction.sources
    found = {}
    for at in mask:
        if at >= rows:
            raise UnsupportedError(f"{instruction}: expected a mask of {rows} components")
        row = Instruction(instruction.words, instruction.version)
        row.words[matrix.at] += at  # the next register of the file
        factors = row.sources[1]

        def read(number: int, component: int) -> Value:
            return registers.source(vector if number == 0 else factors, component)  # noqa: B023

        found[at] = _dot(columns)(registers, read, 0)
    return found


def _power(registers: Registers, x: Value, y: Value) -> Value:
    b = registers.builder
    return b.exp2(b.fmul_legacy(y, b.log2(b.fabs(x))))


def _normal(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    square = _product(registers, read(0, 0), read(0, 0))
    for other in (1, 2):
        square = b.fadd(square, _product(registers, read(0, other), read(0, other)))
    return _product(registers, read(0, at), b.rsqrt(square))


def _cross(registers: Registers, read: Read, at: int) -> Value:
    if at == 3:
        raise UnsupportedError("crs: expected a mask of x, y and z")
    one, two = (at + 1) % 3, (at + 2) % 3
    first = _product(registers, read(0, one), read(1, two))
    return registers.builder.fsub(first, _product(registers, read(0, two), read(1, one)))


def _light(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    if at in (0, 3):
        return b.f32(1.0)
    lit = b.fmax(read(0, 0), 0.0)
    if at == 1:
        return lit
    power = b.fmin(b.fmax(read(0, 3), -MOST_POWER), MOST_POWER)
    shine = _power(registers, b.fmax(read(0, 1), 0.0), power)
    return b.select(b.flt(0.0, read(0, 0)), shine, b.f32(0.0))


def _distance(registers: Registers, read: Read, at: int) -> Value:
    if at == 0:
        return registers.builder.f32(1.0)
    if at == 1:
        return _product(registers, read(0, 1), read(1, 1))
    return read(0, 2) if at == 2 else read(1, 3)


def _one_where(registers: Registers, condition: Value) -> Value:
    b = registers.builder
    return b.select(condition, b.f32(1.0), b.f32(0.0))


def _interpolation(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    return b.fadd(_product(registers, read(0, at), b.fsub(read(1, at), read(2, at))), read(2, at))


def _sign(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    x = read(0, at)
    above = _one_where(registers, b.flt(0.0, x))
    return b.fsub(above, _one_where(registers, b.flt(x, 0.0)))


def _fraction(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    x = read(0, at)
    return b.fsub(x, b.ffloor(x))


def _partial_exponential(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    x = read(0, 3) if registers.version.major == 1 else read(0, 0)
    if registers.version.major >= 2:
        return b.exp2(x)
    whole = b.ffloor(x)
    parts = (lambda: b.exp2(whole), lambda: b.fsub(x, whole), lambda: b.exp2(x))
    return parts[at]() if at < 3 else b.f32(1.0)


def _partial_logarithm(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    x = b.fabs(read(0, 3) if registers.version.major == 1 else read(0, 0))
    logarithm = b.log2(x)
    if registers.version.major >= 2 or at == 2:
        return logarithm
    if at == 3:
        return b.f32(1.0)
    whole = b.ffloor(logarithm)
    return whole if at == 0 else b.fmul(x, b.exp2(b.fneg(whole)))


def _sine(registers: Registers, read: Read, at: int) -> Value:
    b = registers.builder
    if at > 1:
        raise UnsupportedError("sincos: expected a mask of x and y")
    return b.sin(read(0, 0)) if at else b.cos(read(0, 0))


def _derivative(axis: int) -> Rule:
    def rule(registers: Registers, read: Read, at: int) -> Value:
        return derivatives.fine(registers.builder, read(0, at), axis)

    return rule


COMPONENTWISE: dict[str, Rule] = {
    "mov": lambda r, read, at: read(0, at),
    "add": lambda r, read, at: r.builder.fadd(read(0, at), read(1, at)),
    "sub": lambda r, read, at: r.builder.fsub(read(0, at), read(1, at)),
    "mul": lambda r, read, at: _product(r, read(0, at), read(1, at)),
    "mad": lambda r, read, at: r.builder.fadd(_product(r, read(0, at), read(1, at)), read(2, at)),
    "min": lambda r, read, at: r.builder.fmin(read(0, at), read(1, at)),
    "max": lambda r, read, at: r.builder.fmax(read(0, at), read(1, at)),
    "slt": lambda r, read, at: _one_where(r, r.builder.flt(read(0, at), read(1, at))),
    "sge": lambda r, read, at: _one_where(r, r.builder.fle(read(1, at), read(0, at))),
    "abs": lambda r, read, at: r.builder.fabs(read(0, at)),
    "cmp": lambda r, read, at: r.builder.select(
        r.builder.fle(0.0, read(0, at)), read(1, at), read(2, at)
    ),
    "cnd": lambda r, read, at: r.builder.select(
        r.builder.flt(0.5, read(0, at)), read(1, at), read(2, at)
    ),
    "frc": _fraction, "lrp": _interpolation, "sgn": _sign, "nrm": _normal, "crs": _cross,
    "lit": _light, "dst": _distance, "expp": _partial_exponential, "logp": _partial_logarithm,
    "sincos": _sine, "dsx": _derivative(derivatives.X), "dsy": _derivative(derivatives.Y),
}  # fmt: skip

WHOLE: dict[str, Rule] = {
    "dp3": _dot(3),
    "dp4": _dot(4),
    "dp2add": _dot2_add,
    "rcp": lambda r, read, _: r.builder.fdiv(r.builder.number(1.0, F32), read(0, 0)),
    "rsq": lambda r, read, _: r.builder.rsqrt(r.builder.fabs(read(0, 0))),
    "exp": lambda r, read, _: r.builder.exp2(read(0, 0)),
    "log": lambda r, read, _: r.builder.log2(r.builder.fabs(read(0, 0))),
    "pow": lambda r, read, _: _power(r, read(0, 0), read(1, 0)),
}
