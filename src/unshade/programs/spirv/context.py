"""Ids and the types that later instructions are read with."""

from array import array
from collections.abc import Iterator, MutableMapping, Sequence
from struct import pack
from typing import TypeVar, overload

from ...tuples import NamedTuple
from .tables.numbers import Opcode

__all__ = ["Context", "IdTable", "Number", "string_of", "string_words"]


T = TypeVar("T")
D = TypeVar("D")


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


class IdTable(MutableMapping[int, int]):
    """Numbers by id, in an array: four bytes for each id below `near`.

    Other ids, and ids whose number is 0, are in a dict.
    """

    __slots__ = ("far", "near")

    def __init__(self, near: int) -> None:
        self.near = array("I", bytes(4 * near))
        self.far: dict[int, int] = {}

    def __contains__(self, number: object) -> bool:
        if isinstance(number, int) and 0 <= number < len(self.near) and self.near[number]:
            return True
        return number in self.far

    def __getitem__(self, number: int) -> int:
        near = self.near
        found = near[number] if 0 <= number < len(near) else 0
        return found or self.far[number]

    @overload
    def get(self, number: int, default: None = None) -> int | None: ...
    @overload
    def get(self, number: int, default: int | D) -> int | D: ...
    def get(self, number: int, default: int | D | None = None) -> int | D | None:
        """Return the number of an id, or the default."""
        near = self.near
        found = near[number] if 0 <= number < len(near) else 0
        return found or self.far.get(number, default)

    def __setitem__(self, number: int, value: int) -> None:
        if 0 <= number < len(self.near):
            self.near[number] = value
            if value:
                self.far.pop(number, None)
                return
        self.far[number] = value

    def __delitem__(self, number: int) -> None:
        if self[number] and 0 <= number < len(self.near):
            self.near[number] = 0
        else:
            del self.far[number]

    def __iter__(self) -> Iterator[int]:
        yield from (number for number, value in enumerate(self.near) if value)
        yield from self.far

    def __len__(self) -> int:
        return len(self.near) - self.near.count(0) + len(self.far)


class Context:
    """Information about ids, collected while the instructions are read in order.

    numbers    numeric types by id
    types      type id of each value by its id
    imports    name of each extended instruction set by its id
    unsettled  True once an id was declared again in another way, or an import was used before its
               declaration: instructions before then may read otherwise with all declarations known
    """

    __slots__ = ("imports", "numbers", "types", "unsettled")

    def __init__(self, types: MutableMapping[int, int] | None = None) -> None:
        self.numbers: dict[int, Number] = {}
        self.types: MutableMapping[int, int] = {} if types is None else types
        self.imports: dict[int, str] = {}
        self.unsettled = False

    def add(self, words: tuple[int, ...], result_type: int | None, result: int | None) -> None:
        """Record the definitions of an instruction."""
        if result is None:
            return
        if result_type is not None:
            types = self.types
            if result in types and types[result] != result_type:
                self.unsettled = True
            types[result] = result_type
            return
        match words[0] & 0xFFFF:
            case Opcode.TypeInt if len(words) > 3:
                self._declare(self.numbers, result, Number(False, words[2], bool(words[3])))
            case Opcode.TypeFloat if len(words) > 2:
                encoding = words[3] if len(words) > 3 else None
                self._declare(self.numbers, result, Number(True, words[2], True, encoding))
            case Opcode.ExtInstImport:
                self._declare(self.imports, result, string_of(words[2:])[0])

    def _declare(self, table: dict[int, T], result: int, value: T) -> None:
        if table.setdefault(result, value) != value:
            table[result], self.unsettled = value, True

    def import_of(self, number: int) -> str:
        """Return the name of an extended instruction set; "" if nothing imports it so far."""
        found = self.imports.get(number)
        self.unsettled |= found is None
        return found or ""

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
