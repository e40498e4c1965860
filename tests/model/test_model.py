"""The reflection model: plain data, its schema, and the vocabulary."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

import pytest

from tests.model.schema_check import violations
from unshade import model
from unshade.errors import LimitError
from unshade.limits import Limits
from unshade.model import (
    ConstantBuffer,
    Member,
    Reflection,
    Resource,
    SignatureParameter,
    TypeDescription,
    Variable,
)
from unshade.model.facts import RegisterBank
from unshade.model.plain import Facts, schema_of
from unshade.vocab import words
from unshade.vocab.slots import Direction, PortSlot, Rate, ResourceClass, ResourceSlot

FLOAT = TypeDescription(type_class="scalar", scalar="float")


def example() -> Reflection:
    """Return a reflection with a value of every class, and with numbers that have no word."""
    light = TypeDescription(
        name="Light",
        type_class="struct",
        scalar="void",
        elements=[3],
        members=[
            Member(name="power", offset=0, type=FLOAT),
            Member(name="kind", offset=4, type=FLOAT),
        ],
    )
    variable = Variable(
        name="lights",
        offset=0,
        size=40,
        type=light,
        default=b"\x00\xff",
        value=[{"power": float("inf"), "kind": float("nan")}],
    )
    return Reflection(
        format="dxcontainer",
        stage=words.Stage.PIXEL,
        inputs=[
            SignatureParameter(
                semantic="A",
                components="xy",
                used="x",
                component_type=words.ComponentType.FLOAT32,
                system_value="unknown_99",
            )
        ],
        resources=[
            Resource(
                name="cb0",
                kind=words.ResourceKind.CONSTANT_BUFFER,
                register_class="b",
                register=0,
                count=None,
            )
        ],
        constant_buffers=[
            ConstantBuffer(name="cb0", kind="constant_buffer", size=48, variables=[variable])
        ],
        entry_points=[Reflection(format="dxcontainer")],
    )


def test_plain_data_is_json_and_fits_the_schema() -> None:
    data = example().to_dict()
    assert violations(data, model.schema()) == []
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    buffer = data["constant_buffers"][0]
    assert buffer["variables"][0]["default"] == "00ff"
    assert buffer["variables"][0]["value"] == [{"power": "inf", "kind": "nan"}]
    assert type(data["stage"]) is str


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"stage": "fragment"}, "$.stage"),
        ({"stage": "unknown_x"}, "$.stage"),
        ({"format": 3}, "$.format"),
        ({"colour": "red"}, "colour"),
        ({"temp_registers": 1.5}, "$.temp_registers"),
        ({"complete": 1}, "$.complete"),
    ],
)
def test_the_schema_refuses(change: dict[str, Any], complaint: str) -> None:
    data = example().to_dict() | change
    assert any(complaint in found for found in violations(data, model.schema()))


@pytest.mark.fast
@pytest.mark.parametrize("cls", [Reflection, RegisterBank])
def test_the_schema_describes_every_class_and_field(cls: type[Facts]) -> None:
    """With the first line of a docstring: of facts, enumerations and named tuples."""
    definitions = schema_of(cls, "")["$defs"]
    assert ("ResourceSlot" in definitions) == (cls is RegisterBank)
    for name, each in definitions.items():
        assert each["description"].endswith((".", ":")), name
        fields = each.get("properties", {}).items() if name != "ResourceSlot" else ()
        assert all(field["description"] for _, field in fields), name


def test_the_schema_requires_every_field() -> None:
    data = example().to_dict()
    del data["notes"]
    assert violations(data, model.schema()) == ["$: no notes"]


def test_schema_is_json_and_documents_every_field() -> None:
    schema = model.schema()
    assert json.loads(json.dumps(schema)) == schema
    for name, rule in schema["$defs"].items():
        assert rule["description"], name
        for field, part in rule.get("properties", {}).items():
            assert part["description"], f"{name}.{field}"


def classes() -> list[type[Facts]]:
    found = [getattr(model, name) for name in model.__all__]
    return [each for each in found if isinstance(each, type) and issubclass(each, Facts)]


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_every_class_is_in_a_schema(cls: type[Facts]) -> None:
    definitions: dict[str, Any] = {}
    for root in (model.Reflection, model.ProgramFacts):
        definitions |= schema_of(root, "urn:example")["$defs"]
    assert list(definitions[cls.__name__]["properties"]) == list(cls.FIELDS)


def test_words_have_one_spelling() -> None:
    for name in dir(words):
        found = getattr(words, name)
        if isinstance(found, type) and issubclass(found, StrEnum) and found is not StrEnum:
            assert all(each.value == each.value.lower() for each in found), name


def test_missing_and_unknown_fields_are_errors() -> None:
    with pytest.raises(TypeError, match="Member needs type"):
        Member(name="a", offset=0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Member has no size"):
        Member(name="a", offset=0, type=FLOAT, size=4)  # type: ignore[call-arg]


def test_only_fields_can_be_set() -> None:
    member = Member(name="a", offset=0, type=FLOAT)
    member.offset = 4
    assert member.to_dict()["offset"] == 4
    with pytest.raises(AttributeError, match="Member has no size"):
        member.size = 4  # type: ignore[attr-defined]


def test_several_fields_are_set_at_once() -> None:
    member = Member(name="power", offset=0, type=FLOAT)
    member.assign(name="kind", offset=4)
    assert (member.name, member.offset, member.type) == ("kind", 4, FLOAT)
    with pytest.raises(TypeError, match="Member has no size"):
        member.assign(offset=8, size=4)
    assert member.offset == 4


def test_names_that_were_right_once_are_not_taken_for_others() -> None:
    for _ in range(2):
        assert Member(name="power", offset=0, type=FLOAT).to_dict()["offset"] == 0
        with pytest.raises(TypeError, match="Member needs type"):
            Member(name="power", offset=0)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="Member has no size"):
            Member(name="power", offset=0, type=FLOAT, size=4)  # type: ignore[call-arg]


def test_parameters_have_one_slot_and_the_places_of_their_components() -> None:
    row = SignatureParameter(
        semantic="A", register=2, components="yz", used="y", component_type="float"
    )
    whole = row.slot(words.Stage.PIXEL, Direction.INPUT)
    assert whole is not None
    assert row.places == "yz"
    assert [each.whole for each in row.slots(words.Stage.PIXEL, Direction.INPUT)] == [whole] * 2
    nowhere = SignatureParameter(semantic="A", components="y", used="y", component_type="float")
    assert nowhere.slot(words.Stage.PIXEL, Direction.INPUT) is None
    assert nowhere.places == "x"


def test_defaults_belong_to_one_object() -> None:
    one, other = (model.Reflection(format="x") for _ in range(2))
    found = one.to_dict()
    found["notes"].append("of the plain data")
    one.notes.append("of one")
    assert (one.notes, other.notes) == (["of one"], [])
    assert (one.to_dict()["notes"], other.to_dict()["notes"]) == (["of one"], [])


def test_equality_is_by_value() -> None:
    assert example().resources == example().resources
    other = example()
    other.resources[0].space = 1
    assert other != example()
    assert Member(name="a", offset=0, type=FLOAT) != FLOAT


def test_lists_are_not_shared_between_objects() -> None:
    first, second = Reflection(format="a"), Reflection(format="a")
    first.notes.append("odd")
    assert second.notes == []


def test_repr_shows_what_is_set() -> None:
    found = Resource(name="tex", kind=words.ResourceKind.TEXTURE, register=3, register_class="t")
    assert repr(found) == "Resource(name='tex', kind='texture', register_class='t', register=3)"


def test_shared_types_cannot_blow_up_plain_data() -> None:
    """Forty structures, each with two members of the previous one: a tree of 2^40 leaves."""
    inner = FLOAT
    for _ in range(40):
        members = [Member(name="a", offset=0, type=inner), Member(name="b", offset=0, type=inner)]
        inner = TypeDescription(type_class="struct", scalar="void", members=members)
    with pytest.raises(LimitError) as caught:
        inner.to_dict(Limits(nodes=10_000))
    assert caught.value.limit == "nodes"


def test_long_strings_count_too() -> None:
    shared = bytes(1000)
    variables = [
        Variable(name="v", offset=0, size=4, type=FLOAT, default=shared) for _ in range(100)
    ]
    buffer = ConstantBuffer(name="b", kind="constant_buffer", size=16, variables=variables)
    with pytest.raises(LimitError):
        buffer.to_dict(Limits(nodes=50_000))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"type_class": "scalar", "scalar": "min16float"}, "min16float v"),
        ({"type_class": "vector", "scalar": "uint", "columns": 3, "elements": [4]}, "uint3 v[4]"),
        (
            {"type_class": "matrix_columns", "scalar": "float", "rows": 4, "columns": 3},
            "float4x3 v",
        ),
        (
            {"type_class": "matrix_rows", "scalar": "float", "rows": 2, "columns": 2},
            "row_major float2x2 v",
        ),
        ({"type_class": "struct", "scalar": "void", "name": "Light", "elements": [0]}, "Light v[]"),
        ({"type_class": "struct", "scalar": "void"}, "struct v"),
        ({"type_class": "interface_pointer", "scalar": "x", "name": "iShape"}, "iShape v"),
        ({"type_class": "object", "scalar": "texture2d", "name": "Texture2D"}, "Texture2D v"),
    ],
)
def test_declarations(given: dict[str, Any], text: str) -> None:
    assert TypeDescription(**given).declaration("v") == text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"register_class": "t", "register": 3}, "t3"),
        ({"register_class": "u", "register": 0, "space": 2}, "u0, space2"),
        ({"register": 1, "space": 2}, "set 2, binding 1"),
    ],
)
def test_where_a_resource_is_bound(given: dict[str, Any], text: str) -> None:
    assert Resource(name="r", kind=words.ResourceKind.TEXTURE, **given).where == text


@pytest.mark.parametrize(
    ("kind", "given", "slot"),
    [
        ("TEXTURE", {"register_class": "t"}, ResourceSlot(ResourceClass.READ, 3)),
        ("RAW_BUFFER", {"register_class": "u", "writable": True},
         ResourceSlot(ResourceClass.WRITE, 3)),
        ("CONSTANT_BUFFER", {"register_class": "b"}, ResourceSlot(ResourceClass.CONSTANTS, 3)),
        ("SAMPLER", {"register_class": "s"}, ResourceSlot(ResourceClass.SAMPLER, 3)),
        (
            "RAW_BUFFER", {"register_class": "t", "space": 1, "count": None},
            ResourceSlot(ResourceClass.READ, 3, space=1, count=None),
        ),
        (
            "TEXTURE", {"space": 1, "count": 4},  # a descriptor set: one number for the array
            ResourceSlot(ResourceClass.READ, 3, space=1, count=4, element=0),
        ),
    ],
)  # fmt: skip
def test_slots_of_resources(kind: str, given: dict[str, Any], slot: ResourceSlot) -> None:
    assert Resource(name="r", kind=words.ResourceKind[kind], register=3, **given).slot == slot


def test_slots_of_unbound_resources() -> None:
    def slot(kind: words.BufferKind, **given: Any) -> ResourceSlot | None:
        return ConstantBuffer(name="c", kind=kind, size=16, **given).slot

    bank = ResourceSlot(ResourceClass.REGISTER_BANK, 2)
    assert slot(words.BufferKind.UNIFORMS, bank=2) == bank
    assert slot(words.BufferKind.PUSH_CONSTANTS) == ResourceSlot(ResourceClass.PUSH, 0)
    assert slot(words.BufferKind.CONSTANT_BUFFER) is None


def test_slots_of_a_row_of_a_signature() -> None:
    row = SignatureParameter(
        semantic="TEXCOORD", register=1, components="zw", used="z", component_type="float32",
    )  # fmt: skip
    pixel = row.slots(words.Stage.PIXEL, Direction.INPUT)
    assert pixel == [PortSlot(Direction.INPUT, Rate.PIXEL, 1, at) for at in (2, 3)]
    (constant, _) = row.slots(words.Stage.HULL, Direction.OUTPUT, Rate.PATCH)
    assert constant == PortSlot(Direction.OUTPUT, Rate.PATCH, 1, 2)
    depth = SignatureParameter(
        semantic="SV_Depth", components="x", used="x", component_type="float32",
        system_value=words.SystemValue.DEPTH,
    )  # fmt: skip
    found = depth.slots(words.Stage.PIXEL, Direction.OUTPUT)
    assert found == [PortSlot(Direction.OUTPUT, Rate.PIXEL, words.SystemValue.DEPTH)]
    depth.system_value = None
    assert depth.slots(words.Stage.PIXEL, Direction.OUTPUT) == []
