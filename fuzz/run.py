"""Random damage, or every simple damage, and a count of what came of it.

    python fuzz/run.py random --seconds 60 --seed 1
    python fuzz/run.py mutations --largest 1024 --part 3/20
    python fuzz/run.py random --only DXIL       files that contain these bytes
    python fuzz/run.py random --kind spirv      files of this kind

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

from inputs import KINDS, USUAL, corpus_files, own_files

from tests.hostile.exercise import damaged, exercise, mutations

FOUND = Path(__file__).parent / "found"


def random_cases(files: list[bytes], seed: int) -> Iterator[bytes]:
    """Random damage to files chosen with equal chances, without end."""
    chance = random.Random(seed)
    while True:
        yield damaged(chance.choice(files), chance)


def all_mutations(files: list[bytes], part: str) -> Iterator[bytes]:
    """Every n-th of all simple damage to all small files."""
    number, of = map(int, part.split("/"))
    every = itertools.chain.from_iterable(map(mutations, files))
    return itertools.islice(every, number - 1, None, of)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("random", "mutations"))
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--largest", type=int, default=4096, help="bytes of a corpus file")
    parser.add_argument("--part", default="1/1", help="which of how many equal shares")
    parser.add_argument("--only", default="", help="bytes that the files contain, as text")
    parser.add_argument("--kind", choices=KINDS, help="of the files; by default containers, "
                        "shbin and pdb")  # fmt: skip
    options = parser.parse_args()
    kinds = (options.kind,) if options.kind else USUAL
    files = own_files(kinds) + corpus_files(options.largest, kinds)
    if options.what == "random":
        only = options.only.encode()
        cases = random_cases([data for data in files if only in data], options.seed)
    else:
        small = [data for data in files if len(data) <= options.largest]
        cases = all_mutations(small, options.part)
    seen: Counter[str] = Counter()
    slowest, start = (0.0, 0), time.process_time()
    for data in cases:
        if time.process_time() - start > options.seconds:
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
        "took": round(time.process_time() - start, 1),
        "slowest_ms": round(slowest[0] * 1e3, 1),
        "slowest_bytes": slowest[1],
        "outcomes": dict(seen.most_common()),
    }
    print(json.dumps(run))
    return 1 if any(name.startswith("FOUND") for name in seen) else 0


if __name__ == "__main__":
    sys.exit(main())
