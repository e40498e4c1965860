"""Random damage, or every simple damage, and a count of what came of it.

    python fuzz/run.py random --seconds 60 --seed 1
    python fuzz/run.py mutations --largest 1024 --part 3/20
    python fuzz/run.py random --only DXIL       files that contain these bytes

Prints one line of JSON: what was run, how many cases, how often each outcome. An exception that is
not ours, and bytes that were not kept, are written to fuzz/found/ and end the run with status 1.
"""

import argparse
import hashlib
import itertools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from inputs import corpus_files, own_files

from tests.hostile.exercise import damaged, exercise, mutations

FOUND = Path(__file__).parent / "found"


def random_cases(largest: int, seed: int, only: bytes = b"") -> Iterator[bytes]:
    """Random damage to files chosen with equal chances, without end."""
    chance = random.Random(seed)
    files = [data for data in own_files() + corpus_files(largest) if only in data]
    while True:
        yield damaged(chance.choice(files), chance)


def all_mutations(largest: int, part: str) -> Iterator[bytes]:
    """Every n-th of all simple damage to all small files."""
    number, of = map(int, part.split("/"))
    files = [data for data in own_files() + corpus_files(largest) if len(data) <= largest]
    every = itertools.chain.from_iterable(map(mutations, files))
    return itertools.islice(every, number - 1, None, of)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("random", "mutations"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=4096, help="bytes of a corpus file")
    parser.add_argument("--part", default="1/1", help="which of how many equal shares")
    parser.add_argument("--only", default="", help="bytes that the files contain, as text")
    options = parser.parse_args()
    if options.what == "random":
        cases = random_cases(options.largest, options.seed, options.only.encode())
    else:
        cases = all_mutations(options.largest, options.part)
    seen: Counter[str] = Counter()
    slowest, start = (0.0, 0), time.monotonic()
    for data in cases:
        if time.monotonic() - start > options.seconds:
            break
        before = time.process_time()  # of this process alone: others take their turns
        try:
            seen[exercise(data)] += 1
        except Exception as error:
            seen[f"FOUND {type(error).__name__}"] += 1
            FOUND.mkdir(exist_ok=True)
            (FOUND / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        slowest = max(slowest, (time.process_time() - before, len(data)))
    run = vars(options) | {
        "cases": seen.total(),
        "took": round(time.monotonic() - start, 1),
        "slowest_ms": round(slowest[0] * 1e3, 1),
        "slowest_bytes": slowest[1],
        "outcomes": dict(seen.most_common()),
    }
    print(json.dumps(run))
    return 1 if any(name.startswith("FOUND") for name in seen) else 0


if __name__ == "__main__":
    sys.exit(main())
