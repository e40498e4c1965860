"""`--watch`: do a command line again for the files that change, until Ctrl-C.

    first round     every input is done; what each of them read is remembered, with its stamp
    waiting         the stamps of all that was read, and the names in folders, are looked at
    next round      inputs that read something that has changed, failed before, or are new

A whole round is a fresh call of the verb, so that no verb has to know of this. What goes wrong with
a file is told as ever, and ends nothing.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .. import files
from ..errors import UnshadeError, UsageError
from ..screens.text import many
from . import exits
from .inputs import Input, this_round
from .output import Output, note, styled

PAUSE = 0.2  # seconds between two looks at the files
CLEAR = b"\x1b[H\x1b[2J"  # the screen, not what is above it
wait: Callable[[float], None] = time.sleep


class Watched:
    """The inputs of a command line, and what each of them read."""

    def __init__(self) -> None:
        self.later = False
        self._read: dict[str, dict[str, files.Stamp]] = {}  # by the input's path
        self._failed: set[str] = set()

    def due(self, item: Input) -> bool:
        """Return whether an input has changed since it was done, failed then, or is new."""
        read = self._read.get(item.path)
        if read is None or item.path in self._failed:
            return True
        return any(files.stamp(path) != before for path, before in read.items())

    def doing(self, work: Callable[[Input], int], item: Input) -> int:
        """Do the work on an input, and remember what it read."""
        guard = files.guard()
        assert guard is not None
        around = guard.seen
        guard.seen = {path: files.stamp(path) for path in item.paths}
        self._failed.add(item.path)
        try:
            code = work(item)
            if code in (exits.FINE, exits.FINDING):
                self._failed.discard(item.path)
            return code
        finally:
            self._read[item.path] = guard.seen
            guard.seen = around | guard.seen

    def changed(self) -> list[str]:
        """Return the files that are not what they were when an input read them."""
        read = {path: before for each in self._read.values() for path, before in each.items()}
        return [path for path, before in read.items() if files.stamp(path) != before]

    def __len__(self) -> int:
        return len({path for read in self._read.values() for path in read})


def watched(verb: Callable[[], int], given: Mapping[str, Any]) -> int:
    """Run a verb again whenever what it reads changes; the exit code of Ctrl-C is 0.

    UsageError of the first round ends it: no change of a file would help. `given` is what the
    command line says. On a terminal each later round begins on an empty screen, if no `-o` is
    given.
    """
    outer = files.guard()
    named = [] if outer is None else list(outer.seen)
    if "-" in (*given.get("files", ()), *(given.get(name) for name in ("file", "ps", "vs"))):
        raise UsageError("standard input cannot be watched")
    inputs = Watched()
    token = this_round.set(inputs)
    try:
        _round(verb, named)
        note(f"watching {many(len(inputs), 'file')}; Ctrl-C ends it")
        inputs.later = True
        names = _names(named)
        while True:
            names = _until_something_changes(inputs, named, names)
            told = ", ".join(inputs.changed()[:3]) or "files come or gone"
            if given.get("output") is None and sys.stdout.isatty() and styled():
                Output().data(CLEAR)
            try:
                code = _round(verb, named)
                names = _names(named)
                note(f"{time.strftime('%H:%M:%S')} {told}: {exits.WORDS[code]}")
            except UnshadeError as error:
                note(str(error))
    except KeyboardInterrupt:
        return exits.FINE
    finally:
        this_round.reset(token)


def _round(verb: Callable[[], int], named: list[str]) -> int:
    """One call, in which what is read is kept from being written over as in the first."""
    with files.guarded() as guard:
        for path in named:
            guard.protect(path)
        return verb()


def _until_something_changes(inputs: Watched, named: list[str], names: set[str]) -> set[str]:
    """Wait for a change, and then for the end of changes: editors write in several steps."""
    last: tuple[list[files.Stamp], set[str]] | None = None
    while True:
        wait(PAUSE)
        there = _names(named)
        changed = inputs.changed()
        if not changed and there == names:
            last = None
            continue
        now = [files.stamp(path) for path in changed], there
        if now == last:
            return there
        last = now


def _names(named: list[str]) -> set[str]:
    """Every file that is named, or below a folder that is, and exists."""
    return {path for each in named for path in _below(each)}


def _below(path: str) -> Iterator[str]:
    if not os.path.isdir(path):
        if os.path.exists(path):
            yield path
        return
    try:
        entries = files.entries(path)
    except OSError:
        return
    for each in entries:
        if each.folder and not each.name.startswith("."):
            yield from _below(each.path)
        elif not each.name.startswith("."):
            yield each.path
