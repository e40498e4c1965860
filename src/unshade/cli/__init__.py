"""The command line: `unshade VERB FILE...`, the verbs are in verbs/.

Importing click takes longer than reading most files. A command line without options therefore
calls its verb directly; click (parsing.py) parses all others and calls the same functions.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from ..errors import UnshadeError
from ..files import guarded
from ..windows import closed_pipe
from . import exits
from .commands import options_of
from .declarations import plain
from .output import note
from .processes.jobs import call


def start() -> NoReturn:
    """Run the command line of this process and exit.

    Skips the teardown of the interpreter, which takes a tenth of a short run: all files are closed
    by then.
    """
    _open_streams()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # standard error may be the pipe that was closed
            stream.flush()
    os._exit(code)


def _open_streams() -> None:
    """Open the null device for standard streams that are closed (`>&-`).

    Python sets such a stream to None, and the next file opened would get its descriptor. Characters
    that the encoding of a stream lacks are written as escapes.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (exits.py)."""
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
        # Python flushes standard output again at exit: redirect that to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if closed_pipe(error):
            return exits.CLOSED_PIPE
        with suppress(OSError):  # standard error may be closed, too
            note(f"standard output: {error.strerror}")
        return exits.USAGE
    return code


def _dispatch(given: list[str]) -> int:
    verb, files = (options_of(given[0]), given[1:]) if given else (None, [])
    if verb is not None and plain(verb) and files and not any(map(_is_option, files)):
        try:
            return call(verb(files=tuple(files)))
        except UnshadeError as error:
            note(str(error))
            return exits.code_of(error)
    from .parsing import run

    return run(given)


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"
