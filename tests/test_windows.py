"""The code for Windows, tested on any system."""

from __future__ import annotations

import ast
import ctypes
import errno
import ntpath
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, Stream, unshade
from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES
from unshade import files, windows
from unshade.cli import exits, main
from unshade.errors import UsageError
from unshade.report import sarif
from unshade.vm.jit.cache import disk

SOURCES = sorted((REPOSITORY / "src").rglob("*.py"))
POSIX = {"crypt", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource", "spwd",
         "syslog", "termios", "tty"}  # fmt: skip
ONLY_POSIX = {"fork", "geteuid", "getuid", "mkfifo", "sched_getaffinity", "setsid", "uname"}


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "HERE", True)


# ---------------------------------------------------------------- names

DEEP = "C:\\" + "\\".join(["folder"] * 40)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("path", "long"),
    [
        (r"C:\short.dxbc", r"C:\short.dxbc"),
        (DEEP, rf"\\?\{DEEP}"),
        (DEEP.replace("\\", "/"), rf"\\?\{DEEP}"),
        (rf"{DEEP}\..\x", rf"\\?\{ntpath.dirname(DEEP)}\x"),
        (rf"\\server\share{DEEP[2:]}", rf"\\?\UNC\server\share{DEEP[2:]}"),
        (rf"\\?\{DEEP}", rf"\\?\{DEEP}"),
        (rf"\\.\{DEEP}", rf"\\.\{DEEP}"),
    ],
)
def test_long_paths_get_a_prefix(path: str, long: str) -> None:
    assert windows.long_path(path) == long


@pytest.mark.usefixtures("here")
def test_every_system_call_gets_the_long_form(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def refuse(path: Any, *_: object, **__: object) -> None:
        given.append(path)
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setattr("builtins.open", refuse)
    for name in ("makedirs", "scandir", "stat"):
        monkeypatch.setattr(os, name, refuse)
    for call in (files.read, files.make_folder):
        with pytest.raises(UsageError) as caught:
            call(DEEP)
        assert "\\\\?\\" not in str(caught.value), "messages have the path as it was given"
    assert files.head(DEEP, 4) == b""
    with pytest.raises(FileNotFoundError):
        files.entries(DEEP)
    assert len(given) >= 4
    # os.path of this system does not split paths of Windows: the folder of a missing file is ".".
    assert all(path.startswith("\\\\?\\") for path in given if path != os.curdir)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("aux", "aux_"),
        ("AUX.asm", "AUX_.asm"),
        ("com1.vso.asm", "com1_.vso.asm"),
        ("lpt².x", "lpt²_.x"),
        (r"shaders\nul.dxbc", r"shaders\nul_.dxbc"),
        ("con/prn /x", r"con_\prn _\x"),
        ("auxiliary.asm", "auxiliary.asm"),
        ("com10", "com10"),
        ("x.aux", "x.aux"),
    ],
)
def test_device_names_are_refused(name: str, written: str) -> None:
    assert windows.file_name(name) == written


def test_names_are_unchanged_on_other_systems() -> None:
    if not windows.HERE:
        assert windows.file_name("aux.asm") == "aux.asm"
        assert windows.long_path(DEEP) == DEEP


@pytest.mark.usefixtures("here")
def test_outputs_in_a_folder_avoid_device_names(tmp_path: Path) -> None:
    shaders, out = tmp_path / "shaders", tmp_path / "out"
    shaders.mkdir()
    for name in ("aux.dxbc", "con.vso.dxbc", "fine.dxbc"):
        (shaders / name).write_bytes(PHONG.read_bytes())
    assert unshade("dis", shaders, "-o", out, "-j", "1").code == 0
    assert {path.name for path in out.iterdir()} == {"aux_.asm", "con_.vso.asm", "fine.asm"}


@pytest.mark.usefixtures("here")
def test_extracted_files_avoid_device_names(tmp_path: Path) -> None:
    shaders = tmp_path / "shaders"
    shaders.mkdir()
    for name in ("aux.dxbc", "nul.dxbc"):
        (shaders / name).write_bytes(PHONG.read_bytes())
    for verb, option in (("extract", "-o"), ("find", "--extract")):
        out = tmp_path / verb
        assert unshade(verb, shaders, option, out).code == 0
        stems = {part.partition(".")[0] for path in out.rglob("*") for part in path.parts[-1:]}
        assert stems
        assert not stems & windows.DEVICES


# ---------------------------------------------------------------- files in use


def refusals(count: int, code: int) -> Iterator[PermissionError | None]:
    for _ in range(count):
        error = PermissionError(13, "Permission denied")
        error.winerror = code  # type: ignore[attr-defined,unused-ignore]
        yield error
    while True:
        yield None


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    return found


def replaced_after(
    monkeypatch: pytest.MonkeyPatch, path: Path, errors: Iterator[PermissionError | None]
) -> None:
    real = os.replace

    def replace(source: str, target: str) -> None:
        error = next(errors)
        if error is not None:
            raise error
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    files.write_atomically(path, b"new")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("code", windows.IN_USE)
def test_replacing_a_file_in_use_is_retried(
    code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pauses: list[float]
) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"old")
    replaced_after(monkeypatch, path, refusals(3, code))
    assert path.read_bytes() == b"new"
    assert pauses == list(windows.PAUSES[:3])


@pytest.mark.usefixtures("here")
def test_replacing_a_file_in_use_fails_after_retries(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pauses: list[float]
) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(b"old")
    with pytest.raises(UsageError, match="Permission denied"):
        replaced_after(monkeypatch, path, refusals(100, 32))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    assert 0 < sum(pauses) < 2


@pytest.mark.parametrize(("system", "code"), [(False, 32), (True, 19)])
def test_other_errors_are_not_retried(
    system: bool,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    pauses: list[float],
) -> None:
    monkeypatch.setattr(windows, "HERE", system)
    with pytest.raises(UsageError, match="Permission denied"):
        replaced_after(monkeypatch, tmp_path / "a.dxbc", refusals(1, code))
    assert not pauses


# ---------------------------------------------------------------- streams


@pytest.mark.heavy
@pytest.mark.parametrize("verb", ["info", "dis", "hexdump", "reflect", "to-yaml", "verify"])
def test_pipes_get_the_same_bytes_under_any_encoding(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text stream of Windows ends lines in CR LF, and has few characters."""
    wanted = unshade(verb, PHONG).data
    stream = Stream()
    stream.reconfigure(encoding="cp1252", newline="\r\n")
    monkeypatch.setattr("sys.stdout", stream)
    assert main([verb, str(PHONG)]) == 0
    assert stream.written() == wanted
    assert b"\r" not in wanted


@pytest.mark.usefixtures("here")
def test_a_closed_pipe_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert windows.closed_pipe(OSError(errno.EINVAL, "Invalid argument"))
    assert not windows.closed_pipe(OSError(errno.ENOSPC, "No space left on device"))
    monkeypatch.setattr(windows, "HERE", False)
    assert not windows.closed_pipe(OSError(errno.EINVAL, "Invalid argument"))
    assert windows.closed_pipe(BrokenPipeError())
    assert exits.CLOSED_PIPE == 141


@pytest.mark.usefixtures("here")
def test_a_closed_pipe_ends_a_command_quietly(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Left(Stream):
        """A pipe without a reader, as on Windows; its handle is that of a file."""

        left = True

        def flush(self) -> None:
            if self.left:
                raise OSError(errno.EINVAL, "Invalid argument")

        def fileno(self) -> int:
            return file.fileno()

    with (tmp_path / "pipe").open("wb") as file:
        stream = Left()
        monkeypatch.setattr("sys.stdout", stream)
        assert main(["identify", str(PHONG)]) == exits.CLOSED_PIPE
        monkeypatch.undo()
        stream.left = False
    assert capsys.readouterr().err == ""


class Console:
    """A stand-in for kernel32 with a console of a given mode; 0 is no console."""

    def __init__(self, mode: int, settable: bool) -> None:
        self.mode, self.settable = mode, settable
        self.set: list[int] = []
        self.GetStdHandle = lambda number: 7

    def GetConsoleMode(self, handle: ctypes.c_void_p, place: Any) -> int:
        assert handle.value == 7
        place._obj.value = self.mode
        return int(self.mode != 0)

    def SetConsoleMode(self, handle: ctypes.c_void_p, mode: int) -> int:
        self.set.append(mode)
        return int(self.settable)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("mode", "settable", "takes", "modes"),
    [(7, True, True, []), (3, True, True, [7]), (3, False, False, [7]), (0, True, False, [])],
)
def test_colours_are_enabled_on_a_console(
    mode: int, settable: bool, takes: bool, modes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(mode, settable)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=console), raising=False)
    assert windows.takes_escapes(-11) == takes
    assert console.set == modes
    assert ("\x1b" in unshade("info", PHONG, terminal=True).out) == takes


# ---------------------------------------------------------------- texts


def test_texts_may_have_crlf_line_ends() -> None:
    end = "\r\n"
    shader = library.open(SAXPY)
    text = shader.disassemble("exact").replace("\n", end)
    assert library.assemble(text).programs[0].encode() == shader.programs[0].encode()
    listing = shader.disassemble().replace("\n", end)
    made = library.assemble(listing, "dxcontainer", donor=shader)
    assert made.to_bytes() == shader.to_bytes()
    assert library.from_yaml(library.to_yaml(shader).replace("\n", end)).to_bytes() == (
        shader.to_bytes()
    )
    geometry = library.open(EXAMPLES / "reverse.shbin")
    text = geometry.disassemble("exact").replace("\n", end)
    assert library.assemble(text).to_bytes() == geometry.to_bytes()


def test_reports_name_files_on_drives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "os", SimpleNamespace(sep="\\", path=ntpath, fsencode=os.fsencode))
    assert sarif._artifact_location(r"C:\a b\ps.cso") == {"uri": "file:///C:/a%20b/ps.cso"}
    assert sarif._artifact_location(r"a\ps.cso")["uri"] == "a/ps.cso"


@pytest.mark.usefixtures("here")
def test_the_code_cache_is_in_local_app_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UNSHADE_CACHE", raising=False)
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert disk.folder() == os.path.join("/local", "unshade", "jit")


@pytest.mark.usefixtures("here")
def test_the_code_cache_may_have_a_long_path(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def refuse(path: Any, *_: object, **__: object) -> None:
        given.append(path)
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setenv("UNSHADE_CACHE", DEEP)
    for name in ("makedirs", "mkdir", "listdir", "stat", "open"):
        monkeypatch.setattr(os, name, refuse)
    assert disk.read("ab" * 32) is None
    disk.write("ab" * 32, b"code")
    disk.tidy(0)
    assert disk.usage().size == 0
    monkeypatch.undo()
    assert len(given) > 4
    # Here the path of the folder's parent, whose separators are another system's, is empty.
    assert {path[:4] for path in given} == {"\\\\?\\", "."}


@pytest.mark.usefixtures("here")
def test_the_code_cache_is_used_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows opens no file inside an open folder, and has no modes: only the seal is checked."""

    def refuse(dir_fd: int | None = None, **_: object) -> None:
        assert dir_fd is None

    kept = tmp_path / "kept"
    monkeypatch.setenv("UNSHADE_CACHE", str(kept))
    for name in ("open", "stat", "unlink", "mkdir", "rmdir"):
        real = getattr(os, name)

        def checked(*given: Any, real: Any = real, **named: Any) -> Any:
            refuse(**named)
            return real(*given, **named)

        monkeypatch.setattr(os, name, checked)
    name = "ab" * 32
    disk.write(name, b"code")
    assert disk.read(name) == b"code"
    kept.chmod(0o777)
    assert disk.read(name) == b"code"
    place = kept / "ab" / f"{name}.o"
    place.write_bytes(b"x" * 32 + b"code")
    assert disk.read(name) is None
    assert disk.usage()[1:] == ("", 1, 0, 36)
    disk.tidy(0)
    assert not place.exists()
    disk.write(name, b"code")
    assert disk.clear() == 36
    assert not [*kept.iterdir()]


# ---------------------------------------------------------------- the sources


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported: all but the bodies of functions."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from at_import(node)


@pytest.mark.slow
def test_imports_need_no_posix_module() -> None:
    named = re.compile(rf"\b({'|'.join(POSIX | ONLY_POSIX)})\b")
    for path in SOURCES:
        text = path.read_text("utf-8")
        if not named.search(text):
            continue
        tree = ast.parse(text)
        for node in at_import(tree):
            if isinstance(node, ast.Import):
                assert not {each.name for each in node.names} & POSIX, path
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in POSIX or node.level, path
        guarded = {
            node.args[1].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "hasattr"
            and isinstance(node.args[1], ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                of_os = node.value.id == "os" and node.attr in ONLY_POSIX
                assert not of_os or node.attr in guarded, f"{path}:{node.lineno}"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("skin.dxbc", "skin.dxbc"),
        ("a<b>:c|d?e*f", "a_b__c_d_e_f"),
        ("nul.txt", "nul_.txt"),
        ("end. .", "end___"),
        ("new\nline", "new_line"),
        ("..", "__"),
    ],
)
def test_portable_names_are_accepted_by_windows(name: str, written: str) -> None:
    assert windows.portable(name) == written
