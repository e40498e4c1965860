"""Running `unshade` inside the test's process, as a user would from a shell."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast
from unittest import mock

from tests.examples import EXAMPLES
from unshade.cli import main

PHONG = EXAMPLES / "phong.dxbc"
SAXPY = EXAMPLES / "saxpy.dxbc"
STYLES = re.compile(r"\x1b\[[0-9;]*m")  # of a terminal

# The program of a process that Ctrl-C interrupts, although the signal is ignored in processes that
# tests start in the background of a shell.
INTERRUPTIBLE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from unshade.cli import start; start()"
)


class Ended(NamedTuple):
    """The result of one command: exit code and output."""

    code: int
    data: bytes
    err: str

    @property
    def out(self) -> str:
        return self.data.decode("utf-8", "surrogateescape")


class Stream(io.TextIOWrapper):
    """A text stream over memory that may call itself a terminal."""

    def __init__(
        self,
        data: bytes = b"",
        terminal: bool = False,
        into: io.BytesIO | io.BufferedWriter | None = None,
    ) -> None:
        super().__init__(into or io.BytesIO(data), encoding="utf-8", newline="\n")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def written(self) -> bytes:
        self.flush()
        memory = self.buffer
        assert isinstance(memory, io.BytesIO)
        return memory.getvalue()


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set the colour variables as in a plain shell, except for the given ones."""
    with mock.patch.dict("os.environ", values):
        import os

        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            if name not in values:
                os.environ.pop(name, None)
        yield


def unshade(
    *arguments: str | Path,
    stdin: bytes = b"",
    terminal: bool = False,
    watched: bool = False,
    **env: str,
) -> Ended:
    """Run one command line.

    `terminal` makes standard output a terminal, `watched` standard error.
    """
    out, err = Stream(terminal=terminal), Stream(terminal=watched)
    with (
        environment(TERM="xterm-256color", **env),
        mock.patch("sys.stdin", Stream(stdin)),
        mock.patch("sys.stdout", out),
        mock.patch("sys.stderr", err),
    ):
        code = main([str(each) for each in arguments])
    return Ended(code, out.written(), err.written().decode())


def in_one_file(*arguments: str | Path, terminal: bool = False) -> str:
    """Run one command line with both streams going to one file, as `2>&1` does or a terminal.

    Standard output is held until it is flushed, as Python does with it.
    """
    file = io.BytesIO()
    out = Stream(terminal=terminal, into=io.BufferedWriter(cast(io.RawIOBase, file)))
    err = Stream(terminal=terminal, into=file)
    with (
        environment(TERM="xterm-256color", NO_COLOR="1"),
        mock.patch("sys.stdin", Stream()),
        mock.patch("sys.stdout", out),
        mock.patch("sys.stderr", err),
    ):
        main([str(each) for each in arguments])
    return file.getvalue().decode()
