"""After everything is stripped, no file of the corpus has sources, paths or names left to remove.

What remains is what a runtime needs (names by which other stages and applications find things) and
the compiler's name in DXIL, which drivers read. A container without a program to run, which is a
PDB's, is left as it is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.ratchet import Ratchet
from tests.sampling import RARE, of_each_kind
from unshade.analysis.audit import Reveals, audit
from unshade.errors import UnshadeError
from unshade.shader import Shader, has_code
from unshade.stripping import STRIPPABLE

pytestmark = pytest.mark.conformance

SUFFIXES = ("dxbc", "dxil", "spv", "shbin", "skslb", "vbc")
LARGEST = 1 << 17
SECRET = (
    Reveals.SOURCE, Reveals.COMMENT, Reveals.PATH, Reveals.USER, Reveals.MACHINE, Reveals.TIME,
    Reveals.OPTIONS, Reveals.PDB, Reveals.TEXT,
)  # fmt: skip
RUNS = {"SHDR", "SHEX", "DXIL"}  # parts with a program that a runtime takes


def opened(path: Path) -> Shader | None:
    try:
        shader = unshade.open(path)
    except UnshadeError:
        return None
    if shader.format == "dxcontainer" and not RUNS & {each.name for each in shader.parts}:
        return None
    return shader if has_code(shader) else None


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_nothing_is_left_after_strip(corpus: Path, ratchet: Ratchet, suffix: str) -> None:
    paths = sorted(path for path in corpus.rglob(f"*.{suffix}") if path.stat().st_size < LARGEST)
    fine = total = 0
    for path in of_each_kind(paths, lambda path: path.relative_to(corpus).parts[:2], RARE):
        shader = opened(path)
        if shader is None:
            continue
        shader.strip(*STRIPPABLE)
        left = audit(type(shader).loads(shader.to_bytes()))
        found = [each for each in left if each.removed_by or each.category in SECRET]
        for each in found:
            print(f"{path.name}: {each}")
        total += 1
        fine += not found
    ratchet(f"audit/{suffix}: nothing left after strip", fine, total)
