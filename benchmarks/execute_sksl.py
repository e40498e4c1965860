"""SkSL shaders of examples/ at 512 x 512, in the jit and on skia-python's raster pipeline.

    python benchmarks/execute_sksl.py [--size N]

Processor time of one picture, all threads included, the median of several rounds in which the two
take turns; compiling is not part of it, converting positions and colours is. Both write 32-bit
floats.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import numpy as np

import unshade
from tests.conformance.skia_raster import SkiaRaster, packed

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ROUNDS = 15
SHADERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "plasma": lambda n: {"size": [n, n], "time": 2.0},
    "rounded": lambda n: {
        "size": [n, n], "radius": n / 8, "border": n / 50,
        "fill": [0.2, 0.5, 0.9, 1], "line": [0.05, 0.1, 0.2, 1],
    },
    "noise": lambda n: {"scale": 5 / n, "offset": [3.0, 7.0]},
    "ripple": lambda n: {"centre": [n / 2, n / 2], "time": 1.0},
    "julia": lambda n: {"size": [n, n], "c": [-0.8, 0.156]},
}  # fmt: skip
CHILD = {"size": [512, 512], "time": 2.0}  # of ripple's child, which is plasma


def ours(name: str, values: dict[str, Any], size: int) -> Callable[[], Any]:
    """Return a call that paints the picture here."""
    kernel = unshade.kernel(compiled(name), engine="jit")
    children = {}
    if name == "ripple":
        children["image"] = unshade.kernel(compiled("plasma"), engine="jit").bind(**CHILD)
    return lambda: kernel.shade((size, size), **values, **children)["main"]


def theirs(skia: SkiaRaster, name: str, values: dict[str, Any], size: int) -> Callable[[], Any]:
    """Return a call that paints it on Skia."""
    text = source(name)
    child = None
    if name == "ripple":
        child = skia.shader(source("plasma"), packed(compiled("plasma").reflect(), CHILD))
    shader = skia.shader(text, packed(compiled(name).reflect(), values), child)
    return lambda: skia.shaded(shader, size, size)


def source(name: str) -> str:
    return (EXAMPLES / f"{name}.rts").read_text("utf-8")


def compiled(name: str) -> unshade.Shader:
    return unshade.assemble(source(name), "sksl", kind="runtime_shader")


def spent(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=512)
    size = parser.parse_args().size
    try:
        skia = SkiaRaster()
    except ImportError:
        print("skia-python is not installed, so there is nothing to compare with", file=sys.stderr)
        return 2
    ratios = []
    for name, make in SHADERS.items():
        values = make(size)
        calls = [ours(name, values, size), theirs(skia, name, values, size)]
        pictures = [call() for call in calls]
        different = float(np.abs(pictures[0] - pictures[1]).max())
        times: list[list[float]] = [[], []]
        for _ in range(ROUNDS):
            for call, found in zip(calls, times, strict=True):
                found.append(spent(call))
        mine, other = map(median, times)
        ratios.append(other / mine)
        print(f"{name:10} {1e3 * mine:8.2f} ms, skia-python {1e3 * other:8.2f} ms: "
              f"{other / mine:5.2f} x as fast, differs by up to {different:.1g}")  # fmt: skip
    print(f"geometric mean {geometric_mean(ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
