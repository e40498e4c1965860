"""Ids and the types that later instructions are read with."""

from collections.abc import Sequence
from struct import pack
from typing import NamedTuple

from .tables.numbers import Opcode

__all__ = ["Context", "Number", "string_of", "string_words"]


class Number(NamedTuple):
    """A numeric type: `encoding` is the operand FPEncoding of a float, None for IEEE 754."""

    is_float: bool
    width: int
    signed: bool = False
    encoding: int | None = None

    def integer(self, bits: int) -> int | None:
        """Return the value of an integer with these low bits; None unless 1 to 64 bits wide."""
        width = self.width
        if not 0 < width <= 64:
            return None
        bits &= (1 << width) - 1
        return bits - (1 << width) if self.signed and bits >> (width - 1) else bits

    @property
    def words(self) -> int:
        """Words of a literal of the type."""
        return max(1, self.width + 31 >> 5)


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

    def add(self, words: tuple[int, ...], result_type: int | None, result: int | None) -> None:
        """Record the definitions of an instruction."""
        if result is None:
            return
        if result_type is not None:
            self.types[result] = result_type
            return
        match words[0] & 0xFFFF:
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


def string_of(words: Sequence[int]) -> tuple[str, int]:
    """Return the text of a literal string and the number of its words.

    Bytes that are not UTF-8 become lone surrogates. A string without a NUL takes all words.
    """
    raw = pack(f"<{len(words)}I", *words)
    end = raw.find(0)
    if end < 0:
        return raw.decode("utf-8", "surrogateescape"), len(words)
    return raw[:end].decode("utf-8", "surrogateescape"), end // 4 + 1


def string_words(words: Sequence[int]) -> int:
    """Return the number of words of a literal string."""
    end = pack(f"<{len(words)}I", *words).find(0)
    return len(words) if end < 0 else end // 4 + 1
