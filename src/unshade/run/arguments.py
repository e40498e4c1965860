"""What a call gives, as the memories that an engine reads and writes, and back.

An array that is contiguous and writable is the memory itself. Others are copied; what was written
comes back in the copy and, where that can be done, in the array that was given. Texels are always
converted (texels.py).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import UsageError
from ..ir.library.sampling import SamplerState, TextureState
from ..ir.lowered import Form
from ..vm.launch import Array
from . import textures
from .bindings import Binding
from .layout import ROW, dtype_of, near, write
from .sampler import Sampler


class Results(Mapping[str, Any]):
    """What a call wrote, by register or by name."""

    def __init__(self) -> None:
        self._arrays: dict[str, Any] = {}
        self._names: dict[str, str] = {}

    def add(self, names: tuple[str, ...], array: Any) -> None:
        """One more array; the last of its names is the one that a listing shows."""
        self._arrays[names[-1]] = array
        self._names.update(dict.fromkeys(names, names[-1]))

    def named(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Each array with all of its names, that of the listing last."""
        for name, array in self._arrays.items():
            others = [alias for alias, of in self._names.items() if of == name and alias != name]
            yield (*others, name), array

    def __getitem__(self, name: str) -> Any:
        found = self._names.get(name)
        if found is None:
            raise KeyError(f"{name!r} was not written{near(str(name), self._names)}")
        return self._arrays[found]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        told = ", ".join(
            f"{name}: {array.dtype} {array.shape}" if isinstance(array, np.ndarray) else name
            for name, array in self._arrays.items()
        )
        return f"<Results {told}>"


class Arguments:
    """One call's bindings as memories; `finish` brings back what was written."""

    def __init__(self, bindings: list[Binding], given: Mapping[str, Any]) -> None:
        self.memories: dict[str, Array] = {}
        self.textures: dict[str, TextureState] = {}
        self.samplers: dict[str, SamplerState] = {}
        self._finishing: list[tuple[Binding, Callable[[], Any]]] = []
        by_name = {name: each for each in bindings for name in each.names}
        chosen, alone = _sorted_out(bindings, by_name, given)
        for binding in bindings:
            has = binding.name in chosen
            if not has and binding.form is Form.CONSTANTS and binding.name in alone:
                chosen[binding.name], has = {}, True
            if not has and binding.form is Form.CONSTANTS and _all_default(binding):
                chosen[binding.name], has = {}, True
            if not has and binding.form in (Form.SAMPLER, Form.COUNTER):
                chosen[binding.name] = Sampler() if binding.form is Form.SAMPLER else 0
            elif not has:
                raise UsageError(f"{binding.where} is not bound: it takes {binding.words}")
            self._bind(binding, chosen[binding.name], alone.get(binding.name, {}))

    def _bind(self, binding: Binding, value: Any, alone: dict[str, Any]) -> None:
        resource = binding.resource
        match binding.form:
            case Form.SAMPLER:
                if not isinstance(value, Sampler):
                    raise UsageError(f"{binding.where} takes a Sampler, not {value!r:.60}")
                self.samplers[resource.name] = value.state
            case Form.CONSTANTS:
                self.memories[resource.name] = constants(binding, value, alone)
            case Form.TYPED | Form.TEXTURE:
                self._texels(binding, value)
            case Form.COUNTER:
                counter = np.zeros(1, "<u4")
                counter[0] = int(value)
                self.memories[resource.name] = counter.view(np.uint8)
                self._finishing.append((binding, lambda: int(counter[0])))
            case _:
                self._buffer(binding, value)

    def _texels(self, binding: Binding, value: Any) -> None:
        resource = binding.resource
        packed = textures.pack(resource, value, binding.where)
        self.memories[resource.name] = packed.texels
        self.memories[f"{resource.name}.shape"] = packed.shape
        self.textures[resource.name] = packed.state
        if not binding.writable:
            return
        if packed.state.levels > 1:
            raise UsageError(f"{binding.where} is written: bind one mip level")

        def finish() -> Any:
            made = textures.unpack(packed, resource)
            return _into(packed.levels[0], made, value is packed.levels[0])

        self._finishing.append((binding, finish))

    def _buffer(self, binding: Binding, value: Any) -> None:
        array = buffer_array(binding, value)
        data, own = as_bytes(array, binding.writable)
        self.memories[binding.resource.name] = data
        if not binding.writable:
            return

        def finish() -> Any:
            if not own:
                return array
            made = data[: array.nbytes].view(array.dtype).reshape(array.shape)
            return _into(array, made, array is value)

        self._finishing.append((binding, finish))

    def finish(self) -> Results:
        """What was written."""
        results = Results()
        for binding, finish in self._finishing:
            results.add(binding.names, finish())
        return results


def _sorted_out(
    bindings: list[Binding], by_name: Mapping[str, Binding], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What was given for each binding, and for single variables of constant buffers."""
    chosen: dict[str, Any] = {}
    alone: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        binding = by_name.get(name)
        if binding is not None:
            if binding.name in chosen:
                raise UsageError(f"{binding.where} is given twice")
            chosen[binding.name] = value
            continue
        holders = [
            each
            for each in bindings
            if each.form is Form.CONSTANTS
            and each.buffer is not None
            and any(variable.name == name for variable in each.buffer.variables)
        ]
        if len(holders) != 1:
            told = [*by_name, *_variables(bindings)] if not holders else []
            reason = near(name, told) if told else (
                f": {' and '.join(each.where for each in holders)} have one" if holders else
                "; this shader binds nothing"
            )  # fmt: skip
            raise UsageError(f"nothing is called {name!r}{reason}")
        alone.setdefault(holders[0].name, {})[name] = value
    return chosen, alone


def _variables(bindings: list[Binding]) -> list[str]:
    return [
        variable.name
        for each in bindings
        if each.form is Form.CONSTANTS and each.buffer is not None
        for variable in each.buffer.variables
    ]


def _all_default(binding: Binding) -> bool:
    """Whether every variable that is read has a value of its own."""
    buffer = binding.buffer
    return buffer is not None and all(
        each.default is not None for each in buffer.variables if each.used
    )


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
    if isinstance(value, bytes | bytearray | memoryview):
        data = np.frombuffer(bytes(value), np.uint8)
    else:
        data = np.ascontiguousarray(np.asarray(value)).reshape(-1).view(np.uint8)
    needed = min(size, binding.resource.size or size)
    needed -= 0 if binding.buffer is None else _slack(binding, needed)
    if len(data) < needed:
        raise UsageError(f"{binding.where}: {size} bytes expected, {len(data)} given")
    made = np.zeros(max(size, -(-len(data) // ROW) * ROW), np.uint8)
    made[: len(data)] = data
    return made


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
        write(made, variable.offset, variable.type, value, True, f"{binding.name}.{name}")
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
    if isinstance(value, np.ndarray):
        array = value
    elif wanted is not None and wanted.names and binding.buffer is not None:
        array = _elements(binding, value, wanted)
    else:
        try:
            array = np.asarray(value, base)
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"{binding.where} takes {binding.words}: {error}") from None
        if array.dtype in (np.float64, np.int64):
            array = array.astype("<f4" if array.dtype == np.float64 else "<i4")
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
    values = list(values)
    stride = binding.resource.stride
    data = np.zeros(stride * len(values), np.uint8)
    for number, value in enumerate(values):
        where = f"{binding.label}[{number}]"
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


def _into(array: Array, made: Array, given: bool) -> Array:
    """Write back into the caller's array where it allows that."""
    if given and array.flags.writeable:
        array[...] = made
        return array
    return made.copy()


def element_dtype(binding: Binding) -> np.dtype[Any]:
    """The dtype of a binding; UsageError where the file does not tell."""
    if binding.dtype is None:
        raise UsageError(f"{binding.where} has no dtype: it takes {binding.words}")
    return binding.dtype


__all__ = ["Arguments", "Results", "dtype_of", "element_dtype"]
