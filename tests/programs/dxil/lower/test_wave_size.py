"""The lanes of a wave: what a shader requires, prefers and allows, and what the caller asks for.

Source: HLSL specification, proposal 0013 (WaveSize and its range); DXIL.rst, tags 11 and 23.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from unshade import UnsupportedError
from unshade.ir.specialisation import Specialisation
from unshade.programs.dxil.lower.threads import wave_size


def size(stated: list[int], asked: int) -> int:
    entry: Any = SimpleNamespace(properties=SimpleNamespace(wave_size=stated))
    return wave_size(entry, Specialisation(wave_size=asked))


@pytest.mark.parametrize(
    ("stated", "asked", "wanted"),
    [
        ([], 16, 16),
        ([0, 0, 0], 8, 8),
        ([64], 16, 64),
        ([64, 0, 0], 16, 64),
        ([16, 64, 32], 16, 32),
        ([16, 64, 0], 4, 16),
        ([16, 64, 0], 32, 32),
        ([16, 64, 0], 128, 64),
        ([16, 64], 128, 64),
    ],
)
def test_what_a_shader_states_and_a_caller_asks_for(
    stated: list[int], asked: int, wanted: int
) -> None:
    assert size(stated, asked) == wanted


def test_sizes_that_are_no_wave() -> None:
    with pytest.raises(
        UnsupportedError, match="expected waves of a power of two up to 128, got 24"
    ):
        size([24], 32)
