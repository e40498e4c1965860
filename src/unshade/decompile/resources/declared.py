"""Facts for the declarations of resources: which are declared, and the kinds that they fix."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Sample, SamplerDeclaration, TextureDeclaration
from ...model.resources import TypeDescription
from ...vocab.slots import PointsSlot, ResourceSlot
from ..kinds import ATOMIC_SIGNS, stripped
from ..tree import ScalarKind
from .context import DeclaredResource, ResourceContext, is_raw, kind_of_member
from .layouts import member_path
from .widths import WORD, has_views, number_size

__all__ = [
    "RETURNS", "array_suffix", "compares", "declarations_of", "declared_kind", "is_ordered",
    "is_unbounded",
    "sets_of_spaces",
    "structure_name", "table_rows", "texel_kind",
]  # fmt: skip

BOUND = (Memory, TextureDeclaration, SamplerDeclaration)
RETURNS = {
    "float": ScalarKind.FLOAT,
    "unorm": ScalarKind.FLOAT,
    "snorm": ScalarKind.FLOAT,
    "sint": ScalarKind.INT,
    "uint": ScalarKind.UINT,
}


def declarations_of(
    context: ResourceContext,
    memory: Callable[[Memory, DeclaredResource], str],
    texture: Callable[[TextureDeclaration, DeclaredResource], str],
    sampler: Callable[[SamplerDeclaration, DeclaredResource], str],
) -> Iterator[str]:
    """Yield the declarations of the resources that a program uses, one for each name.

    The functions return the text of a declaration, or nothing.
    """
    seen: set[str] = set()
    for each, found in context.known.items():
        text = ""
        if found.name in seen:
            continue
        if isinstance(each, Memory):
            text = memory(each, found)
        elif isinstance(each, TextureDeclaration) and found.used:
            text = texture(each, found)
        elif isinstance(each, SamplerDeclaration) and found.used:
            text = sampler(each, found)
        if text:
            seen.add(found.name)
            yield text


def compares(context: ResourceContext, declared: "SamplerDeclaration | TextureDeclaration") -> bool:
    """Return True if any sample with a sampler, or of a texture, compares with a reference."""
    return any(
        value.op is OPS.sample
        and value.attr.compare
        and declared in (value.attr.sampler, value.attr.texture)
        for value in context.kernel.values()
    )


def array_suffix(found: DeclaredResource) -> str:
    """Return the size of an array of resources; nothing for a single one."""
    if found.index is None or found.reflected is None:
        return ""
    return f"[{found.reflected.count or ''}]"


def is_unbounded(found: DeclaredResource) -> bool:
    """Return True for an element of an array of resources that has no size, if it is used."""
    in_array = found.index is not None and found.reflected is not None
    return found.used and in_array and array_suffix(found) == "[]"


def sets_of_spaces(
    context: ResourceContext, most: int, given: Iterable[int] = ()
) -> dict[int, int]:
    """Return the sets of spaces whose numbers a language does not have: free ones, in order.

    Args:
        context: The resources.
        most: The number of sets that the language has.
        given: Other sets that are taken.
    """
    slots = [
        each.slot for each, found in context.known.items() if found.used and isinstance(each, BOUND)
    ]
    spaces = {slot.space for slot in slots if isinstance(slot, ResourceSlot)}
    free = [each for each in range(most) if each not in spaces and each not in {*given}]
    return dict(zip(sorted(each for each in spaces if each >= most), free, strict=False))


def structure_name(
    context: ResourceContext, type: TypeDescription, member: Callable[[TypeDescription, str], str]
) -> str:
    """Return the name of a structure, which is defined once; `member` returns a declaration."""
    key = ("struct", type.name, tuple((each.name, each.offset) for each in type.members))
    known = context.sized.get(key)
    if known is None:
        lines = [
            f"    {member(each.type, context.names.field(each.name))};" for each in type.members
        ]
        known = context.sized[key] = context.names.unique(type.name or "Structure")
        body = "\n".join(lines)
        context.structures.append(f"struct {known} {{\n{body}\n}};")
    return known


def table_rows(memory: Memory) -> Iterator[Sequence[int]]:
    """Yield the rows of a table of constants, as words of 32 bits."""
    for row in range(memory.count or 0):
        words = memory.data[row * memory.stride :][: memory.stride]
        yield [int.from_bytes(words[at : at + 4], "little") for at in range(0, memory.stride, 4)]


def declared_kind(context: ResourceContext, value: Value) -> ScalarKind | None:
    """Return the kind of a load, store or part that a declaration fixes."""
    if value.op is OPS.part:
        return part_kind(context, value)
    if value.op not in (OPS.load, OPS.store) and not value.op.atomic:
        return None
    memory: Memory = value.attr
    found = context.known[memory]
    resource = found.resource
    if context.points is not None and isinstance(memory.slot, PointsSlot):
        byte = stripped(value.args[1])
        return context.points.declared(memory, byte.attr) if byte.op is OPS.const else None
    if resource is None:
        return ScalarKind.UINT if memory.internal else None
    if resource.form is ResourceForm.TYPED or resource.form is ResourceForm.TEXTURE:
        return RETURNS.get(resource.returns[0] if resource.returns else "float", ScalarKind.FLOAT)
    if is_raw(memory, found) and value.op in ATOMIC_SIGNS:  # languages choose it by its result
        return ATOMIC_SIGNS[value.op]
    if is_raw(memory, found) or (has_views(memory, found) and number_size(context, value) != WORD):
        return ScalarKind.UINT
    if resource.form is ResourceForm.STRUCTURED and found.layout is None:
        return None
    path = member_path(context, value)
    return kind_of_member(context, path.type) if path is not None else None


def part_kind(context: ResourceContext, value: Value) -> ScalarKind:
    """Return the kind of a component of a texel."""
    sample: Sample = value.args[0].attr
    if sample.action in (Action.SIZE, Action.SAMPLES):
        return ScalarKind.UINT
    if sample.compare or sample.action is Action.LOD or value.type.kind == "f":
        return ScalarKind.FLOAT
    return texel_kind(context, sample.texture)


def texel_kind(context: ResourceContext, texture: TextureDeclaration) -> ScalarKind:
    """Return the kind of the components of a texture's texels."""
    resource = context.known[texture].resource
    returns = resource.returns if resource is not None and resource.returns else ()
    if returns:
        return RETURNS.get(returns[0], ScalarKind.FLOAT)
    return ScalarKind.INT if texture.type.kind == "i" else ScalarKind.FLOAT


def is_ordered(context: ResourceContext) -> bool:
    """Return True if the lanes of one pixel access a resource in the order of their primitives."""
    return any(
        each.used and each.reflected is not None and each.reflected.rasterizer_ordered
        for each in context.known.values()
    )
