"""Real shaders: what compilers made, on lavapipe and on both engines, over inputs made by seed.

    python benchmarks/real.py [FILE|FOLDER …] [--seeds N]

Each file is a container or a listing; of folders all containers, by default the corpus's. What
vkd3d-compiler translates runs in a child process, because a driver may crash on what it is given.
The exit code says whether anything differs that no known rule (known.py) explains.
"""

import argparse
import json
import os
import select
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from against_lavapipe import FEEDBACK
from environment import Skipped
from lavapipe import Lavapipe, corpus
from translating import opened
from vulkan import VulkanError
from whole import Run

from unshade.errors import LimitError


def made_run(device: Lavapipe, path: Path, seed: int) -> Run:
    """Return the run of a file."""
    return Run(device, opened(path), seed)


def work(seeds: int, run_of: Callable[[Lavapipe, Path, int], Run] = made_run) -> None:
    """Files named on standard input, a line of JSON for each."""
    with Lavapipe(extensions=[FEEDBACK]) as device:
        for line in sys.stdin:
            path = Path(line.rstrip("\n"))
            entry: dict[str, Any] = {
                "stage": "?", "equal": 0, "near": 0, "rows": [], "skipped": "",
                "known": [], "unseen": [],
            }  # fmt: skip
            for seed in range(seeds):
                try:
                    one = run_of(device, path, seed)
                    entry["stage"] = one.stage
                    found = one.run()
                except Skipped as reason:
                    entry["skipped"] = str(reason)
                    break
                except LimitError as limit:
                    entry["skipped"] = f"the data asks for too much: {limit.limit}"
                    continue
                except VulkanError as error:
                    entry["skipped"] = f"lavapipe: {error}"
                    break
                except Exception as error:
                    entry["rows"].append((f"seed {seed}", 0, f"{type(error).__name__}: {error}"))
                    if os.environ.get("RAISE"):
                        raise
                    break
                entry["equal"] += found.equal
                entry["near"] += found.near
                entry["unseen"] = found.unseen
                entry["known"] = sorted({*entry["known"], *found.known})
                entry["rows"] += [(f"seed {seed} {name}", *row) for name, *row in found.rows]
            print(json.dumps(entry), flush=True)


def results(
    paths: list[Path],
    seeds: int,
    seconds: float = 240.0,
    script: str = __file__,
    options: Sequence[str] = (),
) -> Iterator[tuple[Path, Any]]:
    """Yield a child's report on each file; start another child if one ended or hangs."""
    child: subprocess.Popen[str] | None = None
    for number, path in enumerate(paths):
        if child is None or number % 60 == 0:
            if child is not None:
                child.kill()
            command = [sys.executable, script, "--worker", "--seeds", str(seeds), *options]
            child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                stderr=None if os.environ.get("RAISE") else subprocess.DEVNULL,
            )  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(f"{path}\n")
        child.stdin.flush()
        ready, _, _ = select.select([child.stdout], [], [], seconds)
        answer = child.stdout.readline() if ready else ""
        if answer:
            yield path, json.loads(answer)
            continue
        child.kill()
        why = "the process ended" if ready else f"nothing after {seconds:.0f} s"
        yield path, {"equal": 0, "skipped": why}
        child = None
    if child is not None:
        child.kill()


def found_in(given: list[Path]) -> list[Path]:
    """Files once each: the bytecode of folders, and what is named itself."""
    seen: set[bytes] = set()
    found = []
    for path in given:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        for each in inside:
            if each != path and (each.suffix not in (".dxbc", ".o", ".cso") or not each.is_file()):
                continue
            data = each.read_bytes()
            if data not in seen:
                seen.add(data)
                found.append(each)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: the corpus")
    parser.add_argument("--seeds", type=int, default=2, help="environments for each")
    parser.add_argument("--verbose", action="store_true", help="name what a known rule explains")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work(given.seeds)
        return 0
    if not shutil.which("vkd3d-compiler"):
        print("vkd3d-compiler is missing", file=sys.stderr)
        return 2
    root = corpus()
    paths = given.files or [root / "dxcontainer", root / "execution", root / "bench"]
    return report(results(found_in(paths), given.seeds), given.verbose)


def report(found: Iterable[tuple[Path, Any]], verbose: bool) -> int:
    """Print what differs, and the counts; return 1 if something differs that no rule explains."""
    compared: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    equal = near = unseen = 0
    bad: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for path, entry in found:
        if entry["skipped"] and not entry["equal"]:
            if verbose:
                print(f"{path}: {entry['skipped']}", flush=True)
            skipped[entry["skipped"]] += 1
            continue
        compared[entry["stage"]] += 1
        equal += entry["equal"]
        near += entry["near"]
        known.update(entry["known"])
        unseen += bool(entry["unseen"])
        if verbose and entry["known"]:
            print(f"{path}: {', '.join(entry['known'])}", flush=True)
        if entry["rows"]:
            bad[entry["stage"]] += 1
            print(path, flush=True)
            for name, count, text in entry["rows"][:6]:
                print(f"    {name:24} {count:6} different, {text}", flush=True)
    for reason, count in skipped.most_common():
        print(f"{count:6} skipped: {reason}")
    for reason, count in known.most_common():
        print(f"{count:6} differ by a known rule: {reason}")
    if unseen:
        print(f"{unseen:6} have an output that is not compared")
    for stage, count in sorted(compared.items()):
        print(f"{count:6} {stage} programs, {bad[stage]} with differences")
    print(f"{equal} numbers equal, {near} near")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
