"""Exceptions and findings of the library, and their messages."""

import copy
import errno
import io
import pickle
import re
import shlex
import tomllib

import pytest

import unshade
from tests.corpus import REPOSITORY
from unshade.errors import (
    AssembleError,
    DamagedError,
    Diagnostic,
    EncodeError,
    FileError,
    FormatError,
    LimitError,
    PartError,
    Severity,
    UnshadeError,
    UnsupportedError,
    UsageError,
    not_installed,
)


@pytest.mark.parametrize(
    "kind",
    [
        AssembleError,
        DamagedError,
        EncodeError,
        FileError,
        FormatError,
        LimitError,
        PartError,
        UnsupportedError,
        UsageError,
    ],
)
def test_errors_have_one_base(kind: type[Exception]) -> None:
    assert issubclass(kind, UnshadeError)
    assert getattr(unshade, kind.__name__) is kind
    assert (kind.__doc__ or "").strip()


def test_format_error_has_a_place() -> None:
    error = FormatError("expected 4 bytes for b, got 2", offset=30, path="a.b")
    assert str(error) == "at 0x1e, a.b: expected 4 bytes for b, got 2"
    assert str(FormatError("nothing")) == "at 0x0: nothing"


@pytest.mark.parametrize(
    ("inner", "outer", "joined"),
    [("b", "a", "a.b"), ("b", "", "b"), ("", "a", "a"), ("", "", "")],
)
def test_within_moves_and_prefixes(inner: str, outer: str, joined: str) -> None:
    error = FormatError("x", offset=4, path=inner).within(0x100, outer)
    assert (error.offset, error.path, error.problem) == (0x104, joined, "x")
    found = Diagnostic("c", Severity.NOTE, "m", offset=4, path=inner).within(0x100, outer)
    assert (found.offset, found.path) == (0x104, joined)


def test_encode_error_within() -> None:
    error = EncodeError("300 does not fit u8", path="low").within("pairs[1]")
    assert str(error) == "pairs[1].low: 300 does not fit u8"
    assert str(EncodeError("x")) == "x"
    assert str(EncodeError("x").within("a")) == "a: x"


def test_limit_error_names_the_limit() -> None:
    error = LimitError("depth", 64, "deeper nesting")
    assert str(error) == "limit depth = 64 exceeded: the data needs deeper nesting"
    assert (error.limit, error.allowed, error.needed) == ("depth", 64, "deeper nesting")


def test_named_limits_are_fields() -> None:
    assert "depth" in unshade.Limits.__slots__
    changed = unshade.Limits(depth=3)
    assert changed.depth == 3
    assert changed.parts == unshade.Limits().parts


def test_assemble_error_has_a_place_in_a_text() -> None:
    error = AssembleError("no such instruction", line=3, column=5)
    assert str(error) == "text:3:5: no such instruction"
    assert str(AssembleError("x", line=1, column=1, file="a.asm")) == "a.asm:1:1: x"


def test_diagnostic() -> None:
    found = Diagnostic("container.size", Severity.ERROR, "too long", offset=24, path="size")
    assert str(found) == "error container.size at 0x18: size: too long"
    assert found.to_dict() == {
        "code": "container.size",
        "severity": "error",
        "offset": 24,
        "path": "size",
        "message": "too long",
    }
    nowhere = Diagnostic("a.b", Severity.NOTE, "words")
    assert str(nowhere) == "note a.b: words"
    assert nowhere.within(5, "x").offset is None
    assert "words" in repr(nowhere)


@pytest.mark.parametrize(
    "error",
    [
        FormatError("odd", offset=3, path="a.b"),
        LimitError("parts", 4, 5),
        EncodeError("odd", path="a"),
        AssembleError("odd", line=3, column=4, file="x.asm"),
        UnsupportedError("not yet"),
        UsageError("no"),
        DamagedError("cannot be changed"),
        PartError("no part 'X'", "X"),
        FileError.of(OSError("odd")),
        FileError.of(FileNotFoundError(errno.ENOENT, "No such file"), "a.cso"),
        FileError.of(PermissionError(errno.EACCES, "Denied", "b"), message="not to be read"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_are_picklable(error: UnshadeError) -> None:
    """One that cannot be pickled takes a pool of workers down with it."""
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@pytest.mark.parametrize(
    "kind", [FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, OSError]
)
def test_an_error_of_the_system_is_of_pythons_class_too(kind: type[OSError]) -> None:
    error = FileError.of(kind(7, "in the system's words", "/tmp/.a.1"), "a")
    assert isinstance(error, kind)
    assert isinstance(error, UsageError)
    assert str(error) == "a: in the system's words"
    assert (error.errno, error.strerror, error.filename) == (7, "in the system's words", "a")


def test_an_error_of_a_library_is_of_pythons_class_below_it() -> None:
    error = FileError.of(io.UnsupportedOperation("not readable"), message="no file to read")
    assert isinstance(error, OSError)
    assert str(error) == "no file to read"
    assert error.errno is None


def test_a_missing_part_is_a_missing_key() -> None:
    error = PartError("no part 'X': expected one of A, B", "X")
    assert isinstance(error, KeyError)
    assert isinstance(error, UsageError)
    assert str(error) == "no part 'X': expected one of A, B"
    assert error.name == "X"


@pytest.mark.slow
def test_missing_extras_are_installed_from_a_checkout() -> None:
    """As the command is written: the folder, and an extra that pyproject.toml has."""
    message = str(not_installed("running shaders", "NumPy", "run"))
    assert message.startswith("running shaders needs NumPy: ")
    command, _, rest = message.partition(": ")[2].partition(" in a checkout")
    assert rest == " of unshade"
    assert shlex.split(command) == ["python", "-m", "pip", "install", ".[run]"]
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    known = set(extras["optional-dependencies"])
    pages = [REPOSITORY / "README.md", *(REPOSITORY / "docs").rglob("*.md")]
    modules = (REPOSITORY / "src").rglob("*.py")
    for path in [*pages, *modules]:
        text = path.read_text("utf-8")
        assert "unshade[" not in text, f"{path}: an index would have to have the project"
        named = re.findall(r"not_installed\(.*\"(\w+)\"\)|'\.\[(\w+)\]'", text)
        assert {one or other for one, other in named} <= known, path
