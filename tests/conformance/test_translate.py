"""SPIR-V and WGSL of the corpus's programs: written, valid, and the same bits.

The proof (tests/decompile/recompiled.py) runs both programs on both engines, so that it takes a
share of the files.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.decompile import tint
from tests.decompile.recompiled import translated_outcome
from tests.ratchet import Ratchet
from tests.sampling import is_sampled, some
from unshade.errors import UnsupportedError
from unshade.vocab.words import Stage

from .test_decompile import LANGUAGES, opened, programs

TARGETS = ("vulkan1.1", "vulkan1.3")
PROVEN, ACCEPTED = 20, 3  # one in so many; of those accepted, in sampled runs only
LANES, SEEDS = 64, 1
TRIVIAL = "@compute @workgroup_size(1) fn main() {}"
STAGES = (Stage.PIXEL, Stage.VERTEX, Stage.COMPUTE)  # of WGSL
WRITTEN = (*STAGES, Stage.GEOMETRY, Stage.HULL, Stage.DOMAIN, Stage.MESH, Stage.AMPLIFICATION)
LATER = (Stage.MESH, Stage.AMPLIFICATION)  # not of Vulkan 1.1

pytestmark = pytest.mark.slow


def figure(language: str) -> str:
    """Return the name of a language's figures."""
    return LANGUAGES[language][2].replace("decompile/hlsl", "translate/spirv")


@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="needs spirv-tools")
@pytest.mark.parametrize("language", LANGUAGES)
def test_valid(corpus: Path, ratchet: Ratchet, tmp_path: Path, language: str) -> None:
    """Every program is written or refused by name, and spirv-val accepts what is written."""
    total = written = valid = 0
    problems: Counter[str] = Counter()
    place = tmp_path / "made.spv"
    for number, path in enumerate(some(programs(corpus, language))):
        found = opened(path, language)
        if found is None or found[1] not in WRITTEN:
            continue
        shader, _, entry = found
        target = TARGETS[-1 if found[1] in LATER else number % len(TARGETS)]
        total += 1
        try:
            made = shader.translate(target=target, entry=entry)
        except UnsupportedError as error:
            problems[str(error).split(" (line")[0]] += 1
            continue
        written += 1
        place.write_bytes(made.to_bytes())
        ended = subprocess.run(
            ["spirv-val", "--target-env", target, place],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        valid += ended.returncode == 0
        if ended.returncode:
            problems[f"{path.name}: {ended.stdout}{ended.stderr}"[:300]] += 1
    print(*(f"{count:>5}  {each}" for each, count in problems.most_common()), sep="\n")
    ratchet(figure(language), written, total)
    ratchet(f"{figure(language)}/valid", valid, written)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_bits(corpus: Path, ratchet: Ratchet, language: str) -> None:
    counts: Counter[str] = Counter()
    problems: list[str] = []
    for path in some(programs(corpus, language)[::PROVEN]):
        found = opened(path, language)
        if found is None or found[1] not in WRITTEN or found[1] in LATER:
            continue
        shader, _, entry = found
        try:
            made = shader.translate(entry=entry)
        except UnsupportedError:
            continue
        ended = translated_outcome(shader, made, LANES, SEEDS, entry)
        counts[ended.split(":")[0]] += 1
        if ended != "equal":
            problems.append(f"{path.name}: {ended[:200]}")
    print(*problems, sep="\n")
    ratchet(f"{figure(language)}/equal", counts["equal"], counts.total())


@cache
def device() -> Any:
    """Return a device of wgpu, whose compiler is naga; skip if there is none."""
    wgpu = pytest.importorskip("wgpu", reason="needs wgpu: pip install wgpu")
    try:
        return wgpu.gpu.request_adapter_sync().request_device_sync()
    except (RuntimeError, wgpu.GPUError) as error:
        pytest.skip(f"wgpu has no adapter: {error}")


def naga_refuses(text: str) -> str | None:
    """Return what naga says against a text, "" if it accepts it; None if it cannot know it.

    It does not implement the extension for operations of waves.
    """
    if text.startswith("enable subgroups;"):
        return None
    wgpu = pytest.importorskip("wgpu")
    try:
        device().create_shader_module(code=text)
    except wgpu.GPUError as error:
        return str(error)
    return ""


COMPILERS = {"naga": (naga_refuses, "accepted"), "tint": (tint.refusal, "accepted by Tint")}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_compiler_accepts_wgsl(
    corpus: Path, ratchet: Ratchet, language: str, compiler: str
) -> None:
    """Every program is written or refused by name, and the compiler accepts what is written."""
    refusal, figure_ = COMPILERS[compiler]
    assert refusal(TRIVIAL) == ""
    total = written = asked = accepted = 0
    problems: Counter[str] = Counter()
    share = ACCEPTED if is_sampled() else 1
    for path in some(programs(corpus, language)[::share]):
        found = opened(path, language)
        if found is None or found[1] not in STAGES:
            continue
        shader, _, entry = found
        total += 1
        try:
            text = shader.translate("wgsl", entry=entry)
        except UnsupportedError as error:
            problems[str(error).split(" (line")[0]] += 1
            continue
        written += 1
        against = refusal(text)
        asked += against is not None
        accepted += against == ""
        if against:
            problems[f"{path.name}: {against}"[:300]] += 1
    print(*(f"{count:>5}  {each}" for each, count in problems.most_common()), sep="\n")
    name = figure(language).replace("spirv", "wgsl")
    ratchet(name, written, total)
    ratchet(f"{name}/{figure_}", accepted, asked)
