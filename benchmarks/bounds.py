"""Time per byte on hostile and on big inputs: at most 50 ms + 5 µs a byte, for each call.

    python benchmarks/bounds.py [--size 200000] [--only NAME]

Each input makes one thing as expensive as a file of its size can. A call that ends in one of our
errors counts with the time it took to get there.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

import unshade  # noqa: E402
from tests.hostile import big  # noqa: E402
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
    }


def timed(function: Callable[[], Any]) -> tuple[float, str]:
    start = time.perf_counter()
    try:
        function()
        outcome = ""
    except UnshadeError as error:
        outcome = type(error).__name__
    return time.perf_counter() - start, outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=200_000, help="bytes of each input, about")
    parser.add_argument("--only", default="", help="inputs whose name contains this")
    options = parser.parse_args()
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
