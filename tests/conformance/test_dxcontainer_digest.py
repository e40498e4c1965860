"""Every digest of the corpus that is not all zero is reproduced."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.corpus import containers
from tests.ratchet import Ratchet
from unshade.formats.dxcontainer.digest import COVERED_FROM, OFFSET, SIZE, DigestKind, identify


def test_digests(corpus: Path, ratchet: Ratchet) -> None:
    kinds: Counter[DigestKind] = Counter()
    for path in containers(corpus):
        data = path.read_bytes()
        kinds[identify(data[OFFSET : OFFSET + SIZE], memoryview(data)[COVERED_FROM:])] += 1
    signed = kinds.total() - kinds[DigestKind.NONE]
    ratchet("dxcontainer/digest", kinds[DigestKind.RETAIL] + kinds[DigestKind.DEBUG], signed)
    assert kinds[DigestKind.UNKNOWN] == 0
