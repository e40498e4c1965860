"""The parts of a DirectX container: modules that describe them, found by name.

The module `xyz0`, or the module listed in MODULES, describes the part `XYZ0` in its table `PARTS`.
A part without a description is kept as bytes.

    +0 FourCC   +4 u32 size   +8 data …
"""

from functools import lru_cache
from importlib import import_module
from typing import Any

from .description import PartDescription
from .kind import PartKind

# The modules that are not named after their part, or contain several, and the parts in them.
MODULES = {
    "dxil":      "ILDB",
    "ifce":      "ICFE",
    "level9":    "Aon9",
    "program":   "SHDR SHEX",
    "sdbg":      "SDGB",
    "signature": "ISGN OSGN PCSG OSG5 ISG1 OSG1 PSG1",
    "untyped":   "PRIV XNAP XNAS LIBF LIBH LFS0 XHSH DXBC",
}  # fmt: skip
_HOMES = {name: module for module, names in MODULES.items() for name in names.split()}


@lru_cache(maxsize=1024)  # bounded, since files may contain any name
def description_of(name: str) -> PartDescription | None:
    """Return the description of parts of this name, or None if they are unknown."""
    proper = len(name) == 4 and name.isascii() and name.isidentifier() and name.isupper()
    if not (proper or name in _HOMES):
        return None
    return parts_of(_HOMES.get(name, name.lower())).get(name)


def parts_of(module: str) -> dict[str, PartDescription]:
    """Return the table of a module of this package; an empty one if there is none."""
    path = f"{__name__}.{module}"
    try:
        found: dict[str, PartDescription] = getattr(import_module(path), "PARTS", {})
    except ModuleNotFoundError as error:
        if error.name != path:  # the part's own module failed to import something
            raise
        return {}
    return found


def kind_of(name: str) -> PartKind | None:
    """Return the kind of parts of this name, or None if they are kept as bytes."""
    found = description_of(name)
    return None if found is None else found.kind


def described() -> dict[str, PartDescription]:
    """Return the descriptions of all parts by name, in the order of their modules."""
    from pkgutil import iter_modules

    modules = sorted(each.name for each in iter_modules(__path__))
    return {name: each for module in modules for name, each in parts_of(module).items()}


def schema_of(name: str) -> dict[str, Any] | None:
    """Return the JSON Schema of the part's `fields` in plain data, or None if it has none."""
    kind = kind_of(name)
    return None if kind is None else kind.schema()
