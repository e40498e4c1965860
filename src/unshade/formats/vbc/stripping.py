"""Removal of debug information of the modules, and of names of the uniform block's members.

debug        names, lines, sources in the modules; memory of the compiler in subpass inputs
reflection   names of members, which Vega looks up: they become short
"""

from collections.abc import Iterable, Sequence
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING

from ...stripping import Loss, program_losses, without

if TYPE_CHECKING:
    from .shader import Vbc

MEMBERS = "names of the uniform block"
SHORT = 2  # letters of a name that is kept


def losses(shader: "Vbc") -> list[Loss]:
    """Return everything that can be removed, in file order."""
    found = []
    named = sum(len(old.encode()) - len(new) for old, new in _shorter(shader).items() if old != new)
    if named:
        meaning = "names of members: applications can no longer look them up"
        found.append(Loss(MEMBERS, named, "reflection", meaning))
    for name, program in shader.modules().items():
        found += program_losses(f"{name} ", program)
    return found


def strip(shader: "Vbc", lost: Sequence[Loss]) -> None:
    """Remove the given losses."""
    for name, program in shader.modules().items():
        made = without(program, f"{name} ", lost)
        if made is not program:
            setattr(shader.record, name, made.encode())
    if MEMBERS in _parts(lost):
        shorter = _shorter(shader)
        for each in shader.record.uniform.members:
            each.name = shorter[each.name]


def _shorter(shader: "Vbc") -> dict[str, str]:
    """Return a name for each member: a new one of fewer letters, or its own if that is short."""
    names = [each.name for each in shader.record.uniform.members]
    kept = {name for name in names if len(name) <= SHORT}
    one = list(ascii_lowercase)
    fresh = (name for name in [*one, *map("".join, product(one, one))] if name not in kept)
    return {name: name if name in kept else next(fresh, name) for name in dict.fromkeys(names)}


def _parts(lost: Iterable[Loss]) -> set[str]:
    return {each.part for each in lost}
