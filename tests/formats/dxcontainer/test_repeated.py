"""Plain data of equal parts: each caller has its own, and an edited part is not an equal one."""

import copy

import pytest

from tests.fixtures import blog_vs_4_0
from unshade.errors import FormatError
from unshade.formats.dxcontainer.container import Container
from unshade.formats.dxcontainer.part import DxPart
from unshade.formats.dxcontainer.shader import DxContainer
from unshade.limits import Limits

BLOG = blog_vs_4_0.build()


def part(name: str, limits: Limits | None = None) -> DxPart:
    shader = DxContainer.loads(BLOG) if limits is None else DxContainer.loads(BLOG, limits)
    return shader.parts[name]


@pytest.mark.parametrize("name", ["RDEF", "ISGN", "OSGN", "STAT"])
def test_equal_parts_have_equal_data(name: str) -> None:
    first = part(name).to_data()
    assert part(name).to_data() == first
    made = DxPart.from_data(copy.deepcopy(first), 0xAB, "")
    again = DxPart.from_data(copy.deepcopy(first), 0xAB, "")
    assert made.data == again.data == part(name).data
    assert made.value == again.value == part(name).value


def test_data_belongs_to_the_caller() -> None:
    first = part("ISGN").to_data()
    first["fields"]["elements"][0]["name"] = "CHANGED"
    assert part("ISGN").to_data()["fields"]["elements"][0]["name"] != "CHANGED"


def test_an_edit_is_in_the_data() -> None:
    part("ISGN").to_data()
    edited = part("ISGN")
    edited.value.elements[0].name = "CHANGED"
    assert edited.to_data()["fields"]["elements"][0]["name"] == "CHANGED"
    assert part("ISGN").to_data()["fields"]["elements"][0]["name"] != "CHANGED"


def test_a_part_from_known_data_can_be_edited() -> None:
    data = part("ISGN").to_data()
    for _ in range(2):
        made = DxPart.from_data(data, 0xAB, "")
        made.value.elements[0].name = "CHANGED"
        assert b"CHANGED\0" in made.data
    assert DxPart.from_data(data, 0xAB, "").data == part("ISGN").data


def test_numbers_are_compared_with_their_types() -> None:
    data = part("STAT").to_data()
    DxPart.from_data(data, 0xAB, "")
    name, number = next((k, v) for k, v in data["fields"].items() if type(v) is int and v == 1)
    data["fields"][name] = number == 1
    with pytest.raises(FormatError, match=name):
        DxPart.from_data(data, 0xAB, "")


def test_other_limits_hold() -> None:
    assert "fields" in part("RDEF").to_data()
    assert "data" in part("RDEF", Limits(nodes=3)).to_data()


def test_the_padding_byte_matters() -> None:
    data = part("ISGN").to_data()
    padded = {pad: DxPart.from_data(data, pad, "").data for pad in (0xAB, 0xAB, 0)}
    assert padded[0xAB] != padded[0]
    assert padded[0xAB].replace(b"\xab", b"\0") == padded[0]


def test_what_cannot_be_read_is_written_each_time() -> None:
    data = part("ISGN").to_data()
    data["fields"]["count"] = 1000
    first = DxPart.from_data(data, 0xAB, "")
    assert DxPart.from_data(data, 0xAB, "").data == first.data
    assert first.data[:4] == (1000).to_bytes(4, "little")


def test_a_container_goes_there_and_back() -> None:
    for _ in range(2):
        data = DxContainer.loads(BLOG).to_data()
        made = DxContainer.from_data(data)
        assert isinstance(made, Container)
        assert made.to_bytes() == BLOG
