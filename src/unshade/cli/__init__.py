"""The command line: `unshade VERB FILE...`, one module a verb.

A line without options needs no parser, and importing one takes longer than most files take to
read; so `unshade info ps.cso` goes straight to its verb. Every other line is click's
(commands.py), which calls the same function.
"""

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

from ..errors import UnshadeError
from ..files import guarded
from ..windows import closed_pipe
from . import exits
from .output import note

# Verbs whose arguments are all files and whose options all have defaults.
PLAIN = ("diff", "dis", "find", "identify", "info", "parts", "reflect", "verify")


def start() -> NoReturn:
    """The program: run the command line of this process, and end it.

    Tearing the interpreter down takes a tenth of a short run, and nothing waits for it: files are
    written and closed by then. Looking for garbage in what was just imported takes a twentieth.
    """
    gc.set_threshold(50_000)
    _open_streams()
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _open_streams() -> None:
    """Give a stream that was closed before the start (`>&-`) something to stand on.

    Python has None for it, and `print` would send what is for one stream to another. What an
    encoding of a terminal does not have is written as an escape rather than be an error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code is that of exits.py."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        try:
            with guarded():
                code = _dispatch(given)
        except KeyboardInterrupt:
            note("interrupted")
            code = exits.INTERRUPTED
        sys.stdout.flush()
    except OSError as error:
        # Python flushes standard output once more as it ends: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if closed_pipe(error):
            return exits.CLOSED_PIPE
        with suppress(OSError):  # standard error may be gone, too
            note(f"standard output: {error.strerror}")
        return exits.USAGE
    return code


def _dispatch(given: list[str]) -> int:
    if len(given) > 1 and given[0] in PLAIN and not any(_is_option(each) for each in given[1:]):
        verb = import_module(f".{given[0]}", __name__)
        try:
            return int(verb.run(given[1:]))
        except UnshadeError as error:
            note(str(error))
            return exits.code_of(error)
    from .commands import run

    return run(given)


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"
