"""Runtime effects on Skia's raster pipeline and on both engines: every pixel of 64 x 64.

    python benchmarks/against_skia.py [--count N] [--first SEED] [--node-path FOLDER]

Shaders and colour filters on skia-python, blenders on canvaskit-wasm (npm install canvaskit-wasm;
FOLDER is its node_modules): those of the corpus that Skia of today compiles, and N generated ones
of each kind. Both with surfaces of 32-bit floats without a colour space.

Tolerance: 1e-5 + 1e-4 of the number, 5e-4 in place of 1e-5 where sin, cos, tan, asin, acos, atan or
pow take part. Pixels where our own result jumps are counted apart (tests/conformance/effects.py).
Skia compiles programs of `#version 300` and paints nothing with some of them: these are left out.
Prints a line for each kind, and each effect with a pixel that nothing explains; the exit status is
1 if there is one.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.conformance.effects import (
    CHILD,
    Array,
    Effect,
    agreement,
    colours,
    corpus_effects,
    generated_effect,
    is_unpainted,
)
from tests.conformance.skia_raster import SkiaRaster, packed
from tests.corpus import corpus_root

BLENDER = Path(__file__).with_name("canvaskit_blend.js")
ENGINES = ("lockstep", "jit")


def effects(given: argparse.Namespace) -> Iterator[tuple[str, Effect]]:
    """Yield every effect, and the series that it belongs to."""
    root = corpus_root()
    if root.exists():
        for each in corpus_effects(root):
            yield f"corpus: {each.kind}s", each
    for kind in ("shader", "filter", "blender"):
        for seed in range(given.first, given.first + given.count):
            yield f"generated: {kind}s", generated_effect(kind, seed)


def uniforms_of(effect: Effect) -> bytes:
    """Return the uniforms of an effect as Skia wants them."""
    return packed(effect.shader.reflect(), effect.uniforms)


def painted(skia: SkiaRaster, effect: Effect) -> Array:
    """Return the colours of a shader or filter on skia-python."""
    return skia.painted(effect.kind, effect.text, uniforms_of(effect), colours(0), CHILD)


def blended(several: Iterable[Effect], node_path: str) -> list[Array | str]:
    """Return the colours of blenders on canvaskit-wasm, or what it says."""
    source, destination = colours(0), colours(1)
    height, width, _ = source.shape
    jobs = [
        {
            "source": each.text, "width": width, "height": height,
            "uniforms": np.frombuffer(uniforms_of(each), "<f4").tolist(),
            "src": source.reshape(-1).tolist(), "dst": destination.reshape(-1).tolist(),
        }
        for each in several
    ]  # fmt: skip
    ended = subprocess.run(
        ["node", str(BLENDER)], input=json.dumps(jobs), capture_output=True, text=True,
        env=os.environ | {"NODE_PATH": node_path}, check=True,
    )  # fmt: skip
    found: list[Any] = json.loads(ended.stdout)
    return [each["error"] if "error" in each else np.array(each["pixels"], "<f4") for each in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--node-path", default=os.environ.get("NODE_PATH", ""))
    given = parser.parse_args()
    every = list(effects(given))
    results: list[tuple[str, Effect, Array | str]] = []
    try:
        skia = SkiaRaster()
    except ImportError:
        print("skia-python is not installed: shaders and filters are left out", file=sys.stderr)
    else:
        for series, effect in every:
            if effect.kind != "blender":
                try:
                    results.append((series, effect, painted(skia, effect)))
                except RuntimeError as error:
                    results.append((series, effect, str(error)))
    blenders = [(series, each) for series, each in every if each.kind == "blender"]
    if shutil.which("node") and given.node_path:
        answers = blended([each for _, each in blenders], given.node_path)
        rows = zip(blenders, answers, strict=True)
        results += [(series, each, answer) for (series, each), answer in rows]
    else:
        print("no node or no --node-path: blenders are left out", file=sys.stderr)
    return report(results)


def report(results: list[tuple[str, Effect, Array | str]]) -> int:
    """Compare and print; return the exit status."""
    counts: dict[str, Counter[str]] = {}
    bad = 0
    for series, effect, theirs in results:
        count = counts.setdefault(series, Counter())
        if isinstance(theirs, str):
            count["refused by Skia"] += 1
            continue
        if is_unpainted(effect, theirs):
            count["not painted by Skia"] += 1
            continue
        for engine in ENGINES:
            found = agreement(effect, theirs, engine)
            count["pixels"] += theirs.size // 4
            count["jumping"] += found.different - found.unexplained
            count["unexplained"] += found.unexplained
            if found.unexplained:
                bad += 1
                print(f"{effect.name}, {engine}: {found.unexplained} pixels differ")
        count["effects"] += 1
    for series, count in counts.items():
        print(f"{series:22} {dict(count)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
