r"""Differences of Windows in paths, files, pipes and consoles.

    C:\...\of 248 characters or more    →  \\?\C:\...     longer paths are rejected otherwise
    \\server\share\...                  →  \\?\UNC\server\share\...
    aux.asm                             →  aux_.asm       CON, AUX, NUL, ... are devices
    replacing a file that is in use     →  retried        scanners and indexers open files briefly

Source: Microsoft, "Naming Files, Paths, and Namespaces" and "System Error Codes".

`HERE` is True on Windows. Nothing else depends on the system, so that tests on any system cover
all of this module.
"""

import errno
import os
import re

HERE = os.name == "nt"
LONG = 248  # limit of a folder's path in characters, with the null; that of a file's is 260
DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"}
DEVICES |= {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
REFUSED = re.compile(r'[\x00-\x1f"*/:<>?\\|]')  # characters in names of files
IN_USE = (5, 32, 33)  # ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)  # seconds before each retry


def long_path(path: str) -> str:
    r"""Return the path, with the prefix `\\?\` if it is too long without."""
    if not HERE:
        return path
    import ntpath  # os.path of Windows, available on every system

    whole = ntpath.abspath(path)
    if len(whole) < LONG or whole.startswith(("\\\\?\\", "\\\\.\\")):
        return path
    return f"\\\\?\\UNC{whole[1:]}" if whole.startswith("\\\\") else f"\\\\?\\{whole}"


def file_name(path: str) -> str:
    """Return a relative path for an output file, with the names of devices changed."""
    if not HERE:
        return path
    return "\\".join(map(_no_device, path.replace("/", "\\").split("\\")))


def portable(name: str) -> str:
    """Return a file name, without folders, that Windows and other systems accept."""
    name = REFUSED.sub("_", name)
    end = name.rstrip(". ")  # removed by Windows
    return _no_device(end + "_" * (len(name) - len(end)))


def _no_device(name: str) -> str:
    stem, point, rest = name.partition(".")
    device = stem.rstrip(" ").casefold() in DEVICES
    return f"{stem}_{point}{rest}" if device else name


def in_use(error: OSError) -> bool:
    """Return True if a file could not be replaced because another process has it open."""
    return HERE and getattr(error, "winerror", None) in IN_USE


def closed_pipe(error: OSError) -> bool:
    """Return True if a write failed because the reader closed the pipe."""
    return isinstance(error, BrokenPipeError) or (HERE and error.errno == errno.EINVAL)


def takes_escapes(handle: int) -> bool:
    """Return True if a terminal processes escape sequences; enable them in a Windows console.

    `handle` is an argument of GetStdHandle: -11 for standard output, -12 for standard error.
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
