"""SDBG: the debug information that fxc wrote before SPDB: files, instructions, variables, types.

    +0 u32 size of the header (84)   +4 offsets of compiler, entry point and profile
    +16 u32 flags   +20 seven tables: u32 count, u32 offset   +76 u32 numbers   +80 u32 texts
    then the tables, the numbers, and the texts, among them the sources

Offsets of tables count from the end of the header, offsets of texts from the start of the texts.
Names that occur in a source are stored as places in it. No file with this part was available: the
layout follows RenderDoc, and the meaning of unnamed fields is unknown.

Source: RenderDoc dxbc_sdbg.h (SDBGHeader and the structures after it).
"""

from typing import Any

from ....enums import IntEnum
from ....errors import FormatError, LimitError
from ....limits import DEFAULT, Limits
from ....wire import Nested, Record, array, blob, f32, field, i32, nested, read, u32
from ....wire.codegen import fixed_size
from .description import Category, PartDescription
from .kind import RecordKind
from .srci import EmbeddedSource

HEADER = 84


class DebugScopeKind(IntEnum):
    """The kind of a scope."""

    GLOBALS = 0
    LOCALS = 1
    STRUCTURE = 3
    FUNCTION = 4


class TablePlace(Record):
    """The place of a table, or of numbers or text in the others. 8 bytes."""

    count: u32 = field("number of rows, numbers or bytes", default=0)
    offset: u32 = field("offset of the first", default=0)


class DebugFile(Record):
    """A source file; the first was the compiled file. 16 bytes."""

    name: u32 = field("offset of the name in the texts")
    name_size: u32 = field("size of the name in bytes")
    source: u32 = field("offset of the source in the texts")
    source_size: u32 = field("size of the source in bytes")


class DebugComponent(Record):
    """A component that an instruction writes. 36 bytes."""

    variable: i32 = field("index of the variable; -1: none")
    bounds: bytes = blob("bounds of unknown meaning", 16, default=bytes(16))
    minimum: f32 = field("lowest value that the component can have")
    maximum: f32 = field("highest value that the component can have")
    rest: bytes = blob("unknown", 8, default=bytes(8))


class DebugInstruction(Record):
    """An instruction. 396 bytes."""

    number: u32 = field("number of the instruction")
    opcode: u32 = field("opcode, as in SHEX")
    before: bytes = blob("unknown", 8, default=bytes(8))
    register: i32 = field("number of the register that is written")
    after: bytes = blob("unknown", 4, default=bytes(4))
    mask: list[int] = array("x to w: the number of the component, or -1: not written", i32, count=4)
    components: list[DebugComponent] = array("x to w", Nested(DebugComponent), count=4)
    middle: bytes = blob(
        "unknown; the end may be 36 bytes for each component", 188, default=bytes(188)
    )
    symbol: i32 = field("index of the symbol that names the line")
    depth: u32 = field("depth of the call stack; 0: the entry point")
    scopes: TablePlace = nested("scopes, as indices in the numbers", TablePlace)
    types: TablePlace = nested("types of the operands, as indices in the numbers", TablePlace)


class DebugVariable(Record):
    """A component of a variable. 24 bytes."""

    symbol: i32 = field("index of the symbol")
    type: u32 = field("type of the component")
    rest: bytes = blob("unknown", 8, default=bytes(8))
    type_index: i32 = field("index of the type; -1: a constant")
    component: u32 = field("number of the component, or the bits of the constant")


class DebugInput(Record):
    """A component of an input, constant or resource that is used. 24 bytes."""

    variable: i32 = field("index of the variable")
    kind: u32 = field("0: input, 2: constant buffer, 6: texture, 7: sampler")
    buffer: i32 = field("register of the buffer; -1: an input")
    offset: i32 = field("offset in the buffer, or index in the input signature")
    component: i32 = field("number of the component")
    value: i32 = field("an initial value, or -1")


class DebugSymbol(Record):
    """A place in a source. 20 bytes."""

    file: i32 = field("index of the file")
    line: u32 = field("line")
    character: u32 = field("character in the line")
    text: TablePlace = nested("size and offset in the texts; 0: no name", TablePlace)


class DebugScope(Record):
    """A scope. 20 bytes."""

    kind: u32 = field("kind", enum=DebugScopeKind)
    name: u32 = field("offset of the name in the texts")
    name_size: u32 = field("size of the name in bytes")
    members: TablePlace = nested("members, as indices in the numbers", TablePlace)


class DebugType(Record):
    """A type. 44 bytes."""

    symbol: i32 = field("index of the symbol")
    is_function: u32 = field("1: a function")
    shape: u32 = field("0: scalar, 1: vector, 3: matrix, 4: texture or sampler")
    rows: u32 = field("rows")
    columns: u32 = field("columns; 0: a function or structure")
    scope: i32 = field("index of the scope of a structure or function")
    dimensions: u32 = field("number of array dimensions")
    lengths: i32 = field("index of the lengths of the dimensions in the numbers")
    strides: i32 = field("index of the strides of the dimensions in the numbers")
    size: u32 = field("size in words")
    variable: i32 = field("index of the variable; -1: not used")


class DebugInformation(Record, source="RenderDoc dxbc_sdbg.h"):
    """The SDBG part; no file with this part was available."""

    header_size: u32 = field("size of the header: 84", default=HEADER)
    compiler: u32 = field("offset of the compiler in the texts")
    entry: u32 = field("offset of the entry point in the texts")
    profile: u32 = field("offset of the profile in the texts")
    flags: u32 = field("compile flags, as in RDEF")
    file_table: TablePlace = nested("table of files", TablePlace)
    instruction_table: TablePlace = nested("table of instructions", TablePlace)
    variable_table: TablePlace = nested("table of variables", TablePlace)
    input_table: TablePlace = nested("table of inputs", TablePlace)
    symbol_table: TablePlace = nested("table of symbols", TablePlace)
    scope_table: TablePlace = nested("table of scopes", TablePlace)
    type_table: TablePlace = nested("table of types", TablePlace)
    numbers: u32 = field("offset of the numbers from the end of the header")
    texts: u32 = field("offset of the texts from the end of the header")
    content: bytes = blob("tables, numbers and texts", default=b"")

    def rows(self, name: str) -> list[Any]:
        """Return the rows of a table: "files", "instructions", "variables", …

        Raises:
            FormatError: The table does not lie within the part.
        """
        kind = ROWS[name]
        place: TablePlace = getattr(self, f"{name[:-1]}_table")
        size = fixed_size(kind.layout, ())
        end = place.offset + place.count * size
        if end > len(self.content):
            problem = f"expected an end of at most {len(self.content)}, got {end}"
            raise FormatError(problem, path=name)
        starts = range(place.offset, end, size)
        return [read(kind, self.content[at : at + size]) for at in starts]

    def text(self, offset: int, size: int | None = None) -> str:
        """Return a text of that size, or up to its NUL."""
        start = self.texts + offset
        end = self.content.find(b"\0", start) if size is None else start + size
        found = self.content[start : max(end, start)]
        return found.decode("utf-8", "surrogateescape")

    def _bytes(self, offset: int, size: int) -> bytes:
        start = self.texts + offset
        return self.content[start : start + size]

    def files(self, limits: Limits = DEFAULT) -> list[EmbeddedSource]:
        """Return the sources with their names.

        Raises:
            FormatError: The table of files does not lie within the part.
            LimitError: The sources exceed a limit.
        """
        found, room = [], limits.inflated
        for each in self.rows("files"):
            room -= each.source_size
            if room < 0:  # files may share their text
                raise LimitError("inflated", limits.inflated, limits.inflated - room)
            text = self._bytes(each.source, each.source_size)
            found.append(EmbeddedSource(self.text(each.name, each.name_size), text))
        return found

    def arguments(self, limits: Limits = DEFAULT) -> list[tuple[str, str]]:
        """Return the arguments of the compiler that are known: entry point and profile."""
        return [("E", self.text(self.entry)), ("T", self.text(self.profile))]


ROWS: dict[str, type[Record]] = {
    "files": DebugFile,
    "instructions": DebugInstruction,
    "variables": DebugVariable,
    "inputs": DebugInput,
    "symbols": DebugSymbol,
    "scopes": DebugScope,
    "types": DebugType,
}
KNOWN = PartDescription(
    "debug information",
    Category.DEBUG,
    RecordKind(DebugInformation),
    sources=True,
    loss="sources, lines and variables, for debuggers",
    repeats="lines and variables",
)
PARTS = {"SDBG": KNOWN, "SDGB": KNOWN._replace(kind=None)}  # as SlimShader names it
