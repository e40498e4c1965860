"""Aon9: a program for feature level 9, beside the SHDR of a shader of model 4.0.

    +0 u32 size   +4 u16 minor and major, u16 kind (0xFFFE vertex, 0xFFFF pixel)
    +8 u32 size of the tokens   +12 u32 offset of the tokens
    +16 five pairs of u16 count, u16 offset: mappings of float constants, of two unknown kinds, of
    samplers, and constants that the runtime sets

The tokens are those of `programs.d3d9`. Comments among them are fxc's debug information, with the
paths of sources, or a table of constants: `strip` removes them. The mappings define where a
runtime without constant buffers puts their registers. Source: worked out from files and the tables
in their listings; nothing is published.
"""

from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING

from ....enums import IntEnum
from ....errors import FormatError, LimitError
from ....programs.d3d9.code import Code
from ....programs.d3d9.spans import program_spans
from ....rule import Rule
from ....wire import (
    U8,
    Array,
    Blob,
    Nested,
    Record,
    Span,
    array,
    derived,
    field,
    pointer,
    u8,
    u16,
    u32,
)  # fmt: skip
from .description import Category, PartDescription
from .kind import RecordKind

if TYPE_CHECKING:
    from ....programs.d3d9 import Program


class Level9Kind(IntEnum):
    """The upper half of a version token of Direct3D 9."""

    VERTEX = 0xFFFE
    PIXEL = 0xFFFF


class ConstantMapping(Record):
    """Registers of a constant buffer that are copied to float constants. 12 bytes."""

    buffer: u16 = field("number of the constant buffer")
    start: u16 = field("first register in the buffer")
    count: u16 = field("number of registers")
    target: u16 = field("first c register")
    conversions: list[int] = array("conversion of each component; 0: float", U8, count=4)


class SamplerMapping(Record):
    """A sampler and a texture that are one sampler of Direct3D 9. 4 bytes."""

    sampler: u8 = field("number of the s register of the shader")
    texture: u8 = field("number of the t register")
    target: u16 = field("number of the s register of Direct3D 9")


class RuntimeConstant(Record):
    """A constant that the runtime sets. 4 bytes."""

    kind: u16 = field("0: offset of vertex positions by half a pixel")
    target: u16 = field("number of the c register")


class UnknownMapping(Record):
    """A mapping of integers or booleans; no known file contains one. 12 bytes assumed."""

    words: list[int] = array("as in mappings of float constants", U8, count=12)


class Level9Program(Record, source="files, and the tables in their listings"):
    """The Aon9 part."""

    size: u32 = field("size of the part in bytes")
    minor: u8 = field("minor version: 0, also where the tokens are of 2_x")
    major: u8 = field("major version: 2")
    kind: u16 = field("stage", enum=Level9Kind)
    token_size: u32 | None = derived("size of the tokens in bytes", "len(tokens)")
    tokens: bytes = pointer("tokens of Direct3D 9", Blob("token_size"), order=1)
    constant_count: u16 | None = derived("number of mappings", "len(constants)")
    constants: list[ConstantMapping] = pointer(
        "mappings of float constants",
        Array(Nested(ConstantMapping), count="constant_count"),
        slot=u16,
        loose=True,
    )
    count_1: u16 | None = derived("number of mappings", "len(mappings_1)")
    mappings_1: list[UnknownMapping] = pointer(
        "probably mappings of integer constants",
        Array(Nested(UnknownMapping), count="count_1"),
        slot=u16,
        loose=True,
    )
    count_2: u16 | None = derived("number of mappings", "len(mappings_2)")
    mappings_2: list[UnknownMapping] = pointer(
        "probably mappings of boolean constants",
        Array(Nested(UnknownMapping), count="count_2"),
        slot=u16,
        loose=True,
    )
    sampler_count: u16 | None = derived("number of mappings", "len(samplers)")
    samplers: list[SamplerMapping] = pointer(
        "mappings of samplers",
        Array(Nested(SamplerMapping), count="sampler_count"),
        slot=u16,
        order=-1,  # fxc places them first
        loose=True,
    )
    runtime_count: u16 | None = derived("number of constants", "len(runtime_constants)")
    runtime_constants: list[RuntimeConstant] = pointer(
        "constants that the runtime sets",
        Array(Nested(RuntimeConstant), count="runtime_count"),
        slot=u16,
        loose=True,
    )

    def program(self) -> "Program":
        """Return the program that the tokens encode.

        Raises:
            FormatError: The tokens are malformed.
            LimitError: The program has too many instructions.
        """
        return program_class().decode(self.tokens)

    def stripped(self, category: str) -> "Level9Program | None":
        """Return the program without comments of a category of `strip`; None if it has none."""
        try:
            program = self.program().stripped(category)
        except (FormatError, LimitError):
            return None
        if program is None:
            return None
        made = copy(self)
        made.tokens = program.encode()
        made.size = self.size - len(self.tokens) + len(made.tokens)
        return made


class Level9PartKind(RecordKind):
    """The kind of Aon9, whose tokens have fields of their own."""

    __slots__ = ()

    def spans(self, name: str, data: bytes, pad: int) -> list[Span]:
        return [inner for each in super().spans(name, data, pad) for inner in _inner(each)]

    def intact_spans(self, name: str, data: bytes) -> list[Span]:
        return [inner for each in super().intact_spans(name, data) for inner in _inner(each)]


def _inner(span: Span) -> list[Span]:
    """Return the fields of the tokens in place of their span; the span itself if malformed."""
    if span.path != "tokens" or not isinstance(span.value, bytes):
        return [span]
    try:
        code = Code.decode(span.value)
    except (FormatError, LimitError):
        return [span]
    return [each.shifted(span.offset, span.path) for each in program_spans(code)]


def rules() -> Mapping[str, Rule]:
    """Return the rules of the programs that the part can contain."""
    return program_class().rules()


def program_class() -> "type[Program]":
    """Return the class of Direct3D 9 programs, which few containers contain."""
    from ....programs.d3d9 import Program

    return Program


PARTS = {
    "Aon9": PartDescription(
        "program, feature level 9",
        Category.CODE,
        Level9PartKind(Level9Program),
        repeats="the code for feature level 9",
    )
}
