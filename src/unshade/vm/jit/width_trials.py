"""Chunk widths by measurement: the rules propose one (tuning.py), timing its neighbours settles.

    own           the width of the rules, until the work repays compiling another one
    own, rival    the next lanes of the work, in turns: own rival, rival own, own rival, …
    the quicker   settled, after one or two rivals; stored in place of the code of the rules

The lanes that are timed are those of the call, so that nothing is run twice and a program whose
lanes differ is timed on its own numbers. Both widths of a pair run one after the other; the median
of the pairs' ratios decides, which other work on the machine and lanes that differ move little.
A rival is compiled once the work, done and to be done, takes `WORTH` times as long as compiling it.

Results do not depend on the width: kernels for which that is not known (lane_order.py) are not
timed. `UNSHADE_TUNE=off` leaves the width to the rules, so that a call takes the same steps in
every run.
"""

import os
import statistics
import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from ...errors import UsageError
from .layout import WIDTHS, LaneLayout

ENVIRONMENT = "UNSHADE_TUNE"
CHOICES = ("on", "off")
WORTH = 8  # times the time of compiling: the work that repays a rival
TURN = 0.5e-3  # seconds of a turn
FIRST_LANES, MORE = 1024, 8  # of the first turn, and how many times as many has the next one
LONG = 0.5  # of a turn: shorter ones tell little of the time of a lane
FIRST_TURNS = 3  # calls that are a short turn, of which the last one counts
PAIRS = 9  # of turns
GAIN = 1.05  # times as fast: smaller differences are not worth a change
RIVALS = 2


def enabled() -> bool:
    """Return True if widths may be timed.

    Raises:
        UsageError: The environment has another word than `CHOICES`.
    """
    given = os.environ.get(ENVIRONMENT, "")
    if given and given not in CHOICES:
        raise UsageError(f"{ENVIRONMENT}: expected {' or '.join(CHOICES)}, got {given!r}")
    return given != "off"


class Timed(Protocol):
    """Compiled code: its layout, and the seconds that compiling took."""

    layout: LaneLayout
    seconds: float


C = TypeVar("C", bound=Timed)


class WidthTrial(Generic[C]):
    """The trial of one kernel's widths; `best` is the code that has won so far.

    Callers hold `lock` from `next` to the `add` that belongs to it.

    Args:
        own: The code of the rules' width.
    """

    def __init__(self, own: C) -> None:
        self.best = own
        self.settled = False
        self.lock = threading.Lock()
        self._rival: C | None = None
        self._rivals = 0
        self._tried = {own.layout.width}
        self._per_lane = 0.0  # seconds of a lane in `best`; 0 if it is not known
        self._spent = 0.0  # seconds of all lanes so far
        self._first_lanes = FIRST_LANES
        self._first_turns = 0
        self._left = 0
        self._turns: list[float] = []  # seconds of a lane, in the order of turns
        self._next = own

    def next(self, left: int, rival: Callable[[int], C | None]) -> tuple[C, int]:
        """Return the code of the next turn and its number of lanes; 0 if nothing is to be timed.

        Args:
            left: The lanes that are left of the call.
            rival: Compiles code of another width; None if none could continue the call.
        """
        self._left = left
        if self._per_lane and self._rival is None:
            self._challenge(left, rival)
        if self.settled or (self._per_lane and self._rival is None):
            return self.best, 0
        turn = TURN / self._per_lane if self._per_lane else self._first_lanes
        return self._next, min(left, self._whole(turn))

    def add(self, lanes: int, seconds: float) -> None:
        """Add the time of a turn."""
        self._spent += seconds
        per_lane = max(seconds, 1e-9) / lanes
        if self._rival is None:
            self._first_turns += lanes == self._left
            self._first_lanes *= MORE
            if seconds >= LONG * TURN or self._first_turns == FIRST_TURNS:
                self._per_lane = per_lane
            return
        self._turns.append(per_lane)
        count = len(self._turns)
        if count == 2 * PAIRS:
            self._decide()
        else:  # own rival, rival own, own rival, …
            self._next = self._rival if count % 4 in (1, 2) else self.best

    def add_rest(self, seconds: float) -> None:
        """Add the time of what was left of a call."""
        self._spent += seconds

    def _whole(self, lanes: float) -> int:
        """Return a number of lanes that are whole chunks of any width, or whole groups."""
        plan = self.best.layout
        unit = plan.size if plan.grouped else WIDTHS[0]
        return max(1, round(lanes / unit)) * unit

    def _challenge(self, left: int, rival: Callable[[int], C | None]) -> None:
        """Compile the next rival if the work repays it, and if there is one."""
        width = self.best.layout.width
        for other in (width * 2, width // 2):
            if self._rivals < RIVALS and other in WIDTHS and other not in self._tried:
                cost = self.best.seconds * max(1.0, other / width)
                if self._spent + self._per_lane * left < WORTH * cost * (self._rivals + 1):
                    return
                self._tried.add(other)
                self._rival = rival(other)
                if self._rival is not None:
                    self._rivals += 1
                    self._turns, self._next = [], self.best
                    return
        self.settled = True

    def _decide(self) -> None:
        """Take the quicker of two widths."""
        assert self._rival is not None
        turns = self._turns
        own = [turns[at] for at in range(len(turns)) if at % 4 in (0, 3)]
        rival = [turns[at] for at in range(len(turns)) if at % 4 in (1, 2)]
        if statistics.median(a / b for a, b in zip(own, rival, strict=True)) > GAIN:
            self.best = self._rival
            self._per_lane = statistics.median(rival)
        else:
            self._per_lane = statistics.median(own)
        self._rival, self._next = None, self.best
