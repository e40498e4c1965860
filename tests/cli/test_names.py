"""File names that are not UTF-8, and characters that a stream's encoding lacks."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote_to_bytes, urlsplit

import pytest

import unshade as library
from tests.cli.terminal import PHONG, SAXPY, Stream, unshade
from tests.examples import EXAMPLES
from tests.model.schema_check import violations
from unshade.cli import main
from unshade.cli.schema import schema

NAME = os.fsdecode(b"caf\xe9 #\xff.cso")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A shader whose name is not UTF-8."""
    path = tmp_path / NAME
    try:
        shutil.copy(PHONG, path)
    except OSError:
        pytest.skip("names are UTF-8 here")
    return path


def _bytes(uri: str) -> bytes:
    """Return the path of a URI, as any library reads it."""
    parts = urlsplit(uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("file", "", "", "")
    return unquote_to_bytes(parts.path)


@pytest.mark.heavy
@pytest.mark.parametrize(
    "verb", ["info", "identify", "parts", "reflect", "verify", "hexdump", "find", "strip"]
)
def test_json_of_a_name_that_is_not_utf_8(verb: str, odd: Path) -> None:
    line = [verb, *(["--dry-run"] if verb == "strip" else []), "--json"]
    one = json.loads(unshade(*line, odd).data.decode("utf-8"))
    assert _bytes(one["file"]) == os.fsencode(odd)
    several = json.loads(unshade(*line, odd.parent).data.decode("utf-8"))
    assert several == [one]
    if verb in ("info", "reflect"):
        assert violations(one, schema(verb)) == []


def test_a_relative_name_becomes_an_absolute_one(
    odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(odd.parent)
    found = json.loads(unshade("identify", "--json", NAME, "nothing\udcff").data.decode("utf-8"))
    assert _bytes(found[0]["file"]) == os.fsencode(odd)
    assert _bytes(found[1]["file"]) == os.fsencode(odd.parent) + b"/nothing\xff"
    assert found[1]["error"]["message"] == "No such file or directory"


def test_json_of_two_files(odd: Path) -> None:
    found = json.loads(unshade("diff", "--json", odd, SAXPY).data.decode("utf-8"))
    assert _bytes(found["before"]) == os.fsencode(odd)
    assert found["after"] == str(SAXPY)


def test_utf_8_names_are_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "k\u00e4se \\xff %41 \u65e5.cso"
    shutil.copy(SAXPY, path)
    assert json.loads(unshade("identify", "--json", path).out)["file"] == str(path)
    assert json.loads(unshade("identify", "--json", "-").out)["file"] == "standard input"


@pytest.mark.heavy
@pytest.mark.parametrize("verb", ["info", "parts", "reflect", "hexdump", "verify"])
def test_names_in_a_shader_that_are_not_utf_8(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    shader = library.loads(PHONG.read_bytes().replace(b"_tex_sampler\0", b"_tex_samp\xffer\0"))
    shader.sign()
    shader.save(path)
    output = unshade(verb, "--json", path).data.decode("utf-8")
    json.loads(output)
    assert verb in ("parts", "verify") or "_tex_samp\\\\xffer" in output
    shown = unshade(verb, path, terminal=True).data.decode("utf-8")
    assert verb in ("parts", "verify") or "_tex_samp\\xffer" in shown


@pytest.mark.heavy
@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize(
    "verb", ["info", "identify", "parts", "dis", "reflect", "verify", "hexdump", "find"]
)
def test_screens_and_messages(verb: str, terminal: bool, odd: Path) -> None:
    (odd.parent / os.fsdecode(b"bad\xff.cso")).write_bytes(PHONG.read_bytes()[:100])
    files = sorted(odd.parent.iterdir())
    ended = unshade(verb, *files, odd.parent / "no\udcfe", terminal=terminal, watched=terminal)
    err = ended.data.decode("utf-8") + ended.err
    assert "no\\xfe: No such file or directory" in err
    # A terminal may cut the line at the space.
    assert verb == "verify" or "caf\\xe9 #\\xff.cso" in " ".join(err.split())
    assert "\udcff" not in err


@pytest.mark.parametrize("terminal", [False, True])
def test_errors_in_a_text(terminal: bool, odd: Path) -> None:
    text = odd.with_suffix(".asm")
    text.write_bytes(b"ps_5_0\nmov \xff\n")
    ended = unshade("asm", text, watched=terminal, NO_COLOR="1")
    assert ended.code == 3
    assert ended.err.startswith(f"{odd.parent}/caf\\xe9 #\\xff.asm:2:5: ")


def test_outputs_have_the_bytes_of_their_inputs(odd: Path, tmp_path: Path) -> None:
    out = tmp_path / "out\udcff"
    assert unshade("dis", odd.parent, "-o", out).code == 0
    assert os.listdir(os.fsencode(out)) == [b"caf\xe9 #\xff.asm"]
    assert unshade("asm", out, "--donor", odd.parent, "-o", tmp_path / "back").code == 0
    assert (tmp_path / "back" / NAME).read_bytes() == PHONG.read_bytes()
    ended = unshade("sign", odd, "-o", odd)
    assert "will not overwrite" in ended.err
    assert "caf\\xe9" in ended.err


# ---------------------------------------------------------------- encodings


class Narrow(io.TextIOWrapper):
    """A stream of an encoding with few characters and strict error handling."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="ascii", errors="strict")

    def written(self) -> bytes:
        self.flush()
        memory: Any = self.buffer
        return bytes(memory.getvalue())


def test_streams_with_a_small_character_set(odd: Path) -> None:
    out, err = Narrow(), Narrow()
    name = str(odd.parent / "\u00e4\udcff")
    with (
        mock.patch("sys.stdin", Stream()),
        mock.patch("sys.stdout", out),
        mock.patch("sys.stderr", err),
    ):
        assert main(["info", str(odd), name]) == 2
    assert "█" in out.written().decode("utf-8")  # data is UTF-8 wherever it goes
    assert b"\\xe4\\xff: No such file or directory" in err.written()


def test_a_text_only_stream() -> None:
    class Text(io.StringIO):
        encoding = "ascii"

        def write(self, text: str) -> int:
            return super().write(text.encode("ascii").decode())

    out = Text()
    with mock.patch("sys.stdout", out):
        assert main(["info", str(PHONG)]) == 0
    assert "\\u2588" in out.getvalue()


@pytest.mark.slow
def test_help_with_a_small_character_set() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from unshade.cli import start; start()", "render", "--help"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(EXAMPLES.parent / "src")},
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"iTime" in done.stdout
