"""Operands in source text: a register or its name, an offset, components, a sign.

    operand     =  ["-"] name ["[" index "]"] ["." components]
    name        =  register | alias                     c12 is a register unless it is an alias
    register    =  ("o" | "v" | "r" | "c" | "i" | "b") number
    index       =  number | address ["+" number]        c8[4] is c12
    address     =  "a0.x" | "a0.y" | "aL"               also (obsolete) a0, a1, a2, lcnt
    components  =  one to four of  xyzw  rgba  stpq     the last is repeated

An alias may have components and a sign; components after its name select among them.
"""

import re

from ....errors import AssembleError
from ....isa.source import Location, Scanner
from ....tuples import NamedTuple
from ....vocab.pica import BOOLS, FLOATS, INPUTS, OUTPUTS, TEMPORARIES, WORD_INTEGERS
from ..descriptors import IDENTITY, swizzle_components
from ..tables.registers import AddressRegister, Register, RegisterFile
from .numbers import c_integer, decimal

__all__ = [
    "KINDS",
    "NAME",
    "Alias",
    "Aliases",
    "ParsedOperand",
    "RefusedName",
    "components",
    "in_order",
    "read_operand",
]

NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
REGISTER = re.compile(r"([ovrcib])(0[xX][0-9a-fA-F]+|\d+)", re.ASCII)
LOOKS_LIKE = re.compile(r"([OVRCIBovrcib])(\d+)", re.ASCII)
ADDRESS = re.compile(r"(a0\.x|a0\.y|aL|a0|a1|a2|lcnt)(?![\w.$])", re.ASCII | re.IGNORECASE)
ADDRESSES = {
    "a0.x": AddressRegister.A0_X,
    "a0": AddressRegister.A0_X,
    "a0.y": AddressRegister.A0_Y,
    "a1": AddressRegister.A0_Y,
    "al": AddressRegister.AL,
    "a2": AddressRegister.AL,
    "lcnt": AddressRegister.AL,
}
COMPONENTS = {c: i for letters in ("xyzw", "rgba", "stpq") for i, c in enumerate(letters)}
NO_COMPONENT = "_"  # an extension: a destination with an empty mask

# Registers of each file that a word can name; of i, the hardware has four and picasso eight.
COUNTS = {
    RegisterFile.OUTPUT: OUTPUTS,
    RegisterFile.INPUT: INPUTS,
    RegisterFile.TEMPORARY: TEMPORARIES,
    RegisterFile.FLOAT: FLOATS,
    RegisterFile.INTEGER: WORD_INTEGERS,
    RegisterFile.BOOL: BOOLS,
}
KINDS = {
    RegisterFile.OUTPUT: "an output",
    RegisterFile.INPUT: "an input",
    RegisterFile.TEMPORARY: "a temporary register",
    RegisterFile.FLOAT: "a float uniform",
    RegisterFile.INTEGER: "an integer uniform",
    RegisterFile.BOOL: "a boolean uniform",
}


class RefusedName(Exception):  # never leaves the assembler
    """A name whose declaration was invalid; its uses are not reported again."""


class Alias(NamedTuple):
    """The register that a name refers to, with components and a sign."""

    register: Register
    swizzle: int = IDENTITY
    negate: bool = False
    size: int | None = None  # number of registers declared with it


class Aliases(dict[str, Alias]):
    """The names of one source; `doubtful` are those with an invalid declaration."""

    def __init__(self) -> None:
        super().__init__()
        self.doubtful: set[str] = set()


class ParsedOperand(NamedTuple):
    """An operand as read; `components` is True if the text contains components."""

    register: Register
    swizzle: int
    negate: bool
    address: AddressRegister
    place: Location
    components: bool
    empty: bool = False
    beyond: str = ""  # a warning if the index is past the end of an array

    @property
    def mask(self) -> int:
        """The components as a write mask; bit 3 is x."""
        if self.empty:
            return 0
        mask = 0
        for component in swizzle_components(self.swizzle):
            mask |= 8 >> component
        return mask

    def error(self, problem: str) -> AssembleError:
        """Return an error at the place of the operand."""
        return self.place.error(problem)


def read_operand(
    scanner: Scanner, aliases: Aliases, wanted: str, *, address: bool = False
) -> ParsedOperand:
    """Read an operand; with `address` it may be addressed relatively."""
    start = scanner.at
    negate = scanner.accept("-")
    name_at = scanner.at
    name = scanner.take(NAME, wanted)
    alias = aliases.get(name) or Alias(register(scanner, name, name_at, aliases))
    offset, relative = _index(scanner, address)
    found = Register(alias.register.file, alias.register.number + offset)
    if found.number >= COUNTS[found.file]:
        last = f"{found.file}{COUNTS[found.file] - 1}"
        raise scanner.place(start).error(f"no such register: {found}; the last is {last}")
    swizzle, chosen, empty = components(scanner)
    place = scanner.place(start)
    swizzle = _through(swizzle, alias.swizzle)
    negate ^= alias.negate
    beyond = ""
    if alias.size is not None and offset >= alias.size and not relative:
        has = f"{alias.size} register{'s' * (alias.size != 1)}"
        beyond = f"{name:.40} has {has}: {name:.40}[{offset}] is {found}, past the end"
    return ParsedOperand(found, swizzle, negate, relative, place, chosen, empty, beyond)


def register(scanner: Scanner, name: str, start: int, aliases: Aliases) -> Register:
    """Return the register of a name that is not an alias, read at `start`."""
    found = REGISTER.fullmatch(name)
    if found is None:
        if name in aliases.doubtful:
            raise RefusedName
        raise _no_register(scanner, name, start, aliases)
    number = c_integer(found[2])
    if number is None:
        raise scanner.place(start).error(f"{found[2]} begins with 0 but is not an octal number")
    file = RegisterFile(found[1])
    if number >= COUNTS[file]:
        raise scanner.place(start).error(
            f"no such register: {name:.40}; {KINDS[file]} is {file}0 to {file}{COUNTS[file] - 1}"
        )
    return Register(file, number)


def _no_register(scanner: Scanner, name: str, start: int, aliases: Aliases) -> AssembleError:
    place = scanner.place(start)
    meant = LOOKS_LIKE.match(name)
    if meant and name[0].isupper():
        lower = name.lower()
        return place.error(
            f"registers are lower case: {lower:.40} (picasso reads {name:.40} as "
            f"{'o' if name[0] != 'V' else 'v'}{meant[2]:.9} or v{meant[2]:.9})"
        )
    if meant and REGISTER.match(name):
        return place.error(
            f"unknown register {name!r:.60} (picasso reads {meant[0]:.20} and ignores the rest)"
        )
    return scanner.unknown("register or name", name, start, aliases)


def _index(scanner: Scanner, address: bool) -> tuple[int, AddressRegister]:
    """Read an index in brackets: an offset, and the address register."""
    if not scanner.accept("["):
        return 0, AddressRegister.NONE
    start = scanner.at
    relative = scanner.match(ADDRESS)
    if relative is not None and not address:
        raise scanner.place(start).error("an address register is not allowed here")
    offset = 0
    if relative is None:
        offset = decimal(scanner, "an offset or an address register (a0.x, a0.y, aL)")
    elif scanner.accept("+"):
        offset = decimal(scanner, "an offset")
    elif scanner.rest.startswith("-"):
        raise scanner.place().error(
            "expected '+' after an address register, got '-' (picasso would ignore both)"
        )
    if offset < 0:
        raise scanner.place(start).error("an offset cannot be negative")
    scanner.expect("]")
    if relative is None:
        return offset, AddressRegister.NONE
    return offset, ADDRESSES[relative[0].lower()]


def components(scanner: Scanner) -> tuple[int, bool, bool]:
    """Read the components after a name: swizzle, whether there are any, whether they are `_`."""
    if not scanner.accept("."):
        return IDENTITY, False, False
    start = scanner.at
    letters = scanner.take(NAME, "components: x, y, z, w").lower()
    if letters == NO_COMPONENT:
        return IDENTITY, True, True
    chosen = [COMPONENTS.get(letter) for letter in letters]
    if None in chosen or len(chosen) > 4:
        raise scanner.place(start).error(
            f"expected one to four components of xyzw, rgba or stpq, got {letters!r:.40}"
        )
    swizzle = 0
    for place in range(4):
        swizzle = swizzle << 2 | (chosen[min(place, len(chosen) - 1)] or 0)
    return swizzle, True, False


def _through(outer: int, inner: int) -> int:
    """Return the swizzle that applies `outer` to the components `inner`."""
    if inner == IDENTITY:
        return outer
    of = swizzle_components(inner)
    swizzle = 0
    for component in swizzle_components(outer):
        swizzle = swizzle << 2 | of[component]
    return swizzle


def in_order(swizzle: int) -> bool:
    """Return True if the components of a swizzle are in ascending order."""
    chosen = swizzle_components(swizzle)
    return list(chosen) == sorted(chosen)
