"""Slots, which are compared without their labels."""

from __future__ import annotations

import pytest

from unshade.vocab.slots import (
    Direction,
    MemoryPart,
    Place,
    PointsSlot,
    PortPart,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
    port_slot,
)
from unshade.vocab.words import Stage, SystemValue

READ = ResourceClass.READ


def test_equal_slots_are_one_key() -> None:
    one, two = (PortSlot(Direction.INPUT, Rate.PIXEL, 1, component=2) for _ in range(2))
    assert {one: 1}[two] == 1
    assert one != PortSlot(Direction.INPUT, Rate.PIXEL, 1, component=3)
    assert one != PortSlot(Direction.OUTPUT, Rate.PIXEL, 1, component=2)


def test_what_a_slot_does_not_specify_is_its_first_component_of_stream_0() -> None:
    plain = PortSlot(Direction.OUTPUT, Rate.VERTEX, 3)
    assert plain == PortSlot(
        Direction.OUTPUT, Rate.VERTEX, 3, component=0, element=0, stream=0, index=0,
        part=PortPart.VALUE,
    )  # fmt: skip
    assert (plain.component, plain.element, plain.stream, plain.index) == (0, 0, 0, 0)
    others = [plain._replace(component=1), plain._replace(element=1), plain._replace(stream=1)]
    assert plain not in [*others, plain._replace(index=1)]


def test_slots_of_two_classes_are_never_equal() -> None:
    port = PortSlot(Direction.INPUT, Rate.VERTEX, 0)
    points = PointsSlot(Direction.INPUT, Rate.VERTEX)
    resource = ResourceSlot(ResourceClass.CONSTANTS, 0)
    assert len({len(port), len(points)}) == 2
    assert {str(each) for each in Direction}.isdisjoint(str(each) for each in ResourceClass)
    assert isinstance(resource[0], ResourceClass)
    assert len({port, points, resource}) == 3


@pytest.mark.parametrize(
    ("stage", "direction", "place", "rate"),
    [
        (Stage.VERTEX, Direction.INPUT, 0, Rate.VERTEX),
        (Stage.PIXEL, Direction.OUTPUT, 0, Rate.PIXEL),
        (Stage.COMPUTE, Direction.INPUT, SystemValue.THREAD_ID, Rate.THREAD),
        (Stage.PIXEL, Direction.INPUT, SystemValue.PRIMITIVE_ID, Rate.PRIMITIVE),
        (Stage.HULL, Direction.INPUT, SystemValue.FORK_INSTANCE_ID, Rate.PATCH),
        (Stage.HULL, Direction.INPUT, SystemValue.OUTPUT_CONTROL_POINT_ID, Rate.CONTROL_POINT),
        (Stage.DOMAIN, Direction.INPUT, SystemValue.DOMAIN_LOCATION, Rate.VERTEX),
        ("unknown_9", Direction.INPUT, 1, Rate.VERTEX),
        (None, Direction.INPUT, 1, Rate.VERTEX),
    ],
)
def test_rates_follow_from_the_stage_or_the_built_in(
    stage: Stage | str | None, direction: Direction, place: Place, rate: Rate
) -> None:
    assert port_slot(stage, direction, place).rate is rate


def test_a_location_differs_from_a_built_in() -> None:
    assert PortSlot(Direction.OUTPUT, Rate.PIXEL, 0).location == 0
    assert PortSlot(Direction.OUTPUT, Rate.PIXEL, SystemValue.DEPTH).location is None


@pytest.mark.parametrize(
    ("array", "one", "offset"),
    [
        (ResourceSlot(READ, 2, count=4), ResourceSlot(READ, 2), 0),
        (ResourceSlot(READ, 2, count=4), ResourceSlot(READ, 5), 3),
        (ResourceSlot(READ, 2, count=4), ResourceSlot(READ, 6), None),
        (ResourceSlot(READ, 2, count=4), ResourceSlot(READ, 1), None),
        (ResourceSlot(READ, 2, count=None), ResourceSlot(READ, 9999), 9997),
        (ResourceSlot(READ, 2, space=1), ResourceSlot(READ, 2), None),
        (ResourceSlot(READ, 2), ResourceSlot(ResourceClass.WRITE, 2), None),
        (ResourceSlot(READ, 2), ResourceSlot(READ, 2, part=MemoryPart.COUNTER), None),
        # a descriptor set: one number for the whole array
        (ResourceSlot(READ, 1, count=4, element=0), ResourceSlot(READ, 1, element=3), 3),
        (ResourceSlot(READ, 1, count=4, element=0), ResourceSlot(READ, 2, element=0), None),
    ],
)
def test_elements_of_an_array(array: ResourceSlot, one: ResourceSlot, offset: int | None) -> None:
    assert array.offset_of(one) == offset
    if offset is not None:
        assert array.at(offset) == one
