"""Verification of SHBIN files: the rules, and `verify`, which checks them.

    file          layout, padding, versions, symbol tables         also findings while reading
    executables   entry, geometry mode, masks
    rows          constants, outputs, uniforms, labels             alone, and against each other

The program is verified by its own rules, with the mapped outputs of the output tables.
"""

from typing import TYPE_CHECKING

from ....errors import Diagnostic
from ....wire import ReadTrace
from .executables import check_executables
from .file import check_file, check_read
from .places import ShbinFindings
from .rows import check_rows
from .rules import RULES

if TYPE_CHECKING:
    from ..tables import TableFile

__all__ = ["RULES", "reading", "verify"]


def reading(file: "TableFile") -> list[Diagnostic]:
    """Return the findings made while reading."""
    report = ShbinFindings(file)
    check_read(report)
    return report.placed()


def verify(file: "TableFile") -> list[Diagnostic]:
    """Return the violations of the rules for the file and for its program."""
    report = ShbinFindings(file)
    check_read(report)
    check_file(report)
    check_executables(report)
    check_rows(report)
    found = report.placed()
    return [*file.findings, *found, *_of_program(file, report.traced())]


def _of_program(file: "TableFile", trace: ReadTrace) -> list[Diagnostic]:
    """Return the findings of the program, with offsets and paths in the file."""
    places = dict(trace.pointers)
    lead = file.code_prefix
    found = []
    program = file.program
    for each in program.verify():
        path = each.path.replace("instructions", "code", 1)
        start = places.get(f".{lead}code", 0)
        if each.path.startswith("descriptors"):
            start = places.get(f".{lead}descriptors", 0) - program.code_size
        path = file.called("" if path == "entries" else lead + path)
        moved = each.within(start, "")
        moved.path = path
        found.append(moved)
    return found
