"""Edited reflections written back."""

from __future__ import annotations

import pytest

import unshade
from tests.programs.spirv.editing.test_edits import TWO
from tests.programs.spirv.modules import SAXPY
from unshade import SpirvModule


def saxpy() -> SpirvModule:
    made = unshade.assemble(SAXPY.read_text("utf-8"))
    assert isinstance(made, SpirvModule)
    return made


def test_places_and_names_are_written() -> None:
    shader = saxpy()
    found = shader.reflect()
    first, second = found.resources
    first.space, first.register, second.name = 3, second.register, "results"
    found.constant_buffers[0].variables[0].name = "factor_of_x"
    shader.write_back(found)
    again = shader.reflect()
    assert again.resources == found.resources
    assert again.constant_buffers[0].variables == found.constant_buffers[0].variables


def test_defaults_of_specialisation_are_written() -> None:
    shader = unshade.assemble(TWO, target="vulkan1.1")
    assert isinstance(shader, SpirvModule)
    found = shader.reflect()
    for entry in found.entry_points:
        entry.specialisation_constants[0].default = 12
        entry.specialisation_constants[0].name = "n"
    shader.write_back(found)
    assert "%n = OpSpecConstant %uint 12" in shader.disassemble()


def test_entry_points_may_not_contradict_each_other() -> None:
    unused = "%y = OpVariable %p Uniform\n%z = OpVariable %p Uniform"
    text = TWO.replace("%y = OpVariable %p Uniform", unused)
    shader = unshade.assemble(
        text.replace("OpDecorate %n", "OpDecorate %z Binding 7\nOpDecorate %n")
    )
    assert isinstance(shader, SpirvModule)
    found = shader.reflect()
    for number, entry in enumerate(found.entry_points):
        entry.resources[-1].register = number
    with pytest.raises(unshade.UsageError, match="two entry points give different values"):
        shader.write_back(found)


def test_what_follows_from_the_code_is_refused() -> None:
    shader = saxpy()
    before = shader.to_bytes()
    found = shader.reflect()
    found.resources[0].count = 5
    with pytest.raises(unshade.UsageError, match="count of Resource cannot be written back"):
        shader.write_back(found)
    found = shader.reflect()
    found.resources.pop()
    with pytest.raises(unshade.UsageError, match="expected 2 rows, got 1"):
        shader.write_back(found)
    assert shader.to_bytes() == before


def test_rename() -> None:
    shader = saxpy()
    shader.rename("X.x", "values")
    assert 'OpMemberName %X 0 "values"' in shader.disassemble()
