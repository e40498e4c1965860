"""Names of registers, procedures and labels in the text of a program.

    c0-c3 named projection        c2 is projection[2], c0 with a0.x is projection[a0.x]
    v15                           v14[1], since picasso cannot write it
    c5, if a uniform is named c5  c0x5, another spelling of the same number

Names are local to a source.
"""

from collections.abc import Mapping

from ....tuples import NamedTuple
from ..tables.registers import Register, RegisterFile, address_name
from .outline import CodeRange

__all__ = ["NamedRegisters", "SourceNames"]

UNWRITABLE = Register(RegisterFile.INPUT, 15)


class NamedRegisters(NamedTuple):
    """A name for `size` registers from `first` on."""

    name: str
    first: Register
    size: int = 1


class SourceNames:
    """The names in one source."""

    def __init__(
        self,
        ranges: tuple[NamedRegisters, ...] = (),
        procedures: Mapping[CodeRange, str] | None = None,
        labels: Mapping[int, str] | None = None,
    ) -> None:
        self.procedures = procedures or {}
        self.labels = labels or {}
        self._taken = frozenset(each.name for each in ranges)
        self._known: dict[Register, tuple[NamedRegisters, int]] = {}
        for each in ranges:
            for offset in range(each.size):
                register = Register(each.first.file, each.first.number + offset)
                self._known.setdefault(register, (each, offset))

    def register(self, register: Register, index: int = 0) -> str:
        """Return the spelling of a register, with an address register if `index` is not 0."""
        known = self._known.get(register)
        if known is not None:
            name, offset, alone = known[0].name, known[1], known[0].size == 1
        elif register == UNWRITABLE:
            name, offset, alone = self._spelled(Register(register.file, 14)), 1, False
        else:
            name, offset, alone = self._spelled(register), 0, True
        if index:
            return f"{name}[{address_name(index)}{f'+{offset}' if offset else ''}]"
        return name if alone else f"{name}[{offset}]"

    def _spelled(self, register: Register) -> str:
        plain = str(register)
        return f"{register.file}0x{register.number:x}" if plain in self._taken else plain
