"""Declarations of the names of a DVLE that make picasso assign the same registers.

    .in position v0
    .fvec projection[4]          c0
    .fvec _gap0[2]               c4: unused and hidden, so that the next one is in its place
    .fvec light$dir              c6, whose name is light.dir

picasso assigns registers in ascending order, for all vertex shaders together. If declaring file by
file does not reproduce the registers, a separate file comes first: it makes no DVLE and declares
the uniforms of all vertex shaders.

A name that cannot be declared becomes an alias, if it is an identifier; the exact dialect writes
the table itself.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from .....isa.linked import LinkedLine
from .....programs.pica.tables.registers import Register, RegisterFile
from .....programs.pica.text.names import NamedRegisters, SourceNames
from .....vocab.pica import BOOLS, FLOATS, INTEGERS
from ...records import Uniform
from ...spelling import FILES

__all__ = ["UniformAllocator", "alias_lines", "alias_ranges", "identifier", "ranges_of"]

IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
REGISTER = re.compile(r"[ovrcib]\d", re.ASCII)
DIRECTIVES = {"c": ".fvec", "i": ".ivec", "b": ".bool"}
SIZES = {"c": FLOATS, "i": INTEGERS, "b": BOOLS}
GEOMETRY_BOOLS = BOOLS - 1  # the hardware sets b15


def identifier(name: str) -> str | None:
    """Return a name as spelled in source; None if the name cannot be spelled."""
    text = name.replace(".", "$")
    return text if IDENTIFIER.fullmatch(text) and "$" not in name else None


def ranges_of(uniforms: Sequence[Uniform]) -> list[NamedRegisters] | None:
    """Return the rows as names of registers; None if picasso could not write a range."""
    found = []
    for each in uniforms:
        name = identifier(each.symbol)
        first = _register(each.start)
        last = _register(each.end)
        if name is None or name.startswith("_") or first is None or last is None:
            return None
        if first.file != last.file or last.number < first.number:
            return None
        count = last.number - first.number + 1
        if first.file == RegisterFile.INPUT and count > 1:
            return None
        found.append(NamedRegisters(name, first, count))
    names = {each.name for each in found}
    starts = [each.start for each in uniforms]
    return found if len(names) == len(found) and starts == sorted(starts) else None


def _register(number: int) -> Register | None:
    for letter, first, count in FILES:
        if first <= number < first + count:
            return Register(RegisterFile(letter), number - first)
    return None


class UniformAllocator:
    """The allocation of uniforms, shared by vertex shaders: next registers and known names."""

    def __init__(self, first_float: int = 0, *, geometry: bool = False) -> None:
        self.next = {"c": first_float, "i": 0, "b": 0}
        self.sizes = {**SIZES, "b": GEOMETRY_BOOLS} if geometry else SIZES
        self.known: dict[str, NamedRegisters] = {}
        self.gaps = 0

    def declare(self, ranges: Iterable[NamedRegisters]) -> list[str] | None:
        """Return the declarations, None if a register cannot be assigned any more.

        Lines are linked to the rows of the table that the ranges come from.
        """
        lines: list[str] = []
        for at, each in enumerate(ranges):
            row = f"uniforms[{at}]"
            file = each.first.file
            if file == RegisterFile.INPUT:
                line = f".in {each.name} {SourceNames().register(each.first)}"
                lines.append(LinkedLine(line, row))
                continue
            known = self.known.get(each.name)
            if known is not None:
                if known != each:
                    return None
            else:
                gap = each.first.number - self.next[file]
                if gap < 0 or each.first.number + each.size > self.sizes[file]:
                    return None
                if gap:
                    lines.append(_line(file, f"_gap{self.gaps}", gap))
                    self.gaps += 1
                self.next[file] += gap + each.size
                self.known[each.name] = each
            lines.append(LinkedLine(_line(file, each.name, each.size), row))
        return lines


def alias_ranges(uniforms: Sequence[Uniform]) -> dict[int, NamedRegisters]:
    """Return the rows whose names can serve as aliases in code, by their numbers in the table."""
    found: dict[int, NamedRegisters] = {}
    names: set[str] = set()
    taken: set[Register] = set()
    for at, each in enumerate(uniforms):
        name, first, last = identifier(each.symbol), _register(each.start), _register(each.end)
        if name is None or first is None or last is None or REGISTER.match(name):
            continue
        count = last.number - first.number + 1
        mine = {Register(first.file, first.number + offset) for offset in range(count)}
        if first.file == last.file and count > 0 and name not in names and not mine & taken:
            found[at] = NamedRegisters(name, first, count)
            names.add(name)
            taken |= mine
    return found


def alias_lines(ranges: Mapping[int, NamedRegisters]) -> list[str]:
    """Return an `.alias` for each name, linked to its row."""
    return [
        LinkedLine(f".alias {each.name} {SourceNames().register(each.first)}", f"uniforms[{at}]")
        for at, each in ranges.items()
    ]


def _line(file: str, name: str, count: int) -> str:
    return f"{DIRECTIVES[file]} {name}[{count}]" if count > 1 else f"{DIRECTIVES[file]} {name}"
