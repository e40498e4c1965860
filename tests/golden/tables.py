"""The tables of the sources: what modules and classes define as data, as lines of text.

    programs/tpf/tables/tokens OperandToken.index1 Bits(doc='…', enum=IndexRepresentation, …)
    formats/sodb/pages FIELDS ((0, 16, 'magic', 'magic number'), …)
    wire/types ArrayOf.read(count=0)

Tables are the collections, numbers, patterns and objects of ours that a module gives a name in
capitals, the members of enumerations, the fields and the kind of classes, and what parameters are
if they are not given. Functions inside tables count by their names and by what they are made for.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, cached_property, partial
from operator import attrgetter, itemgetter
from pathlib import Path
from struct import Struct
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np

from tests.changes import SOURCES

COLLECTIONS = dict, MappingProxyType, tuple, list, set, frozenset
NAMED = type | FunctionType | BuiltinFunctionType | MethodType | ModuleType
PLAIN = int | float | complex | str | bytes | None
GETTERS = attrgetter, itemgetter
EXACT = frozenset((type(None), bool, int, float, complex, str, bytes))
KNOWN_TYPES = EXACT | {dict, tuple, list, set, frozenset, ModuleType}  # no functions
OTHERS = range, slice, re.Pattern, Struct, partial, *GETTERS
DEPTH = 8  # of objects in objects
# Parsing all sources takes longer than to print their tables.
NAME = r"_?[A-Z][A-Z0-9_]*"
TABLE = re.compile(rf"({NAME}(?:, {NAME})*)(?:: [^=]+)? = (.*)")
CLASS = re.compile(r"class (\w+)")
CHANGE = r"(?:\[.*\] = |\.(?:add|append|clear|pop|setdefault|update)\()"
STATE = re.compile(rf"^ +(?:global |(?:return |\w+ = )?(?=_\w+{CHANGE}))({NAME})\b", re.MULTILINE)
EMPTY = re.compile(r"\{\}|\[\]|set\(\)|dict\(\)|[A-Z]\w*Dict")  # filled later
OF_MACHINE = ("PLATFORM", "HERE", "KNOWN", "CREATE", "_STARTED")
OF_TYPING = ("_fields", "_field_defaults", "_is_protocol", "_is_runtime_protocol")
# Attributes that are sentences, say what others say, or depend on what was read before.
UNTOLD = ("doc", "by_name", "compiled", "record", "spelled", "help", "params", "known")


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
    starts = [line for line in source.split("\n") if line[:1].isalpha() or line[:1] == "_"]
    named = [
        name
        for found in map(TABLE.match, starts)
        if found and not EMPTY.match(found[2])
        for name in found[1].split(", ")
    ]
    if "global " in source or any(name.startswith("_") for name in named):
        states = _states(source)
        named = [name for name in named if name not in states]
    classes = [found[1] for found in map(CLASS.match, starts) if found]
    module = importlib.import_module(".".join(("unshade", *parts)))
    for name in named:
        value = getattr(module, name, None)
        if name in OF_MACHINE or isinstance(value, str | bytes | None):
            continue
        if isinstance(value, COLLECTIONS) or _is_field(value):
            yield f"{name} {text(value)}"
    for name in classes:
        yield from _of_class(getattr(module, name, None))
    for name, value in [*vars(module).items()]:
        yield from _of_function(name, value, module.__name__)


def _states(source: str) -> set[str]:
    """Return the names in capitals whose values the functions of a module change.

    What loops of the module fill has a name without an underscore.
    """
    return set(STATE.findall(source))


def _of_class(made: Any) -> Iterator[str]:
    if not isinstance(made, type):
        return
    attributes = [*vars(made).items()]
    if issubclass(made, Enum):
        for name, member in made.__members__.items():
            yield f"{made.__name__}.{name} {text(member.value)}"
    else:
        yield from _kind(made)
        for name, value in attributes:
            if isinstance(value, set) or name.startswith("__") or name in OF_TYPING:
                continue
            if isinstance(value, COLLECTIONS) or _is_field(value):
                yield f"{made.__name__}.{name} {text(value)}"
    for name, value in attributes:
        yield from _of_function(name, value, made.__module__)


def _kind(made: type) -> Iterator[str]:
    """Yield the fields of a class, and what its decorator is told."""
    defaults = {}
    if is_dataclass(made):
        told = getattr(made, "__dataclass_params__")  # noqa: B009
        kind = {name: getattr(told, name) for name in ("eq", "frozen", "order")}
        kind["slots"] = "__slots__" in vars(made)
        yield f"{made.__name__} {text(kind)}"
        for each in fields(made):
            chosen = each.init, each.repr, each.compare, each.kw_only
            defaults[each.name] = (each.default, *chosen)
    elif issubclass(made, tuple):
        defaults = getattr(made, "_field_defaults", {})
    if defaults:
        yield f"{made.__name__} {text(defaults)}"


def _of_function(name: str, value: Any, module: str) -> Iterator[str]:
    """Yield what the parameters of a function of a module are by default, and how it is cached."""
    if type(value) in KNOWN_TYPES or isinstance(value, type):
        return
    if isinstance(value, property):
        value = value.fget
    function = getattr(value, "__func__", value)
    if callable(parameters := getattr(function, "cache_parameters", None)):
        yield f"{name} cached {text(parameters())}"
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if not isinstance(function, FunctionType) or function.__module__ != module:
        return
    if function.__code__.co_filename.startswith("<"):
        return  # made from fields, which are told
    code = function.__code__
    given = function.__defaults__ or ()
    found = dict(zip(code.co_varnames[code.co_argcount - len(given) :], given, strict=False))
    found |= function.__kwdefaults__ or {}
    arguments = ", ".join(
        f"{key}={text(each)}"
        for key, each in found.items()
        if not isinstance(each, str | bytes | None)
    )
    if arguments:
        yield f"{function.__qualname__}({arguments})"


def _is_field(value: object) -> bool:
    """Return whether a class has the value as data: a number, or a description of a field."""
    if isinstance(value, (PLAIN, *OTHERS)):
        return True
    return type(value).__module__.startswith("unshade.") and not isinstance(value, NAMED)


def text(value: object, depth: int = DEPTH) -> str:
    """Return a value as text, which depends neither on the process nor on what ran before."""
    if type(value) in EXACT:
        return repr(value)
    if isinstance(value, tuple | list) and depth:
        return f"({', '.join([text(each, depth - 1) for each in value])})"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, NAMED):
        name = str(getattr(value, "__qualname__", value.__name__))
        return name + _made_for(value, depth)
    if isinstance(value, re.Pattern):
        return f"{value.pattern!r}/{value.flags}"
    if isinstance(value, Struct):
        return repr(value.format)
    if isinstance(value, (range, slice, *GETTERS)):
        return repr(value).replace("operator.", "")
    if isinstance(value, partial):
        return f"partial{text((value.func, value.args, value.keywords), depth)}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.tolist()!r}"
    if not depth:
        return type(value).__name__
    if isinstance(value, Mapping):
        items = (f"{text(k, depth - 1)}: {text(v, depth - 1)}" for k, v in value.items())
        return f"{{{', '.join(sorted(items))}}}"  # some are made from sets
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(text(each, depth - 1) for each in value))}}}"
    given = ", ".join(f"{name}={text(held, depth - 1)}" for name, held in _attributes(value))
    return f"{type(value).__name__}({given})"


def _made_for(value: object, depth: int) -> str:
    """Return the variables that a function inside another one was made with."""
    if not isinstance(value, FunctionType) or not value.__closure__ or not depth:
        return ""
    cells = zip(value.__code__.co_freevars, value.__closure__, strict=True)
    held = [(name, cell.cell_contents) for name, cell in cells if name != value.__name__]
    return f"({', '.join(f'{name}={text(each, depth - 1)}' for name, each in held)})"


def _attributes(value: object) -> list[tuple[str, object]]:
    """Return the attributes of an object of ours but for those that it finds on demand."""
    kind: Any = type(value)
    if not kind.__module__.startswith("unshade."):
        return []
    slots, untold = _told_by(kind)
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    held |= getattr(value, "__dict__", {})
    return sorted(
        (name, each)
        for name, each in held.items()
        if not name.startswith("_") and name not in untold
    )


@cache
def _told_by(kind: type) -> tuple[list[str], set[str]]:
    """Return the slots of a class, and the attributes that are found on demand or not told."""
    slots = [name for each in kind.__mro__ for name in each.__dict__.get("__slots__", ())]
    defined = {name: held for each in reversed(kind.__mro__) for name, held in vars(each).items()}
    lazy = {name for name, held in defined.items() if isinstance(held, cached_property)}
    return slots, lazy.union(UNTOLD)
