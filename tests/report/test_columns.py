"""The block of columns: what is written is read back, in as few bytes as it needs."""

import gzip
import json
from array import array
from base64 import b64decode
from itertools import accumulate
from typing import Any

import pytest

from unshade.report.columns import Columns


def first_uses(numbers: list[int]) -> list[int]:
    """Return numbers in order of first use, stored as their distance to the next new one."""
    found: list[int] = []
    for each in numbers:
        found.append(max(found, default=-1) + 1 - each)
    return found


def read(packed: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a block as the page's script does."""
    data = gzip.decompress(b64decode(packed))
    size = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + size])
    body = data[-(-(4 + size) // 8) * 8 :]
    found: dict[str, Any] = {}
    for name, (form, offset, items) in header["columns"].items():
        if form == "raw":
            found[name] = body[offset : offset + items]
        elif form == "text":
            texts = [each.decode() for each in body[offset:].split(b"\0")[:items]]
            found[name] = texts
            for at, each in enumerate(texts):
                if each == "\1":
                    lead = texts[at - 1].rstrip("0123456789")
                    texts[at] = f"{lead}{int(texts[at - 1][len(lead) :]) + 1}"
        else:
            code = {"1": "b", "2": "h", "4": "i", "8": "d"}[form[1]]
            assert offset % int(form[1]) == 0
            numbers = array(code, body[offset : offset + items * int(form[1])]).tolist()
            if form[0] == "d":
                numbers = list(accumulate(numbers))
            found[name] = [int(each) for each in numbers]
            if form[0] == "r":
                found[name] = first_uses(found[name])
    return header, found


@pytest.mark.parametrize(
    ("numbers", "width"),
    [
        ([], 1),
        ([0, 127, -128], 1),
        ([128], 2),
        ([-129], 2),
        ([32767, -32768], 2),
        ([32768], 4),
        ([-(2**31), 2**31 - 1], 4),
        ([2**31, -(2**53), 2**53], 8),
    ],
)
def test_numbers_take_the_width_of_the_largest(numbers: list[int], width: int) -> None:
    columns = Columns()
    columns.raw("odd", b"abc")  # what follows is aligned
    columns.numbers("n", numbers)
    header, found = read(columns.packed())
    assert header["columns"]["n"][0] == f"i{width}"
    assert found == {"odd": b"abc", "n": numbers}


def test_differences_are_what_is_stored() -> None:
    columns = Columns()
    columns.differences("start", [1000, 1001, 1002, 900])
    header, found = read(columns.packed())
    assert header["columns"]["start"][0] == "d2"
    assert found["start"] == [1000, 1001, 1002, 900]
    assert read_none(Columns()) == {}


def read_none(columns: Columns) -> dict[str, Any]:
    columns.values["a"] = [1]
    header, found = read(columns.packed())
    assert header["values"] == {"a": [1]}
    return found


def test_texts_survive_but_for_what_ends_them() -> None:
    columns = Columns()
    columns.texts("t", ["", "ä\u2028</script>", "a\0b", "\udc80", "\1"])
    assert read(columns.packed())[1]["t"] == ["", "ä\u2028</script>", "a\ufffdb", "?", "\ufffd"]


@pytest.mark.parametrize("texts", [
    ["%7", "%8", "%9", "%10", "%12", "%12", "r0", "r1"], ["9", "10", "010", "011", "1.5", "1.6"],
    ["-1", "-2", "x", "x1"], ["9" * 20, "1" + "0" * 20], ["٣", "4", ""],
])  # fmt: skip
def test_texts_that_count_on_are_read_back(texts: list[str]) -> None:
    columns = Columns()
    columns.texts("t", texts)
    assert read(columns.packed())[1]["t"] == texts


def test_a_text_that_counts_on_takes_two_bytes() -> None:
    columns = Columns()
    columns.texts("t", ["%1000000", "%1000001"])
    columns.numbers("after", [])
    header, _ = read(columns.packed())
    assert header["columns"]["after"][1] == 16


def test_numbers_of_first_uses() -> None:
    columns = Columns()
    columns.recent("n", [0, 1, 0, 1, 5, 2])
    header, found = read(columns.packed())
    assert header["columns"]["n"][0] == "r1"
    assert found["n"] == [0, 1, 0, 1, 5, 2]


def test_the_same_columns_are_the_same_bytes() -> None:
    one, other = Columns(), Columns()
    for each in (one, other):
        each.numbers("n", range(1000))
    assert one.packed() == other.packed()
