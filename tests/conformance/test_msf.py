"""The PDBs of dxc: written back from their decoded streams alone, and their sources."""

from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from tests.sampling import of_each_kind
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.msf import MsfFile


@pytest.fixture(scope="module")
def pdbs(corpus: Path) -> list[Path]:
    found = sorted((corpus / "dxcontainer").rglob("*.pdb"))
    return of_each_kind(found, lambda path: path.stem.rpartition("__")[2])


def test_round_trip(pdbs: list[Path], ratchet: Ratchet) -> None:
    same = 0
    for path in pdbs:
        data = path.read_bytes()
        found = unshade.loads(data)
        assert isinstance(found, MsfFile)
        assert isinstance(found.container, DxContainer)
        text = unshade.to_yaml(found)
        made = unshade.from_data(found.to_data()).to_bytes() == data
        same += made and unshade.from_yaml(text).to_bytes() == data
    ratchet("msf/round trip: plain data and YAML", same, len(pdbs))
    assert same == len(pdbs)


def test_sources(pdbs: list[Path], ratchet: Ratchet) -> None:
    """The source is the file that was compiled, and the arguments name its profile."""
    right = total = 0
    for path in pdbs:
        found = unshade.open(path)
        if not (wanted := path.with_suffix(".hlsl")).exists() or not found.sources():
            continue
        total += 1
        sources = found.sources()
        same = wanted.read_bytes().replace(b"\r\n", b"\n")
        right += same in [each.replace(b"\r\n", b"\n") for each in sources.values()]
        assert b"-T " in sources["arguments.txt"]
    ratchet("msf/sources as compiled", right, total)
    assert total
