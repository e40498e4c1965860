"""The one place that touches a file system: reading what was named, writing without half-files."""

import os

from .errors import FileError, UsageError

Path = str | os.PathLike[str]


def read(path: Path) -> bytes:
    """The bytes of a file; UsageError, with the system's reason, where it cannot be read."""
    try:
        with open(_name(path), "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write to a temporary file in the same folder, then put it in the place of `path`.

    What is there but no file (a pipe, `/dev/null`) is written into: putting a file in the place
    of a device, as root can, would take the device from everyone.
    """
    import tempfile  # loads half of the standard library, and most runs write nothing

    given: object = data
    if not isinstance(given, bytes | bytearray | memoryview):
        raise UsageError(f"bytes are written, not an object of type {type(given).__name__}")
    name = ""
    try:
        path = _name(path)
        target = os.path.realpath(path)  # a link stays a link: the file it names is replaced
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as device:
                device.write(data)
            return
        mode = os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666 & ~_umask()
        folder, base = os.path.split(target)
        handle, name = tempfile.mkstemp(prefix=f".{base}.", dir=folder)
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from error
    finally:
        if name and os.path.exists(name):  # not put in its place, for whatever reason
            os.unlink(name)


def _name(path: Path) -> str:
    """The path as text. What Python opens beside paths, such as numbers, is none here."""
    if not isinstance(path, str | os.PathLike):
        raise UsageError(f"a path is needed, not an object of type {type(path).__name__}")
    return os.fsdecode(path)


def _refusal(path: Path, error: OSError | ValueError) -> UsageError:
    """The system's words; ValueError is what a name with a NUL in it raises."""
    if isinstance(error, OSError):
        return FileError.of(error, path)
    return UsageError(f"{path!s}: {error}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
