"""Tables of names and registers: of resources by class and space, of uniforms by register file."""

from collections.abc import Iterable, Sequence

from ...model.resources import ConstantBuffer, Resource
from ...tuples import NamedTuple

__all__ = ["ResourceRow", "ResourceTable", "tables", "uniform_tables"]

CLASSES = {"b": "ConstantBuffers", "t": "Textures", "s": "Samplers", "u": "WritableResources"}


class ResourceRow(NamedTuple):
    """A resource: its name, its register or binding, and its kind."""

    name: str
    number: int
    about: str


class ResourceTable(NamedTuple):
    """The resources of a register class and space, or of a descriptor set."""

    name: str
    rows: Sequence[ResourceRow]


def tables(resources: Iterable[Resource]) -> list[ResourceTable]:
    """Return the tables of resources, each resource once, in the order of their numbers."""
    groups: dict[str, dict[tuple[str, int], ResourceRow]] = {}
    for each in resources:
        name = _group(each)
        count = "" if each.count == 1 else f"[{'' if each.count is None else each.count}]"
        about = f"{str(each.kind).replace('_', ' ')}{count}, {each.where}"
        groups.setdefault(name, {}).setdefault(
            (each.name, each.register), ResourceRow(each.name, each.register, about)
        )
    return [
        ResourceTable(name, sorted(groups[name].values(), key=lambda each: each.number))
        for name in sorted(groups)
    ]


def uniform_tables(buffers: Iterable[ConstantBuffer]) -> list[ResourceTable]:
    """Return the first register of each uniform, a table for each register file of a shader.

    Programs set such uniforms by the number of the register: `C3D_FVUnifSet` of the Nintendo 3DS,
    `SetVertexShaderConstantF` of Direct3D 9.
    """
    found = []
    for buffer in buffers:
        if buffer.register is None:
            continue
        rows = []
        for each in buffer.variables:
            used = each.registers
            about = f"{each.type.declaration(each.name)}, {buffer.name}{used[0]}"
            if len(used) > 1:
                about += f" to {buffer.name}{used[-1]}"
            rows.append(ResourceRow(each.name, used[0], about))
        found.append(ResourceTable(f"{buffer.register.scalar.capitalize()}Registers", rows))
    return found


def _group(each: Resource) -> str:
    if not each.register_class:
        return f"Set{each.space}"
    name = CLASSES.get(each.register_class, f"{each.register_class.capitalize()}s")
    return f"{name}Space{each.space}" if each.space else name
