"""Scans of files of 1 KB into a catalogue: files a second, and the processor time of a cluster.

    python benchmarks/catalogue.py [--files N] [--copies SHARE] [--quick] [--jobs N] [--cluster]
    python benchmarks/catalogue.py --tiny --quick --copies 0.9 --files 1000000
    python benchmarks/catalogue.py --kills 50 [--files N] [--jobs N]

The files are those of `examples/` that have about 1 KB, each with constants, or a word of the
compiler's name, that no other has; a share of them are copies of others. A scan of a few files is
timed first, so that the time in which the processes start (imports, mostly) is told apart from the
rate. With `--cluster`, the same files are read by one process and by a local Dask cluster of two
workers: the ratio of the processor times, scheduler and client included. Wall time is told with the
load of the machine.

With `--tiny`, the files are modules of 172 bytes, and copies are hard links: a million of them take
500 MB of disk. The memory is told that the scan needed at most.

With `--kills`, a scan is ended by SIGKILL at so many random moments, each in its own catalogue,
and called again: the bytes have to be those of a scan that was not.
"""

import argparse
import itertools
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import unshade
from unshade.formats.dxcontainer.digest import digest
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = "clay.vert.spv", "saxpy.dxbc", "billboards.dxbc", "particles.spv", "clay.frag.spv"
CREATORS = b"unshade", b"vkd3d-s"  # words of names of compilers
FLOAT, CONSTANT = 22, 43  # OpTypeFloat, OpConstant
MARK = 1234567
FEW = 10  # files of a scan that does little but start
TINY = f"""
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%number = OpConstant %uint {MARK}
%main = OpFunction %void None %function
%start = OpLabel
OpReturn
OpFunctionEnd
"""
RUN = """
import sys
from unshade import catalog
if __name__ == "__main__":
    folder, to, quick, jobs, scheduler = sys.argv[1:]
    found = catalog.scan([folder], to, quick=quick == "1", jobs=int(jobs),
                         scheduler=scheduler or None)
    assert found.failed == 0, found
"""


def changed(data: bytes, number: int) -> bytes:
    """Return a shader whose constants, or the name of its compiler, have a number in them."""
    if data.startswith(b"DXBC"):
        at = max(data.find(each) for each in CREATORS)
        assert at > 0
        made = data[:at] + b"%07x" % number + data[at + 7 :]
        return made[:4] + digest(made[20:]) + made[20:]
    words = [*struct.unpack(f"<{len(data) // 4}I", data)]
    floats = set()  # types; an integer may be an index, which another module has to have in bounds
    at = 5
    while at < len(words):
        if words[at] & 0xFFFF == FLOAT:
            floats.add(words[at + 1])
        if words[at] & 0xFFFF == CONSTANT and words[at + 1] in floats:
            words[at + 3] ^= number & 0xFFFF
        at += words[at] >> 16
    words[2] = number  # the generator's number
    return struct.pack(f"<{len(words)}I", *words)


def shaders(seed: int) -> Iterator[bytes]:
    """Yield different shaders for ever."""
    sources = [(EXAMPLES / name).read_bytes() for name in NAMES]
    number = seed
    while True:
        for each in sources:
            number += 1
            yield changed(each, number)


def write(folder: Path, count: int, copies: float, seed: int) -> int:
    """Write files; return their mean size."""
    chance = random.Random(seed)
    unique = max(round(count * (1 - copies)), 1)
    source = shaders(seed)
    made = [next(source) for _ in range(unique)]
    listed = made + [chance.choice(made) for _ in range(count - unique)]
    chance.shuffle(listed)
    for number, each in enumerate(listed):
        place = folder / f"{number // 1000:04}"
        place.mkdir(exist_ok=True)
        (place / f"{number:07}.bin").write_bytes(each)
    return sum(map(len, listed)) // count


def write_tiny(folder: Path, count: int, copies: float) -> int:
    """Write modules that differ in a constant; return their size."""
    whole = assemble(Source(TINY)).to_bytes()
    at = whole.index(MARK.to_bytes(4, "little"))
    share = max(round(1 / max(1 - copies, 1e-6)), 1)
    for number in range(0, count, share):
        place = folder / f"{number // 1000:05}"
        place.mkdir(exist_ok=True)
        first = place / f"{number:07}.spv"
        first.write_bytes(whole[:at] + number.to_bytes(4, "little") + whole[at + 4 :])
        for other in range(number + 1, min(number + share, count)):
            (place / f"{other:07}.spv").hardlink_to(first)
    return len(whole)


def scan(folder: Path, quick: bool, jobs: int, scheduler: str) -> tuple[float, float, int]:
    """Return the wall time, the processor time of all processes, and the greatest memory in MB."""
    with tempfile.TemporaryDirectory() as to:
        script = Path(to) / "run.py"
        script.write_text(RUN)
        line = [sys.executable, str(script), str(folder), f"{to}/cat", str(int(quick)), str(jobs)]
        start = time.perf_counter()
        process = os.posix_spawn(sys.executable, [*line, scheduler], os.environ)
        _, status, used = os.wait4(process, 0)
        assert status == 0
        wall = time.perf_counter() - start
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10


SMALL_SEGMENTS = """
from unshade.catalog import scanning, workers
scanning.SEGMENT = 8; workers.ScanWorkers.size = 4
"""


def started(script: Path, folder: Path, to: Path, jobs: int) -> subprocess.Popen[bytes]:
    """Start a scan in a session of its own."""
    line = [sys.executable, str(script), str(folder), str(to), "0", str(jobs), ""]
    return subprocess.Popen(line, start_new_session=True)


def state(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each file of a catalogue."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def kills(folder: Path, count: int, jobs: int, seed: int) -> None:
    """End scans at random moments, and print how many are equal when they are called again."""
    chance = random.Random(seed)
    equal = 0
    left: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        script = Path(place) / "run.py"
        script.write_text(SMALL_SEGMENTS + RUN)
        start = time.perf_counter()
        assert started(script, folder, Path(place) / "whole", jobs).wait() == 0
        taken = time.perf_counter() - start
        whole = state(Path(place) / "whole")
        for number in itertools.count():
            if sum(left.values()) == count:
                break
            to = Path(place) / f"{number}"
            process = started(script, folder, to, jobs)
            time.sleep(chance.uniform(0.3, 1) * taken)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            segments = len([*to.glob("pending/*-files.parquet")])
            if process.returncode == 0:  # it had ended before
                continue
            left["with segments" if segments else "before the first segment"] += 1
            assert started(script, folder, to, jobs).wait() == 0
            same = state(to) == whole
            equal += same
            if not same:
                print(f"kill {number}: another catalogue")
    print(f"killed and called again: {equal} of {count} equal; {dict(left)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--copies", type=float, default=0.0, help="share of copies, 0 to 1")
    parser.add_argument("--tiny", action="store_true", help="modules of 172 bytes, hard links")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--kills", type=int, default=0, help="scans that are killed")
    parser.add_argument("--seed", type=int, default=35)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder, few = Path(place) / "all", Path(place) / "few"
        folder.mkdir()
        few.mkdir()
        if given.tiny:
            mean = write_tiny(folder, given.files, given.copies)
        else:
            mean = write(folder, given.files, given.copies, given.seed)
        if given.kills:
            kills(folder, given.kills, given.jobs, given.seed)
            return
        write(few, FEW, 0.0, given.seed)
        print(f"{given.files:,} files of {mean:,} bytes, {given.copies:.0%} copies;"
              f" unshade {unshade.__version__}")  # fmt: skip
        alone: tuple[float, float] | None = None
        for name, jobs, scheduler in (
            (f"{given.jobs} processes", given.jobs, ""),
            *((("a cluster of 2 workers", 2, "local"),) if given.cluster else ()),
        ):
            first_wall, first_cpu, _ = scan(few, given.quick, jobs, scheduler)
            wall, cpu, memory = scan(folder, given.quick, jobs, scheduler)
            load = os.getloadavg()[0]
            more, rest = wall - first_wall, cpu - first_cpu
            files = given.files - FEW
            print(f"{name:24} {given.files / wall:7.0f} files/s of wall time, load {load:.1f};"
                  f" {given.files / cpu:7.0f} files/s of processor time; {memory} MB")  # fmt: skip
            print(f"{'':24} {files / more:7.0f} and {files / rest:.0f} without the start:"
                  f" {first_wall:.2f} s, {first_cpu:.2f} s of processor time")  # fmt: skip
            if alone is not None:
                print(f"processor time of the cluster: {cpu / alone[0]:.2f} x;"
                      f" {rest / alone[1]:.2f} x without the start")  # fmt: skip
            alone = cpu, rest


if __name__ == "__main__":
    main()
