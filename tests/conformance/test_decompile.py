"""HLSL of the corpus's programs: written, accepted by Slang, and the same bits.

The proof (tests/decompile/recompiled.py) of a whole run takes every program, with one seed on the
engine that compiles nothing. A sampled run takes one in 25, with two seeds on both engines.
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import unshade
from tests.decompile.recompiled import outcome
from tests.ratchet import Ratchet
from tests.sampling import is_sampled, some
from unshade.errors import UnshadeError, UnsupportedError

EACH = 5
LANES, SEEDS = 64, 2
MORE = 8  # seeds of a program whose loops do not end, of every kind of numbers
# The folder of each language's programs and the endings of their files, and the ratchets' names.
LANGUAGES = {
    "tpf": ("dxcontainer", (".dxbc",), "decompile/hlsl"),
    "dxil": ("dxcontainer", (".dxil", ".pdb"), "decompile/hlsl of DXIL"),
    "spirv": ("", (".spv",), "decompile/hlsl of SPIR-V"),
    "pica": ("shbin", (".shbin",), "decompile/hlsl of PICA200"),
    "sksl": ("sksl", (".skslb",), "decompile/hlsl of SkSL"),
}

pytestmark = pytest.mark.slow


def programs(corpus: Path, language: str) -> list[Path]:
    """Return the files with programs of a language, apart from the malformed ones."""
    folder, endings, _ = LANGUAGES[language]
    found = (path for path in (corpus / folder).rglob("*") if path.suffix in endings)
    return sorted(path for path in found if not any("malformed" in each for each in path.parts))


def opened(path: Path, language: str) -> tuple[unshade.Shader, str, str | None] | None:
    """Return a shader, the stage, and the entry point if it has several; None if it does not run.

    The program is the first of the language, the entry point its first.
    """
    try:
        shader = unshade.open(path)
        program = shader.programs[0] if shader.programs else None
        if program is None or program.language != language or not program.entry_points:
            return None
        entry = program.entry_points[0].name
        chosen = entry if len(program.entry_points) > 1 else None
        stage = str(program.lower(chosen).kernel.stage)  # a PICA200's file may state another one
    except UnshadeError:
        return None
    return shader, stage, chosen


@pytest.mark.parametrize("language", LANGUAGES)
def test_written(corpus: Path, ratchet: Ratchet, language: str) -> None:
    """Every program that runs is written, or refused by name; nothing else is raised."""
    total, refused = 0, Counter[str]()
    for path in some(programs(corpus, language)):
        found = opened(path, language)
        if found is None:
            continue
        total += 1
        shader, _, entry = found
        try:
            text = shader.decompile(style="exact", entry=entry)
        except UnsupportedError as error:
            refused[str(error).split(" (line")[0]] += 1
            continue
        assert text.endswith("}\n")
    for reason, count in refused.most_common():
        print(f"{count:>5}  {reason}")
    ratchet(LANGUAGES[language][2], total - refused.total(), total)


@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_bits(corpus: Path, ratchet: Ratchet, language: str) -> None:
    counts: Counter[str] = Counter()
    problems: list[str] = []
    chosen = programs(corpus, language)
    sampled = is_sampled()
    for path in some(chosen[::EACH]) if sampled else chosen:
        found = opened(path, language)
        if found is None:
            continue
        shader, stage, entry = found
        try:
            text = shader.decompile(style="exact", entry=entry)
        except UnsupportedError:
            continue
        ended = (
            outcome(shader, text, stage, LANES, SEEDS, entry) if sampled
            else outcome(shader, text, stage, LANES, 1, entry, engines=("lockstep",))
        )  # fmt: skip
        if ended.startswith("unknown"):  # its loops take more iterations than lockstep has
            ended = outcome(shader, text, stage, LANES, MORE, entry, engines=("jit",))
        counts[ended.split(":")[0]] += 1
        if ended != "equal":
            problems.append(f"{path.name}: {ended[:200]}")
    print(*problems, sep="\n")
    left = ("refused", "fault of the compiler", "unknown")  # the last: no call ends
    accepted = counts.total() - sum(counts[each] for each in left)
    name = LANGUAGES[language][2]
    ratchet(f"{name}/accepted", counts.total() - counts["refused"], counts.total())
    ratchet(f"{name}/equal", counts["equal"], accepted)
