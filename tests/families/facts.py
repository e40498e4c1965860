"""Pieces of the reflection of a module: types, variables, rows of a signature."""

from typing import Any

from unshade.model import ComponentType, SignatureParameter, TypeClass, TypeDescription, Variable


def vector(
    count: int, scalar: str = "float", *, elements: int | None = None, stride: int = 16
) -> TypeDescription:
    """Return a vector of 32-bit components, a scalar if it has one, or an array of them."""
    return TypeDescription(
        type_class=TypeClass.VECTOR if count > 1 else TypeClass.SCALAR, scalar=scalar,
        columns=count, size=4 * count,
        elements=[] if elements is None else [elements],
        strides=[] if elements is None else [stride],
    )  # fmt: skip


def matrix(rows: int, columns: int, stride: int, *, by_rows: bool = False) -> TypeDescription:
    """Return a matrix of floats whose columns, or rows, are `stride` bytes apart."""
    lines, length = (rows, columns) if by_rows else (columns, rows)
    return TypeDescription(
        type_class=TypeClass.MATRIX_ROWS if by_rows else TypeClass.MATRIX_COLUMNS, scalar="float",
        rows=rows, columns=columns, size=stride * (lines - 1) + 4 * length, matrix_stride=stride,
    )  # fmt: skip


def variable(name: str, offset: int, kind: TypeDescription) -> Variable:
    """Return a variable of a buffer, not an array."""
    return Variable(name=name, offset=offset, size=kind.size, type=kind)


def parameter(
    semantic: str, register: int | None, components: int, **more: Any
) -> SignatureParameter:
    """Return a row of a signature, of floats unless `component_type` is given."""
    more.setdefault("component_type", ComponentType.FLOAT32)
    letters = "xyzw"[:components]
    return SignatureParameter(
        semantic=semantic, register=register, components=letters, used=letters, **more
    )


UINT, FLOAT = vector(1, "uint"), vector(1)
