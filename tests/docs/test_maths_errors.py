"""The table of errors in docs/why/floats.md against new measurements."""

import re
from typing import Any

import pytest

from tools import maths_errors

TABLE = (
    maths_errors.PAGE.read_text(encoding="utf-8")
    .partition("<!-- errors -->")[2]
    .partition("<!--")[0]
)
STATED = {
    (name, used, where): float(re.match(r"[\d.e-]+", found)[0])  # type: ignore[index]
    for name, used, where, found in re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$",
                                               TABLE, re.MULTILINE)
}  # fmt: skip


def test_every_row_is_on_the_page() -> None:
    assert [*STATED] == [(row.name, row.used, maths_errors.over(row)) for row in maths_errors.ROWS]


def test_errors_are_rounded_up() -> None:
    assert maths_errors.spelled(2.181) == "2.19"
    assert maths_errors.spelled(2.38e-4) == "2.4e-04"
    assert maths_errors.spelled(2.41e-4) == "2.5e-04"


@pytest.mark.slow
@pytest.mark.parametrize("row", maths_errors.ROWS, ids=lambda row: f"{row.name}-{row.used}")
def test_errors_are_those_of_the_page(row: Any) -> None:
    """A sample of the numbers has at most the stated error, and not much less."""
    stated = STATED[row.name, row.used, maths_errors.over(row)]
    found = maths_errors.error(row, 1 << 14)
    assert stated / 2 <= found <= stated
