"""The data that `strip` removes from a file, by category, and its size and use.

A format lists its losses: parts of its own, and the debug information and names that a program
contains, which the program removes itself. The categories are named like the flags of
D3DStripShader and of `dxc -Qstrip_...`; statistics are a category of their own here.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar, runtime_checkable

from .errors import UsageError
from .program import Program
from .tuples import NamedTuple

__all__ = ["STRIPPABLE", "TRAILING", "Loss", "Strippable", "expanded", "program_losses", "without"]

STRIPPABLE = ("debug", "reflection", "statistics", "private", "root-signature")  # the categories
TRAILING = "trailing"  # the name of the loss of `Shader.trailing`


@runtime_checkable
class Strippable(Protocol):
    """A program, or something else of a file that has debug information or names inside."""

    def stripped(self, category: str) -> Self | None:
        """Return the object without the data of a category of `Shader.strip`; None if unchanged."""


AnyProgram = TypeVar("AnyProgram", bound=Strippable)


class Loss(NamedTuple):
    """Something that `strip` can remove, and the consequence for users of the file."""

    part: str
    size: int  # bytes
    category: str  # one of STRIPPABLE
    meaning: str


def expanded(categories: Sequence[str]) -> tuple[str, ...]:
    """Return the categories, with `all` expanded; UsageError for an unknown one."""
    for each in categories:
        if each not in (*STRIPPABLE, "all"):
            names = ", ".join((*STRIPPABLE, "all"))
            raise UsageError(f"unknown category {each!r:.40}: expected one of {names}")
    return STRIPPABLE if "all" in categories else tuple(categories)


# The parts of a loss in a program, and the consequence for users of the file.
IN_PROGRAM = {
    "debug": ("debug information", "names, lines, sources: debuggers and people need them"),
    "reflection": ("names", "names of types and resources: applications cannot look them up"),
}


def program_losses(
    prefix: str, program: AnyProgram, size_of: Callable[[AnyProgram], int] | None = None
) -> list[Loss]:
    """Return the losses of a program; their parts begin with the prefix.

    `size_of` returns the size of the program in the file; by default, of its code.
    """
    measured = size_of or _code_size
    found = []
    for category, (part, meaning) in IN_PROGRAM.items():
        left = program.stripped(category)
        if left is not None:
            size = measured(program) - measured(left)
            found.append(Loss(prefix + part, size, category, meaning))
    return found


def _code_size(program: Strippable) -> int:
    assert isinstance(program, Program)
    return len(program.encode())


def without(program: AnyProgram, prefix: str, lost: Sequence[Loss]) -> AnyProgram:
    """Return a program without some of its losses; the program itself if it has none of them."""
    gone = {each.part for each in lost}
    for category, (part, _) in IN_PROGRAM.items():
        if prefix + part in gone:
            program = program.stripped(category) or program
    return program
