"""Shaders by the thousand: five operations on each file of a corpus, in one process.

    python benchmarks/files.py [ROUNDS] [--unseen | --families]

The files are those of `corpus/dxcontainer` that hold a program of Shader Model 4 or 5 in at most
8 KiB, damaged ones left out. `load` is `unshade.loads` of bytes in memory; its peer reads the
header and the part table with `struct` and takes hashlib's MD5 of the file. Each operation includes
`load`. Figures are medians of processor time over rounds in which all take turns, with the least
and the greatest ratio of a round; the first pass in the process, in which readers are compiled, is
no round. "Without the digest" subtracts the time of comparing it, measured in the same round;
when the same bytes are written, a valid one is not computed: "compute digest" is what an edit adds.

What repeats in several files is decoded once, so nothing is new in these rounds. With `--unseen`,
one half of the files, chosen at random, is read first, and each operation is measured on the other
half in a process forked then: as in a folder, some instructions and signatures have occurred.

With `--families`, the same operations on files of the other formats, against their own `load`.
"""

import gc
import hashlib
import os
import pickle
import random
import struct
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

from peers import ROOT

import unshade
from unshade.formats.dxcontainer.digest import (
    COVERED_FROM,
    OFFSET,
    SIZE,
    DigestKind,
    compute,
    identify,
)

CORPUS = Path(os.environ.get("UNSHADE_CORPUS", ROOT.parent / "shared" / "corpus"))
LARGEST = 8192
TARGETS = {"listing": (5, 5), "reflect": (6, 6), "verify": (14, 5), "plain data": (35, 18)}

Operation = Callable[[bytes], object]
T = TypeVar("T")


def by_hand(data: bytes) -> object:
    """Read the header and the parts of a container, and take its MD5."""
    magic, _, _, _, size, count = struct.unpack_from("<4s16s2H2I", data)
    if magic != b"DXBC" or size > len(data):
        raise ValueError
    parts = []
    for at in struct.unpack_from(f"<{count}I", data, 32):
        name, length = struct.unpack_from("<4sI", data, at)
        parts.append((name, data[at + 8 : at + 8 + length]))
    return hashlib.md5(data).digest(), parts


def compare_digest(data: bytes) -> object:
    return identify(data[OFFSET : OFFSET + SIZE], data[COVERED_FROM:])


def compute_digest(data: bytes) -> object:
    return compute(memoryview(data)[COVERED_FROM:], DigestKind.RETAIL)


OPERATIONS: dict[str, Operation] = {
    "load": unshade.loads,
    "listing": lambda data: unshade.loads(data).disassemble(),
    "reflect": lambda data: unshade.loads(data).reflect().to_dict(),
    "verify": lambda data: unshade.loads(data).verify(),
    "plain data": lambda data: unshade.from_data(unshade.loads(data).to_data()).to_bytes(),
}
PEERS: dict[str, Operation] = {
    "md5 and struct": by_hand,
    "compare digest": compare_digest,
    "compute digest": compute_digest,
}
DIGESTS = {"verify": ("compare digest",), "plain data": ("compare digest",)}


def programs_in(data: bytes, *names: bytes) -> bool:
    """Return True if the container has a part of one of these names."""
    (count,) = struct.unpack_from("<I", data, 28)
    offsets = struct.unpack_from(f"<{count}I", data, 32)
    return any(data[at : at + 4] in names for at in offsets)


def containers(*names: bytes, largest: int) -> list[bytes]:
    """Return the containers of the corpus that have one of these parts."""
    folder = CORPUS / "dxcontainer"
    paths = (each for each in folder.rglob("*") if each.suffix in (".dxbc", ".dxil", ".bin"))
    files = (each.read_bytes() for each in sorted(paths) if "malformed" not in each.parts)
    return [data for data in files if len(data) <= largest and programs_in(data, *names)]


def of_folder(*patterns: str, largest: int = 65536) -> list[bytes]:
    """Return the files that the library loads, in the order of their paths."""
    found = []
    for path in sorted({path for pattern in patterns for path in CORPUS.glob(pattern)}):
        data = path.read_bytes()
        try:
            unshade.loads(data)
        except unshade.FormatError:
            continue
        if len(data) <= largest:
            found.append(data)
    return found


def can(operation: Operation, data: bytes) -> bool:
    """Return True if the operation applies to the file: one without a program has no listing."""
    try:
        operation(data)
    except unshade.UnshadeError:
        return False
    return True


def seconds(operation: Operation, files: Iterable[bytes]) -> float:
    start = time.process_time()
    for data in files:
        operation(data)
    return time.process_time() - start


def directly(work: Callable[[], T]) -> T:
    return work()


def forked(work: Callable[[], T]) -> T:
    """Return the result from a forked process, so that this one learns nothing."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with open(writing, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        found: T = pickle.load(pipe)
    os.waitpid(child, 0)
    return found


def measure(
    files: list[bytes], operations: dict[str, Operation], rounds: int, unseen: bool = False
) -> None:
    """Print a line for each operation."""

    def usable(files: list[bytes]) -> list[bytes]:
        return [data for data in files if all(can(each, data) for each in operations.values())]

    run = directly
    if unseen:
        run = forked
        random.Random(1).shuffle(files)
        usable(files[::2])
        files = files[1::2]
    files = run(lambda: usable(files))
    gc.collect()  # in forked processes a full collection would fall into some rounds, by accident
    mean = sum(map(len, files)) / len(files)
    print(f"{len(files)} files of {mean:,.0f} bytes on average, {rounds} rounds")
    times: dict[str, list[float]] = {name: [] for name in operations}
    for _ in range(rounds):
        for name, operation in operations.items():
            times[name].append(run(partial(seconds, operation, files)))
    for name, found in times.items():
        rate = len(files) / median(found)
        line = f"{name:<15} {1e6 / rate:8.1f} us {rate:9,.0f} a second"
        base = times["load"]
        if name == "load" and "md5 and struct" in times:
            line += "   " + ratio(found, times["md5 and struct"]) + " x md5 and struct"
        elif name in OPERATIONS and name != "load":
            line += "   1/" + ratio(found, base) + " of load"
            if DIGESTS.get(name, ("",))[0] in times:
                rest = [
                    each - sum(times[other][at] for other in DIGESTS[name])
                    for at, each in enumerate(found)
                ]
                line += "; without the digest 1/" + ratio(rest, base)
            if "md5 and struct" in times:
                whole, without = TARGETS[name]
                line += f"   (target 1/{whole}" + (f", 1/{without})" if name in DIGESTS else ")")
        print(line)


def ratio(one: list[float], other: list[float]) -> str:
    """Return the median ratio of two contenders over the rounds, and its spread."""
    found = sorted(a / b for a, b in zip(one, other, strict=True))
    return f"{median(found):.1f} ({found[0]:.1f} to {found[-1]:.1f})"


def main() -> None:
    arguments = [each for each in sys.argv[1:] if not each.startswith("--")]
    rounds = int(arguments[0]) if arguments else 7
    if "--families" not in sys.argv:
        files = containers(b"SHDR", b"SHEX", largest=LARGEST)
        measure(files, OPERATIONS | PEERS, rounds, unseen="--unseen" in sys.argv)
        return
    families = {
        "SPIR-V": of_folder("execution/**/*.spv", "bench/*.spv"),
        "DXIL": containers(b"DXIL", largest=LARGEST),
        "SHBIN": of_folder("shbin/*.shbin", "shbin/own/*.shbin"),
        "SkSL": of_folder("sksl/programs/**/*.skslb"),
        "VBC": of_folder("vbc/**/*.vbc"),
    }
    for name, files in families.items():
        print(f"\n{name}")
        measure(files[:: max(len(files) // 100, 1)], OPERATIONS, rounds)


if __name__ == "__main__":
    main()
