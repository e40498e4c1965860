"""Root signatures of three versions, and the payload that a parameter's kind chooses."""

import struct

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import root_signature, typed
from unshade import FormatError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.rts0 import (
    Constants,
    Descriptor,
    DescriptorTable,
    Parameter,
    SerializedRootSignature,
    StaticSamplerDescription,
)


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


@pytest.mark.parametrize("version", [1, 2, 3])
def test_each_version(version: int) -> None:
    found = load(typed("RTS0", root_signature(version)))["RTS0"]
    assert found == root_signature(version)
    kinds = [type(parameter.payload) for parameter in found.parameters]
    assert kinds == [DescriptorTable, Constants, Descriptor]


def test_fields_by_version() -> None:
    sizes = [len(typed("RTS0", root_signature(version))) for version in (1, 2, 3)]
    assert sizes[1] - sizes[0] == 8, "flags of a range and of a descriptor"
    assert sizes[2] - sizes[1] == 4, "flags of a static sampler"


def test_an_unknown_kind_of_parameter() -> None:
    data = struct.pack("<6I", 1, 1, 24, 0, 0, 0) + struct.pack("<3I", 9, 0, 36) + bytes(12)
    shader = load(container([("RTS0", data)]))
    assert shader["RTS0"] == data
    (found,) = shader.diagnostics
    assert "expected one of 0, 1, 2, 3, 4, got 9" in found.message
    assert found.path == "RTS0.parameters[0].payload"


def test_bits_of_floats_survive() -> None:
    raw = bytearray(
        typed("RTS0", SerializedRootSignature(version=1, samplers=[StaticSamplerDescription()]))
    )
    at = raw.index(b"RTS0") + 8 + 24 + 16
    for bits in (0x7F800001, 0xFFC12345, 0x80000000, 0x00000001, 0x7F7FFFFF):
        raw[at : at + 4] = bits.to_bytes(4, "little")
        shader = load(bytes(raw))
        _ = shader["RTS0"].samplers[0].mip_lod_bias
        assert shader.to_bytes() == bytes(raw)
        assert unshade.from_data(shader.to_data()).to_bytes() == bytes(raw)
        assert unshade.from_yaml(unshade.to_yaml(shader)).to_bytes() == bytes(raw)


def test_a_payload_of_another_kind_is_refused() -> None:
    with pytest.raises(unshade.EncodeError) as caught:
        typed(
            "RTS0",
            SerializedRootSignature(
                version=1, parameters=[Parameter(kind=1, payload=Descriptor())]
            ),
        )
    assert caught.value.path.endswith("parameters[0].payload")
    with pytest.raises(FormatError, match="unexpected field"):
        unshade.from_data(
            {
                "format": "dxcontainer",
                "parts": [
                    {
                        "name": "RTS0",
                        "fields": {
                            "version": 1,
                            "parameters": [{"kind": 9, "visibility": 0, "payload": {}}],
                            "samplers": [],
                            "flags": 0,
                        },
                    }
                ],
            }
        )
