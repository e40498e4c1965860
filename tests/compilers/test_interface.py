"""Changes of an interface, by name."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

import unshade
from tests.examples import EXAMPLES
from unshade.compilers.interface import interface_changes
from unshade.model import Reflection


def reflections(name: str) -> tuple[Reflection, Any]:
    found = unshade.open(EXAMPLES / name).reflect()
    return found, deepcopy(found)


def test_the_same_interface_has_no_changes() -> None:
    for path in sorted(EXAMPLES.glob("*.dxbc")) + sorted(EXAMPLES.glob("*.spv")):
        before, after = reflections(path.name)
        assert interface_changes(before, after) == [], path


def _rename(row: Any, name: str) -> None:
    row.semantic = name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: _rename(r.inputs[1], "NORMAL"), ["input NORMAL1 is new"]),
        (lambda r: setattr(r.inputs[1], "register", 7),
         ["input TEXCOORD1: register is 7, was 1"]),
        (lambda r: setattr(r.inputs[1], "components", "xyzw"),
         ["input TEXCOORD1: components are xyzw, were xy"]),
        (lambda r: setattr(r.inputs[1], "component_type", "uint32"),
         ["input TEXCOORD1: type is uint32, was float32"]),
        (lambda r: r.inputs.pop(), []),
        (lambda r: r.outputs.pop(), ["output SV_Target1 is missing"]),
        (lambda r: setattr(r.outputs[0], "components", "xyz"),
         ["output SV_Target: components are xyz, were xyzw"]),
        (lambda r: r.resources.pop(0), []),
        (lambda r: setattr(r.resources[0], "register", 9), ["sampler _tex_sampler (s9) is new"]),
        (lambda r: setattr(r.resources[2], "dimension", "3d"),
         ["texture tex (t1): dimension is 3d, was 2d"]),
        (lambda r: setattr(r.resources[2], "return_type", "uint"),
         ["texture tex (t1): type is uint, was float"]),
        (lambda r: setattr(r.constant_buffers[0], "size", 176),
         ["constant buffer U (b0): size is 176 bytes, was 160"]),
        (lambda r: setattr(r, "features", ["doubles"]), ["feature doubles is new"]),
        (lambda r: setattr(r, "model", "5.1"), ["version of the code is 5.1, was 5.0"]),
        (lambda r: setattr(r, "model", "4.0"), []),
        (lambda r: setattr(r, "stage", "vertex"), ["stage is vertex, was pixel"]),
    ],
)  # fmt: skip
def test_changes(change: Any, said: list[str]) -> None:
    before, after = reflections("phong.dxbc")
    change(after)
    assert interface_changes(before, after) == said


def test_a_variable_between_the_old_ones_is_new() -> None:
    before, after = reflections("phong.dxbc")
    added = deepcopy(after.constant_buffers[0].variables[0])
    added.name, added.offset = "wobble", 144
    gap = before.constant_buffers[0]
    gap.variables = [each for each in gap.variables if each.offset != 144]
    after.constant_buffers[0].variables.append(added)
    (said,) = {each for each in interface_changes(before, after) if "wobble" in each}
    assert said == "constant buffer U (b0): variable wobble at byte 144 is new"


def test_settings_of_stages() -> None:
    before, after = reflections("saxpy.dxbc")
    after.thread_group = [8, 8, 1]
    assert interface_changes(before, after) == ["program: thread group is 8 8 1, was 64 1 1"]
    before, after = reflections("sheet.d.dxbc")
    after.tessellation.domain = "tri"
    assert interface_changes(before, after) == ["tessellation: domain is tri, was quad"]


def test_specialisation_constants_cannot_be_dropped() -> None:
    before, after = reflections("clay.frag.spv")
    after.specialisation_constants = []
    assert interface_changes(before, after) == ["specialisation constant SHININESS is missing"]


def test_an_array_holds_its_elements() -> None:
    before, after = reflections("phong.dxbc")
    del before.resources[3], after.resources[3]
    before.resources[2].count = 4
    after.resources[2].register, after.resources[2].count = 3, 2
    assert interface_changes(before, after) == []
    after.resources[2].count = 3
    assert interface_changes(before, after) == ["texture tex (t3) is new"]
    before.resources[2].count = None
    assert interface_changes(before, after) == []
