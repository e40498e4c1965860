"""Types of SPIR-V in VBC's terms."""

import pytest

from unshade.formats.vbc.records import BaseType, TexelInfo, TexelRank, TexelType
from unshade.formats.vbc.vslc.types import (
    NumericType,
    byte_size,
    image_of,
    numeric_type,
    texel_info,
)
from unshade.programs.spirv import Program
from unshade.programs.spirv.index import ModuleIndex

TEXT = """
OpCapability Shader
OpDecorate %6 ArrayStride 48
%1 = OpTypeFloat 32
%2 = OpTypeInt 32 0
%3 = OpTypeVector %1 3
%4 = OpTypeMatrix %3 2
%5 = OpConstant %2 5
%6 = OpTypeArray %4 %5
%7 = OpTypeBool
%8 = OpTypeFloat 64
%9 = OpTypeStruct %1
"""


def indexed(more: str = "") -> ModuleIndex:
    return ModuleIndex(Program.assemble(TEXT + more, preserve_numeric_ids=True).module)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (1, NumericType(BaseType.FLOAT)),
        (2, NumericType(BaseType.UNSIGNED)),
        (3, NumericType(BaseType.FLOAT, 3)),
        (4, NumericType(BaseType.FLOAT, 3, 2)),
        (6, NumericType(BaseType.FLOAT, 3, 2, 5)),
        (7, NumericType(BaseType.BOOLEAN)),
        (8, None),
        (9, None),
        (99, None),
    ],
)
def test_numeric_types(number: int, kind: NumericType | None) -> None:
    assert numeric_type(indexed(), number) == kind


def test_sizes_end_with_the_last_component() -> None:
    assert byte_size(indexed(), 4, 16) == 16 + 12
    assert byte_size(indexed(), 4, None) == 24
    assert byte_size(indexed(), 6, 16) == 4 * 48 + 28


@pytest.mark.parametrize(
    ("image", "stored", "texel"),
    [
        ("%1 Cube 0 0 0 1 Unknown", False, (TexelRank.CUBE, TexelType.FLOAT, 4, 4)),
        ("%2 2D 0 1 0 2 Rg32ui", True, (TexelRank.D2_ARRAY, TexelType.UNSIGNED, 4, 2)),
        ("%1 3D 0 0 0 2 Rgba8Snorm", True, (TexelRank.D3, TexelType.SNORM, 1, 4)),
        ("%1 1D 0 0 0 2 R16", True, (TexelRank.D1, TexelType.UNORM, 2, 1)),
        ("%1 2D 0 0 0 2 R11fG11fB10f", True, None),
        ("%1 2D 0 0 1 1 Unknown", False, None),
        ("%1 Rect 0 0 0 1 Unknown", False, None),
        ("%2 SubpassData 0 0 0 2 Unknown", False, (TexelRank.D2, TexelType.UNSIGNED, 4, 4)),
        ("%1 SubpassData 0 0 1 2 Unknown", False, None),
    ],
)
def test_texels(image: str, stored: bool, texel: tuple[int, ...] | None) -> None:
    index = indexed(f"%10 = OpTypeImage {image}\n%11 = OpTypeSampledImage %10\n")
    found = image_of(index, 11)
    assert found == image_of(index, 10)
    assert found is not None
    made = texel_info(index, found, stored=stored)
    wanted = (
        None
        if texel is None
        else TexelInfo(**dict(zip(("rank", "type", "size", "count"), texel, strict=True)))
    )
    assert made == wanted
