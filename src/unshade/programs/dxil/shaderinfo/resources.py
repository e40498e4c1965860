"""Resources, in four lists: views that are read, views that are written, buffers, samplers.

SRV      !{id, pointer, name, space, lower bound, range, shape, samples, properties}
UAV      !{… range, shape, globally coherent, counter, rasterizer ordered, properties}
CBuffer  !{… range, size in bytes, properties}
Sampler  !{… range, kind, properties}
"""

from ....dataclass import dataclass, field, replace
from ....tuples import NamedTuple
from ....vocab.d3d import UNBOUNDED
from ....vocab.dxil import DxilResourceKind
from ..model.constants import (
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantNull,
    integer_of,
)
from ..model.metadata import MetadataNode
from ..model.types import ArrayType, DxilType, PointerType
from ..model.values import DxilValue, GlobalVariable
from .fields import Fields

__all__ = ["DxilResource", "DxilResources", "binding_of", "read_resources"]

SRV, UAV, CBUFFER, SAMPLER = range(4)
WORD = 0xFFFF_FFFF
ELEMENT_TYPE, STRIDE, FEEDBACK, ATOMIC64, REORDER_COHERENT = range(5)


@dataclass(frozen=True, slots=True)
class DxilResource:
    """A resource: `space`, `lower` and `registers` (UNBOUNDED: no limit) are its range.

    `group` is 0 for an SRV, 1 a UAV, 2 a constant buffer, 3 a sampler. `kind` is a number of
    DxilResourceKind, for a sampler of DxilSamplerKind. `variable` is a value of the type of the
    resource in HLSL, often undefined. `size` is the size of a constant buffer, `stride` the size of
    an element of a structured buffer, in bytes; `component_type` is the type of components of a
    typed resource. `node` is the metadata that it was read from.
    """

    group: int
    id: int
    variable: DxilValue
    name: str
    space: int
    lower: int
    registers: int
    kind: int
    samples: int = 0
    globally_coherent: bool = False
    has_counter: bool = False
    rasterizer_ordered: bool = False
    size: int = 0
    component_type: int | None = None
    stride: int | None = None
    feedback: int | None = None
    atomic64: bool = False
    reorder_coherent: bool = False
    node: MetadataNode | None = field(default=None, compare=False, repr=False)

    @property
    def last(self) -> int:
        """The last register; the greatest possible register for an unbounded range."""
        return WORD if self.registers == UNBOUNDED else self.lower + self.registers - 1

    def contains(self, register: int) -> bool:
        """Return whether a register belongs to the range."""
        return self.lower <= register <= self.last

    @property
    def global_variable(self) -> GlobalVariable | None:
        """The library's variable for the resource, behind a cast from version 6.6 on."""
        found = self.variable
        if isinstance(found, ConstantExpression) and found.opcode == "cast":
            found = found.arguments[0]
        return found if isinstance(found, GlobalVariable) else None

    @property
    def type(self) -> DxilType:
        """The type of the resource in HLSL, without the pointer and the arrays around it."""
        found = self.variable.type
        if isinstance(found, PointerType):
            found = found.pointee
        while isinstance(found, ArrayType):
            found = found.element
        return found


class DxilResources(NamedTuple):
    """The resources of a module or entry point, in the order of their ids."""

    srvs: list[DxilResource]
    uavs: list[DxilResource]
    cbuffers: list[DxilResource]
    samplers: list[DxilResource]

    @property
    def all(self) -> list[DxilResource]:
        """All resources, as dxc lists them: constant buffers, samplers, SRVs, UAVs."""
        return [*self.cbuffers, *self.samplers, *self.srvs, *self.uavs]


def binding_of(value: DxilValue | None) -> tuple[int, int, int, int]:
    """Return first and last register, space and class of a constant; -1 for unknown values."""
    numbers: list[int | None] = []
    if isinstance(value, ConstantNull):
        numbers = [0, 0, 0, 0]
    elif isinstance(value, ConstantAggregate):
        numbers = [integer_of(each) for each in value.elements]
    elif isinstance(value, ConstantData):
        numbers = [*value.elements]
    known = [-1 if each is None else each & WORD for each in numbers[:4]]
    first, last, space, group = (*known, -1, -1, -1, -1)[:4]
    return first, last, space, group


def read_resources(fields: Fields | None) -> DxilResources:
    """Return the resources of a node of four lists."""
    lists: list[list[DxilResource]] = [[], [], [], []]
    if fields is not None:
        for group in range(4):
            inner = fields.node_or_none(group)
            if inner is not None:
                lists[group] = [_resource(group, each) for each in inner.nodes()]
    return DxilResources(*lists)


def _resource(group: int, fields: Fields) -> DxilResource:
    made = DxilResource(
        group=group,
        id=fields.number(0),
        variable=fields.value(1),
        name=fields.text(2),
        space=fields.number(3),
        lower=fields.number(4),
        registers=fields.number(5),
        kind=fields.number(6),
        node=fields.metadata,
    )
    if group == CBUFFER:
        return replace(made, kind=DxilResourceKind.CBUFFER, size=made.kind)
    if group == SAMPLER:
        return made
    if group == SRV:
        return _properties(replace(made, samples=fields.number(7)), fields, 8)
    made = replace(
        made,
        globally_coherent=fields.boolean(7),
        has_counter=fields.boolean(8),
        rasterizer_ordered=fields.boolean(9),
    )
    return _properties(made, fields, 10)


def _properties(made: DxilResource, fields: Fields, index: int) -> DxilResource:
    """Return a resource with its properties by tag; tags that are not known are skipped."""
    properties = fields.node_or_none(index)
    if properties is None:
        return made
    for tag, at in properties.tags():
        if tag == ELEMENT_TYPE:
            made = replace(made, component_type=properties.number(at))
        elif tag == STRIDE:
            made = replace(made, stride=properties.number(at))
        elif tag == FEEDBACK:
            made = replace(made, feedback=properties.number(at))
        elif tag == ATOMIC64:
            made = replace(made, atomic64=properties.boolean(at))
        elif tag == REORDER_COHERENT:
            made = replace(made, reorder_coherent=properties.boolean(at))
    return made
