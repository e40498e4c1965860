"""Memory and time of each verb on large files of each family, made by `large.py`.

    python benchmarks/verbs.py [--only FAMILY] [--verbs info,dis] [--size N] [--folder FOLDER]
    python benchmarks/verbs.py --growth [--times N] …

Each verb runs as a process of its own, its output thrown away. Its memory is the most that it held
(`ru_maxrss`), and may be 8 times the file that it reads, and 60 MB. With `--growth`, files of n, 2n
and 4n instructions take turns: the exponent is the slope of a line fitted to the logarithms of
processor time, less that of `unshade --version`. A family has no row for a verb that it lacks.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bounds import exponent
from large import LISTINGS
from peers import ROOT

import unshade

FIXED, TIMES = 60e6, 8
GROWTH = 1.15  # the greatest exponent
JUDGED = 0.2  # seconds that a verb takes at least at 4n, or its exponent says little
INSTRUCTIONS = {  # 4 MB, SPIR-V 16 MB, or as many as a file of the family may have
    "dxbc": 165_000, "dxil": 300_000, "shbin": 1_000_000, "sksl": 40_000, "spirv": 1_000_000,
    "vbc": 12_000,
}  # fmt: skip
SMALLEST = {"dxbc": 10_000, "dxil": 10_000, "shbin": 40_000, "sksl": 5_000, "spirv": 20_000,
            "vbc": 3_000}  # fmt: skip
READING = ("info", "dis", "verify", "asm")
# What each verb is given; {text} and {yaml} are what `dis` and `to-yaml` made of the file.
LINES = {
    "identify": "{file}",
    "info": "{file}",
    "parts": "{file}",
    "dis": "{file}",
    "decompile": "{file}",
    "translate": "{file} -o {made}",
    "reflect": "{file}",
    "hexdump": "{file}",
    "report": "{file} -o {made}.html",
    "extract": "{file} -o {made}-parts",
    "headers": "{file}",
    "asm": "{text} -o {made}",
    "sign": "{file} -o {made}",
    "strip": "{file} -o {made}",
    "to-yaml": "{file}",
    "from-yaml": "{yaml} -o {made}",
    "verify": "{file}",
    "check": "{file} --max-bytes 1000000000",
    "audit": "{file}",
    "cost": "{file}",
    "diff": "{file} {other}",
    "find": "{file}",
}
LACKING = 4  # exit code for what a family lacks


# A process counts the memory of the one that it was forked of, so that one without a library forks.
MEASURED = """
import json, os, subprocess, sys
with open(sys.argv[1], "wb") as to:
    process = subprocess.Popen(sys.argv[2:], stdout=to, stderr=subprocess.PIPE)
    said = process.stderr.read().decode(errors="replace").strip().splitlines()
    _, status, used = os.wait4(process.pid, 0)
code, time = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
print(json.dumps([code, time, used.ru_maxrss * 1024, said[-1][:100] if said else ""]))
"""


def run(line: list[str], output: Path | None = None) -> tuple[int, float, int, str]:
    """Run a command line; return its code, processor time, most memory and last words."""
    command = [sys.executable, "-m", "unshade", *line]
    start = [sys.executable, "-S", "-c", MEASURED, str(output or os.devnull)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    ended = subprocess.run(start + command, stdout=subprocess.PIPE, env=environment, check=True)
    code, time, most, said = json.loads(ended.stdout)
    return code, time, most, said


def made(family: str, instructions: int, folder: Path, needs: set[str]) -> dict[str, Path]:
    """Return the file of a family, another in which less is repeated, and its texts."""
    start = folder / f"{family}-{instructions}"
    found = {"file": start, "other": start.with_name(start.name + "-other"),
             "made": start.with_name(start.name + "-made")}  # fmt: skip
    for key, number in (("file", instructions), ("other", instructions - instructions // 50)):
        if not found[key].exists() and key in needs | {"file"}:
            found[key].write_bytes(unshade.assemble(LISTINGS[family](number)).to_bytes())
    exact = [] if family == "sksl" else ["--dialect", "exact"]
    for key, line in (("text", ["dis", str(start), *exact]), ("yaml", ["to-yaml", str(start)])):
        found[key] = start.with_name(f"{start.name}.{key}")
        if not found[key].exists() and key in needs:
            run(line, found[key])
    return found


def arguments(verb: str, files: dict[str, Path]) -> list[str]:
    return [verb, *(each.format(**files) for each in LINES[verb].split())]


def read_by(verb: str, files: dict[str, Path]) -> int:
    """Return the size of the files that a verb reads."""
    return sum(each.stat().st_size for key, each in files.items() if f"{{{key}}}" in LINES[verb]
               and key != "made")  # fmt: skip


def needed(verbs: list[str]) -> set[str]:
    return {key for key in ("other", "text", "yaml") for verb in verbs if key in LINES[verb]}


def memory(family: str, instructions: int, verbs: list[str], folder: Path) -> int:
    """Print the memory of each verb; return how many take too much."""
    files = made(family, instructions, folder, needed(verbs))
    over = 0
    print(f"{family}: {instructions:,} instructions, {files['file'].stat().st_size:,} bytes")
    for verb in verbs:
        code, time, most, said = run(arguments(verb, files))
        if code == LACKING:
            continue
        size = read_by(verb, files)
        allowed = FIXED + TIMES * size
        over += most > allowed
        mark = "" if most <= allowed else "   OVER"
        print(f"    {verb:10} {most / 1e6:7.0f} MB of {allowed / 1e6:5.0f}, {time:7.2f} s, "
              f"code {code} {said}{mark}", flush=True)  # fmt: skip
    return over


def growth(family: str, least: int, verbs: list[str], folder: Path, rounds: int) -> int:
    """Print the exponent of each verb; return how many grow too fast."""
    numbers = [least, 2 * least, 4 * least]
    files = [made(family, each, folder, needed(verbs)) for each in numbers]
    over = 0
    print(f"{family}: up to {numbers[-1]:,} instructions")
    base = min(run(["--version"])[1] for _ in range(rounds))
    for verb in verbs:
        times = [float("inf")] * len(files)
        code, said = 0, ""
        for _ in range(rounds):
            for at, each in enumerate(files):
                code, time, _, said = run(arguments(verb, each))
                times[at] = min(times[at], time - base)
        if code == LACKING:
            continue
        slope = exponent(numbers, times)
        judged = times[-1] >= JUDGED
        over += judged and slope > GROWTH
        mark = "" if slope <= GROWTH or not judged else "   OVER"
        shown = f"n^{slope:.2f}" if judged else "     "
        print(f"    {verb:10} {', '.join(f'{each:6.2f}' for each in times)} s  {shown}  "
              f"code {code} {said}{mark}", flush=True)  # fmt: skip
    return over


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--growth", action="store_true", help="fit exponents of time")
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--verbs", default="", help="separated by commas; default all, or "
                        + ", ".join(READING) + " for memory")  # fmt: skip
    parser.add_argument("--size", type=int, default=0, help="instructions; n with --growth")
    parser.add_argument("--rounds", type=int, default=1, help="of --growth; the least time counts")
    parser.add_argument("--folder", type=Path, help="where files are kept between runs")
    given = parser.parse_args()
    every = LINES if given.growth else READING
    verbs = given.verbs.split(",") if given.verbs else [*every]
    over = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for family in LISTINGS:
            if given.only not in family:
                continue
            if given.growth:
                size = given.size or SMALLEST[family]
                over += growth(family, size, verbs, folder, given.rounds)
            else:
                over += memory(family, given.size or INSTRUCTIONS[family], verbs, folder)
    print(f"{over} over the bound")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
