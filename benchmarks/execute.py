"""The benchmark kernels on lavapipe and on both engines: time of a dispatch, time to compile.

    python benchmarks/execute.py [FOLDER] [--rounds N] [--kernels NAME ...]
                                 [--engines NAME ...] [--tune] [--peer COMMAND ...]

Each kernel is the same work several times: its SPIR-V on lavapipe, its Direct3D bytecode in the
jit, in the jit with `fast`, and in lockstep, on the same numbers, one thread each, taking turns
within a round. Times are CPU times of a whole call, all threads of the process together; medians
over the rounds. What comes out has to agree with lavapipe's within a stated tolerance.

The registers of the engines and of lavapipe have the same width (levels.py); with 512 bits, each
Mesa is a peer with 256 bits, too.

Each `--peer` is a command that starts a Python beside another Mesa, for example `chroot ROOT
python3`; without any, the Mesa of this system is used. Ratios are against the better peer of each
kernel, with the quartiles of the rounds. `contenders.py` says what compiling is.
"""

import argparse
import statistics
import struct
import sys
from pathlib import Path

import numpy as np
from contenders import Array, Case, Contenders, Times, geometric_mean, ratio
from device_process import DeviceProcess, Groups
from lavapipe import corpus
from levels import machine, peer_widths
from vulkan import VulkanError

CHANCE = np.random.default_rng(1)
ENGINES = ("jit", "fast", "lockstep")
MEAN = ("saxpy 2^24", "mandel", "xorshift", "nbody", "matmul")


def cases(folder: Path) -> list[Case]:
    """The sizes of the reference measurements (the README beside the kernels)."""
    floats = CHANCE.random(1 << 24, dtype="f4")
    seeds = CHANCE.integers(1, 1 << 32, 1 << 20, dtype="u4")
    view = struct.pack("<4f3I", -2.2, -1.3, 3 / 1024, 2.6 / 1024, 1024, 0, 0)
    pixels, bodies, c = (
        np.zeros(n, d) for n, d in ((1 << 20, "u4"), (4096, "f4"), (1 << 18, "f4"))
    )
    square = (1 << 18,)
    a, b = (CHANCE.random(square, dtype="f4") for _ in range(2))

    def case(
        name: str, file: str, arrays: dict[int, Array], push: bytes, groups: Groups, out: int,
        near: float,
    ) -> Case:  # fmt: skip
        return Case(name, encodings(folder, file), arrays, push, groups, out, near)

    def saxpy(name: str, n: int) -> Case:
        arrays = {0: floats[:n], 1: CHANCE.random(n, dtype="f4")}
        return case(name, "saxpy", arrays, struct.pack("<fI", 1.5, n), (n // 64, 1, 1), 1, 1e-6)

    push = struct.pack("<fI", 0.01, 1024)
    return [
        saxpy("saxpy 2^24", 1 << 24),
        saxpy("saxpy 2^17", 1 << 17),
        case("mandel", "mandel", {0: pixels}, view, (1 << 14, 1, 1), 0, 3),
        case("xorshift", "xorshift", {0: seeds}, struct.pack("<I", 256), (1 << 14, 1, 1), 0, 0),
        case("nbody", "nbody", {0: floats[:4096], 1: bodies}, push, (16, 1, 1), 1, 1e-4),
        case("matmul", "matmul", {0: a, 1: b, 2: c}, struct.pack("<I", 512), (8, 8, 1), 2, 1e-4),
    ]


def encodings(folder: Path, name: str) -> dict[str, bytes]:
    """Return the files of a kernel by their suffix."""
    paths = [folder / f"{name}.{end}" for end in ("spv", "dxbc", "dxil")]
    return {path.suffix[1:]: path.read_bytes() for path in paths if path.exists()}


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of what the scripts that compare with lavapipe have in common."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kernels", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--engines", nargs="+", default=ENGINES, choices=ENGINES, metavar="NAME")
    parser.add_argument("--tune", action="store_true", help="settle the jit's widths by timing")
    parser.add_argument("--peer", action="append", default=[], metavar="COMMAND")
    return parser


def started(commands: list[str]) -> dict[str, DeviceProcess]:
    """Start the peers, by the version of their Mesa and the width of their registers.

    Those that cannot be used are left out.
    """
    print(machine())
    found: dict[str, DeviceProcess] = {}
    for command in commands or [""]:
        for bits in peer_widths():
            try:
                peer = DeviceProcess(command, bits)
            except VulkanError as error:
                print(f"lavapipe cannot be used ({error}): without it", file=sys.stderr)
                break
            print(f"lavapipe of {peer.version}, registers of {bits} bits")
            found[f"{peer.version.split()[1].split('-')[0]}/{bits}"] = peer
    return found


def milliseconds(times: Times, name: str) -> str:
    """Return a median as text."""
    return f"{statistics.median(times[name]) * 1e3:12.3f}"


def main() -> int:
    parser = arguments(__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args()
    peers = started(given.peer)
    print(f"one thread, CPU ms, medians of {given.rounds} rounds")
    engines = tuple(given.engines)
    names = [*peers, *engines]
    print(f"{'':12}" + "".join(f"{each:>12}" for each in names) + "  jit against the better peer")
    ratios, compiled, wrong = {}, {}, []
    for case in cases(given.folder or corpus() / "bench"):
        if given.kernels and case.name not in given.kernels:
            continue
        each = Contenders(case, peers, engines, given.tune)
        message = each.agree()
        wrong += [f"{case.name}: {message}"] if message else []
        widths = each.settle()
        times = each.times(given.rounds)
        compiled[case.name] = each.compile(5)
        line = f"{case.name:12}" + "".join(milliseconds(times, name) for name in names)
        if peers and "jit" in engines:
            ratios[case.name] = ratio(times, "jit", list(peers))
            line += f"  {ratios[case.name]}, {widths['jit']} lanes"
        print(line, flush=True)
    counted = [ratios[name].median for name in MEAN if name in ratios]
    if len(counted) == len(MEAN):
        least = min(counted)
        print(
            f"geometric mean of {', '.join(MEAN)}: {geometric_mean(counted):.2f}; least {least:.2f}"
        )
    _print_compiled(compiled, list(peers))
    print("\n".join(wrong) or "results agree")
    for peer in peers.values():
        peer.__exit__()
    return 1 if wrong else 0


def _print_compiled(compiled: dict[str, Times], peers: list[str]) -> None:
    """Print the time until the first group has run, and how many times that of each peer it is."""
    print("\nfrom bytes to the result of one group, CPU ms, medians of 5 rounds")
    names = [*peers, "optimised", "cold", "cached"]
    titles = [f"{each:>12}" for each in names] + [f"{f'cold/{each}':>24}" for each in peers]
    print(" " * 12 + "".join(titles))
    slower: dict[str, list[float]] = {name: [] for name in peers}
    for case, times in compiled.items():
        line = f"{case:12}" + "".join(milliseconds(times, name) for name in names)
        for name in peers:
            each = ratio(times, name, ["cold"])
            line += f"{each!s:>24}"
            if case in MEAN:
                slower[name].append(each.median)
        print(line)
    for name, found in slower.items():
        if len(found) == len(MEAN):
            print(f"geometric mean of cold/{name}: {geometric_mean(found):.2f}")


if __name__ == "__main__":
    sys.exit(main())
