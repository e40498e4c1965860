"""Random changes of SPIR-V modules that mostly can still be lowered.

Ids of code become others, mostly of the same type, and defined before; branches lead to other
blocks; literals and constants change; instructions are replaced by similar ones, removed, doubled
or moved within their block. One module in eight has arbitrary words changed instead.

Changes are made from the end of a module to its start, so that the index of the original serves for
all of them.
"""

import random
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache

from tests.hostile.pieces import word
from unshade.programs.spirv.index import FunctionBody, ModuleIndex
from unshade.programs.spirv.module import Instruction, Module
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.tables.sections import TERMINATORS

__all__ = ["changed_module"]

MOST = 6  # changes
SHARE = 8  # one module in SHARE has words changed
KEPT = 700  # files whose index is kept
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
    ("GroupNonUniformFAdd", "GroupNonUniformFMin", "GroupNonUniformFMul"),
    ("GroupNonUniformAll", "GroupNonUniformAny", "GroupNonUniformAllEqual"),
    ("DPdx", "DPdy", "Fwidth", "DPdxFine", "DPdyCoarse", "FNegate"),
    ("AtomicLoad", "AtomicIIncrement", "AtomicIDecrement"),
    ("EmitVertex", "EndPrimitive"), ("Kill", "Return", "TerminateInvocation", "Unreachable"),
    ("Any", "All"), ("IsNan", "IsInf"),
    ("GroupNonUniformShuffle", "GroupNonUniformShuffleXor", "GroupNonUniformShuffleUp"),
]  # fmt: skip
OTHERS = {vars(Opcode)[name]: [vars(Opcode)[each] for each in row] for row in ALIKE for name in row}
FIXED = frozenset({
    Opcode.Label, Opcode.Variable, Opcode.Phi, Opcode.SelectionMerge, Opcode.LoopMerge,
    Opcode.FunctionParameter, *TERMINATORS,
})  # fmt: skip


class Original:
    """A module to change, with what is known of its ids."""

    def __init__(self, data: bytes) -> None:
        self.module = Module.loads(data)
        self.code = self.module.instructions
        self.index = ModuleIndex(self.module)
        bodies = [*self.index.functions.values()]
        self.first = min((each.start for each in bodies), default=len(self.code))
        self.positions = [at for body in bodies for at in range(body.start + 1, body.end - 1)]
        self.bodies = bodies
        self.blocks = sorted(block.start for body in bodies for block in body.blocks)
        self.constants = [at for at, each in enumerate(self.code) if each.opcode == Opcode.Constant]
        self.uses = Counter(
            operand.words[0]
            for known in self.index.decoded[self.first :]
            for operand in known.operands
            if operand.is_id
        )
        self.of_type: dict[int | None, list[tuple[int, int]]] = defaultdict(list)
        for number, found in self.index.definitions.items():
            if number in self.index.types and found.opcode != Opcode.Function:
                self.of_type[self.index.types[number]].append((found.position, number))

    def body(self, at: int) -> FunctionBody:
        """Return the function with the instruction at a position."""
        return next(each for each in self.bodies if each.start <= at < each.end)

    def block(self, at: int) -> int:
        """Return where the block with the instruction at a position starts."""
        number = bisect_right(self.blocks, at)
        return self.blocks[number - 1] if number else at

    def alike(self, number: int, at: int) -> list[int]:
        """Return values of the type of another that are mostly defined before a position."""
        body = self.body(at)
        entry = range(body.start, body.blocks[0].end if body.blocks else body.start)
        block = range(self.block(at), at)
        return [
            other
            for place, other in self.of_type[self.index.types.get(number)]
            if place < self.first or place in block or (place in entry and place < at)
        ]

    def blocks_of(self, label: int, at: int) -> list[int]:
        """Return the blocks of the function at a position, if the id is that of one."""
        labels = [each.label for each in self.body(at).blocks]
        return labels if label in labels else []


original = lru_cache(KEPT)(Original)


def changed_module(data: bytes, chance: random.Random) -> bytes:
    """Return a module with random changes."""
    if chance.randrange(SHARE) == 0:
        return _scrambled(data, chance)
    known = original(data)
    module, code = known.module, list(known.code)
    made = Module(
        version=module.version, generator=module.generator, bound=module.bound,
        schema=module.schema, order=module.order, trailing=module.trailing,
    )  # fmt: skip
    if known.positions:
        places = [chance.choice(known.positions) for _ in range(chance.randint(1, MOST))]
        for at in sorted(set(places), reverse=True):
            made.bound += _change(code, known, at, chance, made.bound)
    made.instructions = code
    return made.to_bytes()


def _change(
    code: list[Instruction], known: Original, at: int, chance: random.Random, bound: int
) -> int:
    """Change the instruction at a position; return the number of new ids."""
    each = code[at]
    decoded = known.index.decoded[at]
    used = decoded.result is not None and known.uses[decoded.result] > 0
    free = not decoded.problem and each.opcode not in FIXED
    match chance.randrange(12):
        case 0 if free and (not used or chance.random() < 0.05):
            del code[at]
        case 1 if free:
            _move(code, known, at, chance)
        case 2 if free:
            return _double(code, known, at, bound)
        case 3 | 4 | 5 if each.opcode in OTHERS:
            code[at] = Instruction.of(chance.choice(OTHERS[each.opcode]), each.words[1:])
        case 6:
            _change_constant(code, known, chance)
        case _:
            _change_operand(code, known, at, chance)
    return 0


def _move(code: list[Instruction], known: Original, at: int, chance: random.Random) -> None:
    """Move an instruction to an earlier place of its block."""
    first = max(known.block(at) + 1, known.body(at).start + 1)
    to = chance.randrange(max(first, at - 4), at + 1)
    if known.index.decoded[to].op is not None and code[to].opcode not in FIXED:
        code.insert(to, code.pop(at))


def _double(code: list[Instruction], known: Original, at: int, bound: int) -> int:
    """Repeat an instruction; a result gets an id of its own."""
    result = known.index.decoded[at].result
    place = 2 if known.index.decoded[at].result_type is not None else 1
    if result is None or len(code[at].words) <= place:  # which an earlier change may have cut
        code.insert(at, code[at])
        return 0
    words = list(code[at].words)
    words[place] = bound
    code.insert(at, Instruction(words))
    return 1


def _change_operand(
    code: list[Instruction], known: Original, at: int, chance: random.Random
) -> None:
    """Replace an id or a literal of an instruction."""
    if len(code[at].words) != len(known.code[at].words):  # a move has put another one here
        return
    kinds = ("IdResult", "IdResultType")
    operands = [each for each in known.index.decoded[at].operands if each.kind not in kinds]
    if not operands:
        return
    operand = chance.choice(operands)
    if operand.is_id:
        number = operand.words[0]
        if number in known.index.functions:
            others = [*known.index.functions] if chance.random() < 0.1 else []
        elif number in known.index.types:
            others = known.alike(number, at)
        else:
            others = known.blocks_of(number, at) if chance.random() < 0.2 else []
        if chance.random() < 0.02:
            others = [*known.index.definitions]
        if not others:
            return
        made = chance.choice(others)
    else:
        made = chance.choice((0, 1, 2, 3, 4, 8, chance.randrange(64), word(chance)))
        if chance.random() < 0.5:
            made = operand.words[0] ^ 1 << chance.randrange(4)
    words = list(code[at].words)
    words[operand.at] = made
    code[at] = Instruction(words)


def _change_constant(code: list[Instruction], known: Original, chance: random.Random) -> None:
    """Give a constant another value: mostly one that is likely not to be an index."""
    if known.constants:
        at = chance.choice(known.constants)
        words = list(code[at].words)
        small = words[3] < 8 and chance.random() < 0.7  # an index of a member, a scope, …
        words[3] = (
            chance.randrange(4)
            if small
            else chance.choice((16, chance.randrange(64), word(chance)))
        )
        code[at] = Instruction(words)


def _scrambled(data: bytes, chance: random.Random) -> bytes:
    words: Sequence[int] = memoryview(data[: len(data) & ~3]).cast("I").tolist()
    made = list(words)
    for _ in range(chance.randint(1, 3)):
        made[chance.randrange(5, len(made))] = chance.choice(
            (word(chance), chance.randrange(200), chance.choice(words))
        )
    return b"".join(each.to_bytes(4, "little") for each in made)
