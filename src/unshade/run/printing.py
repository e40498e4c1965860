"""Lines that threads print with printf.

    records in any order, each in its lane's own     ──>  lines in the order of lanes

Both engines give the same lines. They are in the report of a call, and are logged at level INFO by
the logger `unshade.printf`. Two limits apply: `printed` bounds the bytes of all records of a call,
`printed_lines` the lines that are kept, the first in the order of lanes. If there are more bytes,
no line is kept: which records fit depends on the order in which an engine runs the lanes.
"""

import logging

import numpy as np

from ..ir.library.printing import FIRST, HEAD
from ..ir.lowered import Lowered
from ..limits import DEFAULT, Limits
from ..vm.launch import Array, PrintfLine, Report
from .lanes import Lanes, ThreadLanes

__all__ = ["add_printed", "memory_of_records"]

LOGGER = logging.getLogger("unshade.printf")
WORD = 4  # bytes


def memory_of_records(limits: Limits = DEFAULT) -> Array:
    """Return the memory of the records of a call, as bytes; the system maps what is written."""
    return np.zeros(max(limits.printed // WORD, HEAD) * WORD, np.uint8)


def add_printed(
    report: Report,
    memory: Array,
    program: Lowered,
    lanes: Lanes,
    limits: Limits = DEFAULT,
) -> None:
    """Add the lines of a call of an engine to the report, and log them."""
    words = memory.view("<u4")
    end = int(words[0]) + FIRST
    if end > len(words):
        report.unprinted = (
            f"{(end - FIRST) * WORD:,} bytes of printf, more than the limit printed ="
            f" {limits.printed:,}: no lines are kept"
        )
        return
    formats = program.printed
    sizes = [HEAD + each.words for each in formats]
    places: list[int] = []  # of the records
    at = FIRST
    while at < end:
        places.append(at)
        at += sizes[words[at]]
    if not places:
        return
    found = np.array(places)
    x, y, z = (words[found + axis].astype(np.int64) for axis in (1, 2, 3))
    numbers = lanes.numbers(x, y, z) if isinstance(lanes, ThreadLanes) else x
    order = np.argsort(numbers, kind="stable")
    left = max(limits.printed_lines - len(report.printed), 0)
    for lane, at in zip(numbers[order[:left]].tolist(), found[order[:left]].tolist(), strict=True):
        format = formats[int(words[at])]
        text = format.formatted(words[at + HEAD : at + HEAD + format.words].tolist())
        line = PrintfLine(lanes.thread(lane), text.removesuffix("\n"), format.line)
        report.printed.append(line)
        LOGGER.info("%s", line.text, extra={"thread_of_shader": line.thread})
    if len(found) > left:
        report.unprinted = (
            f"more lines of printf than the limit printed_lines = {limits.printed_lines:,}"
        )
