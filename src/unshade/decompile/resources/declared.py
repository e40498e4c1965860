"""Kinds of loads, stores and texels that a declaration fixes."""

from ...ir.kernel import Value
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory
from ...ir.ops import OPS
from ...ir.textures import Action, Sample, TextureDeclaration
from ...vocab.slots import PointsSlot
from ..kinds import stripped
from ..tree import ScalarKind
from .context import ResourceContext, is_raw, kind_of_member
from .layouts import member_path

__all__ = [
    "RETURNS",
    "declared_kind",
    "texel_kind",
]

RETURNS = {
    "float": ScalarKind.FLOAT,
    "unorm": ScalarKind.FLOAT,
    "snorm": ScalarKind.FLOAT,
    "sint": ScalarKind.INT,
    "uint": ScalarKind.UINT,
}


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
    if is_raw(memory, found):
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
