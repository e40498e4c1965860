"""Results of compilers, cached in this process by the contents of all inputs."""

import hashlib
import os
from threading import Lock

from .includes import Includes
from .jobs import Compiled, Compiler, Job

MOST = 256  # results

_kept: dict[tuple[object, ...], tuple[Compiled, dict[str, str]]] = {}
_lock = Lock()


def compiled(compiler: Compiler, job: Job) -> Compiled:
    """Compile, or return the result of the same compilation.

    A compilation is the same if all included files have the same contents, and files that were not
    found are still absent.
    """
    key = (compiler.name, *_content(job))
    with _lock:
        found = _kept.get(key)
    if found is not None and _unchanged(job, *found):
        return found[0]
    made = compiler.compile(job)
    if made.includes is not None:
        state = _state(job, made)
        with _lock:
            while len(_kept) >= MOST:
                del _kept[next(iter(_kept))]
            _kept[key] = made, state
    return made


def clear() -> None:
    """Forget all results."""
    with _lock:
        _kept.clear()


def _content(job: Job) -> tuple[object, ...]:
    fields = job._asdict()
    fields["defines"] = tuple(job.defines.items())
    del fields["limits"]
    return tuple(fields.values())


def _state(job: Job, made: Compiled) -> dict[str, str]:
    includes = Includes(job.folders)
    found = {path: includes.contents(path) for path in made.includes or ()}
    return {path: hashlib.sha256(data or b"").hexdigest() for path, data in found.items()}


def _unchanged(job: Job, made: Compiled, state: dict[str, str]) -> bool:
    return state == _state(job, made) and not any(map(os.path.exists, made.absent))
