"""Slots of a program in its reflection, its facts and its lowered code."""

from __future__ import annotations

from collections.abc import Iterator

from unshade.ir.lowered import Lowered
from unshade.model import Reflection, Stage
from unshade.model.facts import ProgramFacts
from unshade.vocab.slots import (
    Direction,
    MemoryPart,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
    port_slot,
)

COMPONENTS = 4


def ports_of_reflection(found: Reflection) -> set[PortSlot]:
    """Return every component that the reflection lists, used or not."""
    taken = Direction.INPUT if found.stage == Stage.DOMAIN else Direction.OUTPUT
    listed = (
        (found.inputs, Direction.INPUT, None),
        (found.outputs, Direction.OUTPUT, None),
        (found.patch_constants, taken, Rate.PRIMITIVE if found.stage == Stage.MESH else Rate.PATCH),
    )
    slots = {
        slot
        for rows, direction, rate in listed
        for row in rows
        for slot in row.slots(found.stage, direction, rate)
    }
    for place in found.builtins:
        whole = port_slot(found.stage, Direction.INPUT, place)
        slots.update(whole.at(component) for component in range(COMPONENTS))
    return slots


def ports_of_facts(found: ProgramFacts) -> set[PortSlot]:
    """Return every component that the program declares or uses."""
    ports = (found.inputs, found.outputs, found.outputs_read, found.patch_constants, found.builtins)
    return {slot for each in ports for port in each for slot in port.slots}


def ports_of_lowered(found: Lowered, *, points: bool = True) -> set[PortSlot]:
    """Return the components of a kernel's inputs and outputs, except exchanged ones."""
    ports = [*found.kernel.inputs, *found.kernel.outputs]
    if points:
        ports += [port for each in found.points for port in each.ports]
    return {port.slot for port in ports if port.slot is not None and not port.internal}


def unknown_resources(found: Lowered, reflection: Reflection) -> Iterator[ResourceSlot]:
    """Iterate over the slots of resources that the reflection does not list.

    A payload is no resource: an amplification shader hands it on.
    """
    known = [each.slot for each in reflection.resources]
    known += [each.slot for each in reflection.constant_buffers if each.slot is not None]
    for each in found.resources:
        if each.slot is not None and each.slot.kind is not ResourceClass.PAYLOAD:
            slot = each.slot.of(MemoryPart.DATA)
            if all(array.offset_of(slot) is None for array in known):
                yield slot
