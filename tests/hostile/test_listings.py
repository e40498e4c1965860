"""Ten thousand damaged listings, and ten thousand damaged programs through exact text."""

import pytest

from tests.hostile.listings import FORMS, check, listings
from tests.programs.tpf.test_exact import check_damaged
from tests.sampling import fewer
from unshade.programs.tpf import Program

BATCHES = 20
CASES = 500


def test_the_listings_themselves() -> None:
    for text in listings():
        assert Program.assemble(text).encode(), text
    assert len(Program.assemble(FORMS).instructions) > 30


@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_damaged_listings(batch: int) -> None:
    seen = check(20150101 + batch, CASES)
    assert seen.total() == CASES
    assert seen["program"] > CASES // 50, "damage that nothing survives tests only the first line"
    assert seen["refused"] > CASES // 2


@pytest.mark.parametrize("batch", range(fewer(BATCHES)))
def test_damaged_programs(batch: int) -> None:
    assert check_damaged(20150101 + batch, CASES) > CASES // 20
