"""Time per byte on hostile and on big inputs: at most 50 ms + 5 µs a byte, for each call.

    python benchmarks/bounds.py [--size 200000] [--only NAME]
    python benchmarks/bounds.py --growth [--times 4] [--rounds 3] [--only NAME]

Each input makes one thing as expensive as a file of its size can. A call that ends in one of our
errors counts with the time it took to get there.

With `--growth`, programs of n, 2n and 4n equal constructs go through every call and every pass of
`lower`, `ir` and `vm`, each measured by itself: the least processor time of some rounds. The
exponent is the slope of a line fitted to the logarithms; a pass below 20 ms is not judged. Caches
that the data outgrow, and a processor that is shared, also make a time grow faster than n, between
some sizes; a large module of SPIR-V is decoded again wherever it is read, to save memory. A pass
over the bound is measured again with 16 times as many constructs, and counts
if its exponent is over the bound there, too.
"""

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import unshade  # noqa: E402
from tests.hostile import big  # noqa: E402
from tests.hostile.constructs import CONSTRUCTS, FEW, LIMITED  # noqa: E402
from tests.hostile.passes import costs  # noqa: E402
from unshade import Shader, UnshadeError  # noqa: E402

FIXED, PER_BYTE = 50e-3, 5e-6  # seconds


def calls() -> dict[str, Callable[[Shader], Any]]:
    return {
        "diagnostics": lambda shader: shader.diagnostics,
        "to_bytes": lambda shader: shader.to_bytes(),
        "disassemble": lambda shader: shader.disassemble(),
        "reflect": lambda shader: shader.reflect().to_dict(),
        "verify": lambda shader: shader.verify(),
        "to_data": lambda shader: shader.to_data(),
        "spans": lambda shader: shader.spans(),
        "control_flow": lambda shader: [each.control_flow() for each in shader.programs],
    }


def timed(function: Callable[[], Any]) -> tuple[float, str]:
    start = time.perf_counter()
    try:
        function()
        outcome = ""
    except UnshadeError as error:
        outcome = type(error).__name__
    return time.perf_counter() - start, outcome


GROWTH = 1.15  # the greatest exponent
JUDGED = 0.02  # seconds that a pass takes at least at 4n, or its exponent says little
USUAL = 40  # constructs of the smallest program, before `--times`


def least(name: str, numbers: list[int], rounds: int) -> tuple[dict[str, list[float]], str]:
    """Return the least time of each pass for each number of constructs, and the last message."""
    found: dict[str, list[float]] = {}
    message = ""
    for _ in range(rounds):
        for at, n in enumerate(
            numbers
        ):  # in turn, since a shared processor becomes faster and slower
            gc.collect()
            gc.disable()  # it takes as long as all objects that are alive, whoever made them
            took, message = costs(partial(CONSTRUCTS[name], n), time.process_time)
            gc.enable()
            for each, time_ in took.items():
                times = found.setdefault(each, [math.inf] * len(numbers))
                times[at] = min(time_, times[at])
    return found, message


def exponent(numbers: list[int], times: list[float]) -> float:
    """Return the slope of the line through the logarithms."""
    xs, ys = [math.log(n) for n in numbers], [math.log(max(time, 1e-6)) for time in times]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    over = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return over / sum((a - x) ** 2 for a in xs)


def slopes(name: str, n: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Print how long 4n constructs take; return the time and exponent of each pass over 20 ms."""
    numbers = [n, 2 * n, 4 * n]
    measured, end = least(name, numbers, rounds)
    total = sum(times[-1] for times in measured.values() if math.isfinite(times[-1]))
    print(f"{name}: {numbers[-1]} of them take {total * 1e3:.0f} ms  {end}", flush=True)
    return {
        each: (times[-1], exponent(numbers, times))
        for each, times in sorted(measured.items(), key=lambda item: -item[1][-1])
        if times[-1] >= JUDGED and all(map(math.isfinite, times))
    }


def growth(only: str, times: int, rounds: int) -> int:
    """Print the exponent of each pass; return how many are over the bound."""
    over = 0
    for name in CONSTRUCTS:
        if only not in name or name in LIMITED:
            continue
        n = FEW.get(name, USUAL * times)
        found = slopes(name, n, rounds)
        again = {}
        if name not in FEW and any(slope > GROWTH for _, slope in found.values()):
            again = slopes(name, 16 * n, 1)
        for each, (last, slope) in found.items():
            more = again[each][1] if slope > GROWTH and each in again else slope
            mark = "" if slope <= GROWTH else f", n^{more:.2f} of more"
            if min(slope, more) > GROWTH:
                over += 1
                mark += "   OVER"
            print(f"    {each:18} {last * 1e3:9.1f} ms  n^{slope:.2f}{mark}", flush=True)
    print(f"{over} passes over n^{GROWTH}")
    return over


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--growth", action="store_true", help="measure exponents of passes")
    parser.add_argument("--times", type=int, default=4, help="size of the programs of --growth")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of --growth")
    parser.add_argument("--size", type=int, default=200_000, help="bytes of each input, about")
    parser.add_argument("--only", default="", help="inputs whose name contains this")
    options = parser.parse_args()
    if options.growth:
        return 1 if growth(options.only, options.times, options.rounds) else 0
    over = 0
    for name, make in big.INPUTS.items():
        if options.only not in name:
            continue
        data = make(options.size)
        allowed = FIXED + PER_BYTE * len(data)
        times = {"loads": timed(lambda data=data: unshade.loads(data))}  # type: ignore[misc]
        for call, function in calls().items():
            if times["loads"][1]:
                break
            shader = unshade.loads(data)
            if call == "to_bytes":  # after everything was decoded, or it has nothing to do
                _ = shader.diagnostics
            times[call] = timed(lambda: function(shader))  # noqa: B023
        print(f"{name}: {len(data)} bytes, {allowed * 1e3:.0f} ms allowed")
        for call, (took, outcome) in times.items():
            mark = "" if took <= allowed else "   OVER"
            over += took > allowed
            print(f"    {call:12} {took * 1e3:9.1f} ms {took * 1e6 / len(data):7.2f} µs/byte"
                  f"  {outcome}{mark}", flush=True)  # fmt: skip
    print(f"{over} calls over the bound")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
