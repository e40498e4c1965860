"""`debug --serve`: a page that runs its shader again as the user changes inputs.

this process     checks requests and their senders (report/serve), and opens nothing but sockets
another          the same verb in a worker process (processes/), which opens, draws and traces,
                 and which is ended when a run takes too long
"""

import json
import os
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

from ..dataclass import replace
from ..errors import UnshadeError, UsageError
from ..files import guard, stamp
from ..screens.text import visible
from . import exits
from .commands import DebugOptions
from .inputs import Input, with_name, words
from .output import CommandOutput, note
from .processes.jobs import at_work
from .processes.messages import Outcome, Start
from .processes.pool import WorkerProcess

if TYPE_CHECKING:
    from ..report.serve import LiveAnswer, LiveRequest
    from ..report.serve.watching import FileChanges

HIGHEST = 65535
MEMORY = 4 << 30  # bytes of addresses of the other process


def serve(given: DebugOptions, file: str) -> int:
    """Serve the page until Ctrl-C."""
    out = CommandOutput()
    worker = at_work.get()
    if worker is not None:
        from ..limits import limit_memory
        from .live_scene import LiveScene

        limit_memory(MEMORY)
        scene = LiveScene(given, file)
        worker.serve(lambda request: _answer(scene, request, out), out)
    if given.port is not None and given.port > HIGHEST:
        raise UsageError(f"--port: expected 0 to {HIGHEST}, got {given.port}")
    from ..report.page import shell
    from ..report.serve import LiveServer

    page = shell()
    if stamp(file) is None:
        Input(file).read()  # raises the system's reason
    try:
        server = LiveServer(given.port or 0, page, lambda seen: ShaderProcess(given, seen))
    except OSError as error:
        raise UsageError(f"--port {given.port}: {error.strerror}") from None
    note(f"{file} is shown at {server.gate.address} until Ctrl-C")
    server.serve()
    return exits.FINE


class ShaderProcess:
    """The process that runs the shader, as the server sees it."""

    def __init__(self, given: DebugOptions, changes: "FileChanges") -> None:
        self._changes = changes
        self._asked = Lock()
        self._worker = WorkerProcess(Start(given, None, False, "utf-8"))

    def ask(self, request: "LiveRequest") -> "LiveAnswer":
        """Answer a request; raise EOFError or OSError if the process has ended."""
        from pickle import UnpicklingError

        with self._asked:
            try:
                version = self._changes.version
                (outcome,) = self._worker.outcomes([replace(request, version=version)])
            except UnpicklingError:  # it ended while it answered
                raise EOFError from None
        return self._answer(outcome)

    def _answer(self, outcome: Outcome) -> "LiveAnswer":
        from ..report.serve import LiveAnswer

        notes, data, failed = [], b"", outcome.code != exits.FINE
        for name, arguments in outcome.effects:
            if name == "tell":
                notes.append(arguments[0])
            elif name == "see":
                self._changes.see(arguments)
            elif name == "data":
                data = arguments[0]
        if not data:
            return LiveAnswer(422, {"error": "\n".join(notes) or "nothing was answered"})
        return LiveAnswer(422 if failed else 200, data)

    def end(self) -> None:
        """End the process at once."""
        self._worker.end()
        with self._asked:
            self._worker.close()


# ---------------------------------------------------------------- in the other process


def _answer(scene: Any, request: "LiveRequest", out: CommandOutput) -> int:
    """Answer a request with JSON, the notes of the run in it, and the files that were read."""
    from .output import recorded

    with recorded(CommandOutput()) as effects:
        try:
            data, code = scene.answer(request), exits.FINE
        except (UnshadeError, MemoryError) as error:
            origin = error.origin if isinstance(error, UnshadeError) else ""
            text = with_name(origin, words(error)) if origin else words(error)
            data, code = {"error": text}, exits.USAGE
        except Exception as error:
            text = f"a bug in unshade, please report it: {type(error).__name__}: {error}"
            data, code = {"error": text}, exits.BUG
    told = [str(arguments[0]).removeprefix("unshade: ") for name, arguments in effects
            if name == "tell"]  # fmt: skip
    data = {**data, "notes": [_without_folders(each) for each in told]}
    if "error" in data:
        data["error"] = _without_folders(visible(str(data["error"]), keep="\n"))
    read = guard()
    out.see(*(read.seen.items() if read is not None else ()))
    out.data(json.dumps(data, ensure_ascii=True).encode())
    return code


def _without_folders(text: str) -> str:
    """Return a message with the names of the files that were read in place of their paths."""
    for path in _paths():
        text = text.replace(path, os.path.basename(path))
    return text


def _paths() -> Iterator[str]:
    read = guard()
    yield from sorted(read.seen if read is not None else (), key=len, reverse=True)
