"""Draws of any state in machine code and with arrays: the same bits everywhere.

    python fuzz/draws.py --first 0 --count 1000

Seed n chooses shaders, vertices, topology, samples, targets, tests, blending and the state of the
rasteriser (tests/run/raster/compiled/draws.py), and how many quads are drawn together. Targets,
depths, stencils, the numbers of primitives, the lanes that ran and the statistics must be the same
by `run/raster/compiled` and without it. Prints one line of JSON: how many draws were made, how many
of them by machine code, the seeds that differ (and where), exceptions. Ends with status 1 if there
is any.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / each) for each in ("src", "")]

from tests.run.raster.compiled.draws import compared, random_draw, small_pieces  # noqa: E402
from unshade import UnsupportedError  # noqa: E402

WORDS = {True: "machine code", False: "arrays", None: "nothing to draw"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    given = parser.parse_args()
    different: dict[int, str] = {}
    found: Counter[str] = Counter()
    covered = 0
    start = time.process_time()
    for seed in range(given.first, given.first + given.count):
        chance = np.random.default_rng(seed)
        try:
            with small_pieces(chance):
                drawn, used = compared(**random_draw(chance))
            found[WORDS[used]] += 1
            covered += bool((drawn["triangle"] >= 0).any())
        except UnsupportedError:
            found["refused"] += 1
        except Exception as error:  # a finding, whatever it is
            different[seed] = f"{type(error).__name__}: {error}"[:200]
            print(seed, different[seed], file=sys.stderr, flush=True)
    counts = {"draws": given.count, "first": given.first, **found, "covered": covered}
    seconds = round(time.process_time() - start)
    print(json.dumps({**counts, "different": different, "cpu seconds": seconds}))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
