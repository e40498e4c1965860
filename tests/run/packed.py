"""Types with a layout: HLSL's rules for constants, or everything one behind the other."""

from copy import deepcopy

from unshade.model import TypeClass, TypeDescription

WIDE = {"double": 8, "int64_t": 8, "uint64_t": 8, "float16_t": 2, "int16_t": 2, "uint16_t": 2}


def packed(type: TypeDescription, rows: bool) -> TypeDescription:
    """A copy whose sizes and strides are those of constants (`rows` of 16 bytes) or elements."""
    found = deepcopy(type)
    _lay_out(found, 16 if rows else 1)
    return found


def _lay_out(type: TypeDescription, row: int) -> None:
    item = WIDE.get(type.scalar, 4)
    if type.members:
        for member in type.members:
            _lay_out(member.type, row)
        last = type.members[-1]
        type.size = last.offset + last.type.size
        for count, stride in zip(last.type.elements, last.type.strides, strict=True):
            type.size += (count - 1) * stride
    elif type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
        vectors, length = type.rows, type.columns
        if type.type_class == TypeClass.MATRIX_COLUMNS:
            vectors, length = length, vectors
        type.matrix_stride = -(-length * item // row) * row
        type.size = (vectors - 1) * type.matrix_stride + length * item
    else:
        type.size = type.columns * item
    stride = -(-type.size // row) * row
    type.strides = []
    for count in reversed(type.elements):
        type.strides.insert(0, stride)
        stride *= count or 1
