"""Resource tables: for each class and space, the names of resources with their registers."""

from collections.abc import Iterable, Sequence

from ...model.resources import Resource
from ...tuples import NamedTuple

__all__ = ["ResourceRow", "ResourceTable", "tables"]

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


def _group(each: Resource) -> str:
    if not each.register_class:
        return f"Set{each.space}"
    name = CLASSES.get(each.register_class, f"{each.register_class.capitalize()}s")
    return f"{name}Space{each.space}" if each.space else name
