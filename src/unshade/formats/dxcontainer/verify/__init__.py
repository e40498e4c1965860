"""What is wrong with a DirectX container: its rules, and `verify`, which checks them.

    structure       header, digest, names and order of parts
    signatures      ISGN OSGN PCSG …          alone, and as the program declares them
    resources       RDEF, IFCE                 alone, and as the program declares them
    rootsignature   RTS0                       alone, and what it binds
    statistics      STAT, SFI0                 as the program is

The program itself is verified by its own rules (`programs.tpf.verify`); its findings are among the
container's. Nothing is raised: a part that cannot be read is a finding.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....programs.tpf import Program
from ....programs.tpf.verify import Places, survey
from .places import Report
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
    found = Report(container)
    found.found += container.odd()
    check_structure(found)
    first: Program | None = None
    for part in container.parts.all("SHDR", "SHEX"):
        program = part.value
        if not isinstance(program, Program):
            continue
        declared = survey(program)
        found.within(part, declared.findings.diagnostics(Places(program).offset))
        if first is None:
            first = program
            found.program = part
            found.declared = declared
            check_statistics(found, program)
    check_features(found)
    check_signatures(found)
    check_resources(found, first)
    check_root_signature(found)
    return found.diagnostics()
