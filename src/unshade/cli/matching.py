"""Pairs of shaders in two files that contain several, such as two builds of a game's pack.

dxbc@0x40     dxbc@0x40       the same bytes, wherever they are
zip@0x0/sky.bin!dxbc@0x40     in the entry of the same name
dxbc@0x9c0    dxbc@0x9e0      both behind the same shader, and of the same stage
dxbc@0x15f0                   only in the first
"""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence

from ..search import Found

__all__ = ["matched"]

Row = tuple[Found | None, Found | None]


def matched(before: Sequence[Found], after: Sequence[Found]) -> list[Row]:
    """Return the pairs in the order of the first file, then what only the second contains."""
    partners = _Partners(before, after)
    partners.add(lambda at: before[at].hash, lambda at: after[at].hash)
    partners.add(lambda at: _entry(before[at]), lambda at: _entry(after[at]))
    old, new = partners.behind()
    partners.add(lambda at: (old[at], *_kind(before[at])), lambda at: (new[at], *_kind(after[at])))
    found: list[Row] = []
    for at, each in enumerate(before):
        partner = partners.of.get(at)
        found.append((each, None if partner is None else after[partner]))
    taken = {*partners.of.values()}
    found += [(None, each) for at, each in enumerate(after) if at not in taken]
    return found


def _kind(found: Found) -> tuple[str, str | None]:
    return found.format, found.stage


def _entry(found: Found) -> Hashable:
    """Return the way to a shader without offsets if it leads through a named entry, else None."""
    if not any(each.entry for each in found.steps):
        return None
    return *((each.name, each.entry) for each in found.steps), *_kind(found)


class _Partners:
    """The index in the second list of shaders of the first that have a partner."""

    def __init__(self, before: Sequence[Found], after: Sequence[Found]) -> None:
        self.before = before
        self.after = after
        self.of: dict[int, int] = {}

    def add(self, old: Callable[[int], Hashable], new: Callable[[int], Hashable]) -> None:
        """Pair those without a partner that have the same key, in order; None is no key."""
        taken = {*self.of.values()}
        waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
        for at in range(len(self.after)):
            if at not in taken:
                waiting[new(at)].append(at)
        waiting.pop(None, None)
        for at in range(len(self.before)):
            if at not in self.of:
                known = waiting.get(old(at))
                if known:
                    self.of[at] = known.popleft()

    def behind(self) -> tuple[list[int], list[int]]:
        """Return the number of the pair that each shader follows, in both lists; -1 for none."""
        number = {after: at for at, after in self.of.items()}
        old = _last(len(self.before), {at: at for at in self.of})
        return old, _last(len(self.after), number)


def _last(length: int, numbers: dict[int, int]) -> list[int]:
    """Return the last number at or before each index."""
    found = []
    last = -1
    for at in range(length):
        last = numbers.get(at, last)
        found.append(last)
    return found
