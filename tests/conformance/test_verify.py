"""verify() finds nothing in files of compilers, and something in malformed ones.

Not made by a compiler: files of yaml2obj (llvm/), and those that DXC's test assembler made of a
source in assembler (a `.srcasm` stands beside it). Rules that those break are named here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.corpus import containers, pdbs
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade import loads
from unshade.errors import FormatError
from unshade.formats.dxcontainer import DxContainer
from unshade.rule import is_finding

# yaml2obj fills parts as its input says: one is too short for what it is, others are of resources
# that do not exist and of elements outside of all registers; programs have no bitcode, and stand
# without signatures and features.
YAML = {"dxil.bitcode", "dxil.parts", "part.malformed", "psv.value", "psv.vectors"}
# The assembler takes phases that end without ret, and ranges before what they range over.
ASSEMBLER = {"tpf.missing-ret", "tpf.indexrange"}


def origin(path: Path) -> str:
    if path.parent.name == "llvm":
        return "yaml2obj"
    return "assembler" if path.with_suffix(".srcasm").exists() else "compiler"


def test_compiled_files_have_no_findings(corpus: Path, ratchet: Ratchet) -> None:
    broken: list[str] = []
    others: dict[str, Counter[str]] = {"yaml2obj": Counter(), "assembler": Counter()}
    sound = total = 0
    for path in containers(corpus):
        found = [each for each in DxContainer.loads(path.read_bytes()).verify() if is_finding(each)]
        made_by = origin(path)
        if made_by == "compiler":
            total += 1
            sound += not found
            broken += [f"{path.name}: {each}" for each in found]
        else:
            others[made_by].update(each.code for each in found)
    assert broken == []
    assert set(others["yaml2obj"]) <= YAML
    assert set(others["assembler"]) <= ASSEMBLER
    ratchet("dxcontainer/verify: compiled files without a finding", sound, total)


def test_programs_and_pdbs_have_no_findings(corpus: Path, ratchet: Ratchet) -> None:
    """Those that run, whose containers vkd3d and dxc made, and the containers in PDBs."""
    execution = sorted((corpus / "execution").rglob("*.dx[bi][cl]"))
    paths = [*some(execution), *sorted((corpus / "bench").glob("*.dx[bi][cl]")), *pdbs(corpus)]
    broken = {
        path.name: str(each)
        for path in paths
        for each in loads(path.read_bytes()).verify()
        if is_finding(each)
    }
    assert broken == {}
    ratchet(
        "dxcontainer/verify: programs that run and PDBs without a finding", len(paths), len(paths)
    )


def test_malformed_files_are_refused_or_diagnosed(corpus: Path) -> None:
    paths = [
        path
        for path in sorted((corpus / "dxcontainer" / "malformed").iterdir())
        if path.suffix in (".dxbc", ".dxil")
    ]
    if not paths:
        pytest.skip("no malformed files")
    for path in paths:
        try:
            shader = DxContainer.loads(path.read_bytes())
        except FormatError:
            continue
        assert any(is_finding(each) for each in shader.verify()), path.name
