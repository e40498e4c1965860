"""Ids and the types that later instructions are read with."""

from collections.abc import Iterable
from typing import NamedTuple

from .module import Instruction
from .tables.numbers import Opcode

__all__ = ["Context", "Number"]


class Number(NamedTuple):
    """A numeric type: `encoding` is the operand FPEncoding of a float, None for IEEE 754."""

    is_float: bool
    width: int
    signed: bool = False
    encoding: int | None = None


class Context:
    """Information about ids, collected while the instructions are read in order.

    numbers   numeric types by id
    types     type id of each value by its id
    imports   name of each extended instruction set by its id
    """

    __slots__ = ("imports", "numbers", "types")

    def __init__(self) -> None:
        self.numbers: dict[int, Number] = {}
        self.types: dict[int, int] = {}
        self.imports: dict[int, str] = {}

    def add(self, instruction: Instruction, result_type: int | None, result: int | None) -> None:
        """Take note of what an instruction defines."""
        if result is None:
            return
        words = instruction.words
        if result_type is not None:
            self.types[result] = result_type
            return
        match instruction.opcode:
            case Opcode.TypeInt if len(words) > 3:
                self.numbers[result] = Number(False, words[2], bool(words[3]))
            case Opcode.TypeFloat if len(words) > 2:
                encoding = words[3] if len(words) > 3 else None
                self.numbers[result] = Number(True, words[2], True, encoding)
            case Opcode.ExtInstImport:
                self.imports[result] = string_of(words[2:])[0]

    def number_of(self, value: int) -> Number | None:
        """Return the numeric type of a value; None if it has none."""
        return self.numbers.get(self.types.get(value, -1))


def string_of(words: Iterable[int]) -> tuple[str, int]:
    """Return the text of a literal string and the number of its words.

    Bytes that are not UTF-8 become lone surrogates. A string without a NUL takes all words.
    """
    raw = bytearray()
    count = 0
    for word in words:
        count += 1
        part = word.to_bytes(4, "little")
        end = part.find(0)
        if end >= 0:
            raw += part[:end]
            break
        raw += part
    return raw.decode("utf-8", "surrogateescape"), count
