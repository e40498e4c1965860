"""Shaders in packs and libraries of Unreal, written here as its documentation describes them."""

from __future__ import annotations

import gzip
import hashlib
import random
import struct
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import pytest

import unshade
from tests.archives.test_putting import edited
from tests.examples import EXAMPLES
from tests.fixtures import containers as boxes
from unshade.archives import find
from unshade.archives.budget import UnpackBudget
from unshade.archives.unreal_shaders import unreal_shaders
from unshade.errors import LimitError, UnsupportedError, UsageError
from unshade.limits import Limits

lz4_block = pytest.importorskip("lz4.block")
zstandard = pytest.importorskip("zstandard")

PHONG = (EXAMPLES / "phong.dxbc").read_bytes()
SAXPY = (EXAMPLES / "saxpy.dxbc").read_bytes()
PIECE = 1000  # bytes of a block
FILES = [("Engine/phong.bin", b"asset" + PHONG), ("Content/a b/saxpy.bin", SAXPY)]
VERSIONS = [*range(1, 12), -8]  # -8 is the first form of version 8


def packed_lz4(data: bytes) -> bytes:
    return bytes(lz4_block.compress(data, store_size=False))


def packed_zstd(data: bytes) -> bytes:
    return bytes(zstandard.ZstdCompressor().compress(data))


METHODS: dict[str, Callable[[bytes], bytes]] = {
    "Zlib": zlib.compress,
    "Gzip": gzip.compress,
    "LZ4": packed_lz4,
    "Zstd": packed_zstd,
    "Oodle": lambda data: b"\x8c" + data,
}
NUMBERS = {"Zlib": 1, "Gzip": 2, "Oodle": 4}  # before compressions had names


class Stored(NamedTuple):
    """A file as it stands in a pack."""

    name: str
    at: int
    packed: int
    size: int
    method: int
    blocks: list[tuple[int, int]]
    encrypted: bool


def text(value: str, wide: bool = False) -> bytes:
    """Return a text with its length, in bytes or in units of UTF-16."""
    if wide:
        return struct.pack("<i", -len(value) - 1) + (value + "\0").encode("utf-16-le")
    return struct.pack("<i", len(value) + 1) + value.encode() + b"\0"


def record(each: Stored, version: int, at: int) -> bytes:
    """Return the record of a file; blocks count from the record from version 5."""
    made = struct.pack("<QQQ", at, each.packed, each.size)
    made += struct.pack("<B" if version == -8 else "<I", each.method)
    made += bytes(8 if version == 1 else 0) + hashlib.sha1(each.name.encode()).digest()
    if abs(version) < 3:
        return made
    if each.method:
        base = 0 if abs(version) < 5 else each.at
        made += struct.pack("<I", len(each.blocks))
        made += b"".join(struct.pack("<QQ", a - base, b - base) for a, b in each.blocks)
    return made + struct.pack("<BI", each.encrypted, PIECE)


def bits(each: Stored, short: bool) -> bytes:
    """Return the record of a file in the index of version 10 and later."""
    word = 0x3F | len(each.blocks) << 6 | each.encrypted << 22 | each.method << 23
    word |= (0b111 << 29) if short else 0
    number = "<I" if short else "<Q"
    made = struct.pack("<II", word, PIECE) + struct.pack(number, each.at)
    made += struct.pack(number, each.size)
    if each.method:
        made += struct.pack(number, each.packed)
        if len(each.blocks) != 1 or each.encrypted:
            made += b"".join(struct.pack("<I", end - start) for start, end in each.blocks)
    return made


def pack(
    files: Sequence[tuple[str, bytes]] = FILES,
    version: int = 11,
    method: str = "Zlib",
    *,
    encrypted: bool = False,
    encrypted_index: bool = False,
    frozen: bool = False,
    folders: bool = True,
    short: bool = True,
    wide: bool = False,
    claim: int | None = None,
) -> bytes:
    """Return a pack whose files are packed by a method; none if it is empty."""
    names = {-8: 4, 8: 5, 9: 5, 10: 5, 11: 5}.get(version, 0)
    number = 0
    if method:
        number = 2 if names else NUMBERS[method]  # the second name of the footer
    data = b""
    stored = []
    for name, contents in files:
        pieces = [contents[at : at + PIECE] for at in range(0, len(contents), PIECE)]
        if abs(version) < 3:
            pieces = [contents]
        made = [METHODS[method](each) if method else each for each in pieces]
        at = len(data)
        empty = Stored(name, at, 0, 0, number, [(at, at)] * len(made), encrypted)
        place = at + len(record(empty, version, 0))
        blocks = []
        for piece in made:
            blocks.append((place, place + len(piece)))
            place += len(piece)
        packed = sum(map(len, made))
        size = len(contents) if claim is None else claim
        file = Stored(name, at, packed, size, number, blocks if method else [], encrypted)
        data += record(file, version, 0) + b"".join(made)
        stored.append(file)
    index = text("../../../", wide) + struct.pack("<I", len(files))
    extra = b""
    if abs(version) < 10:
        index += b"".join(text(each.name, wide) + record(each, version, each.at) for each in stored)
    else:
        records = [bits(each, short) for each in stored]
        places = [sum(map(len, records[:at])) for at in range(len(records))]
        hashes = struct.pack("<I", len(files))
        hashes += b"".join(struct.pack("<QI", 77 + n, place) for n, place in enumerate(places))
        listed = struct.pack("<I", len(files))
        for file, place in zip(stored, places, strict=True):
            folder, _, name = file.name.rpartition("/")
            listed += text(f"/{folder}/", wide) + struct.pack("<I", 1) + text(name, wide)
            listed += struct.pack("<I", place)
        parts = [hashes, listed if folders else b""]
        size = len(index) + 8 + sum(40 if each else 4 for each in parts)
        size += 4 + sum(map(len, records)) + 4
        index += bytes(8)
        place = len(data) + size
        for part in parts:
            index += struct.pack("<I", bool(part))
            if part:
                index += struct.pack("<QQ", place, len(part)) + bytes(20)
                place += len(part)
        index += struct.pack("<I", sum(map(len, records))) + b"".join(records) + bytes(4)
        extra = b"".join(parts)
    footer = bytes(16 if abs(version) >= 7 else 0)
    footer += bytes([encrypted_index]) if abs(version) >= 4 else b""
    footer += struct.pack("<IIQQ", 0x5A6F12E1, abs(version), len(data), len(index)) + bytes(20)
    footer += bytes([frozen]) if version == 9 else b""
    listed_methods = ["Other", method, *[""] * names][:names]
    footer += b"".join(each.encode().ljust(32, b"\0") for each in listed_methods)
    return data + index + extra + footer


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("method", ["", "Zlib", "Gzip"])
def test_shaders_in_the_files_of_a_pack(version: int, method: str) -> None:
    found = [*find(pack(version=version, method=method))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert [each.path for each in found] == [
        "unreal-pak@0x0/Engine/phong.bin!dxbc@0x5", "unreal-pak@0x0/Content/a b/saxpy.bin!dxbc@0x0",
    ]  # fmt: skip


@pytest.mark.parametrize("version", [8, 9, 10, 11])
@pytest.mark.parametrize("method", ["LZ4", "Zstd"])
def test_methods_that_the_footer_names(version: int, method: str) -> None:
    found = [*find(pack(version=version, method=method, short=False, wide=True))]
    assert [each.data for each in found] == [PHONG, SAXPY]


def test_a_pack_without_names_has_hashes_of_names() -> None:
    found = [*find(pack(folders=False))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert found[0].path == f"unreal-pak@0x0/{77:016x}!dxbc@0x5"


def test_a_pack_in_an_archive_is_the_end_of_its_entry() -> None:
    found = [*find(b"some data" + zlib.compress(pack()))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert found[0].path == "zlib@0x9!unreal-pak@0x0/Engine/phong.bin!dxbc@0x5"


@pytest.mark.parametrize("version", [3, 7, 8, 11])
def test_what_cannot_be_read_is_named(version: int) -> None:
    with pytest.raises(UnsupportedError, match="packed by Oodle are not read"):
        list(find(pack(version=version, method="Oodle")))
    with pytest.raises(UnsupportedError, match=r"an encrypted file in a pack of Unreal \(\.pak\)"):
        list(find(pack(version=version, encrypted=True)))


def test_an_index_that_cannot_be_read_is_named() -> None:
    with pytest.raises(UnsupportedError, match="an encrypted pack of Unreal"):
        list(find(pack(encrypted_index=True)))
    with pytest.raises(UnsupportedError, match="a frozen pack of Unreal"):
        list(find(pack(version=9, frozen=True)))


def test_a_stranger_method_is_not_quoted() -> None:
    made = pack().replace(b"Zlib".ljust(32, b"\0"), b"\x1b[31mred".ljust(32, b"\0"))
    with pytest.raises(UnsupportedError, match="packed by an unknown method are"):
        list(find(made))


def test_what_is_no_pack() -> None:
    """Truncated and broken ones are searched as they are; nothing but our errors comes out."""
    for version in (1, 5, -8, 9, 11):
        made = pack(version=version, method="")
        for size in range(1, len(made), 97):
            paths = [each.path for each in find(made[:size], strict=False)]
            assert not [each for each in paths if each.startswith("unreal")]
        for at in range(len(made) - 700, len(made), 3):
            broken = bytearray(made)
            broken[at] ^= 0xFF
            with suppress(unshade.UnshadeError):
                list(find(bytes(broken), strict=False))
    assert [*find(pack(claim=len(PHONG) + 6))] == []  # the blocks have other sizes


def test_bombs_end_with_the_name_of_the_limit() -> None:
    zeros = [("zeros", bytes(1 << 20))]
    small = Limits(unpacked=1 << 14)
    for method in ("Zlib", "LZ4", "Zstd"):
        with pytest.raises(LimitError, match="limit unpacked"):
            list(find(pack(zeros * 40, method=method), limits=small))
    with pytest.raises(LimitError, match="limit entries"):
        list(find(pack([(f"{n}", b"") for n in range(50)]), limits=Limits(entries=20)))


def test_many_names_of_a_record_with_many_blocks_are_bounded() -> None:
    """200,000 names lead to a record with 60,000 blocks: 48 GB of sizes."""
    made = pack([("a", bytes(60_000 * PIECE))], method="LZ4")
    at = made.rindex(text("//") + struct.pack("<I", 1) + text("a"))
    count = 200_000
    listed = text("//") + struct.pack("<I", count) + (text("a") + bytes(4)) * count
    head = made[:at] + listed
    place = made.rindex(struct.pack("<Q", at - 4))  # of the directory, in the index
    size = struct.pack("<Q", 4 + len(listed))
    made = head[: place + 8] + size + head[place + 16 :] + made[-(17 + 44 + 160) :]
    with pytest.raises(LimitError, match="limit unpacked"):
        list(find(made, limits=Limits(unpacked=1 << 20)))


def test_a_pack_is_not_put_back() -> None:
    with pytest.raises(UnsupportedError, match="what is inside cannot be put back"):
        unshade.put_back(pack(), {"unreal-pak@0x0/Engine/phong.bin!dxbc@0x5": PHONG})
    with pytest.raises(UsageError):
        unshade.put_back(pack(), {"unreal-pak@0x0/other!dxbc@0x5": PHONG})


# ---------------------------------------------------------------- containers


def contents_table(
    method: str = "Zlib", *, version: int = 5, encrypted: bool = False, chunks: int = 3
) -> bytes:
    """Return a table of contents whose chunks are packed by a method; by none if it is empty."""
    blocks = chunks + 2
    names = [method.encode().ljust(32, b"\0")] if method else []
    made = b"-==--==--==--==-" + struct.pack("<B3x", version)
    made += struct.pack("<8I", 144, chunks, blocks, 12, len(names), 32, 0x10000, 0)
    made += struct.pack("<IQ16sB3x", 1, 7, bytes(16), 1 | encrypted << 1)
    made += struct.pack("<IQI", chunks, (1 << 64) - 1, 1).ljust(60, b"\0")
    assert len(made) == 144
    made += bytes(12) * chunks + bytes(10) * chunks + bytes(4) * (chunks + 1) + bytes(12) * blocks
    return made + b"".join(names) + bytes(24 if version == 8 else 33) * chunks


@pytest.mark.parametrize("method", ["", "Zlib", "zlib", "Gzip", "Zstd"])
def test_a_container_whose_blocks_are_found(method: str) -> None:
    """In the other file: nothing is in the table, and nothing is wrong with it."""
    assert [*find(contents_table(method), strict=False)] == []
    pack = METHODS.get(method.title(), bytes)
    inside = [each.data for each in find(bytes(16) + pack(b"asset" + PHONG) + bytes(9))]
    assert inside == [PHONG]


@pytest.mark.parametrize("version", [1, 8])
def test_a_container_that_is_not_read_is_named(version: int) -> None:
    for method in ("Oodle", "LZ4"):
        with pytest.raises(UnsupportedError, match=rf"\.ucas\) that are packed by {method} are"):
            [*find(contents_table(method, version=version))]
    with pytest.raises(UnsupportedError, match="that is encrypted is not read"):
        [*find(contents_table(version=version, encrypted=True))]
    with pytest.raises(UnsupportedError, match="packed by an unknown method are"):
        [*find(contents_table("\x1b[31mred", version=version))]


def test_what_is_no_container() -> None:
    """Cut, of another version, with numbers that are too large: searched like any data."""
    whole = contents_table("Oodle")
    end = whole.index(b"Oodle") + 32
    for size in range(16, end):
        assert [*find(whole[:size])] == []
    for at in (16, 20, 24, 28, 32, 36, 40, 84, 96):
        broken = whole[:at] + b"\xff\xff\xff\xff" + whole[at + 4 :]
        assert [*find(broken)] == []
    names = struct.pack("<I", 256)  # a block has the number of one in a byte
    assert [*find(whole[:36] + names + whole[40:] + b"Oodle".ljust(32, b"\0") * 255)] == []
    other = whole[:16] + b"\0" + whole[17:]
    assert [each.data for each in find(other + PHONG)] == [PHONG]
    assert [*find(b" " + whole)] == []  # a line of dashes in a text


# ---------------------------------------------------------------- libraries of shaders


def library(
    shaders: Sequence[bytes] = (b"tables" + PHONG + b"more", SAXPY),
    version: int = 2,
    method: Callable[[bytes], bytes] = packed_lz4,
) -> bytes:
    """Return a library; a shader that does not become smaller is stored as it is."""
    codes = [min(method(each), each, key=len) for each in shaders]
    digests = [hashlib.sha1(each).digest() for each in shaders]
    rows = []
    at = 0
    for code, each in zip(codes, shaders, strict=True):
        rows.append(struct.pack("<QIIB", at, len(code), len(each), 3))
        at += len(code)
    if version == 1:
        listed = [digest + row for digest, row in zip(digests, rows, strict=True)]
        return struct.pack("<II", 1, len(rows)) + b"".join(listed + codes)
    tables = [[bytes(20)], digests, [bytes(16)], rows, [bytes(16)], [bytes(4)] * len(rows)]
    made = b"".join(struct.pack("<I", len(each)) + b"".join(each) for each in tables)
    return struct.pack("<I", 2) + made + b"".join(codes)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("method", [packed_lz4, zlib.compress, bytes])
def test_shaders_in_a_library(version: int, method: Callable[[bytes], bytes]) -> None:
    found = [*find(library(version=version, method=method))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    digest = hashlib.sha1(b"tables" + PHONG + b"more").hexdigest()
    assert found[0].path == f"unreal-shaders@0x0/{digest}!dxbc@0x6"


@pytest.mark.fast
@pytest.mark.parametrize("version", [1, 2])
def test_a_library_is_as_long_as_its_shaders(version: int) -> None:
    """A shader may have no code; a library has at least one."""
    budget = UnpackBudget(Limits(), 1000)
    assert unreal_shaders(library((), version, bytes), 0, budget) is None
    for shaders in ((b"",), (b"a",), (b"a", b"", b"bc")):
        made = library(shaders, version, bytes)
        opened = unreal_shaders(made, 0, budget)
        assert opened is not None
        assert opened.size == len(made)
        assert [each.data for each in opened.entries] == [*shaders]
        assert unreal_shaders(made + b"x", 0, budget) is None
        assert unreal_shaders(made[:-1], 0, budget) is None


def test_a_library_in_a_pack() -> None:
    files = [("Content/ShaderArchive-Game-PCD3D_SM5.ushaderbytecode", library())]
    found = [*find(pack(files, version=8))]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert found[0].path.startswith(f"unreal-pak@0x0/{files[0][0]}!unreal-shaders@0x0/")


def test_code_that_is_packed_by_something_else_is_named() -> None:
    made = library(method=lambda data: b"\x8c" + data[:99])
    with pytest.raises(UnsupportedError, match="as by Oodle, are not read"):
        list(find(made))


def test_what_is_no_library() -> None:
    for version in (1, 2):
        made = library(version=version, method=bytes)
        for size in (*range(1, 200), *range(200, len(made), 97)):
            paths = [each.path for each in find(made[:size], strict=False)]
            assert not [each for each in paths if each.startswith("unreal")]
        for at in range(200):
            broken = bytearray(made)
            broken[at] ^= 0xFF
            with suppress(unshade.UnshadeError):
                list(find(bytes(broken), strict=False))


def test_a_bomb_in_a_library_ends_with_the_name_of_the_limit() -> None:
    made = library([bytes(1 << 20)] * 40)
    with pytest.raises(LimitError, match="limit unpacked"):
        list(find(made, limits=Limits(unpacked=1 << 14)))


class Container(NamedTuple):
    """A container: its table and its contents, and the contents of its chunks by name."""

    table: bytes
    contents: bytes
    chunks: dict[str, bytes]


PIECES = (b"some asset" + PHONG + bytes(300), SAXPY, b"", bytes(range(256)) * 9)


def container(
    method: str = "Zlib",
    *,
    version: int = 5,
    block: int = 1024,
    flags: int = 1,
    chunks: Sequence[bytes] = PIECES,
    partitions: int = 1,
) -> Container:
    """Return a container of chunks, whose blocks are packed by a method, or plain."""
    ids = [bytes([number + 1]) * 11 + b"\x09" for number in range(len(chunks))]
    places, rows, hashes, contents = b"", b"", b"", b""
    for each in chunks:
        places += (len(rows) // 12 * block).to_bytes(5, "big") + len(each).to_bytes(5, "big")
        digest = hashlib.sha1(each).digest()
        hashes += digest + (bytes(4) if version == 8 else bytes(13))
        for at in range(0, len(each), block):
            piece = each[at : at + block]
            packed = METHODS[method](piece) if method else piece
            number = bool(method)
            if len(packed) >= len(piece):
                packed, number = piece, False
            contents += bytes(-len(contents) % 16)
            rows += len(contents).to_bytes(5, "little") + len(packed).to_bytes(3, "little")
            rows += len(piece).to_bytes(3, "little") + bytes([number])
            contents += packed
    names = [method.encode().ljust(32, b"\0")] if method else []
    seeds = (2, 1) if version >= 5 else (0, 0)
    directory = b"names of chunks"
    made = b"-==--==--==--==-" + struct.pack("<B3x", version)
    made += struct.pack("<4I", 144, len(chunks), len(rows) // 12, 12)
    made += struct.pack("<5I", len(names), 32, block, len(directory), partitions)
    made += struct.pack("<Q16sB3xI", 7, bytes(16), flags, seeds[0])
    made += struct.pack("<QI44x", (1 << 64) - 1, seeds[1])
    made += b"".join(ids) + places + bytes(4) * sum(seeds) + rows + b"".join(names)
    if flags & 4:
        made += struct.pack("<I", 8) + bytes(16) + bytes(20) * (len(rows) // 12)
    named = {each.hex(): data for each, data in zip(ids, chunks, strict=True)}
    return Container(made + directory + hashes, contents, named)


@pytest.mark.parametrize("method", ["", *METHODS])
@pytest.mark.parametrize("version", [2, 5, 8])
def test_shaders_in_the_chunks_of_a_container(method: str, version: int) -> None:
    """The table tells how blocks make chunks, so that a shader may lie in several."""
    made = container(method, version=version)
    found = [*find(made.table + made.contents)]
    assert [each.data for each in found] == [PHONG, SAXPY]
    assert found[0].path == f"unreal-container@0x0/{'01' * 11}09!dxbc@0xa"


@pytest.mark.parametrize("method", ["", *METHODS])
@pytest.mark.parametrize("version", [2, 8])
def test_a_shader_is_put_back_into_a_container(method: str, version: int) -> None:
    made = container(method, version=version)
    path = f"unreal-container@0x0/{'01' * 11}09!dxbc@0xa"
    new = edited(PHONG)
    copy = unshade.put_back(made.table + made.contents, {path: new})
    wanted = {**made.chunks, f"{'01' * 11}09": made.chunks[f"{'01' * 11}09"].replace(PHONG, new)}
    assert chunks_of(copy, len(made.table)) == wanted
    hashes = copy[: len(made.table)]
    assert hashlib.sha1(wanted[f"{'01' * 11}09"]).digest() in hashes
    assert hashlib.sha1(SAXPY).digest() in hashes
    assert not method or hashlib.sha1(made.chunks[f"{'01' * 11}09"]).digest() not in hashes


def chunks_of(data: bytes, table: int) -> dict[str, bytes]:
    """Read a container in the simplest way."""
    count, blocks = struct.unpack_from("<II", data, 24)
    block = struct.unpack_from("<I", data, 44)[0]
    seeds, overflows = struct.unpack_from("<I", data, 84)[0], struct.unpack_from("<I", data, 96)[0]
    rows = 144 + 22 * count + 4 * (seeds + overflows)
    method = data[rows + 12 * blocks :][:32].rstrip(b"\0").decode("latin-1")
    unpack: dict[str, Callable[[bytes], bytes]] = {
        "Zlib": zlib.decompress,
        "Gzip": gzip.decompress,
        "Zstd": lambda packed: bytes(zstandard.ZstdDecompressor().decompress(packed)),
        "LZ4": lambda packed: bytes(lz4_block.decompress(packed, uncompressed_size=block)),
    }
    found = {}
    for number in range(count):
        row = data[144 + 12 * count + 10 * number :][:10]
        start, left = int.from_bytes(row[:5], "big"), int.from_bytes(row[5:], "big")
        contents = b""
        for each in range(start // block, start // block + -(-left // block)):
            row = data[rows + 12 * each :][:12]
            at = table + int.from_bytes(row[:5], "little")
            assert (at - table) % 16 == 0
            packed = data[at : at + int.from_bytes(row[5:8], "little")]
            piece = unpack[method](packed) if row[11] else packed
            assert len(piece) == int.from_bytes(row[8:11], "little")
            contents += piece
        assert len(contents) == left
        found[data[144 + 12 * number :][:12].hex()] = contents
    return found


def test_a_block_that_does_not_fit_goes_to_the_end() -> None:
    """Zeros pack well; the noise that comes in their place does not, and stays plain."""
    zeros, noise = (
        boxes.container([("PRIV", data)])
        for data in (bytes(3000), random.Random(5).randbytes(3000))
    )
    made = container("Zlib", chunks=(zeros, SAXPY))
    path = next(each.path for each in find(made.table + made.contents) if each.data == zeros)
    copy = unshade.put_back(made.table + made.contents, {path: noise})
    assert len(copy) > len(made.table + made.contents)
    assert [*chunks_of(copy, len(made.table)).values()] == [noise, SAXPY]
    assert [each.data for each in find(copy)] == [noise, SAXPY]
    again = unshade.put_back(copy, {path: zeros})
    assert [*chunks_of(again, len(made.table)).values()] == [zeros, SAXPY]


def test_what_cannot_be_put_back_into_a_container_is_refused() -> None:
    path = f"unreal-container@0x0/{'02' * 11}09!dxbc@0x0"
    new = edited(SAXPY)
    signed = container(flags=5)
    with pytest.raises(UnsupportedError, match="that is signed"):
        unshade.put_back(signed.table + signed.contents, {path: new})
    plain = container()
    with pytest.raises(UsageError, match="expected at most 1,236 bytes, got 2,780"):
        unshade.put_back(plain.table + plain.contents, {path: PHONG})
    places = 144 + 12 * len(PIECES)
    shared = bytearray(plain.table)
    shared[places + 20 : places + 30] = shared[places + 10 : places + 20]  # the empty chunk
    with pytest.raises(UsageError, match=f"its blocks are those of {'03' * 11}09, too"):
        unshade.put_back(bytes(shared) + plain.contents, {path: new})


def test_what_is_not_read_in_a_container_is_named() -> None:
    several = container(partitions=2)
    with pytest.raises(UnsupportedError, match="several files of contents"):
        [*find(several.table + several.contents)]
    made = container("Zlib")
    oodle = made.table.replace(b"Zlib", b"Oodl") + made.contents
    with pytest.raises(UnsupportedError, match="packed by Oodl are not read"):
        [*find(oodle)]
    hidden = container("Zlib", flags=3)
    with pytest.raises(UnsupportedError, match="encrypted"):
        [*find(hidden.table + hidden.contents)]


@pytest.mark.parametrize("value", [0x01, 0x80, 0xFF])
def test_a_damaged_container_ends_in_our_errors(value: int) -> None:
    made = container("Zlib", chunks=(SAXPY, b"more"), block=2048)
    whole = made.table + made.contents
    path = f"unreal-container@0x0/{'01' * 11}09!dxbc@0x0"
    new = edited(SAXPY)
    for at in range(16, len(made.table)):
        bad = bytearray(whole)
        bad[at] ^= value
        with suppress(LimitError, UnsupportedError):
            list(find(bad, strict=False))
        with suppress(LimitError, UnsupportedError, UsageError):
            unshade.put_back(bad, {path: new})


def test_a_bomb_in_a_container_ends_with_the_limit() -> None:
    """Every chunk has the same blocks, which unpack to a thousand times their size."""
    made = container("Zlib", chunks=[bytes(1 << 20)] + [b""] * 200, block=1 << 20)
    table = bytearray(made.table)
    places = 144 + 12 * 201
    table[places : places + 2010] = table[places : places + 10] * 201
    with pytest.raises(LimitError, match="limit unpacked"):
        list(find(bytes(table) + made.contents, limits=Limits(unpacked=1 << 26)))
