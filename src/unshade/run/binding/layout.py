"""Layout of values in buffers, as NumPy dtypes and as bytes.

    float4x3 m      matrix_stride 16, matrix_columns     three columns, 16 bytes apart
    float a[3]      strides [16]                         three numbers, 16 bytes apart
    Light l[2]      strides [32], members at offsets

Layouts are taken from the types of the reflection; no packing rule is applied here.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...errors import LimitError, UsageError
from ...ir.unique_names import UniqueNames
from ...model import BufferKind, ConstantBuffer, TypeClass, TypeDescription
from ...vm.launch import Array
from .numbers import as_array, converted, shown
from .suggestions import suggestion

SCALARS: dict[str, str] = {
    "float": "<f4", "half": "<f4", "int": "<i4", "uint": "<u4", "dword": "<u4", "bool": "<u4",
    "double": "<f8", "int64_t": "<i8", "uint64_t": "<u8", "float16_t": "<f2", "int16_t": "<i2",
    "uint16_t": "<u2", "min16float": "<f4", "min10float": "<f4", "min16int": "<i4",
    "min12int": "<i4", "min16uint": "<u4", "min8float": "<f4", "uint8": "<u4",
    "int64": "<i8", "uint64": "<u8", "short": "<i2", "ushort": "<u2", "char": "<i1",
    "uchar": "<u1",
}  # fmt: skip
LARGEST = 0x7FFF_FFFF  # bytes of a dtype of NumPy
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)


def scalar_dtype(type: TypeDescription) -> np.dtype[Any]:
    """Return the dtype of a component; `half` has 32 bits in Direct3D and 16 bits in SPIR-V."""
    if type.scalar == "half" and _component_size(type) == 2:
        return np.dtype("<f2")
    return np.dtype(SCALARS.get(type.scalar, "<u4"))


def _component_size(type: TypeDescription) -> int:
    """Return the bytes of a component, by the size of the type."""
    if type.type_class in MATRICES:
        vectors, length = _registers(type)
        return (type.size - (type.matrix_stride or 0) * (vectors - 1)) // max(length, 1)
    return type.size // max(type.columns, 1)


def element_type(type: TypeDescription) -> TypeDescription:
    """Return the type of an element of an array, the dimensions of which are left out."""
    fields = {name: getattr(type, name) for name in type.FIELDS}
    return TypeDescription(**fields | {"elements": [], "strides": []})


def _registers(type: TypeDescription) -> tuple[int, int]:
    """Return the number of vectors that a matrix is stored as, and of their components."""
    if type.type_class == TypeClass.MATRIX_COLUMNS:
        return type.columns, type.rows
    return type.rows, type.columns


def _matrix_stride(type: TypeDescription) -> int:
    return type.matrix_stride or _registers(type)[1] * scalar_dtype(type).itemsize


def check_size(size: int) -> None:
    """Raise LimitError if a declared number of bytes is too large for a dtype."""
    if size > LARGEST:
        raise LimitError("bytes of a block", LARGEST, size)


def is_column_major(type: TypeDescription) -> bool:
    """Return whether a type is, or contains, a matrix that is stored by columns."""
    inside = any(is_column_major(each.type) for each in type.members)
    return inside or type.type_class == TypeClass.MATRIX_COLUMNS


def whole_size(type: TypeDescription) -> int:
    """Return the bytes of a value with all its array elements, without padding after the last."""
    if 0 in type.elements:
        return type.size
    gaps = zip(type.elements, type.strides, strict=True)
    return sum((count - 1) * stride for count, stride in gaps) + type.size


def is_open(type: TypeDescription) -> bool:
    """Return whether a type is an array without a length, as large as the buffer allows."""
    return type.elements[:1] == [0]


def leaf(type: TypeDescription, byte: int) -> tuple[tuple[str, ...], str] | None:
    """Return the path to a byte of a value, `[2]`, `.colour`, `.y` or `._m03`, and its scalar type;
    None for padding.
    """
    path: tuple[str, ...] = ()
    for count, stride in zip(type.elements, type.strides, strict=True):
        number, byte = divmod(byte, stride or 1)
        if count and number >= count:
            return None
        path += (f"[{number}]",)
    if type.members:
        behind = [member for member in type.members if member.offset <= byte]
        if not behind:
            return None
        member = max(behind, key=lambda each: each.offset)
        if byte - member.offset >= whole_size(member.type):
            return None
        found = leaf(member.type, byte - member.offset)
        return found and ((*path, f".{member.name}", *found[0]), found[1])
    item = scalar_dtype(type).itemsize
    if type.type_class in MATRICES:
        vectors, length = _registers(type)
        vector, inside = divmod(byte, _matrix_stride(type))
        component = inside // item
        if vector >= vectors or component >= length:
            return None
        across = type.type_class == TypeClass.MATRIX_COLUMNS
        row, column = (component, vector) if across else (vector, component)
        return (*path, f"._m{row}{column}"), type.scalar
    component = byte // item
    if component >= type.columns:
        return None
    return (*path, *([f".{'xyzw'[component]}"] if type.columns > 1 else [])), type.scalar


# ---------------------------------------------------------------- dtypes


def dtype_of(type: TypeDescription) -> np.dtype[Any]:
    """Return the dtype of a variable.

    A matrix is (rows, columns), or (columns, rows) if it is column-major: no dtype can transpose.
    If the elements of an array, or the vectors of a matrix, are padded, the dtype includes the
    padding as additional components. A variable after the last element may share bytes with its
    padding.
    """
    item = scalar_dtype(type)
    stride = type.strides[-1] if type.elements else None
    values = type.rows * type.columns * item.itemsize
    check_size(max(values, stride or 0, type.matrix_stride or 0))
    if type.members:
        fields = [(member.name, member.offset, member.type) for member in type.members]
        made = structure(fields, stride or type.size)
    elif type.type_class in MATRICES:
        vectors, length = _registers(type)
        full = max(_matrix_stride(type) // item.itemsize, length)
        order = "column_major" if type.type_class == TypeClass.MATRIX_COLUMNS else "row_major"
        made = np.dtype((item, (vectors, full)), metadata={"order": order})
    elif stride and stride > type.columns * item.itemsize and not stride % item.itemsize:
        made = np.dtype((item, (stride // item.itemsize,)))
    else:
        made = np.dtype((item, (type.columns,))) if type.columns > 1 else item
    for count, step in reversed([*zip(type.elements, type.strides, strict=True)]):
        check_size(max(count, 1) * max(made.itemsize, step))
        made = np.dtype((_padded(made, step), (count,)))
    return made


def _padded(type: np.dtype[Any], stride: int) -> np.dtype[Any]:
    """Return the dtype padded to a stride."""
    if type.itemsize >= stride:
        return type
    return np.dtype({"names": ["value"], "formats": [type], "itemsize": stride})


def structure(fields: Sequence[tuple[str, int, TypeDescription]], size: int) -> np.dtype[Any]:
    """Return a structured dtype of named values at their offsets.

    Names repeat where a tool removed or damaged them; repeated names get a number.
    """
    names, offsets, formats = [], [], []
    unique = UniqueNames().unique
    for name, offset, type in fields:
        if type.type_class in (TypeClass.OBJECT, TypeClass.INTERFACE_POINTER):
            continue
        names.append(unique(name))
        offsets.append(offset)
        formats.append(dtype_of(type))
    end = max((at + form.itemsize for at, form in zip(offsets, formats, strict=True)), default=0)
    check_size(max(size, end))
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": max(size, end)}
    )


def buffer_dtype(buffer: ConstantBuffer) -> np.dtype[Any]:
    """Return the dtype of a whole constant buffer, or of an element of a structured one."""
    variables = buffer.variables
    if buffer.kind == BufferKind.ELEMENT and len(variables) == 1 and not variables[0].offset:
        return dtype_of(variables[0].type)
    fields = [(each.name, each.offset, each.type) for each in variables]
    return structure(fields, buffer.size)


def components(buffer: ConstantBuffer | None) -> int | None:
    """Return the number of components of elements that are numbers or vectors, else None."""
    if buffer is None or buffer.kind != BufferKind.ELEMENT or len(buffer.variables) != 1:
        return None
    type = buffer.variables[0].type
    if type.elements or type.members or type.type_class in MATRICES:
        return None
    return type.columns


def padded(type: np.dtype[Any], stride: int) -> np.dtype[Any] | None:
    """Return a number or vector with as many components as fit into its stride, else None.

    A vec3 of an array in a block of SPIR-V takes the place of four components.
    """
    base, shape = type.subdtype or (type, ())
    if base.names or len(shape) > 1 or stride % base.itemsize:
        return None
    if not type.itemsize <= stride <= LARGEST:
        return None
    return np.dtype((base, (stride // base.itemsize,)))


def scalars(type: np.dtype[Any], at: int, into: dict[int, np.dtype[Any]]) -> None:
    """Collect the scalar type at each offset of a dtype, `at` bytes further on."""
    if type.names and type.fields:
        places = [type.fields[name][:2] for name in type.names]
        for member, offset in sorted(places, key=lambda each: each[1]):
            scalars(member, at + offset, into)  # it may share the last row of the one before
        return
    base, shape = type.subdtype or (type, ())
    count = int(np.prod(shape))
    if base.subdtype or base.names:
        for number in range(count):
            scalars(base, at + number * base.itemsize, into)
    else:
        into.update(dict.fromkeys(range(at, at + count * base.itemsize, base.itemsize), base))


# ---------------------------------------------------------------- values as bytes


def write(into: Array, at: int, type: TypeDescription, value: Any, where: str) -> None:
    """Write a plain value: numbers, sequences, dicts; a matrix in rows, as in the source.

    The numbers of an array of vectors may also be one list. Those of a matrix may not: it would be
    in rows or in columns.
    """
    value = _shaped(value, type)
    if type.elements and 0 not in type.elements:
        places = [*product(*(range(count) for count in type.elements))]
        given = _flat(value, type, where)
        if len(given) != len(places):
            raise UsageError(f"{where}: expected {len(places)} elements, got {len(given)}")
        single = _without_elements(type)
        for number, (place, each) in enumerate(zip(places, given, strict=True)):
            start = at + sum(index * step for index, step in zip(place, type.strides, strict=True))
            write(into, start, single, each, f"{where}[{number}]")
        return
    if type.members:
        _write_structure(into, at, type, value, where)
        return
    item = scalar_dtype(type)
    if type.type_class in MATRICES:
        numbers = _numbers(value, (type.rows, type.columns), item, where)
        if type.type_class == TypeClass.MATRIX_COLUMNS:
            numbers = numbers.T
        step = _matrix_stride(type)
        for number, vector in enumerate(numbers):
            _put(into, at + number * step, np.ascontiguousarray(vector))
    else:
        _put(into, at, _numbers(value, (type.columns,), item, where))


def _shaped(value: Any, type: TypeDescription) -> Any:
    """Return all numbers of an array of vectors in one list as a list for each element."""
    if type.members or type.type_class in MATRICES or not type.elements or type.columns < 2:
        return value
    if isinstance(value, str | bytes) or not isinstance(value, Sequence | np.ndarray):
        return value
    count = prod(type.elements) * type.columns
    if len(value) != count or any(np.ndim(each) or isinstance(each, str) for each in value):
        return value
    listed: list[Any] = [*value]
    for size in (type.columns, *reversed(type.elements[1:])):
        listed = [listed[at : at + size] for at in range(0, len(listed), size)]
    return listed


def _without_elements(type: TypeDescription) -> TypeDescription:
    return TypeDescription(
        name=type.name, type_class=type.type_class, scalar=type.scalar, rows=type.rows,
        columns=type.columns, members=type.members, base=type.base, size=type.size,
        matrix_stride=type.matrix_stride,
    )  # fmt: skip


def _flat(value: Any, type: TypeDescription, where: str) -> list[Any]:
    """Return the elements of an array of one or more dimensions."""
    found = [value]
    for _ in type.elements:
        if any(isinstance(each, Mapping | str) or not np.iterable(each) for each in found):
            array = type.declaration("")
            raise UsageError(f"{where}: expected an array {array}, got {shown(value)}")
        found = [inner for each in found for inner in each]
    return found


def _write_structure(into: Array, at: int, type: TypeDescription, value: Any, where: str) -> None:
    if isinstance(value, np.void) and value.dtype.names:
        value = {name: value[name] for name in value.dtype.names}
    if not isinstance(value, Mapping):
        names = ", ".join(member.name for member in type.members)
        raise UsageError(f"{where}: expected a dict of {names}, got {shown(value)}")
    unique = UniqueNames().unique
    members = {unique(member.name): member for member in type.members}
    for name, each in value.items():
        member = members.get(name)
        if member is None:
            raise UsageError(f"{where} has no member {name!r}{suggestion(name, members)}")
        write(into, at + member.offset, member.type, each, f"{where}.{name}")
    missing = [name for name in members if name not in value]
    if missing:
        raise UsageError(f"{where}: {', '.join(missing)} missing")


def _numbers(value: Any, shape: tuple[int, ...], item: np.dtype[Any], where: str) -> Array:
    given = as_array(value, f"{where}: expected numbers")
    if given.ndim == 0 and shape == (1,):
        given = given.reshape(1)
    if given.shape != shape and not (given.size == shape[0] == 1):
        wanted = "a number" if shape == (1,) else " x ".join(map(str, shape)) + " numbers"
        wanted += f", {shape[0]} rows of {shape[1]}" if len(shape) == 2 else ""
        got = "a number" if not given.ndim else " x ".join(map(str, given.shape)) + " numbers"
        raise UsageError(f"{where}: expected {wanted}, got {got}")
    return converted(given, item, where).reshape(shape)


def _put(into: Array, at: int, values: Array) -> None:
    data = values.view(np.uint8).reshape(-1)
    into[at : at + len(data)] = data
