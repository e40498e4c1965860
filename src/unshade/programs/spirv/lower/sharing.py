"""Variables with one set and binding.

    storage buffer t0, storage buffer u0       one descriptor, bound once for both
    uniform buffer b0, storage buffer u0       two descriptors, bound separately by name
    sampler s, sampled image t                 likewise; a combined descriptor of Vulkan is both
    arrays of 2D and of cube images            views: an element is bound as one view, other
                                               views read as 0
    storage buffer t0, sampled image t1        refused: one slot cannot be both

A binding of a descriptor set has one descriptor type, so variables of that type share the resource.
The second line is not a valid layout in Vulkan; Slang makes such modules of b0, t0 and u0 of HLSL.
The elements of an array may be of several types, even of several descriptor types
(VK_EXT_mutable_descriptor_type), since only those that are used have to fit.

Source: Vulkan, "Shader Resource and Descriptor Type Correspondence" and
VUID-VkGraphicsPipelineCreateInfo-layout-07990.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....model import Resource, ResourceKind
from ....tuples import NamedTuple
from ....vocab.slots import ResourceClass, ResourceSlot

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["Shared", "shared", "shared_by_variable", "variable_names"]

BUFFERS = (
    ResourceKind.CONSTANT_BUFFER, ResourceKind.RAW_BUFFER, ResourceKind.STRUCTURED_BUFFER,
)  # fmt: skip


class Shared(NamedTuple):
    """The variables that are one resource.

    Attributes:
        slot: Their slot.
        variables: The facts of each variable, by id, in the order of the module.
        alone: True if no other variable has their binding.
        rival: A variable that would have the same slot, but is another resource; 0 without one.
    """

    slot: ResourceSlot
    variables: dict[int, Resource]
    alone: bool
    rival: int

    @property
    def writable(self) -> bool:
        """True if the module may write to any of the variables."""
        return any(each.writable for each in self.variables.values())


def shared(lowering: "Lowering", number: int) -> Shared:
    """Return the variables that are one resource with a bound one.

    Raises:
        UnsupportedError: The variable is not bound, or conflicts with another variable's slot.
    """
    found = lowering.shared_by_variable.get(number)
    if found is None:
        raise UnsupportedError(f"%{number} is not bound")
    if found.rival:
        raise _refusal(lowering, *sorted((next(iter(found.variables)), found.rival)))
    return found


def variable_names(found: Shared, at: int) -> tuple[str, ...]:
    """Return the names of the variables that element `at` is, if its binding has several."""
    if found.alone and len(found.variables) == 1:
        return ()
    return tuple(
        each.name if each.count == 1 else f"{each.name}[{at}]"
        for each in found.variables.values()
        if not each.declared and (each.count is None or at < each.count)
    )


def shared_by_variable(lowering: "Lowering") -> dict[int, Shared]:
    """Return the shared resource of each bound variable, by id."""
    places: dict[tuple[int, int], dict[object, dict[int, Resource]]] = {}
    order = {number: lowering.index.definitions[number].position for number in lowering.bound}
    for number in sorted(order, key=lambda each: order[each]):
        each = lowering.bound[number]
        kinds = places.setdefault((each.space, each.register), {})
        kinds.setdefault(_kind(lowering, number), {})[number] = each
    found: dict[int, Shared] = {}
    for kinds in places.values():
        classes: dict[ResourceClass, list[dict[int, Resource]]] = {}
        for variables in kinds.values():
            first = next(iter(variables.values()))
            slot = first.slot
            if any(each.writable for each in variables.values()):
                slot = slot._replace(kind=ResourceClass.WRITE)
            others = classes.setdefault(slot.kind, [])
            rival = 0
            if others and any(
                each.count == 1 for one in (*others, variables) for each in one.values()
            ):
                rival = next(iter(others[0]))
            made = Shared(slot._replace(view=len(others)), variables, len(kinds) == 1, rival)
            if rival and len(others) == 1:  # the first is refused, too
                for number in others[0]:
                    found[number] = found[number]._replace(rival=next(iter(variables)))
            others.append(variables)
            found.update(dict.fromkeys(variables, made))
    return found


def _kind(lowering: "Lowering", number: int) -> object:
    """Return the key that variables of one resource share: descriptor, type of images."""
    resource = lowering.bound[number]
    if resource.kind in BUFFERS:
        return resource.descriptor, 0
    inner = lowering.types.of(lowering.index.pointee(number) or 0).without_arrays()[1]
    return resource.descriptor, inner.id


def _refusal(lowering: "Lowering", one: int, other: int) -> UnsupportedError:
    first, second = lowering.bound[one], lowering.bound[other]
    names = f"{lowering.name(one)} ({first.descriptor}) and {lowering.name(other)}"
    if first.descriptor == second.descriptor:
        return UnsupportedError(
            f"{names} are both {first.where}: expected images of one type, or arrays of them"
        )
    return UnsupportedError(
        f"{names} ({second.descriptor}) are both {first.where}: expected one type of descriptor, or"
        " bindings of their own"
    )
