"""VBC files: parts, modules, edits, plain data."""

import pytest

import unshade
from tests.fixtures.vbc import FRAG, VERT, made, module
from tests.formats.sizes import check_size_is_limited
from unshade import EncodeError, FormatError, Vbc
from unshade.formats.vbc.records import UniformMember
from unshade.parts import Category


def test_parts_are_the_reflection_and_the_modules() -> None:
    shader = made()
    assert list(shader) == ["VBC", "vert", "frag"]
    assert shader["vert"] is shader.programs[0]
    assert [each.category for each in shader.parts] == [Category.INTERFACE, *[Category.CODE] * 2]
    assert b"".join(each.data for each in shader.parts) == shader.to_bytes()


def test_an_edit_of_a_module_is_written_with_its_size() -> None:
    shader = made()
    before = shader.record.frag
    program = shader["frag"]
    program.module.instructions.append(program.module.instructions[0])
    again = unshade.loads(shader.to_bytes())
    assert isinstance(again, Vbc)
    assert len(again.record.frag) == len(before) + 8
    assert again.record.frag_words is None
    assert again.programs == shader.programs


def test_new_bytes_of_a_stage_replace_an_edited_module() -> None:
    shader = made()
    shader["frag"].module.instructions.clear()
    shader.record.frag = module(FRAG)
    assert shader.to_bytes() == made().to_bytes()


def test_a_module_of_too_many_words_is_refused() -> None:
    shader = made()
    shader.record.frag = module(FRAG) + bytes(4 * 65536)
    with pytest.raises(EncodeError, match="does not fit u16"):
        shader.to_bytes()


def test_a_module_that_is_not_words_is_refused() -> None:
    shader = made()
    shader.record.frag = module(FRAG) + b"x"
    with pytest.raises(EncodeError):
        shader.to_bytes()


def test_stages_that_are_not_spirv_are_kept_as_bytes() -> None:
    shader = made(frag=b"none of it..")
    again = unshade.loads(shader.to_bytes())
    assert again.to_data()["frag"] == b"none of it..".hex()
    assert again["frag"] == b"none of it.."
    assert [each.code for each in again.diagnostics] == ["vbc.module"]
    assert again.diagnostics[0].offset == again.parts["frag"].offset
    assert unshade.from_data(again.to_data()).to_bytes() == shader.to_bytes()
    assert "not SPIR-V" in again.reflect().notes[-1]


def test_a_file_without_stages() -> None:
    data = Vbc().to_bytes()
    again = unshade.loads(data)
    assert (len(data), again.to_bytes()) == (43, data)
    assert [each.code for each in again.verify()] == ["vbc.loader"]
    assert unshade.assemble(again.disassemble("exact")).to_bytes() == data
    assert unshade.from_yaml(unshade.to_yaml(again)).to_bytes() == data


def test_names_that_are_not_utf8_are_kept() -> None:
    shader = made()
    shader.record.uniform.members[0].name = "\udcffm"
    again = unshade.from_yaml(unshade.to_yaml(shader))
    assert again.to_bytes() == shader.to_bytes()
    assert b"\x02\xffm" in shader.to_bytes()


def test_plain_data_names_what_does_not_fit() -> None:
    data = made().to_data()
    data["inputs"][0]["base"] = "HALF"
    with pytest.raises(FormatError) as caught:
        unshade.from_data(data)
    assert caught.value.path == "VBC.inputs[0].base"
    with pytest.raises(FormatError, match="expected one of DOCUMENTED, LIBSTDCXX"):
        unshade.from_data({**made().to_data(), "subpass_form": "BOOST"})


def test_strip_removes_the_debug_names_of_modules() -> None:
    shader = made()
    (lost,) = shader.strip()
    assert (lost.part, lost.category) == ("vert debug information", "debug")
    assert not [each for each in shader.programs[0].instructions if "Name" in each.name]
    names = [each.name for each in shader.record.uniform.members]
    assert names == ["mvp", "mode"]


def test_extract_writes_a_file_for_each_module() -> None:
    shader = made()
    assert shader.extract() == {"vert.spv": module(VERT), "frag.spv": module(FRAG)}


def test_every_byte_has_a_name() -> None:
    shader = made()
    paths = [each.path for each in shader.spans()]
    assert {"VBC.uniform.members[1].name", "vert.bound", "frag.instructions[0].opcode"} <= {*paths}
    assert all(each.kind != "raw" for each in shader.spans())


def test_a_difference_in_a_member_is_an_interface_change() -> None:
    shader = made()
    shader.record.uniform.members[1] = UniformMember(name="kind", offset=64, base=3)
    found = unshade.diff(made(), shader)
    assert found.categories == ["interface", "reflection"] or "reflection" in found.categories
    assert [each.path for part in found.parts for each in part.fields] == [
        "VBC.uniform.members[1].name"
    ]


def test_the_size_of_a_file_is_limited() -> None:
    check_size_is_limited(Vbc.loads, made().to_bytes())
