"""All findings in each program that breaks a rule: findings.txt lists them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.findings import lines_of, listed
from tests.programs.tpf.broken_programs import BROKEN
from unshade.programs.tpf.verify import verify

EXPECTED = listed(Path(__file__).with_name("findings.txt"))


def test_every_program_is_listed() -> None:
    names = [f"{code} {at}" for code, makes in BROKEN.items() for at in range(len(makes))]
    assert set(EXPECTED) == set(names)


@pytest.mark.parametrize("name", EXPECTED)
def test_findings(name: str) -> None:
    code, number = name.split()
    found = verify(BROKEN[code][int(number)]())
    assert lines_of(found) == EXPECTED[name]
