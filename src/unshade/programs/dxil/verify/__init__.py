"""Rules of DXIL programs: header, bitcode, module, metadata, code."""

from ....errors import Diagnostic, FormatError, LimitError
from ....rule import Findings
from ..bitstream import BitRecord, Bitstream, Extent, write
from ..code import HEADER_SIZE, Code
from .flow import check_flow
from .header import check_header
from .metadata import check_metadata
from .operations import check_operations
from .reports import Reports
from .rules import RULES
from .types import check_types

__all__ = ["RULES", "verify"]


def verify(code: Code) -> list[Diagnostic]:
    """Return diagnostics of a program; offsets are relative to the start of `encode()`."""
    reports = Reports(Findings(RULES))
    if check_header(code, reports):
        try:
            module = code.module
        except FormatError as error:
            reports.findings.add("dxil.module", error.problem, error.path, offset=error.offset)
        except LimitError as error:
            reports.findings.add("dxil.module", str(error), "module")
        else:
            check_metadata(code, module, reports)
            for function in module.functions:
                check_types(module, function, reports)
                check_flow(function, reports)
                check_operations(code, function, reports)
    return reports.findings.diagnostics(lambda path: _offset(code, reports.records.get(path)))


def _offset(code: Code, record: BitRecord | None) -> int | None:
    """Return the offset of a record."""
    bitcode = code.bitcode
    if record is None or not isinstance(bitcode, Bitstream):
        return None
    extents: list[Extent] = []
    write(bitcode, extents)
    start = HEADER_SIZE + len(code.gap) + len(bitcode.wrapper)
    found = (start + each.bit // 8 for each in extents if each.item is record)
    return next(found, None)
