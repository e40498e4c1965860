"""Disassembling every SM4/5 shader of the corpus, against two tools that read the same files.

    python benchmarks/disassemble.py [FOLDER]

    unshade           one fresh process for all files, start-up included
    vkd3d-compiler    to SPIR-V, one process a file: that is how it is called
    obj2yaml          LLVM 19, one process a file; it lists the parts and leaves the code alone

A tool that is not installed is left out, with a sentence. `true` is started once a file too: it
shows what of a tool's time is starting it. Bar: not slower than either.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from peers import ROOT

from tests.corpus import containers, corpus_root

PEERS = {
    "vkd3d-compiler": ["-x", "dxbc-tpf", "-b", "spirv-binary", "-o", "/dev/null"],
    "obj2yaml-19": [],
    "true": [],
}
OURS = """
import sys, time
started = time.perf_counter()
sys.path.insert(0, sys.argv[1])
import unshade
instructions = characters = failed = 0
for path in sys.stdin.read().split("\\n"):
    with open(path, "rb") as file:
        shader = unshade.loads(file.read())
    try:
        characters += len(shader.disassemble())
    except unshade.UnshadeError:
        failed += 1
    instructions += sum(len(program.instructions) for program in shader.programs)
print(instructions, characters, failed, time.perf_counter() - started)
"""


def has_program(path: Path) -> bool:
    """Return True if the container's table lists a part SHDR or SHEX."""
    data = path.read_bytes()
    count = int.from_bytes(data[28:32], "little")
    offsets = [int.from_bytes(data[32 + 4 * i : 36 + 4 * i], "little") for i in range(count)]
    return any(data[offset : offset + 4] in (b"SHDR", b"SHEX") for offset in offsets)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="default: the corpus")
    folder = parser.parse_args().folder
    paths = sorted(folder.rglob("*.dxbc")) if folder else containers(corpus_root())
    files = [path for path in paths if has_program(path)]
    if not files:
        print("no file with a program: UNSHADE_CORPUS names the corpus", file=sys.stderr)
        return 2
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size} bytes")

    start = time.perf_counter()
    given = "\n".join(map(str, files))
    command = [sys.executable, "-c", OURS, str(ROOT / "src")]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    ours = time.perf_counter() - start
    instructions, characters, failed, inside = done.stdout.split()
    print(f"    {'unshade, one process':28} {ours:8.2f} s   {len(files) - int(failed)} files")
    print(f"        {instructions} instructions, {characters} characters of listing,"
          f" {int(instructions) / float(inside):.0f} instructions/s")  # fmt: skip

    for name, options in PEERS.items():
        program = shutil.which(name)
        if program is None:
            print(f"    {name} is not installed, so it is left out")
            continue
        accepted = 0
        start = time.perf_counter()
        for path in files:
            command = [program, *options, str(path)]
            accepted += not subprocess.run(command, capture_output=True, check=False).returncode
        took = time.perf_counter() - start
        print(f"    {name + ', one a file':28} {took:8.2f} s   {accepted} files"
              f"   ours takes {ours / took:.2f} of it")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
