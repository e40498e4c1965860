"""The cost of starting: `unshade VERB` of a small file into a pipe, against bare Python.

    python benchmarks/startup.py [RUNS]

The goal: `unshade info` takes at most 2.5 times as long as Python with struct, argparse and json.
Times are of the processor, the medians of all runs; the commands take turns, so that a busy machine
slows all of them. The command is the installed one, beside the Python that runs this; an editable
installation may have to compile itself at each start.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SMALL = str(EXAMPLES / "saxpy.dxbc")
BASE = "import struct, argparse, json"
UNSHADE = str(Path(sys.executable).parent / "unshade")
COMMANDS = {
    f'python -c "{BASE}"': [sys.executable, "-c", BASE],
    "unshade info": [UNSHADE, "info", SMALL],
    "unshade parts": [UNSHADE, "parts", SMALL],
    "unshade dis": [UNSHADE, "dis", SMALL],
    "unshade info --json": [UNSHADE, "info", "--json", SMALL],
    "unshade info of DXIL": [UNSHADE, "info", str(EXAMPLES / "saxpy6.dxil")],
    "unshade info of SPIR-V": [UNSHADE, "info", str(EXAMPLES / "particles.spv")],
    "unshade --help": [UNSHADE, "--help"],
}


def spent() -> float:
    """Return the processor time of the processes that have ended, in seconds."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            start = spent()
            subprocess.run(command, stdout=subprocess.PIPE, check=True)
            taken[name].append(1000 * (spent() - start))
    base = median(next(iter(taken.values())))
    for name, times in taken.items():
        print(f"{name:<46} {median(times):6.1f} ms  {median(times) / base:5.2f} x")


if __name__ == "__main__":
    main()
