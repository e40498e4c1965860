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


def spread(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


LARGE = 1 << 16  # bytes that each of many headers refers to


def bundles(method: int) -> bytes:
    """Headers of Unity's bundles whose directories are all that follows, and cannot be read."""
    size = struct.pack(">QIII", LARGE, LARGE - 60, 0xFFFFFF, method)
    return (b"UnityFS\0" + struct.pack(">I", 6) + b"5\0" + b"2\0" + size).ljust(60, b"\0") * 400


def members(method: int) -> bytes:
    """Local headers, without a directory, of entries that are all that follows."""
    head = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, method, 0, 0, 1, LARGE, 1, 1, 0)
    return (head + b"a\xff\xff\xff").ljust(60, b"\xff") * 400


def records_of_a_block() -> bytes:
    """A pack of Unreal whose records refer to the same bytes, which are no block of LZ4."""
    size, unpacked = 4096, 256 * 4096 + 1
    record = struct.pack("<QQQB", 0, size, unpacked, 1) + bytes(20) + spread(1)
    record += struct.pack("<QQ", 77, 77 + size) + bytes([0]) + spread(unpacked)
    index = spread(1) + b"\0" + spread(2500) + (spread(2) + b"a\0" + record) * 2500
    body = b"\xff" * (77 + size)
    footer = bytes([0]) + struct.pack("<IIQQ20s", 0x5A6F12E1, 8, len(body), len(index), b"")
    return body + index + footer + b"LZ4".ljust(32, b"\0") + bytes(96)


# The bytes of each header are copied or unpacked, and are nothing.
COPIES = {
    "Unity, LZ4": bundles(3) + bytes(LARGE),
    "Unity, an unknown method": bundles(5) + bytes(LARGE),
    "zip, deflated": members(8) + bytes(LARGE),
    "zip, LZMA": members(14) + bytes(LARGE),
    "zip, zstd": members(93) + bytes(LARGE),
    "a pack of Unreal": records_of_a_block(),
}


@pytest.mark.parametrize("kind", COPIES)
def test_bytes_that_many_headers_share_count_each_time(kind: str) -> None:
    data = COPIES[kind]
    assert len(data) < 5 * LARGE
    assert limit_of(data, unpacked=2 << 20) == "unpacked"


def test_headers_of_libraries_without_modules_count() -> None:
    """The rows after each header are those of the others, too: 64 bytes are four rows."""
    header = (b"VKL\1" + bytes(8) + spread(0, 3000, 0)).ljust(64, b"\0")
    assert limit_of(header * 100 + bytes(50_000), entries=20_000) == "entries"


def test_what_does_not_end_with_its_file_counts() -> None:
    """A small entry that unpacks to much, and is then no block of LZ4, nor a stream of Brotli."""
    block = b"\x1fa\x01\0" + b"\xff" * 4000 + b"\0"
    files = io.BytesIO()
    with zipfile.ZipFile(files, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(40):
            archive.writestr(f"{number}", block)
    assert limit_of(files.getvalue(), unpacked=1 << 22) == "unpacked"
    brotli = pytest.importorskip("brotli")
    stream = brotli.compress(bytes(1 << 20)) + b"more"
    files = io.BytesIO()
    with zipfile.ZipFile(files, "w", zipfile.ZIP_STORED) as archive:
        for number in range(400):
            archive.writestr(f"{number}", stream + bytes([number % 256]) * 1000)
    assert limit_of(files.getvalue(), unpacked=1 << 22) == "unpacked"


def test_pages_of_a_capture_count() -> None:
    pages = struct.pack("<I", 1) + b"\0"
    section = pages * 3000
    header = struct.pack("<8sII", b"RDOC\0\0\0\0", 0x102, 16)
    head = struct.pack("<4sIQQQII", b"", 0, len(section), 0, 1, 2, 2) + b"a\0"
    assert limit_of(header + head + section, entries=1000) == "entries"


def test_the_name_of_a_folder_of_a_pack_is_bounded() -> None:
    """It is read once for each of its files."""
    from unshade.archives.unreal_pak import PakIndexCursor

    name = b"a" * 4095 + b"\0"
    assert PakIndexCursor(spread(len(name)) + name).text() == "a" * 4095
    for count in (4097, -4097):
        with pytest.raises(ValueError, match="a text of at most 4096 units"):
            PakIndexCursor(struct.pack("<i", count) + bytes(10_000)).text()
