"""A DXIL container edited as YAML: derived fields follow, and explicit ones are kept."""

import hashlib
from typing import Any

import pytest

import unshade
from tests.fixtures.one_of_each import typed
from tests.programs.dxil.modules import SAXPY
from unshade import FormatError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.hash import DxilShaderHash


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


def plain() -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the plain data of a file of dxc, and the fields of its parts by name."""
    data = load(SAXPY.read_bytes()).to_data()
    return data, {part["name"]: part["fields"] for part in data["parts"]}


def built(data: dict[str, Any]) -> DxContainer:
    """Return the container after the way through its bytes, which must be a valid file."""
    shader = load(unshade.from_data(data).to_bytes())
    assert shader.digest_state == "retail"
    assert not shader.diagnostics
    return shader


@pytest.mark.slow
def test_derived_fields_are_left_out() -> None:
    data, fields = plain()
    assert "digest" not in data
    assert fields["HASH"] == {"flags": 0}
    assert not {"resource_count", "resource_size", "strings", "indices"} & fields["PSV0"].keys()
    assert unshade.from_data(data).to_bytes() == SAXPY.read_bytes()
    text = unshade.to_yaml(load(SAXPY.read_bytes()))
    assert unshade.from_yaml(text).to_bytes() == SAXPY.read_bytes()


@pytest.mark.slow
def test_an_edit_of_the_bitcode_sets_hash_sizes_and_digest() -> None:
    data, fields = plain()
    text = unshade.to_yaml(load(SAXPY.read_bytes()))
    program = load(SAXPY.read_bytes())["DXIL"]
    program.version ^= 1
    fields["DXIL"].update(program.to_data())
    fields["DXIL"]["trailing"] = "00000000"
    shader = built(data)
    bitcode = shader["DXIL"].bitcode_bytes()
    assert shader["HASH"].digest == hashlib.md5(bitcode).digest()
    assert len(shader.to_bytes()) == len(SAXPY.read_bytes()) + 4
    assert text != unshade.to_yaml(shader)


def test_the_hash_follows_each_edit_of_a_program() -> None:
    shader = load(SAXPY.read_bytes())
    for kept in ("trailing", "gap"):
        setattr(shader["DXIL"], kept, bytes(4))
        assert shader.to_bytes()
    assert shader["HASH"].digest == load(SAXPY.read_bytes())["HASH"].digest  # of the bitcode
    for number in (1, 2):
        bitcode = shader["DXIL"].bitcode_bytes()
        shader["DXIL"].bitcode = bitcode + bytes(4 * number)
        again = load(shader.to_bytes())
        found = hashlib.md5(again["DXIL"].bitcode_bytes()).digest()
        assert again["HASH"].digest == shader["HASH"].digest == found
        assert again.digest_state == "retail"


def test_a_hash_that_was_set_is_kept() -> None:
    shader = load(SAXPY.read_bytes())
    shader["HASH"].digest = bytes(16)
    shader["DXIL"].bitcode = shader["DXIL"].bitcode_bytes() + bytes(4)
    assert load(shader.to_bytes())["HASH"].digest == bytes(16)


def test_a_hash_of_something_else_is_kept() -> None:
    data = load(SAXPY.read_bytes())
    data["HASH"].digest = bytes(range(16))
    shader = load(data.to_bytes())
    shader["DXIL"].bitcode = shader["DXIL"].bitcode_bytes() + bytes(4)
    assert load(shader.to_bytes())["HASH"].digest == bytes(range(16))


def test_an_edit_of_psv0_moves_what_follows() -> None:
    data, fields = plain()
    fields["PSV0"]["entry_point"] = "a_much_longer_name"
    fields["PSV0"]["resources"].append(fields["PSV0"]["resources"][0] | {"lower_bound": 7})
    shader = built(data)
    assert shader["PSV0"].entry_point == "a_much_longer_name"
    assert [each.lower_bound for each in shader["PSV0"].resources] == [0, 0, 1, 7]
    assert shader["DXIL"].to_data() == load(SAXPY.read_bytes())["DXIL"].to_data()


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("HASH", "digest", "00" * 16),
        ("PSV0", "resource_count", 9),
        ("PSV0", "string_size", 4),
        ("PSV0", "input_count", 3),
        ("DXIL", "size", 1),
    ],
)
def test_explicit_fields_make_broken_files(part: str, field: str, value: Any) -> None:
    data, fields = plain()
    fields[part][field] = value
    made = unshade.from_data(data).to_bytes()
    assert made != SAXPY.read_bytes()
    shader = load(made)
    assert shader.digest_state == "retail"
    if not shader.diagnostics:
        again = next(each for each in shader.to_data()["parts"] if each["name"] == part)
        assert again["fields"][field] == value
    assert unshade.from_data(shader.to_data()).to_bytes() == made


def test_an_explicit_size_and_digest_of_the_container() -> None:
    data, _ = plain()
    made = unshade.from_data(data | {"size": 5, "digest": "11" * 16}).to_bytes()
    assert made[4:20] == b"\x11" * 16
    assert made[24:28] == b"\5\0\0\0"


def test_a_hash_without_a_program() -> None:
    shader = load(typed("HASH", DxilShaderHash(flags=0, digest=bytes(range(16)))))
    assert shader.to_data()["parts"][0]["fields"]["digest"] == bytes(range(16)).hex()
    nothing = {"format": "dxcontainer", "parts": [{"name": "HASH", "fields": {"flags": 0}}]}
    assert load(unshade.from_data(nothing).to_bytes())["HASH"].digest == bytes(16)


def test_psv0_may_have_its_size_only() -> None:
    data, fields = plain()
    size = fields["PSV0"]["info_size"]
    fields["PSV0"].clear()
    fields["PSV0"] |= {"info_size": size}
    assert unshade.from_data(data).to_bytes() == SAXPY.read_bytes()
    fields["PSV0"] |= {"threads_x": 5}
    shader = built(data)
    assert (shader["PSV0"].threads_x, shader["PSV0"].threads_y) == (5, 1)
    assert "min_wave_lanes" not in fields["PSV0"]


def test_psv0_without_a_program_that_can_be_read_is_not_derived() -> None:
    data, fields = plain()
    fields["PSV0"].clear()
    fields["PSV0"] |= {"info_size": 52}
    program = next(part for part in data["parts"] if part["name"] == "DXIL")
    del program["fields"]
    program["data"] = "00" * 8
    with pytest.raises(FormatError, match="stage"):
        unshade.from_data(data)


def test_other_required_fields_stay_required() -> None:
    data, fields = plain()
    del fields["PSV0"]["info_size"]
    with pytest.raises(FormatError, match="info_size"):
        unshade.from_data(data)
