"""Build the playground: `python -m tools.playground [-o FOLDER] [--wheels FOLDER]`.

Needs npm and Node.js; Pyodide is fetched once and kept beside the folder.
"""

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from tools.playground.library import ROOT, write_library

HERE = Path(__file__).resolve().parent
VERSION = "314.0.7"  # of Pyodide; its Python is 3.14
INTEGRITY = (  # of its package, as npm writes it
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyM"
    "cWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
RUNTIME = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)  # fmt: skip
PACKAGES = ("numpy", "pillow")  # what running and drawing need beyond the library
EXAMPLES = (
    "phong.dxbc", "gyroid.dxbc", "saxpy.dxbc", "saxpy6.dxil", "clay.frag.spv", "clay.vert.spv",
    "everything.vbc", "lit.shbin", "reverse.shbin", "plasma.skslb", "julia.skslb",
)  # fmt: skip


def build(folder: Path, wheels: Path | None = None, cache: Path | None = None) -> None:
    """Write the playground to a folder, which is emptied first if it contains one.

    Args:
        folder: The folder.
        wheels: A folder with the wheels of NumPy and Pillow that Pyodide's lock names.
        cache: Where Pyodide's package is kept between builds.
    """
    if (folder / "files.json").exists():
        shutil.rmtree(folder)
    elif folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder}: expected a folder that is empty or contains a playground")
    package = _pyodide(cache or folder.parent)
    copy_page(folder)
    for name in RUNTIME:
        shutil.copyfile(package / name, folder / name)
    write_library(folder / "library.zip", package)
    (folder / "examples").mkdir()
    for name in EXAMPLES:
        shutil.copyfile(ROOT / "examples" / name, folder / "examples" / name)
    (folder / "examples.json").write_text(json.dumps(EXAMPLES))
    names = copy_wheels(folder, wheels)
    (folder / "wheels.json").write_text(json.dumps(names))
    _list_files(folder)


def copy_page(folder: Path) -> None:
    """Copy the page to a folder, with the colours of report pages."""
    shutil.copytree(HERE / "static", folder, dirs_exist_ok=True)
    shutil.copyfile(
        ROOT / "src" / "unshade" / "report" / "assets" / "common.css", folder / "common.css"
    )


def _pyodide(cache: Path) -> Path:
    """Return the folder of Pyodide's package, which is fetched if it is not there yet."""
    package = cache / f"pyodide-{VERSION}"
    if not package.exists():
        cache.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is not installed: it comes with Node.js")
        subprocess.run(
            [npm, "pack", "--silent", f"pyodide@{VERSION}"], cwd=cache, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        archive = cache / f"pyodide-{VERSION}.tgz"
        _check(archive.read_bytes())
        with tarfile.open(archive) as opened:
            opened.extractall(cache / f"{package.name}.part", filter="data")
        (cache / f"{package.name}.part" / "package").rename(package)
        (cache / f"{package.name}.part").rmdir()
        archive.unlink()
    return package


def _check(data: bytes) -> None:
    """Raise SystemExit if a package is not the one that this playground is made for."""
    got = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    if got != INTEGRITY:
        raise SystemExit(f"pyodide {VERSION}: expected {INTEGRITY}, got {got}")


def copy_wheels(folder: Path, wheels: Path | None) -> Sequence[str]:
    """Copy the wheels that the lock names, checked by their digests; return their names.

    Args:
        folder: The folder of the playground.
        wheels: The folder of the wheels; without one, nothing is copied.
    """
    if wheels is None:
        return []
    locked = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))["packages"]
    (folder / "wheels").mkdir()
    names = [locked[name]["file_name"] for name in PACKAGES]
    for package, name in zip(PACKAGES, names, strict=True):
        data = (wheels / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != locked[package]["sha256"]:
            raise SystemExit(f"{name}: expected the digest of pyodide-lock.json, got another")
        (folder / "wheels" / name).write_bytes(data)
    return names


def _list_files(folder: Path) -> None:
    """Write files.json: what the page keeps for use without a network, and a version of it all."""
    digest = hashlib.sha256()
    names = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "offline.js":
            names.append(path.relative_to(folder).as_posix())
            digest.update(names[-1].encode() + b"\0" + path.read_bytes())
    listed = {"version": digest.hexdigest()[:16], "files": [*names, "files.json"]}
    (folder / "files.json").write_text(json.dumps(listed))


def main() -> int:
    """Build the playground; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the playground.")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/playground"))
    parser.add_argument("--wheels", type=Path, help="folder with NumPy's and Pillow's wheels")
    given = parser.parse_args()
    build(given.output, given.wheels)
    print(given.output / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
