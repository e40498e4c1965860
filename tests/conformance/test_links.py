"""Fields and lines of a page lead to each other: hex, field, line, field, hex."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import pytest

import unshade
from tests import corpus as files
from tests.ratchet import Ratchet
from unshade.report.listing import CodeListing
from unshade.report.tree import FieldTree

LARGEST = 1 << 15  # bytes of a file
CODE = re.compile(
    r"(?:^|\.)(?:instructions|code|descriptors|elements|bitcode\.blocks\[\d+\]\.items)\["
)
# One of so many files is taken, by its name: the same ones in every run.
FAMILIES: dict[str, tuple[int, Callable[[Path], list[Path]]]] = {
    "containers": (24, files.containers),
    "shbins": (2, files.shbins),
    "modules": (4, lambda root: sorted(root.rglob("*.spv"))),
    "sksl": (2, files.sksl_programs),
}


def some(family: str, root: Path) -> list[Path]:
    count, found = FAMILIES[family]
    return [
        path
        for path in found(root)
        if path.stat().st_size <= LARGEST and not crc32(path.name.encode()) % count
    ]


@pytest.mark.parametrize("family", FAMILIES)
def test_fields_of_the_code_have_lines(family: str, corpus: Path, ratchet: Ratchet) -> None:
    wrong: list[tuple[str, str]] = []
    linked = total = 0
    for path in some(family, corpus):
        shader = unshade.open(path)
        spans = shader.spans()
        tree = FieldTree.of(spans)
        listing = CodeListing.of(shader, tree)
        wrong += [
            (path.name, each) for paths in listing.paths for each in paths if each not in tree.paths
        ]
        shown = [set(map(tree.paths.get, paths)) for paths in listing.paths]
        lines: dict[int | None, int] = {}
        for line, nodes in enumerate(shown):
            for each in nodes:
                lines.setdefault(each, line)
        for span in spans:
            if not CODE.search(span.path):
                continue
            total += 1
            node = tree.paths[span.path]
            while node not in lines and tree.up[node]:
                node -= tree.up[node]
            if node not in lines:
                continue
            linked += 1
            low, width = span.bits or (0, 8 * span.length)
            first = 8 * span.offset + low
            if node not in shown[lines[node]] or not (
                tree.start[node] <= first and first + width <= tree.end[node]
            ):
                wrong.append((path.name, span.path))
    assert wrong == []
    ratchet(f"links: fields of the code of {family} with a line", linked, total)
