"""SMOL-V: modules of SPIR-V in fewer bytes, as Unity (Vulkan) and Godot store them.

    "LOMS"  version of SPIR-V 3 bytes, of SMOL-V 1  generator  bound  schema  bytes of the module
    instructions until the module is complete:
        length and opcode        one varint: LLLO OOLO in hexadecimal, low digits of common ones
        type                     varint, if it has one
        result                   as a difference from the result before
        some ids                 as differences from the result
        the rest                 varints, or words of four bytes
    OpDecorate, OpMemberDecorate         targets as differences from the target before; all that
                                         follow each other for one structure in one piece
    OpVectorShuffle                      up to four components in one byte

A varint has seven bits in a byte, the lowest first. A difference that may be negative has its sign
in the lowest bit. Version 0 is ambiguous: the first release, which Unity used from 2017 to 2020,
wrote ids that come before without a sign, and decorations of members one by one. Read in the other
way, a module does not end, or has ids that no instruction defines.

Source: facts from smolv.cpp of aras-p/smol-v, which is in the public domain.
"""

import struct
from functools import cache
from typing import Any

from ..tuples import NamedTuple
from .archive import ArchiveEntry, Opened
from .budget import UnpackBudget

__all__ = ["smolv"]

MAGIC = 0x07230203  # of SPIR-V
HEADER = struct.Struct("<4x5I")
NEWEST, LATEST = 1, 0x10600  # versions: of SMOL-V, of SPIR-V
KNOWN = (331, 367)  # opcodes that a version knows
WIDEST = 5  # bytes of a varint
DENSE = 2  # words that a byte makes at most: of the decoration of a member
SLOW = 8  # bytes that a library unpacks in the time of one
LIMIT = 0xFFFFFFFF

SHORT_SHUFFLE, SHUFFLE = 13, 79
DECORATE, MEMBER_DECORATE = 71, 72
OFFSET = 35  # decoration
# Rare opcodes that are written in place of common ones, and the reverse.
SWAPPED = {0: DECORATE, 1: 61, 2: 62, 3: 65, 4: SHUFFLE, 7: MEMBER_DECORATE, 8: 248, 9: 59,
           10: 133, 11: 129, 14: 32, 15: 127}  # fmt: skip
OPCODES = SWAPPED | {common: rare for rare, common in SWAPPED.items()}
# Words that an instruction has in addition to those that its length counts.
LONGER = {SHUFFLE: 5, SHORT_SHUFFLE: 5, DECORATE: 3, 61: 4, 65: 4}
# Ids of the control flow, which had a sign in the first release, too.
SIGNED = frozenset({224, 225, 246, 247, 249, 250, 329})

# By opcode: whether it has a type, whether it has a result, ids that count from the result, and
# whether the rest are varints.
ROWS = """
    - - 0 v  3 8 14-17 39 71-72 331-332
    - - 1 -  249
    - - 1 v  247
    - - 2 -  225
    - - 2 v  62 246 329
    - - 3 -  224
    - - 3 v  99 250
    - r 0 -  11 73 248
    - r 0 v  19-38
    t r 0 -  1 9 18 40-43 46-50 52-53 55 58 60 66-70 76 84-86 108 125 153 192-193 206-217 222-223
    t r 0 -  226-227 229-245 258-259 261-279 282-286 289-296 299-300 303-304 318 320-327 330
    t r 0 v  12 45 54 59 65 328
    t r 1 -  83 100-102 104 106-107 109-122 124 126-127 154-160 168 200 204-205 316
    t r 1 v  61 77 81 123 333-366
    t r 2 -  103 105 128-152 161-167 170-191 194-199
    t r 2 v  13 78-79 82 87-88 91-92 95 98 305-306 309-310 313
    t r 3 -  169 202-203
    t r 3 v  89-90 93-94 96-97 307-308 311-312 314-315
    t r 4 -  201
    t r 9 -  44 51 57 80
"""


class OpcodeCoding(NamedTuple):
    """Rules by which the words of an instruction are written."""

    has_type: bool = False
    has_result: bool = False
    relative: int = 0
    varints: bool = False


PLAIN = OpcodeCoding()


@cache
def _codings(version: int) -> dict[int, OpcodeCoding]:
    """Return the opcodes that a version of SMOL-V knows."""
    found: dict[int, OpcodeCoding] = {}
    for line in ROWS.split("\n"):
        kind, result, relative, rest, *opcodes = line.split() or [""] * 4
        coding = OpcodeCoding(kind == "t", result == "r", int(relative or 0), rest == "v")
        for each in opcodes:
            first, _, last = each.partition("-")
            found |= dict.fromkeys(range(int(first), int(last or first) + 1), coding)
    return {opcode: each for opcode, each in found.items() if opcode < KNOWN[version]}


def smolv(data: Any, at: int, budget: UnpackBudget) -> Opened | None:
    """Read a module."""
    head = bytes(data[at : at + HEADER.size])
    if len(head) < HEADER.size:
        return None
    word, generator, bound, schema, size = HEADER.unpack(head)
    version, spirv = word >> 24, word & 0xFFFFFF
    if version > NEWEST or not 0x10000 <= spirv <= LATEST or size % 4 or size < 20:
        return None
    if size > 4 * DENSE * (len(data) - at):
        return None
    budget.check(size)
    made: list[_SmolReader] = []
    for first in (False, True) if version == 0 else (False,):
        reader = _SmolReader(data, at + HEADER.size, size // 4 - 5, version, first)
        if reader.whole():
            made.append(reader)
        budget.waste(SLOW * 4 * len(reader.words))
    if not made:
        return None
    budget.take(size)
    reader = min(made, key=lambda each: len(each.used - each.results))
    words = struct.pack(f"<{size // 4}I", MAGIC, spirv, generator, bound, schema, *reader.words)
    return Opened(reader.at - at, iter([ArchiveEntry("", words)]))


class _SmolReader:
    """The words of a module that were read so far.

    Args:
        data: The bytes that hold it.
        at: The place of its first instruction.
        count: Words of the module.
        version: That of SMOL-V.
        first: Read version 0 as the first release wrote it.
    """

    def __init__(self, data: Any, at: int, count: int, version: int, first: bool) -> None:
        self.data = data
        self.count = count
        self.codings = _codings(version)
        self.first = first
        self.at = at
        self.words: list[int] = []
        self.result = self.target = 0
        self.results: set[int] = set()
        self.used: set[int] = set()  # ids that are written as differences

    def whole(self) -> bool:
        """Read all instructions; return True if they have as many words as the module."""
        try:
            while len(self.words) < self.count:
                self.instruction()
        except (IndexError, struct.error):
            return False
        return True

    def varint(self) -> int:
        """Return the next varint."""
        byte: int = self.data[self.at]
        self.at += 1
        if byte < 0x80:
            return byte
        value, shift = byte & 0x7F, 7
        while byte >= 0x80:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if shift > 7 * WIDEST:
                raise IndexError
        return value & LIMIT

    def difference(self) -> int:
        """Return the next varint with its sign."""
        value = self.varint()
        return -(value + 1 >> 1) if value & 1 else value >> 1

    def instruction(self) -> None:
        """Read an instruction."""
        value = self.varint()
        length = (value >> 20 << 4) | (value >> 4 & 0xF)
        opcode = (value >> 4 & 0xFFF0) | (value & 0xF)
        opcode = OPCODES.get(opcode, opcode)
        length += LONGER.get(opcode, 1)
        short = opcode == SHORT_SHUFFLE
        opcode = SHUFFLE if short else opcode
        coding = self.codings.get(opcode, PLAIN)
        words = self.words
        end = len(words) + length
        if end > self.count or length > 0xFFFF:
            raise IndexError
        words.append(length << 16 | opcode)
        if coding.has_type:
            words.append(self.varint())
        if coding.has_result:
            self.result = (self.result + self.difference()) & LIMIT
            self.results.add(self.result)
            words.append(self.result)
        if opcode in (DECORATE, MEMBER_DECORATE):
            step = self.varint() if self.first else self.difference()
            self.target = (self.target + step) & LIMIT
            self.used.add(self.target)
            words.append(self.target)
            if opcode == MEMBER_DECORATE and not self.first:
                self._members()
                return
        signed = not self.first or opcode in SIGNED
        for _ in range(min(coding.relative, end - len(words))):
            id = (self.result - (self.difference() if signed else self.varint())) & LIMIT
            self.used.add(id)
            words.append(id)
        if short and length <= 9:
            packed = self.data[self.at]
            self.at += 1
            words += [packed >> shift & 3 for shift in (6, 4, 2, 0)][: length - 5]
        elif coding.varints:
            words += [self.varint() for _ in range(end - len(words))]
        elif len(words) < end:
            left = end - len(words)
            words += struct.unpack_from(f"<{left}I", self.data, self.at)
            self.at += 4 * left
        if len(words) != end:
            raise IndexError

    def _members(self) -> None:
        """Read the decorations of members of one structure; the first has its start already."""
        number = self.data[self.at]
        self.at += 1
        member = offset = 0
        start = self.words[-2:]
        del self.words[-2:]
        for _ in range(number):
            member = (member + self.varint()) & LIMIT
            decoration = self.varint()
            known = _extra_words(decoration)
            length = 4 + (self.varint() if known is None else known)
            if length > 0xFFFF or len(self.words) + length > self.count:
                raise IndexError
            self.words += (length << 16 | MEMBER_DECORATE, start[1], member, decoration)
            if decoration == OFFSET:
                offset = (offset + self.varint()) & LIMIT
                self.words.append(offset)
            else:
                self.words += [self.varint() for _ in range(length - 4)]


def _extra_words(decoration: int) -> int | None:
    """Return the words behind a decoration; None if the length is written."""
    if decoration == 0 or 2 <= decoration <= 5:
        return 0
    return 1 if 29 <= decoration <= 37 else None
