"""Counts over a program: those that STAT states, or those that fxc 10 would have stated.

The program counts itself. fxc 9 counts some operations otherwise; without STAT and RDEF nothing
tells who made a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....model import Statistics
from ..parts.stat import IN_MODEL

if TYPE_CHECKING:
    from ....program import Program
    from ..parts import stat


def statistics(stated: stat.ShaderStatistics | None, program: Program | None) -> Statistics | None:
    """The counts of STAT, else of the program, None without either."""
    if stated is not None:
        values = {name: getattr(stated, theirs) for name, theirs in IN_MODEL.items()}
        return Statistics(computed=False, **values)
    return None if program is None else program.statistics()
