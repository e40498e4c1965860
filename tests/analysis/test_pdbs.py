"""PDBs of a folder: found by the hash of the shader, whatever their names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unshade
from tests.cli.terminal import unshade as command
from tests.examples import EXAMPLES
from tests.fixtures.one_of_each import sources
from unshade.analysis.pdbs import PdbFolder
from unshade.formats.dxcontainer.parts.hash import DxilShaderHash
from unshade.formats.msf import MsfFile
from unshade.formats.msf.blocks import PdbStream

DIGEST = bytes(range(16, 32))


def shader(digest: bytes = DIGEST) -> unshade.DxContainer:
    made = unshade.DxContainer.open(EXAMPLES / "saxpy6.dxil")
    made["HASH"] = DxilShaderHash(digest=digest)
    return made


def pdb(digest: bytes = DIGEST) -> bytes:
    """Return a PDB as dxc writes it: a container with the hash and the sources of a shader."""
    inner = shader(digest)
    inner["SRCI"] = sources()
    identity = PdbStream(version=20000404, age=1, guid=bytes(16), rest=bytes(8))
    return MsfFile([b"", identity, b"", None, b"", inner]).to_bytes()


@pytest.mark.parametrize("name", [f"{DIGEST.hex()}.pdb", "renamed.PDB", "deep/er/light.pdb"])
def test_found_by_the_hash(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pdb())
    (tmp_path / "other.pdb").write_bytes(pdb(bytes(16)))
    folder = PdbFolder(str(tmp_path))
    assert folder.path_of(shader()) == str(path)
    found = folder.of(shader())
    assert found is not None
    assert found.format == "msf"
    assert folder.path_of(shader(b"\1" * 16)) is None


def test_a_name_alone_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / f"{DIGEST.hex()}.pdb").write_bytes(pdb(bytes(16)))
    (tmp_path / "text.pdb").write_text("no PDB")
    assert PdbFolder(str(tmp_path)).path_of(shader()) is None


def test_a_shader_without_a_hash_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.pdb").write_bytes(pdb())
    assert PdbFolder(str(tmp_path)).of(unshade.open(EXAMPLES / "lit.shbin")) is None


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(unshade.UsageError, match="gone"):
        PdbFolder(str(tmp_path / "gone")).path_of(shader())


def test_commands(tmp_path: Path) -> None:
    folder, file = tmp_path / "symbols", tmp_path / "a.dxil"
    folder.mkdir()
    (folder / "x.pdb").write_bytes(pdb())
    file.write_bytes(shader().to_bytes())
    assert json.loads(command("info", "--json", file, "--pdbs", folder).out)["pdb"] == str(
        folder / "x.pdb"
    )
    ended = command("extract", "--sources", file, "--pdbs", folder, "-o", tmp_path / "out")
    assert ended.code == 0
    assert len(list((tmp_path / "out").iterdir())) > 1
    ended = command("extract", file, "--pdbs", folder, "-o", tmp_path / "more")
    assert (ended.code, "--pdbs needs --sources" in ended.err) == (2, True)
    (folder / "x.pdb").unlink()
    ended = command("extract", "--sources", file, "--pdbs", folder, "-o", tmp_path / "none")
    assert (ended.code, "no PDB with its hash in" in ended.err) == (4, True)
