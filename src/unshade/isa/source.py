"""Scanning of source text, with the location of every error found in one run.

    source = Source("mov r0.x, q0.x", "ps.asm")
    errors = ErrorList()
    for scanner in source.scanners():
        with errors:                                # an error ends the line, not the run
            name = scanner.take(NAME, "a mnemonic")
            ...
            raise scanner.expected("a register")
    errors.check()

    ps.asm:1:11: expected a register, got 'q0'
        mov r0.x, q0.x
                  ^~

Assemblers add the patterns of their languages.
"""

import re
from collections.abc import Iterable, Iterator
from types import TracebackType

from ..errors import AssembleError, did_you_mean
from ..tuples import NamedTuple

__all__ = ["ErrorList", "Location", "Scanner", "Source", "decoded", "uncoloured"]

BYTE_ORDER_MARK = "\ufeff"  # some editors write it before UTF-8
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # PowerShell writes `unshade dis x > x.asm` in UTF-16
AT_MOST = 20  # errors of one run; more are rarely of use
LONGEST = 200  # characters of a line that an error shows
BLANKS = re.compile(r"[ \t\f\v\r\xa0]*")  # pages and viewers indent with no-break spaces
ESCAPE = "\x1b"
COLOURS = re.compile(r"\x1b\[[0-9;:]*m")  # ECMA-48, select graphic rendition
TOKEN = re.compile(r"\w+|\S")  # shown after "got"


def decoded(data: bytes) -> str | None:
    """Decode UTF-16 with a byte order mark, else UTF-8 with invalid bytes as surrogates.

    Returns:
        The text; None if the data has bytes that no text has.
    """
    if data.startswith(UTF_16):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            pass
    if b"\0" in data:
        return None
    return data.removeprefix(BYTE_ORDER_MARK.encode()).decode("utf-8", "surrogateescape")


def uncoloured(text: str) -> str:
    """Return a text without the colour codes of a terminal."""
    return COLOURS.sub("", text) if ESCAPE in text else text


class Source:
    """A source text, split into lines, and its name in error messages."""

    __slots__ = ("_lines", "name", "text")

    def __init__(self, text: str, name: str = "") -> None:
        self.name = name
        self.text = text.removeprefix(BYTE_ORDER_MARK)
        self._lines: list[str] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines, without line ends."""
        found = self._lines
        if found is None:
            # Not splitlines: form feeds and Unicode separators do not end a line.
            found = self.text.split("\n")
            if "\r" in self.text:
                found = [line.removesuffix("\r") for line in found]
            self._lines = found
        return found

    def uncoloured(self) -> "Source":
        """Return the text without the colour codes of a terminal."""
        return self if ESCAPE not in self.text else Source(uncoloured(self.text), self.name)

    def scanner(self, line: int) -> "Scanner":
        """Return a scanner of a line, counted from 1."""
        return Scanner(self, line)

    def scanners(self, first: int = 1) -> Iterator["Scanner"]:
        """Iterate over scanners of the lines from `first` on."""
        for number in range(first, len(self.lines) + 1):
            yield Scanner(self, number)

    def error(self, problem: str, line: int, column: int = 1, width: int = 1) -> AssembleError:
        """Return an error located in this text; line and column count from 1."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if len(text) > LONGEST:
            text = text[:LONGEST] if column <= LONGEST else ""
        width = max(1, min(width, len(text) - column + 1))
        return AssembleError(
            problem, line=line, column=column, file=self.name, text=text, width=width
        )


class Location(NamedTuple):
    """A range of characters in a line, kept for errors that are found later."""

    source: Source
    line: int
    column: int
    width: int

    def error(self, problem: str) -> AssembleError:
        """Return an error at this location."""
        return self.source.error(problem, self.line, self.column, self.width)

    def unknown(self, kind: str, name: str, names: Iterable[str] = ()) -> AssembleError:
        """Return an error for an unknown name; suggest the closest of `names`."""
        return self.error(f"unknown {kind} {name!r:.60}{did_you_mean(name, names)}")


class Scanner:
    """A scanner of one line, from left to right; blanks between tokens are skipped."""

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
        """True at the end of the line."""
        return self.at >= self.end

    @property
    def rest(self) -> str:
        """The rest of the line."""
        return self.text[self.at : self.end]

    def cut(self, *comments: str) -> None:
        """End the line where a comment starts; `comments` are the comment marks."""
        places = [self.text.find(mark, self.at, self.end) for mark in comments]
        self.end = min([place for place in places if place >= 0], default=self.end)
        while self.end > self.at and self.text[self.end - 1].isspace():
            self.end -= 1

    def match(self, pattern: re.Pattern[str], *, tight: bool = False) -> re.Match[str] | None:
        """Match a pattern here and move past it; return None if it does not match.

        With `tight`, blanks after the match are not skipped.
        """
        found = pattern.match(self.text, self.at, self.end)
        if found is None:
            return None
        self.at = found.end()
        if not tight:
            self._skip()
        return found

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Return whether a pattern matches here, without moving."""
        return pattern.match(self.text, self.at, self.end) is not None

    def take(self, pattern: re.Pattern[str], wanted: str) -> str:
        """Return the text that a pattern matches at the position, else raise `expected(wanted)`."""
        found = self.match(pattern)
        if found is None:
            raise self.expected(wanted)
        return found[0]

    def accept(self, text: str) -> bool:
        """Move past `text` if it is next; return whether it was."""
        if not self.text.startswith(text, self.at, self.end):
            return False
        self.at += len(text)
        self._skip()
        return True

    def expect(self, text: str, wanted: str = "") -> None:
        """Move past `text`; AssembleError if it is not next."""
        if not self.accept(text):
            raise self.expected(wanted or repr(text))

    def finish(self, wanted: str = "the end of the line") -> None:
        """Raise AssembleError unless this is the end of the line."""
        if not self.done:
            raise self.expected(wanted)

    # ------------------------------------------------------------ locations and errors

    def place(self, start: int | None = None) -> Location:
        """Return the location from `start` (an earlier `at`) to here, or of the next token."""
        if start is None:
            found = TOKEN.match(self.text, self.at, self.end)
            return Location(self.source, self.line, self.at + 1, len(found[0]) if found else 1)
        width = len(self.text[start : self.at].rstrip())
        return Location(self.source, self.line, start + 1, max(width, 1))

    def expected(self, wanted: str) -> AssembleError:
        """Return the error "expected …, got …", with the next token."""
        found = TOKEN.match(self.text, self.at, self.end)
        token = f"{found[0]!r:.40}" if found else "the end of the line"
        token = token.replace("\\udc", "\\x")  # a byte that is not UTF-8
        return self.place().error(f"expected {wanted}, got {token}")

    def unknown(self, kind: str, name: str, start: int, names: Iterable[str] = ()) -> AssembleError:
        """Return an error for an unknown name that starts at `start`; see Location.unknown."""
        return self.place(start).unknown(kind, name, names)


class ErrorList:
    """The errors of one run; as a context manager it collects an AssembleError and continues."""

    __slots__ = ("errors", "most")

    def __init__(self, most: int = AT_MOST) -> None:
        self.errors: list[AssembleError] = []
        self.most = most

    def add(self, error: AssembleError) -> None:
        """Add an error; raise all of them at once when there are too many."""
        self.errors += error.errors
        error.others, error.closing = (), ""
        if len(self.errors) >= self.most:
            self.check(f"too many errors ({len(self.errors)}), the rest was not read")

    def check(self, closing: str = "") -> None:
        """Raise an AssembleError with all errors in the order of the text, if there are any."""
        if self.errors:
            first, *others = sorted(self.errors, key=lambda each: (each.file, each.line))
            first.others, first.closing = tuple(others), closing
            raise first

    def __enter__(self) -> "ErrorList":
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
            return False  # raised by `add` in a nested context: too many errors

        self.add(error)
        return True
