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
from .lanes import Lanes

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
    formats, by_thread = program.printed, program.kernel.dispatched
    sizes = [HEAD + each.words for each in formats]
    found: list[tuple[int, int]] = []  # lane, place of the record
    at = FIRST
    while at < end:
        number = int(words[at])
        thread = tuple(int(each) for each in words[at + 1 : at + HEAD])
        found.append(((lanes.lane(thread) or 0) if by_thread else thread[0], at))
        at += sizes[number]
    found.sort()
    left = max(limits.printed_lines - len(report.printed), 0)
    for lane, at in found[:left]:
        format = formats[int(words[at])]
        text = format.formatted(words[at + HEAD : at + HEAD + format.words].tolist())
        line = PrintfLine(lanes.thread(lane), text.removesuffix("\n"), format.line)
        report.printed.append(line)
        LOGGER.info("%s", line.text, extra={"thread_of_shader": line.thread})
    if len(found) > left:
        report.unprinted = (
            f"more lines of printf than the limit printed_lines = {limits.printed_lines:,}"
        )
