"""The jit engine: its threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")

# A process forks after a call that has threads, which the new process does not have.
PROGRAM = """
import os, signal
from tests.vm.engines import parsed, run, words
from tests.vm.jit.test_tiers import PLAIN
from unshade.vm.jit import Jit

LANES = 1 << 16
engine, kernel = Jit(threads=2, width=16, quick=False), parsed(PLAIN)

def shade():
    memories = {"u0": bytes(4 * LANES), "u1": bytes(4)}
    return run(engine, kernel, memories, (LANES // 64, 1, 1))[0]["u1"] == words(LANES)

assert shade()
child = os.fork()
if not child:
    signal.alarm(50)
    os._exit(0 if shade() else 1)
assert os.waitpid(child, 0)[1] == 0
assert shade()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked")
def test_a_fork_starts_threads_of_its_own() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])}
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        cwd=Path(__file__).parents[3], env=environment, check=True, timeout=60,
    )  # fmt: skip
