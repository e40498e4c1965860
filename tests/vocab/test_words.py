"""Words of the neutral vocabulary."""

import pytest

from unshade.vocab.words import Stage, a_shader


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        (Stage.PIXEL, "a pixel shader"),
        (Stage.AMPLIFICATION, "an amplification shader"),
        (Stage.LIBRARY, "a function"),
    ],
)
def test_shaders_of_a_stage(stage: Stage, words: str) -> None:
    assert a_shader(stage) == words
