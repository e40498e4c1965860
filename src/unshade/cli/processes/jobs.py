"""Several processes for the inputs of one command line (`-j`).

    parent      selects the inputs, sends them to workers (sharing.py, pool.py), and repeats their
                effects in order
    worker      runs the same verb (worker.py), but its inputs come from the parent, and everything
                it would write to a standard stream is recorded instead (output.py)

Workers write output files themselves. The parent begins alone, and starts workers only if
the inputs that are left take several times as long as that, and the machine has a processor to
spare (sharing.py). A worker that ends while it processes an input is reported for that input; the
others are processed by another worker.
"""

import os
import sys
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING

from ... import files
from ..declarations import VerbOptions, declared, flat, module_of

if TYPE_CHECKING:
    from .messages import AtWork

PATIENCE = 0.3  # seconds that the parent works alone at least if the command line does not say `-j`


def call(options: VerbOptions) -> int:
    """Call the verb's function and return its exit code."""
    module = import_module(f"..verbs.{module_of(options.verb)}", __package__)
    if "in_place" in declared(type(options)):
        files.set_hint("; use --in-place to replace it")
    token = called.set(options)
    try:
        return int(module.run(options))
    finally:
        called.reset(token)


def processes(options: VerbOptions) -> int:
    """Return the number of processes to use; 1 where standard input is read."""
    given = flat(options)
    texts = [each for name, each in given.items() if name != "output"]
    if any("-" in each if isinstance(each, list | tuple) else each == "-" for each in texts):
        return 1
    if not sys.executable or os.environ.get("UNSHADE_TRACEBACK"):
        return 1
    return given.get("jobs") or cores()


def patience(options: VerbOptions) -> float:
    """Return the seconds that this process works at least before others are started."""
    return PATIENCE if getattr(options, "jobs", None) is None else 0.0


called: ContextVar[VerbOptions | None] = ContextVar("called", default=None)


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


at_work: ContextVar["AtWork | None"] = ContextVar("at_work", default=None)
