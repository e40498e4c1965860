"""Disassembling DXIL, against llvm-dis.

    python benchmarks/disassemble_dxil.py FOLDER [--llvm-dis llvm-dis-19] [--every N]

Every DXIL and ILDB part of the containers in a folder, or every N-th. Here in one process, from the
bytes of the part to the text of the module; llvm-dis once for each file, from bitcode to text, as
someone would use it who has no library. It refuses the data layout of dxc, so that its files have
another one: `i8:8`. Times are processor time and elapsed time, medians of rounds in which both take
turns.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from peers import cpu_medians

import unshade
from unshade.formats.dxcontainer import DxContainer
from unshade.programs.dxil import Program

NAMES = ("DXIL", "ILDB")


def parts(folder: Path) -> Iterator[bytes]:
    """Iterate over the programs of the containers in a folder that can be read."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".dxil", ".dxbc", ".cso"):
            continue
        try:
            shader = unshade.open(path)
        except unshade.UnshadeError:
            continue
        for part in shader.parts if isinstance(shader, DxContainer) else ():
            if part.name in NAMES and isinstance(part.value, Program) and part.value.is_readable:
                yield part.data


def patched(part: bytes) -> bytes:
    """Return bitcode with the data layout that today's LLVM takes."""
    code = Program.decode(part)
    code.module.data_layout = code.module.data_layout.replace("i8:32", "i8:8")
    return code.bitcode_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--llvm-dis", default="llvm-dis-19")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    tool = shutil.which(arguments.llvm_dis)
    if tool is None:
        sys.exit(f"{arguments.llvm_dis} is not installed")
    found = list(parts(arguments.folder))[:: arguments.every]
    elapsed: dict[str, list[float]] = {"unshade": [], "llvm-dis": []}
    with tempfile.TemporaryDirectory() as place:
        files = [Path(place, f"{number}.bc") for number in range(len(found))]
        for file, part in zip(files, found, strict=True):
            file.write_bytes(patched(part))

        def here() -> None:
            start = time.perf_counter()
            for part in found:
                Program.decode(part).disassemble()
            elapsed["unshade"].append(time.perf_counter() - start)

        def there() -> None:
            start = time.perf_counter()
            for file in files:
                subprocess.run([tool, str(file), "-o", "/dev/null"], check=True)
            elapsed["llvm-dis"].append(time.perf_counter() - start)

        times = cpu_medians({"unshade": here, "llvm-dis": there}, arguments.rounds)
    size = sum(map(len, found))
    print(f"{len(found)} programs, {size:,} bytes; processor time, elapsed time, of one program")
    for name, seconds in times.items():
        wall = statistics.median(elapsed[name])
        print(
            f"{name:10} {seconds:8.2f} s {wall:8.2f} s"
            f"  {1000 * seconds / len(found):8.2f} ms {1000 * wall / len(found):8.2f} ms"
        )
    print(f"unshade takes {times['unshade'] / times['llvm-dis']:.2f} times the processor time")


if __name__ == "__main__":
    main()
