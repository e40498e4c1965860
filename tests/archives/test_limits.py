"""Attacks on the search: each ends, with the name of the limit if it asks for too much."""

import gzip
import io
import struct
import zipfile
import zlib

import pytest

import unshade
from tests.archives.packing import zipped, zstandard
from tests.examples import EXAMPLES
from unshade.errors import LimitError, UsageError
from unshade.limits import Limits

SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()


def limit_of(data: bytes, **limits: int) -> str:
    """Return the name of the limit that a search ends with."""
    with pytest.raises(LimitError) as raised:
        list(unshade.find(data, limits=Limits(**limits)))
    return raised.value.limit


def bomb(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(size))
    return out.getvalue()


@pytest.mark.parametrize(
    "pack", [zlib.compress, gzip.compress, zstandard.compress, lambda data: bomb(len(data))]
)
def test_a_bomb_exceeds_the_bytes(pack: object) -> None:
    assert callable(pack)
    packed = pack(bytes(1 << 22))
    assert limit_of(packed, unpacked=1 << 20) == "unpacked"
    assert limit_of(packed, file_size=1 << 20) == "file_size"
    assert list(unshade.find(packed)) == []


def test_a_bomb_is_not_unpacked_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from unshade.archives.budget import UnpackBudget

    seen: list[int] = []
    check = UnpackBudget.check

    def watched(budget: UnpackBudget, size: int) -> None:
        seen.append(size)
        check(budget, size)

    monkeypatch.setattr(UnpackBudget, "check", watched)
    assert limit_of(zlib.compress(bytes(64 << 20)), unpacked=1 << 20) == "unpacked"
    assert max(seen) <= (1 << 20) + 16 * 66_000 + (1 << 20)


def test_bytes_count_in_all() -> None:
    data = b"".join(zlib.compress(bytes(1 << 20)) for _ in range(20))
    assert limit_of(data, unpacked=1 << 20) == "unpacked"


def test_archives_in_each_other_exceed_the_layers() -> None:
    data = SAXPY
    for _ in range(9):
        data = zlib.compress(data)
    assert limit_of(data) == "layers"
    assert len(list(unshade.find(data, limits=Limits(layers=9)))) == 1


def test_an_archive_that_contains_itself_exceeds_the_layers() -> None:
    """A quine: a stored entry that is declared to be the archive from its first byte on.

    The entry of the directory leads to a local header whose data is a zip archive again.
    """
    inner = zipped(b"x", zipfile.ZIP_STORED)
    for _ in range(10):
        inner = zipped(inner, zipfile.ZIP_STORED)
    assert limit_of(inner) == "layers"


def overlapping(count: int, size: int) -> bytes:
    """Return an archive whose entries all have the same bytes: each packs `size` bytes."""
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(bytes(size)) + packed.flush()
    crc = zlib.crc32(bytes(size))
    local = struct.pack(
        "<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(body), size, 1, 0
    ) + b"a" + body  # fmt: skip
    central = struct.pack(
        "<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(body), size, 1, 0, 0, 0, 0, 0, 0
    ) + b"a"  # fmt: skip
    end = struct.pack(
        "<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(central) * count, len(local), 0
    )
    return local + central * count + end


def test_entries_that_overlap_count_each_time() -> None:
    data = overlapping(200, 1 << 20)
    assert len(data) < 12_000
    assert limit_of(data, unpacked=1 << 22) == "unpacked"
    assert limit_of(data, entries=50) == "entries"


def test_many_headers_without_an_archive_are_quick() -> None:
    """Each of them would be compared with each end record."""
    header = zipped(b"")[:40]
    data = header * 3000 + (b"PK\5\6" + bytes(18)) * 3000
    assert limit_of(data, entries=100_000) == "entries"


# Starts that lead to each other: from each, a chain of blocks goes on to the end of the data.
CHAINS = {
    "zlib": (b"\x78\x01\0\2\0\xfd\xff", "unpacked"),
    "zstd": (b"\x28\xb5\x2f\xfd\x20\0\x30\0\0", "entries"),
    "lz4": (b"\x04\x22\x4d\x18\x60\x40\0\7\0\0\0", "entries"),
    "lz4-block": (b"\x40DXBC\4\0", "unpacked"),
    "vkd3d-cache": (b"VKS\1" + bytes(60) + struct.pack("<2I", 48, 1), "entries"),
}


@pytest.mark.parametrize("kind", CHAINS)
def test_starts_of_chains_that_come_to_nothing_count(kind: str) -> None:
    link, limit = CHAINS[kind]
    assert list(unshade.find(link * 40)) == []
    assert limit_of(link * 400, unpacked=50_000, entries=40_000) == limit


def test_a_frame_that_cannot_be_unpacked_counts() -> None:
    """The headers of its blocks lead to its end, but its contents have another size."""
    link = b"\x28\xb5\x2f\xfd\x20\0\x30\0\0"
    data = link * 400 + b"\x28\xb5\x2f\xfd\x20\0\1\0\0"
    assert limit_of(data, entries=40_000) == "entries"
    assert limit_of(data, unpacked=50_000) == "unpacked"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:\\x", "a\0b", "\x1b[2J"])
def test_names_are_data(name: str) -> None:
    data = zipped(SAXPY, name="shaders/a").replace(b"shaders/a", name.encode().ljust(9, b"_")[:9])
    (found,) = unshade.find(data)
    assert found.data == SAXPY
    assert found.steps[0].entry == name.ljust(9, "_")[:9]


def test_limits_have_a_type() -> None:
    with pytest.raises(UsageError, match="limits: expected a Limits object, got int"):
        list(unshade.find(b"", limits=5))  # type: ignore[arg-type]
