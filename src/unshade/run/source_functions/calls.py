"""A call of a function over arrays: the memories of its parameters, and its results.

    p       float32 (1000, 2), contiguous      8000 bytes, without a copy
    a       float32 ()                         broadcast to (1000,): 4000 bytes
    result  float32 (1000,)                    4000 bytes, made for the call

Each element of the batch is a lane. A function of a program is run over items, a wrapper in thread
groups (wrapper.py); either has a memory for each parameter.
"""

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dataclass import dataclass
from ...ir.parameters import ValueLayout
from ...ir.types import BOOL
from ...vm.launch import Array, Launch
from ...vocab.words import Stage
from ..binding.arguments import Arguments, variables
from ..lanes import RowLanes, ThreadLanes
from ..stages.functions import CALLS, dtype_of_parameter, in_memory_order
from ..stages.points import check_count
from .choice import CalledOverload
from .wrapper import CALL

if TYPE_CHECKING:
    from ..binding.bindings import Binding
    from ..debugging.debugger import Debugger
    from ..kernels import Kernel
    from ..runner import Runner

__all__ = [
    "FunctionKernel", "called", "chosen_bindings", "memory_dtype", "memory_of", "own_entries",
]  # fmt: skip


@dataclass(slots=True, eq=False)
class FunctionKernel:
    """A kernel that calls a function.

    Attributes:
        kernel: The kernel.
        inputs: The key of the memory of each parameter that is read, by position.
        outputs: The key of the memory of each parameter that is written.
        result: The key of the memory of the result.
        count: The key of the memory with the number of calls, which wrappers have.
        bindings: The resources to bind.
        words: True if the memory of a bool is a word instead of a byte.
    """

    kernel: "Kernel"
    inputs: Mapping[int, Hashable]
    outputs: Mapping[int, Hashable]
    result: Hashable = None
    count: Hashable = None
    bindings: "Sequence[Binding]" = ()
    words: bool = False


def called(
    function: FunctionKernel, runner: "Runner", call: CalledOverload, bindings: Mapping[str, Any]
) -> Any:
    """Run a call by the kernel or its debugger; return its result, or the results in order."""
    overload, batch = call.overload, call.batch
    count = prod(batch)
    check_count(count, CALLS)
    execution = runner.execution
    arguments = Arguments([*function.bindings], chosen_bindings(function, bindings))
    memories: dict[Any, Array] = dict(arguments.memories)
    written: list[tuple[ValueLayout, Array]] = []
    if overload.result is not None:
        made = memories[function.result] = _room(function, overload.result, count)
        written.append((overload.result, made))
    for at, each in enumerate(overload.parameters):
        shared = at in function.outputs and function.outputs[at] == function.inputs.get(at)
        if at in call.values:
            array = memory_of(function, each.layout, call.values[at], batch, writable=shared)
            memories[function.inputs.get(at)] = array
            if shared:
                written.append((each.layout, array))
        if each.declared.written and not shared:
            made = memories[function.outputs[at]] = _room(function, each.layout, count)
            written.append((each.layout, made))
    execution.begin()
    if count:
        launch = Launch(memories, budget=execution.budget)
        if runner.stage is Stage.LIBRARY:
            launch.items = count
            execution.launch(arguments, launch, RowLanes(count))
        else:
            size = runner.group[0]
            launch.groups = (-(-count // size), 1, 1)
            memories[function.count] = np.array([count, 0, 0, 0], "<u4").view(np.uint8)
            execution.launch(arguments, launch, ThreadLanes(runner.group, launch.groups))
        arguments.finish()
    values = tuple(_value(function, layout, array, batch) for layout, array in written)
    return values[0] if len(values) == 1 else values or None


def chosen_bindings(function: FunctionKernel, bindings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the bindings that a function uses: the compiler leaves out others."""
    if not function.bindings:
        return {}
    known = {name for each in function.bindings for name in each.called}
    known.update(variables([*function.bindings]))
    return {name: value for name, value in bindings.items() if name in known}


def own_entries(debugger: "Debugger") -> list[int] | None:
    """Return the entries of a trace that are not of the wrapper; None if there is no wrapper."""
    starts = {
        file: text[: text.index(CALL)].count("\n") + 1
        for file, text in debugger.lowered.sources.items()
        if CALL in text
    }
    if not starts:
        return None
    return [
        at
        for at, each in enumerate(debugger.trace.entries)
        if each.location is not None
        and each.location.line < starts.get(each.location.file, each.location.line + 1)
    ]


def _room(function: FunctionKernel, layout: ValueLayout, count: int) -> Array:
    """Return the memory of results."""
    return np.zeros(count * memory_dtype(function, layout).itemsize, np.uint8)


def memory_dtype(function: FunctionKernel, layout: ValueLayout) -> np.dtype[Any]:
    """Return the dtype of values in memory."""
    if function.words and layout.type == BOOL:
        return np.dtype((np.uint32, layout.shape)) if layout.shape else np.dtype(np.uint32)
    return dtype_of_parameter(layout)


def memory_of(
    function: FunctionKernel,
    layout: ValueLayout,
    array: Array,
    batch: tuple[int, ...],
    *,
    writable: bool,
) -> Array:
    """Return the bytes of arguments in the order of the batch, without a copy if possible."""
    dtype = memory_dtype(function, layout)
    given = array
    array = in_memory_order(layout, array).astype(dtype.base, copy=False)
    shape = (*batch, *dtype.shape)
    if array.shape != shape:
        array = np.broadcast_to(array, shape)
    if not array.flags.c_contiguous or (writable and np.may_share_memory(array, given)):
        made = np.zeros(array.shape, array.dtype)  # with padding, which copies leave undefined
        made[...] = array
        array = made
    return array.reshape(-1).view(np.uint8)


def _value(
    function: FunctionKernel, layout: ValueLayout, memory: Array, batch: tuple[int, ...]
) -> Any:
    """Return results from their memory."""
    dtype = memory_dtype(function, layout)
    found = memory.view(dtype.base).reshape((*batch, *dtype.shape))
    found = in_memory_order(layout, found)
    if layout.type == BOOL:
        found = found != 0
    return found[()] if not found.shape else found
