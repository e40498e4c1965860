"""The layouts of constant buffers, as a page's script draws them: rows of sixteen bytes.

    buffer    title, bytes, registers, variables
    variable  name, offset, type, is used
    type      text, counts and strides of arrays, vectors, distance of vectors, components, width
              of one, members (name, offset, type)

A matrix is its stored vectors: the rows of `row_major float4x3`, the columns of other matrices. The
script computes the pieces of the rows that it shows, so that an array of any length costs nothing.
"""

from collections.abc import Iterator
from typing import Any

from ..model.reflection import Reflection
from ..model.resources import REGISTER, ConstantBuffer, TypeDescription
from ..screens.reflection import constant_buffer
from ..screens.text import visible
from ..vocab.words import BufferKind, TypeClass

__all__ = ["layouts"]

UNDRAWN = (BufferKind.INTERFACE_POINTERS,)  # their offsets count slots


def layouts(found: Reflection) -> list[dict[str, Any]]:
    """Return the layout of each constant buffer, in the order of the summary's tables."""
    return list(_layouts(found))


def _layouts(found: Reflection) -> Iterator[dict[str, Any]]:
    for buffer in found.constant_buffers:
        if buffer.kind not in UNDRAWN and buffer.variables:
            yield _layout(buffer)
    for each in found.entry_points:
        yield from _layouts(each)


def _layout(buffer: ConstantBuffer) -> dict[str, Any]:
    end = max(each.offset + each.size for each in buffer.variables)
    files = buffer.register is not None
    return {
        "title": constant_buffer(buffer).title,
        "size": end if files else max(buffer.size, end),
        "registers": visible(buffer.name) if files else "",
        "variables": [
            [visible(each.name), each.offset, _type(each.type, files), each.used]
            for each in sorted(buffer.variables, key=lambda each: each.offset)
        ],
    }


def _type(kind: TypeDescription, files: bool) -> dict[str, Any]:
    vectors, length = 1, max(kind.columns, 1)
    if kind.type_class == TypeClass.MATRIX_ROWS:
        vectors = kind.rows
    elif kind.type_class == TypeClass.MATRIX_COLUMNS:
        vectors, length = kind.columns, kind.rows
    distance = kind.matrix_stride or (kind.size // vectors)
    last = kind.size - distance * (vectors - 1)  # the last vector has no padding behind it
    made: dict[str, Any] = {"text": visible(kind.spelling())}
    if kind.elements:
        made["counts"], made["strides"] = kind.elements, kind.strides
    if kind.members:
        made["members"] = [
            [visible(each.name), each.offset, _type(each.type, files)] for each in kind.members
        ]
        return made
    width = REGISTER // length if files else max(last // length, 1)
    return made | {
        "vectors": vectors, "distance": distance or REGISTER, "length": length, "width": width,
    }  # fmt: skip
