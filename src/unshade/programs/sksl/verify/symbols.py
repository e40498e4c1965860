"""Rules for the symbols that a program declares."""

import re
from collections.abc import Iterator

from ....rule import Findings
from ..tree import (
    PRIVATE_TYPES,
    BuiltinType,
    DataType,
    FunctionDeclaration,
    OverloadSet,
    StructDataType,
    Symbol,
    SymbolTable,
    TranslationUnit,
    TypeKind,
    VariableSymbol,
    walk,
)

__all__ = ["check_symbols"]

IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)


def check_symbols(unit: TranslationUnit, findings: Findings) -> None:
    """Add the violations of the symbols in all tables."""
    for table in walk(unit):
        if isinstance(table, SymbolTable):
            for symbol in table.owned:
                _check_symbol(symbol, findings)
            _check_names(table, findings)


def _check_symbol(symbol: Symbol, findings: Findings) -> None:
    named = isinstance(symbol, VariableSymbol | FunctionDeclaration | StructDataType)
    # A block without instance name, and a parameter that is not used, have no name.
    if named and symbol.name and not IDENTIFIER.fullmatch(symbol.name):
        findings.add("sksl.identifier", f"{symbol.name!r:.60} is not an identifier")
    for type_ in _types(symbol):
        known = type_.name in PRIVATE_TYPES  # invalid in runtime effects, which may still name them
        if isinstance(type_, BuiltinType) and type_.kind is TypeKind.INVALID and not known:
            findings.add("sksl.name", f"no module has a type {type_.name!r:.60}")


def _types(symbol: Symbol) -> Iterator[DataType]:
    if isinstance(symbol, VariableSymbol):
        yield symbol.type
    elif isinstance(symbol, FunctionDeclaration):
        yield symbol.returns
    elif isinstance(symbol, StructDataType):
        yield from (each.type for each in symbol.members)


def _check_names(table: SymbolTable, findings: Findings) -> None:
    """Check that no symbol hides another of its table; only larger overload sets may."""
    functions = (FunctionDeclaration, OverloadSet)
    seen: dict[str, Symbol] = {}
    for symbol in table.owned:
        if table.names.get(symbol.name) is symbol or symbol.name in seen:
            before = seen.get(symbol.name)
            hides = before is not None and before is not symbol
            if hides and not isinstance(symbol, functions) and before in table.names.values():
                findings.add("sksl.duplicate", f"two symbols have the name {symbol.name!r:.60}")
        seen[symbol.name] = symbol
