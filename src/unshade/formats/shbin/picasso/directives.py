"""Directives of the `exact` dialect, for contents of a SHBIN that picasso never writes.

    of the file
    .header short                        the DVLP header of 0x1c bytes of nihstro and azahar
    .padded false                        padding, if unusual for the version of the file
    .dvlb dvle_count 3                   a number of a record, by its name: of the DVLB,
    .dvlp version 0x0c02                 of the DVLP
    .source "a.vert"                     the name of a source file
    .line 12 "a.vert"                    the source line of an instruction
    .layout {"size": …}                  the layout of the tables, if no known writer has it
    .trailing 00ff                       bytes after the last table
    of a DVLE
    .dvle end 0                          a number of the DVLE
    .constant 2 95 0x3f0000 0 0 0        type, number and four words of a constant
    .label 0 0 23 0xffffffff "endmain"   id, flag, word, size and name of a label
    .output 7 3 0x3 0                    type, register, components, unknown number of an output
    .uniform 0x10 0x13 "projection"      first and last register as the table counts them, and name
    .symbol "main"                       the symbol table, if it differs from the rows above

A name is written as in JSON, with a semicolon as \\u003b. If there is a `.uniform`, the whole table
of uniforms is written, in its order; `.alias` then names the registers for the code.
"""

import json
import re
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ....errors import UnshadeError
from ....isa.source import Location, Scanner
from ....programs.pica.assembler import Directive, PicassoReader
from ....wire.types import Scalar
from ..records import Dvlb, Dvle, Dvlp, Label, Line, Uniform

if TYPE_CHECKING:
    from ....wire import Record
    from ..shader import Shbin

__all__ = ["DIRECTIVES", "ExactDirectives", "finish"]

if TYPE_CHECKING:
    S = TypeVar("S", bound="Shbin")
else:  # a class in quotes would be compiled
    S = TypeVar("S")

NAME = re.compile(r"[a-z_]\w*", re.ASCII)
NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,8}(?!\w)|\d{1,10}(?!\w)", re.ASCII)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
HEX = re.compile(r"(?:[0-9a-fA-F]{2})+(?!\w)", re.ASCII)
REST = re.compile(r".+")
U16, U32 = 0xFFFF, 0xFFFF_FFFF
RECORDS: "dict[str, type[Record]]" = {"dvlb": Dvlb, "dvlp": Dvlp, "dvle": Dvle}


class ExactDirectives:
    """The contents of the directives of one source; `numbers` are by record and field."""

    __slots__ = ("header", "labels", "layout", "lines", "numbers", "padded", "sources", "symbols",
                 "trailing", "uniforms")  # fmt: skip
    KEY: ClassVar[str] = "shbin"

    def __init__(self) -> None:
        self.numbers: dict[str, dict[str, int]] = {name: {} for name in RECORDS}
        self.header = ""
        self.padded: bool | None = None
        self.sources: list[str] = []
        self.lines: list[Line] = []
        self.labels: list[Label] = []
        self.uniforms: list[Uniform] = []
        self.symbols: list[str] = []
        self.layout: tuple[Any, Location] | None = None
        self.trailing = b""


def _numbers(record: "type[Record]") -> dict[str, int]:
    """Return the numeric fields of a record, with the maximum of each."""
    return {f.name: f.type.high for f in record.layout.fields if isinstance(f.type, Scalar)}


# ---------------------------------------------------------------- reading


def _of_dvle(reader: PicassoReader) -> ExactDirectives:
    found: ExactDirectives = reader.declares().extra.setdefault(
        ExactDirectives.KEY, ExactDirectives()
    )
    return found


def _of_file(reader: PicassoReader) -> ExactDirectives:
    """Return the directives for the whole file, from a source that declares no DVLE."""
    found: ExactDirectives = reader.unit.extra.setdefault(ExactDirectives.KEY, ExactDirectives())
    return found


def _number(scanner: Scanner, wanted: str, most: int) -> int:
    start = scanner.at
    text = scanner.take(NUMBER, f"{wanted}: a number")
    value = int(text, 16) if text[:2] in ("0x", "0X") else int(text)
    if value > most:
        raise scanner.place(start).error(f"expected {wanted}, 0 to {most}, got {text}")
    return value


def _text(scanner: Scanner) -> str:
    start = scanner.at
    text = scanner.take(QUOTED, "a name between quotation marks")
    try:
        found = json.loads(text, strict=False)
    except ValueError as error:
        raise scanner.place(start).error(f"expected a JSON string: {error}") from None
    assert isinstance(found, str)
    return found


def _record(name: str) -> Directive:
    def directive(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
        directives = _of_dvle(reader) if name == "dvle" else _of_file(reader)
        known = _numbers(RECORDS[name])
        start = scanner.at
        field = scanner.take(NAME, f"a number of the {name.upper()}")
        if field not in known:
            raise scanner.unknown(f"number of the {name.upper()}", field, start, known)
        value = _number(scanner, field, known[field])
        reader.finish(scanner)
        directives.numbers[name][field] = value
        if field == "main" and not reader.unit.has_entry:
            reader.unit.entry = ""

    return directive


def _header(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    start = scanner.at
    word = scanner.take(NAME, "short or long")
    if word not in ("short", "long"):
        raise scanner.unknown("header", word, start, ("short", "long"))
    reader.finish(scanner)
    _of_file(reader).header = word


def _padded(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    start = scanner.at
    word = scanner.take(NAME, "true or false")
    if word not in ("true", "false"):
        raise scanner.unknown("boolean", word, start, ("true", "false"))
    reader.finish(scanner)
    _of_file(reader).padded = word == "true"


def _source(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    name = _text(scanner)
    reader.finish(scanner)
    _of_file(reader).sources.append(name)


def _line(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    line = _number(scanner, "a line", U32)
    name = _text(scanner)
    reader.finish(scanner)
    _of_file(reader).lines.append(Line(file=name, line=line))


def _layout(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    start = scanner.at
    text = scanner.take(REST, "a layout in JSON")
    try:
        _of_file(reader).layout = json.loads(text), scanner.place(start)
    except (ValueError, RecursionError) as error:
        raise scanner.place(start).error(f"expected JSON: {error!s:.60}") from None


def _trailing(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    data = bytes.fromhex(scanner.take(HEX, "bytes in hexadecimal"))
    reader.finish(scanner)
    _of_file(reader).trailing += data


def _constant(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    kind = _number(scanner, "a type", U16)
    number = _number(scanner, "a register", U16)
    words = [_number(scanner, "a word", U32) for _ in range(4)]
    reader.finish(scanner)
    reader.declares().constants.append(struct.pack("<2H4I", kind, number, *words))


def _output(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    wanted = ("a type", "a register", "components", "a number")
    row = [_number(scanner, each, U16) for each in wanted]
    reader.finish(scanner)
    reader.declares().outputs.append(struct.pack("<4H", *row))


def _label(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    number = _number(scanner, "an id", U16)
    flag = _number(scanner, "a flag", U16)
    offset = _number(scanner, "a word of the program", U32)
    size = _number(scanner, "a size", U32)
    name = _text(scanner)
    reader.finish(scanner)
    row = Label(id=number, flag=flag, offset=offset, size=size, symbol=name)
    _of_dvle(reader).labels.append(row)


def _uniform(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    start = _number(scanner, "a register", U16)
    end = _number(scanner, "a register", U16)
    name = _text(scanner)
    reader.finish(scanner)
    _of_dvle(reader).uniforms.append(Uniform(symbol=name, start=start, end=end))


def _symbol(reader: PicassoReader, scanner: Scanner, place: Location) -> None:
    name = _text(scanner)
    reader.finish(scanner)
    _of_dvle(reader).symbols.append(name)


DIRECTIVES: dict[str, Directive] = {
    "dvlb": _record("dvlb"),
    "dvlp": _record("dvlp"),
    "dvle": _record("dvle"),
    "header": _header,
    "padded": _padded,
    "source": _source,
    "line": _line,
    "layout": _layout,
    "trailing": _trailing,
    "constant": _constant,
    "output": _output,
    "label": _label,
    "uniform": _uniform,
    "symbol": _symbol,
}

# ---------------------------------------------------------------- result


def finish(shader: S, directives: Sequence[tuple[Dvle | None, ExactDirectives]]) -> S:
    """Apply the directives of all sources, with the DVLE of each, or None."""
    layout: tuple[Any, Location] | None = None
    for dvle, each in directives:
        if each.header:
            shader.short_header = each.header == "short"
        if each.padded is not None:
            shader.padded = each.padded
        layout = each.layout or layout
        shader.trailing += each.trailing
        shader.dvlp.symbols += each.sources
        shader.dvlp.lines += each.lines
        _set(shader.record, each.numbers["dvlb"])
        _set(shader.dvlp, each.numbers["dvlp"])
        if dvle is not None:
            dvle.labels += each.labels
            dvle.symbols += each.symbols
            dvle.uniforms = each.uniforms or dvle.uniforms
            _set(dvle, each.numbers["dvle"])
    return shader if layout is None else _placed(shader, *layout)


def _set(record: "Record", numbers: dict[str, int]) -> None:
    for name, value in numbers.items():
        setattr(record, name, value)


def _placed(shader: S, layout: Any, place: Location) -> S:
    findings = shader.findings
    try:
        shader = type(shader).from_data({**shader.to_data(), "layout": layout})
        shader.to_bytes()
    except UnshadeError as error:
        raise place.error(f"invalid layout: {error}") from None
    shader.findings = findings
    return shader
