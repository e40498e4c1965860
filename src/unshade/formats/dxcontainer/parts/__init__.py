"""The parts of a DirectX container: one file each, found by name.

The part `XYZ0` is described by the module `xyz0`, or by the one that ALIASES names; such a module
exports `PART`. A part without a module is kept as bytes.

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
    "ICFE": "ifce",
}


@lru_cache(maxsize=1024)  # files bring names of their own
def kind_of(name: str) -> PartKind | None:
    """What describes parts of this name, None where nothing does."""
    if not (len(name) == 4 and name.isascii() and name.isidentifier() and name.isupper()):
        return None
    module = f"{__name__}.{ALIASES.get(name, name.lower())}"
    try:
        found: PartKind | None = getattr(import_module(module), "PART", None)
    except ModuleNotFoundError as error:
        if error.name != module:  # one that the part's own module asks for: not ours to hide
            raise
        return None
    return found


def part_names() -> tuple[str, ...]:
    """The names that parts have which something here describes."""
    own = (each.name.upper() for each in iter_modules(__path__))
    return tuple(sorted(name for name in {*ALIASES, *own} if kind_of(name) is not None))


def schema_of(name: str) -> dict[str, Any] | None:
    """The JSON Schema of the `fields` that such a part has in plain data, None for other parts."""
    kind = kind_of(name)
    return None if kind is None else kind.schema()
