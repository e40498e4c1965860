"""HLSL of the corpus's Direct3D bytecode: written, accepted by Slang, and the same bits.

The proof (tests/decompile/recompiled.py) takes about a second for each program, so that it runs on
one program in five; sampled runs take one in 25.
"""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import unshade
from tests.decompile.recompiled import outcome
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.errors import UnshadeError, UnsupportedError
from unshade.program import Program

EACH = 5
LANES, SEEDS = 64, 2
LANGUAGE = "tpf"

pytestmark = pytest.mark.slow


def programs(corpus: Path) -> list[Path]:
    """Return the containers with bytecode, apart from the malformed ones."""
    found = (corpus / "dxcontainer").rglob("*.dxbc")
    return sorted(path for path in found if "malformed" not in path.parts)


def bytecode(path: Path) -> tuple[unshade.Shader, Program] | None:
    """Return a shader and its program of Shader Model 4 or 5; None without one that runs."""
    try:
        shader = unshade.open(path)
        program = next((each for each in shader.programs if each.language == LANGUAGE), None)
        if program is None:
            return None
        program.lower()
    except UnshadeError:
        return None
    return shader, program


def test_written(corpus: Path, ratchet: Ratchet) -> None:
    """Every program that runs is written, or refused by name; nothing else is raised."""
    total, refused = 0, Counter[str]()
    for path in some(programs(corpus)):
        found = bytecode(path)
        if found is None:
            continue
        total += 1
        try:
            text = found[0].decompile(style="exact")
        except UnsupportedError as error:
            refused[str(error).split(" (line")[0]] += 1
            continue
        assert text.endswith("}\n")
    for reason, count in refused.most_common():
        print(f"{count:>5}  {reason}")
    ratchet("decompile/hlsl", total - refused.total(), total)


@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_the_same_bits(corpus: Path, ratchet: Ratchet) -> None:
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for path in some(programs(corpus)[::EACH]):
        found = bytecode(path)
        if found is None:
            continue
        shader, program = found
        stage = program.entry_points[0][1]
        try:
            text = shader.decompile(style="exact")
        except UnsupportedError:
            continue
        ended = outcome(shader, text, stage, LANES, SEEDS)
        counts[ended.split(":")[0]] += 1
        if ended != "equal":
            problems.append(f"{path.name}: {ended[:200]}")
    print(*problems, sep="\n")
    accepted = counts.total() - counts["refused"]
    ratchet("decompile/hlsl/accepted", accepted, counts.total())
    ratchet("decompile/hlsl/equal", counts["equal"], accepted)
