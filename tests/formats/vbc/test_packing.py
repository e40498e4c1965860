"""Packing: the reflection is derived from the modules, or given, in part or as a whole."""

import re

import pytest

import unshade
from tests.fixtures.vbc import FRAG, VERT, made, module
from unshade import FormatError, UnsupportedError, UsageError, Vbc

SPIRV = [module(VERT), module(FRAG)]


def test_modules_in_any_order_as_bytes_or_shaders() -> None:
    shaders = [unshade.loads(each) for each in SPIRV]
    assert unshade.pack(shaders[::-1], "vbc").to_bytes() == made().to_bytes()


def test_the_reflection_is_derived() -> None:
    data = made().to_data()
    assert data["inputs"] == [{"location": 0, "base": "FLOAT", "rows": 3, "columns": 1, "count": 1}]
    assert [each["slot"] for each in data["bindings"]] == [1, 2]
    assert data["uniform"]["members"][0]["name"] == "mvp"
    assert data["subpasses"] == [{"type": "FLOAT", "count": 4}]


def test_a_section_that_is_given_counts() -> None:
    bindings = [{"slot": 9, "base": "RO_BUFFER", "stages": "none", "data": {"size": 8}}]
    shader = unshade.pack(SPIRV, "vbc", {"bindings": bindings})
    assert shader.to_data()["bindings"] == bindings
    assert shader.to_data()["outputs"] == made().to_data()["outputs"]


def test_the_plain_data_of_a_file_is_a_reflection() -> None:
    shader = made()
    shader.record.uniform.members[1].name = "other"
    again = unshade.pack(SPIRV, "vbc", shader.to_data())
    assert again.to_bytes() == shader.to_bytes()


def test_members_without_names_get_numbers() -> None:
    shader = made()
    shader.strip()
    again = unshade.pack([each.encode() for each in shader.programs], "vbc")
    assert isinstance(again, Vbc)
    assert [each.name for each in again.record.uniform.members] == ["member0", "member1"]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(UsageError, match="two modules of stage vert: module 0 and module 1"):
        unshade.pack([SPIRV[0], SPIRV[0]], "vbc")
    with pytest.raises(UsageError, match=r"two modules of stage vert: a\.spv and b\.spv"):
        unshade.pack({"a.spv": SPIRV[0], "b.spv": SPIRV[0]}, "vbc")
    with pytest.raises(UsageError, match="unknown section 'binding'"):
        unshade.pack(SPIRV, "vbc", {"binding": []})
    with pytest.raises(UsageError, match="expected a non-empty list of modules, got bytes"):
        unshade.pack(SPIRV[0], "vbc")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="reflection: expected plain data, got str"):
        unshade.pack(SPIRV, "vbc", "all")  # type: ignore[arg-type]
    with pytest.raises(FormatError) as caught:
        unshade.pack(SPIRV, "vbc", {"inputs": [{"location": 900}]})
    assert caught.value.path == "reflection.inputs[0].location"
    with pytest.raises(UnsupportedError, match="shbin does not pack spirv programs: expected none"):
        unshade.pack(SPIRV, "shbin")
    compute = VERT.replace("OpEntryPoint Vertex", "OpEntryPoint GLCompute")
    with pytest.raises(
        UsageError, match="expected an entry point of a graphics stage, got compute"
    ):
        unshade.pack([module(compute)], "vbc")


def test_modules_that_vega_does_not_bind_are_diagnosed() -> None:
    assert made().diagnostics == []
    other = VERT.replace("%uniform DescriptorSet 1", "%uniform DescriptorSet 0")
    named = other.replace('OpName %block "Globals"', 'OpName %outer "Globals"')
    for text, shown in (
        (other, r"%\d+"),
        (named, "Globals"),
    ):
        shader = unshade.pack([module(text), module(FRAG)], "vbc")
        (found,) = shader.diagnostics
        assert (found.code, found.severity, found.path) == ("vbc.resource", "error", "vert")
        assert re.match(rf"{shown}: .*, got a uniform buffer", found.message)
        assert found.code in {each.code for each in shader.verify()}
        assert unshade.loads(shader.to_bytes()).diagnostics == []


def test_subpass_inputs_that_do_not_follow_each_other_are_named() -> None:
    other = FRAG.replace("%attachment Binding 0", "%attachment Binding 3")
    for names, shown in [("", r"%[0-9]+"), ('OpName %attachment "depth"\n', "depth")]:
        text = other.replace("OpDecorate %fuv", f"{names}OpDecorate %fuv", 1)
        message = rf"expected subpass input 0 at set 2, got binding 3 \({shown} of frag\)"
        with pytest.raises(UsageError, match=message):
            unshade.pack([module(VERT), module(text)], "vbc")


@pytest.mark.parametrize("is_larger", [False, True])
def test_uniform_blocks_of_one_stage_are_one(is_larger: bool) -> None:
    """A second variable at set 1, binding 0, is the same memory: the larger block counts."""
    decorations = f"""
OpMemberName %two 0 "other"
OpDecorate %two Block
OpMemberDecorate %two 0 Offset {80 if is_larger else 16}
OpDecorate %second DescriptorSet 1
OpDecorate %second Binding 0
OpDecorate %pos Location 0
"""
    variables = """
%two = OpTypeStruct %uint
%p_two = OpTypePointer Uniform %two
%second = OpVariable %p_two Uniform
%main = OpFunction
"""
    text = VERT.replace("OpDecorate %pos Location 0\n", decorations.lstrip(), 1)
    text = text.replace("%main = OpFunction", variables.strip(), 1)
    text = text.replace(
        "%p = OpAccess", "%q = OpAccessChain %p_uint_u %second %zero\n%p = OpAccess", 1
    )
    text = text.replace('"main" %uniform', '"main" %uniform %second', 1)
    shader = unshade.pack([module(text)], "vbc")
    assert isinstance(shader, Vbc)
    found = shader.record.uniform
    names = ["other"] if is_larger else ["mvp", "mode"]
    assert [each.name for each in found.members] == names
    assert (found.size, found.stages) == (84 if is_larger else 68, 1)
    assert {each.code for each in shader.verify()}.isdisjoint(
        {"vbc.uniform-mismatch", "vbc.stages"}
    )
