"""No input is overwritten without --in-place, by any verb or option.

The command line's own declarations say which options read files and which write them; each pair of
the two that a verb has is tried with one file for both.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import click
import numpy as np
import pytest
from click.types import StringParamType

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.corpus import REPOSITORY
from tests.examples import EXAMPLES
from unshade import files
from unshade.cli import main
from unshade.cli.parsing import COMMANDS
from unshade.cli.paths import ReadPath, WrittenPath
from unshade.errors import UsageError

SOURCES = REPOSITORY / "src" / "unshade"

# ---------------------------------------------------------------- every option of every verb

# What options take that are neither paths nor of a type of click's own that is no text.
WORDS = frozenset({
    "NAME", "CODE", "WORD...", "PART", "CATEGORY", "X,Y,Z", "WxH", "SEMANTIC=SOURCE",
    "SEMANTIC", "WHERE",
    "REGISTER", "KIND,…", "SLOT=CLASS", "FIRST=N", "X,Y", "PLACE@LINE", "FOLDER",
    "FIELD=VALUE", "RULE", "TEMPLATE", "SQL", "ADDRESS", "NAME=SET:BINDING",
    "COMMAND",
})  # fmt: skip
COMPILING = (
    "info", "parts", "dis", "decompile", "translate", "reflect", "hexdump", "report", "headers",
    "verify", "check", "audit", "cost", "diff", "strip", "to-yaml", "asm",
)  # fmt: skip
WORDS_OF = {("hexdump", "only"): "PATH"}
WORDS_OF |= {
    (verb, option): "NAME=VALUE"
    for verb in ("run", "render", "debug")
    for option in ("sets", "constants", "defines")
} | {("prove", option): "NAME=VALUE" for option in ("constants", "defines")}
WORDS_OF |= {(verb, "defines"): "NAME=VALUE" for verb in (*COMPILING, "edit")}
WORDS_OF |= {
    (verb, "limits"): "NAME=VALUE"
    for verb in ("find", "put-back", "catalog scan", "catalog export")
}


@cache
def parameters() -> list[tuple[str, click.Parameter]]:
    return [
        (verb, parameter)
        for verb, command in COMMANDS.items()
        for parameter in command.get_params(click.Context(command))
    ]


def test_every_option_says_whether_it_is_a_path() -> None:
    """An option that takes a path has a type of paths.py; a new kind of text is named here."""
    for verb, each in parameters():
        if getattr(each, "is_flag", False):
            continue
        if isinstance(each.type, StringParamType) and not isinstance(
            each.type, ReadPath | WrittenPath
        ):
            known = WORDS | {WORDS_OF.get((verb, str(each.name)))}
            assert each.metavar in known, (verb, each.name)
        else:
            assert not isinstance(each.type, click.Path | click.File), (verb, each.name)


Paths = dict[str, Path]
Line = list[str | Path]


@cache
def _texts() -> tuple[str, str]:
    return unshade("dis", PHONG).out, unshade("to-yaml", PHONG).out


def _files(folder: Path) -> Paths:
    """Return one file of each kind that is read, by kind."""
    listing, yaml = _texts()
    made = {"shader": folder / "a.png", "found": folder / "a@0.dxbc",
            "part": folder / "00-RDEF.bin"}  # fmt: skip
    for path in made.values():
        shutil.copy(PHONG, path)
    made["text"] = folder / "text.asm"
    made["text"].write_text(listing)
    made["yaml"] = folder / "a.yaml"
    made["yaml"].write_text(yaml)
    made["names"] = folder / "names.yaml"
    made["names"].write_text("t: normal\n")
    made["mesh"] = folder / "mesh.png"
    shutil.copy(EXAMPLES / "torus.obj", made["mesh"])
    made["object"] = folder / "a.dvoj"
    shutil.copy(SAXPY, made["object"])
    made["budgets"] = folder / "budgets.toml"
    made["budgets"].write_text("[[budget]]\nmax-bytes = 1\n")
    made["array"] = folder / "x.npy"
    np.save(made["array"], np.ones(64, np.float32))
    return made


def _shown(verb: str) -> Callable[[Paths], tuple[Path, Line]]:
    return lambda its: (its["shader"], [verb, its["shader"], "-o", its["shader"]])


def _line(name: str, *line: str) -> Callable[[Paths], tuple[Path, Line]]:
    """Return a command line; `{…}` are the files, and the one of this name is read and written."""
    return lambda its: (its[name], [each.format(**its) for each in line])


RUN = ["run", str(SAXPY), "--groups", "1"]
MESH = ["--vs", "{shader}", "--mesh", "{mesh}"]
# By verb, what reads, and what writes.
CASES: dict[tuple[str, str, str], Callable[[Paths], tuple[Path, Line]]] = {
    **{(verb, "files", "output"): _shown(verb) for verb in (
        "info", "identify", "parts", "dis", "reflect", "verify", "hexdump", "sign", "strip",
        "audit", "headers", "cost", "cache", "prove",
        "decompile", "translate",
        "to-yaml", "find", "link", "report",
    )},
    ("check", "files", "output"): _line(
        "shader", "check", "{shader}", "--max-bytes", "1", "-o", "{shader}"
    ),
    ("check", "baseline", "output"): _line(
        "found", "check", "{shader}", "--max-bytes", "1", "--format", "markdown", "--baseline",
        "{found}", "-o", "{found}",
    ),
    ("check", "budgets", "output"): _line(
        "budgets", "check", "{shader}", "--budgets", "{budgets}", "-o", "{budgets}"
    ),
    **{
        ("check", option, "output"): _line(
            "yaml", "check", "--pipeline", "{shader}", f"--{option.replace('_', '-')}", "{yaml}",
            "-o", "{yaml}",
        )
        for option in ("root_signature", "layout", "state")
    },
    ("check", "pipelines", "output"): _line(
        "yaml", "check", "--pipelines", "{yaml}", "-o", "{yaml}"
    ),
    ("asm", "files", "output"): _line("text", "asm", "{text}", "-o", "{text}"),
    ("asm", "donor", "output"): _line(
        "shader", "asm", "{text}", "--donor", "{shader}", "-o", "{shader}"
    ),
    **{(verb, "names", "output"): _line("names", *line) for verb, line in (
        ("decompile", ("decompile", "{shader}", "--names", "{names}", "-o", "{names}")),
        ("edit", ("edit", "{shader}", "--listing", "--source", "{text}", "--names", "{names}",
                  "-o", "{names}")),
    )},
    ("edit", "file", "output"): _line(
        "shader", "edit", "{shader}", "--listing", "--source", "{text}", "-o", "{shader}"
    ),
    ("reduce", "file", "output"): _line(
        "shader", "reduce", "{shader}", "--test", "true", "-o", "{shader}"
    ),
    ("edit", "source", "output"): _line(
        "text", "edit", "{shader}", "--listing", "--source", "{text}", "-o", "{text}"
    ),
    ("from-yaml", "files", "output"): _line("yaml", "from-yaml", "{yaml}", "-o", "{yaml}"),
    ("pack", "files", "output"): _line("shader", "pack", "{shader}", "-o", "{shader}"),
    ("pack", "reflection", "output"): _line(
        "yaml", "pack", "{shader}", "--reflection", "{yaml}", "-o", "{yaml}"
    ),
    ("extract", "files", "output"): lambda its: (
        its["part"], ["extract", its["part"], "-o", its["part"].parent],
    ),
    ("find", "files", "extract"): lambda its: (
        its["found"],
        ["find", _copy(its["found"], "a.pak"), its["found"],
         "--extract", its["found"].parent],
    ),
    ("put-back", "files", "output"): _line(
        "shader", "put-back", "{shader}", "dxbc@0x0={shader}", "-o", "{shader}"
    ),
    ("catalog scan", "paths", "to"): _line(
        "shader", "catalog", "scan", "{shader}", "--to", "{shader}"
    ),
    ("catalog query", "catalog", "output"): lambda its: (
        _catalog(its), ["catalog", "query", its["catalog"], "SELECT 1", "-o", _catalog(its)],
    ),
    ("catalog query", "catalog", "parquet"): lambda its: (
        _catalog(its), ["catalog", "query", its["catalog"], "SELECT 1", "--parquet", _catalog(its)],
    ),
    **{("catalog diff", side, "output"): lambda its: (
        _catalog(its), ["catalog", "diff", its["catalog"], its["catalog"], "-o", _catalog(its)],
    ) for side in ("old", "new")},
    ("catalog similar", "catalog", "output"): lambda its: (
        _catalog(its), ["catalog", "similar", its["catalog"], PHONG, "-o", _catalog(its)],
    ),
    ("catalog similar", "file", "output"): lambda its: (
        its["shader"],
        ["catalog", "similar", _catalog(its).parent, its["shader"], "-o", its["shader"]],
    ),
    ("catalog export", "catalog", "output"): lambda its: (
        _catalog(its),
        ["catalog", "export", its["catalog"], "--template", "catalog.json", "-o", its["catalog"]],
    ),
    ("catalog show", "catalog", "output"): lambda its: (
        _catalog(its), ["catalog", "show", its["catalog"], "-o", _catalog(its)],
    ),
    ("diff", "files", "output"): lambda its: (
        its["shader"], ["diff", SAXPY, its["shader"], "-o", its["shader"]],
    ),
    ("run", "file", "output"): lambda its: (
        its["object"], ["run", its["object"], *RUN[2:], "--bind", "X=iota(64)", "--bind",
                        "Y=ones(64)", "-o", its["object"]],
    ),
    ("run", "bind", "output"): _line(
        "array", *RUN, "--bind", "X=iota(64)", "--bind", "Y={array}", "-o", "Y={array}"
    ),
    ("render", "file", "output"): _line(
        "shader", "render", "{shader}", "-o", "{shader}"
    ),
    ("render", "ps", "output"): _line(
        "shader", "render", "--ps", "{shader}", "-o", "{shader}"
    ),
    ("render", "vs", "output"): _line(
        "shader", "render", str(PHONG), *MESH, "-o", "{shader}"
    ),
    **{(verb, option, "output"): _line(
        "shader", verb, str(PHONG), "--vs", str(SAXPY), "--mesh", "{mesh}", f"--{option}",
        "{shader}", "-o", "{shader}",
    ) for verb in ("render", "debug") for option in ("hs", "ds", "gs")},
    **{(verb, option, "output"): _line(
        "shader", verb, str(PHONG), "--groups", "1", f"--{option.rstrip('_')}", "{shader}",
        *(("--ms", str(SAXPY)) if option == "as_" else ()), "-o", "{shader}",
    ) for verb in ("render", "debug") for option in ("ms", "as_")},
    ("render", "mesh", "output"): _line("mesh", "render", str(PHONG), *MESH, "-o", "{mesh}"),
    ("render", "bind", "output"): _line(
        "array", "render", str(PHONG), "--bind", "vs:tex={array}", "-o", "{array}"
    ),
    ("render", "fragment", "output"): _line(
        "shader", "render", "--vs", str(PHONG), "--mesh", "{mesh}", "--fragment", "{shader}",
        "-o", "{shader}",
    ),
    ("render", "texture", "output"): _line(
        "shader", "render", "--vs", str(PHONG), "--mesh", "{mesh}", "--fragment", "{yaml}",
        "--texture", "0={shader}", "-o", "{shader}",
    ),
    ("debug", "file", "output"): _line(
        "shader", "debug", "{shader}", "-o", "{shader}"
    ),
    ("debug", "vs", "output"): _line(
        "shader", "debug", str(PHONG), *MESH, "-o", "{shader}"
    ),
    ("debug", "ps", "output"): _line("shader", "debug", "--ps", "{shader}", "-o", "{shader}"),
    ("debug", "mesh", "output"): _line("mesh", "debug", str(PHONG), *MESH, "-o", "{mesh}"),
    ("debug", "bind", "output"): _line(
        "array", "debug", str(SAXPY), "--bind", "X={array}", "--bind", "Y=ones(64)", "-o", "{array}"
    ),
    ("debug", "against", "output"): _line(
        "shader", "debug", str(PHONG), "--against", "{shader}", "-o", "{shader}"
    ),
}  # fmt: skip


def _as_page(case: Callable[[Paths], tuple[Path, Line]]) -> Callable[[Paths], tuple[Path, Line]]:
    """Return a command line that writes a page in place of its output."""

    def line(its: Paths) -> tuple[Path, Line]:
        place, words = case(its)
        return place, ["--html" if each == "-o" else each for each in words]

    return line


CASES |= {
    (verb, reads, "html"): _as_page(case)
    for (verb, reads, _), case in CASES.items()
    if verb == "debug"
}


def _catalog(its: Paths) -> Path:
    """Return the manifest of a catalogue, which is made."""
    its["catalog"] = its["shader"].parent / "catalog"
    assert unshade("catalog", "scan", its["shader"], "--to", its["catalog"]).code == 0
    return its["catalog"] / "catalog.json"


def _copy(path: Path, name: str) -> Path:
    shutil.copy(path, path.parent / name)
    return path.parent / name


def _pairs() -> list[tuple[str, str, str]]:
    """Return every verb with each of its options that read and each that write."""
    found = []
    for verb in COMMANDS:
        mine = [each for name, each in parameters() if name == verb]
        reads = [str(each.name) for each in mine if isinstance(each.type, ReadPath)]
        writes = [str(each.name) for each in mine if isinstance(each.type, WrittenPath)]
        found += [(verb, one, other) for one in reads for other in writes]
    return found


def test_every_verb_reads_or_writes_paths() -> None:
    assert {verb for verb, _, _ in _pairs()} == set(COMMANDS) - {
        "completion",
        "catalog compact",
        "explain",
    }


def _state(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.heavy
@pytest.mark.parametrize("case", _pairs(), ids=" ".join)
def test_inputs_are_not_overwritten(case: tuple[str, str, str], tmp_path: Path) -> None:
    path, line = CASES[case](_files(tmp_path))
    before = _state(tmp_path)
    ended = unshade(*line)
    assert (ended.code, ended.out) == (2, "")
    assert f"will not overwrite the input {path}" in ended.err
    assert _state(tmp_path) == before


# ---------------------------------------------------------------- several files, donors, folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of texts with their donors."""
    for name in ("a", "b", "c"):
        shutil.copy(PHONG, tmp_path / f"{name}.cso")
        (tmp_path / f"{name}.asm").write_text(_texts()[0])
    return tmp_path


def test_donors_of_a_folder(folder: Path) -> None:
    before = _state(folder)
    ended = unshade("asm", folder, "--donor", folder, "-o", folder)
    assert (ended.code, ended.out) == (2, "")
    hint = "; `unshade edit --listing --source TEXT --in-place` replaces a shader"
    assert ended.err == f"unshade: will not overwrite the input {folder / 'a.cso'}{hint}\n"
    assert _state(folder) == before


def test_nothing_is_written_if_one_output_is_invalid(folder: Path) -> None:
    """The last of three texts becomes its donor's neighbour: the first two are not written."""
    out = folder / "out"
    out.mkdir()
    os.link(folder / "c.cso", out / "c.cso")
    before = _state(folder)
    lines: list[Line] = [
        ["asm", folder, "--donor", folder, "-o", out],
        ["sign", folder / "a.cso", folder / "b.cso", folder / "c.cso", "-o", out],
        ["strip", "--all", folder / "a.cso", folder / "b.cso", folder / "c.cso", "-o", out],
    ]
    for line in lines:
        ended = unshade(*line)
        assert ended.code == 2, line
        assert f"will not overwrite the input {out / 'c.cso'}" in ended.err
        assert _state(folder) == before


def test_the_comparison_of_two_folders(folder: Path) -> None:
    (folder / "other").mkdir()
    shutil.copy(SAXPY, folder / "other" / "a.cso")
    ended = unshade("diff", folder / "other", folder, "-o", folder / "c.cso")
    assert ended.err == f"unshade: will not overwrite the input {folder / 'c.cso'}\n"
    assert (folder / "c.cso").read_bytes() == PHONG.read_bytes()


def test_parts_that_are_shaders_themselves(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    shutil.copy(PHONG, tmp_path / "a.dxbc")
    shutil.copy(PHONG, tmp_path / "a" / "00-ISGN.bin")
    before = _state(tmp_path)
    ended = unshade("extract", tmp_path, "-o", tmp_path)
    assert ended.code == 2
    assert f"will not overwrite the input {tmp_path / 'a' / '00-ISGN.bin'}" in ended.err
    assert _state(tmp_path) == before


@pytest.mark.slow
def test_a_command_may_overwrite_its_own_output(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.mktemp("out")
    for _ in range(2):
        assert unshade("asm", folder, "--donor", folder, "-o", out / "made").code == 0
        assert unshade("dis", out / "made", "-o", out / "texts").code == 0
        assert unshade("extract", out / "made", "-o", out / "parts").code == 0
        assert unshade("find", folder / "a.cso", "--extract", out / "found").code == 0


@pytest.mark.slow
def test_several_results_are_checked_before_the_first_is_written(tmp_path: Path) -> None:
    array = tmp_path / "y.npy"
    np.save(array, np.ones(64, np.float32))
    line = [*RUN, "--bind", "X=iota(64)", "--bind", f"Y={array}", "--set", "a=2"]
    for last in (f"Y={array}", f"Z={tmp_path / 'z.npy'}"):
        ended = unshade(*line, "-o", f"Y={tmp_path / 'first.npy'}", "-o", last)
        assert ended.code == 2
        assert os.listdir(tmp_path) == ["y.npy"]
    assert np.load(array)[2] == 1
    twice = ["-o", f"Y={tmp_path / 'z.npy'}", "-o", f"Y={tmp_path / 'z.npy'}"]
    assert "given for several results" in unshade(*line, *twice).err
    assert unshade(*line, "--in-place").code == 0
    assert np.load(array)[2] == 5


@pytest.mark.parametrize("line", [["sign"], ["strip", "--all"]])
def test_in_place_is_a_request(line: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    data = bytearray(PHONG.read_bytes())
    data[4] ^= 1
    path.write_bytes(data)
    refused = unshade(*line, path, "-o", path)
    assert refused.err.endswith("; use --in-place to replace it\n")
    assert path.read_bytes() == data
    assert unshade(*line, path, "--in-place").code == 0
    assert path.read_bytes() != data


def test_standard_input_may_be_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.dxbc"
    shutil.copy(PHONG, path)
    with path.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(["strip", "--all", "-", "-o", str(path)]) == 2
    assert f"will not overwrite the input {path}" in capsys.readouterr().err
    assert path.read_bytes() == PHONG.read_bytes()


# ---------------------------------------------------------------- what is the same file


def _linked(path: Path) -> Path:
    link = path.parent / "link"
    link.symlink_to(path)
    return link


def _hard(path: Path) -> Path:
    os.link(path, path.parent / "hard")
    return path.parent / "hard"


def _around(path: Path) -> Path:
    (path.parent / "around").symlink_to(path.parent)
    return path.parent / "around" / path.name


def _in_capitals(path: Path) -> Path:
    other = path.with_name(path.name.upper())
    if not other.exists():
        pytest.skip("names differ by case here")
    return other


@pytest.mark.parametrize("other", [_linked, _hard, _around, _in_capitals], ids=lambda f: f.__name__)
def test_other_names_of_a_file(other: Callable[[Path], Path], tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    shutil.copy(PHONG, path)
    place = other(path)
    assert unshade("sign", path, "-o", place).code == 2
    assert unshade("sign", place, "-o", path).code == 2
    assert path.read_bytes() == PHONG.read_bytes()


def test_another_way_to_write_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(PHONG, tmp_path / "a.dxbc")
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)
    for place in ("./a.dxbc", "b/../a.dxbc", str(tmp_path / "a.dxbc")):
        assert unshade("sign", "a.dxbc", "-o", place).code == 2


def test_unnamed_inputs_are_not_overwritten(tmp_path: Path) -> None:
    """A file that is read but not named, as one that a text includes."""
    path = tmp_path / "part.asm"
    path.write_bytes(b"old")
    with files.guarded():
        assert files.read(path) == b"old"
        with pytest.raises(UsageError, match="will not overwrite"):
            files.write_atomically(path, b"new")
        files.write_atomically(path, b"new", in_place=True)
    files.write_atomically(path, b"newer")  # from Python, a path says what is wanted
    assert path.read_bytes() == b"newer"


def test_devices_may_be_input_and_output() -> None:
    if os.path.exists("/dev/null"):
        with files.guarded():
            assert files.read("/dev/null") == b""
            files.write_atomically("/dev/null", b"x")


# ---------------------------------------------------------------- one place opens files

# Modules that touch a file system beside files.py, and why.
OTHERS = {
    "vm/jit/cache/folders.py": "a folder of its own, never one of the user's",
    "vm/jit/cache/module_digests.py": "the modules of unshade",
    "windows.py": "how files.py puts a file in its place there",
    "plugins.py": "the metadata of installed packages",
    "cli/__init__.py": "streams that were closed before the start",
}
OPEN = {"open", "read_bytes", "read_text", "write_bytes", "write_text", "mkdir", "makedirs",
        "replace", "rename", "unlink", "remove", "rmtree", "copyfile", "fromfile", "tofile",
        "memmap", "savez", "mkstemp"}  # fmt: skip
CALLS = re.compile(rf"\b({'|'.join(OPEN)})\(")
OF = {"os", "Path", "shutil", "tempfile", "io", "np"}


@pytest.mark.slow
def test_one_module_opens_files() -> None:
    """Files that other modules read would not be protected, nor their outputs checked."""
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if name == "files.py" or name in OTHERS:
            continue
        text = path.read_text("utf-8")
        if not CALLS.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call):
                continue
            call = node.func
            where = f"{name}:{node.lineno}"
            if isinstance(call, ast.Name):
                assert call.id != "open", where
            elif isinstance(call, ast.Attribute) and call.attr in OPEN:
                holder = call.value
                assert not (isinstance(holder, ast.Name) and holder.id in OF), where
                if ast.unparse(holder) == "super()":  # click's formatter has a write_text
                    continue
                assert call.attr not in ("read_bytes", "write_bytes", "read_text", "write_text"), (
                    where
                )
