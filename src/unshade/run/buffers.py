"""Constant, raw and structured buffers: what was given for one, as the bytes that kernels see.

    constants    {"a": 2.0, "lights": [{"p": [0, 1, 0]}]}      bytes      an array, whole rows
    raw          an array of any type
    structured   (n,) or (n, components) of the element's type      [{"p": …}, …]

Nothing is converted silently that was an array; plain Python numbers become what is wanted.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import UsageError
from ..ir.lowered import Form
from ..vm.launch import Array
from .bindings import Binding
from .layout import ROW, near, write

# ---------------------------------------------------------------- constants


def constants(binding: Binding, value: Any, alone: dict[str, Any]) -> Array:
    """A constant buffer's bytes, in whole rows."""
    size = binding.buffer.size if binding.buffer is not None else binding.resource.size
    size = -(-max(size, 1) // ROW) * ROW
    if isinstance(value, Mapping):
        return _of_variables(binding, {**value, **alone}, size)
    if alone:
        name = next(iter(alone))
        raise UsageError(f"{binding.where} is given whole, and {name} besides")
    data = _whole(binding, value)
    needed = min(size, binding.resource.size or size)
    needed -= 0 if binding.buffer is None else _slack(binding, needed)
    if len(data) < needed:
        told = f"at least {needed} bytes expected, {len(data)} given"
        raise UsageError(f"{binding.where}: {told}; it takes {binding.words}")
    made = np.zeros(max(size, -(-len(data) // ROW) * ROW), np.uint8)
    made[: len(data)] = data
    return made


def _whole(binding: Binding, value: Any) -> Array:
    """The bytes of a constant buffer that is not given by its variables."""
    if isinstance(value, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(value), np.uint8)
    array = _array(binding, value, None)
    if array.dtype.kind not in "biufV":
        raise UsageError(f"{binding.where} takes {binding.words}, not {value!r:.60}")
    if array.dtype in (np.float64, np.int64) and not _has_wide(binding):
        told = "<f4" if array.dtype == np.float64 else "<i4"
        raise UsageError(
            f"{binding.where} takes {binding.words}: nothing in it is {array.dtype},"
            f" array.astype({told!r}) would do"
        )
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _has_wide(binding: Binding) -> bool:
    """Whether something in a constant buffer may have 64 bits."""
    buffer = binding.buffer
    types = [each.type for each in buffer.variables] if buffer is not None else []
    while types:
        one = types.pop()
        if one.scalar in ("double", "int64_t", "uint64_t"):
            return True
        types += [member.type for member in one.members]
    return buffer is None


def _array(binding: Binding, value: Any, dtype: np.dtype[Any] | None) -> Array:
    """Plain numbers as an array: of 32 bits where nothing says otherwise."""
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    try:
        array = np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{binding.where} takes {binding.words}: {error}") from None
    if array.dtype in (np.float64, np.int64):
        return array.astype("<f4" if array.dtype == np.float64 else "<i4")
    return array


def _slack(binding: Binding, needed: int) -> int:
    """Bytes at the end of a constant buffer where no variable stands."""
    assert binding.buffer is not None
    end = max((each.offset + each.size for each in binding.buffer.variables), default=0)
    return max(0, needed - end)


def _of_variables(binding: Binding, values: Mapping[str, Any], size: int) -> Array:
    buffer = binding.buffer
    if buffer is None:
        raise UsageError(
            f"{binding.where}: the shader names no variables, it takes {binding.words}"
        )
    made = np.zeros(size, np.uint8)
    variables = {each.name: each for each in buffer.variables}
    for each in buffer.variables:
        if each.default is not None:
            made[each.offset : each.offset + len(each.default)] = list(each.default)
    for name, value in values.items():
        variable = variables.get(name)
        if variable is None:
            raise UsageError(f"{binding.where} has no variable {name!r}{near(name, variables)}")
        write(made, variable.offset, variable.type, value, True, f"{binding.where}.{name}")
    missing = [
        each.type.declaration(each.name)
        for each in buffer.variables
        if each.used and each.default is None and each.name not in values
    ]
    if missing:
        raise UsageError(f"{binding.where}: {', '.join(missing)} missing")
    return made


# ---------------------------------------------------------------- buffers


def buffer_array(binding: Binding, value: Any) -> Array:
    """What was given for a raw or structured buffer, as an array of the right kind."""
    wanted = binding.dtype if binding.form is Form.STRUCTURED else None
    base, inner = (wanted.subdtype or (wanted, ())) if wanted is not None else (None, ())
    if isinstance(value, bytes | bytearray | memoryview):
        value = np.frombuffer(bytes(value), np.uint8)
    plain = not isinstance(value, np.ndarray)
    if plain and wanted is not None and wanted.names and binding.buffer is not None:
        array = _elements(binding, value, wanted)
    else:
        array = _array(binding, value, base)
    if array.dtype.kind not in "biufV":
        raise UsageError(f"{binding.where} takes {binding.words}, not {array.dtype}")
    if binding.form is Form.STRUCTURED:
        _check_elements(binding, array, base, inner)
    return array


def _check_elements(
    binding: Binding, array: Array, base: np.dtype[Any] | None, inner: tuple[int, ...]
) -> None:
    stride = binding.resource.stride
    told = f"{binding.where} takes {binding.words}, not {array.shape} {array.dtype}"
    bytes_alone = array.dtype.kind in "u" and array.dtype.itemsize == 1
    if array.nbytes % stride:
        raise UsageError(f"{told}: {array.nbytes} bytes are not whole elements")
    if base is None or bytes_alone:
        return
    if array.dtype.names or base.names:
        if array.dtype.itemsize != stride and not (base.names and array.dtype.kind == "f"):
            raise UsageError(f"{told}: an element has {stride} bytes")
        return
    same = array.dtype == base or (
        array.dtype.kind in "iu" and base.kind in "iu" and array.itemsize == base.itemsize
    )
    if not same:
        raise UsageError(f"{told}: array.astype(np.{base}) would do")
    if inner and array.shape[-len(inner) :] != inner and array.ndim > 1:
        raise UsageError(told)


def _elements(binding: Binding, values: Any, wanted: np.dtype[Any]) -> Array:
    """A list of dicts as elements of a structure."""
    assert binding.buffer is not None
    if isinstance(values, str | Mapping) or not np.iterable(values):
        names = ", ".join(wanted.names or ())
        raise UsageError(f"{binding.where} takes a list of dicts of {names}, not {values!r:.60}")
    values = list(values)
    stride = binding.resource.stride
    data = np.zeros(stride * len(values), np.uint8)
    for number, value in enumerate(values):
        where = f"{binding.where}[{number}]"
        variables = {each.name: each for each in binding.buffer.variables}
        if len(variables) == 1 and isinstance(value, Mapping):
            only = next(iter(variables.values()))
            if only.name not in value:
                write(data, number * stride, only.type, value, False, where)
                continue
        if not isinstance(value, Mapping):
            raise UsageError(f"{where}: a dict of {', '.join(wanted.names or ())} expected")
        for name, each in value.items():
            if name not in variables:
                raise UsageError(f"{where} has no member {name!r}{near(name, variables)}")
            at = number * stride + variables[name].offset
            write(data, at, variables[name].type, each, False, f"{where}.{name}")
    return data.view(wanted)


def as_bytes(array: Array, writable: bool) -> tuple[Array, bool]:
    """The bytes of an array, in whole words; whether they are a copy."""
    fits = array.flags.c_contiguous and array.nbytes % 4 == 0
    if fits and (array.flags.writeable or not writable):
        return array.reshape(-1).view(np.uint8), False
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    made = np.zeros(-(-len(data) // 4) * 4, np.uint8)
    made[: len(data)] = data
    return made, True
