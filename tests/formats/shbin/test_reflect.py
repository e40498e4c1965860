"""Reflection of SHBIN files."""

from typing import Any

import pytest

import unshade
from tests.fixtures import shbin
from tests.model.schema_check import violations
from unshade.formats.shbin import Shbin
from unshade.formats.shbin.records import Dvle, Output, Uniform
from unshade.model import (
    BufferKind,
    GeometryMode,
    Reflection,
    Stage,
    SystemValue,
    Variable,
    schema,
)
from unshade.vocab.pica import OutputType


def variables(found: Reflection, buffer: str) -> dict[str, Variable]:
    return {
        each.name: each
        for kind in found.constant_buffers
        if kind.name == buffer
        for each in kind.variables
    }


def test_one_executable_is_one_reflection() -> None:
    found = shbin.simple().reflect()
    assert (found.format, found.code, found.stage) == ("shbin", "pica", Stage.VERTEX)
    assert found.entry_point == "main"
    assert found.entry_points == []
    assert found.complete


@pytest.mark.parametrize("types", [[0], [1], [7], [0, 1], [0, 0, 9], []])
def test_the_identity_agrees_with_the_reflection(types: list[int]) -> None:
    shader = shbin.simple()
    shader.dvles[:] = [Dvle(type=each) for each in types]
    first, found = shader.identity(), shader.reflect()
    assert (first.stage, first.entry_point) == (found.stage, found.entry_point)
    entries = [
        [(each.stage, each.entry_point) for each in one.entry_points] for one in (first, found)
    ]
    assert entries[0] == entries[1]
    assert len(entries[0]) == (len(types) if len(types) != 1 else 0)


def test_inputs_are_read_or_named_registers() -> None:
    shader = shbin.simple(uniforms=[Uniform(symbol="normal", start=2, end=3)])
    rows = [(row.semantic, row.index, row.register, row.used) for row in shader.reflect().inputs]
    assert rows == [("normal", 0, 2, ""), ("normal", 1, 3, ""), ("v0", 0, 0, "xyzw")]


def test_outputs_by_meaning() -> None:
    """One register may mean several things, by component."""
    rows = [
        Output(type=OutputType.TEXCOORD0, register=0, mask=3),
        Output(type=OutputType.TEXCOORD0W, register=0, mask=4),
        Output(type=OutputType.DUMMY, register=8, mask=15),
        Output(type=7, register=2, mask=1),
    ]
    found = shbin.simple(outputs=rows).reflect().outputs
    assert [(row.semantic, row.components, row.used) for row in found] == [
        ("texcoord0", "xy", "xy"),
        ("texcoord0w", "z", "z"),
        ("dummy", "xyzw", ""),
        ("unknown_7", "x", ""),
    ]
    assert [row.system_value for row in found] == [
        SystemValue.TEXCOORD0,
        SystemValue.TEXCOORD0W,
        None,
        "unknown_7",
    ]


def test_uniforms_are_register_files() -> None:
    code = shbin.words(
        ("ifu", {"bool_id": 1, "target": 2, "num": 0}),
        ("mov", {"dst": "r0", "src1": "c17", "desc": 0}),
        ("mov", {"dst": "o0", "src1": "c95", "desc": 0}),
        ("end",),
    )
    shader = shbin.simple(
        end=4,
        constants=shbin.constants(),
        uniforms=[
            Uniform(symbol="bones", start=0x10, end=0x1F),
            Uniform(symbol="tint", start=0x20, end=0x20),
            Uniform(symbol="lit", start=0x79, end=0x79),
        ],
    )
    shader.dvlp.code = code
    found = shader.reflect()
    assert [each.kind for each in found.constant_buffers] == [BufferKind.UNIFORMS] * 3
    floats = variables(found, "c")
    assert (floats["bones"].offset, floats["bones"].size, floats["bones"].used) == (0, 256, False)
    assert floats["bones"].type.elements == [16]
    assert floats["c17"].used
    assert floats["c95"].value == [1.0, -1.0, 0.5, 0.0]
    assert variables(found, "i")["i2"].value == [3, 0, 1, 0]
    assert variables(found, "b")["lit"].value is True
    assert variables(found, "b")["lit"].used


def test_values_of_an_array_are_a_list() -> None:
    """Of c93 to c95 only the last one has a value, which is that of a lone register."""
    shader = shbin.simple(
        constants=shbin.constants(),
        uniforms=[
            Uniform(symbol="several", start=0x6D, end=0x6F),
            Uniform(symbol="none", start=0x10, end=0x11),
        ],
    )
    floats = variables(shader.reflect(), "c")
    assert floats["several"].value == [None, None, [1.0, -1.0, 0.5, 0.0]]
    assert floats["several"].size == 48
    assert floats["none"].value is None


def test_a_relative_address_uses_the_array() -> None:
    code = shbin.words(
        ("mov", {"dst": "o0", "src1": "c1", "idx": 1, "desc": 0}),
        ("end",),
    )
    shader = shbin.simple(uniforms=[Uniform(symbol="bones", start=0x10, end=0x1F)])
    shader.dvlp.code = code
    found = shader.reflect()
    assert variables(found, "c")["bones"].used
    assert found.statistics is not None
    assert found.statistics.array_instructions == 1


def test_several_executables_share_a_reflection() -> None:
    found = shbin.pair().reflect()
    assert found.stage is None
    assert [each.stage for each in found.entry_points] == [Stage.VERTEX, Stage.GEOMETRY]
    assert [len(each.inputs) for each in found.entry_points] == [1, 0]
    geometry = found.entry_points[1]
    assert geometry.global_flags == ["mergeOutputs"]
    assert geometry.geometry is not None
    assert geometry.geometry.mode is GeometryMode.FIXED
    assert (geometry.geometry.input_vertices, geometry.geometry.first_uniform) == (4, 8)
    assert geometry.statistics is not None
    assert geometry.statistics.emits == 1


def test_code_that_cannot_be_followed() -> None:
    shader = shbin.simple()
    shader.dvlp.code = shbin.words(("ifu", {"target": 400}), *shbin.PASS)
    found = shader.reflect()
    assert not found.complete
    assert found.notes


def test_an_object_has_a_reflection() -> None:
    found = shbin.object_file().reflect()
    assert (found.format, found.stage) == ("dvoj", Stage.VERTEX)
    assert found.geometry is None


@pytest.mark.parametrize("name", shbin.one_of_each())
def test_plain_data_matches_the_schema(name: str) -> None:
    shader = unshade.loads(shbin.one_of_each()[name])
    plain: dict[str, Any] = shader.reflect().to_dict()
    assert not violations(plain, schema())


def test_nothing_is_executable() -> None:
    found = Shbin().reflect()
    assert found.stage is None
    assert found.entry_points == []


def test_registers_a_relative_address_may_reach_are_used() -> None:
    """c4[a0.x] may be any register from c4 on, whatever it is called."""
    shader = unshade.assemble(
        """
        .fvec first[4], base, bones[8]
        .out - position o0
        .setf c20(1, 2, 3, 4)
        .proc main
            mova a0.x, v0
            mov o0, base[a0.x]
            end
        .end
        """,
        "shbin",
    )
    used = {name: each.used for name, each in variables(shader.reflect(), "c").items()}
    assert used == {"first": False, "base": True, "bones": True, "c20": True}
    assert "shbin.constant-unused" not in [each.code for each in shader.verify()]
