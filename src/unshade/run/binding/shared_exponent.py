"""Colours with a common exponent: R9G9B9E5, three significands of 9 bits below an exponent of 5.

    value = significand * 2 ** (exponent - 15 - 9)

The greatest component decides the exponent; the significands are rounded to the nearest, halves
upward. Negative numbers and NaN become 0, numbers beyond 65408 become that.

Sources: Direct3D 11.3 functional specification, section 3.1.5; Vulkan specification, RGB to Shared
Exponent Conversion.
"""

import numpy as np

from ...vm.launch import Array

BIAS, DIGITS, EXPONENTS = 15, 9, 31
GREATEST = float((1 << DIGITS) - 1) * 2.0 ** (EXPONENTS - BIAS - DIGITS)
SHIFTS = (0, DIGITS, 2 * DIGITS)
OF_EXPONENT = 3 * DIGITS  # the lowest bit of it


def of_words(words: Array) -> Array:
    """Return the colours (n, 3) of words (n,)."""
    whole = words.astype(np.int64)
    scale = np.ldexp(1.0, (whole >> OF_EXPONENT) - BIAS - DIGITS)
    parts = np.stack([whole >> shift & ((1 << DIGITS) - 1) for shift in SHIFTS], axis=-1)
    made: Array = (parts * scale[:, np.newaxis]).astype(np.float32)
    return made


def to_words(colours: Array) -> Array:
    """Return the words (n,) of colours (n, 3)."""
    clean = np.where(np.isnan(colours), 0.0, colours.astype(np.float64))
    clean = np.clip(clean, 0.0, GREATEST)
    greatest = clean.max(axis=1)
    _, exponent = np.frexp(greatest)  # greatest = m * 2 ** exponent, 1/2 <= m < 1
    exponent = np.where(greatest > 0, np.maximum(exponent + BIAS, 0), 0)
    rounded = np.floor(np.ldexp(greatest, BIAS + DIGITS - exponent) + 0.5)
    exponent = exponent + (rounded == 1 << DIGITS)
    steps = np.ldexp(clean, (BIAS + DIGITS - exponent)[:, np.newaxis])
    parts = np.floor(steps + 0.5).astype(np.int64)
    made: Array = exponent.astype(np.int64) << OF_EXPONENT
    for channel, shift in enumerate(SHIFTS):
        made |= parts[:, channel] << shift
    words: Array = made.astype("<u4")
    return words
