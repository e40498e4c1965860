"""Sizes and offsets of types."""

import pytest

from tests.programs.dxil.modules import saxpy
from unshade.errors import FormatError, LimitError
from unshade.programs.dxil.datalayout import DataLayout
from unshade.programs.dxil.model.types import DxilType, StructType
from unshade.programs.dxil.model.typetable import TypeTable

TYPES = TypeTable()
I1, I8, I16, I32, I64 = (TYPES.integer(width) for width in (1, 8, 16, 32, 64))
F16, F64 = TYPES.floating("half"), TYPES.floating("double")
DXIL = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
NATIVE = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64"


@pytest.mark.parametrize(
    ("type", "wide", "native"),
    [
        (I8, 4, 1),
        (F16, 4, 2),
        (I64, 8, 8),
        (TYPES.vector(3, I32), 12, 12),
        (TYPES.vector(3, F16), 12, 6),
        (TYPES.vector(2, I1), 8, 8),
        (TYPES.array(3, I16), 12, 6),
        (TYPES.pointer(F64), 4, 4),
        (TYPES.literal([I32, F64]), 16, 16),
        (TYPES.literal([I8, F64], packed=True), 12, 9),
        (TYPES.literal([]), 0, 0),
    ],
)
def test_sizes(type: DxilType, wide: int, native: int) -> None:
    assert DataLayout(DXIL).size(type) == wide
    assert DataLayout(NATIVE).size(type) == native


def test_offsets() -> None:
    type = TYPES.literal([I8, I64, I1])
    assert isinstance(type, StructType)
    assert DataLayout(NATIVE).offsets(type) == [0, 8, 16]


def test_a_structure_in_itself_is_refused() -> None:
    loop = StructType("loop", None)
    loop.elements = [loop]
    with pytest.raises(LimitError, match="depth"):
        DataLayout(DXIL).size(loop)


def test_types_without_size_are_refused() -> None:
    with pytest.raises(FormatError, match="expected a type with a size, got void"):
        DataLayout(DXIL).size(TYPES.primitive("void"))


def test_sizes_that_make_no_sense_are_refused() -> None:
    with pytest.raises(FormatError, match="expected sizes of a data layout"):
        DataLayout("p:32:33")
    assert DataLayout(saxpy().module.data_layout).size(I32) == 4
