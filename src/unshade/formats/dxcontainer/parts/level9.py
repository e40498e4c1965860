"""Aon9: a program for feature level 9, beside the SHDR of a shader of model 4.0.

    +0 u32 size   +4 u16 minor and major, u16 kind (0xFFFE vertex, 0xFFFF pixel)
    +8 u32 size of the tokens   +12 u32 offset of the tokens
    +16 five pairs of u16 count, u16 offset: mappings of float constants, of two unknown kinds, of
    samplers, and constants that the runtime sets

The tokens are Direct3D 9's, kept as bytes. Comments among them are fxc's debug information, with
the paths of sources, or a table of constants: `strip` removes them. The mappings define where a
runtime without constant buffers puts their registers. Source: worked out from files and the tables
in their listings; nothing is published.
"""

from collections.abc import Iterator
from copy import copy

from ....enums import IntEnum
from ....wire import U8, Array, Blob, Nested, Record, array, derived, field, pointer, u8, u16, u32
from .description import Category, PartDescription
from .kind import RecordKind

COMMENT, END = 0xFFFE, 0x0000FFFF  # opcode of a comment, the last token
OF_COMMENTS = {b"CTAB": "reflection"}  # the category of `strip` of others is debug


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
    minor: u8 = field("minor version; 1: 2_x")
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

    def stripped(self, category: str) -> "Level9Program | None":
        """Return the program without comments of a category of `strip`; None if it has none."""
        tokens = b"".join(
            each
            for each, comment in _tokens(self.tokens)
            if comment is None or OF_COMMENTS.get(comment, "debug") != category
        )
        if len(tokens) == len(self.tokens):
            return None
        made = copy(self)
        made.size = self.size - len(self.tokens) + len(tokens)
        made.tokens = tokens
        return made


def _tokens(data: bytes) -> Iterator[tuple[bytes, bytes | None]]:
    """Yield the version, then each token with its operands, and the kind of each comment.

    Data after the end token, or from a token that does not end, is yielded as one item.
    """
    at = 4
    yield data[:at], None
    while at + 4 <= len(data):
        token = int.from_bytes(data[at : at + 4], "little")
        is_comment = token & 0xFFFF == COMMENT
        count = token >> 16 & 0x7FFF if is_comment else token >> 24 & 0xF
        end = at + 4 + 4 * count
        if token == END or end > len(data):
            break
        yield data[at:end], data[at + 4 : at + 8] if is_comment else None
        at = end
    yield data[at:], None


PARTS = {
    "Aon9": PartDescription(
        "program, feature level 9",
        Category.CODE,
        RecordKind(Level9Program),
        repeats="the code for feature level 9",
    )
}
