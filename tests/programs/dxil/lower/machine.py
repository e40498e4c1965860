"""A group of threads that runs a structured program in Python, statement by statement.

All threads that are in a statement do it together, so that waves and group-shared memory have a
meaning: `run` takes the threads that begin and returns those that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from .exact_operations import cut

Threads = list[int]
Values = dict[int, int]  # the bits of each thread's value
Evaluate = Callable[["Machine", Threads], Values]
Expression = tuple[str, Evaluate]  # the text of a value, and what it is
Step = Callable[["Machine", Threads], Threads]
WORD = 4
__all__ = ["Evaluate", "Expression", "Leave", "Machine", "Step", "Threads", "Values"]


class Leave(Enum):
    """How a thread leaves the body of a loop."""

    BREAK = "break"
    CONTINUE = "continue"


class Machine:
    """The state of a dispatch: variables and arrays of threads, memory of the group, buffers."""

    def __init__(
        self, threads: int, groups: int, wave: int, buffers: Mapping[str, bytes], array: int
    ) -> None:
        self.threads = threads
        self.wave = wave
        self.buffers = {name: bytearray(each) for name, each in buffers.items()}
        self.variables: list[dict[str, int]] = [{} for _ in range(threads * groups)]
        self.arrays = [[0] * array for _ in range(threads * groups)]
        self.shared: dict[str, list[int]] = {}
        self.left: list[dict[Leave, Threads]] = []
        self.exchanged: Values = {}  # what each thread got from its group last

    def begin(self, group: int, shared: Mapping[str, int]) -> Threads:
        """Return the threads of a group; its memory is 0."""
        self.shared = {name: [0] * count for name, count in shared.items()}
        return [*range(group * self.threads, (group + 1) * self.threads)]

    # ------------------------------------------------------------ statements

    def run(self, steps: Iterable[Step], threads: Threads) -> Threads:
        """Run statements; return the threads that do not leave the loop around them."""
        for each in steps:
            if threads:
                threads = each(self, threads)
        return threads

    def leave(self, kind: Leave, threads: Threads) -> Threads:
        self.left[-1][kind] += threads
        return []

    def loop(self, steps: Sequence[Step], threads: Threads, turns: Values) -> Threads:
        """Run a body so many times for each thread, unless it leaves."""
        done: Threads = []
        turn = 0
        while threads:
            self.left.append({kind: [] for kind in Leave})
            rest = self.run(steps, threads)
            left = self.left.pop()
            turn += 1
            following = sorted([*rest, *left[Leave.CONTINUE]])
            threads = [each for each in following if turns[each] > turn]
            done += [*left[Leave.BREAK], *(each for each in following if turns[each] <= turn)]
        return sorted(done)

    # ------------------------------------------------------------ values

    def get(self, name: str, threads: Threads) -> Values:
        return {each: self.variables[each][name] for each in threads}

    def set(self, name: str, values: Values) -> None:
        for each, value in values.items():
            self.variables[each][name] = value

    def read(self, name: str, byte: int, size: int) -> int:
        """Return a number of a buffer; 0 beyond its end."""
        data = self.buffers[name]
        found = data[byte : byte + size]
        return int.from_bytes(found, "little") if len(found) == size else 0

    def words(self, name: str, byte: int, size: int) -> int:
        """Return a number of a raw buffer, whose words are bounds by themselves."""
        if size <= WORD:
            return self.read(name, byte, size)
        return self.read(name, byte, WORD) | self.read(name, byte + WORD, WORD) << 32

    def write(self, name: str, byte: int, size: int, value: int) -> None:
        """Write a number to a buffer, unless it is beyond its end."""
        data = self.buffers[name]
        if byte + size <= len(data):
            data[byte : byte + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")

    # ------------------------------------------------------------ waves

    def waves(self, threads: Threads) -> list[Threads]:
        """Return the threads of each wave, from the lowest lane upward."""
        return self._parts(threads, self.wave)

    def quads(self, threads: Threads) -> list[Threads]:
        return self._parts(threads, 4)

    def _parts(self, threads: Threads, size: int) -> list[Threads]:
        found: dict[tuple[int, int], Threads] = {}
        for each in threads:
            group, local = divmod(each, self.threads)
            found.setdefault((group, local // size), []).append(each)
        return [*found.values()]

    def lane(self, thread: int) -> int:
        return thread % self.threads % self.wave

    def each_wave(self, values: Values, do: Callable[[Threads], Values], kind: str) -> Values:
        """Return what a function of the threads of a wave gives, cut to a type."""
        found: Values = {}
        for part in self.waves([*values]):
            found |= do(part)
        return {at: cut(kind, value) for at, value in found.items()}
