"""Blocks of MSF files: every number at its bounds, and layouts as plain data."""

from __future__ import annotations

import struct
from typing import Any

import pytest

import unshade
from tests.fixtures.pdbs import with_sources
from tests.formats.sizes import check_size_is_limited
from unshade.errors import FormatError, LimitError
from unshade.formats.msf import MsfFile
from unshade.formats.msf.blocks import (
    MAGIC,
    MsfLayout,
    NamedStream,
    PdbStream,
    block_layout,
    read_directory,
    read_streams,
    write_streams,
)
from unshade.limits import Limits
from unshade.wire import write

BLOCK = 512
STREAMS: list[bytes | None] = [b"", b"a" * 512, None, b"b" * 513]
DATA = write_streams(BLOCK, STREAMS, None)


def changed(*values: tuple[int, int], data: bytes = DATA) -> bytes:
    """Return the data with other numbers at some offsets."""
    made = bytearray(data)
    for at, value in values:
        struct.pack_into("<I", made, at, value)
    return bytes(made)


def problem(data: bytes) -> tuple[int | None, str, str]:
    """Return offset, path and text of the error that reading ends in."""
    with pytest.raises(FormatError) as caught:
        read_streams(data, Limits())
    return caught.value.offset, caught.value.path, caught.value.problem


def test_a_whole_file() -> None:
    """Header, two maps, numbers of the directory, directory, then three blocks of streams."""
    header = MAGIC + struct.pack("<6I", BLOCK, 1, 7, 32, 0, 3)
    assert header == DATA[:56]
    assert DATA[3 * BLOCK :][:8] == struct.pack("<2I", 4, 0)
    directory = struct.pack("<8I", 4, 0, 512, 0xFFFF_FFFF, 513, 5, 6, 7)
    assert DATA[4 * BLOCK :][:36] == directory + bytes(4)
    assert DATA[5 * BLOCK :] == b"a" * 512 + b"b" * 513 + bytes(511)
    assert not any(DATA[56 : 3 * BLOCK])
    found = read_streams(DATA, Limits())
    assert (found.block_size, found.streams) == (BLOCK, STREAMS)
    assert found.layout == block_layout(BLOCK, STREAMS)
    assert found.layout == MsfLayout(8 * BLOCK, 1, 7, 0, 3, [4], [[], [5], [], [6, 7]], b"", {})


@pytest.mark.parametrize("size", [1 << bits for bits in range(9, 17)])
def test_sizes_of_blocks(size: int) -> None:
    data = write_streams(size, [b"x", b"y" * (size + 1)], None)
    assert len(data) == 8 * size
    assert read_streams(data, Limits()).streams == [b"x", b"y" * (size + 1)]
    for other in (size - 1, size + 1):
        _, path, text = problem(changed((32, other), data=data))
        assert (path, text) == (
            "block_size",
            f"expected a block size from 512 to 65536, got {other}",
        )


@pytest.mark.parametrize("size", [256, 131072])
def test_blocks_that_are_too_small_or_too_large(size: int) -> None:
    assert problem(changed((32, size)))[:2] == (32, "block_size")


@pytest.mark.parametrize("count", [126, 127, 128, 254, 255])
def test_directories_of_several_blocks(count: int) -> None:
    """4 bytes for their number and 4 for each absent stream: 127 fit in a block of 512 bytes."""
    streams: list[bytes | None] = [None] * count
    data = write_streams(BLOCK, streams, None)
    found = read_directory(data)
    assert found.head.directory_size == 4 + 4 * count
    assert len(found.layout.directory) == 1 + (count > 127) + (count > 255)
    assert read_streams(data, Limits()).streams == streams


def test_the_size_of_the_directory() -> None:
    assert problem(changed((44, len(DATA) + 1))) == (
        44, "directory_size",
        f"expected a directory of at most {len(DATA)} bytes, got {len(DATA) + 1}",
    )  # fmt: skip
    for size, path in ((4, "directory"), (19, "directory"), (20, "streams[1]"), (27, "streams[3]"),
                       (31, "streams[3]")):  # fmt: skip
        assert problem(changed((44, size)))[:2] == (4 * BLOCK, path)
    assert problem(changed((44, 3)))[1] == "directory"
    assert problem(changed((44, 0))) == (
        0, "directory", "expected sizes of 0 streams, got 0 bytes"
    )  # fmt: skip
    longer = read_directory(changed((44, 36)))
    assert longer.layout.directory_tail == bytes(4)


def test_the_numbers_of_the_directory_end_with_the_file() -> None:
    last = len(DATA) // BLOCK - 1
    data = changed((52, last), (last * BLOCK, 4))
    assert read_directory(data).layout.directory == [4]
    assert problem(changed((52, last + 1)))[1] == "directory_size"
    tail = DATA + struct.pack("<I", 4)
    assert read_directory(changed((52, last + 1), data=tail)).layout.directory == [4]
    assert problem(changed((52, last + 1), data=tail[:-1]))[1] == "directory_size"


def test_numbers_of_blocks() -> None:
    last = len(DATA) // BLOCK - 1
    assert problem(changed((3 * BLOCK, last + 1))) == (
        3 * BLOCK, "directory.blocks[0]", f"expected a block before 0x{len(DATA):x}, got number 8",
    )  # fmt: skip
    at = 4 * BLOCK + 28  # the second block of stream 3
    assert problem(changed((at, last + 1)))[:2] == (4, "streams[3].blocks[1]")
    assert read_streams(changed((at, last)), Limits()).streams[3] == b"b" * 513
    assert (
        read_streams(changed((at - 4, last + 0)), Limits()).streams[3] == b"b" + bytes(511) + b"b"
    )
    short = DATA[: last * BLOCK + 1]
    assert read_streams(short, Limits()).streams == STREAMS
    assert problem(short[:-1])[1] == "streams[3].blocks[1]"


def test_the_number_of_streams() -> None:
    for number, path in ((8, "directory"), (7, "streams[1]"), (6, "streams[3]")):
        offset, found, _ = problem(changed((4 * BLOCK, number)))
        assert (offset, found) == (4 * BLOCK, path)
    assert problem(changed((4 * BLOCK, 8)))[2] == "expected sizes of 8 streams, got 32 bytes"
    assert read_streams(changed((4 * BLOCK, 1)), Limits()).streams == [b""]


def test_the_overlap_of_streams_is_limited() -> None:
    assert len(read_streams(DATA, Limits(overlap=1)).streams) == 4
    small = write_streams(BLOCK, [bytes(BLOCK * 30)], None)
    again = bytearray(small[: 6 * BLOCK])
    struct.pack_into("<30I", again, 4 * BLOCK + 8, *[5] * 30)
    assert read_streams(bytes(again), Limits(overlap=5)).streams == [bytes(again[5 * BLOCK :]) * 30]
    with pytest.raises(LimitError, match="streams of 15360 bytes in 3072"):
        read_streams(bytes(again), Limits(overlap=4))


def test_bytes_outside_of_streams_are_kept_in_runs() -> None:
    data = bytearray(DATA)
    for at, raw in ((60, b"ab"), (64, b"c"), (127, b"d"), (128, b"e"), (7 * BLOCK + 1, b"z")):
        data[at : at + len(raw)] = raw
    data[-1:] = b"!"
    found = read_streams(bytes(data), Limits())
    assert found.layout.fill == {
        60: b"ab", 64: b"c", 127: b"d", 128: b"e", 7 * BLOCK + 1: b"z", 8 * BLOCK - 1: b"!",
    }  # fmt: skip
    assert write_streams(BLOCK, found.streams, found.layout) == data
    plain = found.layout.to_data()
    assert plain["fill"]["0x3c"] == "6162"
    assert MsfLayout.from_data(plain, BLOCK) == found.layout


def test_a_layout_that_does_not_fit_is_dxcs() -> None:
    layout = read_directory(changed((32, BLOCK))).layout._replace(free_map=2)
    assert write_streams(BLOCK, STREAMS, layout)[36] == 2
    longer: list[bytes | None] = [*STREAMS[:3], b"b" * 1025]
    assert write_streams(BLOCK, longer, layout)[36] == 1
    assert write_streams(BLOCK, longer, layout) == write_streams(BLOCK, longer, None)
    more: list[bytes | None] = [*STREAMS, None]
    assert write_streams(BLOCK, more, layout) == write_streams(BLOCK, more, None)


def plain(**changes: Any) -> dict[str, Any]:
    return block_layout(BLOCK, STREAMS).to_data() | changes


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"size": -1}, "expected numbers of 32 bits"),
        ({"size": 0x1_0000_0000}, "expected numbers of 32 bits"),
        ({"unknown": 0x1_0000_0000}, "expected numbers of 32 bits"),
        ({"free_map": -1}, "expected numbers of 32 bits"),
        ({"map_block": 8}, "expected blocks before 0x1000, got 8"),
        ({"directory": [8]}, "expected blocks before 0x1000, got 8"),
        ({"streams": [[], [8], [], []]}, "expected blocks before 0x1000, got 8"),
        ({"size": 7 * 512}, "expected blocks before 0xe00, got 7"),
        ({"fill": {"0xfff": "0000"}}, "expected all bytes before the end, got a size of 4096"),
        ({"fill": {"-0x1": "00"}}, "expected blocks before"),
        ({"fill": {"x": "00"}}, "invalid literal"),
        ({"directory_tail": 5}, "argument"),
        ({"more": 1}, "unexpected keyword"),
    ],
)
def test_layouts_that_are_invalid(change: dict[str, Any], text: str) -> None:
    with pytest.raises(FormatError, match=f"layout: invalid layout: .*{text}"):
        MsfLayout.from_data(plain(**change), BLOCK)


@pytest.mark.parametrize(
    "change",
    [
        {"size": 7 * 512 + 1}, {"unknown": 0xFFFF_FFFF}, {"map_block": 7}, {"directory": [0]},
        {"fill": {"0xfff": "00"}}, {"fill": {"0x0": "00"}},
    ],
)  # fmt: skip
def test_layouts_at_their_bounds(change: dict[str, Any]) -> None:
    found = MsfLayout.from_data(plain(**change), BLOCK)
    assert found.to_data() == plain(**change)


def test_names_of_streams() -> None:
    identity = PdbStream(
        version=1, signature=2, age=3, guid=bytes(16), names=b"a\0bc\0d", capacity=4,
        present=[7], deleted=[], rest=b"",
        named=[NamedStream(name=0, stream=1), NamedStream(name=2, stream=9),
               NamedStream(name=5, stream=3), NamedStream(name=6, stream=4)],
    )  # fmt: skip
    assert identity.streams_by_name() == {"a": 1, "bc": 9, "d": 3}
    assert write(identity) == (
        struct.pack("<3I", 1, 2, 3) + bytes(16) + struct.pack("<I", 6) + b"a\0bc\0d"
        + struct.pack("<5I", 4, 4, 1, 7, 0) + struct.pack("<8I", 0, 1, 2, 9, 5, 3, 6, 4)
    )  # fmt: skip


def test_sources_are_in_streams_that_exist() -> None:
    data = with_sources().to_bytes()
    found = unshade.loads(data)
    assert isinstance(found, MsfFile)
    assert found.pdb is not None
    last = len(found.streams) - 1
    found.pdb.named[1].stream = last
    assert found.sources()["light.hlsli"] == b"header"
    found.pdb.named[1].stream = last + 1
    assert set(found.sources()) == {"shader.hlsl"}


@pytest.mark.parametrize(
    ("stream", "path", "text"),
    [
        ({"shader": {"format": "msf"}}, "streams[0].shader", "expected no msf file inside another"),
        ({"shader": {"format": 5}}, "streams[0].shader", "expected a shader, got {'format': 5}"),
        ({"shader": {"format": "dxcontainer", "odd": 1}}, "streams[0].shader", "odd"),
        ({"pdb": {"odd": 1}}, "streams[0].pdb", "odd"),
        ({"data": 5}, "streams[0].data", "got"),
        ({"data": "", "pdb": {}}, "streams[0]", "expected a stream"),
        (5, "streams[0]", "expected a stream, got 5"),
    ],
)
def test_streams_that_are_invalid(stream: Any, path: str, text: str) -> None:
    with pytest.raises(FormatError) as caught:
        unshade.from_data({"format": "msf", "block_size": 512, "streams": [stream]})
    assert caught.value.path.startswith(path)
    assert text in str(caught.value)


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(MsfFile.loads, DATA)


def test_spans_of_streams() -> None:
    """A stream of two blocks has two, one without bytes none; the rest is in no stream."""
    found = MsfFile.loads(write_streams(BLOCK, [b"x" * 5, b"", None, b"a" * 600, b"z"], None))
    spans = [(each.path, each.offset, each.length) for each in found.spans() if each.offset >= 2560]
    assert spans == [
        ("streams[0]", 2560, 5), ("unused", 2565, 507), ("streams[3]", 3072, 512),
        ("streams[3]", 3584, 88), ("unused", 3672, 424), ("streams[4]", 4096, 1),
        ("unused", 4097, 511),
    ]  # fmt: skip
    of_directory = [each for each in found.spans() if each.path.startswith("directory[")]
    assert [each.value for each in of_directory] == [
        5, 5, 0, 0xFFFF_FFFF, 600, 1, 5, 6, 7, 8,
    ]  # fmt: skip
    assert [each.offset for each in of_directory] == [2048 + 4 * at for at in range(10)]


def test_spans_of_typed_streams() -> None:
    found = MsfFile.loads(with_sources().to_bytes())
    places = {each.path: each.offset for each in found.spans()}
    assert (places["streams[1].version"], places["streams[1].rest"]) == (2560, 2688)
    assert [places[f"streams[{number}]"] for number in (2, 3, 4)] == [3072, 3584, 4096]


def test_titles_of_streams_by_number() -> None:
    """The numbers are those of LLVM's page on PDB files."""
    found = MsfFile.loads(write_streams(BLOCK, [b"a", b"b", b"c", b"d", b"e", b"f"], None))
    titles = [each.title for each in found.parts]
    assert titles[0] == "directory of the version before"
    assert titles[2:5] == ["types", "debug information", "ids"]
    assert len(set(titles)) == 6 or titles[1] == titles[5]
