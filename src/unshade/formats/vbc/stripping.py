"""Removal of debug information of the modules, and of names of the uniform block's members.

debug        names, lines, sources in the modules; memory of the compiler in subpass inputs
reflection   names of members, which Vega looks up: they become empty
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...shader import Loss, program_losses, without

if TYPE_CHECKING:
    from .shader import Vbc

MEMBERS = "names of the uniform block"


def losses(shader: "Vbc") -> list[Loss]:
    """Return everything that can be removed, in file order."""
    found = []
    named = sum(len(each.name.encode()) for each in shader.record.uniform.members)
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
        for each in shader.record.uniform.members:
            each.name = ""


def _parts(lost: Iterable[Loss]) -> set[str]:
    return {each.part for each in lost}
