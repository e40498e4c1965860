"""Checks of the file as a whole: its layout, versions and symbol tables."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ....errors import FormatError
from ....wire.codegen import bytes_of
from ..records import ShaderType
from .places import ShbinFindings

if TYPE_CHECKING:
    from ..tables import TableFile

VERSIONS = (0, 0x0C02, 0x1002)


def check_read(report: ShbinFindings) -> None:
    """Check properties that are only visible while reading: trailing bytes, sizes in the file."""
    file = report.file
    if file.format == "dvoj":
        report.add("shbin.experimental")
    if file.trailing:
        report.add("shbin.trailing", f"{len(file.trailing)} bytes after the last table", "trailing")
    for lead, record in _with_names(file):
        if record.symbol_size is not None:
            message = f"the file states {record.symbol_size} bytes"
            report.add("shbin.symbol-size", message, f"{lead}symbol_size")


def check_file(report: ShbinFindings) -> None:
    """Check the file header, versions, layout and symbol tables."""
    file = report.file
    stages = [each.type for each in file.executables]
    if not stages:
        report.add("shbin.no-executable", path="dvle_count")
    elif file.format == "shbin" and ShaderType.VERTEX not in stages:
        report.add("shbin.geometry-alone", path="dvle_count")
    for lead, record in _with_names(file):
        if record.version not in VERSIONS:
            report.add("shbin.version", f"version 0x{record.version:04x}", f"{lead}version")
    try:
        usual = file.layout() is None
    except FormatError:  # tables share bytes and disagree about them
        usual = False
    if not usual:
        report.add("shbin.layout")
    _check_names(report)


def _check_names(report: ShbinFindings) -> None:
    """Check that each name lies in the symbol table of its record."""
    places = {path.lstrip("."): at for path, at in report.traced().pointers}
    for lead, record in _with_names(report.file):
        size = record.symbol_size
        if size is None and not record.symbols:
            continue  # the writer makes the table from the names
        start = places.get(f"{lead}symbols", 0)
        end = start + (bytes_of(record.symbols) if size is None else size)
        for path, at in places.items():
            named = path.startswith(lead) and path.endswith((".symbol", ".file"))
            if named and not start <= at < end:
                report.add("shbin.symbol-outside", path=path)


def _with_names(file: "TableFile") -> Iterator[tuple[str, Any]]:
    """Yield the records with symbol tables, each with the prefix of its fields' paths."""
    if file.code_holder is not file.record:
        yield file.code_prefix, file.code_holder
    for index, each in file.distinct():
        yield file.prefix(index), each
