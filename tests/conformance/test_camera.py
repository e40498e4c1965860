"""Vertex shaders of the corpus draw a torus without an option: the camera finds its matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.ratchet import Ratchet
from tests.sampling import some
from unshade.cli import main
from unshade.model import SystemValue
from unshade.shader import Shader


def vertex_shaders(folder: Path, *suffixes: str) -> Iterator[tuple[Path, Shader]]:
    """Yield the files with a vertex shader and no other stage but a geometry shader."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in suffixes or {"own", "malformed"} & {*path.parts}:
            continue
        try:
            shader = unshade.open(path)
            stages = [stage for each in shader.programs for _, stage in each.entry_points]
        except unshade.UnshadeError:
            continue
        if stages.count("vertex") == 1 and {*stages} <= {"vertex", "geometry"}:
            yield path, shader


def drawn(path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return "drawn", or the last message about a file that leaves every pixel uncovered."""
    line = ["--mesh", str(EXAMPLES / "torus.obj"), "--size", "64", "-o", str(out)]
    code = main(["render", str(path), *line])
    said = capsys.readouterr().err.strip().replace(str(path), "FILE").splitlines()
    assert code in (0, 2, 4), said
    covers = code == 0 and not any("no pixel is covered" in each for each in said)
    return "drawn" if covers else said[-1]


def test_shaders_of_the_3ds(
    corpus: Path, tmp_path: Path, ratchet: Ratchet, capsys: pytest.CaptureFixture[str]
) -> None:
    found: Counter[bool] = Counter()
    for path, _ in some(vertex_shaders(corpus / "shbin", ".shbin")):
        result = drawn(path, tmp_path / "x.png", capsys)
        found[result == "drawn"] += 1
        assert result, path
    ratchet("camera/3DS vertex shaders that draw a torus", found[True], found.total())


def test_other_shaders(
    corpus: Path, tmp_path: Path, ratchet: Ratchet, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of those that have inputs of a vertex and output a position."""
    found: Counter[tuple[str, bool]] = Counter()
    for folder, suffixes in (("dxcontainer", (".dxbc", ".dxil")), ("execution", (".spv",))):
        for path, shader in some(vertex_shaders(corpus / folder, *suffixes)):
            try:
                kernel = unshade.kernel(shader, engine="lockstep")
            except unshade.UnshadeError:
                continue
            if kernel.outputs.by_meaning(SystemValue.POSITION) is None or not any(
                row.asked for row in kernel.inputs
            ):
                continue
            found[folder, drawn(path, tmp_path / "x.png", capsys) == "drawn"] += 1
    for folder, name in (("dxcontainer", "DXBC and DXIL"), ("execution", "SPIR-V")):
        total = found[folder, True] + found[folder, False]
        ratchet(f"camera/{name} vertex shaders that draw a torus", found[folder, True], total)
