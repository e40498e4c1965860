"""A process of `debug --serve`, shaders for it, and what reads its answers."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.cli.terminal import INTERRUPTIBLE

LEVEL = """
uniform float level;
uniform float4 tint;
uniform int count;
half4 main(float2 p) { return half4(level * p.x / 16, float(count) / 255, tint.z, 1); }
"""
ENDLESS = """
ps_5_0
dcl_output o0.xyzw
dcl_temps 1
mov r0.x, l(0)
loop
add r0.x, r0.x, l(1.0)
endloop
mov o0.xyzw, r0.xxxx
ret
"""
ROOTS = """
ps_5_0
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.x
dcl_temps 1
add r0.x, v0.x, l(-2.0)
sqrt o0.x, r0.x
ret
"""
BODY = {"client": "a test"}


def pixels(found: dict[str, Any]) -> Any:
    return np.array(Image.open(io.BytesIO(b64decode(found["picture"]))))


class Live:
    """A process of `debug --serve`."""

    def __init__(self, *line: str | Path) -> None:
        command = [sys.executable, "-c", INTERRUPTIBLE, "debug", *map(str, line), "--serve"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", self.said)
        assert found is not None, self.said
        self.address, self.port, self.token = found[0], int(found[1]), found[2]

    def ask(self, kind: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        headers = {"Unshade-Token": self.token, "Content-Type": "application/json"}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request("POST", f"/{kind}", json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.load(answer)

    def interrupt(self) -> tuple[int, float]:
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=10)
        return code, time.monotonic() - began


@contextmanager
def served(*line: str | Path) -> Iterator[Live]:
    made = Live(*line)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.communicate()


def until(page: Any, script: str, argument: Any = None) -> None:
    """Wait until a script returns true; the page's policy refuses those of wait_for_function."""
    end = time.monotonic() + 10
    while not page.evaluate(script, argument):
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def edited(path: Path, text: str) -> None:
    path.write_text(text)
    os.utime(path, (time.time() + 10,) * 2)
