"""Buffers that are one structure, whose last member may be an array without a length.

    {uint count; float weight[];}     {"count": 2, "weight": [0.5, 0.25]}     12 bytes

The length of the array is the length of the argument.
"""

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from ...errors import UsageError
from ...model import ConstantBuffer, Variable
from ...vm.launch import Array
from .layout import is_open, structure, write
from .suggestions import suggestion

__all__ = ["block_dtype", "block_of"]


def block_dtype(buffer: ConstantBuffer, length: int = 0) -> np.dtype[Any]:
    """Return the dtype of a block whose open array has this length."""
    variables = _with_length(buffer, length)
    fields = [(each.name, each.offset, each.type) for each in variables]
    if variables is buffer.variables:
        return structure(fields, buffer.size)
    end = max((_end(each) for each in variables), default=0)
    return structure(fields, max(end, 0 if length else buffer.size))


def block_of(buffer: ConstantBuffer, values: Mapping[str, Any], where: str) -> Array:
    """Return a dict of members as a structured array of no dimensions.

    Raises:
        UsageError: a member is missing, unknown, or has values of another shape or type.
    """
    names = {each.name: each for each in buffer.variables}
    for name in values:
        if name not in names:
            raise UsageError(f"{where} has no member {name!r}{suggestion(name, names)}")
    missing = [each.type.declaration(name) for name, each in names.items() if name not in values]
    if missing:
        raise UsageError(f"{where}: {', '.join(missing)} missing")
    length = 0
    for name, each in names.items():
        if is_open(each.type):
            try:
                length = len(values[name])
            except TypeError:
                wanted = each.type.declaration(name)
                raise UsageError(
                    f"{where}: expected a sequence for {wanted}, got {values[name]!r:.60}"
                ) from None
    kind = block_dtype(buffer, length)
    data = np.zeros(max(kind.itemsize, 1), np.uint8)
    for each in _with_length(buffer, length):
        if length or not is_open(names[each.name].type):
            write(data, each.offset, each.type, values[each.name], f"{where}.{each.name}")
    return data[: kind.itemsize].view(kind).reshape(())


def _with_length(buffer: ConstantBuffer, length: int) -> list[Variable]:
    if not any(is_open(each.type) for each in buffer.variables):
        return buffer.variables
    made = []
    for each in buffer.variables:
        one = copy(each)
        if is_open(each.type):
            one.type = copy(each.type)
            one.type.elements = [length, *each.type.elements[1:]]
        made.append(one)
    return made


def _end(variable: Variable) -> int:
    """Return the byte after a variable, including the padding of an array's last element."""
    kind = variable.type
    if kind.elements:
        return variable.offset + kind.elements[0] * kind.strides[0]
    return variable.offset + variable.size
