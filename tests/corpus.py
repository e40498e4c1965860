"""Where the conformance corpus is, and lists of its files.

The corpus is data of other projects: read from `UNSHADE_CORPUS`, by default `../shared/corpus`
beside the repository, never copied into it. Tests take the `corpus` fixture (conftest.py), which
skips when there is none.
"""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
VARIABLE = "UNSHADE_CORPUS"


def corpus_root() -> Path:
    """The folder that should hold the corpus; a relative value counts from the repository."""
    return (REPOSITORY / os.environ.get(VARIABLE, "../shared/corpus")).resolve()


def containers(root: Path) -> list[Path]:
    """Every DirectX container of the corpus that a reader must accept, in a stable order."""
    folder = root / "dxcontainer"
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in {".dxbc", ".dxil"} and "malformed" not in path.relative_to(folder).parts
    )


def shbins(root: Path) -> list[Path]:
    """Every SHBIN of the corpus, in a stable order."""
    return sorted((root / "shbin").rglob("*.shbin"))
