"""Mutants of programs of Shader Model 4 and 5: plausible ones, many of which run, or random ones.

    mad r0.xyz, r1.xyzx, cb0[2].xxxx, l(1.0)            a compiler's
    mad r0.yw, r1.xyzx, cb0[r0.z + 2].xxxx, l(NaN)      a mutant's

`changed` works on a few decoded instructions: it replaces registers, components, literals and
opcodes by others that fit; deletes, duplicates, moves and generates instructions, takes them from
another program, or encloses them in a loop or a branch; and changes numbers in declarations.
`scrambled` changes random dwords of the token stream.
"""

import random
from collections.abc import Callable, Sequence
from copy import deepcopy

from tests.hostile.pieces import (
    ALIKE,
    DECLARED,
    SOURCES,
    Body,
    acts,
    declared,
    doing,
    first,
    is_declaration,
    literal,
    operand_for,
    operands,
    scalar,
    signature,
    source,
    word,
)
from unshade.errors import UnshadeError
from unshade.programs.tpf import Instruction, Program, immediate, temp
from unshade.programs.tpf.decoding import decode_instructions
from unshade.programs.tpf.tables.enumerations import Components, OperandType
from unshade.programs.tpf.tables.tokens import OperandToken

__all__ = ["changed", "scrambled"]

Change = Callable[[Body, random.Random, Body], None]

BRACKETS = {
    "if": "endif", "loop": "endloop", "switch": "endswitch",
}  # fmt: skip
FLOW = (
    "else", "endif", "endloop", "endswitch", "break", "continue", "ret", "default", "loop",
)  # fmt: skip


def changed(program: Program, chance: random.Random, other: Program) -> None:
    """Make a few random changes to a program's instructions, some taken from `other`."""
    body = [deepcopy(each) for each in program.instructions]
    donor = [each for each in other.instructions if acts(each)]
    for _ in range(chance.choice((1, 2, 2, 3, 4, 6, 12))):
        change = chance.choices(CHANGES, WEIGHTS)[0]
        try:
            change(body, chance, donor)
        except (IndexError, ValueError):  # there is nothing of the kind to change
            continue
    program.instructions = body


def scrambled(words: Sequence[int], chance: random.Random) -> list[int]:
    """Return the words with one to three of them changed: one bit, or entirely."""
    found = list(words)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(found))
        found[at] = chance.choice((
            found[at] ^ 1 << chance.randrange(32), word(chance), chance.choice(found),
        ))  # fmt: skip
    return found


# ---------------------------------------------------------------- operands


def _change_literal(body: Body, chance: random.Random, donor: Body) -> None:
    literals = [
        operand
        for each in body
        if not is_declaration(each)
        for operand in each.operands
        if operand.literal
    ]
    if literals and chance.random() < 0.6:
        operand = chance.choice(literals)
        words = list(operand.literal)
        words[chance.randrange(len(words))] = word(chance)
        operand.literal = tuple(words)
        return
    instruction, at = chance.choice(operands(body, SOURCES))
    instruction.operands[at] = literal(chance)


def _change_register(body: Body, chance: random.Random, donor: Body) -> None:
    instruction, at = chance.choice(operands(body, frozenset("DNTSUGWRvfiudcxC")))
    operand = instruction.operands[at]
    index = chance.choice(operand.indices)
    if chance.random() < 0.2:
        index.immediate = word(chance)
    elif operand.type in DECLARED and index is operand.indices[0]:
        index.immediate = chance.choice(declared(body, operand.type))
    else:
        index.immediate = chance.randrange(6)


def _change_selection(body: Body, chance: random.Random, donor: Body) -> None:
    instruction, at = chance.choice(operands(body, frozenset("DTUWRGSfiudcx")))
    operand = instruction.operands[at]
    if operand.components == Components.FOUR:
        bits = chance.choice((1 << chance.randrange(8), chance.getrandbits(8)))
        operand.token ^= bits << 4


def _change_operand(body: Body, chance: random.Random, donor: Body) -> None:
    instruction, at = chance.choice(operands(body, SOURCES))
    instruction.operands[at] = source(body, chance)


def _change_modifier(body: Body, chance: random.Random, donor: Body) -> None:
    instruction, at = chance.choice(operands(body, SOURCES))
    match chance.randrange(4):
        case 0:
            instruction.saturate = 1 - instruction.saturate
        case 1:
            instruction.token ^= 1 << 18
        case _:
            instruction.operands[at].modifier = chance.randrange(4)


def _make_relative(body: Body, chance: random.Random, donor: Body) -> None:
    """Give a register a relative index."""
    found = operands(body, frozenset("DTSUWRGfiudcx"))
    several = [
        operand
        for instruction, at in found
        for operand in [instruction.operands[at]]
        if operand.indices and operand.type != OperandType.TEMP
    ]
    operand = chance.choice(several)
    index = operand.indices[-1]
    relative = scalar(body, chance)
    index.relative = None if index.relative is not None and chance.random() < 0.3 else relative
    if chance.random() < 0.2:
        index.immediate = word(chance)


def _change_kind(body: Body, chance: random.Random, donor: Body) -> None:
    """Move an operand to another register file."""
    instruction, at = chance.choice(operands(body, frozenset("DNTSUGWRfiudcx")))
    operand = instruction.operands[at]
    operand.token = OperandToken.type.put(operand.token, chance.randrange(43))
    if operand.type not in (OperandType.IMMEDIATE32, OperandType.IMMEDIATE64):
        operand.literal = ()
    elif operand.components == Components.FOUR:
        operand.literal = tuple(word(chance) for _ in range(4))
    elif operand.components == Components.ONE:
        operand.literal = (word(chance),)


# ---------------------------------------------------------------- instructions


def _change_opcode(body: Body, chance: random.Random, donor: Body) -> None:
    instruction = body[doing(body, chance)]
    row = instruction.op
    if row is None or not acts(instruction):
        return
    other = chance.choice(ALIKE[signature(row)])
    instruction.token = instruction.token & ~0x7FF | other.code


def _delete(body: Body, chance: random.Random, donor: Body) -> None:
    at = doing(body, chance)
    if acts(body[at]):
        del body[at]


def _double(body: Body, chance: random.Random, donor: Body) -> None:
    at = doing(body, chance)
    if acts(body[at]):
        body.insert(at, deepcopy(body[at]))


def _move(body: Body, chance: random.Random, donor: Body) -> None:
    at = doing(body, chance)
    if acts(body[at]):
        moved = body.pop(at)
        body.insert(chance.randrange(first(body), len(body)), moved)


def _splice(body: Body, chance: random.Random, donor: Body) -> None:
    """Insert a few instructions of the donor, on registers declared here."""
    start = chance.randrange(len(donor))
    taken = [deepcopy(each) for each in donor[start : start + chance.randrange(1, 5)]]
    for instruction in taken:
        for operand in instruction.operands:
            if operand.type in DECLARED and operand.indices:
                known = declared(body, operand.type)
                if known and chance.random() < 0.9:
                    operand.indices[0].immediate = chance.choice(known)
    at = chance.randrange(first(body), len(body))
    body[at:at] = taken


def _grow(body: Body, chance: random.Random, donor: Body) -> None:
    """Insert a random instruction of the table, on registers that exist."""
    row = chance.choice(chance.choice([*ALIKE.values()]))
    given = [operand_for(body, chance, letter) for letter in row.operands]
    made = Instruction(row.code | chance.getrandbits(1) << 13, given)
    body.insert(chance.randrange(first(body), len(body)), made)


def _enclose(body: Body, chance: random.Random, donor: Body) -> None:
    """Enclose some instructions in a loop, a branch or a switch."""
    start = chance.randrange(first(body), len(body))
    end, depth = start, 0
    for _ in range(chance.randrange(1, 8)):
        name = body[end].name if end < len(body) else "label"
        depth += (name in BRACKETS) - (name in BRACKETS.values())
        if depth < 0 or name == "label" or (not depth and name in ("case", "default", "else")):
            break
        end += 1
    if depth > 0:
        return
    inner = body[start:end]
    make = Instruction.make
    copied = [deepcopy(each) for each in inner if acts(each)]
    test = make("if", scalar(body, chance), test_nonzero=chance.randrange(2))
    leave = make("breakc", scalar(body, chance), test_nonzero=chance.randrange(2))
    ends = make("break")
    counter = chance.randrange(40, 44)
    letter = chance.choice("xyzw")
    match chance.randrange(6):
        case 0:
            made = [test, *inner, make("endif")]
        case 1:
            made = [test, *inner, make("else"), *copied[:3], make("endif")]
        case 2:
            made = [make("loop"), leave, *inner, make("endloop")]
        case 3:
            made = [
                make("switch", scalar(body, chance)),
                make("case", immediate(chance.choice((0, 1, word(chance))))), *inner, ends,
                make("default"), *copied[:3], deepcopy(ends), make("endswitch"),
            ]  # fmt: skip
        case _:  # a loop that ends
            one = temp(counter, select=letter)
            made = [
                make("loop"),
                make("ige", temp(counter, mask=letter), one, immediate(chance.randrange(1, 6))),
                make("breakc", deepcopy(one), test_nonzero=1),
                make("iadd", temp(counter, mask=letter), deepcopy(one), immediate(1)),
                *inner, make("endloop"),
            ]  # fmt: skip
            if chance.random() < 0.6:  # the test writes another register than it reads
                made[1].operands[0] = temp(39, mask=letter)
                made[2].operands[0] = temp(39, select=letter)
    body[start:end] = made


def _unbalance(body: Body, chance: random.Random, donor: Body) -> None:
    """Remove or add a block instruction, or misplace a jump."""
    if chance.random() < 0.5:
        flow = [
            at for at, each in enumerate(body) if each.op is not None and each.op.kind == "flow"
        ]
        del body[chance.choice(flow)]
        return
    at = chance.randrange(first(body), len(body) + 1)
    body.insert(at, Instruction.make(chance.choice(FLOW)))


def _change_declaration(body: Body, chance: random.Random, donor: Body) -> None:
    instruction = body[chance.randrange(first(body))]
    if instruction.payload:
        words = list(instruction.payload)
        words[chance.randrange(len(words))] = word(chance)
        instruction.payload = tuple(words)
        return
    numbers = [*instruction.words]
    indices = [index for operand in instruction.operands for index in operand.indices]
    choice = chance.randrange(4)
    small = chance.choice((0, 1, 2, 3, 4, 5, 8, 12, 16, 20, 64, word(chance)))
    if choice < 2 and numbers:
        numbers[chance.randrange(len(numbers))] = small
        instruction.words = tuple(numbers)
    elif choice == 2 and indices:
        chance.choice(indices).immediate = small
    else:
        instruction.token ^= 1 << chance.randrange(11, 24)


def _flip(body: Body, chance: random.Random, donor: Body) -> None:
    """Flip a bit of an instruction's dwords if it can still be decoded."""
    at = doing(body, chance)
    try:
        words = body[at].encode()
        place = chance.randrange(len(words))
        words[place] ^= 1 << chance.randrange(32)
        body[at : at + 1] = decode_instructions(tuple(words))
    except UnshadeError:
        return


# How often each is chosen.
TABLE: tuple[tuple[int, Change], ...] = (
    (4, _change_literal),
    (4, _change_register),
    (3, _change_selection),
    (3, _change_operand),
    (2, _change_modifier),
    (2, _make_relative),
    (1, _change_kind),
    (5, _change_opcode),
    (1, _delete),
    (1, _double),
    (2, _move),
    (2, _splice),
    (5, _grow),
    (4, _enclose),
    (1, _unbalance),
    (2, _change_declaration),
    (1, _flip),
)
CHANGES = [change for _, change in TABLE]
WEIGHTS = [weight for weight, _ in TABLE]
