"""`unshade reduce`: make a shader smaller while a command still ends as it should."""

import os
import shlex
import subprocess
import tempfile
from typing import TYPE_CHECKING

from ...compilers.processes import end_process
from ...errors import UsageError
from ...files import protect, write_atomically
from ...screens.text import many, visible
from ...windows import HERE
from .. import exits
from ..commands import ReduceOptions
from ..inputs import Input, single
from ..inputs import run as run_on
from ..output import CommandOutput, note, tell
from ..progress import bar

if TYPE_CHECKING:
    from ...shader import Shader

PLACE = "{}"
NONZERO, CRASH = "nonzero", "crash"
SIGNALS = 128  # shells end with this and the number of the signal that ended a command


def run(given: ReduceOptions) -> int:
    """Reduce the shader, and tell how far it came."""
    single(given.file)
    wanted = _wanted(given.exit)
    command = _command(given.test)
    if given.output is None:
        raise UsageError("-o is required: the smaller shader to write")

    def reduce(item: Input) -> int:
        from ...analysis.reducing import reduce as reduce_shader

        shader = item.open()
        if item.path != "-":
            protect(item.path)
        calls = 0
        with tempfile.TemporaryDirectory(prefix="unshade-") as folder, bar(given.runs) as advance:
            name = "shader" if item.path == "-" else os.path.basename(item.path)
            path = os.path.join(folder, name)

            def holds(candidate: "Shader") -> bool:
                nonlocal calls
                calls += 1
                if advance is not None:
                    advance(calls, given.runs)
                write_atomically(path, candidate.to_bytes())
                return _ends(command, path, given.timeout, wanted)

            found = reduce_shader(shader, holds, valid=not given.invalid, most=given.runs)
        data = found.to_bytes()
        with CommandOutput(given.output) as one:
            one.binary(data)
        before, after = len(shader.to_bytes()), len(data)
        lines = [len(each.disassemble().splitlines()) for each in (shader, found)]
        tell(
            f"{visible(item.name)}: {before:,} bytes, {lines[0]:,} lines → {after:,} bytes,"
            f" {many(lines[1], 'line')}; {many(calls, 'run')} of the command"
        )
        if calls >= given.runs:
            note(f"{item.name}: --runs {given.runs} are over: it may become smaller")
        return exits.FINE

    return run_on([given.file], reduce, CommandOutput(fills_screen=False))


def _command(text: str) -> list[str]:
    """Split a command as a shell does; nothing in it is expanded."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"--test: {str(error).lower()}") from None
    if not words:
        raise UsageError("--test: expected a command, got nothing")
    return words if any(PLACE in each for each in words) else [*words, PLACE]


def _wanted(text: str) -> str | int:
    """Return the exit code that counts, or a word for several."""
    if text in (NONZERO, CRASH):
        return text
    if text.isascii() and text.isdecimal() and int(text) < SIGNALS << 1:
        return int(text)
    raise UsageError(f"--exit: expected a number to 255, {NONZERO} or {CRASH}, got {text!r:.40}")


def _ends(command: list[str], path: str, seconds: int, wanted: str | int) -> bool:
    """Run the command on a file; return True if it ends as wanted, in time."""
    words = [each.replace(PLACE, path) for each in command]
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=not HERE,
        )  # fmt: skip
    except OSError as error:
        raise UsageError(f"--test: {words[0]} cannot be started: {error.strerror}") from None
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    finally:
        end_process(process)
        process.wait()
    crashed = code < 0 or code > SIGNALS
    if wanted == CRASH:
        return crashed
    return code != 0 if wanted == NONZERO else code == wanted
