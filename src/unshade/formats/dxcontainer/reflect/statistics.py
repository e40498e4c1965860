"""Counts over a program: from STAT, or as fxc 10 would have written them.

fxc 9 counts some operations differently, but without STAT and RDEF the compiler is unknown.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from ....model import Statistics
from ..parts.stat import IN_MODEL

if TYPE_CHECKING:
    from ....program import Program
    from ..parts import stat

_STATED = attrgetter(*IN_MODEL.values())


def statistics(stated: stat.ShaderStatistics | None, program: Program | None) -> Statistics | None:
    """Return the counts of STAT, failing that of the program, or None."""
    if stated is not None:
        return Statistics.of_values(zip(IN_MODEL, _STATED(stated), strict=True), computed=False)
    return None if program is None else program.statistics()
