"""Generated DXIL shaders on both engines, against their programs in Python; read and written.

    python fuzz/dxil.py --first 0 --count 1000

Each seed is a compute shader (tests/programs/dxil/lower/generated.py). Both engines must leave the
bytes that its program in Python leaves, and the shader must be the same after it was written, read,
listed, assembled and converted to plain data, without a finding of `verify`. Prints one line of
JSON; the status is 1 if there are findings.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / each) for each in ("src", "")]

from tests.programs.dxil.lower.generated import Generated  # noqa: E402
from tests.programs.dxil.lower.generated_run import disagreement, round_trip  # noqa: E402


def outcome(seed: int) -> str:
    """Return what is wrong with a seed; "" if nothing is."""
    try:
        made = Generated(seed)
        return disagreement(made) or round_trip(made)
    except Exception as error:  # a finding, whatever it is
        return f"{type(error).__name__}: {error}"[:300]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    found: dict[int, str] = {}
    start = time.process_time()
    for seed in range(options.first, options.first + options.count):
        problem = outcome(seed)
        if problem:
            found[seed] = problem
            print(seed, problem, file=sys.stderr, flush=True)
        if (seed + 1 - options.first) % 100 == 0:
            seconds = round(time.process_time() - start)
            print(seed + 1 - options.first, "cases,", seconds, "s", file=sys.stderr, flush=True)
    seconds = round(time.process_time() - start)
    run = {"first": options.first, "cases": options.count, "cpu seconds": seconds, "found": found}
    print(json.dumps(run))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
