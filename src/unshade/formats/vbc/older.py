"""Recognition of older layouts, all of which state version 1: they are refused by name.

    d6c226a             no type; u8 counts; uniform: u32 size, u32 n, members: u32 offset, u32 name
                        size, name
    adb6b69 … 11afc76   u32 counts; uniform: u32 size, u16 stages, u32 n, members as before
    449c2f6, e480f91    members: u32 offset, u8 × 4 type, u32 name size, name
    a77136f             the same; a uniform of size 0 ends after it
    0209e93 … 553a92c   today's records without the sizes of modules

A file has a layout if it ends where that layout does. The last one has no sizes, so that it may
only end after the reflection, or go on with the magic number of SPIR-V.

Source: the history of VSL's compiler from d6c226a to c110b1b; no file is known.
"""

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["OlderLayout", "layout_of"]

STAGES = 5
SPIRV = b"\x03\x02\x23\x07"
OBJECTS = 4, 48, 40  # bytes of a subpass input: the documented record, or an object


class OlderLayout(NamedTuple):
    """A layout before that of c110b1b; `type` is the size of a member's type."""

    commits: str
    date: str
    counts: int = 4  # bytes of a count
    typed: bool = True  # a type follows the version
    sizes: bool = True  # the header has the sizes of modules
    masks: int = 2  # bytes of the uniform block's stages
    type: int = 4
    always: bool = False  # a uniform of size 0 has members, too


LAYOUTS = (
    OlderLayout("a77136f", "2021-01-13"),
    OlderLayout("449c2f6 to e480f91", "2021-01-09", always=True),
    OlderLayout("adb6b69 to 11afc76", "2021-01-04", type=0, always=True),
    OlderLayout("d6c226a", "2021-01-03", counts=1, typed=False, masks=0, type=0, always=True),
    OlderLayout("0209e93 to 553a92c", "2021-01-23", sizes=False),
)


class Cut(Exception):
    """Raised where the data end; never leaves this module."""


class Cursor:
    """A place in the data."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def skip(self, size: int) -> None:
        """Move on by `size` bytes."""
        self.at += size
        if self.at > len(self.data):
            raise Cut

    def number(self, size: int) -> int:
        """Return the number of `size` bytes here, and move past it."""
        start = self.at
        self.skip(size)
        return int.from_bytes(self.data[start : self.at], "little")


def layout_of(data: bytes) -> OlderLayout | None:
    """Return the older layout that a file has; None if it has none."""
    if data[:4] != b"VBC\x01":
        return None
    for layout in LAYOUTS:
        try:
            if any(_fits(data, layout)):
                return layout
        except Cut:
            continue
    return None


def _fits(data: bytes, layout: OlderLayout) -> Iterator[bool]:
    """Yield for each possible size of subpass inputs whether the file ends where it should."""
    cursor = Cursor(data)
    cursor.skip(4)
    if layout.typed and cursor.number(1) != 1:
        return
    code = 4 * sum(cursor.number(2) for _ in range(STAGES)) if layout.sizes else 0
    cursor.skip(2 * STAGES)
    for _ in range(3):
        cursor.skip(8 * cursor.number(layout.counts))
    _uniform(cursor, layout)
    count = cursor.number(4)
    for size in OBJECTS if not layout.sizes else OBJECTS[:1]:
        end = cursor.at + size * count
        goes_on = not layout.sizes and data[end : end + 4] == SPIRV
        yield end + code == len(data) or goes_on


def _uniform(cursor: Cursor, layout: OlderLayout) -> None:
    size = cursor.number(4 if layout.sizes else 2)
    if not size and not layout.always:
        return
    cursor.skip(layout.masks)
    for _ in range(cursor.number(4)):
        if layout.sizes:
            cursor.skip(4 + layout.type)
            cursor.skip(cursor.number(4))
        else:
            cursor.skip(cursor.number(1))
            cursor.skip(2 + layout.type)
