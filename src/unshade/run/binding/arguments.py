"""Arguments of a call, as the memories that an engine reads and writes.

A contiguous and writable array is used in place. Others are copied; results are in the copy and,
if possible, written back to the array. Texels are always converted (texels.py).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...errors import UnshadeError, UsageError
from ...ir.children import Child, key_of
from ...ir.library.sampling import SamplerState, TextureState
from ...ir.lowered import Form
from ...vm.launch import Array
from ...vocab.slots import ResourceClass, ResourceSlot
from . import textures
from .bindings import Binding, arrays_of
from .blocks import block_dtype, block_of
from .buffers import as_bytes, buffer_array, constants
from .children import BoundKernel, bound_kernel
from .numbers import shown
from .results import Results
from .sampler import Sampler, Texture, default_sampler
from .suggestions import suggestion
from .uniforms import missing

WORD = 4  # bytes that buffers are addressed by, unless elements are smaller


class Arguments:
    """The bindings of a call as memories; `finish` returns the results."""

    def __init__(self, bindings: list[Binding], given: Mapping[Any, Any]) -> None:
        self._programs = [each for each in bindings if each.form is Form.CHILD]
        self.memories: dict[Hashable, Array] = {}
        self.textures: dict[Hashable, TextureState] = {}
        self.samplers: dict[Hashable, SamplerState] = {}
        self.children: dict[Hashable, Child] = {}
        self._inner: list[Arguments] = []
        self._finishing: list[tuple[Binding, Callable[[], Any]]] = []
        by_name = {key: each for each in bindings for key in each.keys}
        self._arrays = arrays_of(bindings)
        chosen, alone = _sorted_out(bindings, by_name, _spread(self._arrays, given))
        descriptors = {_descriptor(each) for each in bindings if each.name in chosen} - {None}
        for binding in bindings:
            has = binding.name in chosen
            if not has and _descriptor(binding) in descriptors:  # bound as another kind
                chosen[binding.name], has = None, True
            if not has and binding.name in alone:
                chosen[binding.name], has = {}, True
            if not has and binding.form is Form.CONSTANTS and _all_default(binding):
                chosen[binding.name], has = {}, True
            if not has and binding.form in (Form.SAMPLER, Form.COUNTER):
                chosen[binding.name] = (
                    default_sampler(binding.static) if binding.form is Form.SAMPLER else 0
                )
            elif not has and binding.form is Form.CHILD:
                chosen[binding.name] = None
            elif not has:
                raise UsageError(f"{_label(binding)} is not bound: expected {binding.words}")
            value = chosen[binding.name]
            with _taken_by(binding, value):
                self._bind(binding, value, alone.get(binding.name, {}))

    def _bind(self, binding: Binding, value: Any, alone: dict[str, Any]) -> None:
        resource = binding.resource
        match binding.form:
            case _ if value is None:
                self._null(binding)
            case Form.SAMPLER:
                self.samplers[resource.key] = _sampler(value, binding.where).state
            case Form.CONSTANTS:
                self.memories[resource.key] = constants(binding, value, alone)
            case Form.CHILD if (child := bound_kernel(value)) is not None:
                self._child(binding, child)
            case Form.CHILD if resource.shape is None:
                raise UsageError(f"{binding.where}: expected {binding.words}, got {shown(value)}")
            case Form.TYPED | Form.TEXTURE:
                self._texels(binding, value)
            case Form.CHILD:
                self._texels(binding, _picture(value))
            case Form.COUNTER:
                counter = np.zeros(1, "<u4")
                counter[0] = _count(binding, value)
                self.memories[resource.key] = counter.view(np.uint8)
                self._finishing.append((binding, lambda: int(counter[0])))
            case _:
                self._buffer(binding, _with_members(binding, value, alone))

    def _null(self, binding: Binding) -> None:
        """Bind nothing: reads give 0, writes do nothing, and the default sampler is used."""
        resource = binding.resource
        match binding.form:
            case Form.SAMPLER:
                self.samplers[resource.key] = Sampler().state
            case Form.COUNTER:
                self._bind(binding, 0, {})
            case Form.CONSTANTS:
                self.memories[resource.key] = constants(binding, b"", {})
            case Form.TYPED | Form.TEXTURE:
                packed = textures.null(resource)
                self.memories[resource.key] = packed.texels
                self.memories[resource.shape_key] = packed.shape
                self.textures[resource.key] = packed.state
                if binding.combined:
                    self.samplers[resource.key] = Sampler().state
            case Form.CHILD:
                self.children[resource.key] = Child(None)
            case _:
                self.memories[resource.key] = np.zeros(0, np.uint8)

    def _child(self, binding: Binding, child: BoundKernel) -> None:
        """Bind a program: its resources are added to the resources of the host."""
        try:
            inner = Arguments(child.kernel.bindings, child.values)
        except UsageError as error:
            raise UsageError(f"child {binding.where}: {error}") from None
        number = 1 + self._programs.index(binding)

        def host(mine: dict[Hashable, Any], its: Mapping[Hashable, Any]) -> None:
            mine.update({key_of(binding.name, number, key): each for key, each in its.items()})

        host(self.memories, inner.memories)
        host(self.textures, inner.textures)
        host(self.samplers, inner.samplers)
        self.children[binding.resource.key] = Child.of(child.kernel.lowered, inner.children)
        self._inner.append(inner)

    def _texels(self, binding: Binding, value: Any) -> None:
        resource = binding.resource
        packed = textures.pack(resource, value, binding.where, binding.atomic)
        self.memories[resource.key] = packed.texels
        self.memories[resource.shape_key] = packed.shape
        self.textures[resource.key] = packed.state
        sampler = value.sampler if isinstance(value, Texture) else None
        if binding.combined:
            self.samplers[resource.key] = _sampler(sampler or Sampler(), binding.where).state
        elif sampler is not None:
            raise UsageError(f"{binding.where}: bind the sampler separately, the texture has none")
        if not binding.writable:
            return
        if packed.state.levels > 1:
            raise UsageError(
                f"{binding.where}: expected one mip level, since the shader writes to it"
            )

        def finish() -> Any:
            made = textures.unpack(packed, resource)
            given = value.data if isinstance(value, Texture) else value
            return _into(packed.levels[0], made, given is packed.levels[0])

        self._finishing.append((binding, finish))

    def _buffer(self, binding: Binding, value: Any) -> None:
        array = buffer_array(binding, value)
        unit = min(binding.resource.stride or WORD, WORD)
        data, own = as_bytes(array, binding.writable, unit)
        self.memories[binding.resource.key] = data
        if not binding.writable:
            return

        def finish() -> Any:
            if not own:
                return array
            made = data[: array.nbytes].view(array.dtype).reshape(array.shape)
            return _into(array, made, array is value)

        self._finishing.append((binding, finish))

    def finish(self) -> Results:
        """Return the results of the call."""
        for inner in self._inner:
            inner.finish()
        results = Results()
        for binding, finish in self._finishing:
            results.add(
                binding.names, finish(), slots=() if binding.slot is None else (binding.slot,)
            )
        for name, elements in self._arrays.items():
            written = [each.names[-1] for _, each in sorted(elements.items()) if each.writable]
            if written:
                results.join(name, written)
        return results


@contextmanager
def _taken_by(binding: Binding, value: Any) -> Iterator[None]:
    """Turn errors of NumPy, or of an object that was bound, into a UsageError."""
    try:
        yield
    except (UnshadeError, MemoryError):
        raise
    except Exception as error:
        message = f"{binding.where}: expected {binding.words}, got {shown(value)}"
        raise UsageError(f"{message}: {error!s:.160}") from error


def _picture(value: Any) -> Any:
    """Return the picture of a child; a colour of four numbers becomes a picture of one texel."""
    if isinstance(value, Texture) or np.shape(value) != (4,):
        return value
    return np.asarray(value, "<f4").reshape(1, 1, 4)


def _sampler(given: Any, where: str) -> Sampler:
    """Return a sampler; a word is its filter."""
    if isinstance(given, str):
        given = Sampler(given)
    if not isinstance(given, Sampler):
        raise UsageError(f"{where}: expected a Sampler, got {shown(given)}")
    return given


def _with_members(binding: Binding, value: Any, alone: dict[str, Any]) -> Any:
    """Return the value of a buffer with the members that are given by their own names."""
    if not alone:
        return value
    if not isinstance(value, Mapping):
        name = next(iter(alone))
        raise UsageError(f"{binding.where}: expected a dict beside {name!r}, got {shown(value)}")
    for name in alone:
        if name in value:
            raise UsageError(f"{binding.where}: {name!r} is given twice")
    return {**value, **alone}


def _label(binding: Binding) -> str:
    """Return the name of a binding, and the name of the array that contains the binding."""
    return f"{binding.where} of {binding.array}=[…]" if binding.array else binding.where


def _spread(
    arrays: Mapping[str, Mapping[int, Binding]], given: Mapping[Any, Any]
) -> dict[Any, Any]:
    """Return bindings with arrays of registers replaced by one value per register."""
    found = {name: value for name, value in given.items() if name not in arrays}
    for name in given:
        if name not in arrays:
            continue
        elements, value = arrays[name], given[name]
        if isinstance(value, list | tuple):
            value = dict(enumerate(value))
        if not isinstance(value, Mapping):
            where = f"{name} ({', '.join(each.name for each in elements.values())})"
            raise UsageError(f"{where}: expected a list, since it is an array, got {shown(value)}")
        for number, each in value.items():
            if number in elements:  # the program has no use for others
                label = elements[number].names[-1]
                if label in found:
                    raise UsageError(f"{elements[number].where} is given twice")
                found[label] = each
    return found


def _count(binding: Binding, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = -1
    if not 0 <= number < 1 << 32:
        raise UsageError(
            f"{binding.where}: expected an integer from 0 to 2^32 - 1, got {shown(value)}"
        )
    return number


def _descriptor(binding: Binding) -> ResourceSlot | None:
    """Return the descriptor, of a heap or with several views, that a binding is one view of."""
    slot = binding.slot
    if slot is None or slot.element is None:
        return slot if slot is not None and slot.kind is ResourceClass.HEAP else None
    if slot.kind is ResourceClass.HEAP:
        return slot._replace(element=None)
    return slot._replace(view=0)


def _sorted_out(
    bindings: list[Binding], by_name: Mapping[Hashable, Binding], given: Mapping[Any, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the values of bindings, and the values of single variables and members of buffers."""
    chosen: dict[str, Any] = {}
    alone: dict[str, dict[str, Any]] = {}
    for name, value in given.items():
        binding = by_name.get(name)
        holders = [each for each in bindings if name in _members(each)]
        if binding is None and len(holders) == 1 and holders[0].form is Form.STRUCTURED:
            (binding,) = holders  # the name of its array, which is all there is
        if binding is not None:
            if binding.name in chosen:
                hint = ": its names are one descriptor" if binding.also else ""
                raise UsageError(f"{binding.where} is given twice{hint}")
            chosen[binding.name] = _of_block(binding, name, value)
            continue
        if len(holders) != 1:
            if holders:
                buffers = " and ".join(each.where for each in holders)
                raise UsageError(f"ambiguous name {name!r}: a variable of {buffers}")
            known = [*names_of(by_name), *variables(bindings)]
            hint = suggestion(str(name), known) if known else "; this shader binds nothing"
            raise UsageError(f"unknown name {name!r}{hint}")
        alone.setdefault(holders[0].name, {})[name] = value
    return chosen, alone


def _of_block(binding: Binding, name: Hashable, value: Any) -> Any:
    """Return the value given by a block's name, converted for the descriptor that it shares."""
    other = binding.others.get(name) if isinstance(name, str) else None
    if other is None or not isinstance(value, Mapping):
        return value
    if binding.form is Form.RAW:
        return block_of(other, value, f"{name} ({binding.name})")
    renamed = binding.renamed.get(str(name), {})
    return {renamed.get(each, each): one for each, one in value.items()}


def names_of(keys: Iterable[Hashable]) -> list[str]:
    """Return the keys that are names."""
    return [each for each in keys if isinstance(each, str)]


def variables(bindings: list[Binding]) -> list[str]:
    """Return the names of all variables of constant buffers, and of members of other buffers.

    A buffer that consists of a single array has one member, the array: `buffer In { float values[];
    }`.
    """
    return [name for each in bindings for name in _members(each)]


def _members(binding: Binding) -> list[str]:
    """Return the names of a buffer's variables or members that values can be given by."""
    if binding.buffer is None:
        return []
    buffer = binding.members or binding.buffer
    names = [each.name for each in buffer.variables]
    if binding.form is Form.STRUCTURED:  # HLSL calls the element $Element; a structure has members
        return names if len(names) == 1 and not names[0].startswith("$") else []
    return names if binding.form in (Form.CONSTANTS, Form.RAW) else []


def _all_default(binding: Binding) -> bool:
    """Return whether every variable that is read has a default."""
    return binding.members is not None and not missing(binding.members)


def _into(array: Array, made: Array, given: bool) -> Array:
    """Return the result, in the caller's array if that is writable."""
    if given and array.flags.writeable:
        array[...] = made
        return array
    return made.copy()


def element_dtype(binding: Binding, length: int = 0) -> np.dtype[Any]:
    """Return the dtype of a binding; `length` is the length of a block's open array.

    Raises:
        UsageError: the file does not declare the type.
    """
    if binding.form is Form.RAW and binding.buffer is not None:
        return block_dtype(binding.buffer, length)
    if binding.dtype is None:
        raise UsageError(f"{binding.where} has no dtype: it takes {binding.words}")
    return binding.dtype


__all__ = ["Arguments", "element_dtype", "names_of", "variables"]
