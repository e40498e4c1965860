"""Random changes of SPIR-V modules that mostly can still be lowered.

Ids of code become others, often of the same type; literals change; instructions are replaced by
similar ones, removed, doubled or moved. One module in eight has arbitrary words changed instead.
"""

import random
from collections import defaultdict
from collections.abc import Sequence

from tests.hostile.pieces import word
from unshade.programs.spirv.index import ModuleIndex
from unshade.programs.spirv.module import Instruction, Module
from unshade.programs.spirv.tables.numbers import Opcode

__all__ = ["changed_module"]

MOST = 6  # changes
SHARE = 8  # one module in SHARE has words changed
# Instructions that may be exchanged for each other: as many operands of the same types.
ALIKE = [
    ("IAdd", "ISub", "IMul", "UDiv", "SDiv", "UMod", "SMod", "SRem", "BitwiseAnd", "BitwiseXor"),
    ("FAdd", "FSub", "FMul", "FDiv", "FMod", "FRem"),
    ("ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"),
    ("IEqual", "INotEqual", "ULessThan", "SLessThan", "UGreaterThanEqual", "SLessThanEqual"),
    ("FOrdLessThan", "FUnordLessThan", "FOrdEqual", "FUnordNotEqual", "FOrdGreaterThanEqual"),
    ("LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual"),
    ("ConvertFToU", "ConvertFToS"), ("ConvertUToF", "ConvertSToF"), ("UConvert", "SConvert"),
    ("Not", "SNegate", "BitReverse"), ("AtomicIAdd", "AtomicUMax", "AtomicXor", "AtomicExchange"),
    ("GroupNonUniformIAdd", "GroupNonUniformUMin", "GroupNonUniformBitwiseXor"),
    ("GroupNonUniformShuffle", "GroupNonUniformShuffleXor", "GroupNonUniformShuffleUp"),
]  # fmt: skip
OTHERS = {vars(Opcode)[name]: [vars(Opcode)[each] for each in row] for row in ALIKE for name in row}


def changed_module(data: bytes, chance: random.Random) -> bytes:
    """Return a module with random changes."""
    module = Module.loads(data)
    if chance.randrange(SHARE) == 0:
        return _scrambled(module, chance)
    index = ModuleIndex(module)
    for _ in range(chance.randint(1, MOST)):
        bodies = [*index.functions.values()]
        if not bodies:
            break
        body = chance.choice(bodies)
        _change(module.instructions, index, (body.start + 1, body.end - 1), chance)
        index = ModuleIndex(module)
    return module.to_bytes()


def _change(
    code: list[Instruction], index: ModuleIndex, body: tuple[int, int], chance: random.Random
) -> None:
    """Change one instruction of a function."""
    at = chance.randrange(*body)
    each, known = code[at], index.decoded[at]
    match chance.randrange(10):
        case 0 if not known.problem and each.opcode not in (Opcode.Label, Opcode.Variable):
            del code[at]
        case 1:
            code.insert(at, code.pop(min(at + chance.randint(1, 3), body[1] - 1)))
        case 2 if each.opcode in OTHERS:
            code[at] = Instruction.of(chance.choice(OTHERS[each.opcode]), each.words[1:])
        case 3:
            _change_constant(code, index, chance)
        case _:
            _change_operand(code, index, at, body[0], chance)


def _change_operand(
    code: list[Instruction], index: ModuleIndex, at: int, start: int, chance: random.Random
) -> None:
    """Replace an id or a literal of an instruction; other ids are mostly defined before."""
    operands = [each for each in index.decoded[at].operands if each.kind != "IdResult"]
    if not operands:
        return
    operand = chance.choice(operands)
    if operand.is_id:
        alike: dict[int | None, list[int]] = defaultdict(list)
        first = min(each.start for each in index.functions.values())
        for number, found in index.definitions.items():
            if found.position < first or start <= found.position < at:
                alike[index.types.get(number)].append(number)
        same = alike[index.types.get(operand.words[0])] or [operand.words[0]]
        if chance.random() < 0.03 or operand.words[0] not in index.types:
            same = [*index.definitions] if chance.random() < 0.1 else [operand.words[0]]
        made = chance.choice(same)
    else:
        made = chance.choice((0, 1, 2, 3, 4, 8, chance.randrange(64), word(chance)))
    words = list(code[at].words)
    words[operand.at] = made
    code[at] = Instruction(words)


def _change_constant(code: list[Instruction], index: ModuleIndex, chance: random.Random) -> None:
    places = [at for at, each in enumerate(code) if each.opcode == Opcode.Constant]
    if places:
        at = chance.choice(places)
        words = list(code[at].words)
        words[3] = chance.choice((0, 1, 2, 3, 16, chance.randrange(64), word(chance)))
        code[at] = Instruction(words)


def _scrambled(module: Module, chance: random.Random) -> bytes:
    words: Sequence[int] = memoryview(module.to_bytes()).cast("I").tolist()
    made = list(words)
    for _ in range(chance.randint(1, 3)):
        made[chance.randrange(5, len(made))] = chance.choice(
            (word(chance), chance.randrange(200), chance.choice(words))
        )
    return b"".join(each.to_bytes(4, "little") for each in made)
