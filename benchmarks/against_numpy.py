"""The benchmark kernels in lockstep, against NumPy written by hand.

    python benchmarks/against_numpy.py [FOLDER] [--rounds N] [--kernels NAME ...]

Each kernel is the same work twice: its Direct3D bytecode in lockstep, and a function of NumPy as
one writes it for that kernel alone, with the sizes and numbers of execute.py. Results have to be
equal in every bit. Both run in one thread and take turns; times are CPU times of a whole call, the
medians of the rounds; ratios are followed by the quartiles of the rounds.

What the functions know, and lockstep has to find out: which values are the same for all lanes,
which accesses are slices, that none is out of bounds, that no result is NaN, and how large a block
fits into the cache.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from contenders import (
    Array,
    Case,
    Times,
    geometric_mean,
    lowered,
    memories,
    output,
    ratio,
    spent,
)
from execute import MEAN, cases
from lavapipe import corpus

from unshade.vm.launch import Launch
from unshade.vm.lockstep import Lockstep
from unshade.vm.prepare import prepare

BLOCK = 1 << 16  # lanes: three arrays of 32-bit numbers fit into the second-level cache
TILE = 64  # bodies, or rows of a matrix, that are computed at once


def saxpy(arrays: dict[int, Array], push: bytes) -> None:
    """y = a * x + y."""
    a = np.frombuffer(push, "<f4", 1)[0]
    x, y = arrays[0], arrays[1]
    product = np.empty(BLOCK, "f4")
    for at in range(0, len(x), BLOCK):
        some = y[at : at + BLOCK]
        part = product[: len(some)]
        np.multiply(x[at : at + BLOCK], a, out=part)
        np.add(some, part, out=some)


def mandel(arrays: dict[int, Array], push: bytes) -> None:
    """Iterations until a point escapes; points that have are removed from the arrays."""
    x0, y0, dx, dy = np.frombuffer(push, "<f4", 4)
    width = int(np.frombuffer(push, "<u4", 1, 16)[0])
    out = arrays[0]
    for at in range(0, len(out), BLOCK):
        pixel = np.arange(at, min(at + BLOCK, len(out)), dtype="u4")
        cx = (pixel % width).astype("f4") * dx + x0
        cy = (pixel // width).astype("f4") * dy + y0
        zx, zy = np.zeros_like(cx), np.zeros_like(cy)
        for iteration in range(256):
            xx, yy = zx * zx, zy * zy
            inside = xx + yy <= 4
            left = np.count_nonzero(inside)
            if left < len(pixel):
                out[pixel[~inside]] = iteration
                if not left:
                    break
                pixel, cx, cy, zx, zy, xx, yy = (
                    each[inside] for each in (pixel, cx, cy, zx, zy, xx, yy)
                )
            zx *= 2
            zy *= zx
            zy += cy
            np.subtract(xx, yy, out=zx)
            zx += cx
        else:
            out[pixel] = 256


def xorshift(arrays: dict[int, Array], push: bytes) -> None:
    """Steps of a random number generator, in place."""
    steps = int(np.frombuffer(push, "<u4", 1)[0])
    seeds = arrays[0]
    shifted = np.empty(BLOCK, "u4")
    for at in range(0, len(seeds), BLOCK):
        x = seeds[at : at + BLOCK]
        t = shifted[: len(x)]
        for _ in range(steps):
            np.left_shift(x, 13, out=t)
            np.bitwise_xor(x, t, out=x)
            np.right_shift(x, 17, out=t)
            np.bitwise_xor(x, t, out=x)
            np.left_shift(x, 5, out=t)
            np.bitwise_xor(x, t, out=x)


def nbody(arrays: dict[int, Array], push: bytes) -> None:
    """Accelerations of all bodies by all others, which are added in their order."""
    eps = np.frombuffer(push, "<f4", 1)[0]
    bodies = arrays[0].reshape(-1, 4)
    x, y, z, mass = bodies.T.copy()
    total = np.zeros((3, len(x)), "f4")
    for at in range(0, len(x), TILE):
        some = np.s_[at : at + TILE, np.newaxis]
        apart = [of[some] - of for of in (x, y, z)]
        r2 = apart[0] * apart[0]
        r2 += apart[1] * apart[1]
        r2 += apart[2] * apart[2]
        r2 += eps
        inverse = np.sqrt(r2, out=r2)
        np.divide(np.float32(1), inverse, out=inverse)
        pull = mass[some] * inverse
        pull *= inverse
        pull *= inverse
        for axis, distance in enumerate(apart):
            terms = np.multiply(distance, pull, out=distance)
            terms[0] += total[axis]
            np.add.reduce(terms, axis=0, out=total[axis])
    out = arrays[1].reshape(-1, 4)
    out[:, :3] = total.T
    out[:, 3] = 0


def matmul(arrays: dict[int, Array], push: bytes) -> None:
    """c = a b, each element a sum in the order of k (a @ b adds in another order)."""
    n = int(np.frombuffer(push, "<u4", 1)[0])
    a, b, c = (arrays[at].reshape(n, n) for at in range(3))
    product = np.empty((TILE, n), "f4")
    for at in range(0, n, TILE):
        columns = np.ascontiguousarray(a[at : at + TILE].T)[:, :, np.newaxis]
        total = c[at : at + TILE]
        np.multiply(columns[0], b[0], out=total)
        for column, row in zip(columns[1:], b[1:], strict=True):
            np.multiply(column, row, out=product)
            np.add(total, product, out=total)


BY_HAND: dict[str, Callable[[dict[int, Array], bytes], None]] = {
    each.__name__: each for each in (saxpy, mandel, xorshift, nbody, matmul)
}


class ByHand:
    """One case in lockstep and by hand."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.by_hand = BY_HAND[case.name.split()[0]]
        self.arrays = {at: data.copy() for at, data in case.arrays.items()}
        program = lowered(case.files[case.form])
        self.kernel = prepare(program, {}, {})
        bound = memories(case, program)
        self.out = bound[output(case, program)]
        self.launch = Launch(bound, case.groups)
        self.engine = Lockstep()

    def call(self, name: str) -> None:
        """Run the case once; some kernels continue where the last call ended."""
        if name == "lockstep":
            self.engine.run(self.kernel, self.launch)
        else:
            self.by_hand(self.arrays, self.case.push)

    def equal(self) -> bool:
        """Run the case once on both sides, and compare all bits."""
        for name in ("NumPy", "lockstep"):
            self.call(name)
        return np.array_equal(self.out, self.arrays[self.case.out].view(np.uint8))

    def times(self, rounds: int) -> Times:
        """Return the seconds of every call."""
        found: Times = {"NumPy": [], "lockstep": []}
        for number in range(rounds):
            for name in sorted(found, reverse=bool(number % 2)):
                found[name].append(spent(partial(self.call, name)))
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kernels", nargs="+", default=[])
    given = parser.parse_args()
    ratios, wrong = {}, []
    print(f"{'CPU ms':12}{'NumPy':>10}{'lockstep':>10}  ratio (quartiles)")
    for case in cases(given.folder or corpus() / "bench"):
        if given.kernels and case.name not in given.kernels:
            continue
        each = ByHand(case)
        if not each.equal():
            wrong.append(case.name)
        times = each.times(given.rounds)
        ratios[case.name] = ratio(times, "NumPy", ["lockstep"])
        medians = "".join(f"{statistics.median(of) * 1e3:10.2f}" for of in times.values())
        print(f"{case.name:12}{medians}  {ratios[case.name]}", flush=True)
    counted = [ratios[name].median for name in MEAN if name in ratios]
    if len(counted) == len(MEAN):
        mean = geometric_mean(counted)
        print(f"of {', '.join(MEAN)}: geometric mean {mean:.2f}, the worst {max(counted):.2f}")
    print(f"results differ: {', '.join(wrong)}" if wrong else "results are equal in every bit")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
