"""Execution of SkSL: programs that check themselves, and effects that Skia paints.

The former, from the binary and from source, paint a surface of 2 x 2 pixels green if all of their
checks hold, with these uniforms.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import unshade
from tests.conformance.effects import (
    CHILD,
    Effect,
    agreement,
    colours,
    corpus_effects,
    generated_effect,
    is_unpainted,
)
from tests.conformance.skia_raster import SkiaRaster, packed
from tests.ratchet import Ratchet
from tests.sampling import fewer, of_each_kind
from unshade.formats.sksl import SkslShader
from unshade.isa.source import Source
from unshade.programs.sksl import Program
from unshade.programs.sksl.assembler import Settings, compile

GREEN = (0.0, 1.0, 0.0, 1.0)
UNIFORMS: dict[str, Any] = {
    "colorBlack": [0, 0, 0, 1],
    "colorRed": [1, 0, 0, 1],
    "colorGreen": [0, 1, 0, 1],
    "colorBlue": [0, 0, 1, 1],
    "colorWhite": [1, 1, 1, 1],
    "testInputs": [-1.25, 0, 0.75, 2.25],
    "unknownInput": 1,
    "testInput": 0,  # declared by two programs, which do not read it
    **{f"testMatrix{n}x{n}": np.arange(1, n * n + 1).reshape(n, n).T for n in (2, 3, 4)},
    "testArray": [1, 2, 3, 4, 5],
}
ENGINES = ["lockstep", *(["jit"] if find_spec("llvmlite") else [])]


class SelfChecking(NamedTuple):
    """A program of the corpus that checks itself."""

    binary: Path
    source: Path
    es2: bool

    def from_source(self) -> SkslShader:
        text = self.source.read_text("utf-8", "surrogateescape")
        settings = Settings(es2=self.es2, inline_threshold=0)
        return SkslShader(Program(compile(Source(text, self.source.name), settings)))


def self_checking(corpus: Path) -> Iterator[SelfChecking]:
    folder = corpus / "sksl" / "programs"
    rows = json.loads((folder / "MANIFEST.json").read_text("utf-8"))
    for row in rows:
        if row["cfg"] == "rehydrate_test":
            name = row["file"]
            binary = folder / row["cfg"] / f"{name}.skslb"
            yield SelfChecking(binary, corpus / "sksl" / "source" / name, bool(row["es2"]))


def is_green(shader: unshade.Shader, engine: str) -> bool:
    kernel = unshade.kernel(shader, engine=engine)
    names = {
        variable.name
        for binding in kernel.bindings
        if binding.buffer is not None
        for variable in binding.buffer.variables
    }
    found = kernel.shade((2, 2), **{name: UNIFORMS[name] for name in names})["main"]
    return bool(np.array_equal(found, np.broadcast_to(np.array(GREEN, "f4"), found.shape)))


@pytest.mark.parametrize("engine", ENGINES)
def test_programs_that_check_themselves(corpus: Path, ratchet: Ratchet, engine: str) -> None:
    known = {each.binary: each for each in self_checking(corpus)}
    chosen = of_each_kind(sorted(known), lambda path: (path.parent.name, known[path].es2))
    every = [known[path] for path in chosen]
    binaries = sum(is_green(unshade.open(each.binary), engine) for each in every)
    sources = sum(is_green(each.from_source(), engine) for each in every)
    ratchet(f"sksl/self-checking binaries, {engine}", binaries, len(every))
    ratchet(f"sksl/self-checking sources, {engine}", sources, len(every))


def same_as_skia(skia: SkiaRaster, effects: Iterable[Effect]) -> tuple[int, int]:
    """Return how many effects have no pixel that differs without a reason, and how many there are.

    Effects that Skia refuses, or does not paint, are not counted.
    """
    good = total = 0
    for each in effects:
        uniforms = packed(each.shader.reflect(), each.uniforms)
        try:
            theirs = skia.painted(each.kind, each.text, uniforms, colours(0), CHILD)
        except RuntimeError:
            continue
        if not is_unpainted(each, theirs):
            good += agreement(each, theirs).unexplained == 0
            total += 1
    return good, total


def test_effects_are_painted_as_by_skia(corpus: Path, ratchet: Ratchet) -> None:
    pytest.importorskip("skia")
    skia = SkiaRaster()
    made = [generated_effect(kind, seed) for kind in ("shader", "filter")
            for seed in range(fewer(100))]  # fmt: skip
    ratchet("sksl/generated effects as skia-python paints them", *same_as_skia(skia, made))
    known = {each.name: each for each in corpus_effects(corpus)}
    names = of_each_kind([Path(each) for each in known], lambda path: path.parent)
    found = same_as_skia(skia, [known[each.as_posix()] for each in names])
    ratchet("sksl/effects of the corpus as skia-python paints them", *found)


@pytest.mark.parametrize("space", [None, "srgb"])
@pytest.mark.parametrize(
    "text",
    [
        "half4 main(float2 p) { return half4(toLinearSrgb(half3(0.5, 0.02, -0.5)), 1); }",
        "half4 main(float2 p) { return half4(fromLinearSrgb(half3(0.214, 0.001, 2.0)), 1); }",
        "layout(color) uniform half4 c; half4 main(float2 p) { return c; }",
        "half4 main(float2 p) { return half4(half2(p), -3, 7); }",
        "uniform shader c; half4 main(float2 p) { return c.eval(p) + 0.25; }",
        "uniform colorFilter c; half4 main(float2 p) { return c.eval(half4(.1, .2, .3, .4)); }",
        "uniform blender c; half4 main(float2 p) {"
        " return c.eval(half4(.1, .2, .3, .5), half4(.4, .5, .6, 1)); }",
    ],
)
def test_colour_spaces_and_children_are_those_of_skia(text: str, space: str | None) -> None:
    """Children are not given; nothing is clamped or converted unless the program asks for it."""
    pytest.importorskip("skia")
    skia = SkiaRaster(space)
    shader = unshade.assemble(text, "sksl", kind="runtime_shader")
    values = {"c": [0.5, 0.25, 2.0, 1.0]} if "layout" in text else {}
    uniforms = packed(shader.reflect(), values)
    theirs = skia.shaded(skia.shader(text, uniforms), 2, 2)
    ours = unshade.kernel(shader, color_space=space).shade((2, 2), **values)["main"]
    assert ours == pytest.approx(theirs, abs=1e-6)
