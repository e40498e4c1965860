"""The parts of a DirectX container: one file each, found by name.

The part `XYZ0` is described by the module `xyz0`, or by the one that ALIASES names; such a module
exports `PART`. A part without a module is kept as bytes.

    +0 FourCC   +4 u32 size   +8 data …
"""

from importlib import import_module

from .kind import Kind

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

_known: dict[str, Kind | None] = {}


def kind_of(name: str) -> Kind | None:
    """What describes parts of this name, None where nothing does."""
    if name not in _known:
        _known[name] = _load(name)
    return _known[name]


def _load(name: str) -> Kind | None:
    module = ALIASES.get(name, name.lower())
    if not (module.isidentifier() and name.isascii() and name.isupper()) or module == "kind":
        return None
    try:
        found: Kind = import_module(f"{__name__}.{module}").PART
    except (ModuleNotFoundError, AttributeError):
        return None
    return found
