"""A small sample of tests/hostile/test_listings.py that is not in the slow lane."""

from __future__ import annotations

import pytest

from tests.hostile.listings import FORMS, check
from unshade.programs.tpf import Program


def test_every_form_is_parsed() -> None:
    program = Program.assemble(FORMS)
    assert Program.assemble(program.disassemble("exact")).encode() == program.encode()


@pytest.mark.slow
def test_damaged_listings() -> None:
    assert check(1, 30)["refused"] > 15
