"""All findings in each file that breaks a rule: findings.txt lists them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.findings import lines_of, listed
from tests.formats.shbin.test_verify import BROKEN

EXPECTED = listed(Path(__file__).with_name("findings.txt"))


def test_every_file_is_listed() -> None:
    names = [f"{code} 0" for code in BROKEN]
    assert set(EXPECTED) == set(names)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings(name: str) -> None:
    code, _ = name.split()
    found = BROKEN[code]().verify()
    assert lines_of(found) == EXPECTED[name]
