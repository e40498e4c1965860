"""A worker process of a command line (jobs.py): runs the verb on inputs that the parent sends.

The messages are pickles, on the standard streams: Start, then lists of inputs, each answered by a
list of outcomes. The end of standard input ends the process.
"""

import io
import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, NoReturn

from ...files import guarded
from .. import exits
from ..output import CommandOutput, recorded
from .jobs import at_work, call
from .messages import Outcome, Start


class Connection:
    """The connection of this process to the parent."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self.start: Start = pickle.load(requests)

    def serve(self, alone: Callable[[Any], int], out: CommandOutput) -> NoReturn:
        """Process inputs until the parent closes the connection, then exit."""
        while True:
            try:
                items = pickle.load(self._requests)
            except EOFError:
                os._exit(exits.FINE)
            outcomes = [self._outcome(each, alone, out) for each in items]
            pickle.dump(outcomes, self._answers, pickle.HIGHEST_PROTOCOL)
            self._answers.flush()

    def _outcome(self, item: Any, alone: Callable[[Any], int], out: CommandOutput) -> Outcome:
        with recorded(out) as effects:
            try:
                return Outcome(alone(item), effects)
            except OSError as error:
                return Outcome(exits.USAGE, effects, error)


class _Parents(io.StringIO):
    """Stands for the parent's standard output; nothing is written to it."""

    def __init__(self, terminal: bool, encoding: str) -> None:
        super().__init__()
        self._terminal = terminal
        self._encoding = encoding

    def isatty(self) -> bool:
        return self._terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def main() -> NoReturn:
    """Run this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of a library is not an answer
    worker = Connection(sys.stdin.buffer, answers)
    sys.stdin = io.StringIO()
    sys.stdout = _Parents(worker.start.terminal, worker.start.encoding)
    at_work.set(worker)
    with guarded():
        call(worker.start.options)
    os._exit(exits.FINE)
