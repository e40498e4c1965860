"""Zip archives whose records of 64 bits lie: each number in each field ends in our own errors."""

from __future__ import annotations

import io
import random
import struct
import zipfile

import pytest

import unshade
from tests.archives.test_putting import edited
from tests.examples import EXAMPLES
from unshade.archives import find
from unshade.errors import LimitError, UnshadeError
from unshade.limits import Limits

SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()
PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
NEW = edited(SAXPY)
NUMBERS = (0, 1, 0xFFFFFFFE, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
LARGE = struct.Struct("<HHQ")  # extra field of 64 bits with one value


def large(**values: int) -> bytes:
    """Return an archive of two entries whose end has records of 64 bits, some values changed.

    The values are those of the record (`count`, `size`, `offset`), of its locator (`record`) and of
    the end record of 32 bits (`small`).
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.bin", b"xy" + SAXPY)
        archive.writestr("b.bin", PHONG)
    data = made.getvalue()
    tail = data.index(b"PK\5\6")
    count, size, offset = struct.unpack_from("<H2I", data, tail + 10)
    known = {"count": count, "size": size, "offset": offset, "record": tail, "small": offset}
    known |= values
    record = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, known["count"],
                         known["size"], known["offset"])  # fmt: skip
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, known["record"], 1)
    end = bytearray(data[tail:])
    end[16:20] = (known["small"] & 0xFFFFFFFF).to_bytes(4, "little")
    return data[:tail] + record + locator + bytes(end)


def put(data: bytes, new: bytes) -> None:
    """Put a shader back, in place of the first one, with another size."""
    with_path = next(iter(find(data)), None)
    if with_path is not None:
        made = unshade.put_back(data, {with_path.path: new})
        assert new in [each.data for each in find(made)]


@pytest.mark.parametrize("field", ["count", "size", "offset", "record", "small"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_of_64_bits_that_lies(field: str, number: int) -> None:
    data = large(**{field: number})
    assert (
        sum(each.data in (SAXPY, PHONG) for each in find(data)) == 2
    )  # as entries alone, at least
    for before in (b"", bytes(7)):
        for new in (NEW, PHONG):  # of the same size; larger, so that the directory moves
            try:
                put(before + data, new)
            except UnshadeError:
                continue


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_extra_fields_of_64_bits_that_lie(number: int, missing: int) -> None:
    """Values that are in the extra field, which may be too short for them."""
    data = bytearray(large())
    header = data.index(b"PK\1\2")
    for at in (20, 24, 42)[: 1 + missing]:
        data[header + at : header + at + 4] = b"\xff" * 4
    extra = LARGE.pack(1, 8, number)
    name = struct.unpack_from("<H", data, header + 28)[0]
    data[header + 30 : header + 32] = len(extra).to_bytes(2, "little")
    data[header + 46 + name : header + 46 + name] = extra
    record = data.index(b"PK\6\6")
    size = struct.unpack_from("<Q", data, record + 40)[0] + len(extra)
    data[record + 40 : record + 48] = size.to_bytes(8, "little")
    whole = bytes(data)
    found = [*find(whole)]
    assert PHONG in [each.data for each in found]
    for each in found:
        try:
            copy = unshade.put_back(whole, {each.path: NEW if each.data == SAXPY else PHONG})
        except UnshadeError:
            continue
        assert copy[copy.index(b"PK\1\2") + 46 + name :].startswith(LARGE.pack(1, 8, number)[:4])
        assert PHONG in [one.data for one in find(copy)]


def test_many_records_that_claim_the_rest_of_the_numbers() -> None:
    """Each end record claims a directory of 2^64 entries, and is read until its first header."""
    data = large(count=(1 << 64) - 1)
    tail = data[data.index(b"PK\6\6") :]
    with pytest.raises(LimitError, match="limit entries"):
        list(find(data + tail * 3000, limits=Limits(entries=1000)))


def test_noise_in_the_records() -> None:
    chance = random.Random(64)
    data = large()
    first = data.index(b"PK\1\2")
    for _ in range(60):
        bad = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(first, len(bad))
            bad[at] = chance.choice((0, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        try:
            list(find(bytes(bad), strict=False))
            put(bytes(bad), PHONG)
        except UnshadeError:
            continue
