"""What is wrong with a PICA200 program: its rules, and `verify` with the checks.

    words     each word with its descriptor
    blocks    ends, jumps, nesting        of the structure recovered from the targets
    nesting   over all that is called
    paths     what follows what           only where the structure is sound
    outputs   written once on each path   as far as the container says what is mapped

Nothing but the program and its entries is looked at.
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
    """Every broken rule; offsets count from the start of the code, which descriptors follow."""
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
