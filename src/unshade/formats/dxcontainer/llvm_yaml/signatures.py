"""ISG1, OSG1 and PSG1 in LLVM's YAML.

    Signature:
      Parameters:
        - Stream:          0
          Name:            SV_Position

Source: LLVM 19, DXContainerYAML.cpp, MC/DXContainerPSVInfo.cpp.
"""

from typing import Any

from ....wire import write
from ....wire.record import Placement
from ..parts.signature import ProgramSignature
from .keys import PartForm
from .records import record_form

__all__ = ["document", "part_data"]

HEAD, ROW = 8, 32
ARGUMENTS = (("precise", True), ("streamed", True))  # of the parts that LLVM reads
SPELLING = {
    "elements": "Parameters",
    "component_type": "CompType",
    "rw_mask": "ExclusiveMask",
    "padding": "",
}
ROWS = record_form(ProgramSignature, SPELLING)


def part_data(node: Any, path: str) -> bytes:
    """Return the data of a part; None means a signature without rows.

    LLVM stores names in the order of the text and sorts the rows after that.
    """
    made = ProgramSignature() if node is None else ROWS.read(node, path)
    rows = made.elements
    places: dict[str, int] = {}
    size = HEAD + ROW * len(rows)
    for row in rows:
        if row.name not in places:
            places[row.name] = size
            size += len(row.name.encode("utf-8", "surrogateescape")) + 1
    rows.sort(key=lambda row: (row.stream, row.register, places[row.name]))
    at = {f"elements[{i}].name": places[row.name] for i, row in enumerate(rows)}
    placement = Placement(size, {"elements": HEAD, **at}, {})
    return write(made, ARGUMENTS, placement=placement)


def document(record: ProgramSignature) -> dict[str, Any]:
    """Return a part as a mapping of LLVM's YAML."""
    found: dict[str, Any] = ROWS.show(record, "Signature")
    return found


FORM = PartForm(
    lambda node, path, _: part_data(node, path),
    lambda value, *_: document(value),
    part_data(None, ""),
)
