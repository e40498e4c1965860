"""Rules of DXIL programs: header, bitcode, module, metadata, code."""

from ....errors import Diagnostic, FormatError, LimitError
from ....rule import Findings
from ..code import Code
from ..model.module import DxilModule
from ..offsets import record_at, record_offsets
from .flow import check_flow
from .header import check_header
from .metadata import check_metadata
from .operation_calls import check_operations
from .references import check_references
from .reports import Reports
from .rules import RULES
from .stages import check_stages
from .types import check_types

__all__ = ["RULES", "verify"]


def verify(code: Code) -> list[Diagnostic]:
    """Return diagnostics of a program; offsets are relative to the start of `encode()`."""
    reports = Reports(Findings(RULES))
    module: DxilModule | None = None
    if check_header(code, reports):
        try:
            module = code.read_module()
        except FormatError as error:
            reports.findings.add("dxil.module", error.problem, error.path, offset=error.offset)
        except LimitError as error:
            reports.findings.add("dxil.module", str(error), "module")
        else:
            shader = check_metadata(code, module, reports)
            entry = shader.entry_points[0] if shader is not None and shader.entry_points else None
            is_library = shader is not None and shader.stage == "lib"
            for function in module.functions:
                check_types(function, reports)
                check_flow(function, reports)
                check_operations(code, shader, function, reports)
                if entry is not None and not is_library:
                    check_references(entry, function, reports)
            if shader is not None:
                check_stages(code, module, shader, reports)
    offsets: dict[int, int] = {}

    def locate(path: str) -> int | None:
        record = reports.records.get(path)
        if record is None and module is not None:
            record = record_at(module, path)
        if record is None:
            return None
        if not offsets:
            offsets.update(record_offsets(code))
        return offsets.get(id(record))

    return reports.findings.diagnostics(locate)
