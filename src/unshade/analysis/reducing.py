"""`unshade.reduce`: make a shader smaller while a test still holds.

    a.spv    155 lines   the test holds: the driver crashes
             77          without the second half: does not assemble
             ...
    small    31 lines    no line can be removed, and no instruction made simpler

The listing is edited, and assembled again: lines are removed, first many at once, and the edits of
`Program.simpler` are tried. A text that does not assemble, or breaks a rule of `verify` that the
shader keeps, is passed over; the test sees no shader twice. As in delta debugging (Zeller and
Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002), except that values that are
still used are not removed.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from ..api import assemble, loads
from ..errors import Severity, UnshadeError, UsageError
from ..formats import format_named
from ..isa.line_edits import LineEdit
from ..shader import Shader
from ..stripping import STRIPPABLE

__all__ = ["MOST", "reduce"]

MOST = 2000  # calls of the test
DIALECT = "exact"
DEFINED = re.compile(r"\s*([%!@#][\w.$-]+)\s*=")
NAMES = re.compile(r"[%!@#][\w.$-]+")


def reduce(
    shader: Shader,
    holds: Callable[[Shader], bool],
    *,
    valid: bool = True,
    most: int = MOST,
    progress: Callable[[int, int, int], None] | None = None,
) -> Shader:
    """Return a smaller shader for which a test still holds.

    Args:
        shader: The shader; it is not changed.
        holds: The test. It gets a shader, and returns True if the shader still shows whatever is
            searched for, such as the crash of a compiler.
        valid: Test only shaders that break no rule of `verify` as an error, except for those that
            the given one breaks.
        most: Number of calls of the test, at most.
        progress: A function that is called after each step with the number of calls, of lines, and
            of lines of the given shader.

    Raises:
        UsageError: The test does not hold for the given shader.
    """
    if most < 1:
        raise UsageError(f"most: expected a number of at least 1, got {most}")
    work = _Reduction(shader, holds, valid, most, progress)
    if not work.holds(loads(shader.to_bytes(), limits=shader.limits)):
        raise UsageError("the test does not hold for the shader itself")
    work.strip()
    size = None
    while size != work.size and work.calls < most:
        size = work.size
        work.remove_lines()
        work.simplify()
    return work.best


class _Reduction:
    """The smallest shader so far, and its text."""

    def __init__(
        self,
        shader: Shader,
        holds: Callable[[Shader], bool],
        valid: bool,
        most: int,
        progress: Callable[[int, int, int], None] | None,
    ) -> None:
        self.test, self.most, self.progress = holds, most, progress
        self.best = loads(shader.to_bytes(), limits=shader.limits)
        self.tried = {self.best.to_bytes()}
        self.allowed = _errors(self.best) if valid else None
        self.calls = 0
        self.lines = _lines(self.best)
        self.whole = len(self.lines)

    @property
    def size(self) -> tuple[int, int, int]:
        """A measure that each step makes smaller."""
        text = sum(map(len, self.lines))
        return len(self.lines), len(self.best.to_bytes()), text

    def holds(self, candidate: Shader) -> bool:
        """Call the test; a shader that it got before is not tested again."""
        self.calls += 1
        return bool(self.test(candidate))

    def strip(self) -> None:
        """Remove data that is not code, one category after the other."""
        for category in STRIPPABLE:
            if self.calls >= self.most:
                return
            candidate = loads(self.best.to_bytes(), limits=self.best.limits)
            try:
                removed = candidate.strip(category)
                lines = _lines(candidate) if removed else []
            except UnshadeError:
                continue
            if removed and self._accept(candidate, lines):
                self.whole = max(self.whole, len(lines))

    def remove_lines(self) -> None:
        """Remove lines, first half of them at once, then a quarter, and at last each alone."""
        count = len(self.lines) // 2
        while count and self.calls < self.most:
            stop = len(self.lines)
            while stop > 1 and self.calls < self.most:
                start = max(stop - count, 1)  # the first line is the heading of exact text
                if not self._is_used_elsewhere(start, stop):
                    self._try(LineEdit(start, stop))
                stop = start
            count //= 2

    def simplify(self) -> None:
        """Try the edits of each line, from the last one to the first."""
        at = len(self.lines)
        while at > 1 and self.calls < self.most:
            at = min(at, len(self.lines)) - 1
            for edit in [*self._edits(at)]:
                if self.calls >= self.most or self._try(edit):
                    break

    def _edits(self, at: int) -> Iterator[LineEdit]:
        for program in self.best.programs[:1]:
            yield from program.simpler(self.lines, at)

    def _try(self, edit: LineEdit) -> bool:
        """Make an edit if the test holds with it."""
        lines = edit.made(self.lines)
        text = "\n".join([*lines, ""])
        described = format_named(self.best.format)
        donor = self.best if described.donors else None
        try:
            candidate = assemble(text, self.best.format, donor=donor)
        except UnshadeError:
            return False
        return self._accept(candidate, lines)

    def _accept(self, candidate: Shader, lines: Sequence[str]) -> bool:
        """Take a shader if it is not larger and the test holds for it."""
        try:
            data = candidate.to_bytes()
            again = loads(data, limits=self.best.limits)
        except UnshadeError:
            return False
        same = data == self.best.to_bytes()
        if not same:
            if data in self.tried:
                return False
            self.tried.add(data)
            if self.allowed is not None and not _errors(again) <= self.allowed:
                return False
            if not self.holds(again):
                return False
            self.best = again
        self.lines = [*lines]
        if self.progress is not None and not same:
            self.progress(self.calls, len(self.lines), self.whole)
        return True

    def _is_used_elsewhere(self, start: int, stop: int) -> bool:
        """Return True if the lines define names that lines outside use."""
        defined = {
            found[1]
            for line in self.lines[start:stop]
            if (found := DEFINED.match(line)) is not None
        }
        if not defined:
            return False
        outside = (*self.lines[:start], *self.lines[stop:])
        return any(not defined.isdisjoint(NAMES.findall(line)) for line in outside)


def _lines(shader: Shader) -> list[str]:
    return shader.disassemble(DIALECT).splitlines()


def _errors(shader: Shader) -> set[str]:
    """Return the codes of the errors that `verify` finds."""
    return {each.code for each in shader.verify() if each.severity == Severity.ERROR}
