"""Names and sizes of places in memories, as traces show them."""

import pytest

from unshade.ir.memory import Memory, Space
from unshade.vm.lockstep.debug.watching import NOWHERE, PlaceNames, place_name

CONSTANTS = Memory("cb0", Space.CONSTANT, 16)
STRUCTURES = Memory("t0", Space.BUFFER, 20)
RAW = Memory("u1", Space.BUFFER, 4, raw=True)
VERTICES = Memory("v", Space.BUFFER, 32, each=3)


@pytest.mark.parametrize(
    ("memory", "element", "byte", "steps"),
    [
        (CONSTANTS, 0, 0, ("cb0", "[0]", ".x")),
        (CONSTANTS, 3, 12, ("cb0", "[3]", ".w")),
        (CONSTANTS, 3, 2, ("cb0", "[3]", "+2")),
        (CONSTANTS, 3, 16, ("cb0", "[3]", "+16")),
        (CONSTANTS, (1 << 32) - 2, 4, ("cb0", "[-2]", ".y")),
        (CONSTANTS, (1 << 31) - 1, 4, ("cb0", "[2147483647]", ".y")),
        (STRUCTURES, 12, 0, ("t0", "[12]")),
        (STRUCTURES, 12, 8, ("t0", "[12]", "+8")),
        (RAW, 5, 2, ("u1", "[22]")),
        (VERTICES, 7, 0, ("v", "[1]", "[0]", ".x")),
        (VERTICES, 8, 28, ("v", "[2]", "[1]", ".w")),
        (VERTICES, 3, 15, ("v", "[0]", "[0]", ".w")),
        (VERTICES, 3, 16, ("v", "[0]", "[1]", ".x")),
        (VERTICES, NOWHERE, 4, ("v", "[…]", "[0]", ".y")),
    ],
)
def test_places(memory: Memory, element: int, byte: int, steps: tuple[str, ...]) -> None:
    assert place_name(memory, element, byte).steps == steps
    assert PlaceNames().name(memory, element, byte) == "".join(steps)
    assert PlaceNames().label(memory, element, byte) == ("", "")


def test_sizes() -> None:
    names = PlaceNames()
    assert names.size(RAW, 300) == "1,200 bytes"
    assert [names.size(STRUCTURES, count) for count in (0, 1, 2000)] == [
        "0 elements", "1 element", "2,000 elements",
    ]  # fmt: skip
    assert names.memory(RAW) == "u1"
