"""Renaming of constants and resources by dotted path.

    Light                 the buffer, and the binding of that name
    Light.colour          a variable in it
    Light.lamps.range     a member of a structure or of an array of structures (same as `lamps[0]`)
    shadowMap             a texture, sampler or view, and its element layout if it has one

Type records are shared, also between buffers, so a rename copies those on its path to leave others
unchanged. A name may contain dots; the longest name that matches is taken.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from ...errors import UsageError

if TYPE_CHECKING:
    from .parts.rdef import RdefType, ResourceDefinition

LISTED = 20  # names in an error


class Renamable(Protocol):
    name: str


class HasType(Renamable, Protocol):
    type: RdefType


N = TypeVar("N", bound=Renamable)
# Compilers name elements and members that are resources as `tex[1]` and `material.tex`.
IDENTIFIER = re.compile(r"[A-Za-z_$]\w*(?:\.[A-Za-z_]\w*|\[[0-9]+\])*", re.ASCII)


def rename(definition: ResourceDefinition, path: str, name: str) -> None:
    """Rename the object at `path`; raise UsageError, listing the names, if there is none."""
    texts: tuple[object, ...] = (path, name)
    for given in texts:
        if not isinstance(given, str) or not given or "\0" in given:
            raise UsageError(f"expected a non-empty str without NUL, got {given!r:.40}")
    if not IDENTIFIER.fullmatch(name):
        raise UsageError(f"expected an identifier (letters, digits and _), got {name!r:.40}")
    tops: list[Renamable] = [*definition.buffers, *definition.bindings]
    found, rest = _step(tops, path, "", "buffer or resource")
    if rest:
        buffer = next((each for each in definition.buffers if each.name == found.name), None)
        if buffer is None:
            raise UsageError(f"no member {rest!r:.60}: {found.name} is a resource")
        _rename_below(buffer.variables, rest, name, buffer.name)
        return
    if name != found.name:
        _check_free(tops, name, "")
    old = found.name
    for each in tops:
        if each.name == old:
            each.name = name


def _rename_below(siblings: Sequence[HasType], path: str, name: str, above: str) -> None:
    """Rename among the variables of a buffer, or below one of them."""
    found, rest = _step(siblings, path, above, "member" if "." in above else "variable")
    if not rest:
        if name != found.name:
            _check_free(siblings, name, above)
        found.name = name
        return
    above = f"{above}.{found.name}"
    inner = found.type
    if not inner.members:
        raise UsageError(f"no member {rest!r:.60}: {above} is not a structure")
    own = copy.copy(inner)
    own.members = [copy.copy(member) for member in inner.members]
    _rename_below(own.members, rest, name, above)
    found.type = own  # last, so that an invalid path changes nothing


def _step(choice: Sequence[N], path: str, above: str, what: str) -> tuple[N, str]:
    """Return the element that the path begins with, and the remaining path."""
    fitting = [(each, rest) for each in choice if (rest := _rest(each.name, path)) is not None]
    if not fitting:
        names = list(dict.fromkeys(each.name for each in choice))
        listed = ", ".join(names[:LISTED]) or "nothing"
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        where = f" in {above}" if above else ""
        raise UsageError(f"no {what} {path!r:.60}{where}: expected one of {listed}{more}")
    return max(fitting, key=lambda each: len(each[0].name))


def _rest(name: str, path: str) -> str | None:
    """Return the path after a name and its subscripts, or None if it begins with another name."""
    if not name or not path.startswith(name):
        return None
    rest = path[len(name) :]
    while rest.startswith("["):
        number, closed, after = rest[1:].partition("]")
        if not closed or not (number.isdecimal() or not number):
            return None
        rest = after
    if not rest:
        return ""
    return rest[1:] if rest.startswith(".") and len(rest) > 1 else None


def _check_free(siblings: Iterable[Renamable], name: str, above: str) -> None:
    if any(each.name == name for each in siblings):
        raise UsageError(f"the name {name!r:.60} is in use" + (f" in {above}" if above else ""))
