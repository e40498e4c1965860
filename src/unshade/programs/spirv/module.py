"""SPIR-V modules as words: the header, the instructions, and trailing words.

    word 0    magic 0x07230203, which identifies the byte order
    word 1    version: 0x00010600 is 1.6
    word 2    generator: tool in the high 16 bits, its version in the low 16 bits
    word 3    bound: all ids are less
    word 4    schema, 0

    then instructions: | word count : 16 | opcode : 16 |, operands

Words are kept as they are, unknown opcodes and operands included. Reading ends at an instruction
whose word count is 0 or exceeds the remaining words, which become `trailing`.

Source: SPIR-V specification, section 2.3 (Physical Layout).
"""

import sys
from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import overload

from ...errors import FormatError, LimitError
from ...limits import DEFAULT, Limits

__all__ = [
    "FEW", "HEADER", "MAGIC", "Instruction", "Module", "PackedInstructions", "byte_order",
    "first_of", "opcodes_of", "positions_of",
]  # fmt: skip

MAGIC = 0x07230203
HEADER = 5  # words
FEW = 1 << 14  # instructions of a module that are kept as tuples (3 MB) and taken apart (10 MB)


class Instruction:
    """An instruction: its words, the first of which has word count and opcode.

    The operands' meaning depends on the module (`operands.py`): the width of a literal depends on a
    type.
    """

    __slots__ = ("words",)

    def __init__(self, words: Sequence[int]) -> None:
        self.words = tuple(words)

    @classmethod
    def of(cls, opcode: int, operands: Iterable[int] = ()) -> "Instruction":
        """Return an instruction of an opcode and operand words."""
        given = tuple(operands)
        return cls((opcode | len(given) + 1 << 16, *given))

    @property
    def opcode(self) -> int:
        """The number of the operation."""
        return self.words[0] & 0xFFFF

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruction) and other.words == self.words

    def __hash__(self) -> int:
        return hash(self.words)

    def __repr__(self) -> str:
        return f"Instruction({', '.join(f'0x{word:x}' for word in self.words)})"


class ReadWords(Sequence[tuple[int, ...]]):
    """The words of each instruction of a module that was read, as tuples when they are asked for.

    A tuple takes ten times the memory of the words in the file. So a pass over a large module makes
    one at a time, unless somebody has asked for all instructions as objects, which hold the tuples.
    Passes that look for some operations make the tuples of these alone (`positions_of`).
    """

    __slots__ = ("_kept", "_opcodes", "ends", "values")

    def __init__(self, values: "array[int]", ends: "array[int]") -> None:
        self.values = values
        self.ends = ends  # the index after each instruction; before them, that of the first one
        self._kept: list[tuple[int, ...]] | None = None
        self._opcodes: array[int] | None = None

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        if self._kept is None and len(self) > FEW:
            return self._read()
        return iter(self.keep())

    def keep(self) -> list[tuple[int, ...]]:
        """Return the words of all instructions, and keep them for later passes."""
        if self._kept is None:
            self._kept = [*self._read()]
        return self._kept

    @property
    def opcodes(self) -> "array[int]":
        """The opcode of each instruction."""
        if self._opcodes is None:
            values, ends = self.values, self.ends
            self._opcodes = array("H", [values[at] & 0xFFFF for at in ends[:-1]])
        return self._opcodes

    def _read(self) -> Iterator[tuple[int, ...]]:
        values = self.values
        at = HEADER
        for end in self.ends[1:]:
            yield tuple(values[at:end])
            at = end

    @overload
    def __getitem__(self, at: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[int, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if self._kept is not None:
            return self._kept[at]
        if at < 0:
            at = range(len(self))[at]
        ends = self.ends
        return tuple(self.values[ends[at] : ends[at + 1]])

    def append(self, words: Sequence[int]) -> None:
        """Add an instruction."""
        self.values.extend(words)
        self.ends.append(len(self.values))
        self._kept = self._opcodes = None

    def to_array(self) -> "array[int]":
        """Return the words of all instructions."""
        return self.values[HEADER : self.ends[-1]]

    def view(self) -> memoryview:
        """Return the words of all instructions, which cannot be added to while the view exists."""
        return memoryview(self.values)[HEADER : self.ends[-1]]


class PackedInstructions(Sequence[Instruction]):
    """Instructions that are added one by one, and kept as words in an array."""

    __slots__ = ("words",)

    def __init__(self) -> None:
        self.words = ReadWords(array("I", [0] * HEADER), array("I", [HEADER]))

    def append(self, instruction: Instruction) -> None:
        """Add an instruction."""
        self.words.append(instruction.words)

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, at: int) -> Instruction: ...
    @overload
    def __getitem__(self, at: slice) -> list[Instruction]: ...
    def __getitem__(self, at: int | slice) -> Instruction | list[Instruction]:
        if isinstance(at, slice):
            return [Instruction(each) for each in self.words[at]]
        return Instruction(self.words[at])

    def __iter__(self) -> Iterator[Instruction]:
        return map(Instruction, self.words)


class Module:
    """The words of a module.

    Attributes:
        order: "little" or "big".
        version, generator, bound, schema: Words of the header.
        instructions: In the order of the module.
        trailing: Bytes after the last whole instruction.
    """

    __slots__ = (
        "_instructions", "_read", "bound", "generator", "order", "schema", "trailing", "version"
    )  # fmt: skip

    def __init__(
        self,
        instructions: Iterable[Instruction] = (),
        *,
        version: int = 0x00010000,
        generator: int = 0,
        bound: int = 1,
        schema: int = 0,
        order: str = "little",
        trailing: bytes = b"",
    ) -> None:
        self._read: ReadWords | None = None  # until the instructions are asked for
        self._instructions: list[Instruction] = []
        if isinstance(instructions, PackedInstructions):
            self._read = instructions.words
        else:
            self._instructions += instructions
        self.version = version
        self.generator = generator
        self.bound = bound
        self.schema = schema
        self.order = order
        self.trailing = trailing

    @property
    def instructions(self) -> list[Instruction]:
        """The instructions; the list may be edited."""
        if self._read is not None:
            self._instructions, self._read = [Instruction(each) for each in self._read.keep()], None
        return self._instructions

    @instructions.setter
    def instructions(self, instructions: Iterable[Instruction]) -> None:
        self._instructions, self._read = list(instructions), None

    def words(self) -> Sequence[tuple[int, ...]]:
        """Return the words of each instruction, in the order of the module."""
        if self._read is not None:
            return self._read
        return [each.words for each in self._instructions]

    @classmethod
    def loads(cls, data: bytes | memoryview, limits: Limits = DEFAULT) -> "Module":
        """Read a module.

        Raises:
            FormatError: The header is incomplete, or has another magic number.
            LimitError: The number of instructions exceeds `limits`.
        """
        order = byte_order(data)
        if order is None:
            raise FormatError(f"expected the magic 0x{MAGIC:08x}", path="magic")
        if len(data) < 4 * HEADER:
            raise FormatError(
                f"expected a header of {4 * HEADER} bytes, got {len(data)}", path="header"
            )
        words = array("I", bytes(data[: len(data) & ~3]))
        if order != sys.byteorder:
            words.byteswap()
        total = len(words)
        ends = array("I", [HEADER])
        at = HEADER
        while at < total:
            end = at + (words[at] >> 16)
            if end == at or end > total:
                break
            ends.append(end)
            at = end
        found = ReadWords(words, ends)
        if len(found) > limits.instructions:
            raise LimitError("instructions", limits.instructions, len(found))
        _, version, generator, bound, schema = words[:HEADER]
        made = cls(
            version=version,
            generator=generator,
            bound=bound,
            schema=schema,
            order=order,
            trailing=bytes(data[4 * at :]),
        )
        made._read = found
        return made

    def to_bytes(self) -> bytes:
        """Return the bytes of the module, in its byte order."""
        words = array("I", [MAGIC, self.version, self.generator, self.bound, self.schema])
        if self._read is not None:
            if self.order == sys.byteorder:  # without a copy of all words
                return b"".join((words, self._read.view(), self.trailing))
            words += self._read.to_array()
        else:
            for each in self._instructions:
                words.extend(each.words)
        if self.order != sys.byteorder:
            words.byteswap()
        return words.tobytes() + self.trailing

    def offsets(self) -> Sequence[int]:
        """Return the offset in bytes of each instruction, and of the end of the last one."""
        if self._read is not None:
            return array("Q", (4 * each for each in self._read.ends))
        sizes = (4 * len(each) for each in self.words())
        return array("Q", accumulate(sizes, initial=4 * HEADER))


def opcodes_of(code: Sequence[tuple[int, ...]]) -> Iterable[int]:
    """Return the opcode of each instruction, given by its words."""
    if isinstance(code, ReadWords):
        return code.opcodes
    return (words[0] & 0xFFFF for words in code)


def positions_of(
    code: Sequence[tuple[int, ...]], opcodes: Container[int], end: int | None = None
) -> Iterator[int]:
    """Return the positions of the instructions with some opcodes, those before an end if given."""
    return compress(range(len(code))[:end], map(opcodes.__contains__, opcodes_of(code)))


def first_of(code: Sequence[tuple[int, ...]], *opcodes: int) -> int:
    """Return the position of the first instruction with one of some opcodes; without, the end."""
    return next(positions_of(code, opcodes), len(code))


def byte_order(data: bytes | memoryview) -> str | None:
    """Return the byte order of a module, "little" or "big"; None without the magic number."""
    start = bytes(data[:4])
    for order in ("little", "big"):
        if start == MAGIC.to_bytes(4, order):
            return order
    return None
