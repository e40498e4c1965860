"""Generated kernels in the interpreter and both engines: the same bits everywhere.

    python fuzz/engines.py --first 0 --count 10000 [--loops]

Seed n is run as it is generated, and simplified where n is odd; every fifth calls functions of the
library; the jit's chunks have 8, 16, 32 or 64 lanes by turns. With --loops most kernels have loops
that lockstep runs in strips. Prints one line of JSON: how many
kernels were run, the seeds that differ (and where), exceptions. Ends with status 1 if there is any.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / each) for each in ("src", "")]

from tests.ir.generate import generate  # noqa: E402
from tests.ir.generate_loops import generate_loops  # noqa: E402
from tests.vm.compare import WIDTHS, compared  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--loops", action="store_true")
    given = parser.parse_args()
    found: dict[int, str] = {}
    start = time.process_time()
    for seed in range(given.first, given.first + given.count):
        try:
            result = compared(seed, make=generate_loops if given.loops else generate)
        except Exception as error:  # a finding, whatever it is
            result = f"{type(error).__name__}: {error}"[:200]
        if result:
            found[seed] = result
            print(seed, result, file=sys.stderr, flush=True)
        if seed % 500 == 499:
            print(f"{seed + 1 - given.first} done, {len(found)} found", file=sys.stderr, flush=True)
    seconds = round(time.process_time() - start)
    counts = {"kernels": given.count, "first": given.first, "widths": WIDTHS}
    print(json.dumps({**counts, "different": found, "cpu seconds": seconds}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
