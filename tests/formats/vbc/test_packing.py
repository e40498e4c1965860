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
    shader = unshade.pack([module(other), module(FRAG)], "vbc")
    (found,) = shader.diagnostics
    assert (found.code, found.severity, found.path) == ("vbc.resource", "error", "vert")
    assert re.match(r"%[0-9]+: .*, got a uniform buffer", found.message)  # it has no name
    assert found.code in {each.code for each in shader.verify()}
    assert unshade.loads(shader.to_bytes()).diagnostics == []
