"""HLSL's packing rules: the component of each byte of an initial value."""
# ruff: noqa: E501  (the tables are columns)

import struct
from typing import Any

import pytest

import unshade
from tests.fixtures.one_of_each import typed
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.buffer_packing import Packing, Spent, spelled
from unshade.formats.dxcontainer.parts.rdef import (
    RdefBuffer,
    RdefMember,
    RdefType,
    RdefVariable,
    ResourceDefinition,
)


def numeric(kind: int, rows: int, columns: int, scalar: int = 3, elements: int = 0) -> RdefType:
    return RdefType(
        variable_class=kind, variable_type=scalar, rows=rows, columns=columns, elements=elements
    )


def structure(*members: tuple[str, RdefType, int], elements: int = 0) -> RdefType:
    rows = [RdefMember(name=name, type=type_, offset=offset) for name, type_, offset in members]
    return RdefType(variable_class=5, rows=1, columns=1, members=rows, elements=elements)


FLOAT, FLOAT2, FLOAT3 = numeric(0, 1, 1), numeric(1, 1, 2), numeric(1, 1, 3)
TEXTURE = RdefType(variable_class=4, variable_type=7)
INNER = structure(("a", FLOAT3, 0), ("b", FLOAT, 12))

# fmt: off
PLACES: dict[str, tuple[RdefType, int, str]] = {
    "scalar":              (FLOAT,                                4, "=0"),
    "vector":              (FLOAT3,                              12, ".x=0 .y=4 .z=8"),
    "doubles":             (numeric(1, 1, 2, 39),                16, ".x=0 .y=8"),
    "array":               (numeric(0, 1, 1, 2, 3),              36, "[0]=0 [1]=16 [2]=32"),
    "rows":                (numeric(2, 2, 3),                    28, "[0].x=0 [0].y=4 [0].z=8 [1].x=16 [1].y=20 [1].z=24"),
    "columns":             (numeric(3, 2, 3),                    40, "[0].x=0 [0].y=16 [0].z=32 [1].x=4 [1].y=20 [1].z=36"),
    "array of matrices":   (numeric(2, 1, 2, elements=2),        24, "[0][0].x=0 [0][0].y=4 [1][0].x=16 [1][0].y=20"),
    "structure":           (INNER,                               16, ".a.x=0 .a.y=4 .a.z=8 .b=12"),
    "array of structures": (structure(("s", INNER, 0), elements=2), 32, "[0].s.a.x=0 [0].s.a.y=4 [0].s.a.z=8 [0].s.b=12 [1].s.a.x=16 [1].s.a.y=20 [1].s.a.z=24 [1].s.b=28"),
    "a texture within":    (structure(("t", TEXTURE, 0), ("f", FLOAT, 0)), 4, ".f=0"),
    "names that are none": (structure(("a.b", FLOAT, 0), ("x" * 65, FLOAT, 4)), 8, ".members[0]=0 .members[1]=4"),
    "no members":          (structure(),                         16, ""),
    "nothing numeric":     (TEXTURE,                              4, ""),
}
# fmt: on


@pytest.mark.parametrize(("given", "size", "expected"), PLACES.values(), ids=PLACES)
def test_places(given: RdefType, size: int, expected: str) -> None:
    places: list[str] = []
    Packing(1000).walk(given, size, lambda at, _, path: places.append(f"{spelled(path)}={at}"))
    assert " ".join(places) == expected
    if places:
        with pytest.raises(Spent):
            Packing(1000).walk(given, size - 1, lambda *_: None)


def test_claims_of_large_types_are_bounded() -> None:
    most = numeric(2, 0xFFFF, 0xFFFF, elements=0xFFFF)
    for given in (most, numeric(1, 1, 0xFFFF), numeric(2, 0xFFFF, 0), numeric(0, 1, 1, 3, 0xFFFF)):
        packing = Packing(100)
        with pytest.raises(Spent):
            packing.walk(given, 64, lambda *_: None)
        assert packing.budget >= -1


# -- spans ---------------------------------------------------------------------------------------


def spans_of(given: RdefType, data: bytes) -> list[tuple[str, Any, str]]:
    """Return the spans of an initial value, with paths that begin there."""
    variable = RdefVariable(name="v", size=len(data), type=given, default_value=data)
    record = ResourceDefinition(
        major=4, target=0xFFFF, creator="x", buffers=[RdefBuffer(name="b", variables=[variable])]
    )
    shader = unshade.loads(typed("RDEF", record))
    assert isinstance(shader, DxContainer)
    stem = "buffers[0].variables[0].default_value"
    found = [span for span in shader.parts["RDEF"].spans() if span.path.startswith(stem)]
    slot = found.pop(0)
    assert (slot.path, slot.length, slot.kind) == (stem, 4, "field"), "the offset itself"
    at = slot.value
    for span in found:
        assert span.offset == at
        at += span.length
    assert at == slot.value + len(data)
    return [(span.path.removeprefix(stem), span.value, span.kind) for span in found]


def test_each_component_is_a_field() -> None:
    data = struct.pack("<fff4xf", 1, 2, 3, 4)
    given = structure(("a", FLOAT3, 0), ("b", FLOAT, 16))
    assert spans_of(given, data) == [
        (".a.x", 1.0, "field"),
        (".a.y", 2.0, "field"),
        (".a.z", 3.0, "field"),
        (".padding", bytes(4), "padding"),
        (".b", 4.0, "field"),
    ]


@pytest.mark.parametrize(
    ("scalar", "data", "value"),
    [
        (1, "01000000", True),
        (2, "feffffff", -2),
        (19, "feffffff", 0xFFFFFFFE),
        (3, "0000c03f", 1.5),
    ],
)
def test_values_of_components(scalar: int, data: str, value: object) -> None:
    ((_, found, _),) = spans_of(numeric(0, 1, 1, scalar), bytes.fromhex(data))
    assert found == value
    assert type(found) is type(value)


def test_bytes_outside_the_type_stay_raw() -> None:
    data = struct.pack("<f4s8x", 1, b"what")
    assert spans_of(TEXTURE, bytes(8)) == [("", bytes(8), "raw")]
    assert spans_of(FLOAT, bytes(20))[1:] == [("", bytes(16), "raw")]
    assert spans_of(FLOAT, data) == [("", 1.0, "field"), ("", b"what" + bytes(8), "raw")]
    for given in (
        numeric(1, 1, 4, 39),  # longer than the value
        structure(("a", FLOAT2, 0), ("b", FLOAT, 4)),  # two members in one place
        numeric(0, 1, 1, 99),  # a type of components that nobody knows
    ):
        assert spans_of(given, data) == [("", data, "raw")]


@pytest.mark.parametrize(
    ("given", "constants", "elements"),
    [  # size, stride, stride of the matrix
        (FLOAT3, (12, 16, 16), (12, 12, 12)),
        (numeric(2, 2, 3), (28, 32, 16), (24, 24, 12)),
        (numeric(3, 2, 3), (40, 48, 16), (24, 24, 8)),
        (numeric(1, 1, 3, scalar=39), (24, 32, 32), (24, 24, 24)),
        (structure(("a", numeric(0, 1, 1, elements=3), 0)), (36, 48, None), (12, 12, None)),
    ],
    ids=["vector", "rows", "columns", "doubles", "structure"],
)
def test_constants_and_elements_differ_in_packing(
    given: RdefType, constants: tuple[int, ...], elements: tuple[int, ...]
) -> None:
    for packing, wanted in ((Packing(0), constants), (Packing(0, register=1), elements)):
        assert (packing.size(given), packing.stride(given)) == wanted[:2]
        if wanted[2] is not None:
            assert packing.matrix_stride(given) == wanted[2]
