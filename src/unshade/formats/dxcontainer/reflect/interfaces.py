"""Dynamic linkage: the classes and slots of IFCE, or the slots alone that a program declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....model import InterfaceClass, InterfaceInstance, Interfaces, InterfaceSlot
from ....model.facts import ProgramFacts

if TYPE_CHECKING:
    from ..parts import ifce

NONE = 0xFFFF


def interfaces(part: ifce.ClassLinkage | None, declared: ProgramFacts | None) -> Interfaces | None:
    """Return the interfaces of the shader, or None if it has none."""
    if part is not None:
        found = _stated(part)
        if declared is not None:
            _label(found.slots, declared.interfaces)
        return found
    if declared is None or not declared.interfaces:
        return None
    total = max(slot.start + slot.span for slot in declared.interfaces)
    return Interfaces(slot_count=total, slots=list(declared.interfaces))


def _stated(part: ifce.ClassLinkage) -> Interfaces:
    slots = []
    start = 0
    for each in part.slots:
        slots.append(
            InterfaceSlot(
                start=start,
                span=each.span,
                class_ids=list(each.type_ids),
                tables=list(each.table_ids),
            )
        )
        start += each.span
    return Interfaces(
        slot_count=part.slot_total,
        classes=[
            InterfaceClass(
                name=each.name,
                id=number,  # slots and instances refer to the index; 10.1 stores 0 as the number
                constant_buffer_stride=each.constant_buffer_stride,
                textures=each.texture_count,
                samplers=each.sampler_count,
            )
            for number, each in enumerate(part.classes)
        ],
        instances=[_instance(each) for each in part.instances],
        slots=slots,
    )


def _label(slots: list[InterfaceSlot], declared: list[InterfaceSlot]) -> None:
    """Add the program's labels of slots and tables."""
    labels = {each.start: each.labels for each in declared}
    tables = {
        number: label
        for each in declared
        for number, label in zip(each.tables, each.table_labels, strict=False)
    }
    for slot in slots:
        slot.labels = labels.get(slot.start, [])
        known = [tables[number] for number in slot.tables if number in tables]
        slot.table_labels = known if len(known) == len(slot.tables) else []


def _instance(given: ifce.ClassInstance) -> InterfaceInstance:
    def place(number: int) -> int | None:
        return None if number == NONE else number

    return InterfaceInstance(
        name=given.name,
        class_id=given.type,
        elements=given.elements,
        constant_buffer=place(given.constant_buffer),
        constant_buffer_offset=place(given.constant_buffer_offset),
        texture=place(given.texture),
        sampler=place(given.sampler),
    )
