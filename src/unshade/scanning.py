"""Search for many magics at once, at the speed of memory.

    MagicScanner(data, Magics([(b"DXBC", a), (b"DVLB", b)])).next(0)      (15, [a])

`bytes.find` is needed once for each magic, and an alternation of magics compares byte by byte. A
pattern that begins with one letter and goes on with a group is as fast as a search for the letter,
whatever follows: so the magics are grouped by letters that they share. A V is in DVLB, DVOJ, DVOB
and VBC, and one pass with `V(?:BC|LB(?<=DVLB)|OB(?<=DVOB)|OJ(?<=DVOJ))` finds all.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Generic, TypeVar

from .tuples import NamedTuple

What = TypeVar("What")

# Letters that files are full of: numbers of few bits, minus one, spaces and letters of words.
COMMON = frozenset([*range(17), 0xFF, 0x20, *b"aeinorst"])
COMMON_COST = 2.0  # passes over data, in units of a pass with a rare letter


class _Pass(NamedTuple):
    """One pass over the data: a pattern, and for each magic that it finds the letter's place.

    Magics with the letter further behind come first. Behind `reach` bytes from the start of a magic
    no other begins before it.
    """

    pattern: re.Pattern[bytes]
    magics: tuple[tuple[bytes, int], ...]
    reach: int


@lru_cache(maxsize=16)
def passes(magics: tuple[bytes, ...]) -> tuple[_Pass, ...]:
    """Return passes that together find all magics, each of at least two bytes."""
    left, found = set(magics), []
    while left:
        shared: dict[int, dict[bytes, int]] = {}
        for magic in sorted(left):
            for at, letter in enumerate(magic):
                shared.setdefault(letter, {}).setdefault(magic, at)
        letter, group = max(
            shared.items(),
            key=lambda each: (
                len(each[1]) / (COMMON_COST if each[0] in COMMON else 1.0),
                sum(at < len(magic) - 1 for magic, at in each[1].items()),  # ends fail later
                each[0],
            ),
        )
        rests = sorted(_around(magic, at) for magic, at in group.items())
        words = re.escape(bytes([letter])) + b"(?:" + b"|".join(rests) + b")"
        ordered = sorted(group.items(), key=lambda each: -each[1])
        reach = ordered[0][1] + max(map(len, group))
        found.append(_Pass(re.compile(words, re.DOTALL), tuple(ordered), reach))
        left -= group.keys()
    return tuple(found)


def _around(magic: bytes, at: int) -> bytes:
    """Return the pattern of a magic behind one of its letters, which also looks at those before."""
    # Behind the rest, since most alternatives fail at its first letter.
    whole = b"(?<=" + re.escape(magic) + b")" if at else b""
    return re.escape(magic[at + 1 :]) + whole


class Magics(Generic[What]):
    """Magics to search for, with their meanings; made once for many pieces of data.

    Args:
        wanted: A magic and its meaning, for each; several may have the same magic.
    """

    def __init__(self, wanted: Iterable[tuple[bytes, What]]) -> None:
        self.meanings: dict[bytes, list[What]] = {}
        for magic, what in wanted:
            self.meanings.setdefault(magic, []).append(what)
        self.all = tuple(self.meanings)
        self.passes = passes(self.all)
        # Of several magics that begin at one place, the least is meant, as in a search.
        self.at = re.compile(b"|".join(map(re.escape, sorted(self.all)))).match


class MagicScanner(Generic[What]):
    """The places of magics in data, in order.

    Args:
        data: Bytes, or a map of a file.
        magics: The magics, and their meanings.
    """

    def __init__(self, data: Any, magics: Magics[What]) -> None:
        self.data = data
        self._magics = magics
        self._next: list[tuple[int, bytes]] | None = None

    def next(self, start: int) -> tuple[int, list[What]] | None:
        """Return the first place at or after `start`, and the meanings of the magic there.

        `start` must not decrease from call to call.
        """
        if start >= len(self.data):
            return None
        magics = self._magics
        if self._next is None:  # a small file often is one shader, so that nothing is left
            if magics.all and (here := magics.at(self.data, start)) is not None:
                return start, magics.meanings[here.group()]
            self._next = [self._search(each, start) for each in magics.passes]
        for number, (place, _) in enumerate(self._next):
            if place < start:
                self._next[number] = self._search(magics.passes[number], start)
        if not self._next:
            return None
        place, magic = min(self._next)
        return None if place >= len(self.data) else (place, magics.meanings[magic])

    def _search(self, scan: _Pass, start: int) -> tuple[int, bytes]:
        """Return the first place of a magic of a pass; the end of the data if there is none."""
        data, at, end = self.data, start, len(self.data)
        place, magic = end, b""
        while (found := scan.pattern.search(data, at, end)) is not None:
            at = found.start()
            for each, back in scan.magics:
                first = at - back
                if start <= first < place and data[first : first + len(each)] == each:
                    place, magic = first, each
                    end = min(end, place + scan.reach)
                    break
            at += 1
        return place, magic
