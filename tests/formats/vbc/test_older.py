"""Older layouts are recognised where they fit exactly, and refused by name."""

import struct

import pytest

import unshade
from tests.fixtures.vbc import FRAG, VERT, made, module
from unshade import FormatError
from unshade.formats.vbc.older import layout_of

WORDS = struct.pack("<5H", len(module(VERT)) // 4, 0, 0, 0, len(module(FRAG)) // 4)
TABLES = struct.pack("<5H", 8192, 128, 512, 128, 128)
CODE = module(VERT) + module(FRAG)
ROW = bytes((0, 4, 3, 1, 1, 0, 0, 0))
MEMBER = b"tint"
SUBPASS = struct.pack("<I4B", 1, 4, 4, 0, 0)


def old(*, typed: bool, counts: str, uniform: bytes) -> bytes:
    """Return a file of January 2021 with one row in each table."""
    rows = struct.pack(f"<{counts}", 1) + ROW
    head = b"VBC\1" + (b"\1" if typed else b"")
    return head + WORDS + TABLES + 3 * rows + uniform + SUBPASS + CODE


def sizeless(code: bytes, subpass: bytes = SUBPASS) -> bytes:
    rows = struct.pack("<I", 1) + ROW
    uniform = struct.pack("<HHI", 16, 1, 1) + b"\4" + MEMBER + struct.pack("<H4B", 0, 4, 4, 1, 1)
    return b"VBC\1\1" + TABLES + 3 * rows + uniform + subpass + code


FIRST = struct.pack("<IIII", 16, 1, 0, 4) + MEMBER
SECOND = struct.pack("<IHIII", 16, 1, 1, 0, 4) + MEMBER
THIRD = struct.pack("<IHII4BI", 16, 1, 1, 0, 4, 4, 1, 1, 4) + MEMBER
FILES = [
    (old(typed=False, counts="B", uniform=FIRST), "d6c226a"),
    (old(typed=True, counts="I", uniform=SECOND), "adb6b69 to 11afc76"),
    (old(typed=True, counts="I", uniform=struct.pack("<IHI", 0, 1, 0)), "449c2f6 to e480f91"),
    (old(typed=True, counts="I", uniform=THIRD), "a77136f"),
    (old(typed=True, counts="I", uniform=bytes(4)), "a77136f"),
    (sizeless(b""), "0209e93 to 553a92c"),
    (sizeless(CODE), "0209e93 to 553a92c"),
    (sizeless(CODE, struct.pack("<I", 1) + bytes(48)), "0209e93 to 553a92c"),
]


@pytest.mark.parametrize(("data", "commits"), FILES)
def test_an_older_layout_is_refused_by_name(data: bytes, commits: str) -> None:
    with pytest.raises(FormatError) as caught:
        unshade.loads(data)
    assert f"got that of {commits} (2021-01-" in caught.value.problem
    assert (caught.value.offset, caught.value.path) == (3, "VBC.version")


@pytest.mark.parametrize("data", [each for each, name in FILES if "0209e93" not in name])
def test_a_layout_must_fit_exactly(data: bytes) -> None:
    assert layout_of(data[:-1]) is None
    assert layout_of(data + b"\0") is None


def test_files_of_today_have_no_older_layout() -> None:
    assert layout_of(made().to_bytes()) is None
    assert layout_of(b"") is None
    assert layout_of(b"VBC\1\1" + b"\xff" * 64) is None
