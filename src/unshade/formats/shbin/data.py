"""SHBIN files and objects as plain data: the record, with its code as instructions.

header, padded, layout, trailing     only if the file differs from known writers
dvlp.code, dvlp.descriptors          `program`: instructions
everything else                      `wire.data`, by the declaration of the record
"""

from typing import TYPE_CHECKING, Any, TypeVar

from ...errors import FormatError
from ...wire.codegen import Arguments
from ...wire.data import Plain, from_data, hex_from_data, to_data
from .program import code_from_data, code_to_data

if TYPE_CHECKING:
    from .tables import TableFile

KEYS = ("header", "padded", "layout", "trailing")  # beside the record's own fields
if TYPE_CHECKING:
    File = TypeVar("File", bound="TableFile")
else:  # a class in quotes would be compiled
    File = TypeVar("File")


def fields(file: "TableFile") -> dict[str, Any]:
    """Return a file as plain data."""
    found: dict[str, Any] = {}
    if file.padded is not None:
        found["padded"] = file.padded
    found |= _record(file)
    layout = file.layout()
    if layout is not None:
        found["layout"] = layout
    if file.trailing:
        found["trailing"] = file.trailing.hex()
    return found


def _record(file: "TableFile") -> dict[str, Plain]:
    """Return the record as plain data, with its code as instructions."""
    found = to_data(file.record, file.limits)
    holder = found if file.code_holder is file.record else found["dvlp"]
    holder.update(code_to_data(file.program))
    return found


def from_fields(cls: type[File], data: dict[str, Any]) -> File:
    """Return the file that plain data describes; FormatError if a value is invalid."""
    left = dict(data)
    rest = {key: left.pop(key) for key in KEYS if key in left}
    header = rest.get("header", "long")
    if header not in ("long", "short"):
        raise FormatError(f"expected long or short, got {header!r:.40}", path="header")
    arguments: Arguments = (("short", header == "short"),)
    inside = "dvlp" in {f.name for f in cls.RECORD.layout.fields}
    holder = left.get("dvlp") if inside else left
    if isinstance(holder, dict):
        holder = {**holder, **code_from_data(holder, "dvlp." if inside else "")}
        left = {**left, "dvlp": holder} if inside else holder
    file = cls(from_data(cls.RECORD, left, arguments))
    file.adopt(arguments)
    padded = rest.get("padded")
    if padded is not None and not isinstance(padded, bool):
        raise FormatError(f"expected true or false, got {padded!r:.40}", path="padded")
    file.padded = padded
    file.trailing = hex_from_data(rest.get("trailing", ""), "trailing")
    file.lay_out(rest.get("layout"))
    return file
