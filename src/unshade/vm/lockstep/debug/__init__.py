"""Watchers: observers of a lockstep run, one for each question.

    Trace           the operations of one lane: registers before and after, line by line
    Checks          accesses out of bounds, first NaN and infinity, uninitialised variables
    Races           two lanes of a group that access one place of shared memory without a barrier
    Coverage        how often each line of the listing ran, and which way its branches went
    PlaceRecorder   a register after a line, in every lane
    Writers         the lane that wrote each place last
    Watchers        several watchers as one

The kernel should be prepared without `simplify`, so that its variables are registers.
"""

from .checks import Checks
from .coverage import Coverage
from .entries import TracedRegister, TraceEntry
from .findings import Finding, FindingLog
from .lens import PlaceRecorder
from .races import Races
from .trace import Trace
from .watching import PlaceNames, Watchers
from .writers import Writers

__all__ = [
    "Checks",
    "Coverage",
    "Finding",
    "FindingLog",
    "PlaceNames",
    "PlaceRecorder",
    "Races",
    "Trace",
    "TraceEntry",
    "TracedRegister",
    "Watchers",
    "Writers",
]
