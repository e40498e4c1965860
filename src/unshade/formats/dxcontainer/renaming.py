"""Names of constants and resources, by dotted path, and other ones for them.

    Light                 the buffer, and the binding of that name
    Light.colour          a variable in it
    Light.lamps.range     a member of a structure, of an array of them too: `lamps[0]` says no more
    shadowMap             a texture, sampler or view; with its elements' buffer, if it has one

Records of types are shared by all that have the type, in other buffers too. A rename makes copies
of those on its path, so that nothing else is called otherwise. Names are told apart by the longest
that fits: one may contain dots.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from ...errors import UsageError

if TYPE_CHECKING:
    from .parts.rdef import RdefType, ResourceDefinition

LISTED = 20  # names in an error


class HasName(Protocol):
    name: str


class HasType(HasName, Protocol):
    type: RdefType


N = TypeVar("N", bound=HasName)


def rename(definition: ResourceDefinition, path: str, name: str) -> None:
    """Give what the path names another name; UsageError lists what there is."""
    texts: tuple[object, ...] = (path, name)
    for given in texts:
        if not isinstance(given, str) or not given or "\0" in given:
            raise UsageError(f"a name is text without NUL, and not empty, not {given!r:.40}")
    tops: list[HasName] = [*definition.buffers, *definition.bindings]
    found, rest = _step(tops, path, "", "buffer or resource")
    if rest:
        buffer = next((each for each in definition.buffers if each.name == found.name), None)
        if buffer is None:
            raise UsageError(f"{found.name} is a resource and has no {rest}")
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
        raise UsageError(f"{above} has no members, so that there is no {rest}")
    own = copy.copy(inner)
    own.members = [copy.copy(member) for member in inner.members]
    _rename_below(own.members, rest, name, above)
    found.type = own  # only now: nothing has changed if the path leads nowhere


def _step(choice: Sequence[N], path: str, above: str, what: str) -> tuple[N, str]:
    """What the path begins with, and the rest of the path."""
    fitting = [(each, rest) for each in choice if (rest := _behind(each.name, path)) is not None]
    if not fitting:
        names = list(dict.fromkeys(each.name for each in choice))
        told = ", ".join(names[:LISTED]) or "none"
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        where = f" in {above}" if above else ""
        raise UsageError(f"no {what} {path!r:.60}{where}; there are {told}{more}")
    return max(fitting, key=lambda each: len(each[0].name))


def _behind(name: str, path: str) -> str | None:
    """The path behind a name and its subscripts, None where it does not begin with the name."""
    if not name or not path.startswith(name):
        return None
    rest = path[len(name) :]
    while rest.startswith("["):
        number, closed, behind = rest[1:].partition("]")
        if not closed or not (number.isdecimal() or not number):
            return None
        rest = behind
    if not rest:
        return ""
    return rest[1:] if rest.startswith(".") and len(rest) > 1 else None


def _check_free(siblings: Iterable[HasName], name: str, above: str) -> None:
    if any(each.name == name for each in siblings):
        raise UsageError(f"there is a {name} already" + (f" in {above}" if above else ""))
