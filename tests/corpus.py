"""The location of the conformance corpus, and lists of its files.

The corpus is data of other projects: read from `UNSHADE_CORPUS`, by default `../shared/corpus`
beside the repository, never copied into it. Tests take the `corpus` fixture (conftest.py), which
skips when there is none.
"""

from __future__ import annotations

import json
import os
import struct
from functools import cache
from pathlib import Path

from tests.sampling import of_each_kind

REPOSITORY = Path(__file__).resolve().parent.parent
VARIABLE = "UNSHADE_CORPUS"


def corpus_root() -> Path:
    """Return the folder of the corpus; a relative value counts from the repository."""
    return (REPOSITORY / os.environ.get(VARIABLE, "../shared/corpus")).resolve()


@cache
def containers(root: Path) -> list[Path]:
    """Return the DirectX containers that a reader must accept, in a stable order.

    A sampled run takes some of each folder, stage and model, and set of parts.
    """
    folder = root / "dxcontainer"
    found = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in {".dxbc", ".dxil"} and "malformed" not in path.relative_to(folder).parts
    )
    return of_each_kind(found, container_kind)


@cache
def pdbs(root: Path) -> list[Path]:
    """Return the PDBs of dxc, in a stable order; a sampled run takes some of each kind."""
    found = sorted((root / "dxcontainer").rglob("*.pdb"))
    return of_each_kind(found, lambda path: path.stem.rpartition("__")[2])


def container_kind(path: Path) -> tuple[str, int, frozenset[bytes]]:
    """Return the folder, the version token of the program (0 without one), the names of parts."""
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 28)
    version, names = 0, set()
    for offset in struct.unpack_from(f"<{count}I", data, 32):
        name = data[offset : offset + 4]
        names.add(name)
        if name in (b"SHDR", b"SHEX", b"DXIL"):
            (version,) = struct.unpack_from("<I", data, offset + 8)
    return path.parent.name, version, frozenset(names)


@cache
def sksl_programs(root: Path) -> list[Path]:
    """Return the SkSL programs that a reader must accept, in a stable order.

    A sampled run takes some of each configuration, and some of each size.
    """
    found = sorted([*(root / "sksl").glob("programs/**/*.skslb"),
                    *(root / "sksl").glob("programs_handmade/*.skslb")])  # fmt: skip
    folder = root / "sksl"
    return of_each_kind(
        found, lambda path: (path.relative_to(folder).parts[:2], path.stat().st_size.bit_length())
    )


@cache
def sksl_modules(root: Path) -> list[Path]:
    """Return the modules of Skia in versions that have a number, in a stable order.

    Two files beside those of milestone 104 are left over from before.
    """
    folders = ("m104", "v4_0cfc76a0", "v8_85e7f31e", "v13_ee206fc2", "v14_1ccabd10")
    old = ("sksl_interp", "sksl_runtime")
    found = (path for name in folders for path in (root / "sksl/modules" / name).glob("*.bin"))
    return sorted(path for path in found if path.stem not in old)


@cache
def shbins(root: Path) -> list[Path]:
    """Return the SHBIN files in a stable order.

    A sampled run takes some of each writer, number of executables and stage of the first.
    """
    rows = json.loads((root / "shbin" / "MANIFEST.json").read_text("utf-8"))
    writers = {row["file"]: row["writer"] for row in rows}

    def kind(path: Path) -> tuple[str, int, int]:
        data = path.read_bytes()
        (count, first) = struct.unpack_from("<II", data, 4)
        return writers.get(path.name, ""), count, data[first + 6]

    return of_each_kind(sorted((root / "shbin").rglob("*.shbin")), kind)
