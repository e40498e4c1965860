"""Names of the source: unique identifiers, no keywords of the target, the same in every run."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ..errors import UsageError, did_you_mean
from ..ir.locations import SymbolName

__all__ = ["IDENTIFIER", "UNNAMED", "DecompiledNames", "source_word", "word_of"]

IDENTIFIER = re.compile(r"[A-Za-z_]\w{0,254}", re.ASCII)
NUMBERED = re.compile(r"[%_]*\d*", re.ASCII)  # %45: a value without a name
PART = re.compile(r"\.[\w]+|\[\d+\]", re.ASCII)
NOT_A_WORD = re.compile(r"\W+", re.ASCII)
UNNAMED = "%"  # begins the mark of a variable without a name


class DecompiledNames:
    """The names that are in use.

    `renames` are names that the user wants in place of those that are found here: a renamed
    variable does not change the names of others. Names that differ in case are different names.
    """

    def __init__(
        self,
        reserved: Iterable[str],
        renames: Mapping[str, str] | None = None,
    ) -> None:
        self._reserved = {*reserved}
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last of each stem, below which none is free
        self._renames = renames or {}
        self._wanted = {new: old for old, new in self._renames.items()}
        self._unmet = dict.fromkeys(self._renames)
        self._known: list[str] = []
        self._fields: set[str] = set()
        self._marks = 0
        self._check()

    def _check(self) -> None:
        """Raise UsageError for a name that the source cannot have, or that two would have."""
        if len(self._wanted) < len(self._renames):
            counts = Counter(self._renames.values())
            twice = next(new for new in self._renames.values() if counts[new] > 1)
            raise UsageError(f"names: expected different names, got {twice!r:.60} twice")
        for old, new in self._renames.items():
            if not IDENTIFIER.fullmatch(new) or word_of(new) != new:
                problem = f"expected an identifier in place of {old!r:.60}, got {new!r:.60}"
                raise UsageError(f"names: {problem}")
            if self._is_reserved(new):
                raise UsageError(f"names: {new} is a word of the language, for {old!r:.60}")

    def unique(self, wanted: str) -> str:
        """Return an unused name, as close to `wanted` as possible, and reserve the name."""
        stem = found = word_of(wanted)
        number = self._numbers.get(stem, 0)
        while not self.is_free(found):
            number += 1
            found = f"{stem}_{number}"
        self._numbers[stem] = number
        self._taken.add(found)
        return self._renamed(found)

    def mark(self) -> str:
        """Return a mark for a variable without a name, which gets one when the text is complete."""
        self._marks += 1
        return f"{UNNAMED}{self._marks}"

    def is_free(self, name: str) -> bool:
        """Return True if nothing has a name, which is no word of the language."""
        return not self._is_reserved(name) and name not in self._taken

    def is_wanted(self, name: str) -> bool:
        """Return True for a name that the user gives."""
        return name in self._wanted

    def field(self, wanted: str) -> str:
        """Return the name of a member of a structure, the same whenever it is asked for."""
        stem = word_of(wanted)
        found = f"{stem}_" if self._is_reserved(stem) else stem
        self._known.append(found)
        self._fields.add(found)
        self._unmet.pop(found, None)
        return self._renames.get(found, found)

    def _is_reserved(self, word: str) -> bool:
        return word in self._reserved

    def _renamed(self, found: str) -> str:
        """Return the user's name for a name that was found.

        Raises:
            UsageError: Another object, which keeps its name, has the user's name.
        """
        self._known.append(found)
        new = self._renames.get(found)
        if new is not None:
            self._unmet.pop(found, None)
            return new
        old = self._wanted.get(found)
        if old is not None:
            raise UsageError(f"names: {found} is taken, expected another name for {old!r:.60}")
        return found

    def check_met(self) -> None:
        """Raise UsageError if a renamed object does not exist, or a member has the name."""
        kept = self._fields - {*self._renames}
        for old, new in self._renames.items():
            if old in self._fields and new in kept:
                raise UsageError(f"names: {new} is taken, expected another name for {old!r:.60}")
        for old in self._unmet:
            raise UsageError(
                f"names: nothing is called {old!r:.60}{did_you_mean(old, self._known)}"
            )


def word_of(wanted: str) -> str:
    """Return the identifier that is closest to a name."""
    stem = NOT_A_WORD.sub("_", wanted).strip("_") or "unnamed"
    if stem[0].isdigit() or wanted.startswith("_"):  # _MainTex, but Globals for $Globals
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
