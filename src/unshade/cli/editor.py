"""The user's editor, on a text in a folder of its own.

    VISUAL, else EDITOR     a program and its arguments: `emacs -nw`
    else                    the first of sensible-editor, nano, vi; on Windows notepad

The program is started without a shell: `vim; rm x` is the name of no program. Relative entries of
the search path are not searched. The folder is readable by this user only, and the name of the
file in it is made here, so that no shader chooses an argument of the editor.
"""

import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from shutil import rmtree

from ..compilers.processes import found_program
from ..errors import UsageError
from ..files import opened, read_limited, write_atomically
from ..isa.source import decoded
from ..limits import DEFAULT
from ..windows import HERE
from .templates import safe

__all__ = ["EditedText", "command_line", "edited_text", "editor_command"]

VARIABLES = ("VISUAL", "EDITOR")
USUAL = ("notepad",) if HERE else ("sensible-editor", "nano", "vi")
LONGEST = 60  # characters of a file's name


class EditedText:
    """A text in a file that the user edits.

    Attributes:
        path: The file.
        original: The text as it was written.
        text: The text as it was last read.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.original = self.text = text

    def edit(self) -> None:
        """Open the editor, wait until it ends, and read the file.

        Raises:
            UsageError: The editor cannot be started or fails, or it left no text.
        """
        command = editor_command()
        with _uninterrupted():
            try:
                code = subprocess.run([*command, self.path], check=False).returncode
            except OSError as error:
                raise UsageError(f"{command[0]} cannot be started: {error.strerror}") from None
        if code:
            raise UsageError(f"{os.path.basename(command[0])} ended with the exit code {code}")
        data = self._data()
        if data is None:
            raise UsageError(f"{self.path}: the editor left no file")
        text = decoded(data)
        if text is None:
            raise UsageError(f"{self.path}: expected text, got binary data")
        self.text = text

    def changed(self) -> bool:
        """Return True if the file has something other than the original text."""
        data = self._data()
        return data is not None and data != self.original.encode("utf-8", "surrogateescape")

    def _data(self) -> bytes | None:
        """Return the bytes of the file; None if there is none."""
        try:
            with opened(self.path, protected=False) as file:
                return read_limited(file, DEFAULT.file_size)
        except (OSError, ValueError):
            return None


@contextmanager
def edited_text(text: str, name: str) -> Iterator[EditedText]:
    """Write a text to a new file, which is removed in the end if the block sets `path` to ""."""
    folder = tempfile.mkdtemp(prefix="unshade-edit-")
    stem, suffix = os.path.splitext(safe(name))
    held = EditedText(os.path.join(folder, f"{stem.lstrip('.')[:LONGEST] or 'edit'}{suffix}"), text)
    write_atomically(held.path, text.encode("utf-8", "surrogateescape"))
    try:
        yield held
    finally:
        if not held.path:
            rmtree(folder, ignore_errors=True)


def editor_command() -> list[str]:
    """Return the program and the arguments of the user's editor.

    Raises:
        UsageError: The variable does not name a program, or there is no editor.
    """
    for variable in VARIABLES:
        given = os.environ.get(variable, "").strip()
        if not given:
            continue
        try:
            program, *arguments = shlex.split(given, posix=not HERE)
        except ValueError as error:
            raise UsageError(f"{variable}: {error}: {given!r:.80}") from None
        program = program.strip('"')
        found = program if os.path.isabs(program) else found_program([program], "")
        if found is None or os.path.basename(program) in ("", ".", ".."):
            raise UsageError(f"{variable}: no program {program!r:.80} on the search path")
        return [found, *arguments]
    found = found_program(USUAL, "")
    if found is None:
        raise UsageError("no editor: set VISUAL or EDITOR")
    return [found]


def command_line(words: Sequence[str]) -> str:
    """Return a command for the user's shell, which takes nothing in a word as its own syntax."""
    return subprocess.list2cmdline(words) if HERE else shlex.join(words)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Leave Ctrl-C to the editor, as a shell does."""
    before = None
    with suppress(ValueError):  # not in the main thread
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)
