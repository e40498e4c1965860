"""Error messages of the compiler, in the words of Skia's compiler.

    error: 3: expected 'float', but found 'bool'
        float x = true;
                  ^^^^
    1 error

A position is a range of characters in the source; None for an error without a position. Upstream
keeps at most 255 characters of a range.

Source: SkSLCompiler.cpp and SkSLPosition.h of Skia's milestone 104.
"""

from bisect import bisect_right

from ....errors import AssembleError
from ....isa.source import ErrorList, Source
from ....tuples import NamedTuple

__all__ = ["NOWHERE", "POISON_NAME", "Message", "Position", "Reporter", "after", "cover", "span"]

Position = tuple[int, int] | None

NOWHERE: Position = None
LONGEST_RANGE = 0xFF
MOST_MESSAGES = 1000  # of one run; a hostile source could cause more than anyone reads
POISON_NAME = "<POISON>"  # a type that follows from an error: messages that name it are dropped


def span(start: int, end: int) -> Position:
    """Return the position of a range of characters."""
    return start, min(max(start, end), start + LONGEST_RANGE)


def cover(first: Position, last: Position) -> Position:
    """Return the position from the start of one range to the end of another."""
    if first is None or last is None:
        return first
    return span(first[0], last[1])


def after(position: Position) -> Position:
    """Return the position of the character after a range."""
    return None if position is None else (position[1], position[1] + 1)


class Message(NamedTuple):
    """An error message and its place."""

    position: Position
    text: str


class Reporter:
    """The messages of one run, in the order in which they were found."""

    __slots__ = ("lines", "messages", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.messages: list[Message] = []
        self.lines = [0]
        for line in source.text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)

    @property
    def count(self) -> int:
        """Number of errors so far."""
        return len(self.messages)

    def error(self, position: Position, text: str) -> None:
        """Report an error, unless it follows from an earlier one."""
        if POISON_NAME not in text:
            self.messages.append(Message(position, text))
            if len(self.messages) >= MOST_MESSAGES:
                self.check()

    def line(self, position: Position) -> int:
        """Return the line number of a position, from 1; 0 if there is no line."""
        return (
            0 if position is None else bisect_right(self.lines, position[0], hi=len(self.lines) - 1)
        )

    def text(self) -> str:
        """Return all messages as upstream's compiler prints them."""
        shown = [self._shown(each) for each in self.messages]
        count = len(self.messages)
        return "".join([*shown, f"{count} error{'s' if count > 1 else ''}\n" if count else ""])

    def _shown(self, message: Message) -> str:
        if message.position is None:
            return f"error: {message.text}\n"
        line = self.line(message.position)
        head = f"error: {line}: {message.text}\n"
        source = self.source.text
        start, end = message.position
        if start >= len(source):
            return head
        begin = self.lines[line - 1]
        stop = source.find("\n", begin)
        shown = source[begin:] if stop < 0 else source[begin:stop]
        carets = "".join(
            ("^" if begin + at >= start else " ") * (4 if each == "\t" else 1)
            for at, each in enumerate(shown)
            if begin + at < end
        )
        if 0 <= stop < end:
            carets += "..." if end > stop + 1 else "^"
        visible = shown.replace("\t", "    ").replace("\0", " ")
        return f"{head}{visible}\n{carets}\n"

    def located(self, message: Message) -> AssembleError:
        """Return a message as an exception with line and column."""
        if message.position is None:
            return AssembleError(message.text, line=1, column=1, file=self.source.name)
        line = self.line(message.position)
        start, end = message.position
        return self.source.error(message.text, line, start - self.lines[line - 1] + 1, end - start)

    def check(self) -> None:
        """Raise an AssembleError with all messages, if there are any."""
        if self.messages:
            errors = ErrorList(most=len(self.messages) + 1)
            for each in self.messages:
                errors.add(self.located(each))
            errors.check()
