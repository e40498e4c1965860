"""Verification of DirectX containers: the rules, and `verify`, which checks them.

    structure       header, digest, names and order of parts
    signatures      ISGN OSGN PCSG …           alone, and against the program
    resources       RDEF, IFCE                 alone, and against the program
    rootsignature   RTS0, RDAT's subobjects    alone, and against the program
    statistics      STAT, SFI0                 against the program
    bitcode         ISG1 OSG1 PSG1, PSV0, SFI0 against the metadata of the DXIL program
    validation      PSV0, RDAT                 alone, against signatures and the DXIL program
    copies          ILDB, STAT, HASH           against the DXIL program
    level9          Aon9                       against the program
    pipeline        PSV0                       against metadata and code of the DXIL program

Programs are verified by separate rules; their findings are among the container's. Their
declarations come from `Program.facts()`. A part that cannot be read is a finding, not an exception.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....program import Program
from ..parts.dxil import NAMES as DXIL_PROGRAMS
from ..parts.program import NAMES as PROGRAMS
from .bitcode import check_bitcode
from .copies import check_copies
from .level9 import check_level9
from .pipeline import check_pipeline_state
from .places import ContainerFindings
from .resources import check_resources
from .rootsignature import check_root_signatures
from .rules import RULES
from .signatures import check_signatures
from .statistics import check_features, check_statistics
from .structure import check_structure
from .validation import check_validation

if TYPE_CHECKING:
    from ..container import Container

__all__ = ["RULES", "verify"]


def verify(container: "Container") -> list[Diagnostic]:
    """Return the problems found while reading, and all violations in container and programs."""
    found = ContainerFindings(container)
    found.found += container.odd()
    check_structure(found)
    for part in found.all(*PROGRAMS):
        program = part.value
        if not isinstance(program, Program):
            continue
        found.within(part, program.verify())
        if found.program is None:
            found.program = part
            found.declared = program.facts()
            check_statistics(found)
    for part in found.all(*DXIL_PROGRAMS):
        if isinstance(part.value, Program):
            found.within(part, part.value.verify())
            check_bitcode(found, part)
    check_copies(found)
    check_level9(found)
    check_features(found)
    check_signatures(found)
    check_resources(found)
    check_root_signatures(found)
    check_validation(found)
    check_pipeline_state(found)
    return found.diagnostics()
