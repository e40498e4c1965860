"""All findings in each file that breaks a rule: findings.txt lists them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.findings import lines_of, listed
from tests.formats.vbc.test_verify import BROKEN, broken_at

EXPECTED = listed(Path(__file__).with_name("findings.txt"))


def test_every_file_is_listed() -> None:
    names = [f"{code} {at}" for at, (code, *_) in enumerate(BROKEN)]
    assert set(EXPECTED) == set(names)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings(name: str) -> None:
    _, number = name.split()
    found = broken_at(int(number)).verify()
    assert lines_of(found) == EXPECTED[name]
