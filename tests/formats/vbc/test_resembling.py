"""Files that look like an older layout and do not fit it are refused by the name of that layout."""

import re

import pytest

import unshade
from tests.fixtures.vbc import FRAG, VERT, made, module
from tests.formats.vbc.test_older import CODE, FIRST, SECOND, THIRD, old, sizeless
from unshade import FormatError
from unshade.formats.vbc.resembling import refusal

UNTYPED_BUFFER = bytes((0, 8, 0, 16, 0, 0, 0, 0))
OLD_BUFFER = bytes((0, 8, 1, 0, 16, 0, 0, 0))
BUFFER = bytes((0, 7, 1, 0, 16, 0, 0, 0))
# Files as the compilers wrote them, in every number.
WRITTEN = {
    "d6c226a": old(typed=False, counts="B", uniform=FIRST, row=UNTYPED_BUFFER),
    "adb6b69 to 11afc76": old(typed=True, counts="I", uniform=SECOND, row=OLD_BUFFER),
    "a77136f or 449c2f6 to e480f91": old(typed=True, counts="I", uniform=THIRD, row=OLD_BUFFER),
    "a77136f": old(typed=True, counts="I", uniform=bytes(4), row=OLD_BUFFER),
    "0209e93 to 553a92c": sizeless(CODE, row=BUFFER),
}
REFLECTION = {commits: data.index(b"\x03\x02\x23\x07") for commits, data in WRITTEN.items()}


@pytest.mark.parametrize("commits", WRITTEN)
def test_a_file_that_does_not_fit_is_refused_by_the_name_of_its_layout(commits: str) -> None:
    data, code = WRITTEN[commits], REFLECTION[commits]
    looks = re.escape(f"; the file looks like the layout of {commits}") + "$"
    vert = len(module(VERT))
    cut = [("vert", code, code + 99), ("frag", code + vert, len(data) - 1)]
    for stage, at, end in cut:
        with pytest.raises(FormatError, match=looks) as caught:
            unshade.loads(data[:end])
        if "0209e93" not in commits:
            size = len(module(VERT if stage == "vert" else FRAG))
            assert (caught.value.offset, caught.value.path) == (at, stage)
            assert f"expected {size} more bytes, got {end - at};" in caught.value.problem
        else:
            assert (caught.value.offset, caught.value.path) == (code, "VBC.modules")
    with pytest.raises(FormatError, match=looks) as caught:
        unshade.loads(data + b"\0")
    if "0209e93" not in commits:
        assert (caught.value.offset, caught.value.path) == (len(data), "trailing")
        assert "expected the end of the file, got 1 more bytes" in caught.value.problem


def test_a_damaged_file_of_today_is_refused_by_today_s_layout() -> None:
    data = made().to_bytes()
    damaged = [data[:cut] for cut in range(1, len(data), 61)] + [data + bytes(3)]
    damaged += [data[:at] + b"\xff" * 4 + data[at + 4 :] for at in range(4, 150, 7)]
    assert [str(error) for error in map(refusal, damaged) if error is not None] == []
