"""Dynamic linkage in the reflection: the classes and slots of IFCE, and what a program declares."""

from __future__ import annotations

from typing import Any

import pytest

from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts import ifce
from unshade.formats.dxcontainer.reflect.interfaces import interfaces
from unshade.model import Interfaces, InterfaceSlot
from unshade.model.facts import ProgramFacts
from unshade.programs.tpf import Program

NONE = 0xFFFF
CODE = """ps_5_0
dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_table ft3 = {fb0}
dcl_function_table ft5 = {fb1}
dcl_function_table ft7 = {fb2}
dcl_interface fp0[1][1] = {ft3, ft5}
dcl_interface fp1[3][1] = {ft7}
ret
"""


def part() -> ifce.ClassLinkage:
    classes: list[Any] = [
        {"name": "Red", "id": 0, "constant_buffer_stride": 2, "texture_count": 3,
         "sampler_count": 4},
        {"name": "Blue", "id": 0, "constant_buffer_stride": 0, "texture_count": 0,
         "sampler_count": 0},
    ]  # fmt: skip
    instances: list[Any] = [
        {"name": "red", "type": 0, "elements": 1, "constant_buffer": 1, "constant_buffer_offset": 6,
         "texture": 5, "sampler": 0},
        {"name": "blue", "type": 1, "elements": 2, "constant_buffer": NONE,
         "constant_buffer_offset": NONE, "texture": NONE, "sampler": NONE},
    ]  # fmt: skip
    slots: list[Any] = [
        {"span": 1, "type_ids": [0, 1], "table_ids": [3, 5]},
        {"span": 3, "type_ids": [1], "table_ids": [7]},
    ]
    return ifce.ClassLinkage(
        slot_total=4,
        classes=[ifce.ClassType(**each) for each in classes],
        instances=[ifce.ClassInstance(**each) for each in instances],
        slots=[ifce.InterfaceVariable(**each) for each in slots],
    )


def declared(*slots: InterfaceSlot) -> ProgramFacts:
    found = Program.assemble(CODE).facts()
    if slots:
        found.interfaces = list(slots)
    return found


def test_classes_and_instances() -> None:
    found = interfaces(part(), None)
    assert found is not None
    assert found.slot_count == 4
    assert [
        (each.name, each.id, each.constant_buffer_stride, each.textures, each.samplers)
        for each in found.classes
    ] == [("Red", 0, 2, 3, 4), ("Blue", 1, 0, 0, 0)]
    assert [
        (each.name, each.class_id, each.elements, each.constant_buffer,
         each.constant_buffer_offset, each.texture, each.sampler)
        for each in found.instances
    ] == [("red", 0, 1, 1, 6, 5, 0), ("blue", 1, 2, None, None, None, None)]  # fmt: skip


def slots(found: Interfaces | None) -> list[tuple[object, ...]]:
    assert found is not None
    return [
        (each.start, each.span, each.class_ids, each.tables, each.labels, each.table_labels)
        for each in found.slots
    ]


def test_slots_follow_one_another() -> None:
    assert slots(interfaces(part(), None)) == [
        (0, 1, [0, 1], [3, 5], [], []),
        (1, 3, [1], [7], [], []),
    ]


def test_slots_have_the_labels_of_the_program() -> None:
    assert slots(interfaces(part(), declared())) == [
        (0, 1, [0, 1], [3, 5], ["fp0"], ["ft3", "ft5"]),
        (1, 3, [1], [7], ["fp1", "fp2", "fp3"], ["ft7"]),
    ]


def test_tables_have_labels_if_all_are_known() -> None:
    only = InterfaceSlot(
        start=1, span=1, class_ids=[], tables=[5], labels=["fp1"], table_labels=["ft5"]
    )
    assert slots(interfaces(part(), declared(only))) == [
        (0, 1, [0, 1], [3, 5], [], []),
        (1, 3, [1], [7], ["fp1"], []),
    ]


def test_a_program_alone() -> None:
    found = interfaces(None, declared())
    assert found is not None
    assert (found.slot_count, found.classes, found.instances) == (4, [], [])
    assert slots(found) == [
        (0, 1, [], [3, 5], ["fp0"], ["ft3", "ft5"]),
        (1, 3, [], [7], ["fp1", "fp2", "fp3"], ["ft7"]),
    ]
    assert interfaces(None, Program.assemble("ps_5_0\nret\n").facts()) is None
    assert interfaces(None, None) is None


@pytest.mark.parametrize("with_part", [False, True])
def test_the_reflection_of_a_container(with_part: bool) -> None:
    parts = [DxPart("SHEX", Program.assemble(CODE))]
    if with_part:
        parts.append(DxPart("IFCE", part()))
    found = DxContainer.loads(DxContainer(parts).to_bytes()).reflect().interfaces
    assert found is not None
    assert found.slot_count == 4
    assert [each.name for each in found.classes] == (["Red", "Blue"] if with_part else [])
    assert [each.labels for each in found.slots] == [["fp0"], ["fp1", "fp2", "fp3"]]
