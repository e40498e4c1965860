"""The benchmark kernels on lavapipe and on both engines: time of a dispatch, time to compile.

    python benchmarks/execute.py [FOLDER] [--rounds N] [--kernels NAME ...]

Each kernel is the same work three times: its SPIR-V on lavapipe, its Direct3D bytecode in the jit
and in lockstep, on the same numbers, one thread each, taking turns within a round; and once more
in the jit with `fast`. Times are CPU times of a whole call, all threads of the process together;
medians over the rounds. What comes out has to agree with lavapipe's within a stated tolerance.

To compile is, for lavapipe, to create the pipeline and to run it once on one group, its disk cache
off; for the jit, to lower, prepare and compile a program and to run it on one group: without object
cache (cold), then with what that left there (cached).
"""

import argparse
import os
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lavapipe import Lavapipe, corpus
from vulkan import VulkanError

import unshade
from unshade.vm.jit import Jit
from unshade.vm.launch import Launch, by_label
from unshade.vm.lockstep import Lockstep
from unshade.vm.prepare import prepare

Array = npt.NDArray[Any]
CHANCE = np.random.default_rng(1)


@dataclass(slots=True)
class Case:
    """One kernel at one size: arrays by binding, which of them comes out, how near it has to be.

    `near` is the relative difference, or for whole numbers how many may differ, of a thousand.
    """

    name: str
    file: str
    arrays: dict[int, Array]
    push: bytes
    groups: tuple[int, int, int]
    out: int
    near: float

    def __post_init__(self) -> None:
        self.push += bytes(-len(self.push) % 16)


def cases() -> list[Case]:
    """The sizes of the reference measurements (the README beside the kernels)."""
    floats = CHANCE.random(1 << 24, dtype="f4")
    seeds = CHANCE.integers(1, 1 << 32, 1 << 20, dtype="u4")
    view = struct.pack("<4f3I", -2.2, -1.3, 3 / 1024, 2.6 / 1024, 1024, 0, 0)
    pixels, bodies, c = (
        np.zeros(n, d) for n, d in ((1 << 20, "u4"), (4096, "f4"), (1 << 18, "f4"))
    )
    square = (1 << 18,)
    a, b = (CHANCE.random(square, dtype="f4") for _ in range(2))

    def saxpy(name: str, n: int) -> Case:
        arrays = {0: floats[:n], 1: CHANCE.random(n, dtype="f4")}
        return Case(name, "saxpy", arrays, struct.pack("<fI", 1.5, n), (n // 64, 1, 1), 1, 1e-6)

    push = struct.pack("<fI", 0.01, 1024)
    return [
        saxpy("saxpy 2^24", 1 << 24),
        saxpy("saxpy 2^17", 1 << 17),
        Case("mandel", "mandel", {0: pixels}, view, (1 << 14, 1, 1), 0, 3),
        Case("xorshift", "xorshift", {0: seeds}, struct.pack("<I", 256), (1 << 14, 1, 1), 0, 0),
        Case("nbody", "nbody", {0: floats[:4096], 1: bodies}, push, (16, 1, 1), 1, 1e-4),
        Case("matmul", "matmul", {0: a, 1: b, 2: c}, struct.pack("<I", 512), (8, 8, 1), 2, 1e-4),
    ]


MEAN = ("saxpy 2^24", "mandel", "xorshift", "nbody", "matmul")


def spent(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


class Contenders:
    """One case everywhere."""

    def __init__(self, case: Case, folder: Path, device: Lavapipe | None) -> None:
        self.case = case
        self.device = device
        program: Any = unshade.open(folder / f"{case.file}.dxbc").programs[0]
        self.lowered = program.lower()
        self.spirv = (folder / f"{case.file}.spv").read_bytes()
        self.kernel = prepare(self.lowered, {}, {})
        self.engines: dict[str, Any] = {
            "jit": Jit(threads=1),
            "lockstep": Lockstep(),
            "fast": Jit(threads=1, fast=True),
        }
        self.memories = {name: self._memories() for name in self.engines}
        self.buffers = {}
        if device is not None:
            self.buffers = {at: device.buffer(data.tobytes()) for at, data in case.arrays.items()}
            self.shader = device.compute(self.spirv, dict(self.buffers), case.push)
            self.shader.dispatch(*case.groups)

    def _memories(self) -> dict[str, Array]:
        found = {}
        for memory in self.kernel.memories:
            if memory.name == "cb0":
                found["cb0"] = np.frombuffer(self.case.push, np.uint8).copy()
            elif memory.name[0] in "tu":
                found[memory.name] = self.case.arrays[int(memory.name[1:])].copy().view(np.uint8)
        return found

    def run(self, name: str) -> None:
        """One call of an engine."""
        launch = Launch(by_label(self.kernel.memories, self.memories[name]), self.case.groups)
        self.engines[name].run(self.kernel, launch)

    def agree(self) -> str:
        """Compare the results of the first call of each; empty if they are as expected."""
        for name in self.engines:
            self.run(name)
        out = f"u{self.case.out}"
        jit, lockstep = (self.memories[name][out] for name in ("jit", "lockstep"))
        if not np.array_equal(jit, lockstep):
            return "jit and lockstep differ"
        if self.device is None:
            return ""
        kind = self.case.arrays[self.case.out].dtype
        mine = jit.view(kind)
        theirs = np.frombuffer(bytes(self.buffers[self.case.out].data), kind)
        if kind == np.dtype("f4"):
            far = float(np.max(np.abs(mine - theirs) / np.maximum(np.abs(theirs), 1e-6)))
            return "" if far <= self.case.near else f"{far:.2g} of the number away from lavapipe"
        wrong = int(np.count_nonzero(mine != theirs)) * 1000 / len(mine)
        return "" if wrong <= self.case.near else f"{wrong:.1f} of a thousand differ from lavapipe"

    def times(self, rounds: int) -> dict[str, float]:
        """Median seconds of a call, all taking turns; lockstep fewer times where it is slow."""
        found: dict[str, list[float]] = {"lavapipe": [], "jit": [], "fast": [], "lockstep": []}
        for number in range(rounds):
            if self.device is not None:
                found["lavapipe"] += self.shader.cpu_seconds(*self.case.groups, rounds=1)
            for name in ("jit", "fast"):
                found[name].append(spent(partial(self.run, name)))
            slow = found["lockstep"] and found["lockstep"][0] > 1
            if number < 3 or not slow:
                found["lockstep"].append(spent(lambda: self.run("lockstep")))
        return {name: statistics.median(each) for name, each in found.items() if each}

    def compile(self, rounds: int) -> dict[str, float]:
        """Median seconds until one group has run."""
        found: dict[str, list[float]] = {"lavapipe": [], "cold": [], "cached": []}
        group = (1, 1, 1)
        for _ in range(rounds):
            if self.device is not None:
                shader = self.device.compute(self.spirv, dict(self.buffers), self.case.push)
                shader.dispatch(*group)
                found["lavapipe"].append(shader.creation + shader.first)
            with tempfile.TemporaryDirectory() as folder:
                os.environ["UNSHADE_CACHE"] = folder
                for name in ("cold", "cached"):
                    found[name].append(spent(lambda: self._anew(group)))
        return {name: statistics.median(each) for name, each in found.items() if each}

    def _anew(self, groups: tuple[int, int, int]) -> None:
        kernel = prepare(self.lowered, {}, {})
        bound = by_label(kernel.memories, self.memories["jit"])
        Jit(threads=1).run(kernel, Launch(bound, groups))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kernels", nargs="+", default=[])
    given = parser.parse_args()
    folder = given.folder or corpus() / "bench"
    try:
        device: Lavapipe | None = Lavapipe()
    except VulkanError as error:
        device = None
        print(f"lavapipe cannot be used ({error}): without it", file=sys.stderr)
    if device is not None:
        print(f"{device.name}: {device.version}; one thread, CPU ms, medians of {given.rounds}")
    print(f"{'':12}{'lavapipe':>10}{'jit':>10}{'lockstep':>10}{'lavapipe/jit':>14}{'lockstep/jit':>14}{'jit/fast':>10}"
          f"{'create':>10}{'cold':>8}{'cached':>8}")  # fmt: skip
    ratios: dict[str, float] = {}
    wrong = []
    for case in cases():
        if given.kernels and case.name not in given.kernels:
            continue
        each = Contenders(case, folder, device)
        message = each.agree()
        wrong += [f"{case.name}: {message}"] if message else []
        took, made = each.times(given.rounds), each.compile(3)
        nothing = float("nan")
        ratio = took.get("lavapipe", nothing) / took["jit"]
        ratios[case.name] = ratio
        print(
            f"{case.name:12}{took.get('lavapipe', nothing) * 1e3:10.2f}{took['jit'] * 1e3:10.3f}"
            f"{took['lockstep'] * 1e3:10.2f}{ratio:14.2f}{took['lockstep'] / took['jit']:14.1f}"
            f"{took['jit'] / took['fast']:10.2f}"
            f"{made.get('lavapipe', nothing) * 1e3:10.1f}{made['cold'] * 1e3:8.1f}"
            f"{made['cached'] * 1e3:8.1f}"
        )
    counted = [ratios[name] for name in MEAN if name in ratios]
    if device is not None and len(counted) == len(MEAN):
        print(f"geometric mean of {', '.join(MEAN)}: {prod(counted) ** (1 / len(counted)):.2f}")
    print("\n".join(wrong) or "results agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
