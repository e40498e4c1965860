"""`unshade dis --lines` and `--source`: the lines that traces, findings and coverage refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import unshade
from tests.examples import EXAMPLES
from tests.fixtures.debug_lines import DXIL, SPIRV

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize(
    "name", ["saxpy.dxbc", "saxpy6.dxil", "lit.shbin", "clay.frag.spv", "plasma.skslb"]
)
def test_the_lines_are_those_of_the_debugger(name: str) -> None:
    ran = unshade("dis", "--lines", EXAMPLES / name)
    assert (ran.code, ran.err) == (0, "")
    kernel = library.kernel(library.open(EXAMPLES / name), engine="lockstep")
    printed = ran.out.split("\n")[:-1]
    wanted = [f"{at:>5}  {line}".rstrip() for at, line in enumerate(kernel.listing, 1)]
    assert printed[: len(wanted)] == wanted[: len(printed)]
    lines = kernel.debug().instructions
    assert lines
    assert lines[-1] <= len(printed)


def test_each_program_is_numbered() -> None:
    out = unshade("dis", "--lines", EXAMPLES / "everything.vbc").out
    headings = [line for line in out.splitlines() if line.startswith("; program")]
    assert headings == ["; program 0: main (vertex)", "; program 1: main (pixel)"]


def test_lines_in_a_folder(tmp_path: Path) -> None:
    files = [EXAMPLES / name for name in ("saxpy.dxbc", "lit.shbin")]
    assert unshade("dis", "--lines", *files, "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out" / "saxpy.txt").read_text().startswith("    1  cs_5_0\n")
    assert (tmp_path / "out" / "lit.txt").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--no-header",), "DXIL text has no option --no-header; it has none"),
        (("--raw-id", "--no-header"), "DXIL text has no option --raw-id; it has none"),
        (("--lines", "--dialect", "exact"), "--lines prints the code alone"),
        (("--source", "--raw-id"), "--source prints the code alone"),
    ],
)
def test_options_are_named_as_they_are_spelled(options: tuple[str, ...], words: str) -> None:
    ran = unshade("dis", *options, EXAMPLES / "saxpy6.dxil")
    assert (ran.code, words in ran.err) == (2, True), ran.err


@pytest.mark.parametrize(
    ("text", "format", "first", "source"),
    [
        (SPIRV, "spirv", "OpStore %a %uint_1", "a.comp:3  uint a = 1u;"),
        (DXIL, "dxil", "fmul float 2.000000e+00", "light.hlsl:2  return x * 2;"),
    ],
)
def test_lines_of_the_source_stand_above_their_code(
    tmp_path: Path, text: str, format: str, first: str, source: str
) -> None:
    file = tmp_path / "shader"
    library.assemble(text, format).save(file)
    ran = unshade("dis", "--source", file)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    at = lines.index(source)
    assert first in lines[at + 1]
    assert lines[at + 1][:5].strip().isdecimal()
    plain = unshade("dis", "--lines", file).out.splitlines()
    assert [line for line in lines if line in plain] == plain


@pytest.mark.parametrize("name", ["gyroid.dxbc", "lit.shbin", "saxpy6.dxil", "plasma.skslb"])
def test_a_shader_without_lines_of_a_source_is_refused(name: str) -> None:
    ran = unshade("dis", "--source", EXAMPLES / name)
    assert ran.code != 0
    assert not ran.out
    assert "expected debug information with lines of a source" in ran.err
