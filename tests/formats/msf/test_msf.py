"""MSF files: the container inside, edits, other layouts, and damage."""

import struct

import pytest

import unshade
from tests.fixtures.pdbs import pdb, with_sources
from unshade.errors import FormatError, LimitError
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.msf import MsfFile
from unshade.formats.msf.blocks import read_directory, write_streams
from unshade.limits import Limits

DATA = pdb().to_bytes()
BLOCK = 512


def load(data: bytes) -> MsfFile:
    found = unshade.loads(data)
    assert isinstance(found, MsfFile)
    return found


def test_the_container_inside() -> None:
    found = load(DATA)
    assert isinstance(found.container, DxContainer)
    assert found.pdb is not None
    assert found.pdb.guid == bytes(range(16))
    assert [each is None for each in found.streams] == [False, False, False, True, False, False]
    assert found.to_bytes() == DATA


def test_the_layout_of_dxc() -> None:
    assert struct.unpack_from("<6I", DATA, 32) == (BLOCK, 1, 6, 36, 0, 3)
    assert "layout" not in load(DATA).to_data()
    assert read_directory(DATA).layout.streams == [[], [5], [], [], [], [6]]


def test_sources() -> None:
    assert load(DATA).sources() == {
        "main.hlsl": b"float4 main() : SV_Target { return 1; }",
        "arguments.txt": b"-T ps_6_0\n-E main\n",
    }


def test_sources_in_streams_with_names() -> None:
    data = with_sources().to_bytes()
    found = load(data)
    assert found.sources() == {"shader.hlsl": b"float4 main();", "light.hlsli": b"float3 light;"}
    assert unshade.from_data(found.to_data()).to_bytes() == data
    assert found.pdb is not None
    found.pdb.named[0].stream = 9
    found.pdb.named[1].name = 999
    assert found.sources() == {}


def test_sources_in_a_container_with_a_pdb() -> None:
    shader = DxContainer([DxPart("SPDB", with_sources().to_bytes())])
    assert shader.sources()["light.hlsli"] == b"float3 light;"


def test_an_edited_container_moves_blocks() -> None:
    found = load(DATA)
    assert isinstance(found.container, DxContainer)
    found.container["PRIV"] = bytes(3000)
    again = load(found.to_bytes())
    assert again.container is not None
    assert again.container["PRIV"] == bytes(3000)
    assert len(found.to_bytes()) == len(DATA) + 6 * BLOCK


def test_another_order_of_blocks_is_kept() -> None:
    streams = [b"a" * 700, None, b"b" * 10]
    layout = load(write_streams(BLOCK, [*streams], None)).layout
    assert layout is None
    raw = bytearray(9 * BLOCK)
    usual = write_streams(BLOCK, [*streams], None)
    raw[: 5 * BLOCK] = usual[: 5 * BLOCK]
    raw[8 * BLOCK : 9 * BLOCK] = usual[5 * BLOCK : 6 * BLOCK]
    raw[5 * BLOCK : 6 * BLOCK] = usual[6 * BLOCK : 7 * BLOCK]
    raw[6 * BLOCK : 7 * BLOCK] = usual[7 * BLOCK : 8 * BLOCK]
    raw[7 * BLOCK + 5] = 0x77  # in no stream
    struct.pack_into("<4I", raw, 4 * BLOCK + 12, 10, 8, 5, 6)
    found = load(bytes(raw))
    assert found.streams == streams
    assert found.to_bytes() == raw
    assert unshade.from_data(found.to_data()).to_bytes() == raw
    assert "fill" in found.to_data()["layout"]


# fmt: off
@pytest.mark.parametrize(("at", "value", "path"), [
    (32, 100,         "block_size"),
    (32, 0,           "block_size"),
    (44, 0xFFFFFFFF,  "directory_size"),
    (52, 0xFFFFFFFF,  "directory_size"),
    (3 * BLOCK, 900,  "directory.blocks[0]"),
    (4 * BLOCK, 0xFFFFFFFF,      "directory"),
    (4 * BLOCK + 8, 0x7FFFFFFF,  "streams[1]"),
    (4 * BLOCK + 28, 77,         "streams[1].blocks[0]"),
])  # fmt: skip
def test_invalid_numbers(at: int, value: int, path: str) -> None:
    data = bytearray(DATA)
    struct.pack_into("<I", data, at, value)
    with pytest.raises(FormatError) as caught:
        MsfFile.loads(bytes(data))
    assert caught.value.path == path


def test_blocks_that_are_used_again_and_again() -> None:
    """A small directory can describe streams of many times the size of the file."""
    streams: list[bytes | None] = [bytes(BLOCK * 100)]
    data = bytearray(write_streams(BLOCK, streams, None))
    struct.pack_into("<100I", data, 4 * BLOCK + 8, *[6] * 100)
    assert load(bytes(data)).to_bytes() == data
    with pytest.raises(LimitError, match="overlap"):
        MsfFile.loads(bytes(data[: 12 * BLOCK]), Limits(overlap=2))


@pytest.mark.parametrize("change", [
    {"layout": {"size": 1 << 40}}, {"layout": []}, {"block_size": 7}, {"streams": 1}, {"odd": 1},
    {"streams": [{"data": "zz"}]}, {"streams": [{"shader": 1}]}, {"streams": [[]]},
    {"streams": [{"shader": {"format": "msf"}}]},
])  # fmt: skip
def test_invalid_plain_data(change: dict[str, object]) -> None:
    with pytest.raises(FormatError):
        unshade.from_data(load(DATA).to_data() | change)


def test_every_truncation() -> None:
    for end in range(0, len(DATA), 61):
        try:
            MsfFile.loads(DATA[:end])
        except FormatError:
            continue
        assert MsfFile.loads(DATA[:end]).to_bytes() == DATA[:end]
