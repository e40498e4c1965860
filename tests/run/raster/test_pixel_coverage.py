"""Triangles are looked at in chunks of many quads."""

import numpy as np
import pytest

from unshade.run.raster import pixel_coverage
from unshade.run.raster.pixel_coverage import Chunks


def chunks(counts: list[int], *, paired: bool = False) -> list[tuple[int, int, int]]:
    across = np.array([(count, 1) for count in counts], np.int64)
    return [*Chunks(np.zeros_like(across), across, np.array(counts, np.int64), paired=paired)]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([], []),
        ([4, 6], [(0, 2, 10)]),  # as many quads as a chunk has
        ([4, 7], [(0, 1, 4), (1, 2, 7)]),
        ([25, 1, 0, 9, 1], [(0, 1, 25), (1, 4, 10), (4, 5, 1)]),  # one triangle may be larger
        ([0, 0], [(0, 2, 0)]),
    ],
)
def test_a_chunk_has_as_many_triangles_as_fit(
    monkeypatch: pytest.MonkeyPatch, counts: list[int], expected: list[tuple[int, int, int]]
) -> None:
    monkeypatch.setattr(pixel_coverage, "CHUNK", 10)
    assert chunks(counts) == expected


def test_a_pair_of_triangles_stays_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pixel_coverage, "CHUNK", 10)
    assert chunks([4, 4, 4, 4, 9, 9], paired=True) == [(0, 2, 8), (2, 4, 8), (4, 6, 18)]
    assert chunks([4, 4, 2, 4], paired=True) == [(0, 4, 14)]
