"""Stage and model of a DirectX container, without reading whole parts except RDEF.

SHDR  SHEX  DXIL  ILDB     the version token: u4 minor, u4 major, …, u16 stage
STAT                       the same, if it is the program without function bodies
RDEF                       its own fields, in a container without code
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ....enums import member_of
from ....model import Reflection
from ....vocab import d3d
from ....vocab.d3d import ShaderKind
from ....vocab.numbers import word
from ..container import Container
from ..part import DxPart
from ..parts import dxil
from ..parts import program as tpf

OFFLINE_MINOR = 15  # `lib_6_x`: a library for offline linking


def identity(container: Container) -> Reflection:
    """Return a reflection with the stage, the model and the profile, if a part contains them."""
    found = Reflection(format="dxcontainer")
    part = container.parts.get(*tpf.NAMES)
    if part is not None:
        found.code = "tpf"
    else:
        part = next(filter(None, map(container.parts.get, dxil.NAMES)), None) or _bodiless(
            container
        )
        if part is not None:
            found.code = "dxil"
    if part is not None and len(token := _token(part)) == 4:
        version = int.from_bytes(token, "little")
        _name(found, version >> 16, version >> 4 & 15, version & 15)
    elif container.parts.get("LIBF") is None:
        _from_definition(found, container.parts.get("RDEF"))
    return found


def _bodiless(container: Container) -> DxPart | None:
    """Return STAT if it is the DXIL program without function bodies, or None."""
    part = container.parts.get("STAT")
    return part if part is not None and part.is_second else None


def _token(part: DxPart) -> bytes:
    """Return the version token without decoding or encoding the program."""
    value = part.loaded
    if value is None:
        return part.data[:4]
    return tpf.version_token(value) or dxil.version_token(value) or part.data[:4]


def _from_definition(found: Reflection, part: DxPart | None) -> None:
    from ..parts.rdef import RdefTarget, ResourceDefinition

    definition = None if part is None else part.reading.value
    if isinstance(definition, ResourceDefinition):
        target = member_of(RdefTarget, definition.target)
        kind = definition.target if target is None else ShaderKind[target.name]
        _name(found, kind, definition.major, definition.minor)


def _name(found: Reflection, kind: int, major: int, minor: int) -> None:
    found.assign(**_named(kind, major, minor))


@lru_cache(maxsize=64)
def _named(kind: int, major: int, minor: int) -> dict[str, Any]:
    """Return the stage, the model and the profile by the numbers of a version token."""
    known = member_of(ShaderKind, kind)
    last = "x" if kind == ShaderKind.LIBRARY and minor == OFFLINE_MINOR else str(minor)
    named = {"stage": word(d3d.STAGES, kind), "model": f"{major}.{last}"}
    if known is not None:
        named["profile"] = f"{known.profile}_{major}_{last}"
    return named
