"""The one place that touches a file system: reading what was named, writing without half-files."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from .errors import UsageError


def read(path: str | Path) -> bytes:
    """The bytes of a file; UsageError, with the system's reason, where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write to a temporary file in the same folder, then put it in the place of `path`."""
    target = Path(path)
    name = ""
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except OSError as error:
        with suppress(OSError):
            if name:
                os.unlink(name)
        raise UsageError(f"{path}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
