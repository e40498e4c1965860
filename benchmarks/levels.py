"""The processor and the width of vector registers that a benchmark measures.

    UNSHADE_VECTOR_BITS=256 python benchmarks/execute.py

The engine's registers are limited by that variable (vm/jit/processor.py), and those of lavapipe by
LP_NATIVE_VECTOR_WIDTH to the same width. By itself lavapipe takes 256 bits even if the processor
has 512: where the engine has them, lavapipe runs with either, and the quicker of both counts.
"""

import os
import platform
import re
from pathlib import Path

from unshade.vm.jit.processor import processor

USUAL = 256  # bits that lavapipe takes by itself, at most


def peer_widths() -> list[int]:
    """Return the widths of lavapipe that are compared with the engine's."""
    bits = processor().bits
    return [bits] if bits <= USUAL else [USUAL, bits]


def machine() -> str:
    """Describe the machine: the processor, its load and the width of the engine's registers."""
    here = processor()
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg()) if os.name == "posix" else "unknown"
    return (
        f"{model()} (LLVM: {here.name}), {os.cpu_count()} cores, load {load}; "
        f"registers of {here.bits} bits{', masks in registers of their own' * here.masks}"
    )


def model() -> str:
    """Return the name of the processor; with its family and model where the name is not its own."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    found = dict(re.findall(r"^(model name|cpu family|model)\s*: (.*)$", lines, re.MULTILINE))
    name = found.get("model name", platform.machine())
    numbers = [f"{key} {found[key]}" for key in ("cpu family", "model") if key in found]
    return " ".join([name, *numbers])
