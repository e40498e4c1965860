"""Checks of a shader against a root signature.

    SRV(t0, visibility=SHADER_VISIBILITY_PIXEL)    StructuredBuffer t0 in a pixel shader: bound
                                                   Texture2D t0: a root descriptor has no format
    RootConstants(num32BitConstants=4, b0)         float4 in b0: bound; a second one: undefined

The checks use a shader's stage, its bindings and the features that it requires, from
`ProgramFacts`, a `Reflection` or PSV0. The rules are in `rootsignature_rules`, with sources.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from ..tuples import NamedTuple
from ..vocab.rootsignature import RootSignatureFlag, flag_word
from ..vocab.slots import ResourceSlot
from ..vocab.words import BufferKind, ResourceKind, Stage
from .facts import ConstantReads, ProgramFacts
from .reflection import Reflection
from .resources import ConstantBuffer, Resource
from .rootsignature import RootSignature
from .rootsignature_rules import (
    DENIED,
    LOCAL,
    BoundRegisters,
    RootProblem,
    bound_registers,
)

__all__ = ["ShaderBinding", "binding_of", "bindings_of", "check_bindings", "layouts_of"]

GRAPHICS = (
    Stage.VERTEX,
    Stage.HULL,
    Stage.DOMAIN,
    Stage.GEOMETRY,
    Stage.PIXEL,
    Stage.AMPLIFICATION,
    Stage.MESH,
)
ADDRESSED = (  # what a root descriptor can be of
    ResourceKind.CONSTANT_BUFFER,
    ResourceKind.RAW_BUFFER,
    ResourceKind.STRUCTURED_BUFFER,
    ResourceKind.ACCELERATION_STRUCTURE,
)
CLASSES = ("b", "t", "u", "s")
COMPONENT, VECTOR = 4, 16  # bytes
NOTHING = ConstantReads([])
RESOURCE_HEAP = RootSignatureFlag.CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED
SAMPLER_HEAP = RootSignatureFlag.SAMPLER_HEAP_DIRECTLY_INDEXED
HEAPS = {
    "ResourceDescriptorHeapIndexing": flag_word(RESOURCE_HEAP),
    "SamplerDescriptorHeapIndexing": flag_word(SAMPLER_HEAP),
}


class ShaderBinding(NamedTuple):
    """A resource of a shader, with the size of a constant buffer.

    `reads` is the number of bytes up to the last byte that the code is known to read, `size` the
    known size of the buffer in bytes; 0 if unknown. `indexed` is True if the code reads it at
    places that it computes.
    """

    resource: Resource
    reads: int = 0
    size: int = 0
    indexed: bool = False


def binding_of(
    resource: Resource, buffer: ConstantBuffer | None = None, reads: ConstantReads | None = None
) -> ShaderBinding:
    """Return the binding of a resource.

    Args:
        resource: The resource.
        buffer: Its layout, of a constant buffer.
        reads: The part of the buffer that the code reads, if known.
    """
    if buffer is None:
        return ShaderBinding(resource)
    ends = [each.offset + each.size for each in buffer.variables]
    size = max(ends) if ends else max(buffer.size - VECTOR + COMPONENT, 0)  # it may be padded
    if reads is not None:
        return ShaderBinding(resource, max(reads.offsets, default=-1) + 1, size, reads.indexed)
    last = 0
    if resource.dynamically_indexed is False and buffer.declared_size:
        # fxc declares a buffer up to the last vector of which the code reads something.
        last = buffer.declared_size - VECTOR + COMPONENT
    return ShaderBinding(resource, last, size, bool(resource.dynamically_indexed))


def bindings_of(
    root: RootSignature,
    facts: ProgramFacts,
    reads: Callable[[], Mapping[str, ConstantReads]],
    layouts: Callable[[], Mapping[ResourceSlot, ConstantBuffer]],
) -> Iterator[ShaderBinding]:
    """Return the bindings that a program declares.

    Args:
        root: The root signature that they are checked against.
        facts: The facts of the entry point.
        reads: Returns the parts of constant buffers that the code reads, by label. It is called
            only if the root signature has constants.
        layouts: Returns the layouts of constant buffers in the file, likewise.
    """
    if not any(each.kind == "constants" for each in root.parameters):
        yield from (ShaderBinding(each.resource) for each in facts.resources)
        return
    known, read = layouts(), reads()
    sizes = {each.resource: each for each in facts.constant_buffers}
    for number, each in enumerate(facts.resources):
        buffer = known.get(each.slot) or sizes.get(number)
        yield binding_of(each.resource, buffer, read.get(each.label, NOTHING))


def layouts_of(found: Reflection) -> dict[ResourceSlot, ConstantBuffer]:
    """Return the layouts of constant buffers, by the slot of their resource."""
    return {
        found.resources[each.resource].slot: each
        for each in found.constant_buffers
        if each.resource is not None and each.kind == BufferKind.CONSTANT_BUFFER
    }


def check_bindings(
    root: RootSignature,
    stage: str,
    bindings: Iterable[ShaderBinding],
    features: Collection[str] = (),
) -> Iterator[RootProblem]:
    """Yield the violations of a shader against a root signature.

    Args:
        root: The root signature.
        stage: The stage of the shader: a word of `Stage`.
        bindings: The shader's resources; classes other than b, t, u and s are ignored.
        features: The features that the shader requires, by the names of SFI0.
    """
    bound = bound_registers(root)
    seen_by = ("all", stage) if stage in GRAPHICS else ("all",)
    ranges = _Ranges(each for each in bound if each.visibility in seen_by)
    hidden = _Ranges(each for each in bound if each.visibility not in seen_by)
    count = 0
    for number, each in enumerate(bindings):
        if each.resource.register_class in CLASSES:
            count += 1
            for code, message, path in _check_binding(stage, ranges, hidden, each):
                yield RootProblem(code, message, path, number)
    denied = DENIED.get(stage, "")
    if count and denied in root.flags:
        message = f"expected no bindings with {denied.upper()}, got {count}"
        yield RootProblem("rts0.denied", message, "flags")
    for feature, flag in HEAPS.items():
        if feature in features and flag not in root.flags:
            yield RootProblem("rts0.heap", f"expected the flag {flag.upper()}", "flags")
    if LOCAL in root.flags and stage in (*GRAPHICS, Stage.COMPUTE):
        message = f"expected a global root signature of a {stage} shader"
        yield RootProblem("rts0.local", message, "flags")


class _Ranges:
    """Bound registers by class and space, to find the range that contains others."""

    def __init__(self, bound: Iterable[BoundRegisters]) -> None:
        self.firsts: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        self.longest: defaultdict[tuple[str, int], list[BoundRegisters]] = defaultdict(list)
        for each in sorted(bound, key=lambda each: each[:4]):
            rows = self.longest[each[:2]]
            self.firsts[each[:2]].append(each.first)
            # Of ranges that overlap, which is a finding of its own, the one that ends last counts.
            rows.append(rows[-1] if rows and rows[-1].last > each.last else each)

    def around(self, letter: str, space: int, first: int, last: int) -> BoundRegisters | None:
        """Return a range that contains the registers; failing that, an overlapping range."""
        key = letter, space
        if key not in self.firsts:
            return None
        for register in (first, last):
            at = bisect_right(self.firsts[key], register) - 1
            if at >= 0 and self.longest[key][at].last >= first:
                return self.longest[key][at]
        return None


Found = Iterator[tuple[str, str, str]]


def _check_binding(stage: str, ranges: _Ranges, hidden: _Ranges, binding: ShaderBinding) -> Found:
    resource = binding.resource
    letter, space, first = resource.register_class, resource.space, resource.register
    last = first if resource.count is None else first + max(resource.count, 1) - 1
    found = ranges.around(letter, space, first, last)
    name = f"{letter}{first}" if last == first else f"{letter}{first} to {letter}{last}"
    if resource.count is None:
        name = f"the array at {letter}{first}"
    name += f" in space {space}"
    if found is None:
        other = hidden.around(letter, space, first, last)
        where = "" if other is None else f" for {stage}: {other.path} is for {other.visibility}"
        yield "rts0.unbound", f"{name} is not bound{where}", "" if other is None else other.path
    elif found.first > first or found.last < last:
        text = f"{letter}{found.first} to {letter}{found.last}"
        yield (
            "rts0.unbound",
            f"{name} is not bound by one range: {found.path} is {text}",
            found.path,
        )
    elif found.kind != "table" and resource.count is None:
        yield (
            "rts0.unbound",
            f"{name} needs a range of a table, {found.path} is one register",
            found.path,
        )
    elif found.kind == "constants":
        yield from _check_constants(binding, name, found)
    elif found.kind in ("srv", "uav", "cbv"):
        yield from _check_descriptor(resource, name, found)


def _check_descriptor(resource: Resource, name: str, found: BoundRegisters) -> Found:
    kind = str(resource.kind)
    problem = kind.replace("_", " ") if kind not in ADDRESSED else ""
    if not problem and resource.counter is not None:
        problem = f"{kind.replace('_', ' ')} with a counter"
    if problem:
        message = (
            f"{name}: expected a raw or structured buffer in a root descriptor, got a {problem}"
        )
        yield "rts0.descriptor", message, found.path


def _check_constants(binding: ShaderBinding, name: str, found: BoundRegisters) -> Found:
    held = COMPONENT * (found.constants or 0)
    if binding.indexed:
        message = f"{name} is indexed dynamically, {found.path} is root constants"
        yield "rts0.constants-indexed", message, found.path
    if binding.reads > held:
        message = f"{name}: expected at least {-(-binding.reads // COMPONENT)} root constants"
        yield "rts0.constants", f"{message}, got {found.constants}", found.path
    elif binding.size > held:
        message = f"{name} has {binding.size} bytes, {found.constants} root constants hold {held}"
        yield "rts0.constants-size", message, found.path
