"""Constant, raw and structured buffers: values as the bytes that kernels read.

    constants    {"a": 2.0, "lights": [{"p": [0, 1, 0]}]}      bytes      numbers
    raw          an array of any type; of a block a dict (blocks.py)
    structured   (n,) or (n, components) of the element's type      [{"p": …}, …]

Numbers for constants fill units of four bytes, and each is converted to the type of the variable at
its offset; where the file names no variable, the 32 bits are copied. bytes and arrays of uint8 are
copied unchanged, and so are arrays that can only hold bit patterns: uint32 with the bits of floats,
or float32 with the bits of integers (small integers are subnormal as floats, -1 is NaN). Arrays for
buffers are never converted; plain Python numbers are converted to the element's type.

In a dict, values are as in the source, and a matrix is the list of its rows. An array is the
memory of the buffer, where a column-major matrix is stored by its columns. `packed` converts a dict
to memory.
"""

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from ...errors import UsageError
from ...ir.lowered import Form
from ...model import ConstantBuffer, Variable
from ...vm.launch import Array
from .bindings import Binding
from .blocks import block_dtype, block_of
from .layout import check_size, components, dtype_of, scalars, write
from .numbers import as_array, converted, plain, shown
from .suggestions import suggestion
from .uniforms import missing

# ---------------------------------------------------------------- constants


def constants(binding: Binding, value: Any, alone: dict[str, Any]) -> Array:
    """Return the bytes of a constant buffer, in whole rows; bytes beyond the argument are 0."""
    size = binding.buffer.size if binding.buffer is not None else binding.resource.size
    check_size(size)
    row = max(binding.resource.stride, 1)
    size = -(-max(size, 1) // row) * row
    if isinstance(value, Mapping):
        for name in alone:
            if name in value:
                raise UsageError(f"{binding.where}.{name} is given twice")
        return _of_variables(binding, {**value, **alone}, size)
    if alone:
        name = next(iter(alone))
        raise UsageError(f"{binding.where} is given twice: as a whole, and by its variable {name}")
    data = _whole(binding, value, size)
    if not isinstance(value, bytes | bytearray | memoryview | np.ndarray):
        _check_length(binding, data, size)
    made = np.zeros(max(size, -(-len(data) // row) * row), np.uint8)
    made[: len(data)] = data
    return made


def _check_length(binding: Binding, data: Array, size: int) -> None:
    """Raise UsageError if plain numbers are fewer than the shader reads; buffers may be short."""
    needed = min(size, binding.resource.size or size)
    needed -= 0 if binding.buffer is None else _slack(binding, needed)
    if len(data) < needed:
        raise UsageError(
            f"{binding.where}: expected at least {-(-needed // 4)} numbers, got {len(data) // 4};"
            f" it takes {binding.words}"
        )


def _whole(binding: Binding, value: Any, size: int) -> Array:
    """Return the bytes of a constant buffer that is bound as a whole."""
    if isinstance(value, bytes | bytearray | memoryview):
        return np.frombuffer(bytes(value), np.uint8)
    array = as_array(value, f"{binding.where}: expected {binding.words}")
    if array.dtype.names and binding.dtype is not None and array.dtype != binding.dtype:
        if array.size != 1 or binding.buffer is None:
            raise UsageError(f"{binding.where}: expected {binding.words}, got {shown(array)}")
        one = array.reshape(-1)[0]
        return _of_variables(binding, {name: one[name] for name in array.dtype.names}, size)
    if array.dtype.kind == "V" or array.dtype == np.uint8:
        return np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if binding.buffer is None:
        return np.ascontiguousarray(plain(array, binding.where)).reshape(-1).view(np.uint8)
    words = isinstance(value, np.ndarray) and array.dtype.name in ("uint32", "float32")
    flat = np.ascontiguousarray(array).reshape(-1)
    if words and _are_words(binding.buffer, flat):
        return flat.view(np.uint8)
    return _of_numbers(binding, flat, size, words and array.dtype.kind == "u")


def _are_words(buffer: ConstantBuffer, array: Array) -> bool:
    """Return whether 32-bit words are the bits of the variables, and cannot be their numbers."""
    words = array.view("<u4")
    small = (words & 0x7F80_0000 == 0) & (words & 0x7FFF_FFFF != 0)
    odd = False
    for (_, kind), places in _components(buffer).items():
        at = np.array(places, np.int64) // 4
        at = at[at < len(words)]
        if array.dtype.kind == "u" and kind.kind == "f" and words[at].any():
            if small[at].any():
                return False
            odd = True
        elif array.dtype.kind == "f" and kind.kind in "iu":
            odd |= bool((small[at] | np.isnan(array[at])).any())
    return odd


def _of_numbers(binding: Binding, numbers: Array, size: int, bits: bool) -> Array:
    """Convert one number per four bytes to the type of the variable there.

    `bits`: the numbers are uint32, and may be the bits of floats.
    """
    assert binding.buffer is not None
    if 4 * len(numbers) > size:
        message = f"expected at most {size // 4} numbers, got {len(numbers)}"
        raise UsageError(f"{binding.where}: {message}; it takes {binding.words}")
    made = np.zeros(len(numbers), "<u4")
    for (name, kind), places in _components(binding.buffer).items():
        if kind.itemsize != 4:
            raise UsageError(
                f"{binding.where}: expected a dict or bytes, since {name} has"
                f" {8 * kind.itemsize} bits, got numbers"
            )
        at = np.array(places, np.int64) // 4
        at = at[at < len(numbers)]
        if bits and kind.kind == "f" and numbers[at].any():
            message = f"expected {kind}, got uint32; to bind bits, use array.view(np.uint8)"
            raise UsageError(f"{binding.where}.{name}: {message}")
        made[at] = converted(numbers[at], kind, f"{binding.where}.{name}").view("<u4")
    return made.view(np.uint8)


def _components(buffer: ConstantBuffer) -> dict[tuple[str, np.dtype[Any]], list[int]]:
    """Return the offsets of the scalars of each variable, by variable and type."""
    found: dict[int, tuple[str, np.dtype[Any]]] = {}
    for variable in sorted(buffer.variables, key=lambda each: each.offset):
        places: dict[int, np.dtype[Any]] = {}
        scalars(dtype_of(variable.type), variable.offset, places)
        found.update({place: (variable.name, kind) for place, kind in places.items()})
    sorted_out: dict[tuple[str, np.dtype[Any]], list[int]] = {}
    for place, what in found.items():
        sorted_out.setdefault(what, []).append(place)
    return sorted_out


def _slack(binding: Binding, needed: int) -> int:
    """Return the number of bytes of a constant buffer after its last variable."""
    assert binding.buffer is not None
    end = max((each.offset + each.size for each in binding.buffer.variables), default=0)
    return max(0, needed - end)


def _of_variables(binding: Binding, values: Mapping[str, Any], size: int) -> Array:
    buffer = binding.members
    if buffer is None:
        raise UsageError(
            f"{binding.where}: expected {binding.words}, got a dict; its variables have no names"
        )
    made = np.zeros(size, np.uint8)
    variables = {each.name: each for each in buffer.variables}
    for each in buffer.variables:
        if each.default is not None:
            made[each.offset : each.offset + len(each.default)] = list(each.default)
    for name, value in values.items():
        variable = variables.get(name)
        if variable is None:
            raise UsageError(
                f"{binding.where} has no variable {name!r}{suggestion(name, variables)}"
            )
        write(made, variable.offset, variable.type, value, f"{binding.where}.{name}")
    if binding.others:
        _check_agreement(binding, variables, values, made)
    left = [each.type.declaration(each.name) for each in missing(buffer, values)]
    if left:
        raise UsageError(f"{binding.where}: {', '.join(left)} missing")
    return made


def _check_agreement(
    binding: Binding, variables: Mapping[str, Variable], values: Mapping[str, Any], made: Array
) -> None:
    """Check that members of several blocks with the same bytes are given the same values."""
    for name, value in values.items():
        again = made.copy()
        write(again, variables[name].offset, variables[name].type, value, name)
        if not np.array_equal(again, made):
            raise UsageError(
                f"{binding.where}: {name} has bytes in common with another member, which is given"
                " with another value"
            )


# ---------------------------------------------------------------- buffers


def buffer_array(binding: Binding, value: Any) -> Array:
    """Return the value of a raw or structured buffer as an array of the right dtype."""
    if isinstance(value, bytes | bytearray | memoryview):
        value = np.frombuffer(bytes(value), np.uint8)
    given = isinstance(value, np.ndarray)
    if binding.buffer is not None and not given:
        value = _of_member(binding, binding.buffer, value)
    if binding.form is Form.RAW and binding.buffer is not None and isinstance(value, Mapping):
        return block_of(binding.buffer, value, binding.where)
    wanted = binding.dtype if binding.form is Form.STRUCTURED else None
    base, inner = (wanted.subdtype or (wanted, ())) if wanted is not None else (None, ())
    takes = f"{binding.where}: expected {binding.words}"
    if not given and wanted is not None and wanted.names and binding.buffer is not None:
        array = _elements(binding, value, wanted)
    else:
        array = as_array(value, takes)
        if not array.ndim and not (binding.form is Form.RAW and array.dtype.names):
            raise UsageError(f"{takes}, got {shown(value)}")
        if not given and array.dtype.kind != "V":
            base = _only_type(binding, takes, array) if binding.form is Form.RAW else base
            array = plain(array, takes) if base is None else converted(array, base, takes)
            array = _with_padding(binding, array, inner)
    if binding.form is Form.STRUCTURED:
        _check_elements(binding, array, base, inner)
    return array


def _of_member(binding: Binding, buffer: ConstantBuffer, value: Any) -> Any:
    """Return the argument for a buffer of one member, given with or without the member's name."""
    if len(buffer.variables) != 1:
        return value
    (only,) = buffer.variables
    if binding.form is Form.RAW:
        return value if isinstance(value, Mapping) else {only.name: value}
    if not isinstance(value, Mapping) or list(value) != [only.name]:
        return value
    whole = binding.dtype is None or bool(binding.dtype.names)
    return value[only.name] if whole else packed(binding, value[only.name])


def _only_type(binding: Binding, takes: str, array: Array) -> np.dtype[Any] | None:
    """Return the type of all numbers of a block, to which plain numbers are converted.

    Raises:
        UsageError: The block contains several types.
    """
    if binding.buffer is None:
        return None
    found: dict[int, np.dtype[Any]] = {}
    scalars(block_dtype(binding.buffer, 1), 0, found)
    kinds = set(found.values())
    if len(kinds) > 1:
        raise UsageError(f"{takes}, got {shown(array)}: its numbers have several types")
    return next(iter(kinds), None)


def _with_padding(binding: Binding, array: Array, inner: tuple[int, ...]) -> Array:
    """Return plain elements, each with the components that pad it."""
    used = components(binding.buffer) if binding.form is Form.STRUCTURED else None
    if used is None or inner in ((), (used,)):
        return array
    if array.ndim == 1 and used == 1:
        array = array.reshape(-1, 1)
    if array.shape[1:] != (used,):
        return array
    return np.pad(array, ((0, 0), (0, inner[0] - used)))


def _check_elements(
    binding: Binding, array: Array, base: np.dtype[Any] | None, inner: tuple[int, ...]
) -> None:
    stride = binding.resource.stride
    refusal = f"{binding.where}: expected {binding.words}, got {array.shape} {array.dtype}"
    if array.nbytes % stride:
        raise UsageError(f"{refusal}: {array.nbytes} bytes is not a multiple of {stride}")
    if base is None or array.dtype == np.uint8:
        return
    if array.dtype.names or base.names:
        _check_members(binding, array.dtype, base, refusal)
        return
    same = array.dtype == base or (
        array.dtype.kind in "iu" and base.kind in "iu" and array.itemsize == base.itemsize
    )
    if not same:
        raise UsageError(f"{refusal}; use array.astype(np.{base})")
    if array.ndim > 1 and prod(array.shape[1:]) != prod(inner):
        fits = f"; use array.reshape{(-1, *inner)}".replace(",)", ")")
        last = (inner or (1,))[-1]
        if array.size % prod(inner) or (last % array.shape[-1] and array.shape[-1] % last):
            fits = ""
        used = components(binding.buffer)
        if used is not None and array.shape[1:] == (used,):
            fits = f"; use np.pad(array, ((0, 0), (0, {prod(inner) - used})))"
        raise UsageError(refusal + fits)


def _check_members(
    binding: Binding, given: np.dtype[Any], base: np.dtype[Any], refusal: str
) -> None:
    """Check that structures have the members that the file names. An array of plain numbers is
    accepted if all members have its type."""
    stride = binding.resource.stride
    if given.itemsize != stride and (given.names or not base.names):
        raise UsageError(f"{refusal}: an element has {stride} bytes")
    inside: dict[int, np.dtype[Any]] = {}
    scalars(base, 0, inside)
    mine: dict[int, np.dtype[Any]] = {}
    scalars(given, 0, mine)
    if given.names and given.names != base.names and base.names:
        raise UsageError(f"{refusal}: got members {', '.join(given.names)}")
    fits = mine == inside if given.names else set(inside.values()) == {given}
    if not fits:
        raise UsageError(f"{refusal}; use the dtype of kernel.dtype({binding.names[-1]!r})")


def _elements(binding: Binding, values: Any, wanted: np.dtype[Any]) -> Array:
    """Convert a list of dicts to elements of a structure."""
    assert binding.buffer is not None
    if isinstance(values, str | Mapping) or not np.iterable(values):
        names = ", ".join(wanted.names or ())
        raise UsageError(
            f"{binding.where}: expected a list of dicts of {names}, got {shown(values)}"
        )
    values = list(values)
    stride = binding.resource.stride
    data = np.zeros(stride * len(values), np.uint8)
    for number, value in enumerate(values):
        where = f"{binding.where}[{number}]"
        variables = {each.name: each for each in binding.buffer.variables}
        if len(variables) == 1 and isinstance(value, Mapping):
            only = next(iter(variables.values()))
            if only.name not in value:
                write(data, number * stride, only.type, value, where)
                continue
        if not isinstance(value, Mapping):
            names = ", ".join(wanted.names or ())
            raise UsageError(f"{where}: expected a dict of {names}, got {shown(value)}")
        for name, each in value.items():
            if name not in variables:
                raise UsageError(f"{where} has no member {name!r}{suggestion(name, variables)}")
            at = number * stride + variables[name].offset
            write(data, at, variables[name].type, each, f"{where}.{name}")
    return data.view(wanted)


def packed(binding: Binding, values: Any) -> Array:
    """Return an array of the dtype of a buffer from values as in the source.

    The array for a constant buffer or a block has no dimensions; the array for a structured buffer
    has one dimension, its elements.
    """
    buffer = binding.buffer
    if binding.form is Form.RAW and buffer is not None and isinstance(values, Mapping):
        return block_of(buffer, values, binding.where)
    if binding.form is Form.CONSTANTS and binding.dtype is not None:
        if not isinstance(values, Mapping):
            refusal = f"{binding.where}: expected a dict of its variables, got {shown(values)}"
            raise UsageError(refusal)
        data = _of_variables(binding, values, binding.dtype.itemsize)
        return data.view(binding.dtype).reshape(())
    if binding.form is Form.STRUCTURED and binding.dtype is not None and buffer is not None:
        if binding.dtype.names:
            return _elements(binding, values, binding.dtype)
        if isinstance(values, str | Mapping) or not np.iterable(values):
            refusal = f"{binding.where}: expected a list of elements, got {shown(values)}"
            raise UsageError(refusal)
        kind, elements = buffer.variables[0].type, [*values]
        made = np.zeros(len(elements), binding.dtype)
        stride = binding.resource.stride
        for number, each in enumerate(elements):
            into = made.reshape(-1).view(np.uint8)
            write(into, number * stride, kind, each, f"{binding.where}[{number}]")
        return made
    raise UsageError(f"{binding.where} has no members to pack: it takes {binding.words}")


def as_bytes(array: Array, writable: bool, unit: int = 4) -> tuple[Array, bool]:
    """Return the bytes of an array, padded to a multiple of `unit`, and whether they are a copy."""
    fits = array.flags.c_contiguous and array.nbytes % unit == 0
    if fits and (array.flags.writeable or not writable):
        return array.reshape(-1).view(np.uint8), False
    data = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    made = np.zeros(-(-len(data) // unit) * unit, np.uint8)
    made[: len(data)] = data
    return made, True
