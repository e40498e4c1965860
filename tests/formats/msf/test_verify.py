"""Rules of PDBs, and findings of the container inside with offsets in the file."""

import pytest

from tests.fixtures.one_of_each import typed
from tests.fixtures.pdbs import pdb
from unshade import loads
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.hash import DxilShaderHash
from unshade.formats.msf import MsfFile
from unshade.formats.msf.blocks import NamedStream
from unshade.formats.msf.verify import RULES
from unshade.rule import is_finding


def codes(found: MsfFile) -> set[str]:
    return {each.code for each in found.verify() if each.code in RULES}


def hashed() -> MsfFile:
    """Return a PDB whose GUID is another than the hash."""
    made = pdb()
    made.streams[5] = loads(typed("HASH", DxilShaderHash(digest=bytes(16))))
    return made


def without(number: int) -> MsfFile:
    made = pdb()
    made.streams[number] = b"bytes"
    return made


def test_a_sound_file() -> None:
    assert codes(pdb()) == set()
    found = pdb().verify()
    assert not any(is_finding(each) for each in found)
    assert "container.unsigned" not in {each.code for each in found}


def named(**places: int) -> MsfFile:
    """Return a PDB with a wrong entry of the table of names."""
    made = pdb()
    assert made.pdb is not None
    made.pdb.names, made.pdb.named = b"a\0", [NamedStream(**places)]
    return made


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (hashed(), "msf.guid"),
        (without(1), "msf.identity"),
        (without(5), "msf.container"),
        (named(name=2, stream=0), "msf.name"),
        (named(name=0, stream=6), "msf.name"),
    ],
    ids=["guid", "identity", "container", "name", "stream"],
)
def test_broken_files(made: MsfFile, code: str) -> None:
    assert codes(made) == {code}


def test_trailing_bytes_and_places() -> None:
    data = pdb().to_bytes() + b"more"
    (finding,) = [each for each in loads(data).verify() if each.code == "msf.trailing"]
    assert finding.offset == len(data) - 4


def test_places_in_the_file() -> None:
    made = pdb()
    inner = made.container
    assert isinstance(inner, DxContainer)
    inner["PRIV"] = bytes(600)
    inner["HASH"] = b"short"
    data = made.to_bytes()
    again = loads(data)
    finding = next(each for each in again.verify() if each.code == "part.malformed")
    assert finding.path.startswith("streams[5].HASH")
    assert finding.offset is not None
    assert data[finding.offset - 8 : finding.offset + 5].endswith(b"short") or (
        b"HASH" in data[finding.offset - 12 : finding.offset + 8]
    )
