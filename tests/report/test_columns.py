"""The block of columns: what is written is read back, in as few bytes as it needs."""

import gzip
import json
from array import array
from base64 import b64decode
from itertools import accumulate
from typing import Any

import pytest

from unshade.report.columns import Columns


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
            found[name] = [each.decode() for each in body[offset:].split(b"\0")[:items]]
        else:
            code = {"1": "b", "2": "h", "4": "i", "8": "d"}[form[1]]
            assert offset % int(form[1]) == 0
            numbers = array(code, body[offset : offset + items * int(form[1])]).tolist()
            found[name] = [
                int(each) for each in (accumulate(numbers) if form[0] == "d" else numbers)
            ]
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
    columns.texts("t", ["", "ä\u2028</script>", "a\0b", "\udc80"])
    assert read(columns.packed())[1]["t"] == ["", "ä\u2028</script>", "a\ufffdb", "?"]


def test_the_same_columns_are_the_same_bytes() -> None:
    one, other = Columns(), Columns()
    for each in (one, other):
        each.numbers("n", range(1000))
    assert one.packed() == other.packed()
