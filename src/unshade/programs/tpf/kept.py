"""Results that follow from the dwords of an instruction alone, kept for equal instructions.

    known[dwords of the instruction]  ->  its text, its plain data

A game has thousands of shaders with few thousands of different instructions. The cache is bounded
and cleared when full.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from .instruction import Instruction

__all__ = ["Kept", "keep"]

MOST = 1 << 14
LONGEST = 508  # bytes of an instruction that is kept: the longest but for tables of constants

T = TypeVar("T")


def keep(known: dict[bytes, T], key: bytes, value: T) -> None:
    """Add a value to the cache, unless its key is too long."""
    if len(key) <= LONGEST:
        if len(known) >= MOST:
            known.clear()
        known[key] = value


class Kept(Generic[T]):
    """A function of instructions whose results are cached for shared instructions.

    The result must depend on nothing but the dwords of the instruction.
    """

    __slots__ = ("known", "make")

    def __init__(self, make: "Callable[[Instruction], T]") -> None:
        self.make = make
        self.known: dict[bytes, T] = {}

    def of(self, instruction: "Instruction") -> T:
        """Return the result for one instruction."""
        encoded = instruction.encoded
        if encoded is None:
            return self.make(instruction)
        found = self.known.get(encoded)
        if found is None:
            found = self.make(instruction)
            keep(self.known, encoded, found)
        return found

    def of_all(self, instructions: "Sequence[Instruction]") -> "Iterable[T]":
        """Return the result for each instruction; those of a large program one by one."""
        if not isinstance(instructions, list):
            return map(self.of, instructions)
        known = self.known
        try:
            return [known[each.encoded] for each in instructions]
        except KeyError:  # some are new, or can be changed
            return [self.of(each) for each in instructions]
