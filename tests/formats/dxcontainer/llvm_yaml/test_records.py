"""Keys of mappings that follow from the declarations of records."""

from enum import IntEnum
from typing import Any

import pytest

import unshade
from unshade import FormatError
from unshade.formats.dxcontainer.llvm_yaml.keys import shown
from unshade.formats.dxcontainer.llvm_yaml.records import Spelling, keys_of, part_form, record_form
from unshade.formats.dxcontainer.parts import description_of, kind_of
from unshade.formats.dxcontainer.parts.kind import RecordKind
from unshade.wire import (
    U16,
    Array,
    CString,
    Nested,
    Record,
    array,
    blob,
    derived,
    f32,
    field,
    padding,
    pointer,
    rest,
    u8,
    u16,
    u32,
)


class Wood(IntEnum):
    OAK_TREE = 1
    UAV_2D = 2


class Plank(Record):
    """An item of a list."""

    wood: u8 = field("kind of wood", enum=Wood)
    packed: u8 = field("bits")
    later: bytes = rest()


class Table(Record):
    """A record with a field of each kind."""

    name: str = pointer("name", CString(), default="")
    leg_count: u16 = field("number of legs")
    height: f32 = field("height")
    unused: u16 = padding("padding")
    stamp: bytes = blob("stamp", 2, opaque=False)
    plank_count: u32 | None = derived("number of planks", "len(planks)")
    planks: list[Plank] = pointer("planks", Array(Nested(Plank), count="plank_count"))
    places: list[int] = array("places", U16, count=2)


SPELLING: Spelling = {
    "leg_count": "Legs?",
    "Plank.packed": "Low:4x Third:2 Sawn:1",
    "plank_count": "NumPlanks @PlanksOffset",
}
FORM = record_form(Table, SPELLING)
NODE: dict[str, Any] = {
    "Name": "desk",
    "Legs": "4",
    "Height": "0.75",
    "Stamp": ["0x1", "0xFF"],
    "NumPlanks": "1",
    "Planks": [{"Wood": "UAV2D", "Low": "0x5", "Third": "2", "Sawn": "true"}],
    "Places": ["7", "8"],
}


def test_a_record_is_read_and_shown() -> None:
    found = FORM.read(NODE, "Table")
    assert (found.name, found.leg_count, found.height, found.places) == ("desk", 4, 0.75, [7, 8])
    assert (found.stamp, found.plank_count) == (b"\1\xff", None)
    assert found.planks == [Plank(wood=Wood.UAV_2D, packed=0x65)]
    keys = keys_of(Table, {**SPELLING, "plank_count": ""})
    assert shown(keys, found) == {key: each for key, each in NODE.items() if key != "NumPlanks"}


def test_some_fields_in_another_order() -> None:
    keys = keys_of(Table, SPELLING, ("height", "leg_count"))
    assert [(key.name, key.optional) for key in keys] == [("Height", False), ("Legs", True)]


def test_optional_keys_and_offsets() -> None:
    less = {key: each for key, each in NODE.items() if key != "Legs"}
    found = FORM.read(less | {"PlanksOffset": "99"}, "Table")
    assert found.leg_count == 0


@pytest.mark.parametrize(
    ("node", "message", "path"),
    [
        ({"NumPlanks": "2"}, "expected 1, got 2", "Table.NumPlanks"),
        ({"Stamp": ["1"]}, "expected 2 bytes, got 1", "Table.Stamp"),
        ({"Height": "tall"}, "expected a number, got 'tall'", "Table.Height"),
        ({"Legs": "65536"}, "expected 0 to 65535", "Table.Legs"),
        ({"PlanksOffset": "x"}, "expected a number", "Table.PlanksOffset"),
        ({"Unused": "0"}, "unknown key 'Unused'", "Table"),
        ({"Planks": [NODE["Planks"][0] | {"Wood": "Oak"}]}, "unknown name 'Oak'",
         "Table.Planks[0].Wood"),
        ({"Planks": [NODE["Planks"][0] | {"Third": "4"}]}, "expected 0 to 3",
         "Table.Planks[0].Third"),
    ],
)  # fmt: skip
def test_malformed(node: dict[str, Any], message: str, path: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        FORM.read(NODE | node, "Table")
    assert caught.value.path == path


def read(name: str, node: dict[str, str]) -> Any:
    described, kind = description_of(name), kind_of(name)
    assert described is not None
    assert described.llvm is not None
    assert isinstance(kind, RecordKind)
    form = part_form(name, kind, described.llvm)
    assert form.show is None, "LLVM 19 knows the name only"
    return kind.read(name, form.read(node, "", 0), unshade.Limits())


def test_the_name_of_the_debug_file() -> None:
    found = read("ILDN", {"DebugName": "a.pdb"})
    assert (found.name, found.flags, found.length) == ("a.pdb", 0, None)
    assert read("ILDN", {"DebugName": "a.pdb", "NameLength": "3", "Flags": "1"}).length == 3
    with pytest.raises(FormatError, match="expected the key 'DebugName'"):
        read("ILDN", {})


def test_the_version_of_the_compiler() -> None:
    version = read("VERS", {"Major": "1", "Minor": "8", "IsValidated": "true", "CommitSha": "abc"})
    assert (version.major, version.minor, version.flags) == (1, 8, 2)
    assert (version.commit_hash, version.custom_version) == ("abc", "")
