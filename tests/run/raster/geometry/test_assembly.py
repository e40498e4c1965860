"""Index buffers that restart a topology, against the primitives of Vulkan 1.3, section 21.1."""

import numpy as np
import pytest

from unshade.errors import UsageError
from unshade.run.raster.geometry.assembly import assembled

CUT = {np.uint8: 0xFF, np.uint16: 0xFFFF, np.uint32: 0xFFFF_FFFF}


@pytest.mark.parametrize("width", CUT)
@pytest.mark.parametrize(
    ("topology", "expected"),
    [
        ("line_strip", [[0, 1], [1, 2], [2, 3], [4, 5], [5, 6]]),
        ("triangle_strip", [[0, 1, 2], [1, 3, 2], [4, 5, 6]]),
        ("triangle_fan", [[1, 2, 0], [2, 3, 0], [5, 6, 4]]),
    ],
)
def test_a_restart(width: type[np.unsignedinteger], topology: str, expected: object) -> None:
    indices = np.array([0, 1, 2, 3, CUT[width], 4, 5, 6], width)
    assert assembled(topology, 0, indices, 7).tolist() == expected


def test_restarts_beside_each_other_and_at_the_ends() -> None:
    cut = CUT[np.uint16]
    indices = np.array([cut, 0, 1, 2, cut, cut, 3, cut, 4, 5, 6, cut], np.uint16)
    found = assembled("triangle_strip", 0, indices, 7)
    assert found.tolist() == [[0, 1, 2], [4, 5, 6]]  # one vertex is no triangle


def test_lists_restart_only_if_they_may() -> None:
    indices = np.array([0, 1, CUT[np.uint16], 2, 3, 4], np.uint16)
    assert assembled("triangle_list", 0, indices, 5, restart=True).tolist() == [[2, 3, 4]]
    with pytest.raises(UsageError, match="no such vertex: 65535; there are 5"):
        assembled("triangle_list", 0, indices, 5)


def test_a_base_is_not_added_to_a_restart() -> None:
    indices = np.array([0, 1, 2, CUT[np.uint16], 3, 4, 5], np.uint16)
    found = assembled("triangle_strip", 0, indices, 16, base=10)
    assert found.tolist() == [[10, 11, 12], [13, 14, 15]]
