"""The process in which Slang compiles: a bad name or deep nesting can end the process.

    parent  → {"text": …, "name": …, …}       a request: JSON after its size in four bytes
    worker  → {"code": …, "messages": …}      the answer, in the same form; the code in base64

The worker ends when its standard input does. It writes nothing but answers: the output of the
library goes to standard error.
"""

import base64
import json
import os
import sys
from pathlib import Path
from typing import IO

from ...limits import limit_memory
from .library import Request, Slang

LARGEST = 256 << 20  # bytes of a message


def read_message(stream: IO[bytes]) -> dict[str, object]:
    """Read a message; raise EOFError at the end, OSError for a size that no message has."""
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    size = int.from_bytes(head, "little")
    if size > LARGEST:
        raise OSError(f"expected a message of at most {LARGEST} bytes, got {size}")
    body = stream.read(size)
    if len(body) < size:
        raise EOFError
    found: dict[str, object] = json.loads(body)
    return found


def write_message(stream: IO[bytes], message: dict[str, object]) -> None:
    """Write a message."""
    body = json.dumps(message).encode()
    stream.write(len(body).to_bytes(4, "little") + body)
    stream.flush()


def main(library: str, memory: int) -> None:
    """Answer requests until standard input ends."""
    requests = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_memory(memory)
    try:
        slang = Slang(Path(library))
    except (OSError, AttributeError) as error:
        write_message(answers, {"problem": str(error)})
        return
    write_message(answers, {"version": slang.version})
    while True:
        try:
            message = read_message(requests)
        except EOFError:
            return
        answer = slang.compile(Request(**message))  # type: ignore[arg-type]
        code = None if answer.code is None else base64.b64encode(answer.code).decode()
        write_message(
            answers,
            {
                "code": code,
                "messages": answer.messages,
                "includes": list(answer.includes),
                "absent": list(answer.absent),
                "functions": [each.to_dict() for each in answer.functions],
            },
        )
