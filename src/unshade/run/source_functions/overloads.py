"""The overloads of functions: parameters with the layouts of their values in memory.

float2 swirl(float2 p, inout int n)     layouts   float32 (2,), int32 ()
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compilers.signatures import DeclaredFunction, DeclaredParameter, DeclaredType
from ...errors import UnshadeError, UsageError
from ...ir.parameters import FunctionParameter, ValueLayout
from ...tuples import NamedTuple
from ...vm.launch import Array
from ..binding.numbers import as_array, converted
from ..stages.functions import argument_array, dtype_of_parameter

__all__ = ["Overload", "OverloadParameter", "argument", "overload_of_parameters"]

RESULT = "result"


class OverloadParameter(NamedTuple):
    """A parameter of a function that is called, and the layout of its values."""

    declared: DeclaredParameter
    layout: ValueLayout

    @property
    def name(self) -> str:
        """The name of the parameter."""
        return self.declared.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of a value in memory."""
        return dtype_of_parameter(self.layout)


class Overload(NamedTuple):
    """A function that is called.

    Attributes:
        function: Its declaration.
        parameters: Its parameters; empty if it is refused.
        result: The layout of its result; None if it returns nothing.
        refusal: The error of a function that cannot be called.
        where: The number of the program that contains it, and its name there.
        resources: The parameters that are textures, samplers or buffers, which `function` leaves
            out, by their positions in the whole declaration.
        whole: The whole declaration; None if it is the declaration of `function`.
    """

    function: DeclaredFunction
    parameters: tuple[OverloadParameter, ...]
    result: ValueLayout | None
    refusal: UnshadeError | None = None
    where: tuple[int, str] = (0, "")
    resources: tuple[tuple[int, DeclaredParameter], ...] = ()
    whole: DeclaredFunction | None = None

    def __str__(self) -> str:
        return str(self.whole or self.function)


def overload_of_parameters(
    name: str, parameters: Sequence[FunctionParameter], where: tuple[int, str]
) -> Overload:
    """Return a function of a program, whose last parameter may be its result."""
    results = [each for each in parameters if _is_result(each, parameters)]
    others = [each for each in parameters if each not in results]
    declared = [
        DeclaredParameter(each.name, _declared(each.layout), each.read, each.written)
        for each in others
    ]
    result = results[0].layout if results else None
    function = DeclaredFunction(
        name, tuple(declared), None if result is None else _declared(result)
    )
    layouts = [each.layout for each in others]
    made = tuple(map(OverloadParameter, declared, layouts))
    return Overload(function, made, result, None, where)


def _is_result(parameter: FunctionParameter, parameters: Sequence[FunctionParameter]) -> bool:
    last = parameter is parameters[-1] and not parameter.read
    return last and parameter.name.startswith(RESULT)


def _declared(layout: ValueLayout) -> DeclaredType:
    """Return the type of values of a layout, which contains no spelling of a language."""
    kind = dtype_of_parameter(layout).base
    members = tuple((each.name, _declared(each.layout)) for each in layout.members)
    word = f"{{{', '.join(f'{each} {name}' for name, each in members)}}}" if members else str(kind)
    shape = f"[{', '.join(map(str, layout.shape))}]" if layout.shape else ""
    scalar = "" if members else str(kind)
    return DeclaredType(word + shape, scalar, layout.shape, layout.transposed, members)


def argument(parameter: OverloadParameter, value: Any) -> Array:
    """Return an argument as an array that ends with the parameter's shape."""
    layout = parameter.layout
    kind = parameter.dtype.base
    if kind.names and not isinstance(value, np.ndarray):
        return argument_array(parameter, value)
    array = as_array(value, f"{parameter.name}: expected {parameter.declared.type}")
    if not isinstance(value, np.ndarray) and kind.kind in "iuf":
        array = converted(array, kind, parameter.name)
    depth = len(layout.shape)
    if array.ndim < depth or array.shape[array.ndim - depth :] != layout.shape:
        raise UsageError(
            f"{parameter.name}: expected {parameter.declared.type}, an array whose shape ends with"
            f" {layout.shape}, got {array.shape}"
        )
    if kind.names and array.dtype != kind and array.dtype.names == kind.names:
        array = array.astype(kind)
    batch = array.shape[: array.ndim - depth]
    rows = argument_array(parameter, array.reshape((-1, *layout.shape)))
    return rows.reshape((*batch, *layout.shape))
