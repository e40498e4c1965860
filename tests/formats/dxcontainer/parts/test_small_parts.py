"""STAT, SFI0, HASH and IFCE."""

import struct

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import interfaces, typed
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.sfi0 import feature_names
from unshade.formats.dxcontainer.parts.stat import ShaderStatistics
from unshade.vocab.features import FEATURES


def load(name: str, data: bytes) -> DxContainer:
    shader = unshade.loads(container([(name, data)]))
    assert isinstance(shader, DxContainer)
    return shader


def test_words_of_stat_by_name() -> None:
    found = load("STAT", struct.pack("<37I", *range(37)))["STAT"]
    assert found.instruction_count == 0
    assert found.temp_register_count == 1
    assert found.mov_instruction_count == 19
    assert found.is_sample_frequency == 28
    assert found.gs_instance_count == 29
    assert found.texture_store_instructions == 36


def test_the_shorter_stat_has_no_words_of_model_5() -> None:
    assert len(typed("STAT", ShaderStatistics())) == 32 + 4 + 8 + 116
    data = load("STAT", bytes(116)).to_data()["parts"][0]["fields"]
    assert "is_sample_frequency" in data
    assert "gs_instance_count" not in data
    longer = load("STAT", bytes(148)).to_data()["parts"][0]["fields"]
    assert unshade.from_data(
        {"format": "dxcontainer", "parts": [{"name": "STAT", "fields": longer}]}
    ).to_bytes() == container([("STAT", bytes(148))])


@pytest.mark.parametrize("size", [0, 112, 120, 144, 152, 400])
def test_a_stat_of_another_length_is_kept(size: int) -> None:
    shader = load("STAT", bytes(size))
    _ = shader["STAT"]
    assert shader.to_bytes() == container([("STAT", bytes(size))])
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


def test_features_by_bit() -> None:
    assert feature_names(0) == []
    assert feature_names(1 << 0 | 1 << 11) == ["Doubles", "TypedUAVLoadAdditionalFormats"]
    assert feature_names(1 << 33 | 1 << 63) == ["bit 33", "bit 63"]
    assert len({each.name for each in FEATURES}) == len({each.listed for each in FEATURES}) == 33
    assert load("SFI0", (1 << 40).to_bytes(8, "little"))["SFI0"].flags == 1 << 40


def test_hash() -> None:
    found = load("HASH", struct.pack("<I", 1) + bytes(range(16)))["HASH"]
    assert (found.flags, found.digest) == (1, bytes(range(16)))
    found.digest = b"short"
    with pytest.raises(unshade.EncodeError, match="expected 16 bytes, got 5"):
        typed("HASH", found)


@pytest.mark.parametrize("name", ["IFCE", "ICFE"])
def test_both_spellings_of_interfaces(name: str) -> None:
    shader = unshade.loads(typed(name, interfaces()))
    assert isinstance(shader, DxContainer)
    found = shader[name]
    assert [each.name for each in found.classes] == ["Light"]
    assert [each.name for each in found.instances] == ["sun"]
    assert found.slots[0].type_ids == [0]


def test_a_slots_lists_have_equal_length() -> None:
    record = interfaces()
    record.slots[0].type_ids = [0, 1]
    with pytest.raises(unshade.EncodeError) as caught:
        typed("IFCE", record)
    assert caught.value.path == "IFCE.slots[0].table_ids"
    assert "expected 2 items, got 1" in caught.value.problem
