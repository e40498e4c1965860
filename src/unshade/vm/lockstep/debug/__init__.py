"""Looking on while kernels run in lockstep: one `Watcher` for each question.

    Trace       what one lane does: registers before and after, line by line
    Checks      accesses outside of memories, first NaN and infinity, variables never written
    Races       two lanes of a group at one place in shared memory, and no barrier between them
    Coverage    how often each line of the listing ran, and which ways branches went
    Writers     which lane wrote a place last
    Many        several of them at once

The kernel should be prepared without `simplify`: variables then stand for registers.
"""

from .checks import Checks
from .coverage import Coverage
from .findings import Finding, Findings
from .races import Races
from .trace import Entry, Register, Trace
from .watching import Many, Places
from .writers import Writers

__all__ = [
    "Checks",
    "Coverage",
    "Entry",
    "Finding",
    "Findings",
    "Many",
    "Places",
    "Races",
    "Register",
    "Trace",
    "Writers",
]
