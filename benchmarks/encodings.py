"""The benchmark kernels in the jit, each from its encodings: SPIR-V and DXIL against DXBC.

    python benchmarks/encodings.py [FOLDER] [--rounds N] [--kernels NAME ...]

Each is the same work on the same numbers in one thread. CPU times of a whole call, taking turns
within a round; medians over the rounds, and their ratio to that of Direct3D's bytecode. An encoding
that cannot be run yet is left out. Results have to agree within the tolerance of the README beside
the kernels.
"""

import argparse
import statistics
import struct
import sys
from pathlib import Path

import numpy as np
from contenders import Case, lowered, memories, output, spent
from execute import CHANCE, cases, encodings
from lavapipe import corpus

from unshade.errors import UnsupportedError
from unshade.ir.memory import Space
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch
from unshade.vm.prepare import prepare

FIRST, OTHERS = "dxbc", ("spv", "dxil")
TRANSCENDENTAL = ("sin", "exp2", "log2", "pow", "inversesqrt", "exp")


def all_cases(folder: Path) -> list[Case]:
    """Return the cases of `execute`, and each function of `trans`."""
    files = encodings(folder, "trans")
    x = CHANCE.random(1 << 18, dtype="f4") * 4 + np.float32(0.1)
    trans = [
        Case(f"trans {name}", files, {0: x, 1: np.zeros_like(x)}, struct.pack("<I", at),
             (1 << 12, 1, 1), 1, 1e-4)
        for at, name in enumerate(TRANSCENDENTAL)
    ]  # fmt: skip
    return cases(folder) + trans


class Encoding:
    """One case in one encoding."""

    def __init__(self, case: Case, form: str) -> None:
        self.case = case
        program = lowered(case.files[form])
        self.kernel = prepare(program, {}, {})
        self.engine = Jit(threads=1, quick=False)
        self.memories = memories(case, program)
        self.out = self.memories[output(case, program)]
        for memory in self.kernel.memories:
            if memory.space is Space.BUFFER and memory.key not in self.memories:  # of counters
                size = memory.stride * (memory.count or 1)
                self.memories[memory.key] = np.zeros(size, np.uint8)

    def run(self) -> None:
        """Run one call."""
        self.engine.run(self.kernel, Launch(self.memories, self.case.groups))


def distance(case: Case, one: Encoding, other: Encoding) -> float:
    """Return the largest relative difference, or how many of a thousand numbers differ."""
    kind = case.arrays[case.out].dtype
    a, b = one.out.view(kind), other.out.view(kind)
    if kind == np.dtype("f4"):
        return float(np.nanmax(np.abs(a - b) / np.maximum(np.abs(b), 1e-6)))
    return int(np.count_nonzero(a != b)) * 1000 / len(a)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--kernels", nargs="*")
    given = parser.parse_args()
    folder = given.folder or corpus() / "bench"
    wrong = 0
    print(f"{'kernel':18} {'dxbc ms':>9} {'spv':>6} {'dxil':>6}")
    for case in all_cases(folder):
        if given.kernels and case.name.split()[0] not in given.kernels:
            continue
        found = {FIRST: Encoding(case, FIRST)}
        for name in OTHERS:
            try:
                found[name] = Encoding(case, name)
            except UnsupportedError as error:
                print(f"{case.name}: {name}: {error}", file=sys.stderr)
        notes = []
        for name, each in found.items():
            each.run()
            if name != FIRST and distance(case, each, found[FIRST]) > case.near:
                notes.append(f"{name} differs")
        times: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(given.rounds):
            for name, each in found.items():
                times[name].append(spent(each.run))
        medians = {name: statistics.median(seconds) for name, seconds in times.items()}
        ratios = [
            f"{medians[name] / medians[FIRST]:6.2f}" if name in medians else "     -"
            for name in OTHERS
        ]
        wrong += len(notes)
        print(f"{case.name:18} {1000 * medians[FIRST]:9.3f} {' '.join(ratios)}", *notes)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
