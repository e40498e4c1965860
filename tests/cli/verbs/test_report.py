"""`unshade report`: names and links of pages, and the index of several."""

from __future__ import annotations

import os
import re
import shutil
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest

import unshade as library
from tests.cli.terminal import unshade
from tests.examples import EXAMPLES

GYROID = EXAMPLES / "gyroid.dxbc"
pytestmark = pytest.mark.slow


def links(index: Path) -> dict[str, str]:
    """Return the link of each name in the table without JavaScript."""
    text = index.read_text(encoding="utf-8")
    found = re.findall(r'<td><a href="(.*?)">(.*?)</a>', text)
    return {unescape(name): unescape(link) for link, name in found}


def index_of(text: str) -> str:
    """Return the link of a page to the index, empty without one."""
    return "".join(re.findall(r'<a id="index" href="([^"]*)"', text))


def test_a_folder_has_an_index(tmp_path: Path) -> None:
    given, made = tmp_path / "in", tmp_path / "out"
    (given / "sub").mkdir(parents=True)
    shutil.copy(EXAMPLES / "lit.shbin", given / "lit.shbin")
    shutil.copy(GYROID, given / "index.dxbc")
    shutil.copy(GYROID, given / "sub" / "index.dxbc")
    (given / "notes.txt").write_text("not a shader")
    done = unshade("report", given, "-o", made)
    assert done.code == 0
    assert links(made / "index.html") == {
        "index.dxbc": "./index~2.html",
        "lit.shbin": "./lit.html",
        "sub/index.dxbc": "./sub/index.html",
    }
    for link in links(made / "index.html").values():
        text = (made / link).read_text(encoding="utf-8")
        assert index_of(text) == ("./../index.html" if "sub/" in link else "./index.html")


def test_the_index_is_the_same_from_several_processes(tmp_path: Path) -> None:
    given = tmp_path / "in"
    given.mkdir()
    for at in range(4):
        shutil.copy(GYROID, given / f"{at}.dxbc")
    for count in (1, 2):
        assert unshade("report", given, "-j", str(count), "-o", tmp_path / str(count)).code == 0
    one, two = (tmp_path / str(count) for count in (1, 2))
    assert (one / "index.html").read_bytes() == (two / "index.html").read_bytes()
    assert sorted(os.listdir(one)) == sorted(os.listdir(two))
    assert len(links(two / "index.html")) == 4


def test_files_that_cannot_be_opened_are_listed(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a shader")
    cut = tmp_path / "cut.dxbc"
    cut.write_bytes(GYROID.read_bytes()[:300])
    done = unshade("report", text, cut, GYROID, "-o", tmp_path / "out")
    assert done.code == 3
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "2 shaders, 5,160 bytes, 5 findings; 1 file could not be opened" in index
    assert "expected 316 bytes for RDEF, got 240" in index
    assert re.search(r"<h2>Not opened</h2>.*<td>notes.txt<td>", index, re.DOTALL)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux")
def test_hostile_names_have_safe_pages(tmp_path: Path) -> None:
    names = [
        b'a%20b #?<img src=x>".dxbc', b"\xff\xe9.dxbc", b"javascript:alert(1).dxbc", b"aux.dxbc",
        b"Same.dxbc", b"same.dxbc", b"...dxbc", b"new\nline.dxbc", "e\u0301.dxbc".encode(),
        "\u00e9.dxbc".encode(), b"x" * 250,
    ]  # fmt: skip
    given, made = tmp_path / "in", tmp_path / "out"
    given.mkdir()
    for name in names:
        shutil.copy(GYROID, given / os.fsdecode(name))
    assert unshade("report", given, "-o", made).code == 0
    found = links(made / "index.html")
    # Hidden files are left out of folders.
    assert len(found) == len(names) - 1
    written = os.listdir(os.fsencode(made))
    assert sorted(unquote_to_bytes(link)[2:] for link in found.values()) == sorted(
        name for name in written if name != b"index.html"
    )
    for link in found.values():
        assert re.fullmatch(r"\./[A-Za-z0-9%._~-]+", link)
    folded = [os.fsdecode(name).casefold() for name in written]
    assert len(set(folded)) == len(names)
    assert b"aux_.html" in written
    assert not any(set(name) & set(b'<>:"|?*\n') for name in written)


def test_the_difference_of_two_files(tmp_path: Path) -> None:
    made = tmp_path / "page.html"
    done = unshade("report", "--diff", GYROID, EXAMPLES / "mandel.dxbc", "-o", made)
    assert done.code == 1
    assert "the code differs" in made.read_text(encoding="utf-8")
    done = unshade("report", "--diff", GYROID, GYROID, "-o", made)
    assert done.code == 0
    assert "the same, byte for byte" in made.read_text(encoding="utf-8")


def test_a_difference_does_not_replace_an_input(tmp_path: Path) -> None:
    copy = tmp_path / "copy.dxbc"
    shutil.copy(GYROID, copy)
    done = unshade("report", "--diff", copy, EXAMPLES / "mandel.dxbc", "-o", copy)
    assert done.code == 2
    assert copy.read_bytes() == GYROID.read_bytes()


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_difference_needs_two_files(count: int, tmp_path: Path) -> None:
    done = unshade("report", "--diff", *[GYROID] * count, "-o", tmp_path / "page.html")
    assert done.code == 2
    assert f"--diff: expected two files, got {count}" in done.err


def test_the_difference_of_two_folders(tmp_path: Path) -> None:
    old, new, made = (tmp_path / name for name in ("old", "new", "out"))
    for folder in (old, new):
        (folder / "sub").mkdir(parents=True)
        for name in ("gyroid", "phong", "mandel", "saxpy"):
            shutil.copy(EXAMPLES / f"{name}.dxbc", folder / "sub" / f"{name}.dxbc")
    shutil.copy(EXAMPLES / "matmul.dxbc", old / "sub" / "gyroid.dxbc")
    named = library.open(EXAMPLES / "phong.dxbc")
    named["RDEF"].bindings[2].name = "albedo"
    named.save(new / "sub" / "phong.dxbc")
    (new / "sub" / "saxpy.dxbc").write_bytes(GYROID.read_bytes()[:300])
    shutil.copy(EXAMPLES / "lit.shbin", old / "lit.shbin")
    shutil.copy(EXAMPLES / "plasma.skslb", new / "index.skslb")
    done = unshade("report", "--diff", old, new, "-o", made)
    assert done.code == 3
    assert "6 shaders: 1 the same, 4 different, 1 malformed" in done.err
    index = (made / "index.html").read_text(encoding="utf-8")
    rows = dict(re.findall(r"<tr><td>(?:<a [^>]*>)?([^<]*)(?:</a>)?<td>([^<]*)", index))
    assert unescape(rows.pop("sub/saxpy.dxbc")).startswith("at 0x38")
    assert rows == {
        "lit.shbin": "removed",
        "index.skslb": "added",
        "sub/gyroid.dxbc": "code differs",
        "sub/mandel.dxbc": "the same",
        "sub/phong.dxbc": "names differ",
    }
    assert links(made / "index.html") == {
        "sub/gyroid.dxbc": "./sub/gyroid.html",
        "sub/phong.dxbc": "./sub/phong.html",
    }
    assert "code differs 1, names differ 1, added 1, removed 1, not opened 1, the same 1" in index
    text = (made / "sub" / "phong.html").read_text(encoding="utf-8")
    assert "albedo" in text
    assert index_of(text) == "./../index.html"
    code = tmp_path / "code"
    done = unshade("report", "--diff", old, new, "--only", "code", "-o", code)
    assert links(code / "index.html") == {"sub/gyroid.dxbc": "./sub/gyroid.html"}


def test_categories_are_those_of_a_difference(tmp_path: Path) -> None:
    made = tmp_path / "page.html"
    mandel = EXAMPLES / "mandel.dxbc"
    done = unshade("report", "--diff", GYROID, mandel, "--ignore", "code,digest", "-o", made)
    assert done.code == 1
    text = made.read_text(encoding="utf-8")
    assert "<li>code</li>" not in text
    assert index_of(text) == ""
    done = unshade("report", "--diff", GYROID, mandel, "--only", "nonsense", "-o", made)
    assert (done.code, "nonsense" in done.err) == (2, True)
    done = unshade("report", GYROID, "--only", "code", "-o", made)
    assert done.code == 2
    assert "expected --diff" in done.err


def test_the_difference_of_folders_needs_a_folder(tmp_path: Path) -> None:
    done = unshade("report", "--diff", tmp_path, tmp_path)
    assert done.code == 2
    assert "give -o FOLDER" in done.err


def test_a_page_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    """Pages are sent to others: whoever calls with absolute paths does not send them."""
    first, second = tmp_path / "old" / "gyroid.dxbc", tmp_path / "new" / "gyroid.dxbc"
    for place in (first, second):
        place.parent.mkdir()
        shutil.copy(GYROID, place)
    second.write_bytes(library.open(EXAMPLES / "saxpy.dxbc").to_bytes())
    made = tmp_path / "page.html"
    commands: list[tuple[list[str | Path], str]] = [
        (["report", first], "gyroid.dxbc"),
        (["report", "--diff", first, second], "old/gyroid.dxbc"),
    ]
    for arguments, shown in commands:
        assert unshade(*arguments, "-o", made).code in (0, 1)
        text = made.read_text(encoding="utf-8")
        assert str(tmp_path) not in text
        assert shown in text
