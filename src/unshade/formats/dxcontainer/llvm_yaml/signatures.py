"""ISG1, OSG1 and PSG1 in LLVM's YAML.

    Signature:
      Parameters:
        - Stream:          0
          Name:            SV_Position

Source: LLVM 19, DXContainerYAML.cpp, MC/DXContainerPSVInfo.cpp.
"""

from typing import Any

from ....wire import write
from ....wire.placement import Placement
from ..parts.signature import ProgramSignature, SignatureElement
from .keys import TEXT, U8, U32, MappingKey, MappingReader, Names, PartForm, Rows, shown
from .names import COMPONENT_TYPES, MIN_PRECISIONS, SYSTEM_VALUES

__all__ = ["document", "part_data"]

HEAD, ROW = 8, 32
ARGUMENTS = (("precise", True), ("streamed", True))  # of the parts that LLVM reads
PARAMETERS = MappingKey(
    "Parameters",
    Rows(
        MappingKey("Stream", U32, "stream"),
        MappingKey("Name", TEXT, "name"),
        MappingKey("Index", U32, "index"),
        MappingKey("SystemValue", Names(SYSTEM_VALUES), "system_value"),
        MappingKey("CompType", Names(COMPONENT_TYPES), "component_type"),
        MappingKey("Register", U32, "register"),
        MappingKey("Mask", U8, "mask"),
        MappingKey("ExclusiveMask", U8, "rw_mask"),
        MappingKey("MinPrecision", Names(MIN_PRECISIONS), "min_precision"),
    ),
    "elements",
)


def part_data(node: Any, path: str) -> bytes:
    """Return the data of a part; None means a signature without rows.

    LLVM stores names in the order of the text and sorts the rows after that.
    """
    rows: list[dict[str, Any]] = []
    if node is not None:
        reader = MappingReader(node, path)
        rows = reader.values(PARAMETERS)["elements"]
        reader.finish()
    places: dict[str, int] = {}
    size = HEAD + ROW * len(rows)
    for row in rows:
        if row["name"] not in places:
            places[row["name"]] = size
            size += len(row["name"].encode("utf-8", "surrogateescape")) + 1
    rows.sort(key=lambda row: (row["stream"], row["register"], places[row["name"]]))
    at = {f"elements[{i}].name": places[row["name"]] for i, row in enumerate(rows)}
    made = ProgramSignature(elements=[SignatureElement(**row) for row in rows])
    placement = Placement(size, {"elements": HEAD, **at}, {})
    return write(made, ARGUMENTS, placement=placement)


def document(record: ProgramSignature) -> dict[str, Any]:
    """Return a part as a mapping of LLVM's YAML."""
    return shown((PARAMETERS,), record, "Signature")


FORM = PartForm(
    lambda node, path, _: part_data(node, path),
    lambda value, *_: document(value),
    part_data(None, ""),
)
