"""Bindings of the usual kind, to compile a program before there are arrays for it.

textures    one texel of four 32-bit components, one level
others      nothing: samplers are linear, and code does not depend on buffers
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...ir.lowered import Form
from . import textures
from .arguments import variables
from .bindings import Binding, arrays_of

__all__ = ["typical"]

DATA = (Form.CONSTANTS, Form.RAW, Form.STRUCTURED, Form.COUNTER)
DTYPES = {"sint": "<i4", "uint": "<u4"}


def typical(bindings: list[Binding], given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a value for each binding: the given value if code depends on it, else any."""
    data = {key for each in bindings if each.form in DATA for key in each.keys}
    data.update(variables(bindings))
    found = {key: value for key, value in given.items() if key not in data}
    arrays = arrays_of(bindings)
    there = {each.name for name in found for each in arrays.get(name, {}).values()}
    for each in bindings:
        if each.name not in there and found.keys().isdisjoint(each.keys):
            found[each.name] = _usual(each)
    return found


def _usual(binding: Binding) -> Any:
    if binding.form not in (Form.TYPED, Form.TEXTURE):
        return None
    shape = *textures.smallest(binding.resource), 4
    return np.zeros(shape, DTYPES.get(binding.component, "<f4"))
