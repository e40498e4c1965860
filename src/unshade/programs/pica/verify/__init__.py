"""Verification of PICA200 programs: the rules, and `verify`, which checks them.

    words     each word with its descriptor
    blocks    ends, jumps, nesting        in the structure recovered from the targets
    nesting   across procedure calls
    paths     reachability, successors    only if the structure is sound
    outputs   written once on each path   if the container declares which are mapped

Only the program and its entries are examined, not the container.
"""

from ....errors import Diagnostic
from ....rule import Findings
from ..code import Code
from ..flow import ControlFlow, TooMuchWork
from ..structure import structure
from .blocks import check_blocks
from .nesting import check_nesting
from .outputs import check_outputs
from .paths import check_paths
from .rules import RULES
from .words import check_words

__all__ = ["RULES", "verify"]


def verify(program: Code) -> list[Diagnostic]:
    """Return the violations of `RULES`, sorted by offset.

    Offsets are in bytes from the start of the code table; the descriptor table follows the code.
    """
    findings = Findings(RULES)
    check_words(program, findings)
    found = structure(program)
    for problem in found.problems:
        path = f"instructions[{problem.at}]"
        if problem.rule == "pica.entry":
            findings.add(problem.rule, problem.message, path="entries")
        else:
            path += f".{problem.field}" if problem.field else ""
            findings.add(problem.rule, problem.message, offset=4 * problem.at, path=path)
    check_blocks(found, findings)
    if found.sound:
        flow = ControlFlow(found)
        try:
            check_nesting(found, flow.work, findings)
            check_paths(program, flow, findings)
            check_outputs(program, flow, findings)
        except TooMuchWork:
            findings.add("pica.unexamined", path="instructions")
    return findings.diagnostics()
