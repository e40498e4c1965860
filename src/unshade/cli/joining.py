"""Grouping of texts that make one shader together.

    a.v.text b.g.text -o FILE        named texts of a format that joins them
    STEM.0.v.text STEM.1.g.text      found in one folder, as `dis -o FOLDER` writes them: STEM
    STEM.v.text                      the only text of its stem in a folder: STEM

The format declares the suffixes of such texts.
"""

import os
import re
from collections.abc import Sequence

from ..formats import known
from .inputs import Input


class Joined(Input):
    """Several texts of one shader, named by their common stem."""

    __slots__ = ("_stem", "texts")

    def __init__(self, texts: Sequence[Input], stem: str = "") -> None:
        first = texts[0]
        super().__init__(first.path, first.inside, first.found)
        self.texts = list(texts)
        self._stem = stem or first.stem

    @property
    def name(self) -> str:
        return ", ".join(each.name for each in self.texts)

    @property
    def paths(self) -> list[str]:
        return [each.path for each in self.texts]

    @property
    def stem(self) -> str:
        return self._stem


def pieces(item: Input) -> list[Input]:
    """Return the texts of an input."""
    return item.texts if isinstance(item, Joined) else [item]


def gather(inputs: Sequence[Input]) -> list[Input]:
    """Group inputs found in folders that belong to one shader."""
    ends = "|".join(each.piece for each in known() if each.piece) or "(?!)"
    piece = re.compile(rf"(.+?)(?:\.(\d+))?(?:{ends})", re.ASCII | re.DOTALL)
    groups: dict[tuple[str, str], list[tuple[int, Input]]] = {}
    made: dict[object, Input] = {}
    for item in inputs:
        found = piece.fullmatch(item.inside) if item.found and item.regular else None
        if found is None:
            made[item] = item
            continue
        folder = item.path.removesuffix(item.inside)
        number = -1 if found[2] is None else int(found[2][:9])
        group = groups.setdefault((folder, found[1]), [])
        group.append((number, item))
        made[(folder, found[1])] = item  # keeps the place of the first
    result: list[Input] = []
    for key, item in made.items():
        if not isinstance(key, tuple):
            result.append(item)
            continue
        stem = os.path.normpath(key[1])
        group = sorted(groups[key], key=lambda each: each[0])
        numbered = [each for number, each in group if number >= 0]
        rest = [each for number, each in group if number < 0]
        if numbered:
            result.append(Joined(numbered, stem))
        if rest:
            result += [Joined(rest, stem)] if len(rest) == 1 and not numbered else rest
    return result
