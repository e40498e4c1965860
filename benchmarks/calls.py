"""A function of 20 scalar operations, called over arrays, against NumPy by hand.

    python benchmarks/calls.py [--rounds N] [--source]

One thread; the processor times of both in turn, in one process, and the ratio NumPy / unshade: more
than 1 is faster than NumPy. NumPy computes the same results in the same order, with a new array for
each operation. Without `--source`, the function is called as one of a SPIR-V module; with it, it is
compiled from HLSL, which needs Slang. The results must be equal in every bit. The last column is
one addition of NumPy over the same arrays, into an array that is there: as much memory is read and
written, so that nothing is faster for arrays that the caches do not hold.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one thread, for both

import numpy as np

import unshade

SIZES = (1, 64, 1_000, 10_000, 100_000, 1_000_000)
STEPS = (  # twenty operations on x and y, each on the last result
    "*x", "+y", "*x", "-y", "+x", "*y", "+x", "*x", "-y", "*y",
    "+x", "*x", "+y", "-x", "*y", "+x", "*x", "-y", "+x", "*y",
)  # fmt: skip
OPERATIONS = {"*": "OpFMul", "+": "OpFAdd", "-": "OpFSub"}
NUMPY = {"*": np.multiply, "+": np.add, "-": np.subtract}


def by_hand(x: Any, y: Any) -> Any:
    """Return the result by NumPy."""
    found = x
    for step in STEPS:
        found = NUMPY[step[:1]](found, x if step.endswith("x") else y)
    return found


def module() -> bytes:
    """Return a SPIR-V module with the function."""
    lines = [
        "OpCapability Shader", "OpCapability Linkage", "OpMemoryModel Logical GLSL450",
        'OpName %steps "steps"', 'OpName %x "x"', 'OpName %y "y"', "%float = OpTypeFloat 32",
        "%type = OpTypeFunction %float %float %float", "%steps = OpFunction %float None %type",
        "%x = OpFunctionParameter %float", "%y = OpFunctionParameter %float", "%entry = OpLabel",
    ]  # fmt: skip
    last = "%x"
    for number, step in enumerate(STEPS):
        lines.append(f"%r{number} = {OPERATIONS[step[:1]]} %float {last} %{step[1:]}")
        last = f"%r{number}"
    lines += [f"OpReturnValue {last}", "OpFunctionEnd"]
    return unshade.assemble("\n".join(lines), target="spv1.5").to_bytes()


def source() -> str:
    """Return the function in HLSL."""
    body = "".join(f"    r = r {step[:1]} {step[1:]};\n" for step in STEPS)
    return f"float steps(float x, float y)\n{{\n    precise float r = x;\n{body}    return r;\n}}\n"


def processor_time(call: Callable[[], object], repeats: int) -> float:
    """Return the processor time of a call."""
    start = time.process_time_ns()
    for _ in range(repeats):
        call()
    return (time.process_time_ns() - start) / repeats / 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--source", action="store_true")
    given = parser.parse_args()
    if given.source:
        library = unshade.functions(source(), language="hlsl")
    else:
        library = unshade.functions(unshade.loads(module()))
    chance = np.random.default_rng(1)
    print(f"{'elements':>10}{'NumPy µs':>12}{'unshade µs':>12}{'ratio':>8}{'addition µs':>14}")
    wrong = False
    for size in SIZES:
        x, y = chance.uniform(0.5, 1, (2, size)).astype(np.float32)
        wrong |= by_hand(x, y).tobytes() != library.steps(x, y).tobytes()
        for _ in range(3):
            library.steps(x, y)
        repeats = max(1, 200_000 // size // 20)
        rows = []
        into = np.empty_like(x)
        for _ in range(given.rounds):
            hand = processor_time(lambda: by_hand(x, y), repeats)  # noqa: B023
            ours = processor_time(lambda: library.steps(x, y), repeats)  # noqa: B023
            add = processor_time(lambda: np.add(x, y, out=into), repeats)  # noqa: B023
            rows.append((hand, ours, hand / ours, add))
        hand, ours, ratio, add = (statistics.median(each) for each in zip(*rows, strict=True))
        print(f"{size:>10,}{hand:>12.1f}{ours:>12.1f}{ratio:>8.2f}{add:>14.1f}")
    print("results differ" if wrong else "results are equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
