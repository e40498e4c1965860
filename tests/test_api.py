"""The public functions: arguments, results, errors."""

import ast
import errno
import io
import pathlib
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

import unshade
from tests.corpus import REPOSITORY
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.containers import container
from unshade import FormatError, LimitError, Limits, UsageError

BLOG = blog.build()


def test_public_names_exist() -> None:
    for name in unshade.__all__:
        assert getattr(unshade, name) is not None
    assert set(unshade.__all__) <= set(dir(unshade))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        unshade.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_type_checkers_and_python_see_the_same_names() -> None:
    """Each name is in the imports for type checkers, in `_HOME`, and in `__all__`."""
    tree = ast.parse(Path(unshade.__file__).read_text("utf-8"))
    (block,) = (each for each in tree.body if isinstance(each, ast.If) and not each.orelse
                and isinstance(each.test, ast.Name))  # fmt: skip
    imported = {
        alias.name: f".{each.module}"
        for each in block.body
        if isinstance(each, ast.ImportFrom) and each.module
        for alias in each.names
    }
    assert imported == vars(unshade)["_HOME"]
    assert unshade.__all__ == sorted([*imported, "run"])
    assert set(dir(unshade)) == {*unshade.__all__, "__version__"}
    assert unshade.__version__


def test_submodules_are_available_without_import() -> None:
    """A type checker lets `unshade.errors` pass after `import unshade`."""
    code = "import unshade; print(unshade.errors.__name__, unshade.model.Stage.PIXEL)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "unshade.errors pixel\n"
    for name in ("nonsense", "_private", "", "a.b", "__wrapped__"):
        assert not hasattr(unshade, name)


@pytest.mark.slow
@pytest.mark.slow
def test_the_wheel_has_py_typed(tmp_path: Path) -> None:
    name = next(WheelBuilder(str(REPOSITORY)).build(directory=str(tmp_path), versions=["standard"]))
    assert "unshade/py.typed" in zipfile.ZipFile(name).namelist()


def test_open_takes_paths_and_files(tmp_path: Path) -> None:
    path = tmp_path / "vs.cso"
    path.write_bytes(BLOG)
    assert unshade.open(path).to_bytes() == BLOG
    assert unshade.open(str(path)).to_bytes() == BLOG
    assert unshade.open(pathlib.PurePath(path)).to_bytes() == BLOG
    with path.open("rb") as file:
        assert unshade.open(file).to_bytes() == BLOG
    assert unshade.open(io.BytesIO(BLOG)).to_bytes() == BLOG


def test_open_reports_the_reason(tmp_path: Path) -> None:
    missing = tmp_path / "nothing"
    with pytest.raises(UsageError, match="No such file") as caught:
        unshade.open(missing)
    with pytest.raises(FileNotFoundError) as same:
        unshade.open(missing)
    assert str(caught.value) == str(same.value)
    assert (same.value.errno, same.value.filename) == (errno.ENOENT, missing)
    with pytest.raises(
        (IsADirectoryError, PermissionError), match=f"^{re.escape(str(tmp_path))}: "
    ):
        unshade.open(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"nothing.a\.cso: No such file"):
        unshade.loads(BLOG).save(missing / "a.cso")
    with pytest.raises(UsageError, match="binary mode"):
        unshade.open(io.StringIO("text"))  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, 5, "x", ["x"]])
def test_arguments_of_the_wrong_type(given: object) -> None:
    number: Any = "5" if given == 5 else given
    calls: list[Callable[[Any], object]] = [
        unshade.loads,
        unshade.identify,
        lambda x: unshade.loads(BLOG, limits=x),
        lambda x: unshade.open(io.BytesIO(BLOG), limits=x),
        lambda x: unshade.open(io.BytesIO(BLOG), offset=number),
        lambda x: list(unshade.find(x)),
        lambda x: Limits(parts=number),
    ]
    if given != "x":  # which is a path
        calls += [unshade.open, unshade.loads(BLOG).save]
    for call in calls:
        with pytest.raises(UsageError):
            call(given)


def test_open_of_an_unreadable_file_object(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file, pytest.raises(unshade.FileError, match="cannot be read"):
        unshade.open(file)
    closed = path.open("rb")
    closed.close()
    with pytest.raises(UsageError, match="closed file"):
        unshade.open(closed)


def test_open_at_an_offset_counts_from_the_start_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.pak"
    broken = bytearray(BLOG)
    broken[56:60] = b"\xff" * 4  # the size of the first part
    path.write_bytes(bytes(100) + broken)
    with pytest.raises(FormatError) as caught:
        unshade.open(path, offset=100)
    assert (caught.value.offset, caught.value.path) == (156, "parts[0].size")
    for offset in (50, 100_000):
        with pytest.raises(FormatError, match="expected the start of a shader") as caught:
            unshade.open(path, offset=offset)
        assert caught.value.offset == offset
    with pytest.raises(UsageError, match="got -1"):
        unshade.open(path, offset=-1)


def test_open_at_an_offset_ends_with_the_shader() -> None:
    shader = unshade.open(io.BytesIO(b"x" * 7 + BLOG + b"more"), offset=7)
    assert shader.to_bytes() == BLOG
    assert shader.trailing == b""


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_loads_takes_any_bytes(kind: type) -> None:
    assert unshade.loads(kind(BLOG)).to_bytes() == BLOG
    assert unshade.loads(kind(BLOG + b"tail")).trailing == b"tail"


@pytest.mark.parametrize("data", [b"", b"D", b"MZ\x90\0", b"\x7fELF"])
def test_unrecognised_data_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="expected the magic of dxcontainer") as caught:
        unshade.loads(data)
    assert (caught.value.offset, caught.value.path) == (0, "magic")
    assert unshade.identify(data) is None


def test_identify() -> None:
    assert unshade.identify(BLOG) == "dxcontainer"
    assert unshade.identify(b"DXBC") == "dxcontainer"
    assert unshade.loads(BLOG).format == "dxcontainer"


def test_limits_reach_the_format() -> None:
    with pytest.raises(LimitError, match="file_size = 100"):
        unshade.open(io.BytesIO(BLOG), limits=Limits(file_size=100))
    with pytest.raises(LimitError, match="parts = 2"):
        unshade.loads(BLOG, limits=Limits(parts=2))


def test_save_writes_to_bytes(tmp_path: Path) -> None:
    shader = unshade.loads(BLOG)
    shader.save(tmp_path / "out.cso")
    assert (tmp_path / "out.cso").read_bytes() == BLOG


@pytest.mark.parametrize("data", [None, [], {}, {"format": 5}, "x", {"parts": []}])
def test_plain_data_without_a_format(data: object) -> None:
    with pytest.raises(FormatError, match="expected the name of a format"):
        unshade.from_data(data)


def test_plain_data_of_an_unknown_format() -> None:
    with pytest.raises(UsageError, match="unknown format 'nonsense': expected one of dxcontainer"):
        unshade.from_data({"format": "nonsense"})


def test_programs_of_a_container() -> None:
    (program,) = unshade.loads(BLOG).programs
    assert isinstance(program, unshade.Program)
    ((_, stage),) = program.entry_points
    assert "vertex" in stage.lower()
    assert "dp4 o0.x" in program.disassemble()
    assert not list(unshade.loads(container([])).programs)


def test_the_blog_listing() -> None:
    assert unshade.loads(BLOG).disassemble() == blog.LISTING
