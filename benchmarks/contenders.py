"""One kernel on lavapipe and on the engines: the same numbers, turns within a round, CPU times.

    files = {"spv": bytes, "dxbc": bytes}
    case = Case("saxpy 2^24", files, {0: x, 1: y}, push, (1 << 18, 1, 1), out=1, near=1e-6)
    each = Contenders(case, {"22.3.6": peer}, ("jit", "lockstep"))
    each.agree()                      "" if all results are equal, or near enough
    each.times(9)                     {"22.3.6": [seconds, ...], "jit": [...], ...}
    each.compile(3)                   {"22.3.6": [...], "cold": [...], "optimised": [...], …}
    ratio(times, "jit", names)        Ratio: how many times as fast as the quickest of these

A peer is a DeviceProcess. The quicker of several is the one with the lower median.

To compile is, for lavapipe, to create the pipeline and to run it on one group, its disk cache off;
for the jit, to load a file from its bytes, to lower, prepare and compile it and to run it on one
group: without object cache, by quick code (cold), which is what a user gets, or by code that is
optimised at once (optimised); then with what the first left in the object cache (cached). Times of
calls are those of optimised code; with `tune`, of the width that timing settles, after so many
calls as that takes.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from device_process import DeviceProcess, Groups

import unshade
from unshade.ir.lowered import Lowered
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.prepare import prepare
from unshade.vocab.slots import ResourceClass, ResourceSlot

Array = npt.NDArray[Any]
Times = dict[str, list[float]]
CONSTANTS = (ResourceClass.CONSTANTS, ResourceClass.PUSH)
ONE_GROUP = (1, 1, 1)
TURN = 0.01  # seconds
LONGEST = 20.0  # seconds in which a width is settled
SLOW = 1.0  # seconds: an engine that takes longer has three rounds


@dataclass(slots=True)
class Case:
    """One kernel at one size: arrays by binding, which of them comes out, how near it has to be.

    `files` are its encodings: lavapipe runs "spv", the engines `form`. `near` is the relative
    difference, or for whole numbers how many may differ, of a thousand.
    """

    name: str
    files: dict[str, bytes]
    arrays: dict[int, Array]
    push: bytes
    groups: Groups
    out: int
    near: float
    form: str = "dxbc"

    def __post_init__(self) -> None:
        self.push += bytes(-len(self.push) % 16)


class Contenders:
    """One case everywhere; `engines` are some of jit, fast and lockstep."""

    def __init__(
        self,
        case: Case,
        peers: Mapping[str, DeviceProcess],
        engines: Iterable[str],
        tune: bool = False,
    ) -> None:
        self.case = case
        self.peers = dict(peers)
        self.lowered = lowered(case.files[case.form])
        self.kernel = prepare(self.lowered, {}, {})
        every: dict[str, Callable[[], Any]] = {
            "jit": partial(Jit, threads=1, quick=False, tune=tune),
            "fast": partial(Jit, threads=1, fast=True, tune=tune),
            "lockstep": Lockstep,
        }
        self.engines = {name: every[name]() for name in engines}
        self.memories = {name: memories(case, self.lowered) for name in self.engines}
        for peer in self.peers.values():
            data = {at: array.tobytes() for at, array in case.arrays.items()}
            peer.load(case.files["spv"], data, case.push)

    def settle(self) -> dict[str, int]:
        """Call engines until the widths of chunks are settled; return the widths."""
        found = {}
        for name, engine in self.engines.items():
            if isinstance(engine, Jit):
                end = time.process_time() + LONGEST
                self.run(name)
                code = engine.compile(self.kernel, *self._states)
                while engine.tune and code.order.chunked and not code.settled:
                    if time.process_time() > end:
                        break
                    self.run(name)
                    code = engine.compile(self.kernel, *self._states)
                found[name] = code.layout.width
        return found

    @property
    def _states(self) -> tuple[bool, bool]:
        """Whether groups are along one axis, and memories small: as `Jit.compile` takes them."""
        return self.case.groups[1:] == (1, 1), True

    def run(self, name: str) -> None:
        """Call an engine once."""
        self.engines[name].run(self.kernel, Launch(self.memories[name], self.case.groups))

    def agree(self) -> str:
        """Compare the results of the first call of each; empty if they are as expected."""
        for name in self.engines:
            self.run(name)
        for peer in self.peers.values():
            peer.seconds(self.case.groups)
        out = output(self.case, self.lowered)
        results = {name: bound[out] for name, bound in self.memories.items()}
        if {"jit", "lockstep"} <= results.keys() and not np.array_equal(
            results["jit"], results["lockstep"]
        ):
            return "jit and lockstep differ"
        near, kind = self.case.near, self.case.arrays[self.case.out].dtype
        mine = results[next(iter(results))].view(kind)
        for name, peer in self.peers.items():
            theirs = np.frombuffer(peer.read(self.case.out), kind)
            if kind == np.dtype("f4"):
                far = float(np.max(np.abs(mine - theirs) / np.maximum(np.abs(theirs), 1e-6)))
                if not far <= near:
                    return f"{far:.2g} of the number away from lavapipe {name}"
            else:
                wrong = int(np.count_nonzero(mine != theirs)) * 1000 / len(mine)
                if wrong > near:
                    return f"{wrong:.1f} of a thousand differ from lavapipe {name}"
        return ""

    def times(self, rounds: int) -> Times:
        """Return the seconds of calls, all taking turns; slow engines have fewer of them.

        A turn consists of so many calls that it takes about `TURN` seconds, of each the mean.
        """
        groups = self.case.groups
        calls: dict[str, Callable[[], float]] = {
            name: partial(peer.seconds, groups) for name, peer in self.peers.items()
        }
        calls |= {name: partial(spent, partial(self.run, name)) for name in self.engines}
        counts = {name: max(1, round(TURN / call())) for name, call in calls.items()}
        found: Times = {name: [] for name in calls}
        for number in range(rounds):
            for name, call in calls.items():
                if number < 3 or found[name][0] < SLOW:
                    found[name].append(sum(call() for _ in range(counts[name])) / counts[name])
        return found

    def compile(self, rounds: int) -> Times:
        """Return the seconds until one group has run."""
        found: Times = {name: [] for name in (*self.peers, "cold", "cached", "optimised")}
        for _ in range(rounds):
            for name, peer in self.peers.items():
                found[name].append(peer.creation(ONE_GROUP))
            with tempfile.TemporaryDirectory() as folder:
                os.environ["UNSHADE_CACHE"] = folder
                for name in ("cold", "cached", "optimised"):
                    quick = False if name == "optimised" else None
                    found[name].append(spent(partial(self._anew, quick)))
        return found

    def _anew(self, quick: bool | None) -> None:
        kernel = prepare(lowered(self.case.files[self.case.form]), {}, {})
        Jit(threads=1, quick=quick).run(
            kernel, Launch(next(iter(self.memories.values())), ONE_GROUP)
        )


@dataclass(slots=True)
class Ratio:
    """How many times as fast: of the medians, and the quartiles of the rounds."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}..{self.high:.2f})"


def ratio(times: Times, name: str, others: Sequence[str]) -> Ratio:
    """Return how many times as fast one contender is as the quickest of the others."""
    mine = times[name]
    peer = min(others, key=lambda each: statistics.median(times[each]))
    rounds = sorted(b / a for a, b in zip(mine, times[peer], strict=False))
    low, high = (float(each) for each in np.quantile(rounds, (0.25, 0.75)))
    return Ratio(statistics.median(times[peer]) / statistics.median(mine), low, high)


def geometric_mean(numbers: Sequence[float]) -> float:
    """Return the geometric mean."""
    return prod(numbers) ** (1 / len(numbers))


def lowered(file: bytes) -> Lowered:
    """Return a file's only program, lowered."""
    program: Any = unshade.loads(file).programs[0]
    found: Lowered = program.lower()
    return found


def memories(case: Case, program: Lowered) -> dict[Any, Array]:
    """Return copies of a case's arrays, by the slots of a program."""
    found = {}
    for resource in program.resources:
        slot = resource.slot
        if not isinstance(slot, ResourceSlot):
            continue
        if slot.kind in CONSTANTS:
            found[slot] = np.frombuffer(case.push, np.uint8).copy()
        else:
            found[slot] = case.arrays[slot.number].copy().view(np.uint8)
    return found


def output(case: Case, program: Lowered) -> ResourceSlot:
    """Return the slot that holds a case's results."""
    for resource in program.resources:
        slot = resource.slot
        if (
            isinstance(slot, ResourceSlot)
            and slot.kind not in CONSTANTS
            and slot.number == case.out
        ):
            return slot
    raise LookupError(f"{case.name} has no binding {case.out}")


def spent(call: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start
