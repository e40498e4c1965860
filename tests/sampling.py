"""Sampled runs, which leave out nine tenths of all repeated cases.

`pytest --sample` is what `.ci/run` does and `.ci/run --all` does not. A test that goes through
files, seeds, mutations or a product of parameters names its series with one of

    of_each_kind(paths, kind)   the first file of each kind, and about a tenth of the others; with
                                RARE, one in 25, where each file is executed or compiled
    some(series)                about a tenth of a long series, anywhere in it; or one in RARE
    fewer(count)                a tenth of a number of seeds, batches or examples
    products(*axes)             a tenth of a product that still has every value of each axis

and takes all of it in any other run. Of a function of the slow lane that has more than MOST cases
pytest takes MOST, or a tenth if that is more, unless EVERY names its module. The choice depends on
nothing but names and positions: two runs take the same, and a file that comes or goes changes
nothing for the others of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from tests.lanes import GOLDEN, sample

EACH = 10  # a sampled run takes one in EACH
RARE = 25  # and one in RARE of files that take a tenth of a second or more
MOST = 5  # cases of a function, or one in EACH if that is more
# Run first: what they build takes half a minute, for which other processes would wait at the end.
FIRST = ("tests/tools/test_site.py", "tests/tools/test_playground.py")
# Taken whole: a page is not of a kind with the others, nor is a module, a verb or a family.
EVERY = (
    "tests/docs/",
    "tests/test_documentation.py",
    "tests/test_core_imports.py",
    "tests/cli/test_every_verb.py",
    "tests/formats/test_naming.py",
    "tests/formats/test_registry.py",
    "tests/programs/test_contract.py",
    "tests/programs/test_furniture.py",
    "tests/report/test_lexers.py",
)
T = TypeVar("T")
_sampled = False


def set_sampled(sampled: bool) -> None:
    """Choose the kind of run, before any test module is imported."""
    global _sampled  # noqa: PLW0603
    _sampled = sampled


def is_sampled() -> bool:
    """Return whether this run takes samples."""
    return _sampled


def cases_of(values: Sequence[Mapping[Any, object]], module: str) -> list[int]:
    """Return the positions of the cases of a function that a run takes.

    Args:
        values: The values of each case's parameters.
        module: The path of the module, from the root of the repository.
    """
    if not _sampled or module.startswith(EVERY):
        return [*range(len(values))]
    return sample(values, max(MOST, fewer(len(values))))


def fewer(count: int) -> int:
    """Return the number of seeds, batches or examples to take of `count`."""
    return -(-count // EACH) if _sampled else count


def some(series: Iterable[T], each: int = EACH) -> Iterator[T]:
    """Iterate over one in `each`, not periodically: a series often repeats every few items."""
    for at, item in enumerate(series):
        if not _sampled or at * GOLDEN % 1 < 1 / each:
            yield item


def products(*axes: Collection[Any]) -> list[tuple[Any, ...]]:
    """Return tuples of one value of each axis, for parametrize."""
    every = list(product(*axes))
    if not _sampled:
        return every
    places = product(*(range(len(axis)) for axis in axes))
    values = [dict(enumerate(place)) for place in places]
    return [every[at] for at in sample(values, max(fewer(len(every)), *map(len, axes)))]


def of_each_kind(
    paths: Iterable[Path], kind: Callable[[Path], Hashable], each: int = EACH
) -> list[Path]:
    """Return those of the paths, in their order, that a run reads: sampled, one in `each`."""
    every = list(paths)
    if not _sampled:
        return every
    first: dict[Hashable, Path] = {}
    for path in sorted(every, key=_number):
        first.setdefault(kind(path), path)
    firsts = set(first.values())
    return [path for path in every if path in firsts or _number(path) % each == 0]


def _number(path: Path) -> int:
    """Return a number that depends on the name of a file, not on where the corpus is."""
    return crc32("/".join(path.parts[-2:]).encode())
