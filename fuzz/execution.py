"""Mutated shaders on both engines: the same bits, the same error, and never a crash.

    python fuzz/execution.py --first 0 --count 100000

Seed n chooses a small shader of any stage (our own vectors and examples, and those of the corpus),
changes it (mutants.py, module_mutants.py or bitcode_mutants.py of tests/hostile), and runs it on
bindings of its own (tests/hostile/engines.py). One seed in eight has dwords of its token stream
changed instead. Cases run one after another in a separate process: if it dies, or needs more than
`--seconds` for a case, that is a finding of the current seed, and a new process continues with the
next seed.

The family `scenes` draws: seeds of vertices and state of the whole pipeline, with a changed shader
or none (tests/hostile/scenes.py).

Print a line of progress every 1,000 cases, and finally one line of JSON with the counts. Write
findings to fuzz/found/; the exit status is 1 if there are any.
"""

import argparse
import json
import os
import random
import resource
import selectors
import subprocess
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from inputs import bitcode, modules, programs

from tests.hostile.engines import compared
from tests.hostile.scenes import compared_scene
from tests.hostile.seeds import mutant
from unshade import UnshadeError

SCENES = "scenes"


def _no_files(largest: int) -> list[Any]:
    """Return nothing: scenes are made of the project's own shaders."""
    return []


FAMILIES = {"tpf": programs, "spirv": modules, "dxil": bitcode, SCENES: _no_files}
EXECUTED = (
    "ran",
    "drawn",
    "empty",
    "budget",
    "races",
    "left to lockstep",
    "budget, left to lockstep",
)
FOUND = Path(__file__).parent / "found"
STARTUP = 300.0  # seconds to lower all files, on a busy machine
RESTART = 8000  # cases of one process
MEMORY = 6 << 30  # bytes of address space that a process may have


def outcome(seed: int, files: list[bytes]) -> str:
    """Return the outcome of a seed, of a scene without files; a word in capitals is a finding."""
    data = b""  # until it can be written
    try:
        if not files:
            return compared_scene(seed)
        try:
            data = mutant(seed, files)
        except UnshadeError:
            return "not a file"
        return compared(data, random.Random(seed))
    except Exception as error:
        FOUND.mkdir(exist_ok=True)
        (FOUND / f"execution-{seed}.bin").write_bytes(data)
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        where = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}" if last else ""
        return f"FOUND {type(error).__name__}: {error} ({where})"


def work(options: argparse.Namespace) -> int:
    """The cases of one process: a line with the seed before each, one with what came of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    files = FAMILIES[options.family](options.largest)
    for seed in range(options.first, options.first + options.count):
        print(json.dumps([seed]), flush=True)
        start = time.process_time()
        result = outcome(seed, files)
        print(json.dumps([seed, result, round(time.process_time() - start, 4)]), flush=True)
    return 0


class Worker:
    """A process that works, line by line."""

    def __init__(self, first: int, count: int, largest: int, family: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", "--first", str(first), "--count", str(count),
             "--largest", str(largest), "--family", family],
            stdout=subprocess.PIPE, env=os.environ | {"UNSHADE_CACHE": ""},
        )  # fmt: skip
        assert self.process.stdout is not None
        self.lines = self.process.stdout
        os.set_blocking(self.lines.fileno(), False)
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.lines, selectors.EVENT_READ)
        self.rest = b""
        self.seconds = STARTUP  # until the first line

    def line(self, seconds: float) -> list[object] | None:
        """The next line; None where none comes in time, or the process has ended."""
        while b"\n" not in self.rest:
            if not self.ready.select(max(seconds, self.seconds)):
                return None
            more = self.lines.read()
            if more is None:
                continue
            if not more:
                return None
            self.rest += more
        self.seconds = 0.0
        line, _, self.rest = self.rest.partition(b"\n")
        found: list[object] = json.loads(line)
        return found

    def end(self) -> int:
        """Its status: negative where a signal ended it."""
        try:
            return self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--largest", type=int, default=4096, help="bytes of a program")
    parser.add_argument("--family", choices=[*FAMILIES], default="tpf")
    parser.add_argument("--seconds", type=float, default=60.0, help="that a case may take")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        return work(options)
    seen: Counter[str] = Counter()
    slowest, start = (0.0, 0), time.monotonic()
    cpu = 0.0
    seed, end = options.first, options.first + options.count
    worker: Worker | None = None
    while seed < end:
        if worker is None:
            worker = Worker(seed, min(RESTART, end - seed), options.largest, options.family)
            last = min(seed + RESTART, end)
        line = worker.line(options.seconds)
        if line is not None and len(line) == 1:
            continue
        if line is None:
            status = worker.end()
            result = f"FOUND the process ended with {status}" if status != 1 else "FOUND no end"
            worker = None
        else:
            result, took = str(line[1]), float(str(line[2]))
            cpu += took
            slowest = max(slowest, (took, seed))
        if result.startswith("FOUND"):
            print(f"seed {seed}: {result}", flush=True)
            result = " ".join(result.split()[:2])
        seen[result] += 1
        seed += 1
        if worker is not None and seed == last:
            worker.end()
            worker = None
        if (seed - options.first) % 1000 == 0:
            rate = (seed - options.first) / (time.monotonic() - start)
            print(f"{seed - options.first} cases, {rate:.1f} a second: {dict(seen)}", flush=True)
    run = {
        "first": options.first,
        "cases": seen.total(),
        "executed": sum(seen[each] for each in EXECUTED),
        "took": round(time.monotonic() - start),
        "cpu seconds": round(cpu),
        "slowest": f"{slowest[0]:.1f} s, seed {slowest[1]}",
        "outcomes": dict(seen.most_common()),
    }
    print(json.dumps(run))
    return 1 if any(name.startswith("FOUND") for name in seen) else 0


if __name__ == "__main__":
    sys.exit(main())
