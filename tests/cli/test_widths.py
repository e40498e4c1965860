"""Screens of narrow and wide terminals: no line is longer, and no word is cut.

What `dis`, `decompile`, `headers`, `to-yaml` and `completion` print is a text for other tools. Its
lines are those of a file, since a line that is broken is not assembled, compiled or read again.
"""

import os
import re
import sys
from itertools import combinations
from pathlib import Path

import pytest

from tests.cli.lines import LINES, made_files
from tests.cli.terminal import PHONG, STYLES, unshade
from tests.examples import EXAMPLES

pytestmark = pytest.mark.slow
TEXTS = {"dis", "decompile", "headers", "to-yaml", "completion"}
GYROID = EXAMPLES / "gyroid.dxbc"
MORE = {
    "help": "--help",
    "help run": "help run",
    "help catalog": "help catalog",
    "info folder": f"info {EXAMPLES}",
    "info cost": f"info {PHONG} --cost",
    "info spirv": f"info {EXAMPLES / 'clay.frag.spv'}",
    "info vbc": f"info {EXAMPLES / 'everything.vbc'}",
    "info sodb": f"info {EXAMPLES / 'pipelines.sodb'}",
    "identify folder": f"identify {EXAMPLES}",
    "parts shbin": f"parts {EXAMPLES / 'lit.shbin'}",
    "hexdump docs": f"hexdump --docs {PHONG} --part STAT",
    "find folder": f"find {EXAMPLES}",
    "find unique": f"find {EXAMPLES} --unique",
    "find groups": f"find {EXAMPLES} --group-by program",
    "diff": f"diff {PHONG} {GYROID}",
    "diff folders": f"diff {EXAMPLES} {EXAMPLES}",
    "diff reproducible": f"diff --reproducible {PHONG} {GYROID}",
    "diff side by side": f"diff -y {PHONG} {GYROID}",
    "diff cost": f"diff --cost {PHONG} {GYROID}",
    "strip": f"strip --all --dry-run {PHONG}",
    "verify rules": "verify --rules",
    "verify explain": "verify --explain tpf.feature",
    "check pipeline": f"check --pipeline {EXAMPLES / 'clay.vert.spv'} {EXAMPLES / 'clay.frag.spv'}",
    "check folder": f"check {EXAMPLES} --max-bytes 4096",
    "cost folder": f"cost {EXAMPLES / 'gyroid.dxbc'} {EXAMPLES / 'julia.skslb'}",
    "debug pixel": f"debug {GYROID} --size 8x8 --thread 4,4",
    "catalog tables": "catalog show {cat} --tables",
    "catalog rows": 'catalog query {cat} FROM"shaders"',
    "catalog other": "catalog diff {cat} {other}",
}  # fmt: skip
COMMANDS = {verb: f"{verb} {line}" for verb, (line, _) in LINES.items()} | MORE


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("f")
    other = folder / "other"
    assert unshade("catalog", "scan", GYROID, "--to", other).code == 0
    return {**made_files(folder), "other": other}


def words(text: str) -> set[str]:
    """Return the words, without what a screen draws or puts behind a heading."""
    return {each.rstrip(":,") for each in text.split() if each.strip("█▏▎▍▌▋▊▉:,")}


def pieces(text: str) -> set[str]:
    """Return the words, and the pieces of dotted names, which are broken before `.` and `[`."""
    found = words(text)
    for word in [*found]:
        at = [0, *(each.start() for each in re.finditer(r"[.\[]", word)), len(word)]
        found.update(word[a:b].rstrip(":,") for a, b in combinations(at, 2))
        found.update(word[a:b].lstrip(".") for a, b in combinations(at, 2))
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_longer_and_no_word_is_cut(
    name: str, files: dict[str, Path], tmp_path: Path
) -> None:

    def line(number: int) -> list[str]:
        made = {**files, "made": tmp_path / str(number)}
        return [each.format(**made, out=tmp_path) for each in COMMANDS[name].split()]

    plain = unshade(*line(0)).out
    for columns in (60, 80, 200):
        shown = STYLES.sub("", unshade(*line(columns), terminal=True, COLUMNS=str(columns)).out)
        if name in TEXTS:
            assert shown == plain
            continue
        # A path or another word may be longer than the terminal, and is then alone in its line.
        assert [
            each
            for each in shown.splitlines()
            if len(each.rstrip()) > columns and len(each.split()) > 1
        ] == []
        assert words(shown) - pieces(plain) == set()


@pytest.mark.skipif(sys.platform != "linux", reason="a pseudo-terminal of Linux is needed")
@pytest.mark.parametrize("columns", [60, 200])
def test_the_width_is_that_of_the_terminal(columns: int) -> None:
    import fcntl
    import struct
    import subprocess
    import termios

    main, side = os.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")
    }
    with subprocess.Popen(
        [sys.executable, "-m", "unshade", "info", PHONG], stdout=side, stderr=side, stdin=side,
        env={**environment, "TERM": "xterm-256color"},
    ):  # fmt: skip
        os.close(side)
        found = b""
        while True:
            try:
                piece = os.read(main, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            found += piece
    os.close(main)
    lines = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", found.decode()).replace("\r", "").splitlines()
    longest = max(len(each) for each in lines if str(PHONG) not in each)
    assert (longest <= 60) == (columns == 60)
