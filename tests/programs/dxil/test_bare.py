"""Programs without a container: the header that bitcode alone gets, and the ends of parts."""

from __future__ import annotations

import struct

import pytest

from tests.fixtures.bare_dxil import wrapped
from tests.programs.dxil.modules import MINIMAL, minimal
from tests.programs.dxil.nodes import Nodes
from unshade.errors import FormatError, UnsupportedError
from unshade.programs.dxil import Code, Program
from unshade.programs.dxil.bare import end_of_part, read_bitcode, versions

# By stage in metadata: the number of the version token.
STAGES = {"ps": 0, "vs": 1, "gs": 2, "hs": 3, "ds": 4, "cs": 5, "lib": 6, "ms": 13, "as": 14}


@pytest.mark.parametrize("stage", STAGES)
def test_versions_are_those_of_metadata(stage: str) -> None:
    for major, minor in ((6, 0), (6, 6), (6, 15), (7, 3)):
        nodes = Nodes()
        nodes.name("dx.version", [1, minor])
        nodes.name("dx.shaderModel", [stage, major, minor])
        token, version = versions(nodes.module)
        assert token == STAGES[stage] << 16 | major << 4 | minor
        assert version == 1 << 8 | minor


@pytest.mark.parametrize(
    "names",
    [
        {}, {"dx.version": [1, 0]}, {"dx.shaderModel": ["ps", 6, 0]},
        {"dx.version": [1, 0], "dx.shaderModel": ["xs", 6, 0]},
    ],
)  # fmt: skip
def test_metadata_without_versions(names: dict[str, list[object]]) -> None:
    nodes = Nodes()
    for name, numbers in names.items():
        nodes.name(name, numbers)
    with pytest.raises(FormatError, match=r"metadata: expected dx\.version and dx\.shaderModel"):
        versions(nodes.module)


@pytest.mark.parametrize(("stage", "minor"), [("ps", 0), ("vs", 5), ("lib", 3)])
def test_the_header_of_bitcode_is_that_of_a_part(stage: str, minor: int) -> None:
    data = minimal(stage, minor)
    for bitcode in (data[24:], wrapped(data[24:])):
        found = read_bitcode(Program, bitcode)
        assert isinstance(found, Program)
        assert (found.version, found.dxil_version) == (
            STAGES[stage] << 16 | 0x60 | minor,
            0x100 | minor,
        )
    assert read_bitcode(Code, data[24:]).encode() == data


def test_a_module_for_another_target() -> None:
    text = MINIMAL.format(
        stage="ps", minor=0, entry='void ()* @main, !"main"', interface="null, null"
    )
    code = Program.assemble(text.replace("dxil-ms-dx", "spir64"))
    with pytest.raises(
        UnsupportedError, match="expected a module for dxil-ms-dx, got one for spir"
    ):
        read_bitcode(Code, code.encode()[24:])


def part(size: int, words: int, offset: int = 16, more: int = 0) -> bytes:
    """Return a header for so many bytes of bitcode, these bytes, and more."""
    header = struct.pack("<II4sIII", 0x60, words, b"DXIL", 0x106, offset, size)
    return header + bytes(size + more)


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (part(8, 8), 32),  # 24 bytes of header and 8 of bitcode
        (part(8, 8, more=4), 32),
        (part(8, 9, more=4), 36),
        (part(8, 9), 32),  # it states more than there is
        (part(8, 7), 32),  # it states less than the bitcode needs
        (part(8, 7, more=4), 36),
        (part(8, 9, offset=20, more=4), 36),
        (part(8, 8, offset=20, more=4), 36),
        (part(0, 6), 24),
    ],
)
def test_the_end_of_a_part(data: bytes, end: int) -> None:
    assert end_of_part(data) == end


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (part(0, 6)[:23], "44 58 49 4c"), (b"", "nothing"), (bytes(10), "00 00"),
        (part(0, 6).replace(b"DXIL", b"DXBC"), "44 58 42 43"),
    ],
)  # fmt: skip
def test_what_is_no_part(data: bytes, got: str) -> None:
    with pytest.raises(FormatError, match=f"magic: expected b'DXIL', got {got}"):
        end_of_part(data)
