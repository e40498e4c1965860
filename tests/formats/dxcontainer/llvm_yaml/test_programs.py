"""DXIL and SFI0 in LLVM's YAML."""

from typing import Any

import pytest

import unshade
from unshade import FormatError
from unshade.formats.dxcontainer.llvm_yaml.names import FEATURES
from unshade.formats.dxcontainer.llvm_yaml.programs import features_data, program_data
from unshade.formats.dxcontainer.parts import kind_of

PROGRAM = {
    "MajorVersion": "6",
    "MinorVersion": "5",
    "ShaderKind": "5",
    "DXILMajorVersion": "1",
    "DXILMinorVersion": "4",
}


def read(name: str, data: bytes) -> Any:
    kind = kind_of(name)
    assert kind is not None
    return kind.read(name, data, unshade.Limits())


def test_a_program() -> None:
    data = program_data(PROGRAM | {"DXIL": ["0x42", "0x43"], "Size": "9"}, "", 30)
    found = read("DXIL", data)
    assert (found.version, found.bitcode) == (0x50065, b"BC")
    assert (found.dxil_version, found.size) == (0x104, 9)
    assert program_data(PROGRAM, "", 24)[4:8] == (24).to_bytes(4, "little"), "in bytes, as LLVM"


def test_the_size_of_the_bitcode() -> None:
    filled = program_data(PROGRAM | {"DXILSize": "4", "DXIL": ["1"]}, "", 40)
    assert filled[24:] == b"\1\0\0\0"
    with pytest.raises(FormatError, match="expected a part of at least 4294967319 bytes"):
        program_data(PROGRAM | {"DXILSize": "4294967295"}, "", 40)
    with pytest.raises(FormatError, match="expected DXILSize to be 1, got 0"):
        program_data(PROGRAM | {"DXILSize": "0", "DXIL": ["1"]}, "", 40)
    with pytest.raises(FormatError, match="expected an offset from 16 on"):
        program_data(PROGRAM | {"DXILOffset": "8"}, "", 40)
    assert len(program_data(PROGRAM | {"DXILOffset": "20"}, "", 40)) == 28


def test_features() -> None:
    old = dict.fromkeys([*FEATURES[:31], "NextUnusedBit"], "false")
    assert features_data(old | {"WaveOps": "true"}, "") == (1 << 14).to_bytes(8, "little")
    assert features_data(old | {"NextUnusedBit": "true"}, "") == (1 << 31).to_bytes(8, "little")
    new = dict.fromkeys([*FEATURES, "NextUnusedBit"], "false")
    assert features_data(new | {"NextUnusedBit": "true"}, "") == (1 << 33).to_bytes(8, "little")
    with pytest.raises(FormatError, match="expected the key 'Doubles'"):
        features_data({}, "")
