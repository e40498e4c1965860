"""Findings of `verify`, a line each, coloured by severity."""

from ..errors import Diagnostic, Severity
from .text import Segment, visible

COLOURS = {Severity.ERROR: 1, Severity.WARNING: 3, Severity.NOTE: 6}  # red, yellow, cyan
DIM = 244


def line(name: str, finding: Diagnostic) -> list[Segment]:
    """`ps.cso: error tpf.mask at 0x1a4: SHDR.instructions[3]: …`, as `str` formats it."""
    where = "" if finding.offset is None else f" at 0x{finding.offset:x}"
    path = f" {visible(finding.path)}:" if finding.path else ""
    return [
        (f"{visible(name)}: ", None),
        (f"{finding.severity} {finding.code}", COLOURS[finding.severity]),
        (f"{where}:", DIM),
        (f"{path} {visible(finding.message)}", None),
    ]
