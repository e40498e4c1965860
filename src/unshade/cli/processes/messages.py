"""The messages between a command line and its workers (jobs.py)."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, Protocol

from ...tuples import NamedTuple
from ..declarations import VerbOptions
from ..output import CommandOutput, Effect


class Outcome(NamedTuple):
    """The result of one input: its exit code, the recorded effects, an error that ends the run."""

    code: int
    effects: Sequence[Effect]
    error: OSError | None = None


class Start(NamedTuple):
    """The first message to a worker.

    `chosen` are the paths of the inputs whose outputs the verb has to name, if it writes any.
    `terminal` and `encoding` describe the parent's standard output.
    """

    options: VerbOptions
    chosen: frozenset[str] | None
    terminal: bool
    encoding: str


class AtWork(Protocol):
    """The connection of a worker process to its parent."""

    start: Start

    def serve(self, alone: Callable[[Any], int], out: CommandOutput) -> NoReturn:
        """Process the inputs that the parent sends with `alone`, until it sends no more."""
