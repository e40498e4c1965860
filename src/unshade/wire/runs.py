"""Runs of bytes in which two files differ, by which plain data keep a file's arrangement."""

from typing import Any

from ..errors import FormatError
from ..limits import DEFAULT
from .data import hex_from_data

__all__ = ["differing", "patched"]

CHUNK = 64


def differing(before: bytes, after: bytes) -> dict[int, bytes]:
    """Return the runs of `after` that differ from `before`, by offset.

    Bytes after the end of `before` differ. A run that crosses a multiple of `CHUNK` is cut there.
    """
    found: dict[int, bytes] = {}
    for start in range(0, len(after), CHUNK):
        ours, theirs = before[start : start + CHUNK], after[start : start + CHUNK]
        if ours == theirs:
            continue
        run = -1
        for at in range(len(theirs) + 1):
            differs = at < len(theirs) and ours[at : at + 1] != theirs[at : at + 1]
            if differs and run < 0:
                run = at
            elif not differs and run >= 0:
                found[start + run] = theirs[run:at]
                run = -1
    return found


def patched(before: bytes, size: int, runs: Any, path: str) -> bytes:
    """Return the bytes that `differing` compared with `before`.

    Args:
        before: The first file.
        size: Size of the second file in bytes.
        runs: The runs as plain data: hex texts by offset, `0x40`.
        path: The path of the runs, for errors.

    Raises:
        FormatError: The size or a run is malformed.
    """
    if type(size) is not int or not 0 <= size <= DEFAULT.file_size:
        raise FormatError(f"expected a size in bytes, got {size!r:.40}", path=path)
    if not isinstance(runs, dict):
        raise FormatError(f"expected runs by offset, got {runs!r:.40}", path=path)
    out = bytearray(before[:size].ljust(size, b"\0"))
    for where, text in runs.items():
        raw = hex_from_data(text, f"{path}.{where}")
        try:
            at = int(where, 16)
        except (TypeError, ValueError):
            at = -1
        if not 0 <= at <= size - len(raw):
            problem = f"expected an offset at which {len(raw)} bytes fit, got {where!r:.40}"
            raise FormatError(problem, path=path)
        out[at : at + len(raw)] = raw
    return bytes(out)
