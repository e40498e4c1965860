"""The contents of folders, and answers, as plain values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unshade import catalog
from unshade.catalog.storage import filesystem


def state(folder: Path) -> dict[str, bytes]:
    """Return the bytes of each file below a folder, by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def ask(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """Return the rows of an answer."""
    with catalog.Catalog(str(folder)) as opened:
        return [*opened.query(sql)]


def filled(url: str, folder: Path) -> str:
    """Copy a folder to a URL, which is returned."""
    system, root = filesystem(url)
    for name, data in state(folder).items():
        system.pipe_file(f"{root}/{name}", data)
    return url
