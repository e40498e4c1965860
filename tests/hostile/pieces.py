"""Building blocks of mutants: troublesome numbers, operands, places in a program.

source(body, chance)              r1.xyzx, cb0[2].yyyy, l(NaN): something that the program reads
operand_for(body, chance, "D")    r3.xz: an operand for a column of the table of operations
"""

import random
from copy import deepcopy

from unshade.programs.tpf import Instruction, Operand, immediate, register, temp
from unshade.programs.tpf.instruction import CUSTOMDATA
from unshade.programs.tpf.tables.enumerations import Components, OperandType
from unshade.programs.tpf.tables.ops import OPS, Op
from unshade.programs.tpf.tables.tokens import SelectToken

Body = list[Instruction]

SOURCES = frozenset("fiudcx")
DECLARED = frozenset({
    OperandType.RESOURCE, OperandType.SAMPLER, OperandType.UNORDERED_ACCESS_VIEW,
    OperandType.CONSTANT_BUFFER, OperandType.THREAD_GROUP_SHARED_MEMORY,
})  # fmt: skip
REGISTERS: dict[str, tuple[OperandType, ...]] = {  # by the letter of the column
    "T": (OperandType.RESOURCE,),
    "S": (OperandType.SAMPLER,),
    "U": (OperandType.UNORDERED_ACCESS_VIEW,),
    "W": (OperandType.UNORDERED_ACCESS_VIEW, OperandType.THREAD_GROUP_SHARED_MEMORY),
    "R": (
        OperandType.RESOURCE, OperandType.UNORDERED_ACCESS_VIEW,
        OperandType.THREAD_GROUP_SHARED_MEMORY,
    ),
    "G": (OperandType.THREAD_GROUP_SHARED_MEMORY,),
}  # fmt: skip
NUMBERS = (
    0, 1, 2, 3, 4, 7, 8, 12, 16, 31, 32, 33, 63, 64, 255, 1023, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFF0,
)  # fmt: skip
FLOATS = (
    0x3F80_0000, 0xBF80_0000, 0x3F00_0000, 0x4049_0FDB, 0x4B80_0000, 0x4F00_0000, 0xCF00_0001,
    0x7F7F_FFFF, 0x0000_0001, 0x8000_0001, 0x007F_FFFF, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000,
    0xFFC0_0001, 0x7F80_0001, 0x3380_0000, 0x5F00_0000,
)  # fmt: skip


def word(chance: random.Random) -> int:
    """Return a dword that is likely to cause trouble, or a random one."""
    match chance.randrange(4):
        case 0 | 1:
            return chance.choice(NUMBERS)
        case 2:
            return chance.choice(FLOATS)
        case _:
            return chance.getrandbits(32)


def operand_for(body: Body, chance: random.Random, letter: str) -> Operand:
    """Return an operand for a column of the table of operations."""
    letters = "".join(chance.choice("xyzw") for _ in range(4))
    mask = "".join(each for each in "xyzw" if chance.random() < 0.6) or "x"
    if letter in "DN":
        known = declared(body, OperandType.OUTPUT)
        if known and chance.random() < 0.3:
            return register(OperandType.OUTPUT, chance.choice(known), mask=mask)
        return temp(chance.randrange(6), mask=mask)
    kinds = REGISTERS.get(letter)
    if kinds is None:
        return source(body, chance)
    kind = chance.choice(kinds)
    number = chance.choice(declared(body, kind))
    if kind == OperandType.SAMPLER:
        return register(kind, number)
    if letter in "UW":
        return register(kind, number, mask=mask)
    return register(kind, number, swizzle=letters)


def acts(instruction: Instruction) -> bool:
    """Return whether an instruction is neither a declaration nor flow control."""
    row = instruction.op
    return row is not None and row.code != CUSTOMDATA and row.kind not in ("decl", "flow")


def is_declaration(instruction: Instruction) -> bool:
    row = instruction.op
    return row is not None and (row.kind == "decl" or row.code == CUSTOMDATA)


def first(body: Body) -> int:
    """Return the index of the first instruction after the declarations."""
    return next((at for at, each in enumerate(body) if not is_declaration(each)), len(body))


def doing(body: Body, chance: random.Random) -> int:
    """Return the index of a random instruction that is not a declaration."""
    return chance.choice([at for at, each in enumerate(body) if not is_declaration(each)])


def operands(body: Body, letters: frozenset[str]) -> list[tuple[Instruction, int]]:
    """Return the operands in columns of these letters, declarations aside."""
    return [
        (each, at)
        for each in body
        if not is_declaration(each) and each.op is not None
        for at, letter in enumerate(each.op.operands)
        if letter in letters and at < len(each.operands)
    ]


def source(body: Body, chance: random.Random) -> Operand:
    """Return a copy of a source operand of the program, or a literal."""
    if chance.random() < 0.2:
        return literal(chance)
    instruction, at = chance.choice(operands(body, SOURCES))
    return deepcopy(instruction.operands[at])


def literal(chance: random.Random) -> Operand:
    if chance.random() < 0.5:
        return immediate(word(chance))
    return immediate(*(word(chance) for _ in range(4)))


def scalar(body: Body, chance: random.Random) -> Operand:
    """Return one component of a register, as a condition or an index needs it."""
    found = source(body, chance)
    if found.type != OperandType.TEMP or found.components != Components.FOUR:
        return temp(chance.randrange(4), select=chance.choice("xyzw"))
    found.extended = ()
    found.token = SelectToken(
        components=Components.FOUR, mode=2, select=chance.randrange(4), type=OperandType.TEMP
    ).word
    return found


def signature(row: Op) -> str:
    """Return a key that is equal for operations that can replace each other."""
    return "".join("s" if letter in SOURCES else letter for letter in row.operands)


ALIKE: dict[str, list[Op]] = {}
for _row in OPS:
    if _row.kind not in ("decl", "flow") and _row.code != CUSTOMDATA:
        ALIKE.setdefault(signature(_row), []).append(_row)


def declared(body: Body, kind: int) -> list[int]:
    """Return the numbers of the declared registers of a kind."""
    return [
        operand.indices[0].immediate
        for each in body[: first(body)]
        for operand in each.operands
        if operand.type == kind and operand.indices
    ]
