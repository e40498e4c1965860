"""R9G9B9E5: the exponent of the greatest component, and rounding."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.run.binding.pixel_formats import pixel_format
from unshade.run.binding.shared_exponent import of_words, to_words
from unshade.run.raster.target_formats import named_format


@pytest.mark.parametrize(
    ("colour", "word"),
    [
        ([0, 0, 0], 0),
        ([1, 0, 0], 16 << 27 | 256),
        ([511.5 / 512, 0, 0], 16 << 27 | 256),  # rounds to 512 / 512: the next exponent
        ([511.25 / 512, 0, 0], 15 << 27 | 511),
        ([1, 1 / 512, 0], 16 << 27 | 1 << 9 | 256),  # half a step, upward
        ([1, 0.99 / 512, 0], 16 << 27 | 256),
        ([2.0**-24, 0, 0], 1),  # the least, with exponent 0
        ([2.0**-25, 0, 0], 1),
        ([2.0**-26, 0, 0], 0),
        ([65408, 65408, 65408], 0xFFFF_FFFF),
        ([np.inf, -np.inf, np.nan], 31 << 27 | 511),
    ],
)
def test_words_of_colours(colour: list[float], word: int) -> None:
    assert to_words(np.array([colour])).tolist() == [word]


def test_every_word_of_its_own_colour_comes_back() -> None:
    """Those whose greatest significand has its highest bit, or that have exponent 0."""
    source = np.random.default_rng(5)
    words = source.integers(0, 1 << 32, 4000, dtype=np.uint32)
    words |= np.where(words >> 27 == 0, 0, 1 << (9 * source.integers(0, 3, 4000) + 8)).astype("<u4")
    assert np.array_equal(to_words(of_words(words)), words)


def test_channels_that_are_not_written_keep_their_numbers() -> None:
    """But with the common exponent of all three."""
    whole = pixel_format("R9G9B9E5_SHAREDEXP")
    before = whole.encode(np.array([[1, 0.25, 0, 1]], np.float32))
    form = named_format("R9G9B9E5_SHAREDEXP")
    made = form.encode(np.array([[9, 9, 4, 9]], np.float32), before.view("<u4"), (2,))
    assert whole.decode(made.view(np.uint8).reshape(1, 4)).tolist() == [[1, 0.25, 4, 1]]
