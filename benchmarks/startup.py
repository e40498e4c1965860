"""The cost of starting: `unshade VERB` of a small file into a pipe, against bare Python.

    python benchmarks/startup.py [RUNS]

The bar: `unshade info` takes at most 3 times as long as Python with struct, argparse and json. The
commands take turns, so that a busy machine slows all of them. Measure an installation, as pip
compiles that (`pip install .`); an editable one may have to compile itself at each start.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

SMALL = str(Path(__file__).resolve().parent.parent / "examples" / "saxpy.dxbc")
BASE = "import struct, argparse, json"
UNSHADE = [sys.executable, "-m", "unshade"]
COMMANDS = {
    f'python -c "{BASE}"': [sys.executable, "-c", BASE],
    "unshade info": [*UNSHADE, "info", SMALL],
    "unshade parts": [*UNSHADE, "parts", SMALL],
    "unshade dis": [*UNSHADE, "dis", SMALL],
    "unshade info --json": [*UNSHADE, "info", "--json", SMALL],
}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            subprocess.run(command, stdout=subprocess.PIPE, check=True)
            taken[name].append(1000 * (time.perf_counter() - start))
    base = median(next(iter(taken.values())))
    for name, times in taken.items():
        print(f"{name:<46} {median(times):6.1f} ms  {median(times) / base:5.2f} x")


if __name__ == "__main__":
    main()
