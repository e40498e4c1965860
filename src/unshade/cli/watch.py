"""`--watch`: repeat a command line for the files that change, until Ctrl-C.

    first round     processes every input and records the files it read, with their stamps
    waiting         polls the stamps of these files and the names in folders
    next round      processes inputs that are new, failed before, or read a file that has changed

Each round is a new call of the verb, so that no verb needs code for this. Errors in a file are
reported as usual and do not end the loop.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator

from .. import files
from ..errors import UnshadeError, UsageError
from ..screens.text import many
from . import exits
from .commands.index import shaders
from .declarations import VerbOptions, flat
from .inputs import Input, this_round
from .output import CommandOutput, note, styled
from .processes.jobs import call

PAUSE = 0.2  # seconds between polls
CLEAR = b"\x1b[H\x1b[2J"  # the screen, not the scrollback
wait: Callable[[float], None] = time.sleep


class Watched:
    """The inputs of a command line and the files read for each input."""

    def __init__(self) -> None:
        self.later = False
        self._read: dict[str, dict[str, files.Stamp]] = {}  # by the input's path
        self._failed: set[str] = set()

    def due(self, item: Input) -> bool:
        """Return True if an input is new, failed last time, or has changed since."""
        read = self._read.get(item.path)
        if read is None or item.path in self._failed:
            return True
        return any(files.stamp(path) != before for path, before in read.items())

    def doing(self, work: Callable[[Input], int], item: Input) -> int:
        """Process an input and record the files it reads."""
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
        """Return the files that changed since they were last read."""
        read = {path: before for each in self._read.values() for path, before in each.items()}
        return [path for path, before in read.items() if files.stamp(path) != before]

    def __len__(self) -> int:
        return len({path for read in self._read.values() for path in read})


def watched(options: VerbOptions) -> int:
    """Run a verb again whenever an input changes; return 0 on Ctrl-C.

    A UsageError of the first round is raised: no change of a file would fix it. On a terminal,
    without `-o`, later rounds clear the screen.
    """
    given = flat(options)
    outer = files.guard()
    named = [] if outer is None else list(outer.seen)
    if "-" in (*given.get("files", ()), *(given.get(name) for name in shaders())):
        raise UsageError("standard input cannot be watched")
    inputs = Watched()
    token = this_round.set(inputs)
    try:
        _round(options, named)
        note(f"watching {many(len(inputs), 'file')}; press Ctrl-C to stop")
        inputs.later = True
        names = _names(named)
        while True:
            names = _until_something_changes(inputs, named, names)
            changes = ", ".join(inputs.changed()[:3]) or "files added or removed"
            if given.get("output") is None and sys.stdout.isatty() and styled():
                CommandOutput().data(CLEAR)
            try:
                code = _round(options, named)
                names = _names(named)
                note(f"{time.strftime('%H:%M:%S')} {changes}: {exits.WORDS[code]}")
            except UnshadeError as error:
                note(str(error))
    except KeyboardInterrupt:
        return exits.FINE
    finally:
        this_round.reset(token)


def _round(options: VerbOptions, named: list[str]) -> int:
    """Call the verb once, with the named files protected from being overwritten."""
    with files.guarded() as guard:
        for path in named:
            guard.protect(path)
        return call(options)


def _until_something_changes(inputs: Watched, named: list[str], names: set[str]) -> set[str]:
    """Wait for a change and until it settles: editors write in several steps."""
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
    """Return all existing files that are named or below a named folder."""
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
