"""Tests store no programs, whether or not `run` is imported when they start."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.corpus import REPOSITORY
from tests.fixtures.storing import NAME, storing

SCRIPT = """
import sys
from tests.fixtures.storing import HOME, stop_storing
{first}
stop_storing()
print("numpy" in sys.modules)
from unshade.run import opening, stored
print(opening.stored_program is stored.stored_program, sys.modules[HOME] is opening)
"""


def test_no_program_is_stored() -> None:
    from unshade.run import opening, stored

    assert getattr(opening, NAME) is not stored.stored_program
    with storing():
        assert getattr(opening, NAME) is stored.stored_program
    assert getattr(opening, NAME) is not stored.stored_program


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import unshade.run.opening"])
def test_before_and_after_the_import(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(first=first)],
        capture_output=True, text=True, check=True, cwd=REPOSITORY, timeout=60,
        env={"PYTHONPATH": f"{REPOSITORY / 'src'}"},
    )  # fmt: skip
    assert done.stdout.split() == [str(bool(first)), "False", "True"]
