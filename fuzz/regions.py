"""Random control-flow graphs through `ir.cfg`: results and active sets against the graph alone.

    python fuzz/regions.py --first 0 --count 10000

Seed n is a graph of 4 to 80 blocks, every third one irreducible, every 500th of 5,000 blocks;
regions lie at most 20, 34 or 128 deep by turns. What 32 lanes leave, and who is in each block at
the same time, is held against the interpreter, its lanes in lockstep, and for every other seed the
lockstep engine; every fifth graph is also simplified; every seventh is a structured program with
merge blocks. Prints one line of JSON; ends with status 1 if anything differs.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / each) for each in ("src", "")]

from tests.ir.cfg.compare import compared  # noqa: E402
from tests.ir.cfg.programs import compared_program  # noqa: E402

LARGE = 500
BLOCKS = 5000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    given = parser.parse_args()
    found: dict[int, str] = {}
    counts = {"graphs": 0, "irreducible": 0, f"of {BLOCKS} blocks": 0, "with merge blocks": 0}
    start = time.process_time()
    for seed in range(given.first, given.first + given.count):
        large = seed % LARGE == LARGE - 1
        program = seed % 7 == 3 and not large
        try:
            result = compared_program(seed) if program else compared(seed, BLOCKS if large else 0)
        except Exception as error:  # a finding, whatever it is
            result = f"{type(error).__name__}: {error}"[:200]
        counts["graphs"] += 1
        counts["with merge blocks"] += program
        counts["irreducible"] += seed % 3 == 1 and not program
        counts[f"of {BLOCKS} blocks"] += large
        if result:
            found[seed] = result
            print(seed, result, file=sys.stderr, flush=True)
        if seed % 100 == 99:
            print(f"{counts['graphs']} done, {len(found)} found", file=sys.stderr, flush=True)
    seconds = round(time.process_time() - start)
    print(json.dumps({"first": given.first, **counts, "different": found, "cpu seconds": seconds}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
