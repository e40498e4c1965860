"""Run a compiler's program: no shell, limited time, memory and output, in a separate folder."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Event, Timer

from ..errors import LimitError, UnsupportedError
from ..files import head, write_atomically
from ..limits import Limits
from ..tuples import NamedTuple
from ..windows import HERE

LARGEST = 1 << 20  # bytes of messages

# Run by an interpreter of its own: limits that are set after a fork are not safe with threads.
LIMITED = """
import os, resource, sys
memory, size = int(sys.argv[1]), int(sys.argv[2])
for name, value in (("RLIMIT_CORE", 0), ("RLIMIT_AS", memory), ("RLIMIT_FSIZE", size)):
    try:
        resource.setrlimit(getattr(resource, name), (value, value))
    except (AttributeError, ValueError, OSError):
        pass
os.execv(sys.argv[3], sys.argv[3:])
"""


class Ran(NamedTuple):
    """A process that ended: its exit code, its messages, and the output file, if it wrote one."""

    code: int
    messages: str
    output: bytes | None


def found_program(names: Sequence[str], variable: str) -> str | None:
    """Return the path of a program: from its environment variable, else from the search path.

    Relative entries of the search path, which depend on the current folder, are left out.
    """
    named = os.environ.get(variable)
    if named:
        return named if os.path.isabs(named) and _is_program(named) else None
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in names:
            path = os.path.join(folder, f"{name}.exe" if HERE else name)
            if os.path.isabs(folder) and _is_program(path):
                return path
    return None


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def run_program(
    program: str, arguments: Sequence[str], limits: Limits, files: Mapping[str, bytes] = {}
) -> Ran:
    """Run a program in a new folder with the given files, and remove the folder.

    The program writes to `output` in that folder, which the arguments name.

    Raises:
        LimitError: The program exceeds its limit of time or output.
        UnsupportedError: It cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="unshade-") as folder:
        for name, data in files.items():
            write_atomically(os.path.join(folder, name), data)
        command = [program, *arguments]
        if not HERE:
            memory, size = str(limits.compile_memory), str(limits.file_size)
            command = [sys.executable, "-I", "-S", "-c", LIMITED, memory, size, *command]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, cwd=folder, start_new_session=not HERE,
            )  # fmt: skip
        except OSError as error:
            raise UnsupportedError(f"{program} cannot be started: {error.strerror}") from None
        late = Event()

        def stop() -> None:
            late.set()
            end_process(process)

        timer = Timer(limits.compile_seconds, stop)
        timer.daemon = True
        timer.start()
        assert process.stdout is not None
        try:
            with process.stdout:
                messages = process.stdout.read(LARGEST + 1)
            if len(messages) > LARGEST:
                raise LimitError("messages of the compiler", LARGEST, "more bytes")
            code = process.wait()
        finally:
            timer.cancel()
            end_process(process)
            process.wait()
        if late.is_set():
            raise LimitError("compile_seconds", limits.compile_seconds, "more")
        path = os.path.join(folder, "output")
        output = head(path, limits.file_size + 1) if os.path.isfile(path) else None
    if output is not None and len(output) > limits.file_size:
        raise LimitError("file_size", limits.file_size, "more")
    return Ran(code, messages.decode("utf-8", "replace"), output)


def end_process(process: "subprocess.Popen[bytes]") -> None:
    """End the process and those that it started."""
    with suppress(OSError):
        if HERE:
            process.kill()
        else:
            import signal

            os.killpg(process.pid, signal.SIGKILL)
