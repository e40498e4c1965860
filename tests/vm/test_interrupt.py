"""KeyboardInterrupt during a call that has threads."""

import subprocess
import sys

import pytest

from tests.examples import EXAMPLES

pytest.importorskip("llvmlite")

# Ctrl-C in the middle of a call, which a notebook catches; then the memory of the call is used
# again, and another call is made.
PROGRAM = f"""
import os, signal, threading, time
import numpy as np
import unshade

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
kernel = unshade.kernel(unshade.open({str(EXAMPLES / "gyroid.dxbc")!r}), engine="jit")
kernel.execution.engine.threads = 2

def shade(size):
    return kernel.shade((size, size), resolution=[size, size], time=1.0)["SV_Target"]

small = shade(256)[:16].copy()  # starts the threads

def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)

try:
    threading.Thread(target=interrupt, daemon=True).start()
    shade(4096)
except KeyboardInterrupt:
    print("interrupted")
kept = [np.ones(4096 * 4096, np.float32) for _ in range(4)]
print(np.array_equal(small, shade(256)[:16]), all((each == 1).all() for each in kept))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends a process there")
def test_no_thread_goes_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True, timeout=300
    )
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted\nTrue True\n", "", 0)
