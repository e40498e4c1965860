"""Counts of `unshade.cost`, against what the lanes of a run do, for every program that runs.

A block runs as often as its loops turn: at least and at most what is counted for it. Operations by
unit are the sum of blocks times trips; of textures fewer run, since bindings answer queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from tests.run.test_cost import expected, within_bounds
from tests.sampling import RARE, of_each_kind
from unshade.analysis.cost import CostUnit
from unshade.errors import UnshadeError
from unshade.run.cost import measure

pytestmark = pytest.mark.conformance

LANES = 16
SUFFIXES = ("dxbc", "dxil", "spv", "shbin", "skslb", "vbc")


def programs(paths: list[Path]) -> Iterator[tuple[unshade.Shader, int, str]]:
    """Yield the entry points of files that can be opened."""
    for path in paths:
        try:
            shader = unshade.open(path)
        except UnshadeError:
            continue
        for number, program in enumerate(shader.programs):
            for name, _ in program.entry_points:
                yield shader, number, name


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_counts_are_those_of_a_run(corpus: Path, ratchet: Ratchet, suffix: str) -> None:
    """Programs that cannot be run with seeded arguments, or do not end, are left out."""
    fine = total = 0
    paths = sorted(path for path in corpus.rglob(f"*.{suffix}") if path.stat().st_size < 1 << 16)
    chosen = of_each_kind(paths, lambda path: path.relative_to(corpus).parts[:2], RARE)
    for shader, number, name in programs(list(chosen)):
        try:
            found = measure(shader, lanes=LANES, program=number, entry=name)
        except UnshadeError:
            continue
        total += 1
        counted, ran = expected(found), dict(found.units)
        queries = counted.pop(CostUnit.TEXTURE, 0) - ran.pop(CostUnit.TEXTURE, 0)
        fine += +counted == ran and queries >= 0 and within_bounds(found)
    ratchet(f"cost/{suffix}: counts that a run confirms", fine, total)
