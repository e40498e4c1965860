"""The choice of cases in a sampled run; any other run takes all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests import sampling
from tests.sampling import RARE, fewer, of_each_kind, products, some


@pytest.fixture
def sampled() -> Iterator[None]:
    before = sampling.is_sampled()
    sampling.set_sampled(True)
    yield
    sampling.set_sampled(before)


@pytest.fixture
def whole() -> Iterator[None]:
    before = sampling.is_sampled()
    sampling.set_sampled(False)
    yield
    sampling.set_sampled(before)


PATHS = [Path(f"/corpus/{'ab'[at % 2]}/{at}.bin") for at in range(400)]


def kind(path: Path) -> tuple[str, bool]:
    """Return one of four kinds, two of which have a single file."""
    return path.parent.name, path.stem in ("7", "8")


@pytest.mark.usefixtures("whole")
def test_a_whole_run_takes_everything() -> None:
    assert list(some(range(100))) == list(range(100))
    assert fewer(20) == 20
    assert products("ab", (1, 2)) == list(product("ab", (1, 2)))
    assert of_each_kind(PATHS, kind) == PATHS


@pytest.mark.usefixtures("sampled")
def test_a_sample_of_files_has_every_kind() -> None:
    found = of_each_kind(PATHS, kind)
    assert {kind(path) for path in found} == {kind(path) for path in PATHS}
    assert 0.15 * len(PATHS) < len(found) < 0.25 * len(PATHS)
    assert found == [path for path in PATHS if path in found]


@pytest.mark.usefixtures("sampled")
def test_a_sample_may_be_smaller() -> None:
    found = of_each_kind(PATHS, kind, RARE)
    assert {kind(path) for path in found} == {kind(path) for path in PATHS}
    assert 0.02 * len(PATHS) < len(found) < 0.08 * len(PATHS)


@pytest.mark.usefixtures("sampled")
def test_a_sample_of_files_is_stable() -> None:
    found = of_each_kind(PATHS, kind)
    assert set(found) <= {*of_each_kind([*PATHS, Path("/corpus/c/new.bin")], kind)}
    moved = [Path("/elsewhere") / path.relative_to("/corpus") for path in PATHS]
    assert [path.name for path in of_each_kind(moved, kind)] == [path.name for path in found]


@pytest.mark.usefixtures("sampled")
@pytest.mark.parametrize("period", [2, 3, 4, 5, 8])
def test_a_sample_of_a_series_is_not_periodic(period: int) -> None:
    found = list(some(range(300)))
    assert 55 <= len(found) <= 65
    assert {at % period for at in found} == set(range(period))


@pytest.mark.usefixtures("sampled")
def test_a_sample_of_a_product_has_every_value() -> None:
    rows, columns = range(40), "abcdefg"
    found = products(rows, columns)
    assert len(found) == 56
    assert {row for row, _ in found} == set(rows)
    assert {column for _, column in found} == set(columns)
    assert len(products(range(30), "ab")) == 30


@pytest.mark.usefixtures("sampled")
def test_a_fifth_of_batches_is_taken() -> None:
    assert [fewer(count) for count in (0, 1, 5, 6, 20)] == [0, 1, 1, 2, 4]
