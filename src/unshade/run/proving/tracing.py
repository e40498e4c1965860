"""The traces of the lane that differs, and of a lane whose arguments are moved by rounding.

    the round that differs      again under the debugger: one trace of each kernel
    the first kernel alone      with its arguments, and with each float moved by one unit in the
                                last place: two traces of one listing

The second pair explains a difference of two listings whose lines do not correspond, such as those
of two languages.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dataclass import dataclass
from ...vm.launch import Array
from ...vocab.words import DISPATCHED
from ..debugging.debugger import Debugger
from ..kernels import Kernel
from ..lanes import Thread
from .calls import Drawn, ProofPair, called

if TYPE_CHECKING:
    from .proof import ProofDifference

WAYS = 8  # of moving arguments that are tried
Results = Mapping[str, Any]


@dataclass(slots=True)
class Traces:
    """Two debuggers with the traces of a thread, and the results of their calls."""

    debuggers: tuple[Debugger, Debugger]
    results: tuple[Results, Results]


def traced(pair: ProofPair, round: int, thread: Thread) -> Traces:
    """Return the traces of a thread in a round, of both kernels."""
    one, two = pair.kernels
    mine, theirs = pair.drawn(round)
    return _traces(pair, thread, (one, mine), (two, theirs))


def moved(
    pair: ProofPair, round: int, thread: Thread, apart: Callable[[Results], float]
) -> Traces:  # fmt: skip
    """Return the traces of the first kernel: with its arguments, and with these moved.

    Of several ways to move them, the one after which the results are furthest `apart`.
    """
    kernel = pair.kernels[0]
    found = []
    for number in range(WAYS):
        given = _moved_arguments(pair, round, number)
        found.append((apart(called(kernel, given, pair.lanes)), number))
    _, number = max(found)
    other = _moved_arguments(pair, round, number)
    return _traces(pair, thread, (kernel, pair.drawn(round)[0]), (kernel, other))


def _moved_arguments(pair: ProofPair, round: int, number: int) -> Drawn:
    chance = np.random.default_rng((pair.seed, round, number))
    rows, bound = pair.drawn(round)[0]
    return _moved(rows, chance), _moved(bound, chance)


def _traces(pair: ProofPair, thread: Thread, *calls: tuple[Kernel, Drawn]) -> Traces:
    debuggers = [kernel.debug(thread, checks=False) for kernel, _ in calls]
    results = [
        called(debugger, given, pair.lanes)
        for debugger, (_, given) in zip(debuggers, calls, strict=True)
    ]
    return Traces((debuggers[0], debuggers[1]), (results[0], results[1]))


def thread_of(pair: ProofPair, found: "ProofDifference") -> Thread | None:
    """Return the thread of a difference: of its lane, or the one that wrote the element last."""
    return _writer(pair, found) if pair.kernels[0].stage in DISPATCHED else (found.lane,)


def _writer(pair: ProofPair, found: "ProofDifference") -> Thread | None:
    """Return the first kernel's thread that last wrote the differing element, or None."""
    kernel = pair.kernels[0]
    binding = next((each for each in kernel.bindings if found.name in each.names), None)
    if binding is None:
        return None
    debugger = Debugger(kernel, checks=False, writers=True)
    result = np.asarray(called(debugger, pair.drawn(found.round)[0], pair.lanes)[found.name])
    if debugger.writers is None or debugger.lanes is None:
        return None
    lanes = debugger.writers.lanes.get(binding.resource.key)
    if lanes is None:
        return None
    one, two = (_bytes(each) for each in (found.first, found.second))
    places = np.flatnonzero(one[: len(two)] != two[: len(one)])
    offset = found.lane * len(one) + (int(places[0]) if len(places) else 0)
    lane = int(lanes[offset * len(lanes) // result.nbytes])
    return None if lane < 0 else debugger.lanes.thread(lane)


def _bytes(given: Any) -> Array:
    return np.ascontiguousarray(given).reshape(-1).view(np.uint8)


def _moved(given: Any, chance: np.random.Generator) -> Any:
    """Return arguments whose floats are moved by one unit in the last place, up or down."""
    if isinstance(given, dict):
        return {name: _moved(each, chance) for name, each in given.items()}
    if isinstance(given, list):
        return [_moved(each, chance) for each in given]
    if isinstance(given, float):
        return float(_moved(np.float32(given).reshape(1), chance)[0])
    if not isinstance(given, np.ndarray):
        return given
    if given.dtype.names is not None:
        made = given.copy()
        for name in given.dtype.names:
            made[name] = _moved(given[name], chance)
        return made
    if given.dtype.kind != "f":
        return given.copy()
    toward = np.where(chance.random(given.shape) < 0.5, -np.inf, np.inf).astype(given.dtype)
    with np.errstate(all="ignore"):
        return np.where(np.isfinite(given) & (given != 0), np.nextafter(given, toward), given)
