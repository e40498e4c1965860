"""Streams as parts, and their differences."""

from __future__ import annotations

import struct

from tests.fixtures.one_of_each import sources, typed
from tests.fixtures.pdbs import pdb, with_sources
from tests.programs.dxil.modules import SAXPY
from tests.programs.dxil.test_comparison import debug, names
from unshade import diff, loads
from unshade.analysis.diff import Category, Diff
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.msf import MsfFile
from unshade.formats.msf.blocks import PdbStream, read_directory
from unshade.formats.msf.parts import StreamPart
from unshade.overview import parts_of
from unshade.programs.dxil import Program


def test_streams_and_the_parts_of_the_container() -> None:
    listed = [(each.name, each.size, each.state) for each in parts_of(pdb())]
    size = pdb().container.parts["SRCI"].size  # type: ignore[union-attr]
    assert listed == [("streams[1]", 56, "typed"), ("streams[5].SRCI", size, "typed")]


def test_parts_are_where_their_bytes_are() -> None:
    data = pdb().to_bytes()
    for file in (pdb(), loads(data)):
        for part in file.parts:
            (start, end), *others = part.extents
            assert not others
            assert data[start:end].endswith(part.data)
            assert (part.offset, part.size) == (start, len(part.data))


def test_titles_of_named_streams() -> None:
    titles = {each.name: each.title for each in with_sources().parts}
    assert titles == {
        "streams[1]": "identity of the PDB: GUID, age, names of streams",
        "streams[2]": "source",
        "streams[3]": "source light.hlsli",
        "streams[4]": "/src/headerblock",
    }


def test_a_stream_in_several_runs() -> None:
    """The second block of the stream is before the first."""
    usual = MsfFile([b"a" * 700]).to_bytes()
    data = bytearray(usual)
    directory = data.rindex((700).to_bytes(4, "little"))
    first, second = (int.from_bytes(data[directory + at :][:4], "little") for at in (4, 8))
    data[directory + 4 : directory + 12] = b"".join(
        each.to_bytes(4, "little") for each in (second, first)
    )
    (part,) = loads(bytes(data)).parts
    assert part.extents == [
        (second * 512, second * 512 + 512),
        (first * 512, first * 512 + 188),
    ]
    assert (part.offset, part.size) == (second * 512, 700)
    assert repr(part) == f"<StreamPart streams[0] at 0x{second * 512:x}>"


def changes(found: Diff) -> list[tuple[str, str, str]]:
    return [
        (each.path, each.before_text, each.after_text)
        for part in found.parts
        for each in part.fields
    ]


def test_a_difference_of_the_identity() -> None:
    after = pdb()
    assert isinstance(after.streams[1], PdbStream)
    after.streams[1].age = 7
    after.streams[1].guid = bytes(16)
    found = diff(pdb(), after)
    assert found.categories == [Category.DIGEST, Category.CONTAINER]
    assert changes(found) == [
        ("streams[1].age", "1", "7"),
        ("streams[1].guid", bytes(range(16)).hex(), bytes(16).hex()),
    ]


def test_a_difference_of_a_source() -> None:
    after = with_sources()
    after.streams[3] = b"float4 light;"
    found = diff(with_sources(), after)
    assert [(each.name, each.categories) for each in found.parts] == [
        ("streams[3]", [Category.DEBUG])
    ]


def test_a_difference_of_a_part_of_the_container() -> None:
    after = pdb()
    assert isinstance(after.container, DxContainer)
    after.container["VERS"] = bytes(4)
    (added,) = diff(pdb(), after).parts
    assert (added.name, str(added.change)) == ("streams[5].VERS", "added")


def renamed() -> MsfFile:
    """Return a PDB with the example, in which a value has a name and there is a source file."""
    shader = loads(SAXPY.read_bytes())
    program = shader.programs[0]
    assert isinstance(program, Program)
    names(program)
    debug(program)
    return MsfFile([b"", shader])


def test_a_difference_of_names_lists_them() -> None:
    found = diff(MsfFile([b"", loads(SAXPY.read_bytes())]), renamed())
    assert Category.CODE not in found.categories
    assert {Category.REFLECTION} <= set(found.categories)
    assert set(changes(found)) >= {
        ("streams[1].DXIL.main.%4", "", "handle"),
        ("streams[1].DXIL.metadata", "", "a.hlsl"),
        ("streams[1].DXIL.metadata", "", "void main() {}"),
    }


def test_a_malformed_part_of_the_container_is_damage() -> None:
    broken = bytearray(typed("SRCI", sources()))
    at = broken.index(b"SRCI") + 8
    broken[at + 6 : at + 8] = b"\xff" * 2  # number of sections
    file = MsfFile([b"", loads(bytes(broken))])
    (part,) = file.parts
    assert isinstance(part, StreamPart)
    assert part.error is not None
    assert parts_of(file)[0].state == "malformed"


def test_parts_in_blocks_that_are_apart() -> None:
    """The extents of a part are the runs of its blocks, also within a block and across two."""
    made = pdb()
    assert isinstance(made.container, DxContainer)
    made.container["PRIV"] = bytes(range(256)) * 6
    usual = made.to_bytes()
    layout = read_directory(usual).layout
    first = layout.streams[5][0]
    assert len(layout.streams[5]) >= 4
    data = bytearray(usual)
    second, third = first + 1, first + 2
    data[second * 512 : third * 512] = usual[third * 512 : (third + 1) * 512]
    data[third * 512 : (third + 1) * 512] = usual[second * 512 : third * 512]
    start = 4 * 512 + 4 + 4 * len(made.streams) + 4 * len(layout.streams[1])
    struct.pack_into("<3I", data, start, first, third, second)
    found = loads(bytes(data))
    assert isinstance(found, MsfFile)
    for part in found.parts:
        whole = b"".join(bytes(data[at:end]) for at, end in part.extents)
        assert whole.endswith(part.data)
    parts = {each.name: each for each in found.parts}
    assert len(parts["streams[5].PRIV"].extents) == 4
    assert all(at // 512 == (end - 1) // 512 or at % 512 == 0 for at, end in
               parts["streams[5].PRIV"].extents[1:])  # fmt: skip


def test_the_size_of_blocks_is_512_by_default() -> None:
    plain = pdb().to_data()
    del plain["block_size"]
    assert MsfFile.from_data(plain).to_bytes() == pdb().to_bytes()
