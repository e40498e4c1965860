"""Random shaders: both engines compute what a program in Python does; text and bytes are kept."""

import pytest

from .generated import Generated
from .generated_run import disagreement, round_trip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_generated(seed: int) -> None:
    made = Generated(seed)
    assert disagreement(made) == ""
    assert round_trip(made) == ""
