"""`extract --sources`: the sources in a container, alone or in a PDB."""

from pathlib import Path

import pytest

from tests.cli.terminal import unshade
from tests.fixtures.one_of_each import sources, typed
from tests.fixtures.pdbs import pdb


@pytest.mark.parametrize("name", ["a.pdb", "a.dxil"])
def test_sources(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pdb().to_bytes() if name == "a.pdb" else typed("SRCI", sources()))
    ended = unshade("extract", "--sources", "-o", tmp_path / "out", path)
    assert ended.code == 0
    made = {each.name: each.read_bytes() for each in (tmp_path / "out").iterdir()}
    assert made == {
        "00-main.hlsl": b"float4 main() : SV_Target { return 1; }",
        "01-arguments.txt": b"-T ps_6_0\n-E main\n",
    }


def test_names_of_sources_stay_in_the_folder(tmp_path: Path) -> None:
    made = sources()
    made.sections[0].content.names[0].name = "../../etc/passwd"  # type: ignore[union-attr]
    path = tmp_path / "a.dxil"
    path.write_bytes(typed("SRCI", made))
    assert unshade("extract", "--sources", "-o", tmp_path / "out", path).code == 0
    assert (tmp_path / "out" / "00-..%2f..%2fetc%2fpasswd.bin").exists() or any(
        "%2f" in each.name for each in (tmp_path / "out").iterdir()
    )


def test_without_sources(tmp_path: Path) -> None:
    path = tmp_path / "a.dxbc"
    path.write_bytes(typed("PRIV", b""))
    ended = unshade("extract", "--sources", "-o", tmp_path / "out", path)
    assert ended.code == 4
    assert "no sources inside" in ended.err
    assert unshade("extract", "--sources", "--only", "PRIV", "-o", tmp_path, path).code == 2
