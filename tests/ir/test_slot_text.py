"""Slots in the text of kernels survive a round trip."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from tests.oracle.parsing import parse_kernel
from tests.oracle.test_parsing import mistakes
from unshade.errors import UnsupportedError
from unshade.ir.builder import Builder
from unshade.ir.kernel import KernelIR
from unshade.ir.memory import Memory, Port, Space
from unshade.ir.printing import print_kernel
from unshade.ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from unshade.ir.types import F32, I32
from unshade.vocab.slots import (
    Direction,
    Exchange,
    MemoryPart,
    MemorySlot,
    PointsSlot,
    PortPart,
    PortSlot,
    Rate,
    ResourceClass,
    ResourceSlot,
)
from unshade.vocab.words import SystemValue

IN, OUT = Direction.INPUT, Direction.OUTPUT
READ = ResourceClass.READ


def field_values(thing: Any) -> dict[str, Any]:
    """Return every field; types and enumerations are the same objects."""
    return {each.name: getattr(thing, each.name) for each in fields(thing)}


def declared(kernel: KernelIR) -> list[dict[str, Any]]:
    things: list[Any] = [*kernel.memories, *kernel.textures, *kernel.samplers]
    things += [*kernel.inputs, *kernel.outputs, *kernel.variables]
    return [
        field_values(each) for each in (*things, *kernel.inputs, *kernel.outputs, *kernel.variables)
    ]


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (PortSlot(IN, Rate.PIXEL, 1, 2), "input pixel 1 component 2"),
        (PortSlot(IN, Rate.PIXEL, 1, 2, 1, part=PortPart.SLOPE_X),
         "input pixel 1 component 2 element 1 part slope_x"),
        (PortSlot(OUT, Rate.PIXEL, SystemValue.DEPTH), "output pixel depth"),
        (PortSlot(OUT, Rate.VERTEX, Exchange.VERTEX_COUNT, stream=3),
         "output vertex vertex_count stream 3"),
        (PortSlot(OUT, Rate.PIXEL, 0, 1, 2, 0, 1), "output pixel 0 component 1 element 2 index 1"),
        (PortSlot(IN, Rate.VERTEX, "my own"), 'input vertex "my own"'),
        (PortSlot(IN, Rate.VERTEX, "12"), 'input vertex "12"'),
        (PortSlot(IN, Rate.THREAD, SystemValue.THREAD_ID), "input thread thread_id"),
    ],
)  # fmt: skip
def test_ports(slot: PortSlot, text: str) -> None:
    kernel = KernelIR("main")
    port = Port("any name", I32, slot=slot, row="row 1")
    (kernel.inputs if slot.direction is IN else kernel.outputs).append(port)
    assert print_kernel(kernel).splitlines()[1].endswith(f' i32 row "row 1" at {text}')
    again = parse_kernel(print_kernel(kernel))
    assert declared(again) == declared(kernel)
    (found,) = again.inputs + again.outputs
    assert found.slot is not None
    assert type(found.slot.place) is type(slot.place)


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (ResourceSlot(READ, 3), "read 3"),
        (ResourceSlot(ResourceClass.CONSTANTS, 0, 2, 4), "constants 0 space 2 count 4"),
        (ResourceSlot(READ, 1, 0, None, 0), "read 1 count any element 0"),
        (ResourceSlot(READ, 1, element=2, view=3), "read 1 element 2 view 3"),
        (ResourceSlot(ResourceClass.WRITE, 7, part=MemoryPart.COUNTER), "write 7 part counter"),
        (ResourceSlot(ResourceClass.REGISTER_BANK, 2), "register_bank 2"),
        (PointsSlot(IN, Rate.CONTROL_POINT), "points input control_point"),
        (
            PointsSlot(OUT, Rate.VERTEX, 1, MemoryPart.CUTS),
            "points output vertex stream 1 part cuts",
        ),
        (Exchange.SAMPLE_COUNT, "exchange sample_count"),
    ],
)
def test_memories(slot: MemorySlot, text: str) -> None:
    b = Builder(KernelIR("main"))
    b.memory("m", Space.TABLE, 4, 1, data=bytes(4), slot=slot)
    assert print_kernel(b.kernel).splitlines()[1].endswith(f" data 00000000 at {text}")
    assert declared(parse_kernel(print_kernel(b.kernel))) == declared(b.kernel)


def test_textures_and_samplers() -> None:
    kernel = KernelIR("main")
    slot = ResourceSlot(READ, 2, 1, None)
    kernel.textures.append(TextureDeclaration("t", Shape.D2, F32, True, 4, slot))
    kernel.samplers.append(SamplerDeclaration("s", slot._replace(kind=ResourceClass.SAMPLER)))
    assert declared(parse_kernel(print_kernel(kernel))) == declared(kernel)


def test_built_ins_and_exchanges_have_distinct_words() -> None:
    assert not {*SystemValue} & {*Exchange}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("memory %m buffer 4 at raed 1", "unknown resourceclass 'raed'; did you mean read?"),
        ("memory %m buffer 4 at read one", "expected an integer, got 'one'"),
        ("memory %m buffer 4 at points read vertex", "unknown direction 'read'"),
        ("in %v i32 at input pixel", "expected a location or a built-in"),
        ("in %v i32 at input pixel 1 part cuts", "unknown portpart 'cuts'"),
    ],
)
def test_mistakes(line: str, expected: str) -> None:
    (found,) = mistakes(line)
    assert expected in found


def names() -> list[str]:
    """Return the names of the examples that can be run."""
    shaders = (
        path
        for path in EXAMPLES.iterdir()
        if path.is_file() and unshade.identify(path.read_bytes()) is not None
    )
    return sorted(
        path.name
        for path in shaders
        if all(each.takes is not None for each in unshade.open(path).programs)
    )


@pytest.mark.parametrize("name", names())
def test_the_text_of_a_lowered_program_is_complete(name: str) -> None:
    for program in unshade.open(EXAMPLES / name).programs:
        for entry, _ in program.entry_points:
            try:
                kernel = program.lower(entry).kernel
            except UnsupportedError as error:
                pytest.skip(str(error))
            again = parse_kernel(print_kernel(kernel))
            assert declared(again) == declared(kernel)
            assert print_kernel(again) == print_kernel(kernel)
            memories: list[Memory] = [each for each in kernel.memories if each.slot is not None]
            assert memories or kernel.textures or kernel.inputs
