"""Screens of narrow and wide terminals: no line is longer, and no word is cut."""

import os
import re
import sys

import pytest

from tests.cli.terminal import PHONG, SAXPY

pytest.importorskip("pty")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="a pseudo-terminal of Linux is needed"),
]
STYLES = re.compile(rb"\x1b\[[0-9;]*[A-Za-z]")
COMMANDS = (
    ("identify", PHONG), ("info", PHONG), ("parts", PHONG), ("reflect", PHONG), ("verify", PHONG),
    ("hexdump", SAXPY), ("hexdump", "--docs", SAXPY), ("find", PHONG), ("diff", PHONG, PHONG),
    ("strip", "--all", "--dry-run", PHONG), ("--help",), ("help", "run"),
)  # fmt: skip


def shown(columns: int, *line: object) -> str:
    """Return the output of a command on a terminal of that width."""
    import subprocess

    main, side = os.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "unshade", *map(str, line)], stdout=side, stderr=side,
        env=environment,
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
    return STYLES.sub(b"", found).decode().replace("\r", "")


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: " ".join(map(str, line[:-1])) or "help")
@pytest.mark.parametrize("columns", [60, 80, 200])
def test_no_line_is_longer_than_the_terminal(columns: int, line: tuple[object, ...]) -> None:
    text = shown(columns, *line)
    assert text.strip()
    names = [str(each) for each in line]  # paths are words that cannot be cut
    long = [
        each
        for each in text.split("\n")
        if len(each) > columns and not any(name in each for name in names)
    ]
    assert long == []
