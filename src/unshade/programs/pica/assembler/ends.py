"""Warnings about shaders without `end`, at the lines where they run on.

    .proc main              .proc main
        mov out, v0             ifu b0
    .end                            end       not on the other path
                                .end          <- the unit runs on from here
                            .end

picasso requires no `end`, and assembles both.
"""

from collections.abc import Sequence

from ....isa.source import Location
from ..code import Code
from ..flow import ControlFlow, TooMuchWork
from ..instruction import Instruction
from ..structure import structure
from ..verify.paths import ends_passed
from .assembly import Assembly, SourceWarning

__all__ = ["warn_of_ends"]

RULE = "pica.source-end"


def warn_of_ends(made: Assembly, places: Sequence[Location]) -> None:
    """Add a warning for each word after which a shader leaves its code; `places` locate words."""
    for unit in made.units:
        if not unit.without_dvle and unit.main == unit.end == len(made.words):
            message = f"the entry procedure {unit.entry!r:.40} has no instruction, and no end"
            made.warnings.append(SourceWarning(RULE, unit.entry_place, message))
    code = Code(map(Instruction, made.words), made.descriptors, made.entries())
    found = structure(code)
    if not found.sound:  # a finding of verify
        return
    flow = ControlFlow(found)
    try:
        reach = flow.reach_all(sorted({each.main for each in code.entries}))
        passed = ends_passed(code, flow, reach.words)
    except TooMuchWork:
        return
    for at in sorted(reach.falls):
        message = "expected end on each path, got none on a path to here, where the program ends"
        made.warnings.append(SourceWarning(RULE, places[at], message))
    for at in passed:
        message = "expected end on each path, got none on a path to here; other code follows"
        made.warnings.append(SourceWarning(RULE, places[at], message))
