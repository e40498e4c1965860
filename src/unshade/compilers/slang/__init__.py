"""Slang, from the wheel of slangpy (extra `[slang]`): Slang, HLSL and GLSL to SPIR-V.

One worker process serves all compilations of this process, one at a time. It is started by the
first, ended after a compilation that takes too long, and started again by the next.
"""

import atexit
import base64
import os
import re
import struct
import subprocess
import sys
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from threading import Lock, Timer

from ...errors import LimitError, UnshadeError, UnsupportedError, UsageError, not_installed
from ...limits import DEFAULT
from ...tuples import NamedTuple
from ...vocab.languages import SourceLanguage
from ...vocab.made import VULKAN_MODULE
from ...vocab.words import Stage
from ..jobs import Compiled, Job
from ..languages import stage_of_profile
from ..messages import TABBED, compile_error
from ..signatures import DeclaredFunction
from .library import ARGUMENTS, library_in
from .worker import read_message, write_message

ERROR = re.compile(r"\t(?:error|fatal error|fatal|internal error)\t")
HEADER = 5  # words before the instructions of SPIR-V
OP_SOURCE, OP_FUNCTION = 3, 54
GLSL, VERSION = 2, 450  # operands of OpSource
ENVIRONMENT = "UNSHADE_SLANG"  # names a folder with the library


class SlangCompiler:
    """The compiler, as a `Compiler`."""

    name = "slang"
    languages = (SourceLanguage.SLANG, SourceLanguage.HLSL, SourceLanguage.GLSL)
    makes = (VULKAN_MODULE,)
    lacks = ("GL_EXT_spirv_intrinsics",)
    install = str(not_installed("Slang", "slangpy", "slang"))

    def __init__(self) -> None:
        self._lock = Lock()
        self._worker: _Worker | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """Leave the worker to the process that started it."""
        worker, self._worker, self._lock = self._worker, None, Lock()
        if worker is not None:
            atexit.unregister(worker.end)

    def missing(self) -> str:
        """Return "" if the library is installed, else a sentence on where it was searched."""
        if _library() is not None:
            return ""
        return f"the package slangpy is not installed, and {ENVIRONMENT} names no folder"

    def version(self) -> str:
        """Return the version of the library."""
        with self._lock:
            return self._ready().version

    def compile(self, job: Job) -> Compiled:
        """Compile all entry points of a source to one module; see Compiler.compile."""
        arguments = _arguments(job)
        answer, version = self._answer(job, arguments, declarations=False)
        code = answer["code"]
        if not isinstance(code, str):
            raise _refused(str(answer["messages"]), job)
        data = base64.b64decode(code)
        return Compiled(
            _of_glsl(data) if job.language is SourceLanguage.GLSL else data,
            self.name,
            version,
            (*arguments, *(("-profile", job.profile) if job.profile else ())),
            includes=tuple(map(str, _listed(answer["includes"]))),
            absent=tuple(map(str, _listed(answer["absent"]))),
            warnings=str(answer["messages"]),
        )

    def functions(self, job: Job) -> list[DeclaredFunction]:
        """Return the functions of a source, including functions in namespaces.

        Raises:
            CompileError: The source is invalid.
        """
        answer, _ = self._answer(job, _arguments(job), declarations=True)
        found = _listed(answer["functions"])
        if not found and ERROR.search(str(answer["messages"])):
            raise _refused(str(answer["messages"]), job)
        return [DeclaredFunction.from_dict(each) for each in found if isinstance(each, dict)]

    def _answer(
        self, job: Job, arguments: list[str], *, declarations: bool
    ) -> tuple[dict[str, object], str]:
        """Return the worker's answer, and the version of the library."""
        request = {
            "text": job.text,
            "name": job.title,
            "language": str(job.language),
            "entries": [(name, _stage(stage)) for name, stage in job.entries],
            "folders": list(job.folders),
            "defines": dict(job.defines),
            "arguments": arguments,
            "debug": job.debug,
            "optimise": job.optimise,
            # Of a profile of Direct3D, the stage alone matters, which the entry point has.
            "profile": "" if stage_of_profile(job.profile) is not None else job.profile,
            "declarations": declarations,
        }
        with self._lock:
            worker = self._ready()
            try:
                return worker.ask(request, job.limits.compile_seconds), worker.version
            except (EOFError, OSError) as error:
                self._worker = None
                worker.end()
                raise worker.failure(f"compiled {job.title}", error) from None

    def _ready(self) -> "_Worker":
        if self._worker is None:
            library = _library()
            if library is None:
                raise UnsupportedError(f"Slang is not installed: {self.missing()}; {self.install}")
            self._worker = _Worker(library, DEFAULT.compile_memory)
        return self._worker


def _of_glsl(data: bytes) -> bytes:
    """Return a module that names GLSL in its OpSource, for which Slang names its own language.

    Readers rely on that language: matrices of GLSL have their columns first.
    """
    words = list(struct.unpack(f"<{len(data) // 4}I", data))
    at = HEADER
    while at < len(words) and words[at] >> 16:
        length, opcode = divmod(words[at], 1 << 16)
        if opcode == OP_SOURCE:
            words[at + 1 : at + 3] = GLSL, VERSION
        if opcode == OP_FUNCTION:
            break
        at += length
    return struct.pack(f"<{len(words)}I", *words)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _stage(stage: Stage) -> str:
    from .library import STAGES

    if stage not in STAGES:
        raise UnsupportedError(
            f"Slang does not compile {stage} shaders; it compiles {', '.join(STAGES)}"
        )
    return str(stage)


def _refused(messages: str, job: Job) -> UnshadeError:
    """Return the error that messages describe: a mistake in the source, or in the arguments."""
    error = compile_error(SlangCompiler.name, TABBED, messages, job)
    if error.file != ARGUMENTS:
        return error
    hint = "; it makes SPIR-V, with profiles such as spirv_1_5" if job.profile else ""
    return UsageError(f"{job.title}: Slang refuses its arguments: {error.problem}{hint}")


def _arguments(job: Job) -> list[str]:
    found = ["-fvk-use-entrypoint-name", "-enable-machine-readable-diagnostics"]
    if job.language is not SourceLanguage.GLSL:
        for letter, first in job.first_bindings.items():
            found += [f"-fvk-{letter}-shift", str(first), "all"]
    return [*found, *job.options]


def _library() -> Path | None:
    """Return the path of the library: in the folder of the variable, else in the wheel.

    The current folder is not searched, which an empty entry of the search path stands for.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return library_in(Path(named)) if os.path.isabs(named) else None
    spec = PathFinder.find_spec("slangpy", [each for each in sys.path if each not in ("", ".")])
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = library_in(Path(folder))
        if found is not None:
            return found
    return None


class _Ended(NamedTuple):
    """The reason why this process ended a worker."""

    seconds: int


class _Worker:
    """A worker process; `ask` is called by one thread at a time."""

    def __init__(self, library: Path, memory: int) -> None:
        root = str(Path(__file__).resolve().parents[3])
        code = (
            f"import sys; sys.path.insert(0, {root!r});"
            f" from {__package__}.worker import main; main({str(library)!r}, {memory})"
        )
        self._late: _Ended | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=os.path.dirname(library),
        )  # fmt: skip
        atexit.register(self.end)
        try:
            greeting = self._within(DEFAULT.compile_seconds, None)
        except (EOFError, OSError) as error:
            self.end()
            raise self.failure("loaded its library", error) from None
        if "version" not in greeting:
            self.end()
            raise UnsupportedError(
                f"the Slang library {library} cannot be used: {greeting.get('problem')}"
            )
        self.version = str(greeting["version"])

    def ask(self, request: dict[str, object], seconds: int) -> dict[str, object]:
        """Return the answer to a request; EOFError or OSError if the process ends before."""
        return self._within(seconds, request)

    def _within(self, seconds: int, request: dict[str, object] | None) -> dict[str, object]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        timer = Timer(seconds, self._stop, [seconds])
        timer.daemon = True
        timer.start()
        try:
            if request is not None:
                write_message(self._process.stdin, request)
            return read_message(self._process.stdout)
        finally:
            timer.cancel()

    def _stop(self, seconds: int) -> None:
        self._late = _Ended(seconds)
        self._process.kill()

    def failure(self, activity: str, error: BaseException) -> LimitError | UnsupportedError:
        """Return the error for a process that ended; `activity` completes "while it …"."""
        if self._late is not None:
            return LimitError("compile_seconds", self._late.seconds, "more")
        code = self._process.wait()
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return UnsupportedError(f"Slang's process ended {how} while it {activity}")

    def end(self) -> None:
        """End the process at once."""
        atexit.unregister(self.end)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
