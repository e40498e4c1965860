"""GLSL of the corpus's programs: written, accepted by glslangValidator, and the same bits.

A sampled run takes a share of the files: glslangValidator is a process for each program. The proof
(tests/decompile/recompiled.py) runs both programs on both engines, of one in twenty.
"""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.decompile.recompiled import outcome, recompiled
from tests.ratchet import Ratchet
from tests.sampling import is_sampled, some
from unshade.errors import UnshadeError, UnsupportedError
from unshade.vocab.words import Stage

from .test_decompile import LANGUAGES, opened, programs

ACCEPTED, PROVEN = 5, 20  # one in so many
LANES, SEEDS = 64, 1
STAGES = (Stage.PIXEL, Stage.VERTEX, Stage.COMPUTE, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools"),
]


def figure(language: str) -> str:
    """Return the name of a language's figures."""
    return LANGUAGES[language][2].replace("hlsl", "glsl")


@pytest.mark.parametrize("language", LANGUAGES)
def test_accepted(corpus: Path, ratchet: Ratchet, language: str) -> None:
    """Every program is written or refused by name, and glslangValidator accepts what is written."""
    total = written = accepted = 0
    problems: Counter[str] = Counter()
    chosen = programs(corpus, language)
    for path in some(chosen[::ACCEPTED]) if is_sampled() else chosen:
        found = opened(path, language)
        if found is None or found[1] not in STAGES:
            continue
        shader, stage, entry = found
        total += 1
        try:
            text = shader.decompile("glsl", "exact", entry=entry)
        except UnsupportedError as error:
            problems[str(error).split(" (line")[0]] += 1
            continue
        written += 1
        try:
            recompiled(text, stage, "glsl")
            accepted += 1
        except UnshadeError as error:
            problems[f"{path.name}: {error}"[:200]] += 1
    print(*problems, sep="\n")
    ratchet(figure(language), written, total)
    ratchet(f"{figure(language)}/accepted", accepted, written)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_bits(corpus: Path, ratchet: Ratchet, language: str) -> None:
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for path in some(programs(corpus, language)[::PROVEN]):
        found = opened(path, language)
        if found is None or found[1] not in STAGES:
            continue
        shader, stage, entry = found
        try:
            text = shader.decompile("glsl", "exact", entry=entry)
        except UnsupportedError:
            continue
        ended = outcome(shader, text, stage, LANES, SEEDS, entry, "glsl")
        counts[ended.split(":")[0]] += 1
        if ended != "equal":
            problems.append(f"{path.name}: {ended[:200]}")
    print(*problems, sep="\n")
    ratchet(f"{figure(language)}/equal", counts["equal"], counts.total() - counts["refused"])
