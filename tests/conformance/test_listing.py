"""The listings of the corpus are reproduced byte for byte."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from tests.conformance.listing_exceptions import RULES
from tests.corpus import containers
from tests.ratchet import Ratchet
from tests.sampling import is_sampled
from unshade.errors import UnsupportedError
from unshade.formats.dxcontainer import DxContainer


def pairs(corpus: Path) -> list[tuple[Path, str, DxContainer]]:
    """Return every container that has fxc's listing beside it, with the listing."""
    found = []
    for path in containers(corpus):
        listing = path.with_suffix(".asm")
        if listing.exists():
            text = listing.read_bytes().decode()
            found.append((path, text, DxContainer.loads(path.read_bytes())))
    return found


def equal_lines(theirs: str, ours: str) -> int:
    """Return the number of their lines that occur in ours, in order."""
    a, b = theirs.splitlines(), ours.splitlines()
    return sum(block.size for block in SequenceMatcher(None, a, b, False).get_matching_blocks())


def test_listings(corpus: Path, ratchet: Ratchet) -> None:
    files = same_files = lines = same_lines = 0
    explained: Counter[str] = Counter()
    differ = []
    everything = pairs(corpus)
    for path, theirs, shader in everything:
        ours = shader.disassemble()
        count = theirs.count("\n")
        files += 1
        same_files += ours == theirs
        lines += count
        same_lines += count if ours == theirs else equal_lines(theirs, ours)
        rules = [rule for rule in RULES if ours != theirs and rule.applies(theirs)]
        for rule in rules:
            theirs, ours = rule.theirs(theirs), rule.ours(ours)  # noqa: PLW2901
            explained[rule.reason] += 1
        if ours != theirs:
            differ.append(path.name)
    ratchet("dxcontainer/listing: files", same_files, files)
    ratchet("dxcontainer/listing: their lines", same_lines, lines)
    ratchet(
        "dxcontainer/listing: files less exceptions", len(everything) - len(differ), len(everything)
    )
    assert not differ
    if not is_sampled():
        assert same_files >= 0.98 * files
        assert all(explained[rule.reason] for rule in RULES), "a rule that nothing needs"


def test_every_container_is_listed_or_refused(corpus: Path, ratchet: Ratchet) -> None:
    listed = with_program = 0
    for path in containers(corpus):
        shader = DxContainer.loads(path.read_bytes())
        if "SHDR" in shader or "SHEX" in shader:
            with_program += 1
            listed += shader.disassemble().endswith(" instruction slots used\n")
        elif "RTS0" in shader and "DXIL" not in shader and "ILDB" not in shader:
            assert shader.disassemble().startswith("// rootsig_1_")
        elif "DXIL" not in shader and "ILDB" not in shader:
            with pytest.raises(UnsupportedError, match="nothing to list"):
                shader.disassemble()
    ratchet("dxcontainer/listing: tokenized programs", listed, with_program)
    assert listed == with_program
