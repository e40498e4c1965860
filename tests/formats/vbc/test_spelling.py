"""Masks of stages as words."""

import jsonschema
import pytest

from unshade import FormatError
from unshade.formats.vbc.spelling import STAGES


@pytest.mark.parametrize(
    ("mask", "shown"), [(0, "none"), (1, "vert"), (0x11, "vert|frag"), (0x1F, 31), (0x21, 33)]
)
def test_masks(mask: int, shown: int | str) -> None:
    wanted = "vert|tesc|tese|geom|frag" if mask == 0x1F else shown
    assert STAGES.shown(mask) == wanted
    assert STAGES.number(wanted, "") == mask


@pytest.mark.parametrize("given", ["", "vert|vert", "pixel", "vert|", 1.5, True, None])
def test_other_values_are_refused(given: object) -> None:
    with pytest.raises(FormatError, match="expected none, stages such as"):
        STAGES.number(given, "stages")


@pytest.mark.parametrize(
    "given", ["none", "vert", "vert|frag", 0, 1, 0xFFFF, 0x1_0000, -1, "", "pixel", "vert|", 1.5]
)
def test_the_schema_accepts_what_is_read(given: object) -> None:
    """A mask is an unsigned 16-bit number, 0 included."""
    accepted = jsonschema.Draft202012Validator(STAGES.schema()).is_valid(given)
    try:
        read = STAGES.number(given, "stages") in range(0x1_0000)
    except FormatError:
        read = False
    assert accepted == read
