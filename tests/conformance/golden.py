"""The golden results of corpus/execution: every module of a kind against its recorded words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tests.ratchet import Ratchet
from unshade import UnsupportedError
from unshade.vm.launch import Array


class GoldenCase(NamedTuple):
    """A module: `name` is that of its test (c01), `picture` the file of its storage images."""

    path: Path
    name: str
    groups: tuple[int, int, int]
    golden: Array
    picture: Path


def check_golden(
    corpus: Path, ratchet: Ratchet, figure: str, suffix: str, verdict: Callable[[GoldenCase], str]
) -> None:
    """Run every module with the suffix; `verdict` returns exact, within, or something else."""
    folder = corpus / "execution"
    manifest = json.loads((folder / "golden" / "manifest.json").read_text())
    counts: Counter[str] = Counter()
    outside = []
    for path in sorted(folder.glob(f"c*{suffix}")):
        base = path.name.removesuffix(suffix).removesuffix(".opt")
        output = folder / "golden" / f"{base}.out"
        golden = np.fromfile(output, "<u4")
        groups = tuple(manifest[base]["groups"])
        try:
            found = verdict(GoldenCase(path, base[:3], groups, golden, output.with_suffix(".img")))
        except UnsupportedError as error:
            found = f"unsupported: {error}"
        counts[found.partition(":")[0]] += 1
        if found not in ("exact", "within"):
            outside.append(f"{path.name} {found}")
    total = sum(counts.values())
    within = counts["exact"] + counts["within"]
    ratchet(f"execution/{figure}: golden, bit-exact", counts["exact"], total)
    ratchet(f"execution/{figure}: golden, within tolerance", within, total)
    assert not outside, outside
