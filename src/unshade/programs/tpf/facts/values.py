"""Types of the values in r registers, as far as instruction counts depend on them.

    dadd r0.zw, r1.xyxy, r2.xyxy
    mov r3.zw, r0.zzzw                       copies a double: not a mov
    check_access_fully_mapped r0.x, r0.x
    and r0.x, r0.x, l(0x3f800000)            converts a bool to a float: a conversion

Instructions are followed in text order, without regard to branches: compilers reuse registers for
values of other types, but values seldom live across branches.
"""

from collections.abc import Iterator, Sequence

from ..instruction import Instruction
from ..operands import Operand
from ..tables.enumerations import Components, OperandType
from ..tables.ops import OPS

__all__ = ["AND", "DOUBLES", "TESTS", "bool_conversions", "double_copies", "of_literals"]

AND, MOV = OPS["and"].code, OPS["mov"].code
TESTS = OPS["check_access_fully_mapped"].code
# The result of the other operations on doubles is a bool or a 32-bit number.
DOUBLE_RESULTS = frozenset(
    OPS[name].code
    for name in (
        "dadd", "dmax", "dmin", "dmul", "dmov", "dmovc", "ddiv", "drcp", "dfma",
        "ftod", "itod", "utod",
    )
)  # fmt: skip
DOUBLE_SOURCES = frozenset(row.code for row in OPS if "d" in row.operands and row.kind == "double")
DOUBLES = DOUBLE_SOURCES | DOUBLE_RESULTS
BOOLS = frozenset((0, 0xFFFF_FFFF))
ONES = frozenset((1, 0x3F80_0000))  # true as an int, as a float
FIRST, SECOND = 0, 1  # operands of a mov


def double_copies(instructions: Sequence[Instruction]) -> set[int]:
    """Return the indices of movs that copy a double, or a value that is next read as a double.

    The result is empty unless the program contains an operation of DOUBLES.
    """
    return _of_doubles(instructions) | _for_doubles(instructions)


def _of_doubles(instructions: Sequence[Instruction]) -> set[int]:
    found: set[int] = set()
    held: set[int] = set()
    for at, each in enumerate(instructions):
        double = each.token & 0x7FF in DOUBLE_RESULTS
        if _is_mov(each) and any(source in held for source in _read_by_mov(each)):
            found.add(at)
            double = True
        for component in _written(each):
            (held.add if double else held.discard)(component)
    return found


def _for_doubles(instructions: Sequence[Instruction]) -> set[int]:
    """Go backwards; `wanted` are the components that are next read as a double."""
    found: set[int] = set()
    wanted: set[int] = set()
    for at in reversed(range(len(instructions))):
        each = instructions[at]
        written = set(_written(each))
        copies = _is_mov(each) and not written.isdisjoint(wanted)
        wanted -= written
        if copies:
            found.add(at)
            wanted.update(_read_by_mov(each))
        elif each.op is not None:
            takes = each.token & 0x7FF in DOUBLE_SOURCES
            for letter, operand in zip(each.op.operands, each.operands, strict=False):
                if letter == "d" and takes:
                    wanted.update(_components(operand))
                elif letter not in "DN":
                    wanted.difference_update(_components(operand))
    return found


def bool_conversions(instructions: Sequence[Instruction]) -> set[int]:
    """Return the indices of ands that convert a bool; fxc does not count those after comparisons.

    The result is empty unless the program contains an operation of TESTS, or an and with literals.
    """
    found: set[int] = set()
    held: set[int] = set()  # components with a result of check_access_fully_mapped
    for at, each in enumerate(instructions):
        code = each.token & 0x7FF
        is_bool = code == TESTS
        if code == AND and len(each.operands) == 3:
            one, other = (_is_bool(operand, held) for operand in each.operands[1:])
            is_bool = one and other
            first, second = each.operands[1:]
            if (one and _is_one(second)) or (other and _is_one(first)):
                found.add(at)
                is_bool = False
        for component in _written(each):
            (held.add if is_bool else held.discard)(component)
    return found


def of_literals(instruction: Instruction) -> bool:
    """Return True if all sources are literals."""
    return all(each.type == OperandType.IMMEDIATE32 for each in instruction.operands[1:])


def _is_bool(operand: Operand, held: set[int]) -> bool:
    if operand.type == OperandType.IMMEDIATE32:
        return BOOLS.issuperset(operand.literal)
    read = _components(operand)
    return bool(read) and held.issuperset(read)


def _is_one(operand: Operand) -> bool:
    return operand.type == OperandType.IMMEDIATE32 and not ONES.isdisjoint(operand.literal)


def _is_mov(instruction: Instruction) -> bool:
    return instruction.token & 0x7FF == MOV and len(instruction.operands) == 2


def _written(instruction: Instruction) -> Iterator[int]:
    """Yield the components that an instruction writes."""
    if instruction.op is not None:
        for letter, operand in zip(instruction.op.operands, instruction.operands, strict=False):
            if letter in "DN":
                yield from _components(operand)


def _read_by_mov(instruction: Instruction) -> list[int]:
    """Return the components that a mov copies: from a swizzle, as selected by the mask."""
    source, mask = instruction.operands[SECOND], instruction.operands[FIRST].mask
    read = _components(source)
    return [each for at, each in enumerate(read) if mask >> at & 1] if len(read) == 4 else read


def _components(operand: Operand) -> list[int]:
    """Return the components of an r register as numbers, 4 * register + component."""
    if operand.type != OperandType.TEMP or not operand.indices:
        return []
    first = 4 * operand.indices[0].immediate
    if operand.components != Components.FOUR:
        return []
    match operand.mode:
        case 0:
            return [first + i for i in range(4) if operand.mask >> i & 1]
        case 1:
            return [first + component for component in operand.swizzle]
    return [first + operand.select]
