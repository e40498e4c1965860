"""Rules about the file as a whole: its layout, its versions, its tables of names."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ....errors import FormatError
from ....wire.code import bytes_of
from ..records import ShaderType
from .places import ShbinFindings

if TYPE_CHECKING:
    from ..tables import TableFile

VERSIONS = (0, 0x0C02, 0x1002)


def check_read(report: ShbinFindings) -> None:
    """What reading found odd."""
    file = report.file
    if file.format == "dvoj":
        report.add("shbin.experimental")
    if file.trailing:
        report.add("shbin.trailing", f"{len(file.trailing)} behind the last table", "trailing")
    for lead, record in _with_names(file):
        if record.symbol_size is not None:
            message = f"{record.symbol_size} bytes are stated"
            report.add("shbin.symbol-size", message, f"{lead}symbol_size")


def check_file(report: ShbinFindings) -> None:
    """The file, and what it says once."""
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
    except FormatError:  # tables share bytes, and say different things of them
        usual = False
    if not usual:
        report.add("shbin.layout")
    _check_names(report)


def _check_names(report: ShbinFindings) -> None:
    """Names that stand outside of the table that they should stand in."""
    places = {path.lstrip("."): at for path, at in report.traced().pointers}
    for lead, record in _with_names(report.file):
        size = record.symbol_size
        if size is None and not record.symbols:
            continue  # the table is what the names make of it
        start = places.get(f"{lead}symbols", 0)
        end = start + (bytes_of(record.symbols) if size is None else size)
        for path, at in places.items():
            named = path.startswith(lead) and path.endswith((".symbol", ".file"))
            if named and not start <= at < end:
                report.add("shbin.symbol-outside", path=path)


def _with_names(file: "TableFile") -> Iterator[tuple[str, Any]]:
    """The records that have tables of names, with what the paths of their fields begin with."""
    if file.code_holder is not file.record:
        yield file.code_prefix, file.code_holder
    for index, each in file.distinct():
        yield file.prefix(index), each
