"""Each limit of a row: the last value that the hardware or the format has, and the one after it.

Source: 3dbrew, "SHBIN" and "GPU/Shader Instruction Set": 96 float, 4 integer and 16 boolean
uniforms, 16 inputs, 16 outputs of which 7 reach the rasteriser; uniforms are numbered v, c, i, b.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures import shbin
from tests.fixtures.shbin import EMIT, PASS
from unshade.formats.shbin import Dvlb, Shbin
from unshade.formats.shbin.records import (
    BoolValue,
    Constant,
    ConstantType,
    FloatValue,
    IntValue,
    Label,
    Output,
    Relocation,
    Uniform,
)
from unshade.formats.shbin.tables import TableFile
from unshade.vocab.pica import OutputType

POSITION = Output(type=OutputType.POSITION, register=0, mask=0xF)


def errors(shader: TableFile) -> set[str]:
    """Return the rules of the format that a file breaks, but for unused constants."""
    codes = {each.code for each in shader.verify() if each.code.startswith("shbin.")}
    return {code.removeprefix("shbin.") for code in codes} - {"constant-unused", "experimental"}


def sound(**more: Any) -> set[str]:
    return errors(shbin.simple(**{"output_mask": 0, "input_mask": 0} | more))


VALUES: dict[ConstantType, BoolValue | IntValue | FloatValue] = {
    ConstantType.BOOL: BoolValue(value=1),
    ConstantType.INT: IntValue(value=[1, 2, 3, 4]),
    ConstantType.FLOAT: FloatValue(value=[0xFF_FFFF, 0, 1, 2]),
}


@pytest.mark.parametrize(
    ("kind", "count"), [(ConstantType.BOOL, 16), (ConstantType.INT, 4), (ConstantType.FLOAT, 96)]
)
def test_registers_of_constants(kind: ConstantType, count: int) -> None:
    for number in (0, 1, count - 1):
        assert sound(constants=[Constant(type=kind, id=number, data=VALUES[kind])]) == set()
    for number in (count, count + 1):
        row = Constant(type=kind, id=number, data=VALUES[kind])
        assert sound(constants=[row]) == {"constant-register"}


def test_constants_of_one_register() -> None:
    def rows(*places: tuple[ConstantType, int]) -> list[Constant]:
        return [Constant(type=kind, id=number, data=VALUES[kind]) for kind, number in places]

    boolean, integer = ConstantType.BOOL, ConstantType.INT
    assert sound(constants=rows((boolean, 1), (boolean, 2), (integer, 1))) == set()
    assert sound(constants=rows((boolean, 1), (integer, 1), (boolean, 1))) == {"constant-twice"}


@pytest.mark.parametrize(
    ("kind", "data", "fine"),
    [
        (ConstantType.BOOL, BoolValue(value=0), True),
        (ConstantType.BOOL, BoolValue(value=1), True),
        (ConstantType.BOOL, BoolValue(value=2), False),
        *(
            (ConstantType.FLOAT, FloatValue(value=[word if at == i else 0 for i in range(4)]), fine)
            for at in range(4)
            for word, fine in ((0xFF_FFFF, True), (0x100_0000, False))
        ),
    ],
)
def test_values_of_constants(kind: ConstantType, data: Any, fine: bool) -> None:
    found = sound(constants=[Constant(type=kind, id=1, data=data)])
    assert found == (set() if fine else {"constant-value"})


@pytest.mark.parametrize("number", range(18))
@pytest.mark.parametrize("kind", [OutputType.COLOR, OutputType.DUMMY])
def test_registers_of_outputs(number: int, kind: OutputType) -> None:
    """Only generic ones, which a geometry shader reads, may be in a register above o6."""
    row = Output(type=kind, register=number, mask=0xF)
    rows = [row] if kind is OutputType.DUMMY else [row, POSITION]
    if number == 0 and kind is not OutputType.DUMMY:
        return  # o0 is the position
    fine = number < (16 if kind is OutputType.DUMMY else 7)
    assert sound(outputs=rows) == (set() if fine else {"output-register"})


@pytest.mark.parametrize(
    ("mask", "broken"),
    [(0, {"output-empty"}), (1, set()), (8, set()), (15, set()), (16, {"output-components"})],
)
def test_masks_of_outputs(mask: int, broken: set[str]) -> None:
    row = Output(type=OutputType.COLOR, register=1, mask=mask)
    assert sound(outputs=[POSITION, row]) == broken


@pytest.mark.slow
def test_components_belong_to_one_output() -> None:
    def rows(one: int, other: int, kind: OutputType) -> list[Output]:
        return [
            POSITION,
            Output(type=OutputType.COLOR, register=1, mask=one),
            Output(type=kind, register=1, mask=other),
        ]

    for one in range(1, 16):
        for other in range(1, 16):
            broken = {"output-shared"} if one & other else set()
            assert sound(outputs=rows(one, other, OutputType.VIEW)) == broken
    assert sound(outputs=rows(7, 8, OutputType.COLOR)) == {"output-repeated"}


def test_the_position_is_written() -> None:
    colour = Output(type=OutputType.COLOR, register=1, mask=15)
    assert sound(outputs=[colour]) == {"no-position"}
    assert sound(outputs=[colour, POSITION]) == set()


# First number, and how many there are, of v, c, i and b.
FILES = {"v": (0x00, 16), "c": (0x10, 96), "i": (0x70, 4), "b": (0x78, 16)}


@pytest.mark.slow
def test_ranges_of_uniforms() -> None:
    """A range is within one file; the numbers between i3 and b0 are not used."""
    inside = {
        number: letter
        for letter, (first, count) in FILES.items()
        for number in range(first, first + count)
    }
    edges = sorted(
        {at + by for at, n in FILES.values() for at in (at, at + n) for by in (-1, 0, 1)}
    )
    for start in edges:
        for end in edges:
            if start < 0 or end < 0:
                continue
            file = inside.get(start)
            fine = file is not None and inside.get(end) == file and start <= end
            found = sound(uniforms=[Uniform(symbol="a", start=start, end=end)])
            assert found == (set() if fine else {"uniform-range"}), (start, end)


@pytest.mark.parametrize(
    ("one", "other", "broken"),
    [
        ((0x10, 0x13), (0x14, 0x14), set()),
        ((0x10, 0x13), (0x13, 0x14), {"uniform-shared"}),
        ((0x14, 0x14), (0x10, 0x14), {"uniform-shared"}),
        ((0x14, 0x14), (0x10, 0x13), set()),
    ],
)
def test_uniforms_of_one_register(
    one: tuple[int, int], other: tuple[int, int], broken: set[str]
) -> None:
    rows = [
        Uniform(symbol=name, start=start, end=end)
        for name, (start, end) in (("a", one), ("b", other))
    ]
    assert sound(uniforms=rows) == broken
    assert sound(uniforms=[Uniform(symbol="", start=0x10, end=0x10)]) == {"uniform-name"}


@pytest.mark.parametrize(("offset", "fine"), [(0, True), (3, True), (4, False)])
def test_labels_are_in_the_code_or_at_its_end(offset: int, fine: bool) -> None:
    rows = [Label(id=0, offset=offset, symbol="here")]
    assert sound(labels=rows, version=0) == (set() if fine else {"label-offset"})
    twice = [*rows, Label(id=0, offset=0, symbol="there")]
    assert "label-id" in sound(labels=twice, version=0)


@pytest.mark.parametrize(
    ("main", "end", "broken"),
    [
        (0, 3, set()),
        (2, 3, set()),
        (0, 0, set()),
        (3, 3, {"entry"}),
        (0, 4, {"end"}),
        (2, 1, {"end"}),
    ],
)
def test_places_of_the_code(main: int, end: int, broken: set[str]) -> None:
    assert sound(main=main, end=end) & {"entry", "end"} == broken


@pytest.mark.parametrize(
    ("start", "count", "fine"),
    [(95, 1, True), (95, 0, True), (95, 2, False), (0, 96, True), (1, 96, False)],
)
def test_vertices_of_a_fixed_primitive(start: int, count: int, fine: bool) -> None:
    shader = Shbin(
        Dvlb(
            dvlp=shbin.program(*PASS, *EMIT),
            dvles=[
                shbin.vertex(),
                shbin.geometry(3, 7, fixed_start=start, fixed_vertices=count),
            ],
        )
    )
    assert ("geometry-range" in errors(shader)) is not fine


@pytest.mark.parametrize(("offset", "fine"), [(0, True), (2, True), (3, False)])
def test_relocations_are_in_the_code(offset: int, fine: bool) -> None:
    shader = shbin.object_file(relocations=[Relocation(offset=offset)])
    assert ("relocation-offset" in errors(shader)) is not fine
