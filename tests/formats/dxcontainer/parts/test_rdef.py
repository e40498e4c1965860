"""Resource definitions: shared strings and types, and the fields of each model."""

from typing import Any

import pytest

import unshade
from tests.fixtures import blog_vs_4_0 as blog
from tests.fixtures.one_of_each import definition, typed
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rdef import (
    RdefBuffer,
    RdefInterface,
    RdefMember,
    RdefSizes,
    RdefType,
    RdefVariable,
    ResourceDefinition,
)


def written(record: ResourceDefinition) -> bytes:
    shader = unshade.loads(typed("RDEF", record))
    assert isinstance(shader, DxContainer)
    assert shader["RDEF"] == record
    return shader.parts["RDEF"].data


def word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def types_of(data: bytes) -> list[int]:
    """Return the offsets of the types of a buffer's variables in shader model 4."""
    buffer = word(data, 4)
    variables = word(data, buffer + 8)
    return [word(data, variables + 24 * i + 16) for i in range(word(data, buffer + 4))]


def scalar(elements: int = 0) -> RdefType:
    return RdefType(variable_class=0, variable_type=3, rows=1, columns=1, elements=elements)


def with_types(*types: RdefType, kind: int = 0) -> ResourceDefinition:
    variables = [
        RdefVariable(name=f"v{i}", offset=16 * i, size=4, type=each) for i, each in enumerate(types)
    ]
    return ResourceDefinition(
        major=4,
        target=0xFFFF,
        creator="x",
        buffers=[RdefBuffer(name="b", variables=variables, kind=kind)],
    )


@pytest.mark.parametrize(("major", "minor"), [(4, 0), (4, 1), (5, 0), (5, 1)])
def test_each_model(major: int, minor: int) -> None:
    record = definition(major, minor)
    data = written(record)
    assert data[16:18] == bytes([minor, major])
    assert (data[28:32] == b"RD11") == ((major, minor) == (5, 0))
    row = 40 if (major, minor) >= (5, 1) else 32
    assert word(data, 12) + 2 * row <= len(data)


def test_layout_matches_the_published_part() -> None:
    shader = unshade.loads(blog.build())
    assert isinstance(shader, DxContainer)
    assert written(shader["RDEF"]) == blog.rdef()


def test_equal_types_are_stored_once() -> None:
    first, second, third = types_of(written(with_types(scalar(), scalar(), RdefType(rows=1))))
    assert first == second != third


def test_array_types_are_not_shared() -> None:
    first, second, third = types_of(written(with_types(scalar(4), scalar(4), scalar())))
    assert len({first, second, third}) == 3


def test_member_types_are_not_shared_with_variables() -> None:
    inner = RdefMember(name="m", type=scalar())
    structure = RdefType(variable_class=5, rows=1, columns=1, members=[inner])
    data = written(with_types(structure, scalar()))
    outer, variable = types_of(data)
    members = word(data, outer + 12)
    assert word(data, members + 4) != variable


def structure(*members: RdefType, **more: Any) -> RdefType:
    """Return a structure or class of these members, 16 bytes each."""
    rows = [RdefMember(name=f"m{at}", type=each, offset=16 * at) for at, each in enumerate(members)]
    return RdefType(**{"variable_class": 5, "rows": 1, "columns": 1, "members": rows, **more})


def test_parts_of_a_type_precede_it() -> None:
    """As fxc writes them: types of members, then the members, then their structure."""
    data = written(with_types(structure(structure(scalar()))))
    (outer,) = types_of(data)
    inner = word(data, word(data, outer + 12) + 4)
    number = word(data, word(data, inner + 12) + 4)
    places = [number, word(data, inner + 12), inner, word(data, outer + 12), outer]
    assert places == sorted(set(places))


def test_classes_follow_their_interfaces_and_bases() -> None:
    """The words of a type of Shader Model 5 at 12: members, interface, base, 24: interfaces."""
    interface = RdefType(variable_class=7, name="I", sub_type=structure(scalar(2), name="T"))
    base = structure(scalar(3), variable_class=6, name="B")
    made = structure(
        scalar(4), variable_class=6, name="C", sub_type=structure(scalar(5), name="S"),
        base_class=base, interfaces=[RdefInterface(type=interface)],
    )  # fmt: skip
    record = with_types(made)
    record.major, record.sizes = 5, RdefSizes()
    data = written(record)
    variables = word(data, word(data, 4) + 8)
    found = word(data, variables + 16)
    members, sub, parent, count, interfaces = (word(data, found + 12 + 4 * at) for at in range(5))
    assert count == 1
    first = word(data, interfaces)
    assert max(members, sub, parent, interfaces) < found
    assert word(data, first + 16) < first < interfaces
    assert word(data, sub + 12) < sub
    assert word(data, parent + 12) < parent
    for each in (found, sub, parent):
        assert word(data, word(data, each + 12) + 4) < word(data, each + 12)


def test_default_value_has_the_size_of_its_variable() -> None:
    record = with_types(scalar())
    record.buffers[0].variables[0].default_value = b"\0\0\x80\x3f"
    data = written(record)
    assert b"\0\0\x80\x3f" in data
    record.buffers[0].variables[0].default_value = b"\0"
    with pytest.raises(unshade.EncodeError) as caught:
        written(record)
    assert caught.value.path.endswith("buffers[0].variables[0].default_value")
    assert "expected 4 bytes, got 1" in caught.value.problem


def test_a_renamed_variable_moves_what_follows() -> None:
    shader = unshade.loads(blog.build())
    assert isinstance(shader, DxContainer)
    shader["RDEF"].buffers[0].variables[0].name = "A"
    again = unshade.loads(shader.to_bytes())
    assert isinstance(again, DxContainer)
    assert again["RDEF"].buffers[0].variables[0].name == "A"
    assert again["RDEF"] == shader["RDEF"]
    assert len(again.to_bytes()) < len(blog.build())
