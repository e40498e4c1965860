"""Variables with one set and binding.

    storage buffer t0, storage buffer u0       one descriptor: what is bound to either is both's
    uniform buffer b0, storage buffer u0       two that are bound apart, each by its name
    sampler s, sampled image t                 likewise; a combined descriptor of Vulkan is both
    storage buffer t0, sampled image t1        refused: one slot cannot be both

A binding of a descriptor set has one descriptor type, so variables of one type share what is bound.
Vulkan has no layout for the second line; Slang makes such modules of b0, t0 and u0 of HLSL.

Source: Vulkan, "Shader Resource and Descriptor Type Correspondence" and
VUID-VkGraphicsPipelineCreateInfo-layout-07990.
"""

from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....model import Resource
from ....vocab.slots import ResourceClass, ResourceSlot

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["shared_slot", "sharing"]


def sharing(lowering: "Lowering", number: int) -> dict[int, Resource]:
    """Return the used variables that share the descriptor of one, itself included, by id."""
    mine = lowering.bound[number]
    return {
        other: each
        for other, each in lowering.bound.items()
        if _place(each) == _place(mine) and each.descriptor == mine.descriptor
    }


def shared_slot(lowering: "Lowering", number: int) -> ResourceSlot:
    """Return the slot of a variable, which all have that share its descriptor.

    Raises:
        UnsupportedError: A variable with another type of descriptor has the same slot.
    """
    mine = lowering.bound[number]
    slot = _slot(lowering, number)
    for other, each in lowering.bound.items():
        if _place(each) != _place(mine) or each.descriptor == mine.descriptor:
            continue
        if _slot(lowering, other).kind is slot.kind:
            (a, one), (b, two) = sorted([(number, mine), (other, each)])[:2]
            raise UnsupportedError(
                f"{lowering.name(a)} ({one.descriptor}) and {lowering.name(b)} ({two.descriptor})"
                f" are both {mine.where}: expected one type of descriptor, or bindings of their own"
            )
    return slot


def _place(resource: Resource) -> tuple[int, int]:
    return resource.space, resource.register


def _slot(lowering: "Lowering", number: int) -> ResourceSlot:
    slot = lowering.bound[number].slot
    if any(each.writable for each in sharing(lowering, number).values()):
        slot = slot._replace(kind=ResourceClass.WRITE)
    return slot
