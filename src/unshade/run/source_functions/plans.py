"""Calls of a function whose arguments have the types and shapes of an earlier call.

    steps(x, y)     x, y float32 (1000,)     the overload, the batch, the kernel and its code are
                                             known; only addresses are new

A plan is made at the first call of its kind, and used once optimised code exists, or is worth its
time. A plan has the effect of `calls.called`, which handles all other calls: other engines,
textures, buffers that are written, budgets that are exceeded.
"""

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ...errors import UsageError
from ...ir.ops import OPS
from ...ir.types import BOOL
from ...tuples import NamedTuple
from ...vm.launch import Array, Report
from ...vocab.slots import Exchange
from ...vocab.words import Stage
from .. import engines
from ..binding.arguments import Arguments
from .calls import FunctionKernel, chosen_bindings, memory_dtype, memory_of
from .choice import CalledOverload
from .overloads import OverloadParameter, argument
from .result_memory import result_array

__all__ = ["CallPlan", "signature_of"]

AFTER = 4  # calls before code is optimised for the sake of calls to come
ALIGNMENT = 16  # bytes, of memories
SCALARS = (float, int, bool)


def signature_of(args: Sequence[Any], named: Mapping[str, Any]) -> Hashable | None:
    """Return the types and shapes of arguments; None if they are not arrays and numbers."""
    found: list[Any] = []
    for value in (*args, *named.values()) if named else args:
        kind = type(value)
        if kind is np.ndarray:
            found.append((value.dtype, value.shape))
        elif kind in SCALARS:
            found.append(kind)
        elif isinstance(value, np.generic):
            found.append(value.dtype)
        else:
            return None
    return (len(args), *named, *found) if named else tuple(found)


class PlannedArgument(NamedTuple):
    """An argument: `direct` if an array of its type is the memory."""

    key: Hashable
    parameter: OverloadParameter
    direct: bool
    copied: bool  # since the function writes to it


class PlannedResult(NamedTuple):
    """A result: its memory is made, or is the copy of an argument."""

    key: Hashable
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    transposed: bool
    truth: bool


class CallPlan:
    """A plan; `run` returns None where it does not apply."""

    def __init__(
        self,
        function: FunctionKernel,
        call: CalledOverload,
        args: Sequence[Any],
        named: Mapping[str, Any],
    ) -> None:
        self.function = function
        self.batch = call.batch
        self.count = prod(call.batch)
        self.calls = 0
        self.repeated: Any = None
        overload = call.overload
        asked = [at for at, each in enumerate(overload.parameters) if each.declared.read]
        names = {each.name: at for at, each in enumerate(overload.parameters)}
        places = [*asked[: len(args)], *(names[name] for name in named)]
        self.arguments: list[PlannedArgument] = []
        self.results: list[PlannedResult] = []
        shared = {
            at for at, key in function.outputs.items() if key == function.inputs.get(at) is not None
        }
        for at, value in zip(places, (*args, *named.values()), strict=True):
            each = overload.parameters[at]
            dtype = memory_dtype(function, each.layout)
            direct = (
                type(value) is np.ndarray
                and value.dtype == dtype.base
                and value.shape == (*call.batch, *dtype.shape)
                and not each.layout.transposed
                and not each.layout.members
                and each.layout.type != BOOL
            )
            key = function.inputs.get(at)
            self.arguments.append(PlannedArgument(key, each, direct, at in shared))
        if overload.result is not None:
            self._result(function.result, overload.result)
        for at, each in enumerate(overload.parameters):
            if each.declared.written:
                self._result(function.outputs[at], each.layout)
        bound = {key for key in (function.count, function.result) if key is not None}
        bound.update(function.inputs.values(), function.outputs.values())
        self.ours = bound
        wanted = not any(each.writable for each in function.bindings)
        self.possible = wanted and len(set(places)) == len(places)

    def _result(self, key: Hashable, layout: Any) -> None:
        dtype = memory_dtype(self.function, layout)
        shape = (*self.batch, *dtype.shape)
        truth = layout.type == BOOL
        self.results.append(PlannedResult(key, shape, dtype.base, layout.transposed, truth))

    def _prepare(self, arguments: Arguments) -> None:
        """Find the code, unless none can be called in this way."""
        execution = self.function.kernel.execution
        code = execution.code(arguments)
        found = engines.repeated(execution.engine, code, execution.budget)
        known = {*self.ours, *arguments.memories, Exchange.UNDEFINED}
        discards = any(value.op is OPS.discard for value in code.values())
        fits = found is not None and found.keys <= known and self.count <= found.most
        if not fits or discards:
            self.possible = False
        else:
            self.repeated = found
            self.budget = execution.budget

    def run(
        self, args: Sequence[Any], named: Mapping[str, Any], bindings: Mapping[str, Any]
    ) -> tuple[Any] | None:
        """Run a call; return its result in a tuple, or None if nothing was done."""
        if not self.possible or not self.count:
            return None
        self.calls += 1
        function = self.function
        execution = function.kernel.execution
        others: Mapping[Hashable, Array] = {}
        if function.bindings:
            arguments = Arguments([*function.bindings], chosen_bindings(function, bindings))
            if arguments.textures or arguments.samplers or arguments.children:
                self.possible = False
                return None
            others = arguments.memories
        repeated = self.repeated
        if repeated is None or execution.budget != self.budget:
            if self.calls < AFTER:
                return None
            self._prepare(arguments if function.bindings else Arguments([], {}))
            repeated = self.repeated
            if repeated is None:
                return None
        if not repeated.lock.acquire(blocking=False):  # called in another thread
            return None
        try:
            return self._run(repeated, (*args, *named.values()) if named else args, others)
        finally:
            repeated.lock.release()

    def _run(
        self, repeated: Any, values: Sequence[Any], others: Mapping[Hashable, Array]
    ) -> tuple[Any] | None:
        function, batch = self.function, self.batch
        bind = repeated.bind
        alive: dict[Hashable, Array] = {}
        for each, value in zip(self.arguments, values, strict=True):
            array = value
            if not each.direct:
                try:
                    array = argument(each.parameter, value)
                except UsageError:  # of a number: another overload may take it
                    return None
                array = memory_of(function, each.parameter.layout, array, batch, writable=False)
            if each.copied or not array.flags.c_contiguous:
                array = np.array(array, order="C")
            at = array.__array_interface__["data"][0]
            if at % ALIGNMENT:
                array, at = _aligned(array)
            alive[each.key] = array
            bind(each.key, at, array.nbytes)
        results = []
        for one in self.results:
            array = alive.get(one.key)
            if array is None:
                array = alive[one.key] = result_array(one.shape, one.dtype)
                at = array.__array_interface__["data"][0]
                if at % ALIGNMENT:
                    return None
                bind(one.key, at, array.nbytes)
            results.append(array)
        for key, array in others.items():
            at = array.__array_interface__["data"][0]
            if at % ALIGNMENT or not array.flags.c_contiguous:
                return None
            bind(key, at, array.nbytes)
        undefined = None
        if Exchange.UNDEFINED in repeated.keys:
            undefined = np.zeros(4, "<u4")
            bind(Exchange.UNDEFINED, undefined.__array_interface__["data"][0], 4)
        kernel = function.kernel
        groups, lanes = (1, 1, 1), self.count
        if kernel.stage is not Stage.LIBRARY:
            size = kernel.group[0]
            groups = (-(-self.count // size), 1, 1)
            lanes = groups[0] * size
            words = np.array([self.count, 0, 0, 0], "<u4")
            bind(function.count, words.__array_interface__["data"][0], 16)
        counts = repeated.run(groups, lanes)
        if counts is None:
            return None
        execution = kernel.execution
        missed = 0 if undefined is None else int(undefined[0])
        outside, discarded = counts
        execution.report = Report(
            execution.engine.name, lanes, outside, discarded=discarded, undefined=missed
        )
        made = tuple(map(_shown, self.results, results))
        return (made[0] if len(made) == 1 else made or None,)


def _shown(one: PlannedResult, array: Array) -> Any:
    """Return a result from its memory."""
    if array.dtype != one.dtype or array.shape != one.shape:  # the bytes of an argument
        array = array.reshape(-1).view(np.uint8).view(one.dtype).reshape(one.shape)
    if one.transposed:
        array = np.swapaxes(array, -1, -2)
    if one.truth:
        array = array != 0
    return array if array.shape else array[()]


def _aligned(array: Array) -> tuple[Array, int]:
    """Return an aligned copy, and its address."""
    room = np.empty(array.nbytes + ALIGNMENT, np.uint8)
    place: int = room.__array_interface__["data"][0]
    start = -place % ALIGNMENT
    made: Array = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made, place + start
