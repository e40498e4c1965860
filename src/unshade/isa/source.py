"""Reading the text of a program: where one is, what stands there, and every mistake in one run.

    source = Source("mov r0.x, q0.x", "ps.asm")
    mistakes = Mistakes()
    for scanner in source.scanners():
        with mistakes:                              # an error ends the line, not the reading
            name = scanner.take(NAME, "a mnemonic")
            ...
            raise scanner.expected("a register")
    mistakes.check()

    ps.asm:1:11: expected a register, found 'q0'
        mov r0.x, q0.x
                  ^~

An assembler reads with patterns of its own language; what all of them share is here.
"""

import re
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import NamedTuple

from ..errors import AssembleError, meant

__all__ = ["Mistakes", "Place", "Scanner", "Source"]

AT_MOST = 20  # mistakes of one run; more seldom tell more
LONGEST = 200  # characters of a line that an error repeats
BLANKS = re.compile(r"[ \t\f\v\r]*")
TOKEN = re.compile(r"\w+|\S")  # what "found" names


class Source:
    """A text and the name it is known by, in lines."""

    __slots__ = ("lines", "name", "text")

    def __init__(self, text: str, name: str = "") -> None:
        self.name = name
        self.text = text
        # Not splitlines: a form feed or a Unicode separator ends no line of a program.
        self.lines = [line.removesuffix("\r") for line in text.split("\n")]

    def scanner(self, line: int) -> "Scanner":
        """A scanner of one line, counted from 1."""
        return Scanner(self, line)

    def scanners(self, first: int = 1) -> Iterator["Scanner"]:
        """A scanner of each line in turn."""
        for number in range(first, len(self.lines) + 1):
            yield Scanner(self, number)

    def error(self, problem: str, line: int, column: int = 1, width: int = 1) -> AssembleError:
        """What is wrong at a place."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if len(text) > LONGEST:
            text = text[:LONGEST] if column <= LONGEST else ""
        width = max(1, min(width, len(text) - column + 1))
        return AssembleError(
            problem, line=line, column=column, file=self.name, text=text, width=width
        )


class Place(NamedTuple):
    """Some characters of a line, for what turns out to be wrong later."""

    source: Source
    line: int
    column: int
    width: int

    def error(self, problem: str) -> AssembleError:
        """What is wrong here."""
        return self.source.error(problem, self.line, self.column, self.width)

    def unknown(self, what: str, name: str, names: Iterable[str] = ()) -> AssembleError:
        """A name that means nothing, and the one that may be meant."""
        return self.error(f"there is no {what} {name!r:.60}{meant(name, names)}")


class Scanner:
    """One line, read from the left; blanks between what is read count for nothing."""

    __slots__ = ("at", "end", "line", "source", "text")

    def __init__(self, source: Source, line: int) -> None:
        self.source = source
        self.line = line
        self.text = source.lines[line - 1]
        self.end = len(self.text)
        self.at = 0
        self._skip()

    def _skip(self) -> None:
        blanks = BLANKS.match(self.text, self.at, self.end)
        assert blanks is not None
        self.at = blanks.end()

    # ------------------------------------------------------------ reading

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= self.end

    @property
    def rest(self) -> str:
        """What is left."""
        return self.text[self.at : self.end]

    def cut(self, *comments: str) -> None:
        """The line ends where a comment begins."""
        places = [self.text.find(mark, self.at, self.end) for mark in comments]
        self.end = min([place for place in places if place >= 0], default=self.end)
        while self.end > self.at and self.text[self.end - 1].isspace():
            self.end -= 1

    def match(self, pattern: re.Pattern[str], *, tight: bool = False) -> re.Match[str] | None:
        """What the pattern matches here, read; None where it does not.

        With `tight` blanks behind it are not skipped: they mean something.
        """
        found = pattern.match(self.text, self.at, self.end)
        if found is None:
            return None
        self.at = found.end()
        if not tight:
            self._skip()
        return found

    def take(self, pattern: re.Pattern[str], wanted: str) -> str:
        """The text that the pattern matches; AssembleError names what is wanted."""
        found = self.match(pattern)
        if found is None:
            raise self.expected(wanted)
        return found[0]

    def accept(self, text: str) -> bool:
        """Whether these characters stand here; if so, they are read."""
        if not self.text.startswith(text, self.at, self.end):
            return False
        self.at += len(text)
        self._skip()
        return True

    def expect(self, text: str, wanted: str = "") -> None:
        """These characters; AssembleError where others stand."""
        if not self.accept(text):
            raise self.expected(wanted or repr(text))

    def finish(self, wanted: str = "the end of the line") -> None:
        """Nothing is left; AssembleError otherwise."""
        if not self.done:
            raise self.expected(wanted)

    # ------------------------------------------------------------ places and mistakes

    def place(self, start: int | None = None) -> Place:
        """What was read from `start` (an earlier `at`) on; else what stands here."""
        if start is None:
            found = TOKEN.match(self.text, self.at, self.end)
            return Place(self.source, self.line, self.at + 1, len(found[0]) if found else 1)
        width = len(self.text[start : self.at].rstrip())
        return Place(self.source, self.line, start + 1, max(width, 1))

    def expected(self, wanted: str) -> AssembleError:
        """Something else stands here than what was wanted."""
        found = TOKEN.match(self.text, self.at, self.end)
        stands = f"{found[0]!r:.40}" if found else "the end of the line"
        stands = stands.replace("\\udc", "\\x")  # a byte that is no letter
        return self.place().error(f"expected {wanted}, found {stands}")

    def unknown(self, what: str, name: str, start: int, names: Iterable[str] = ()) -> AssembleError:
        """A name that means nothing, which began at `start`, and the one that may be meant."""
        return self.place(start).unknown(what, name, names)


class Mistakes:
    """The errors of one run; as a context it takes an AssembleError in and goes on."""

    __slots__ = ("errors", "most")

    def __init__(self, most: int = AT_MOST) -> None:
        self.errors: list[AssembleError] = []
        self.most = most

    def add(self, error: AssembleError) -> None:
        """One more; AssembleError with all of them when there are too many to go on."""
        self.errors += error.errors
        error.others, error.closing = (), ""
        if len(self.errors) >= self.most:
            self.check(f"{len(self.errors)} mistakes; what follows was not read")

    def check(self, closing: str = "") -> None:
        """AssembleError with every mistake, in the order of the text, if there is any."""
        if self.errors:
            first, *others = sorted(self.errors, key=lambda each: (each.file, each.line))
            first.others, first.closing = tuple(others), closing
            raise first

    def __enter__(self) -> "Mistakes":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, AssembleError):
            return False
        if any(error is each for each in self.errors):
            return False  # what `add` raised within another such context: there are too many
        self.add(error)
        return True
