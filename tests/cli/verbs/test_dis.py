"""`unshade dis --lines`: the lines that traces, findings and coverage refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade as library
from tests.cli.terminal import unshade
from tests.examples import EXAMPLES

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
    ],
)
def test_options_are_named_as_they_are_spelled(options: tuple[str, ...], words: str) -> None:
    ran = unshade("dis", *options, EXAMPLES / "saxpy6.dxil")
    assert (ran.code, words in ran.err) == (2, True), ran.err
