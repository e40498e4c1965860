"""The parts of a DirectX container: one module per part type, found by name.

The module `xyz0`, or the one in ALIASES, describes the part `XYZ0` and exports `PART`. A part
without a module is kept as bytes.

    +0 FourCC   +4 u32 size   +8 data …
"""

from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .kind import PartKind

ALIASES = {
    "ISGN": "signature",
    "OSGN": "signature",
    "PCSG": "signature",
    "OSG5": "signature",
    "ISG1": "signature",
    "OSG1": "signature",
    "PSG1": "signature",
    "SHDR": "program",
    "SHEX": "program",
    "Aon9": "level9",
    "ILDB": "dxil",
    "ICFE": "ifce",
}


@lru_cache(maxsize=1024)  # bounded, since files may contain any name
def kind_of(name: str) -> PartKind | None:
    """Return the kind of parts of this name, or None if it is unknown."""
    proper = len(name) == 4 and name.isascii() and name.isidentifier() and name.isupper()
    if not (proper or name in ALIASES):
        return None
    module = f"{__name__}.{ALIASES.get(name, name.lower())}"
    try:
        found: PartKind | None = getattr(import_module(module), "PART", None)
    except ModuleNotFoundError as error:
        if error.name != module:  # the part's own module failed to import something
            raise
        return None
    return found


def part_names() -> tuple[str, ...]:
    """Return the names of all known part types, sorted."""
    own = (each.name.upper() for each in iter_modules(__path__))
    return tuple(sorted(name for name in {*ALIASES, *own} if kind_of(name) is not None))


def schema_of(name: str) -> dict[str, Any] | None:
    """Return the JSON Schema of the part's `fields` in plain data, or None if it has none."""
    kind = kind_of(name)
    return None if kind is None else kind.schema()
