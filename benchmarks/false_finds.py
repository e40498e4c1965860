"""Finds where there are no shaders: in noise, and in the files of an installation.

    python benchmarks/false_finds.py [--noise MB] [--sample SHARE] [FOLDER...]

Noise is made from seeds. Of folders every file is read, or a share of them. What is found as intact
has to be read whole by another tool: modules of SPIR-V by `spirv-dis`, tokenized programs by
`vkd3d-compiler`, where these are installed. Anything in noise is a false find. What a tool refuses,
or no tool reads, is listed with the reason of the tool, which may be older than the shader.
"""

import argparse
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import unshade
from unshade.errors import UnshadeError
from unshade.limits import Limits

PIECE = 64  # MB of noise that is searched at once
LARGEST = 256 << 20
TOOLS = {
    "spirv": ("spirv-dis", "--raw-id", "-o", "/dev/null"),
    "dxcontainer": ("vkd3d-compiler", "-b", "spirv-binary", "-o", "/dev/null"),
}


def verdict(found: unshade.Found, folder: str) -> tuple[str, str]:
    """Return `read`, `refused` or `no tool`, and the reason."""
    line = TOOLS.get(found.format)
    if line is None or shutil.which(line[0]) is None:
        return "no tool", ""
    path = Path(folder) / "found"
    path.write_bytes(found.data)
    ended = subprocess.run([*line, str(path)], capture_output=True, check=False)
    reason = ended.stderr.decode(errors="replace").partition("\n")[0]
    return ("refused", reason) if ended.returncode else ("read", "")


def noise(size: int) -> int:
    """Return the number of finds in so many megabytes."""
    count = 0
    for seed in range(size // PIECE):
        data = random.Random(seed).randbytes(PIECE << 20)
        for each in unshade.find(data, strict=False):
            count += 1
            print(f"noise of seed {seed}: {each.path}, {each.size} bytes, {each.damage}")
    return count


def files(folder: Path, share: float) -> list[Path]:
    """Return the regular files below a folder, each once, or a share of them."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    if share < 1:
        found = random.Random(35).sample(found, round(share * len(found)))
    return found


def installation(folder: Path, share: float) -> None:
    """Search the files of a folder, and print what was found, by format and verdict."""
    counts: Counter[tuple[str, str]] = Counter()
    size = damaged = 0
    listed = files(folder, share)
    start = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        for path in listed:
            try:
                if path.stat().st_size > LARGEST:
                    continue
                data = path.read_bytes()
                size += len(data)
                for each in unshade.find(data, strict=False, limits=Limits(unpacked=4 << 30)):
                    if each.damage is not None:
                        damaged += 1
                        continue
                    said, reason = verdict(each, place)
                    counts[each.format, said] += 1
                    if said != "read":
                        print(f"{said}: {path}!{each.path}, {each.size} bytes, {reason}")
            except (OSError, UnshadeError) as error:
                print(f"{path}: {error}")
    taken = time.process_time() - start
    print(f"{folder}: {len(listed):,} files, {size / 1e6:,.0f} MB, {size / 1e6 / taken:.0f} MB/s;"
          f" {damaged} places with a header alone")  # fmt: skip
    for (format, said), count in sorted(counts.items()):
        print(f"  {format:12} {said:8} {count}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noise", type=int, default=1024, help="megabytes")
    parser.add_argument("--sample", type=float, default=1.0, help="share of the files")
    parser.add_argument("folders", nargs="*", type=Path)
    given = parser.parse_args()
    if given.noise:
        start = time.process_time()
        count = noise(given.noise)
        print(f"noise: {given.noise} MB, {count} finds, {time.process_time() - start:.0f} s")
    for folder in given.folders:
        installation(folder, given.sample)


if __name__ == "__main__":
    main()
