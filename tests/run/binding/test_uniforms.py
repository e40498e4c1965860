"""Values by name and by register, and members of blocks that share their bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from unshade.model import ConstantBuffer, Member, TypeClass, TypeDescription, Variable
from unshade.run.binding.aliases import merged
from unshade.run.binding.buffers import as_bytes
from unshade.run.binding.uniforms import missing, with_registers, zero_of

FLOAT = TypeDescription(type_class=TypeClass.SCALAR, scalar="float")


def vector(columns: int, *elements: int, scalar: str = "float") -> TypeDescription:
    return TypeDescription(
        type_class=TypeClass.VECTOR, scalar=scalar, columns=columns, elements=list(elements),
        size=4 * columns,
    )  # fmt: skip


ROW = vector(4)


def variable(name: str, row: int, type: TypeDescription, **given: Any) -> Variable:
    size = given.pop("size", 16)
    return Variable(name=name, offset=16 * row, size=size, type=type, **{"used": True} | given)


def register_file(*variables: Variable, rows: int = 4) -> ConstantBuffer:
    return ConstantBuffer(
        name="c", kind="uniforms", register=ROW, size=16 * rows, variables=list(variables)
    )


def test_each_register_is_a_variable_beside_those_with_names() -> None:
    named = [variable("projection", 0, vector(4, 2), size=32), variable("half", 3, ROW)]
    made = with_registers(register_file(*named))
    assert [(each.name, each.offset, each.size) for each in made.variables] == [
        ("projection", 0, 32), ("half", 48, 16),
        ("c0", 0, 16), ("c1", 16, 16), ("c2", 32, 16), ("c3", 48, 16),
    ]  # fmt: skip
    assert [each.used for each in made.variables] == [True, True, False, False, False, False]
    assert (made.size, made.declared_size) == (64, 64)
    assert all(each.default is None for each in made.variables)


def test_a_declared_size_decides_about_the_registers() -> None:
    file = register_file(variable("half", 0, ROW), rows=1)
    file.declared_size = 40
    made = with_registers(file)
    assert [each.name for each in made.variables] == ["half", "c0", "c1"]
    assert made.size == 40


def test_a_buffer_without_registers_stays_as_it_is() -> None:
    buffer = ConstantBuffer(name="b", kind="cbuffer", size=16, variables=[variable("x", 0, ROW)])
    assert with_registers(buffer) is buffer


def test_constants_of_the_file_are_defaults_of_their_registers() -> None:
    half = variable("half", 1, ROW, value=[0.5, 1.0, 2.0, -1.0])
    rows = variable("rows", 2, vector(4, 2), size=32, value=[None, [1.0, 0.0, 0.0, 0.0]])
    made = {each.name: each for each in with_registers(register_file(half, rows)).variables}
    assert made["c0"].default is None
    assert made["c1"].default == np.array([0.5, 1, 2, -1], "<f4").tobytes()
    assert made["c2"].default is None  # an element that is not given
    assert made["c3"].default == np.array([1, 0, 0, 0], "<f4").tobytes()


def test_a_short_row_is_filled_with_zeros() -> None:
    one = variable("one", 0, vector(4, 1), value=[[1.5]])
    (default,) = (
        each.default for each in with_registers(register_file(one)).variables if each.name == "c0"
    )
    assert default == np.array([1.5, 0, 0, 0], "<f4").tobytes()


def test_a_matrix_presets_a_register_for_each_row() -> None:
    matrix = TypeDescription(
        type_class=TypeClass.MATRIX_ROWS, scalar="float", rows=2, columns=4, size=32
    )
    value = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    whole = variable("m", 1, matrix, size=32, value=value)
    made = {each.name: each for each in with_registers(register_file(whole)).variables}
    assert [made[f"c{at}"].default for at in range(4)] == [
        None, *(np.array(row, "<f4").tobytes() for row in value), None
    ]  # fmt: skip


def test_a_name_that_is_a_register_s_stays_unless_the_register_has_a_value() -> None:
    plain = variable("c1", 0, ROW)
    names = [(each.name, each.offset) for each in with_registers(register_file(plain)).variables]
    assert names == [("c1", 0), ("c0", 0), ("c2", 32), ("c3", 48)]
    preset = variable("x", 1, ROW, value=[1.0, 1.0, 1.0, 1.0])
    names = [
        (each.name, each.offset) for each in with_registers(register_file(plain, preset)).variables
    ]
    assert names == [("x", 16), ("c0", 0), ("c1", 16), ("c2", 32), ("c3", 48)]


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ((), ["projection", "half"]),
        (("projection",), ["half"]),
        (("projection", "half"), []),
        (("c0", "c1"), ["half"]),
        (("c0",), ["projection", "half"]),
        (("c1",), ["projection", "half"]),
        (("c0", "c2", "c3"), ["projection"]),
        (("c3",), ["projection"]),
    ],
)
def test_what_is_read_and_not_given_is_missing(given: tuple[str, ...], left: list[str]) -> None:
    named = [
        variable("projection", 0, vector(4, 2), size=32), variable("half", 3, ROW),
        variable("unread", 2, ROW, used=False),
    ]  # fmt: skip
    whole = with_registers(register_file(*named))
    assert [each.name for each in missing(whole, given)] == left


def test_padding_between_elements_holds_nothing() -> None:
    """An array of scalars takes a row for each; a value of its first component covers the row."""
    array = Variable(name="a", offset=0, size=36, type=FLOAT, used=True)
    parts = [
        Variable(name=f"p{at}", offset=16 * at, size=4, type=FLOAT, used=False) for at in range(3)
    ]
    buffer = ConstantBuffer(name="b", kind="cbuffer", size=48, variables=[array, *parts])
    assert missing(buffer, ["p0", "p1", "p2"]) == []
    assert missing(buffer, ["p0", "p2"]) == [array]
    assert missing(buffer, ["p0", "p1"]) == [array]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (FLOAT, 0),
        (vector(1), 0),
        (vector(2), [0, 0]),
        (vector(2, 3), [[0, 0], [0, 0], [0, 0]]),
        (vector(1, 2, 3), [[0, 0, 0], [0, 0, 0]]),
        (
            TypeDescription(
                type_class=TypeClass.MATRIX_COLUMNS, scalar="float", rows=2, columns=3
            ),
            [[0, 0, 0], [0, 0, 0]],
        ),
        (
            TypeDescription(
                type_class=TypeClass.STRUCT, scalar="void", elements=[2],
                members=[Member(name="x", offset=0, type=FLOAT),
                         Member(name="y", offset=4, type=vector(3))],
            ),
            [{"x": 0, "y": [0, 0, 0]}, {"x": 0, "y": [0, 0, 0]}],
        ),
    ],
)  # fmt: skip
def test_zero_of_a_type(kind: TypeDescription, expected: object) -> None:
    assert zero_of(kind) == expected


def block(name: str, *variables: Variable) -> ConstantBuffer:
    return ConstantBuffer(name=name, kind="cbuffer", size=64, variables=list(variables))


def test_blocks_of_one_descriptor_share_their_members() -> None:
    one = block("A", variable("a", 0, ROW, used=False), variable("x", 1, ROW))
    two = block("B", variable("a", 0, ROW), variable("b", 2, ROW), variable("x", 2, ROW))
    made, renamed = merged(one, {"B": two})
    assert [(each.name, each.offset, each.used) for each in made.variables] == [
        ("a", 0, True), ("x", 16, True), ("b", 32, True), ("B.x", 32, True),
    ]  # fmt: skip
    assert renamed == {"B": {"a": "a", "b": "b", "x": "B.x"}}
    assert [each.name for each in one.variables] == ["a", "x"]  # which stays as it was
    assert one.variables[0].used is False


def test_a_member_of_another_type_is_another_one() -> None:
    one = block("A", variable("a", 0, ROW))
    two = block("B", variable("a", 0, vector(4, scalar="int"), used=False))
    made, renamed = merged(one, {"B": two})
    assert [(each.name, each.type.scalar) for each in made.variables] == [
        ("a", "float"), ("B.a", "int")
    ]  # fmt: skip
    assert renamed == {"B": {"a": "B.a"}}


def test_a_member_that_is_read_in_one_block_is_read() -> None:
    used, unused = variable("a", 0, ROW), variable("a", 0, ROW, used=False)
    for blocks in ((used, unused), (unused, used)):
        made, _ = merged(block("A", blocks[0]), {"B": block("B", blocks[1])})
        assert [(each.name, each.used) for each in made.variables] == [("a", True)]
    made, _ = merged(block("A", unused), {"B": block("B", unused)})
    assert [each.used for each in made.variables] == [False]


def test_bytes_are_those_of_the_array_unless_they_do_not_fit() -> None:
    words = np.arange(4, dtype="<u4")
    data, copied = as_bytes(words, True)
    assert not copied
    assert np.shares_memory(data, words)
    assert data.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]
    data, copied = as_bytes(np.arange(1, 6, dtype=np.uint8), True)
    assert (data.tolist(), copied) == ([1, 2, 3, 4, 5, 0, 0, 0], True)
    data, copied = as_bytes(np.arange(1, 6, dtype=np.uint8), False, unit=6)
    assert (data.tolist(), copied) == ([1, 2, 3, 4, 5, 0], True)
    data, copied = as_bytes(words[::2], False)
    assert (data.tolist(), copied) == ([0, 0, 0, 0, 2, 0, 0, 0], True)
    words.flags.writeable = False
    assert as_bytes(words, False)[1] is False
    assert as_bytes(words, True)[1] is True
