"""The tessellator: where points are, and that primitives cover the domain just once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sampling import products
from unshade.run.raster.geometry.tessellator import ONE, edge_of, tessellate
from unshade.vm.launch import Array
from unshade.vocab.words import Domain, OutputPrimitive, Partitioning

PARTITIONINGS = (Partitioning.INTEGER, Partitioning.POW2, Partitioning.FRACTIONAL_ODD,
                 Partitioning.FRACTIONAL_EVEN)  # fmt: skip
CW = OutputPrimitive.TRIANGLE_CW
FACTORS = (1.0, 1.5, 2.0, 3.0, 3.25, 4.0, 7.5, 12.0, 63.0, 64.0, 99.0)


def areas(points: Array, primitives: Array) -> Array:
    """Return twice the area of each triangle in U and V; V runs down, so clockwise is positive."""
    a, b, c = (points[primitives[:, at], :2].astype(float) for at in range(3))
    found: Array = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (
        c[:, 0] - a[:, 0]
    )
    return found


@pytest.mark.parametrize(
    ("factor", "odd", "places"),
    [
        (1.0, True, [0, 1]),
        (3.0, True, [0, 0.33332824707, 0.66667175293, 1]),  # 21845 of 65536
        (2.0, False, [0, 0.5, 1]),
        (4.0, False, [0, 0.25, 0.5, 0.75, 1]),
        (3.0, False, [0, 0.375, 0.5, 0.625, 1]),  # half way between 2 and 4 segments
        (2.0, True, [0, 0.16667175293, 0.83332824707, 1]),  # half way between 1 and 3
    ],
)
def test_places_of_an_edge(factor: float, odd: bool, places: list[float]) -> None:
    found = [each / ONE for each in edge_of(int(factor * ONE), odd).places]
    assert found == pytest.approx(places, abs=1e-9)


@pytest.mark.parametrize(
    ("domain", "partitioning", "factors", "points", "primitives"),
    [
        (Domain.TRI, Partitioning.INTEGER, (1, 1, 1, 1), 3, 1),
        (Domain.TRI, Partitioning.INTEGER, (1, 1, 1, 2), 4, 3),
        (Domain.TRI, Partitioning.INTEGER, (3, 3, 3, 3), 12, 13),
        (Domain.TRI, Partitioning.INTEGER, (2, 1, 1, 1), 5, 4),  # 1 inside counts as even
        (Domain.TRI, Partitioning.FRACTIONAL_ODD, (1, 1, 1, 1), 3, 1),
        (Domain.TRI, Partitioning.FRACTIONAL_ODD, (3, 1, 1, 1), 8, 9),  # a ring of no size
        (Domain.QUAD, Partitioning.INTEGER, (1, 1, 1, 1, 1, 1), 4, 2),
        (Domain.QUAD, Partitioning.INTEGER, (2, 2, 2, 2, 2, 2), 9, 8),
        (Domain.QUAD, Partitioning.FRACTIONAL_EVEN, (1, 1, 1, 1, 1, 1), 9, 8),  # 2 at least
        (Domain.ISOLINE, Partitioning.INTEGER, (3, 4), 15, 12),
        (Domain.ISOLINE, Partitioning.INTEGER, (1, 1), 2, 1),
    ],
)
def test_numbers_of_points_and_primitives(
    domain: Domain,
    partitioning: Partitioning,
    factors: tuple[float, ...],
    points: int,
    primitives: int,
) -> None:
    output = OutputPrimitive.LINE if domain is Domain.ISOLINE else CW
    found = tessellate(domain, partitioning, output, factors)
    assert (len(found.points), len(found.primitives)) == (points, primitives)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("domain", "partitioning"), products((Domain.TRI, Domain.QUAD), PARTITIONINGS)
)
def test_triangles_cover_the_domain_once(domain: Domain, partitioning: Partitioning) -> None:
    random = np.random.default_rng(3)
    whole = 1.0 if domain is Domain.TRI else 2.0
    for _ in range(60):
        factors = random.choice(FACTORS, 4 if domain is Domain.TRI else 6)
        pattern = tessellate(domain, partitioning, CW, factors.tolist())
        found = areas(pattern.points, pattern.primitives)
        assert found.sum() == pytest.approx(-whole if found.sum() < 0 else whole, abs=1e-6), factors
        turned = tessellate(domain, partitioning, OutputPrimitive.TRIANGLE_CCW, factors.tolist())
        assert (areas(turned.points, turned.primitives) == -found).all()
        used = np.unique(pattern.primitives)
        assert used.tolist() == list(range(len(pattern.points))), factors
        edges: dict[tuple[int, int], int] = {}
        for a, b, c in pattern.primitives.tolist():
            for pair in ((a, b), (b, c), (c, a)):
                edges[pair] = edges.get(pair, 0) + 1
        assert set(edges.values()) == {1}, factors  # an edge once in each direction at most


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan")])
def test_a_patch_with_such_an_edge_is_left_out(factor: float) -> None:
    found = tessellate(Domain.TRI, Partitioning.INTEGER, CW, (2, factor, 2, 2))
    assert found.points.shape == (0, 3)
    assert found.primitives.shape == (0, 3)


def test_factors_are_clamped() -> None:
    edges = (1, 1, 1)
    odd = tessellate(Domain.TRI, Partitioning.FRACTIONAL_ODD, CW, (*edges, 1000.0))
    assert len(odd.points) == len(
        tessellate(Domain.TRI, Partitioning.FRACTIONAL_ODD, CW, (*edges, 63.0)).points
    )
    nan = tessellate(Domain.TRI, Partitioning.INTEGER, CW, (*edges, float("nan")))
    assert len(nan.points) == 3


def test_points_and_lines() -> None:
    points = tessellate(Domain.QUAD, Partitioning.INTEGER, OutputPrimitive.POINT, (1,) * 6)
    assert points.primitives.tolist() == [[0], [1], [2], [3]]
    lines = tessellate(Domain.ISOLINE, Partitioning.INTEGER, OutputPrimitive.LINE, (2, 2))
    assert lines.points.tolist() == [[0, 0], [0.5, 0], [1, 0], [0, 0.5], [0.5, 0.5], [1, 0.5]]
    assert lines.primitives.tolist() == [[0, 1], [1, 2], [3, 4], [4, 5]]
