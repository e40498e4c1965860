"""The choice of cases in a sampled run; any other run takes all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests import sampling
from tests.sampling import EVERY, RARE, cases_of, fewer, of_each_kind, products, some


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
    assert 0.06 * len(PATHS) < len(found) < 0.15 * len(PATHS)
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
    assert 25 <= len(found) <= 35
    assert {at % period for at in found} == set(range(period))


@pytest.mark.usefixtures("sampled")
def test_a_sample_of_a_product_has_every_value() -> None:
    rows, columns = range(20), "abcdefghijkl"
    found = products(rows, columns)
    assert len(found) == 24
    assert {row for row, _ in found} == set(rows)
    assert {column for _, column in found} == set(columns)
    assert len(products(range(30), "ab")) == 30


@pytest.mark.usefixtures("sampled")
def test_a_tenth_of_batches_is_taken() -> None:
    assert [fewer(count) for count in (0, 1, 10, 11, 40)] == [0, 1, 1, 2, 4]


def cases(module: str, *counts: int) -> list[dict[str, int]]:
    """Return the parameters of the cases of a function that a run takes."""
    names = [f"axis {at}" for at in range(len(counts))]
    every = [dict(zip(names, place, strict=True)) for place in product(*map(range, counts))]
    return [every[at] for at in cases_of(every, module)]


@pytest.mark.usefixtures("sampled")
def test_a_sample_of_many_cases() -> None:
    assert len(cases("tests/test_a.py", 5)) == 5
    assert len(cases("tests/test_a.py", 50)) == 5
    found = cases("tests/test_a.py", 20, 10)
    assert len(found) == 20
    assert len({case["axis 0"] for case in found}) == 20
    assert len({case["axis 1"] for case in found}) == 10
    assert len(cases(f"{EVERY[0]}test_a.py", 100)) == 100


@pytest.mark.usefixtures("whole")
def test_a_whole_run_takes_all_cases() -> None:
    assert len(cases("tests/test_a.py", 100)) == 100
