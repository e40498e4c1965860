"""Components of a stage's output that an input of the next one takes."""

from __future__ import annotations

import numpy as np
import pytest

from unshade.run.raster.vertices import Vertices, columns, from_near
from unshade.run.signature import KernelSignature, SignatureRow
from unshade.vocab.slots import Direction, PortSlot, Rate
from unshade.vocab.words import SystemValue


def row(
    letters: str, location: int | None = 1, direction: Direction = Direction.OUTPUT
) -> SignatureRow:
    """Return a row with these components of a location; without one, of nothing known."""
    places = [
        PortSlot(direction, Rate.VERTEX, location, component="xyzw".index(each))
        for each in letters
        if location is not None
    ]
    return SignatureRow("A", 0, [None] * len(letters), np.dtype("<f4"), places=places)


@pytest.mark.parametrize(
    ("given", "wanted", "taken"),
    [
        ("xyzw", "xyzw", [0, 1, 2, 3]),
        ("xyzw", "y", [1]),
        ("xyzw", "zw", [2, 3]),
        ("yz", "y", [0]),
        ("yz", "z", [1]),
        ("yz", "xyzw", [-1, 0, 1, -1]),
        ("x", "y", [-1]),
        ("w", "w", [0]),
    ],
)
def test_components_are_joined_in_their_location(given: str, wanted: str, taken: list[int]) -> None:
    assert columns(row(wanted, direction=Direction.INPUT), row(given)) == taken


def test_rows_of_other_locations_are_taken_in_order() -> None:
    assert columns(row("yz", 2), row("xy", 1)) == [0, 1]
    assert columns(row("yz", None), row("xyz", None)) == [0, 1]


def test_a_component_that_no_stage_makes_is_zero() -> None:
    made = row("yz")
    vertices = Vertices(KernelSignature(), {made.key: np.array([[2, 3], [4, 5]], "<f4")}, 2)
    taken = vertices.taken(row("xyzw", direction=Direction.INPUT), made)
    np.testing.assert_array_equal(taken, [[0, 2, 3, 0], [0, 4, 5, 0]])


def test_depths_from_the_near_plane() -> None:
    """The PICA200 clips z from -w to 0; Direct3D and Vulkan from 0 to w, which stay as they are."""
    position = row("xyzw")
    position.meaning = SystemValue.POSITION
    clip = np.array([[1, 2, -4, 4], [1, 2, 0, 4]], "<f4")
    for least, wanted in ((-1, [0, 4]), (0, [-4, 0])):
        vertices = Vertices(KernelSignature({position.key: position}), {position.key: clip}, 2)
        from_near(vertices, least)
        made = vertices.arrays[position.key]
        assert made[:, 2].tolist() == wanted
        np.testing.assert_array_equal(made[:, [0, 1, 3]], clip[:, [0, 1, 3]])
    assert clip[0, 2] == -4  # the vertices of the stage before are kept
