"""Decoding of instructions; equal instructions of all programs are decoded once.

    dwords of the file  ->  SharedInstruction  ->  Instruction
                            read by the library    edited by users

Programs repeat their instructions: of 26,272 in the corpus, 9,427 differ. So a program refers to
shared instructions, and gets its own copies, which can be edited, when its list of instructions is
first requested. Shared instructions also share equal operands. Results that depend only on an
instruction's dwords, such as its text, are cached for equal instructions (kept.py).

An instruction takes twenty times the memory of its dwords. A large program keeps the dwords alone,
and decodes instructions again in blocks.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload

from ...errors import EncodeError, FormatError, LimitError
from ...limits import DEFAULT, Limits
from .instruction import CUSTOMDATA, LONG, Instruction
from .kept import MOST, keep
from .operands import LITERALS, MORE, ONE_INDEX, SHAPE, TYPES, Index, Operand, decode_operand
from .tables.ops import OPS

__all__ = [
    "PackedTokens", "SharedInstruction", "SharedList", "decode_instructions", "joined",
    "new_list", "own_instruction", "packed", "shared", "shared_form",
]  # fmt: skip

_TOKEN = struct.Struct("<I")
_PAIR = struct.Struct("<2I")
LARGE = 1 << 20  # bytes of a program that is kept as dwords; its instructions would take 20 MB
BLOCK = 256  # instructions of a large program that are decoded together
BLOCKS = 4  # that are kept
STATED = frozenset((CUSTOMDATA, *LONG))  # low bytes of opcodes with a length of their own


class SharedInstruction(Instruction):
    """An instruction of any number of programs, which must not be changed."""

    __slots__ = ("encoded",)
    encoded: bytes  # its dwords


class PackedTokens(Sequence[SharedInstruction]):
    """The instructions of a large program as dwords, decoded a block at a time on access."""

    __slots__ = ("_blocks", "_ends", "depth", "encoded")

    def __init__(self, depth: int = DEFAULT.depth) -> None:
        self.depth = depth  # the limit that the operands were decoded with
        self.encoded = bytearray()
        self._ends = array("I", [0])
        self._blocks: dict[int, list[SharedInstruction]] = {}  # those that were read last

    def append(self, instruction: SharedInstruction) -> None:
        """Add an instruction."""
        self.encoded += instruction.encoded
        self._ends.append(len(self.encoded))
        self._blocks.clear()

    def opcodes(self) -> list[int]:
        """Return the opcode of each instruction, for which no operand is decoded."""
        encoded = self.encoded
        return [encoded[at] | (encoded[at + 1] & 7) << 8 for at in self._ends[:-1]]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PackedTokens) and self.encoded == other.encoded:
            return True
        return (
            isinstance(other, list | PackedTokens)
            and len(self) == len(other)
            and all(mine == theirs for mine, theirs in zip(self, other, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, at: int) -> SharedInstruction: ...
    @overload
    def __getitem__(self, at: slice) -> list[SharedInstruction]: ...
    def __getitem__(self, at: int | slice) -> SharedInstruction | list[SharedInstruction]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not 0 <= at < len(self._ends) - 1:
            at = range(len(self))[at]  # from the end, or an IndexError
        return self._decoded(at // BLOCK)[at % BLOCK]

    def __iter__(self) -> Iterator[SharedInstruction]:
        for number in range((len(self) + BLOCK - 1) // BLOCK):
            yield from self._decoded(number)

    def _decoded(self, number: int) -> list[SharedInstruction]:
        block = self._blocks.get(number)
        if block is not None:
            return block
        ends = self._ends[number * BLOCK : (number + 1) * BLOCK + 1]
        data = bytes(self.encoded[ends[0] : ends[-1]])
        words = struct.unpack(f"<{len(data) // 4}I", data)
        known, operands, depth = _known(self.depth), _operands(), self.depth
        if len(operands) >= MOST:
            operands.clear()
        block = []
        at = 0
        for end in ends[1:]:
            stop = end - ends[0]
            encoded = data[at:stop]
            instruction = known.get(encoded)
            if instruction is None:
                instruction = SharedInstruction.__new__(SharedInstruction)
                _decode(instruction, words[at // 4 : stop // 4], 0, 0, depth, operands)
                instruction.encoded = encoded
            block.append(instruction)
            at = stop
        if len(self._blocks) >= BLOCKS:
            self._blocks.clear()
        self._blocks[number] = block
        return block


SharedList = list[SharedInstruction] | PackedTokens
SharedOperands = dict[tuple[int, ...] | int, Operand]  # by their dwords


@lru_cache(maxsize=1)
def _operands() -> SharedOperands:
    """Return the operands of shared instructions that were decoded so far."""
    return {}


@lru_cache(maxsize=4)
def _known(depth: int) -> dict[bytes, SharedInstruction]:
    """Return the instructions decoded so far with a limit on the depth of operands."""
    return {}


def new_list(size: int, depth: int = DEFAULT.depth) -> SharedList:
    """Return an empty list for the instructions of a program of about `size` bytes."""
    return PackedTokens(depth) if size >= LARGE else []


def packed(data: bytes) -> PackedTokens:
    """Return the instructions in dwords, for a large program; raise the errors of `shared`."""
    found = PackedTokens()
    shared(data, found=found)
    return found


def joined(instructions: SharedList) -> bytes:
    """Return the dwords of a program's instructions."""
    if isinstance(instructions, PackedTokens):
        return bytes(instructions.encoded)
    return b"".join([each.encoded for each in instructions])


def shared(
    data: bytes,
    at: int = 0,
    limits: Limits = DEFAULT,
    found: SharedList | None = None,
) -> SharedList:
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
