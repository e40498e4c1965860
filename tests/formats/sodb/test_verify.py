"""Each rule has a database that violates it."""

from collections.abc import Callable

import pytest

from tests.fixtures.databases import DatabaseMaker, application
from unshade.formats.sodb import Sodb
from unshade.formats.sodb.database import build
from unshade.formats.sodb.verify import RULES

Violation = Callable[[DatabaseMaker], object]


def set_value(table: str, index: int, column: str, value: object) -> Violation:
    def violate(made: DatabaseMaker) -> None:
        made.tables[table][index].values[column] = value

    return violate


VIOLATIONS: dict[str, tuple[Violation, str]] = {
    "sodb.reference": (
        set_value("pipeline_states", 1, "ByteCode_PS", b"gone"),
        "pipeline_states[2].ByteCode_PS: expected the key of a row of shader_bytecode, got gone",
    ),
    "sodb.stages": (
        set_value("pipeline_states", 0, "ByteCode_PS", b"phong.dxbc"),
        "pipeline_states[1]: expected a compute shader alone, got pixel, too",
    ),
    "sodb.stage": (
        set_value("pipeline_states", 1, "ByteCode_PS", b"skinning.dxbc"),
        "pipeline_states[2].ByteCode_PS: expected a pixel shader, got a vertex shader",
    ),
    "sodb.shader": (
        set_value("shader_bytecode", 0, "Bytecode", b"abc"),
        "shader_bytecode[1].Bytecode: expected a shader, got 61 62 63",
    ),
    "sodb.group": (
        set_value("groups", 0, "SOKey", b"\x01\x02"),
        "groups[1]: expected PSOKey or SOKey, got both",
    ),
    "sodb.parent": (
        set_value("state_objects", 0, "AddToStateObjectParent", b"\x01\x02"),
        "state_objects[1]: 0x0102 contains itself, or one that does",
    ),
    "sodb.value": (
        set_value("render_target_blend_descs", 0, "SrcBlend", 12),
        "render_target_blend_descs[1].SrcBlend: expected one of 1 to 21, got 12",
    ),
    "sodb.layout": (
        set_value("pipeline_states", 1, "InputLayout", b"other"),
        "pipeline_states[2].InputLayout: other: no element",
    ),
    "sodb.application": (
        lambda made: made.tables.pop("app_id"),
        "app_id: expected one row, got 0",
    ),
    "sodb.unused": (
        set_value("pipeline_states", 0, "ByteCode_CS", None),
        "shader_bytecode[1]: saxpy.dxbc: no pipeline or state object refers to it",
    ),
}


@pytest.mark.parametrize("code", VIOLATIONS)
def test_a_violation_is_found(code: str) -> None:
    violate, expected = VIOLATIONS[code]
    made = application()
    violate(made)
    found = [each for each in Sodb.loads(made.data()).verify() if each.code == code]
    assert [f"{each.path}: {each.message}" for each in found] == [expected]
    assert found[0].severity is RULES[code].severity


def test_every_rule_has_a_violation() -> None:
    elsewhere = {"sodb.index", "sodb.logged", "sodb.trailing"}
    assert {*VIOLATIONS} | elsewhere == {*RULES}


def test_a_sound_database_has_no_findings() -> None:
    file = Sodb.loads(application().data())
    assert {each.code for each in file.verify()} == {"container.program-part"}


def test_findings_of_shaders_have_offsets_in_the_file() -> None:
    data = application().data()
    file = Sodb.loads(data)
    (inner,) = file.shaders[b"saxpy.dxbc"].verify()
    first = file.verify()[0]
    assert first.path == "shader_bytecode[1].Bytecode.SHDR"
    assert first.offset is not None
    assert inner.offset is not None
    raw = file.shaders[b"saxpy.dxbc"].to_bytes()
    assert data[first.offset :][:8] == raw[inner.offset :][:8]


@pytest.mark.parametrize(
    ("stages", "problem"),
    [
        ({"MS": "m", "VS": "v"}, "expected no vertex shader beside a mesh shader, got one"),
        ({"PS": "p"}, "expected a vertex, mesh or compute shader, got pixel"),
        ({}, "expected a vertex, mesh or compute shader, got none"),
        ({"VS": "v", "HS": "h"}, "expected a hull shader and a domain shader, got one of them"),
        ({"VS": "v", "HS": "h", "DS": "d", "GS": "g"}, ""),
        ({"AS": "a", "MS": "m", "PS": "p"}, ""),
    ],
)
def test_stages_that_make_a_pipeline(stages: dict[str, str], problem: str) -> None:
    made = DatabaseMaker()
    columns = {f"ByteCode_{stage}": key.encode() for stage, key in stages.items()}
    made.add("pipeline_states", "p", **columns)
    found = [each for each in Sodb.loads(made.data()).verify() if each.code == "sodb.stages"]
    assert [each.message for each in found] == ([problem] if problem else [])


def test_a_circle_of_state_objects_is_found_and_what_hangs_on_it() -> None:
    made = DatabaseMaker()
    for key, other in (("a", "b"), ("b", "c"), ("c", "b"), ("d", None)):
        parent = None if other is None else other.encode()
        made.add("state_objects", key, AddToStateObjectParent=parent)
    found = [each for each in Sodb.loads(made.data()).verify() if each.code == "sodb.parent"]
    assert {each.path for each in found} == {f"state_objects[{i}]" for i in (1, 2, 3)}


def test_an_index_that_disagrees_is_found() -> None:
    made = DatabaseMaker()
    made.add("exports", "here", Name="n")
    data = bytearray(build(made.tables, 512))
    places = [at for at in range(len(data)) if data.startswith(b"here", at)]
    assert len(places) == 2  # the row, and its entry in the index
    data[places[1] : places[1] + 4] = b"hers"
    found = [each.code for each in Sodb.loads(bytes(data)).verify()]
    assert "sodb.index" in found


def test_bytes_after_the_pages_are_kept_and_found() -> None:
    data = application().data() + b"more"
    file = Sodb.loads(data)
    assert file.to_bytes() == data
    found = [each for each in file.verify() if each.code == "sodb.trailing"]
    assert [each.offset for each in found] == [len(data) - 4]
