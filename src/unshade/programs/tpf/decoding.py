"""Decoding of instructions; equal instructions of all programs are decoded once.

    dwords of the file  ->  SharedInstruction  ->  Instruction
                            read by the library    edited by users

Programs repeat their instructions: of 26,272 in the corpus, 9,427 differ. So a program refers to
shared instructions, and gets its own copies, which can be edited, when its list of instructions is
first requested. Shared instructions also share equal operands. Results that depend only on an
instruction's dwords, such as its text, are cached for equal instructions (kept.py).
"""

from __future__ import annotations

import struct
from functools import lru_cache

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from .instruction import CUSTOMDATA, LONG, Instruction
from .kept import MOST, keep
from .operands import LITERALS, MORE, ONE_INDEX, SHAPE, TYPES, Index, Operand, decode_operand
from .tables.ops import OPS

__all__ = ["SharedInstruction", "decode_instructions", "own_instruction", "shared", "shared_form"]

_TOKEN = struct.Struct("<I")
_PAIR = struct.Struct("<2I")
STATED = frozenset((CUSTOMDATA, *LONG))  # low bytes of opcodes with a length of their own


class SharedInstruction(Instruction):
    """An instruction of any number of programs, which must not be changed."""

    __slots__ = ("encoded",)
    encoded: bytes  # its dwords


SharedOperands = dict[tuple[int, ...] | int, Operand]  # by their dwords


@lru_cache(maxsize=1)
def _operands() -> SharedOperands:
    """Return the operands of shared instructions that were decoded so far."""
    return {}


@lru_cache(maxsize=4)
def _known(depth: int) -> dict[bytes, SharedInstruction]:
    """Return the instructions decoded so far with a limit on the depth of operands."""
    return {}


def shared(
    data: bytes,
    at: int = 0,
    limits: Limits = DEFAULT,
    found: list[SharedInstruction] | None = None,
) -> list[SharedInstruction]:
    """Decode the instructions from offset `at` to the end.

    Args:
        data: The dwords of the program, to which the offsets of errors refer.
        at: The offset of the first instruction.
        limits: Limits on the number of instructions and the depth of operands.
        found: A list to append to; after an error it contains the instructions before the damage.

    Raises:
        FormatError: The data is malformed.
        LimitError: The data exceeds a limit.
    """
    found = [] if found is None else found
    known, operands = _known(limits.depth), _operands()
    end = len(data)
    for _ in range(limits.instructions - len(found)):
        if at >= end:
            break
        stop = at + (data[at + 3] << 2 & 0x1FC)  # the length is in the fourth byte of the token
        if data[at] in STATED or not at < stop <= end:
            stop = at + 4 * _stated_length(data, at, len(found))
        encoded = data[at:stop]
        instruction = known.get(encoded)
        if instruction is None:
            words = struct.unpack(f"<{(stop - at) // 4}I", encoded)
            instruction = SharedInstruction.__new__(SharedInstruction)
            if len(operands) >= MOST:
                operands.clear()
            _decode(instruction, words, at // 4, len(found), limits.depth, operands)
            instruction.encoded = encoded
            keep(known, encoded, instruction)
        found.append(instruction)
        at = stop
    if at < end:
        raise LimitError("instructions", limits.instructions, "more")
    return found


def _stated_length(data: bytes, at: int, number: int) -> int:
    """Return the length in dwords of instruction `number`, which may be stated after its token."""
    end = len(data)
    (token,) = _TOKEN.unpack_from(data, at)
    opcode = token & 0x7FF
    length = token >> 24 & 127
    if opcode == CUSTOMDATA or (token & MORE and opcode in LONG):
        length = _PAIR.unpack_from(data, at)[1] if at + 8 <= end else 2
    return _checked(length, opcode, end - at, at, number)


def shared_form(instruction: Instruction) -> SharedInstruction | None:
    """Return the shared instruction equal to another; None if the dwords are not of that form."""
    try:
        words = instruction.encode()
        found = shared(struct.pack(f"<{len(words)}I", *words))
    except (EncodeError, FormatError, LimitError, struct.error):
        return None
    return found[0] if len(found) == 1 and found[0] == instruction else None


def own_instruction(instruction: SharedInstruction) -> Instruction:
    """Return an equal instruction that can be changed."""
    encoded = instruction.encoded
    made = Instruction.__new__(Instruction)
    depth = len(encoded)  # more than any operand has
    _decode(made, struct.unpack(f"<{len(encoded) // 4}I", encoded), 0, 0, depth)
    return made


def decode_instructions(words: tuple[int, ...], limits: Limits = DEFAULT) -> list[Instruction]:
    """Decode editable instructions from their dwords; raise the errors of `shared`."""
    data = struct.pack(f"<{len(words)}I", *words)
    return [own_instruction(each) for each in shared(data, limits=limits)]


def _checked(length: int, opcode: int, left: int, at: int, number: int) -> int:
    """Return the length in dwords of instruction `number`; FormatError if it does not fit."""
    least = 2 if opcode == CUSTOMDATA else 1
    if not least <= length <= left // 4:
        raise FormatError(
            f"expected a length of {least} to {left // 4} dwords, got {length}",
            offset=at,
            path=f"instructions[{number}].length",
        )
    return length


def _decode(
    instruction: Instruction,
    words: tuple[int, ...],
    pos: int,
    number: int,
    depth: int,
    known: SharedOperands | None = None,
) -> None:
    """Set the fields of an instruction from its dwords.

    For errors, `pos` is the index of the first dword in the part, and `number` the index of the
    instruction. An operand that is `known` is taken from there, another one added.
    """
    token = words[0]
    opcode = token & 0x7FF
    instruction.token = token
    instruction.extended = instruction.words = ()
    instruction.operands = operands = []
    instruction.payload = None
    row = OPS.by_code.get(opcode)
    if row is None:
        instruction.words = words[1:]
        return
    if opcode == CUSTOMDATA:
        instruction.payload = words[2:]
        return
    length = len(words)
    at = 1
    if token & MORE:
        if opcode not in LONG:
            while at < length and words[at] & MORE:
                at += 1
        at += 1
        if at > length:
            raise FormatError(
                "the extended opcode tokens exceed the instruction",
                offset=4 * (pos + length),
                path=f"instructions[{number}].extended",
            )
        instruction.extended = words[1:at]
    leading = row.leading
    first = at
    at += leading
    new_operand, new_index = Operand.__new__, Index.__new__
    try:
        for _ in row.operands:
            # The most frequent kind, without a call: r0.xy, one constant index.
            if at + 1 < length and words[at] & SHAPE == ONE_INDEX and words[at] & TYPES != LITERALS:
                if known is not None:
                    key = words[at] << 32 | words[at + 1]
                    if key in known:
                        operands.append(known[key])
                        at += 2
                        continue
                operand = new_operand(Operand)
                operand.token = words[at]
                operand.extended = operand.literal = ()
                index = new_index(Index)
                index.immediate = words[at + 1]
                index.relative = None
                index.kept = 0
                operand.indices = [index]
                at += 2
                if known is not None:
                    known[key] = operand
            else:
                start = at
                operand, at = decode_operand(words, at, pos, depth, depth)
                if known is not None:
                    operand = known.setdefault(words[start:at], operand)
            operands.append(operand)
    except FormatError as error:
        path = f"instructions[{number}].operands[{len(operands)}]"
        raise error.within(0, path) from None
    if at < length or leading:
        instruction.words = words[first : first + leading] + words[at:]
