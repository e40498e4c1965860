"""Keys of memories and ports: engines find them by key, not by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vm.engines import ENGINES
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Port, Space
from unshade.ir.types import BOOL, I32
from unshade.vm.launch import Launch, by_label
from unshade.vocab.slots import Direction, PortSlot, Rate, ResourceClass, ResourceSlot
from unshade.vocab.words import Stage

SLOTS = ResourceSlot(ResourceClass.READ, 0), ResourceSlot(ResourceClass.READ, 1)
PLACES = tuple(PortSlot(Direction.OUTPUT, Rate.VERTEX, number) for number in (0, 1))


@pytest.mark.parametrize("engine", ENGINES)
def test_names_do_not_affect_binding(engine: Any) -> None:
    kernel = KernelIR("main", Stage.VERTEX)
    b = Builder(kernel)
    for number in (0, 1):
        memory = b.memory(f"no{number}", Space.BUFFER, 4, slot=SLOTS[number])
        port = Port(f"out{number}", I32, slot=PLACES[number])
        kernel.outputs.append(port)
        b.output(port, b.load(memory, 0, 0))
    given = {SLOTS[0]: np.array([7], "<u4"), SLOTS[1]: np.array([8], "<u4")}
    left = {place: np.zeros(1, "<u4") for place in PLACES}
    memories = {slot: data.view(np.uint8) for slot, data in given.items()}
    engine.run(kernel, Launch(memories, items=1, outputs=left))
    assert [left[place].tolist() for place in PLACES] == [[7], [8]]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_condition_is_a_byte_of_an_input_and_an_output(engine: Any) -> None:
    """Any byte but 0 is true, and true is written as 1, for each lane alone."""
    kernel = KernelIR("main", Stage.VERTEX)
    b = Builder(kernel)
    given, left = (
        Port(name, BOOL, slot=PortSlot(direction, Rate.VERTEX, 0))
        for name, direction in (("in", Direction.INPUT), ("out", Direction.OUTPUT))
    )
    kernel.inputs.append(given)
    kernel.outputs.append(left)
    b.output(left, b.not_(b.input(given)))
    lanes = np.arange(70) % 3 == 0  # more than a chunk
    found = np.zeros(70, np.bool_)
    engine.run(kernel, Launch(items=70, inputs={given.key: lanes}, outputs={left.key: found}))
    assert found.view(np.uint8).tolist() == [int(not each) for each in lanes]


def test_by_label() -> None:
    ports = [Port("a", I32, slot=PLACES[0]), Port("b", I32)]
    assert by_label(ports, {"a": 1, "b": 2, "c": 3}) == {PLACES[0]: 1, "b": 2, "c": 3}
