"""Where uniforms and constants are: names from the bottom up, constants from the top down.

    c0 ─► .fvec a, b[4] …                … .constf k ◄─ c95
          kept for all sources              c95 again in the next source

All vertex shaders share one space, so a uniform of theirs never reaches what is a constant in any
of them; a geometry shader has one of its own, from the register that its `.gsh` names.
"""

from ....vocab.pica import BOOLS, FLOATS, INTEGERS
from ..tables.registers import RegisterFile

__all__ = ["RegisterSpace", "spaces"]


class RegisterSpace:
    """The registers `start` to `stop` of one file."""

    __slots__ = ("_constants", "_lowest_constant", "_next", "_stop")

    def __init__(self, start: int, stop: int) -> None:
        self._next = start
        self._stop = self._constants = self._lowest_constant = stop

    def next_source(self) -> None:
        """The constants of the source before are nobody's any more."""
        self._constants = self._stop

    def uniform(self, count: int) -> int | None:
        """The first of `count` registers for a uniform, None where there are not as many."""
        first = self._next
        if first + count > self._lowest_constant:
            return None
        self._next += count
        return first

    def constant(self, count: int) -> int | None:
        """The first of `count` registers for constants, None where there are not as many."""
        first = self._constants - count
        if first < self._next:
            return None
        self._constants = first
        self._lowest_constant = min(self._lowest_constant, first)
        return first


def spaces(first_float: int = 0, *, geometry: bool = False) -> dict[RegisterFile, RegisterSpace]:
    """A space for each kind of uniform; after a geometry shader b15 is set, so it gets none."""
    return {
        RegisterFile.FLOAT: RegisterSpace(first_float, FLOATS),
        RegisterFile.INTEGER: RegisterSpace(0, INTEGERS),
        RegisterFile.BOOL: RegisterSpace(0, BOOLS - 1 if geometry else BOOLS),
    }
