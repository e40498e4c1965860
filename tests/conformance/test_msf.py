"""The PDBs of dxc: written back from their decoded streams alone, and their sources."""

from pathlib import Path

import unshade
from tests.corpus import pdbs
from tests.ratchet import Ratchet
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.msf import MsfFile


def test_round_trip(corpus: Path, ratchet: Ratchet) -> None:
    same = 0
    for path in pdbs(corpus):
        data = path.read_bytes()
        found = unshade.loads(data)
        assert isinstance(found, MsfFile)
        assert isinstance(found.container, DxContainer)
        text = unshade.to_yaml(found)
        made = unshade.from_data(found.to_data()).to_bytes() == data
        same += made and unshade.from_yaml(text).to_bytes() == data
    ratchet("msf/round trip: plain data and YAML", same, len(pdbs(corpus)))
    assert same == len(pdbs(corpus))


def test_sources(corpus: Path, ratchet: Ratchet) -> None:
    """The source is the file that was compiled, and the arguments name its profile."""
    right = total = 0
    for path in pdbs(corpus):
        found = unshade.open(path)
        if not (wanted := path.with_suffix(".hlsl")).exists() or not found.sources():
            continue
        total += 1
        sources = found.sources()
        same = wanted.read_bytes().replace(b"\r\n", b"\n")
        right += same in [each.replace(b"\r\n", b"\n") for each in sources.values()]
        lines = sources["arguments.txt"].splitlines()
        assert any(each.startswith((b"-T", b"/T")) for each in lines)
    ratchet("msf/sources as compiled", right, total)
    assert total
