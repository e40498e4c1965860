"""Listings of the corpus: the lexers of Pygments have the words and kinds of the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import unshade
from tests.corpus import containers
from tests.report.test_lexers import CLASSES, kinds
from tests.sampling import fewer, is_sampled
from unshade.errors import UnshadeError

FAMILIES = {
    "dxcontainer": ("fxc", "dxc", "rootsig"),
    "shbin": ("picasso",),
    "sksl": ("sksl",),
    "spirv": ("spirv",),
    "vbc": ("vbc",),
}
MOST = 1 << 18  # bytes of a listing


def files(root: Path, family: str) -> list[Path]:
    """Return some files of a family, spread over all of them."""
    if family == "dxcontainer":
        found = containers(root)
    else:
        suffix = {"shbin": "shbin", "sksl": "skslb", "spirv": "spv", "vbc": "vbc"}[family]
        folder = root / ("execution" if family == "spirv" else family)
        found = sorted(each for each in folder.rglob(f"*.{suffix}") if "malf" not in str(each))
    return found[:: max(len(found) // fewer(200), 1)]


@pytest.mark.parametrize("family", FAMILIES)
def test_words_and_kinds_are_those_of_the_terminal(corpus: Path, family: str) -> None:
    seen: set[str] = set()
    for path in files(corpus, family):
        try:
            shader = unshade.open(path)
            text = shader.disassemble()
        except UnshadeError:
            continue
        if len(text) > MOST:
            continue
        rated = {name: each.analyse_text(text) for name, each in CLASSES.items()}
        language = max(rated, key=lambda name: rated[name])
        assert rated[language] >= 0.9, path
        assert kinds(CLASSES[language](), text) == list(shader.lexer().tokens(text)), path
        seen.add(language)
    assert seen == {*FAMILIES[family]} or is_sampled()
