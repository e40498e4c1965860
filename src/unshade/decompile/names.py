"""Names of the source: unique identifiers, no keywords of the target, the same in every run."""

import re
from collections.abc import Iterable

from ..ir.locations import SymbolName

__all__ = ["DecompiledNames", "source_word"]

NUMBERED = re.compile(r"[%_]*\d*", re.ASCII)  # %45: a value without a name
PART = re.compile(r"\.[\w]+|\[\d+\]", re.ASCII)
NOT_A_WORD = re.compile(r"\W+", re.ASCII)


class DecompiledNames:
    """The names that are in use."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._reserved = {each.casefold() for each in reserved}
        self._taken = set(self._reserved)

    def unique(self, wanted: str) -> str:
        """Return an unused name, as close to `wanted` as possible, and reserve the name."""
        stem = _word(wanted)
        found, number = stem, 0
        while found.casefold() in self._taken:
            number += 1
            found = f"{stem}_{number}"
        self._taken.add(found.casefold())
        return found

    def field(self, wanted: str) -> str:
        """Return the name of a member of a structure, the same whenever it is asked for."""
        stem = _word(wanted)
        return f"{stem}_" if stem.casefold() in self._reserved else stem


def _word(wanted: str) -> str:
    stem = NOT_A_WORD.sub("_", wanted).strip("_") or "unnamed"
    if stem[0].isdigit():
        stem = f"_{stem}"
    # GLSL reserves names with two underscores, and those that begin with gl_.
    stem = re.sub("__+", "_", stem)
    return stem.removeprefix("gl_")


def source_word(labels: Iterable[SymbolName]) -> str:
    """Return the name of the first variable of the source among labels; "" if there is none.

    Components and elements belong to the variable: `lights[1].x` is `lights`.
    """
    for label in labels:
        steps = [each for each in label.steps[label.scope :] if not PART.fullmatch(each)]
        if steps and not NUMBERED.fullmatch(steps[0]):
            return steps[0]
    return ""
