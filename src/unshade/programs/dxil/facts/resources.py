"""Bound resources of an entry point."""

from collections import Counter as Counts
from collections.abc import Sequence

from ....model.facts import ProgramFacts, ProgramResource, mark_used
from ....model.resources import ConstantBuffer, Resource
from ....vocab.d3d import UNBOUNDED
from ....vocab.dxil import DxilResourceKind, DxilSamplerKind
from ....vocab.words import BufferKind, Counter, ResourceKind
from ..model.instructions import Instruction
from ..model.types import StructType, VectorType
from ..shaderinfo import DxilEntryPoint, DxilResource, DxilShader
from .layouts import Layouts
from .usage import constant_reads, used_resources
from .words import KINDS, RETURNS

__all__ = ["resources"]

LETTERS = ("t", "u", "b", "s")
SRV, UAV, CBUFFER, SAMPLER = range(4)


def resources(
    facts: ProgramFacts,
    shader: DxilShader,
    entry: DxilEntryPoint,
    path: str,
    instructions: Sequence[Instruction],
) -> None:
    """Set the resources and constant buffer layouts; `path` is the entry point's."""
    found = entry.resources.all
    if not found:
        found, path = shader.resources.all, "dx.resources"
    used = used_resources(found, instructions)
    reads = constant_reads(found, instructions)
    seen: Counts[int] = Counts()
    layouts = Layouts(shader)
    for number, each in enumerate(found):
        resource = _resource(each)
        if each.group == UAV and each.has_counter:
            resource.counter = Counter.COUNTER
        if instructions:
            resource.used = (each.group, each.id) in used
        prefix = "cb" if each.group == CBUFFER else LETTERS[each.group]
        place = f"{path}.{shader.resources._fields[each.group]}[{seen[each.group]}]"
        seen[each.group] += 1
        made = ProgramResource(label=f"{prefix}{each.id}", resource=resource, path=place)
        facts.resources.append(made)
        if each.group == CBUFFER:
            buffer = ConstantBuffer(
                name=resource.name,
                kind=BufferKind.CONSTANT_BUFFER,
                resource=number,
                size=each.size,
                declared_size=each.size,
                variables=layouts.variables(each.type),
                declared=resource.declared,
            )
            if instructions:
                read = reads.get((each.group, each.id), set())
                made.reads = None if read is None else sorted(read)
            mark_used(buffer, made)
            facts.constant_buffers.append(buffer)


def _resource(each: DxilResource) -> Resource:
    letter = LETTERS[each.group]
    prefix = "cb" if each.group == CBUFFER else letter
    generated = f"{prefix}{each.lower}" + (f"_space{each.space}" if each.space else "")
    kind, dimension = KINDS.get(each.kind, (f"unknown_{each.kind}", None))
    if each.group == SAMPLER:
        kind, dimension = ResourceKind.SAMPLER, None
    made = Resource(
        name=each.name or generated,
        kind=kind,
        writable=each.group == UAV,
        register_class=letter,
        register=each.lower,
        space=each.space,
        count=None if each.registers == UNBOUNDED else each.registers,
        dimension=dimension,
        id=each.id,
        declared=not each.name,
        globally_coherent=each.globally_coherent,
        rasterizer_ordered=each.rasterizer_ordered,
    )
    if each.group == SAMPLER:
        made.comparison = each.kind == DxilSamplerKind.COMPARISON
    if each.component_type is not None:
        made.return_type = RETURNS.get(each.component_type)
        made.components = _components(each)
    if each.kind == DxilResourceKind.STRUCTURED_BUFFER and each.group != SAMPLER:
        made.stride = each.stride
    if each.samples:
        made.samples = each.samples
    return made


def _components(each: DxilResource) -> int | None:
    """Return the components that a read returns, from the type in HLSL: Texture2D<float4>."""
    inner = each.type
    elements = inner.elements if isinstance(inner, StructType) else None
    if not elements:
        return None
    first = elements[0]
    return first.count if isinstance(first, VectorType) else 1
