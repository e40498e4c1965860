"""Lowering of arithmetic, comparisons and address registers.

All sources are read before a destination is written, since the destination may be a source. Sums of
products are added from x to w. Source: the semantics in ops.py.
"""

from collections.abc import Callable

from ....errors import UnsupportedError
from ....ir.kernel import Value
from ....ir.types import I32
from ....vocab.pica import COMPONENTS
from ..instruction import Instruction
from ..operands import AddressDestination, Compare, Destination
from ..tables.fields import CompareOp
from .registers import Registers, sources

Read = Callable[[int, int], Value]  # (source, component)
Rule = Callable[[Registers, Read, int], Value]

LIT_BOUND = 0x7FFF / 0x100
INVERTED = {"dphi": "dph", "dsti": "dst", "sgei": "sge", "slti": "slt", "madi": "mad"}


def lower_arithmetic(registers: Registers, instruction: Instruction) -> bool:
    """Lower one instruction; return False if it is of another kind."""
    name = INVERTED.get(instruction.name, instruction.name)
    operands = sources(instruction)

    def read(number: int, at: int) -> Value:
        return registers.source(operands[number], at)

    if name == "cmp":
        _compare(registers, instruction, read)
    elif name == "mova":
        _address(registers, instruction, read)
    elif name in COMPONENTWISE or name in WHOLE:
        written = next(each for each in instruction.operands if isinstance(each, Destination))
        mask = [at for at in range(4) if written.mask << at & 8]
        if name in WHOLE:
            one = WHOLE[name](registers, read, 0)
            values = dict.fromkeys(mask, one)
        else:
            values = {at: COMPONENTWISE[name](registers, read, at) for at in mask}
        flags = _lit_flags(registers, read) if name == "litp" else {}
        for at, value in values.items():
            registers.write(written.register, at, value)
        for letter, value in flags.items():
            registers.set_flag(letter, value)
    else:
        return False
    return True


# ---------------------------------------------------------------- component by component


def _add(registers: Registers, read: Read, at: int) -> Value:
    return registers.maths.add(read(0, at), read(1, at))


def _multiply(registers: Registers, read: Read, at: int) -> Value:
    return registers.maths.multiply(read(0, at), read(1, at))


def _multiply_add(registers: Registers, read: Read, at: int) -> Value:
    return registers.maths.add(_multiply(registers, read, at), read(2, at))


def _maximum(registers: Registers, read: Read, at: int) -> Value:
    x, y = read(0, at), read(1, at)
    b = registers.builder
    return b.select(b.flt(y, x), x, y)


def _minimum(registers: Registers, read: Read, at: int) -> Value:
    x, y = read(0, at), read(1, at)
    b = registers.builder
    return b.select(b.flt(x, y), x, y)


def _one_where(registers: Registers, condition: Value) -> Value:
    b = registers.builder
    return b.select(condition, b.f32(1.0), b.f32(0.0))


def _at_least(registers: Registers, read: Read, at: int) -> Value:
    return _one_where(registers, registers.builder.fle(read(1, at), read(0, at)))


def _less(registers: Registers, read: Read, at: int) -> Value:
    return _one_where(registers, registers.builder.flt(read(0, at), read(1, at)))


def _floor(registers: Registers, read: Read, at: int) -> Value:
    return registers.maths.floor(read(0, at))


def _move(registers: Registers, read: Read, at: int) -> Value:
    return read(0, at)


def _distance(registers: Registers, read: Read, at: int) -> Value:
    """Return a component of (1, y y, z, w)."""
    if at == 1:
        return _multiply(registers, read, at)
    return registers.builder.f32(1.0) if at == 0 else read(0 if at == 2 else 1, at)


def _lit(registers: Registers, read: Read, at: int) -> Value:
    """Return a component of (max(x, 0), clamped y, 0, max(w, 0))."""
    b = registers.builder
    if at == 2:
        return b.f32(0.0)
    value = read(0, at)
    if at == 1:
        value = b.select(b.flt(value, -LIT_BOUND), b.f32(-LIT_BOUND), value)
        return b.select(b.flt(LIT_BOUND, value), b.f32(LIT_BOUND), value)
    return b.select(b.flt(0.0, value), value, b.f32(0.0))


def _lit_flags(registers: Registers, read: Read) -> dict[str, Value]:
    b = registers.builder
    return {"x": b.fle(0.0, read(0, 0)), "y": b.fle(0.0, read(0, 3))}


COMPONENTWISE: dict[str, Rule] = {
    "add": _add, "mul": _multiply, "mad": _multiply_add, "max": _maximum, "min": _minimum,
    "sge": _at_least, "slt": _less, "flr": _floor, "mov": _move, "dst": _distance, "litp": _lit,
}  # fmt: skip

# ---------------------------------------------------------------- the same in every component


def _dot(count: int, homogeneous: bool = False) -> Rule:
    def dot(registers: Registers, read: Read, _: int) -> Value:
        total: Value | None = None
        for at in range(count):
            x = registers.builder.f32(1.0) if homogeneous and at == 3 else read(0, at)
            product = registers.maths.multiply(x, read(1, at))
            total = product if total is None else registers.maths.add(total, product)
        assert total is not None
        return total

    return dot


WHOLE: dict[str, Rule] = {
    "dp3": _dot(3),
    "dp4": _dot(4),
    "dph": _dot(4, homogeneous=True),
    "ex2": lambda registers, read, _: registers.maths.exponential(read(0, 0)),
    "lg2": lambda registers, read, _: registers.maths.logarithm(read(0, 0)),
    "rcp": lambda registers, read, _: registers.maths.reciprocal(read(0, 0)),
    "rsq": lambda registers, read, _: registers.maths.reciprocal_root(read(0, 0)),
}

# ---------------------------------------------------------------- flags and addresses


def _compare(registers: Registers, instruction: Instruction, read: Read) -> None:
    compares = [each for each in instruction.operands if isinstance(each, Compare)]
    values = {
        letter: _holds(registers, each.op, read(0, at), read(1, at))
        for at, (letter, each) in enumerate(zip("xy", compares, strict=True))
    }
    for letter, value in values.items():
        registers.set_flag(letter, value)


def _holds(registers: Registers, op: int, x: Value, y: Value) -> Value:
    b = registers.builder
    match op:
        case CompareOp.EQ:
            return b.feq(x, y)
        case CompareOp.NE:
            return b.fne(x, y)
        case CompareOp.LT:
            return b.flt(x, y)
        case CompareOp.LE:
            return b.fle(x, y)
        case CompareOp.GT:
            return b.flt(y, x)
        case CompareOp.GE:
            return b.fle(y, x)
    raise UnsupportedError(f"unknown comparison {op} (pica.comparison)")


def _address(registers: Registers, instruction: Instruction, read: Read) -> None:
    b = registers.builder
    written = next(each for each in instruction.operands if isinstance(each, AddressDestination))
    values = {at: b.ftoi(read(0, at), type=I32) for at in range(2) if written.mask << at & 8}
    for at, value in values.items():
        b.set(registers.variable(f"a0.{COMPONENTS[at]}", I32, "a0"), value)
