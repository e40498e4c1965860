"""Verbs over a folder with one process and with several.

    python benchmarks/folders.py [JOBS] [SECONDS] [ROUNDS]

The files are copies of those in `examples`, as many as take `unshade verify` SECONDS in one
process. Wall time, medians of rounds in which both take turns, with the least and the greatest
ratio of a round. The bar: `verify -j 2` over 5 seconds is at least 1.7 times as fast. Meaningful
only on a machine with at least JOBS idle processors.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SHADERS = [each for each in EXAMPLES.iterdir() if each.suffix in (".dxbc", ".shbin", ".vbc")]
VERBS = (["verify"], ["reflect", "--json"], ["dis"], ["to-yaml", "-o", "out"])


def seconds(folder: Path, verb: list[str], jobs: int) -> float:
    """Return the wall time of a verb over `folder/in`."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [sys.executable, "-m", "unshade", *verb, "-j", str(jobs), "in"]
    start = time.perf_counter()
    ended = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    taken = time.perf_counter() - start
    if ended.returncode > 1:
        raise SystemExit(ended.stderr.decode())
    return taken


def fill(folder: Path, count: int) -> None:
    """Write `count` shaders to `folder/in`."""
    (folder / "in").mkdir(exist_ok=True)
    for number in range(count):
        shader = SHADERS[number % len(SHADERS)]
        shutil.copy(shader, folder / "in" / f"{number}{shader.suffix}")


def main() -> None:
    jobs, wanted, rounds = (
        int(given) for given in (*sys.argv[1:], *("2", "5", "5")[len(sys.argv) - 1 :])
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = 400
        fill(folder, count)
        count = int(count * wanted / seconds(folder, ["verify"], 1))
        fill(folder, count)
        print(f"{count:,} files; -j 1, -j {jobs}; times as fast (least to greatest)")
        for verb in VERBS:
            pairs = [[seconds(folder, verb, n) for n in (1, jobs)] for _ in range(rounds)]
            one, several = (median(times) for times in zip(*pairs, strict=True))
            ratios = sorted(a / b for a, b in pairs)
            spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            line = " ".join(verb)
            print(f"{line:<20} {one:6.2f} s {several:6.2f} s  {one / several:.2f} ({spread})")


if __name__ == "__main__":
    main()
