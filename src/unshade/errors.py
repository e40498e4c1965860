"""Everything that may leave the library as an exception, and the findings that do not.

    UnshadeError
    ├── FormatError        the bytes break the rules of their format: offset and path
    ├── LimitError         the bytes ask for more work than `Limits` allows: the limit is named
    │   └── BudgetError    loops of a program that runs go round more often than is allowed: where
    ├── UnsupportedError   well-formed, but not (yet) something unshade can do
    ├── EncodeError        an object cannot be written: the path of the value and what fits there
    ├── UsageError         the caller's arguments do not fit together
    │   ├── FileError      a file cannot be read or written; an OSError, too, of the kind that it is
    │   ├── PartError      there is no part of that name; a KeyError, too
    │   └── DamagedError   the file is damaged, and can only be looked at; an AttributeError, too
    └── AssembleError      a text is not a program: file, line, column

Any other exception out of a public function is a bug.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from os import PathLike

from .notebook import Shown


class UnshadeError(Exception):
    """Base of every exception that leaves the library.

    `origin` is what it is about, where several files or programs have a part in one piece of work.
    """

    origin: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickling as Python does it calls the class with `args`, which takes other arguments."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[UnshadeError], args: tuple[object, ...]) -> UnshadeError:
    made = kind.__new__(kind, *args)
    made.args = args
    return made


@contextmanager
def told_of(origin: str) -> Iterator[None]:
    """What goes wrong inside is about this, unless something further in has said about what."""
    try:
        yield
    except UnshadeError as error:
        error.origin = error.origin or origin
        raise


class FormatError(UnshadeError):
    """The bytes are malformed.

    `offset` counts bytes from the start of the data that was opened, `path` is the dotted path of
    the field that could not be read, `problem` says what stands there and what was expected.
    """

    def __init__(self, problem: str, *, offset: int = 0, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        where = f"at 0x{self.offset:x}"
        return f"{where}, {self.path}: {self.problem}" if self.path else f"{where}: {self.problem}"

    def within(self, offset: int, path: str) -> "FormatError":
        """The same problem, seen from a structure that starts `offset` bytes further out."""
        joined = f"{path}.{self.path}" if self.path and path else path or self.path
        return FormatError(self.problem, offset=self.offset + offset, path=joined)


class LimitError(UnshadeError):
    """A field of `Limits` was exceeded; `limit` is its name and `allowed` its value."""

    def __init__(self, limit: str, allowed: int, needed: int | str) -> None:
        super().__init__(f"limit {limit} = {allowed} exceeded: the data asks for {needed}")
        self.limit = limit
        self.allowed = allowed
        self.needed = needed


class BudgetError(LimitError):
    """Loops go round more often than the call allows.

    `line` is the one of the listing that such a loop has and `lane` a lane that is in it, 0 and -1
    where the engine cannot tell; whoever knows the listing and what lanes are called says it in
    `where`.
    """

    def __init__(self, allowed: int, line: int = 0, lane: int = -1) -> None:
        super().__init__("budget", allowed, f"more than {allowed} iterations of loops")
        self.line = line
        self.lane = lane
        self.where = f"the loop of line {line} goes on" if line else "loops go on"

    def __str__(self) -> str:
        told = f"limit budget = {self.allowed} exceeded: {self.where} after so many iterations"
        return f"{told}; --budget N (in Python kernel.budget) allows more"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), (self.allowed, self.line, self.lane)), self.__dict__


class UnsupportedError(UnshadeError):
    """The request is sensible but nothing here can fulfil it; the message says what could."""


def not_installed(what: str, package: str, extra: str) -> UnsupportedError:
    """Return the error for a missing package; it names the command that installs it.

    The command is for a checkout: no package index has the project.
    """
    command = f"python -m pip install '.[{extra}]'"
    return UnsupportedError(f"{what} needs {package}: {command} in a checkout of unshade")


class EncodeError(UnshadeError):
    """A value does not fit the field that it stands in; `path` names the field."""

    def __init__(self, problem: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem
        self.path = path

    def within(self, path: str) -> "EncodeError":
        """The same problem, seen from the structure that holds `path`."""
        return EncodeError(self.problem, path=f"{path}.{self.path}" if self.path else path)


class UsageError(UnshadeError):
    """Arguments that do not fit together, or name something that is not there."""


class FileError(UsageError, OSError):
    """A file that cannot be read or written.

    `errno`, `strerror` and `filename` are those of OSError. What Python has a class for is of that
    class, too: `except FileNotFoundError` catches a missing file.
    """

    def __init__(
        self, message: str, errno: int | None, strerror: str | None, filename: object
    ) -> None:
        super().__init__(errno, strerror, filename)
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        args = self.message, self.errno, self.strerror, self.filename
        return _file_error, (_builtin(self), args), self.__dict__

    @staticmethod
    def of(error: OSError, path: str | PathLike[str] = "", message: str = "") -> "FileError":
        """An error of the system as one of this library; `message` is by default path: reason."""
        reason = error.strerror or str(error)
        args = message or f"{path}: {reason}", error.errno, error.strerror, path or error.filename
        return _file_error(_builtin(error), args)


def _builtin(error: OSError) -> type[OSError]:
    """Python's own class of an error."""
    return next(each for each in type(error).__mro__ if each.__module__ == "builtins")


def _file_error(kind: type[OSError], args: tuple[object, ...]) -> FileError:
    return _file_errors(kind)(*args)  # type: ignore[arg-type]


@cache
def _file_errors(kind: type[OSError]) -> type[FileError]:
    """FileError for one of Python's own classes."""
    if kind is OSError:
        return FileError
    return type(kind.__name__, (FileError, kind), {"__module__": __name__, "__doc__": kind.__doc__})


class PartError(UsageError, KeyError):
    """There is no part of that name; `name` is what was asked for."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError shows the repr of what was asked for


class DamagedError(UsageError, AttributeError):
    """A damaged file can only be looked at: it cannot be changed, saved or linked.

    An AttributeError, too: a damaged shader lacks the methods that would change it.
    """


class AssembleError(UnshadeError):
    """A text that is not a program; line and column count from 1, columns in characters.

    `text` is the line that is meant, `width` how much of it from `column` on. `others` are further
    errors of the same texts: one run finds several, and `str()` shows them all. `closing` is a
    line behind them, where reading ended before the text did.
    """

    def __init__(
        self,
        problem: str,
        *,
        line: int,
        column: int,
        file: str = "",
        text: str = "",
        width: int = 1,
        others: "tuple[AssembleError, ...]" = (),
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column
        self.file = file
        self.text = text
        self.width = width
        self.others = others
        self.closing = ""

    @property
    def errors(self) -> "tuple[AssembleError, ...]":
        """Every error that was found, this one first."""
        return self, *self.others

    def __str__(self) -> str:
        told = [error.drawn() for error in self.errors]
        return "\n".join([*told, self.closing] if self.closing else told)

    def drawn(self) -> str:
        """This error alone: the place and the problem, the line, and a caret below the place."""
        told = f"{self.file or 'text'}:{self.line}:{self.column}: {self.problem}"
        if not self.text:
            return told
        before = "".join("\t" if c == "\t" else " " for c in self.text[: self.column - 1])
        return f"{told}\n    {self.text}\n    {before}^{'~' * (self.width - 1)}"


class Severity(StrEnum):
    """How much a finding matters; ERROR means that a reader may refuse the file."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Diagnostic:
    """One finding about a file: a stable code, where it is, and a sentence.

    `offset` counts bytes from the start of the shader, None where the finding has no single place.
    """

    __slots__ = ("code", "message", "offset", "path", "severity")

    def __init__(
        self,
        code: str,
        severity: Severity,
        message: str,
        *,
        offset: int | None = None,
        path: str = "",
    ) -> None:
        self.code = code
        self.severity = severity
        self.message = message
        self.offset = offset
        self.path = path

    def within(self, offset: int, path: str) -> "Diagnostic":
        """The same finding, seen from a structure that starts `offset` bytes further out."""
        joined = f"{path}.{self.path}" if self.path and path else path or self.path
        at = None if self.offset is None else self.offset + offset
        return Diagnostic(self.code, self.severity, self.message, offset=at, path=joined)

    def to_dict(self) -> dict[str, object]:
        """Plain data: code, severity, offset (or None), path, message."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "offset": self.offset,
            "path": self.path,
            "message": self.message,
        }

    def __str__(self) -> str:
        where = "" if self.offset is None else f" at 0x{self.offset:x}"
        path = f" {self.path}:" if self.path else ""
        return f"{self.severity} {self.code}{where}:{path} {self.message}"

    def __repr__(self) -> str:
        return f"<Diagnostic {self}>"


class Diagnostics(Shown, list[Diagnostic]):
    """Findings, which a notebook shows as a table."""

    drawn_by = "findings"


def meant(name: str, names: Iterable[str]) -> str:
    """`; did you mean that?`, where one of the names is close enough to this one."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(names), 1)
    return f"; did you mean {close[0]}?" if close else ""
