"""Types of SPIR-V in VBC's terms.

OpTypeArray (OpTypeMatrix %v3float 2) 5     NumericType(FLOAT, rows=3, columns=2, elements=5)
OpTypeImage %uint 2D 0 1 0 2 Rgba32ui       TexelInfo(D2_ARRAY, UNSIGNED, 4, 4)
"""

import re
from typing import Any

from ....programs.spirv.index import ModuleIndex
from ....programs.spirv.tables.grammar import grammar
from ....programs.spirv.tables.numbers import Decoration, Dim, Opcode
from ....tuples import NamedTuple
from ..records import BaseType, TexelInfo, TexelRank, TexelType

__all__ = ["NumericType", "byte_size", "image_of", "numeric_type", "texel_info"]

RANKS = {
    (Dim.Dim1D, 0): TexelRank.D1,
    (Dim.Dim2D, 0): TexelRank.D2,
    (Dim.Dim3D, 0): TexelRank.D3,
    (Dim.Dim1D, 1): TexelRank.D1_ARRAY,
    (Dim.Dim2D, 1): TexelRank.D2_ARRAY,
    (Dim.Cube, 0): TexelRank.CUBE,
    (Dim.Buffer, 0): TexelRank.BUFFER,
}
FORMAT = re.compile(r"(R|Rg|Rgba)(8|16|32)(f|i|ui|Snorm|)")  # Rgba8, R32ui, Rg16Snorm
CHANNELS = {"R": 1, "Rg": 2, "Rgba": 4}
COMPONENTS = {
    "f": TexelType.FLOAT,
    "i": TexelType.SIGNED,
    "ui": TexelType.UNSIGNED,
    "Snorm": TexelType.SNORM,
    "": TexelType.UNORM,
}
TEXELS = {
    BaseType.SIGNED: TexelType.SIGNED,
    BaseType.UNSIGNED: TexelType.UNSIGNED,
    BaseType.FLOAT: TexelType.FLOAT,
}
COMPONENT = 4  # bytes of a component: VSL has no other


class NumericType(NamedTuple):
    """The type of an input, an output or a member."""

    base: BaseType
    rows: int = 1
    columns: int = 1
    elements: int = 1

    def fields(self) -> dict[str, Any]:
        """Return the fields of a record with this type."""
        return {
            "base": self.base, "rows": self.rows, "columns": self.columns, "count": self.elements
        }  # fmt: skip


def numeric_type(index: ModuleIndex, number: int) -> NumericType | None:
    """Return a type in VBC's terms; None for structures, and for other widths than 32 bits."""
    elements = columns = rows = 1
    found = index.definitions.get(number)
    if found is not None and found.opcode == Opcode.TypeArray:
        length = index.integer(found.words[3])
        if length is None:
            return None
        elements = length
        found = index.definitions.get(found.words[2])
    if found is not None and found.opcode == Opcode.TypeMatrix:
        columns = found.words[3]
        found = index.definitions.get(found.words[2])
    if found is not None and found.opcode == Opcode.TypeVector:
        rows = found.words[3]
        found = index.definitions.get(found.words[2])
    if found is None:
        return None
    match found.opcode:
        case Opcode.TypeBool:
            base = BaseType.BOOLEAN
        case Opcode.TypeInt if found.words[2] == 32:
            base = BaseType.SIGNED if found.words[3] else BaseType.UNSIGNED
        case Opcode.TypeFloat if found.words[2] == 32:
            base = BaseType.FLOAT
        case _:
            return None
    return NumericType(base, rows, columns, elements)


def byte_size(index: ModuleIndex, number: int, matrix_stride: int | None) -> int | None:
    """Return the bytes from the first component of a member to the end of its last.

    Args:
        index: The module.
        number: The id of the member's type.
        matrix_stride: Distance of the columns of a matrix; None if the member does not specify it.
    """
    kind = numeric_type(index, number)
    if kind is None:
        return None
    column = COMPONENT * kind.rows
    element = column + (kind.columns - 1) * (matrix_stride or column)
    found = index.definitions[number]
    stride = element
    if found.opcode == Opcode.TypeArray:
        stride = index.decoration_word(Decoration.ArrayStride, number) or element
    return element + (kind.elements - 1) * stride


def image_of(index: ModuleIndex, number: int) -> tuple[int, ...] | None:
    """Return the operands of an image type, or of a sampled image's: from %type to format."""
    found = index.definitions.get(number)
    if found is not None and found.opcode == Opcode.TypeSampledImage:
        found = index.definitions.get(found.words[2])
    if found is None or found.opcode != Opcode.TypeImage:
        return None
    return found.words[2:]


def texel_info(index: ModuleIndex, image: tuple[int, ...], *, stored: bool) -> TexelInfo | None:
    """Return the texels of an image type; None if VBC cannot describe it.

    Args:
        index: The module.
        image: The result of `image_of`.
        stored: True for a storage image, whose format determines the type of its texels.
    """
    sampled, dimension, _, arrayed, multisampled, _, number = image[:7]
    rank = RANKS.get((dimension, arrayed))
    if dimension == Dim.SubpassData:
        rank = TexelRank.D2
    if rank is None or multisampled:
        return None
    if not stored:
        kind = numeric_type(index, sampled)
        texel = TEXELS.get(kind.base) if kind is not None else None
        return None if texel is None else TexelInfo(rank=rank, type=texel)
    known = grammar().kinds["ImageFormat"].by_value.get(number)
    match = FORMAT.fullmatch(known.name) if known is not None else None
    if match is None:
        return None
    return TexelInfo(
        rank=rank,
        type=COMPONENTS[match[3]],
        size=int(match[2]) // 8,
        count=CHANNELS[match[1]],
    )
