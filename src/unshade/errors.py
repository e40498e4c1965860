"""Exceptions that the library raises, and the diagnostics that it returns.

    UnshadeError
    ├── FormatError        malformed data: offset and path
    ├── LimitError         the data needs more work than `Limits` allows: the name of the limit
    │   └── BudgetError    a running program exceeds its loop budget: line and lane
    ├── UnsupportedError   well-formed, but not supported (yet)
    ├── EncodeError        an object cannot be encoded: path of the value, and what fits there
    ├── UsageError         invalid arguments
    │   ├── FileError      a file cannot be read or written; also the matching OSError
    │   ├── PartError      no part of that name; also a KeyError
    │   ├── ResultError    no result of that name; also a KeyError
    │   └── DamagedError   the file is damaged and read-only; also an AttributeError
    └── AssembleError      invalid source text: file, line, column
        └── CompileError   a compiler refuses a source: its name and its words

Any other exception raised by a public function is a bug.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from os import PathLike

from .enums import StrEnum
from .notebook import Shown


class UnshadeError(Exception):
    """Base class of all exceptions of this library.

    `origin` names the file or program at fault when an operation involves several.
    """

    origin: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling: the constructors take other arguments than `args`."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[UnshadeError], args: tuple[object, ...]) -> UnshadeError:
    made = kind.__new__(kind, *args)
    made.args = args
    return made


@contextmanager
def with_origin(origin: str) -> Iterator[None]:
    """Set `origin` on an UnshadeError raised in the block, unless it is set already."""
    try:
        yield
    except UnshadeError as error:
        error.origin = error.origin or origin
        raise


class FormatError(UnshadeError):
    """The data is malformed.

    `offset` is in bytes from the start of the data that was opened, `path` is the dotted path of
    the field that could not be read, and `problem` describes the expected and the actual value.
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
        """Return this error relative to an enclosing structure.

        `offset` is where this structure begins in the enclosing one, `path` is its path there.
        """
        joined = f"{path}.{self.path}" if self.path and path else path or self.path
        return FormatError(self.problem, offset=self.offset + offset, path=joined)


class LimitError(UnshadeError):
    """The data exceeds a field of `Limits`: `limit` is its name, `allowed` its value."""

    def __init__(self, limit: str, allowed: int, needed: int | str) -> None:
        super().__init__(f"limit {limit} = {allowed} exceeded: the data needs {needed}")
        self.limit = limit
        self.allowed = allowed
        self.needed = needed


class BudgetError(LimitError):
    """A running program exceeds its budget of loop iterations.

    `line` is the listing line of such a loop and `lane` a lane inside it; 0 and -1 if unknown to
    the engine. `where` describes both once the listing and the names of lanes are known.
    """

    def __init__(self, allowed: int, line: int = 0, lane: int = -1) -> None:
        super().__init__("budget", allowed, f"more than {allowed} iterations of loops")
        self.line = line
        self.lane = lane
        self.where = f"the loop of line {line} goes on" if line else "loops go on"

    def __str__(self) -> str:
        message = (
            f"limit budget = {self.allowed} exceeded: {self.where} after {self.allowed} iterations"
        )
        return f"{message}; raise it with --budget N (in Python: kernel.budget = N)"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), (self.allowed, self.line, self.lane)), self.__dict__


class UnsupportedError(UnshadeError):
    """The request is valid but not supported; the message lists the supported requests."""


def not_installed(what: str, package: str, extra: str) -> UnsupportedError:
    """Return the error for a missing package, naming the command that installs it.

    The command is for a checkout: the project is on no package index.
    """
    command = f"python -m pip install '.[{extra}]'"
    return UnsupportedError(f"{what} needs {package}: {command} in a checkout of unshade")


class EncodeError(UnshadeError):
    """A value does not fit its field; `path` is the dotted path of the field.

    `mistake` is the same error in the source text, if the object was made from one.
    """

    mistake: "AssembleError | None" = None

    def __init__(self, problem: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem
        self.path = path

    def __str__(self) -> str:
        return super().__str__() if self.mistake is None else str(self.mistake)

    def within(self, path: str) -> "EncodeError":
        """Return this error relative to the structure that `path` leads to."""
        return EncodeError(self.problem, path=f"{path}.{self.path}" if self.path else path)


class UsageError(UnshadeError):
    """Invalid arguments: they contradict each other, or name something that does not exist."""


class FileError(UsageError, OSError):
    """A file cannot be read or written.

    `errno`, `strerror` and `filename` are as in OSError. An instance also belongs to the
    matching subclass of OSError: `except FileNotFoundError` catches a missing file.
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
        """Return a FileError for an OSError; `message` defaults to "path: reason"."""
        reason = error.strerror or str(error)
        args = message or f"{path}: {reason}", error.errno, error.strerror, path or error.filename
        return _file_error(_builtin(error), args)


def _builtin(error: OSError) -> type[OSError]:
    """Return the built-in class of an OSError."""
    return next(each for each in type(error).__mro__ if each.__module__ == "builtins")


def _file_error(kind: type[OSError], args: tuple[object, ...]) -> FileError:
    return _file_errors(kind)(*args)  # type: ignore[arg-type]


@cache
def _file_errors(kind: type[OSError]) -> type[FileError]:
    """Return the subclass of FileError that also derives from a built-in class."""
    if kind is OSError:
        return FileError
    return type(kind.__name__, (FileError, kind), {"__module__": __name__, "__doc__": kind.__doc__})


class PartError(UsageError, KeyError):
    """The shader does not contain a part called `name`."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError shows the repr of the key


class ResultError(UsageError, KeyError):
    """A call has written no result called `name`."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError shows the repr of the key


class DamagedError(UsageError, AttributeError):
    """A damaged file is read-only: it cannot be edited, saved or linked.

    Also an AttributeError, since a damaged shader lacks the methods that edit it.
    """


class AssembleError(UnshadeError):
    """Invalid source text.

    `line` and `column` count from 1, columns in characters. `text` is the source line, `width` the
    number of characters at fault from `column` on. `others` are further errors found in the same
    run; `str()` shows all errors, followed by `closing` if assembly stopped early.
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
        """All errors of the text, starting with this error."""
        return self, *self.others

    def __str__(self) -> str:
        shown = [error.with_caret() for error in self.errors]
        return "\n".join([*shown, self.closing] if self.closing else shown)

    def with_caret(self) -> str:
        """Return this error alone: location and problem, the source line, and a caret line."""
        message = f"{self.file or 'text'}:{self.line}:{self.column}: {self.problem}"
        if not self.text:
            return message
        before = "".join("\t" if c == "\t" else " " for c in self.text[: self.column - 1])
        return f"{message}\n    {self.text}\n    {before}^{'~' * (self.width - 1)}"


class CompileError(AssembleError):
    """A compiler refuses a source text; `compiler` names it, and the message is the compiler's."""

    def __init__(
        self,
        problem: str,
        *,
        line: int,
        column: int,
        file: str = "",
        text: str = "",
        width: int = 1,
        compiler: str = "",
    ) -> None:
        super().__init__(problem, line=line, column=column, file=file, text=text, width=width)
        self.compiler = compiler


class Severity(StrEnum):
    """Severity of a diagnostic; ERROR means that a reader may reject the file."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Diagnostic:
    """One finding about a file: a stable code, a location and a message.

    `offset` is in bytes from the start of the shader, or None if there is no single location.
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
        """Return this finding relative to an enclosing structure; see FormatError.within."""
        joined = f"{path}.{self.path}" if self.path and path else path or self.path
        at = None if self.offset is None else self.offset + offset
        return Diagnostic(self.code, self.severity, self.message, offset=at, path=joined)

    def to_dict(self) -> dict[str, object]:
        """Return plain data: code, severity, offset (or None), path, message."""
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
    """A list of diagnostics; notebooks show it as a table."""

    drawn_by = "findings"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean X?" if one of `names` is close to `name`, else an empty string."""
    from difflib import get_close_matches

    known = list(names)
    close = [each for each in known if each.lower() == name.lower()]
    close = close or get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else ""
