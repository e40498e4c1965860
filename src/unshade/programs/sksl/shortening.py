"""Replacement of the names of a program by short ones, as a minifier does.

    half4 tintColour(float2 place)     half4 a(float2 b)        debug: functions, locals, structs
    uniform float u_secretScale;       uniform float c;         reflection: uniforms and children

One name becomes one new name wherever it stands, so that scopes hide each other as before. Names of
at most two characters, `main`, and names that modules of Skia declare stay.
"""

from collections.abc import Iterator
from itertools import count
from string import ascii_letters, digits

from .assembler.parser.tokens import KEYWORDS, RESERVED
from .tables.enumerations import ModifierFlag
from .tree import (
    FunctionDeclaration,
    InterfaceBlock,
    ProgramUnit,
    StructDataType,
    SymbolTable,
    VariableSymbol,
)
from .tree.node import TreeNode, walk
from .tree.types import StructField, TypeKind

__all__ = ["renamed", "shorten"]

SHORT = 2  # characters of a name that is kept
MAIN = "main"
Named = VariableSymbol | FunctionDeclaration | StructDataType | StructField


def renamed(unit: ProgramUnit, category: str) -> dict[str, str]:
    """Return the new name of each name of a category of `Shader.strip` that changes."""
    owners = list(_named(unit))
    looked_up = {each.name for each in owners if _category(each) == "reflection"}
    wanted = dict.fromkeys(
        each.name
        for each in owners
        if len(each.name) > SHORT
        and each.name != MAIN
        and (each.name in looked_up) == (category == "reflection")
    )
    taken = {each.name for each in owners} | _builtin_names(unit)
    fresh = (name for name in _short_names() if name not in taken)
    return {old: new for old, new in zip(wanted, fresh, strict=False) if len(new) <= SHORT}


def shorten(unit: ProgramUnit, new: dict[str, str]) -> None:
    """Give symbols their new names, in place."""
    for each in _named(unit):
        each.name = new.get(each.name, each.name)
    for node in walk(unit):
        if isinstance(node, SymbolTable):
            node.names = {new.get(name, name): found for name, found in node.names.items()}
        elif isinstance(node, InterfaceBlock):
            node.type_name = new.get(node.type_name, node.type_name)
            node.instance_name = new.get(node.instance_name, node.instance_name)


def _named(unit: ProgramUnit) -> Iterator[Named]:
    """Yield the symbols of the program itself, each once, with the members of structs."""
    seen: set[int] = set()
    for node in walk(unit):
        for each in node.owned if isinstance(node, SymbolTable) and not node.builtin else ():
            if id(each) in seen or each.builtin:
                continue
            seen.add(id(each))
            if isinstance(each, VariableSymbol | FunctionDeclaration):
                yield each
            elif isinstance(each, StructDataType):
                yield each
                yield from each.members


def _category(each: Named) -> str:
    """Return `reflection` for symbols that applications look up by name, else `debug`."""
    if not isinstance(each, VariableSymbol):
        return "debug"
    is_child = each.type.resolved.kind is TypeKind.CHILD
    return "reflection" if is_child or each.modifiers.flags & ModifierFlag.UNIFORM else "debug"


def _builtin_names(unit: ProgramUnit) -> set[str]:
    """Return the names that the program refers to in modules."""
    found: set[str] = set()
    for node in walk(unit):
        for name in type(node).fields:
            value = getattr(node, name.name, None)
            found.add(getattr(value, "name", "") if isinstance(value, TreeNode) else "")
    return found


def _short_names() -> Iterator[str]:
    """Yield a, b, …, Z, a0, a1, … without words of the language."""
    for size in count():
        for first in ascii_letters:
            for last in ("",) if size == 0 else digits + ascii_letters:
                name = first + last
                if name not in KEYWORDS and not RESERVED.match(name):
                    yield name
        if size:
            return
