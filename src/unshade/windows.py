r"""What Windows wants otherwise of paths and files.

    C:\...\of 248 characters and more   →  \\?\C:\...     else the system refuses it
    \\server\share\...                  →  \\?\UNC\server\share\...
    aux.asm                             →  aux_.asm       CON, AUX, NUL, ... are devices
    replacing a file that is in use     →  tried again    by a scanner or an indexer, for a moment

Source: Microsoft, "Naming Files, Paths, and Namespaces" and "System Error Codes".

`HERE` says whether this is Windows. Nothing else depends on the system, so that all of it is
tested on any.
"""

import errno
import os

HERE = os.name == "nt"
LONG = 248  # characters of a folder's path with the null, less than of a file's: 260
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
IN_USE = (5, 32, 33)  # ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)  # seconds before each further try


def long_path(path: str) -> str:
    """Return the path in the form that may have any length, where it needs that."""
    if not HERE:
        return path
    import ntpath  # os.path of Windows, but also there where that is another

    whole = ntpath.abspath(path)
    if len(whole) < LONG or whole.startswith(("\\\\?\\", "\\\\.\\")):
        return path
    return f"\\\\?\\UNC{whole[1:]}" if whole.startswith("\\\\") else f"\\\\?\\{whole}"


def file_name(path: str) -> str:
    """Return a relative path for a file to write, without the names that mean devices."""
    if not HERE:
        return path
    names = []
    for name in path.replace("/", "\\").split("\\"):
        stem, point, rest = name.partition(".")
        device = stem.rstrip(" ").casefold() in DEVICES
        names.append(f"{stem}_{point}{rest}" if device else name)
    return "\\".join(names)


def in_use(error: OSError) -> bool:
    """Return whether a file could not be replaced because someone has it open."""
    return HERE and getattr(error, "winerror", None) in IN_USE


def closed_pipe(error: OSError) -> bool:
    """Return whether writing failed because nobody reads any more."""
    return isinstance(error, BrokenPipeError) or (HERE and error.errno == errno.EINVAL)


def takes_escapes(handle: int) -> bool:
    """Return whether a terminal takes escape sequences; a console of Windows is told to.

    `handle` is -11 for standard output, -12 for standard error, as GetStdHandle has it.
    """
    if not HERE:
        return True
    import ctypes

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  only there on Windows
    kernel.GetStdHandle.restype = ctypes.c_void_p
    console = ctypes.c_void_p(kernel.GetStdHandle(handle))
    mode = ctypes.c_uint32()
    if not kernel.GetConsoleMode(console, ctypes.byref(mode)):
        return False
    virtual = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
    return bool(mode.value & virtual or kernel.SetConsoleMode(console, mode.value | virtual))
