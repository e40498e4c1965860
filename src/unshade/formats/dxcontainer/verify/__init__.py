"""What is wrong with a DirectX container: its rules, and `verify`, which checks them.

    structure       header, digest, names and order of parts
    signatures      ISGN OSGN PCSG …          alone, and as the program declares them
    resources       RDEF, IFCE                 alone, and as the program declares them
    rootsignature   RTS0                       alone, and what it binds
    statistics      STAT, SFI0                 as the program is

The program is verified by its own rules; its findings are among the container's. What it declares
it says in `facts()`. Nothing is raised: a part that cannot be read is a finding.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....program import Program
from ..parts.program import NAMES as PROGRAMS
from .places import ContainerFindings
from .resources import check_resources
from .rootsignature import check_root_signature
from .rules import RULES
from .signatures import check_signatures
from .statistics import check_features, check_statistics
from .structure import check_structure

if TYPE_CHECKING:
    from ..container import Container

__all__ = ["RULES", "verify"]


def verify(container: "Container") -> list[Diagnostic]:
    """What was odd while reading, and every broken rule of the container and its programs."""
    found = ContainerFindings(container)
    found.found += container.odd()
    check_structure(found)
    for part in container.parts.all(*PROGRAMS):
        program = part.value
        if not isinstance(program, Program):
            continue
        found.within(part, program.verify())
        if found.program is None:
            found.program = part
            found.declared = program.facts()
            check_statistics(found)
    check_features(found)
    check_signatures(found)
    check_resources(found)
    check_root_signature(found)
    return found.diagnostics()
