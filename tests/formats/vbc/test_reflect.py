"""The reflection in the words of all formats."""

import unshade
from tests.fixtures.vbc import VERT, made, module, with_objects
from unshade.formats.vbc.records import SubpassForm
from unshade.model import Stage, TypeClass


def test_each_stage_has_what_its_masks_say() -> None:
    found = made().reflect()
    vert, frag = found.entry_points
    assert (vert.stage, frag.stage) == (Stage.VERTEX, Stage.PIXEL)
    assert [(each.register, each.components) for each in vert.inputs] == [(0, "xyz")]
    assert [each.system_value for each in frag.outputs] == ["target"]
    slots = [each for each in frag.resources if each.register_class]
    assert [each.where for each in slots] == ["slot1", "slot2"]
    assert [each.where for each in vert.resources] == ["set 1, binding 0"]
    sampler, buffer = slots
    assert (sampler.kind, sampler.dimension, sampler.return_type) == (
        "combined_sampler", "2d", "float",
    )  # fmt: skip
    assert (buffer.kind, buffer.writable, buffer.stride) == ("structured_buffer", True, 16)
    assert not found.resources


def test_the_uniform_block_has_its_members() -> None:
    (block,) = made().reflect().entry_points[0].constant_buffers
    mvp, mode = block.variables
    assert (mvp.name, mvp.offset, mvp.size) == ("mvp", 0, 64)
    assert (mvp.type.type_class, mvp.type.matrix_stride) == (TypeClass.MATRIX_COLUMNS, 16)
    assert (mode.name, mode.offset, mode.type.scalar) == ("mode", 64, "uint")
    assert block.size == 68


def test_what_no_stage_uses_belongs_to_the_whole() -> None:
    shader = made()
    shader.record.bindings[0].stages = 0
    assert [each.where for each in shader.reflect().resources] == ["slot1"]
    assert not shader.reflect().constant_buffers
    shader.record.uniform.stages = 0
    (block,) = shader.reflect().constant_buffers
    assert [each.name for each in block.variables] == ["mvp", "mode"]


def test_the_type_of_a_subpass_object_comes_from_the_module() -> None:
    shader = with_objects(SubpassForm.LIBSTDCXX)
    (subpass,) = (each for each in shader.reflect().entry_points[1].resources if each.space == 2)
    assert (subpass.register, subpass.return_type) == (0, "float")


def test_what_the_modules_say_is_joined_with_what_the_file_says() -> None:
    vert, frag = made().reflect().entry_points
    assert [each.register for each in vert.outputs] == [0]
    assert vert.statistics is not None
    assert vert.statistics.instructions
    tables = {each.where: each.count for each in frag.resources if each.count != 1}
    assert tables == {"set 0, binding 0": 8192, "set 0, binding 2": 512}
    shader = made()
    shader.record.uniform.members[0].name = "renamed"
    (block,) = shader.reflect().entry_points[0].constant_buffers
    assert block.variables[0].name == "renamed"


def test_sections_of_stages_that_are_missing_belong_to_the_whole() -> None:
    shader = unshade.pack([module(VERT)], "vbc", {"outputs": made().to_data()["outputs"]})
    assert [each.semantic for each in shader.reflect().outputs] == ["out0"]
