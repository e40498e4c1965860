"""The tables of the sources: what modules and classes define as data, as lines of text.

    programs/tpf/tables/tokens OperandToken.index1 Bits(doc='…', enum=IndexRepresentation, …)
    formats/sodb/pages FIELDS ((0, 16, 'magic', 'magic number'), …)

Tables are the collections and numbers that a module gives a name in capitals, the members of
enumerations and the fields of classes. Functions inside tables count by their names.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

from tests.changes import SOURCES

COLLECTIONS = dict, MappingProxyType, tuple, list, set, frozenset
NUMBERS = int, float, complex
NAMED = type | FunctionType | BuiltinFunctionType | MethodType | ModuleType
PLAIN = int | float | complex | str | bytes | None
DEPTH = 8  # of objects in objects
# Parsing all sources takes longer than to print their tables.
TABLE = re.compile(r"^(_?[A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = (.*)$", re.MULTILINE)
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
EMPTY = re.compile(r"\{\}|\[\]|set\(\)|dict\(\)|[A-Z]\w*Dict")  # filled later
OF_MACHINE = ("PLATFORM", "HERE", "KNOWN", "CREATE")
# Attributes that are sentences, say what others say, or depend on what was read before.
UNTOLD = ("doc", "by_name", "compiled", "record", "spelled", "help", "params")


def folders() -> Iterator[str]:
    """Yield the folders of the package that have modules, relative to it."""
    for folder in sorted({path.parent for path in SOURCES.rglob("*.py")}):
        yield folder.relative_to(SOURCES).as_posix()


def lines(folder: str) -> Iterator[str]:
    """Yield the tables of the modules of a folder of the package."""
    for path in sorted((SOURCES / folder).glob("*.py")):
        if path.stem == "__main__":
            continue
        inside = path.relative_to(SOURCES).with_suffix("")
        yield from (f"{inside.as_posix()} {line}" for line in _of_module(path, inside) if line)


def _of_module(path: Path, inside: Path) -> Iterator[str]:
    parts = [part for part in inside.parts if part != "__init__"]
    source = path.read_text(encoding="utf-8")
    named = [name for name, value in TABLE.findall(source) if not EMPTY.match(value)]
    classes = CLASS.findall(source)
    if not named and not classes:
        return
    module = importlib.import_module(".".join(("unshade", *parts)))
    for name in named:
        value = getattr(module, name, None)
        if isinstance(value, (list, dict, *NUMBERS)) and name.startswith("_"):
            continue  # a state of the module
        if isinstance(value, (*COLLECTIONS, *NUMBERS)) and name not in OF_MACHINE:
            yield f"{name} {text(value)}"
    for name in classes:
        yield from _of_class(getattr(module, name, None))


def _of_class(made: Any) -> Iterator[str]:
    if not isinstance(made, type):
        return
    if issubclass(made, Enum):
        for name, member in made.__members__.items():
            yield f"{made.__name__}.{name} {text(member.value)}"
        return
    defaults = {}
    if is_dataclass(made):
        defaults = {each.name: each.default for each in fields(made)}
    elif issubclass(made, tuple):
        defaults = getattr(made, "_field_defaults", {})
    if defaults:
        yield f"{made.__name__} {text(defaults)}"
    for name, value in [*vars(made).items()]:
        if isinstance(value, set):
            continue  # a state of the class
        elif not name.startswith("_") and (isinstance(value, COLLECTIONS) or _is_field(value)):
            yield f"{made.__name__}.{name} {text(value)}"


def _is_field(value: object) -> bool:
    """Return whether a class has the value as data: a number, or a description of a field."""
    if isinstance(value, PLAIN):
        return True
    return type(value).__module__.startswith("unshade.") and not isinstance(value, NAMED)


def text(value: object, depth: int = DEPTH) -> str:
    """Return a value as text, which depends neither on the process nor on what ran before."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, NAMED):
        return str(getattr(value, "__qualname__", value.__name__))
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return repr(value)
    if not depth:
        return type(value).__name__
    if isinstance(value, Mapping):
        items = (f"{text(k, depth - 1)}: {text(v, depth - 1)}" for k, v in value.items())
        return f"{{{', '.join(sorted(items))}}}"  # some are made from sets
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(text(each, depth - 1) for each in value))}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(text(each, depth - 1) for each in value)})"
    given = ", ".join(f"{name}={text(held, depth - 1)}" for name, held in _attributes(value))
    return f"{type(value).__name__}({given})"


def _attributes(value: object) -> list[tuple[str, object]]:
    """Return the attributes of an object of ours but for those that it finds on demand."""
    kind = type(value)
    if not kind.__module__.startswith("unshade."):
        return []
    slots = [name for each in kind.__mro__ for name in each.__dict__.get("__slots__", ())]
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    held |= getattr(value, "__dict__", {})
    return sorted(
        (name, each)
        for name, each in held.items()
        if not name.startswith("_")
        and name not in UNTOLD
        and not isinstance(getattr(kind, name, None), cached_property)
    )
