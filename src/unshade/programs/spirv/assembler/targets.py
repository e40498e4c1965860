"""Target environments, and the version of SPIR-V that the assembler writes for each.

Without a target, the version is read from the comments at the beginning of every listing:

    ; SPIR-V
    ; Version: 1.3
"""

import re

from ....errors import UsageError, did_you_mean

__all__ = ["DEFAULT_TARGET", "TARGETS", "stated_target", "version_of"]

DEFAULT_TARGET = "spv1.6"
PART = re.compile(r"[^\n]*\n?")
VERSION = re.compile(r"; Version: (1\.\d)(?!\d)")

TARGETS = {
    **{f"spv1.{minor}": (1, minor) for minor in range(7)},
    "vulkan1.0": (1, 0),
    "vulkan1.1": (1, 3),
    "vulkan1.1spv1.4": (1, 4),
    "vulkan1.2": (1, 5),
    "vulkan1.3": (1, 6),
    "vulkan1.4": (1, 6),
    "opencl1.2": (1, 0),
    "opencl1.2embedded": (1, 0),
    "opencl2.0": (1, 0),
    "opencl2.0embedded": (1, 0),
    "opencl2.1": (1, 0),
    "opencl2.1embedded": (1, 0),
    "opencl2.2": (1, 2),
    "opencl2.2embedded": (1, 2),
    "opengl4.0": (1, 0),
    "opengl4.1": (1, 0),
    "opengl4.2": (1, 0),
    "opengl4.3": (1, 0),
    "opengl4.5": (1, 0),
}


def version_of(target: str) -> int:
    """Return the version word of a target environment; UsageError for an unknown one."""
    found = TARGETS.get(target)
    if found is None:
        raise UsageError(f"unknown target {target!r:.40}{did_you_mean(target, TARGETS)}")
    return found[0] << 16 | found[1] << 8


def stated_target(text: str) -> str:
    """Return the target of the version in the first comments of a text."""
    several = (line for part in PART.finditer(text) for line in part[0].splitlines())
    for each in several:  # not all lines of a long text at once
        line = each.strip()
        if line and not line.startswith(";"):
            break
        found = VERSION.match(line)
        if found is not None and f"spv{found[1]}" in TARGETS:
            return f"spv{found[1]}"
    return DEFAULT_TARGET
