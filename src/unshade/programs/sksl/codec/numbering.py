"""Numbers of symbols, as the writer assigns them, and a file's deviations.

A symbol gets the next number when its command begins; the first is 1. Numbers are known while the
statement that gave them is open: a symbol that is first used in a block is written again after it.

    choice                  at each
    ("define", number)      symbol in place: its command, with that number
    ("refer", number)       … SymbolRef, or a reference: the symbol with that number
    ("name", "")            … the name of a builtin symbol
    ("form", "Layout")      layout or modifiers: which command
    ("names", […])          symbol table: the names as indices and texts
    ("offset", offset)      string: its place in the pool

The writer always makes the same choices; `odd` holds a file's non-default choices, by path.

Source: SkSLDehydrator.cpp of Skia's milestone 104, checked against files that it wrote.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..tree import (
    ArrayDataType,
    BlockStatement,
    BuiltinType,
    ForStatement,
    LayoutQualifier,
    Modifiers,
    StructDataType,
    SwitchStatement,
    Symbol,
    SymbolTable,
    TreeNode,
)
from .pool import PooledStrings

__all__ = [
    "SCOPED",
    "Choice",
    "Numbering",
    "WriterChoices",
    "layout_form",
    "modifiers_form",
    "names_of",
]

Choice = tuple[str, Any]

# Statements that have a scope for numbers, even if they have no symbol table.
SCOPED: tuple[type[TreeNode], ...] = (BlockStatement, ForStatement, SwitchStatement)

BYTE = 0xFF


class Numbering:
    """Numbers of the symbols written so far."""

    __slots__ = ("by_number", "next", "scopes", "system_types")

    def __init__(self, system_types: bool = False) -> None:
        self.system_types = system_types  # types by name have numbers, as in version 4
        self.scopes: list[dict[Symbol, int]] = [{}]
        self.by_number: dict[int, Symbol] = {}
        self.next = 1

    def open(self) -> None:
        """Begin a scope."""
        self.scopes.append({})

    def close(self) -> None:
        """End the innermost scope."""
        self.scopes.pop()

    def take(self) -> int:
        """Return the next number, which a command takes when it begins."""
        self.next += 1
        return self.next - 1

    def define(self, symbol: Symbol, number: int) -> None:
        """Give a symbol a number in the innermost scope."""
        self.scopes[-1][symbol] = number
        self.by_number[number] = symbol

    def known(self, symbol: Symbol) -> int | None:
        """Return the number of a symbol, if it is known here."""
        for each in reversed(self.scopes):
            found = each.get(symbol)
            if found is not None:
                return found
        return None

    def of_symbol(self, symbol: Symbol) -> Choice:
        """Return how the writer writes a symbol in place."""
        number = self.known(symbol)
        if number is not None:
            return "refer", number
        by_name = symbol.builtin and not isinstance(symbol, ArrayDataType | StructDataType)
        by_name = by_name and not (self.system_types and isinstance(symbol, BuiltinType))
        return ("name", "") if by_name else ("define", self.next)

    def of_reference(self, symbol: Symbol) -> Choice:
        """Return how the writer writes a reference to a symbol."""
        number = self.known(symbol)
        return ("name", "") if number is None else ("refer", number)


def layout_form(layout: LayoutQualifier) -> Choice:
    """Return the shortest command for a layout."""
    if layout.is_default:
        return "form", "DefaultLayout"
    return "form", "BuiltinLayout" if layout.is_builtin_only else "Layout"


def modifiers_form(modifiers: Modifiers) -> Choice:
    """Return the shortest command for modifiers."""
    if modifiers.is_default:
        return "form", "DefaultModifiers"
    return "form", "Modifiers8Bit" if modifiers.flags <= BYTE else "Modifiers"


def names_of(table: SymbolTable) -> Choice:
    """Return the names of a table as the writer orders them: by their bytes."""
    places: dict[Symbol, int] = {}
    for index, symbol in enumerate(table.owned):
        places.setdefault(symbol, index)
    found: list[int | str] = []
    for name in sorted(table.names, key=lambda each: each.encode("utf-8", "surrogateescape")):
        place = places.get(table.names[name])
        found.append(name if place is None else place)
    return "names", found


class WriterChoices:
    """The choices of a writer: the defaults, or a file's choices that still fit the tree.

    Attributes:
        odd: Choices of a file, by path.
        path: Path of the node that is being written, in pieces.
        numbering: Numbers of the symbols written so far.
    """

    def __init__(self, odd: Mapping[str, Choice], system_types: bool) -> None:
        self.odd = odd
        self.path: list[str] = []
        self.numbering = Numbering(system_types)

    def _choose(self, normal: Choice, fits: Callable[[Choice], bool]) -> Choice:
        if not self.odd:
            return normal
        found = self.odd.get("".join(self.path).lstrip("."))
        return normal if found is None or not fits(found) else found

    def _fits(self, symbol: Symbol, given: Choice) -> bool:
        how, number = given
        if how == "refer":
            return self.numbering.by_number.get(number) is symbol
        return how == "name"

    def symbol_choice(self, symbol: Symbol) -> Choice:
        """Return how a symbol in place is written."""
        return self._choose(
            self.numbering.of_symbol(symbol),
            lambda given: given[0] == "define" or self._fits(symbol, given),
        )

    def reference_choice(self, symbol: Symbol) -> Choice:
        """Return how a reference to a symbol is written."""
        return self._choose(
            self.numbering.of_reference(symbol), lambda given: self._fits(symbol, given)
        )

    def modifiers_choice(self, given: Modifiers) -> str:
        """Return the command for modifiers."""
        found: str = self._choose(
            modifiers_form(given),
            lambda choice: (
                choice[1] == "Modifiers" or (choice[1] == "Modifiers8Bit" and given.flags <= BYTE)
            ),
        )[1]
        return found

    def layout_choice(self, given: LayoutQualifier) -> str:
        """Return the command for a layout."""
        found: str = self._choose(
            layout_form(given),
            lambda choice: (
                choice[1] == "Layout" or (choice[1] == "BuiltinLayout" and given.is_default)
            ),
        )[1]
        return found

    def offset_choice(self, text: str, pool: PooledStrings) -> int:
        """Return the offset that a file uses for a string; 0 for the pool's offset."""
        found: int = self._choose(("offset", 0), lambda choice: pool.text(choice[1]) == text)[1]
        return found

    def names_choice(self, table: SymbolTable) -> list[int | str]:
        """Return the names of a table."""
        found: list[int | str] = self._choose(
            names_of(table), lambda given: given[0] == "names" and _names_fit(table, given[1])
        )[1]
        return found


def _names_fit(table: SymbolTable, listed: list[int | str]) -> bool:
    """Return True if a list of indices and names matches the names of a table."""
    found: dict[str, Symbol] = {}
    for each in listed:
        if isinstance(each, str):
            if each not in table.names:
                return False
            found[each] = table.names[each]
        elif each < len(table.owned):
            found[table.owned[each].name] = table.owned[each]
        else:
            return False
    return found == table.names
