"""Resources and constant buffers: the names of RDEF joined with the program's declarations.

    RDEF       tex    texture  float4  2d   t0, count 3       names, kinds, arrays
    program    dcl_resource_texture2d (float,…) t1            registers and accesses

A declaration belongs to the binding that covers its register. A declaration without a binding
becomes a separate resource, marked `declared`; in a stripped file these are all resources.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ....model import (
    BufferKind,
    ConstantBuffer,
    Counter,
    Dimension,
    Resource,
    ResourceKind,
    Variable,
)
from ....model.facts import ProgramFacts
from ....vocab import d3d
from ....vocab.d3d import BufferType, InputType
from ....vocab.numbers import word
from ....vocab.words import MULTISAMPLED
from .types import TypeConverter

if TYPE_CHECKING:
    from ..parts import rdef
    from ..readings import PartReading

# kind, register class, counter
KINDS: dict[int, tuple[ResourceKind, str, Counter | None]] = {
    InputType.CBUFFER: (ResourceKind.CONSTANT_BUFFER, "b", None),
    InputType.TBUFFER: (ResourceKind.TEXTURE_BUFFER, "t", None),
    InputType.TEXTURE: (ResourceKind.TEXTURE, "t", None),
    InputType.SAMPLER: (ResourceKind.SAMPLER, "s", None),
    InputType.UAV_RWTYPED: (ResourceKind.TEXTURE, "u", None),
    InputType.STRUCTURED: (ResourceKind.STRUCTURED_BUFFER, "t", None),
    InputType.UAV_RWSTRUCTURED: (ResourceKind.STRUCTURED_BUFFER, "u", None),
    InputType.BYTEADDRESS: (ResourceKind.RAW_BUFFER, "t", None),
    InputType.UAV_RWBYTEADDRESS: (ResourceKind.RAW_BUFFER, "u", None),
    InputType.UAV_APPEND_STRUCTURED: (ResourceKind.STRUCTURED_BUFFER, "u", Counter.APPEND),
    InputType.UAV_CONSUME_STRUCTURED: (ResourceKind.STRUCTURED_BUFFER, "u", Counter.CONSUME),
    InputType.UAV_RWSTRUCTURED_WITH_COUNTER: (
        ResourceKind.STRUCTURED_BUFFER,
        "u",
        Counter.COUNTER,
    ),
    InputType.RTACCELERATIONSTRUCTURE: (ResourceKind.ACCELERATION_STRUCTURE, "t", None),
    InputType.UAV_FEEDBACKTEXTURE: (ResourceKind.FEEDBACK_TEXTURE, "u", None),
}
BUFFERS: dict[int, BufferKind] = {
    BufferType.CBUFFER: BufferKind.CONSTANT_BUFFER,
    BufferType.TBUFFER: BufferKind.TEXTURE_BUFFER,
    BufferType.INTERFACE_POINTERS: BufferKind.INTERFACE_POINTERS,
    BufferType.RESOURCE_BIND_INFO: BufferKind.ELEMENT,
}
BUFFER_OF: dict[str, BufferKind] = {
    ResourceKind.CONSTANT_BUFFER: BufferKind.CONSTANT_BUFFER,
    ResourceKind.TEXTURE_BUFFER: BufferKind.TEXTURE_BUFFER,
    ResourceKind.STRUCTURED_BUFFER: BufferKind.ELEMENT,
}

UNSTATED = (0, 0xFFFF_FFFF)  # samples
PLACED = 1
COMPARISON = 2
VARIABLE_USED = 2


def resources(reading: PartReading | None, declared: ProgramFacts | None) -> list[Resource]:
    """Return the bindings in RDEF's order, then the resources that only the program declares."""
    if reading is None:
        return [] if declared is None else [each.resource for each in declared.resources]
    bindings = reading.result(_bindings)
    found = [Resource.of_values(vars(each)) for each in bindings.found]
    if declared is None:
        return found
    rest = []
    for each in declared.resources:
        index = bindings.find(each.resource)
        if index is None:
            rest.append(each.resource)
        else:
            _complete(found[index], each.resource)
    return found + rest


def _bindings(part: rdef.ResourceDefinition) -> BindingIndex:
    ranged = (part.major, part.minor) >= (5, 1)
    return BindingIndex([_binding(each, ranged) for each in part.bindings])


def _binding(given: rdef.RdefBinding, ranged: bool) -> Resource:
    kind: ResourceKind | str
    kind, letter, counter = KINDS.get(given.kind) or (f"unknown_{given.kind}", "", None)
    found = Resource(
        name=given.name,
        kind=kind,
        writable=letter == "u",
        register_class=letter,
        register=given.bind_point,
        space=given.space,
        count=_count(given, ranged),
        counter=counter,
        placed=bool(given.flags & PLACED),
        id=given.id if ranged else None,
    )
    if kind in (ResourceKind.TEXTURE, ResourceKind.FEEDBACK_TEXTURE):
        found.dimension = word(d3d.DIMENSIONS, given.dimension)
        found.return_type = word(d3d.RETURN_TYPES, given.return_type)
        found.components = (given.flags >> 2 & 3) + 1
        if found.dimension == Dimension.BUFFER:
            found.kind = ResourceKind.TYPED_BUFFER
        elif found.dimension in MULTISAMPLED and given.sample_count not in UNSTATED:
            found.samples = given.sample_count
    elif kind in (ResourceKind.STRUCTURED_BUFFER, ResourceKind.RAW_BUFFER):
        found.dimension = Dimension.BUFFER
        if kind == ResourceKind.STRUCTURED_BUFFER:
            found.stride = given.sample_count
    elif kind == ResourceKind.SAMPLER:
        found.comparison = bool(given.flags & COMPARISON)
    return found


def _count(given: rdef.RdefBinding, ranged: bool) -> int | None:
    if given.bind_count == d3d.UNBOUNDED or (ranged and given.bind_count == 0):
        return None
    return given.bind_count


class BindingIndex:
    """An index of bindings by register: the last one at or before a register may cover it."""

    __slots__ = ("found", "starts")

    def __init__(self, found: list[Resource]) -> None:
        self.found = found
        self.starts: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for index, each in enumerate(found):
            self.starts.setdefault((each.register_class, each.space), []).append(
                (each.register, index)
            )
        for starts in self.starts.values():
            starts.sort()

    def find(self, declared: Resource) -> int | None:
        """Return the index of the binding that covers a declared register, or None."""
        starts = self.starts.get((declared.register_class, declared.space), [])
        at = bisect_right(starts, (declared.register, len(self.found)))
        if not at:
            return None
        start, index = starts[at - 1]
        count = self.found[index].count
        return index if count is None or declared.register < start + count else None


def _complete(found: Resource, declared: Resource) -> None:
    found.comparison |= declared.comparison
    found.globally_coherent |= declared.globally_coherent
    found.rasterizer_ordered |= declared.rasterizer_ordered
    if declared.dynamically_indexed is not None:
        found.dynamically_indexed = bool(found.dynamically_indexed) or declared.dynamically_indexed
    if found.stride in (None, *UNSTATED):
        found.stride = declared.stride
    found.samples = found.samples or declared.samples


def constant_buffers(
    part: rdef.ResourceDefinition | None, found: list[Resource], declared: ProgramFacts | None
) -> list[ConstantBuffer]:
    """Return the buffers in RDEF's order, then the buffers that only the program declares."""
    if part is None:
        return [] if declared is None else list(declared.constant_buffers)
    types = TypeConverter(_budget(part))
    buffers = [_buffer(each, types) for each in part.buffers]
    _bind(buffers, found)
    if declared is not None:
        _join_buffers(buffers, found, declared)
    return buffers


def _budget(part: rdef.ResourceDefinition) -> int:
    """Return the number of values to decode at most, by the size of the stored bytes."""
    variables = [each for buffer in part.buffers for each in buffer.variables]
    stored = {id(each.default_value): each.default_value for each in variables}
    return 64 + 16 * len(variables) + sum(len(each) for each in stored.values() if each)


def _buffer(given: rdef.RdefBuffer, types: TypeConverter) -> ConstantBuffer:
    return ConstantBuffer(
        name=given.name,
        kind=word(BUFFERS, given.kind),
        size=given.size,
        variables=[_variable(each, types, given) for each in given.variables],
    )


def _variable(given: rdef.RdefVariable, types: TypeConverter, buffer: rdef.RdefBuffer) -> Variable:
    described = types.describe(given.type, buffer.kind == BufferType.RESOURCE_BIND_INFO)
    if described.elements == [1] and given.name == buffer.name and given.type.members:
        # ConstantBuffer<T> name: fxc stores an array of one element and prints none
        described = types.one_element(described)
    value = None
    if given.default_value is not None:
        value = types.value(given.type, given.default_value)
    return Variable(
        name=given.name,
        offset=given.offset,
        size=given.size,
        type=described,
        used=bool(given.flags & VARIABLE_USED),
        placed=bool(given.flags & PLACED),
        default=given.default_value,
        value=value,
    )


def _bind(buffers: list[ConstantBuffer], found: list[Resource]) -> None:
    """Join buffers and bindings by name; equal names in order."""
    waiting: dict[tuple[str, str], list[int]] = {}
    for index in reversed(range(len(found))):
        kind = BUFFER_OF.get(found[index].kind)
        if kind is not None:
            waiting.setdefault((kind, found[index].name), []).append(index)
    for buffer in buffers:
        indices = waiting.get((buffer.kind, buffer.name))
        if indices:
            buffer.resource = indices.pop()


def _join_buffers(
    buffers: list[ConstantBuffer], found: list[Resource], declared: ProgramFacts
) -> None:
    """Add the sizes that the program declares, and the buffers that RDEF lacks."""
    places = BindingIndex(found)
    bound = {each.resource: each for each in buffers}
    for one in declared.constant_buffers:
        assert one.resource is not None
        resource = declared.resources[one.resource].resource
        one.resource = places.find(resource)
        known = bound.get(one.resource)
        if known is not None:
            known.declared_size = max(known.declared_size or 0, one.size)
        elif one.resource is not None and found[one.resource] is resource:
            buffers.append(one)
