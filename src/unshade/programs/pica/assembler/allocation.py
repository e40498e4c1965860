"""Register allocation: uniforms from the lowest register up, constants from the highest down.

    c0 ─► .fvec a, b[4] …                … .constf k ◄─ c95
          kept for all sources              c95 again in the next source

All vertex shaders share the registers, so a uniform never overlaps a constant of any vertex shader.
A geometry shader has separate registers, from the register that its `.gsh` names.
"""

from ....vocab.pica import BOOLS, FLOATS, INTEGERS
from ..tables.registers import RegisterFile

__all__ = ["RegisterSpace", "spaces"]


class RegisterSpace:
    """The allocatable registers of one file, from `start` up to but excluding `stop`."""

    __slots__ = ("_constants", "_lowest_constant", "_next", "_stop")

    def __init__(self, start: int, stop: int) -> None:
        self._next = start
        self._stop = self._constants = self._lowest_constant = stop

    def next_source(self) -> None:
        """Free the constants of the previous source."""
        self._constants = self._stop

    def uniform(self, count: int) -> int | None:
        """Allocate `count` registers for a uniform; return the first, None if there is no room."""
        first = self._next
        if first + count > self._lowest_constant:
            return None
        self._next += count
        return first

    def constant(self, count: int) -> int | None:
        """Allocate `count` registers for constants; return the first, None if there is no room."""
        first = self._constants - count
        if first < self._next:
            return None
        self._constants = first
        self._lowest_constant = min(self._lowest_constant, first)
        return first


def spaces(first_float: int = 0, *, geometry: bool = False) -> dict[RegisterFile, RegisterSpace]:
    """Return a space for each file; a geometry shader gets no b15, which the hardware sets."""
    return {
        RegisterFile.FLOAT: RegisterSpace(first_float, FLOATS),
        RegisterFile.INTEGER: RegisterSpace(0, INTEGERS),
        RegisterFile.BOOL: RegisterSpace(0, BOOLS - 1 if geometry else BOOLS),
    }
