"""Private data of a PDB: what it is, how many bytes, and that nothing else goes."""

from collections.abc import Callable

import pytest

import unshade
from tests.fixtures.pdbs import pdb, with_sources
from unshade.formats.msf import MsfFile

CREATED = 0x5F00_0000
TIME = ("time of creation", 4, "private", "when the PDB was made")  # a 32-bit number


def made(file: MsfFile) -> MsfFile:
    assert file.pdb is not None
    file.pdb.signature = CREATED
    found = unshade.loads(file.to_bytes())
    assert isinstance(found, MsfFile)
    return found


def test_private_data_of_fxc() -> None:
    names = len(b"/src/headerblock\0/src/files/\0/src/files/light.hlsli\0") + 3 * 8
    assert [tuple(each) for each in made(with_sources()).strippable("private")] == [
        ("streams[2]", len(b"float4 main();"), "private", "source"),
        ("streams[3]", len(b"float3 light;"), "private", "source light.hlsli"),
        ("streams[4]", len(b"header"), "private", "/src/headerblock"),
        TIME,
        ("names of streams", names, "private", "paths of sources"),
    ]


def test_private_data_of_dxc() -> None:
    found = made(pdb())
    assert found.container is not None
    source = found.container.parts.all("SRCI")[0]
    assert [tuple(each) for each in found.strippable("private")] == [
        ("streams[5].SRCI", source.size, "private", "source"),
        TIME,
    ]
    assert found.strippable("debug") == []


@pytest.mark.parametrize("file", [pdb, with_sources])
def test_what_is_left(file: Callable[[], MsfFile]) -> None:
    found = made(file())
    assert found.pdb is not None
    identity = found.pdb.guid, found.pdb.age, found.pdb.version
    found.strip("private")
    again = unshade.loads(found.to_bytes())
    assert isinstance(again, MsfFile)
    assert again.pdb is not None
    assert (again.pdb.guid, again.pdb.age, again.pdb.version) == identity
    assert (again.pdb.signature, again.pdb.names, again.pdb.named) == (0, b"", [])
    assert again.sources() == {}
    assert again.strippable("private") == []
    assert b"float" not in again.to_bytes()


def test_remains_of_another_version() -> None:
    data = bytearray(made(pdb()).to_bytes())
    unused = next(each for each in unshade.loads(data).spans() if each.path == "unused")
    data[unused.offset : unused.offset + 5] = b"C:\\me"
    found = unshade.loads(bytes(data))
    lost = [tuple(each) for each in found.strippable("private")][-1]
    assert lost == ("blocks in no stream", unused.length, "private", "remains of versions before")
    found.strip("private")
    assert b"C:\\me" not in found.to_bytes()
