"""Code that the benchmarks share: the checkout on the path, timing side by side, and a table."""

import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]


def best_of(
    functions: Mapping[str, Callable[[], object]], rounds: int = 7, least: float = 0.02
) -> dict[str, float]:
    """Seconds of one call of each, the best of several rounds.

    The functions take turns, so that a machine that slows down slows all of them down; a quick
    function is called often enough for a round to take `least` seconds.
    """
    loops = {}
    for name, function in functions.items():
        function()
        start = time.perf_counter()
        function()
        loops[name] = max(1, int(least / max(time.perf_counter() - start, 1e-9)))
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            for _ in range(loops[name]):
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / loops[name])
    return best


def cpu_medians(
    functions: Mapping[str, Callable[[], object]], rounds: int = 15
) -> dict[str, float]:
    """Seconds of processor time of one call of each, that of its processes included: medians.

    The functions take turns, so that work of others on the machine meets all of them.
    """
    times: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        function()
    for _ in range(rounds):
        for name, function in functions.items():
            start = _processor_time()
            function()
            times[name].append(_processor_time() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def _processor_time() -> float:
    """Processor time of this process and of the ended ones that it started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


def table(title: str, times: Mapping[str, float], base: str, unit: str = "µs") -> None:
    """One line a contender: its time, and how many times that of `base`."""
    scale = {"µs": 1e6, "ms": 1e3, "s": 1.0}[unit]
    print(title)
    for name, seconds in times.items():
        ratio = seconds / times[base]
        print(f"    {name:44} {seconds * scale:10.1f} {unit}   {ratio:6.2f} x")
