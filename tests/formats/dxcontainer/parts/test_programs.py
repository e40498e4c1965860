"""Parts with programs: their version tokens, and the spans of damaged ones."""

from __future__ import annotations

import struct

import pytest

from tests.programs.dxil.modules import minimal
from unshade.formats.dxcontainer.parts import dxil, program
from unshade.limits import DEFAULT
from unshade.programs.dxil import Program as DxilProgram
from unshade.programs.tpf import Program

CODE = Program.assemble("ps_5_0\ndcl_temps 1\nadd r0.x, r0.x, r0.x\nret\n")


def test_version_tokens() -> None:
    assert program.version_token(CODE) == bytes((0x50, 0, 0, 0))
    assert program.version_token(b"") is None
    code = DxilProgram.decode(minimal("vs", 5))
    assert dxil.version_token(code) == bytes((0x65, 0, 1, 0))
    assert dxil.version_token(CODE) is None
    code.version = 0x1_2345_6789
    assert dxil.version_token(code) == bytes((0x89, 0x67, 0x45, 0x23))


@pytest.mark.parametrize("declared", [0, 1, 9, 0xFFFF_FFFF])
def test_the_length_that_a_damaged_program_declares(declared: int) -> None:
    data = bytearray(CODE.encode())
    data[4:8] = struct.pack("<I", declared)
    kind = program.PARTS["SHEX"].kind
    assert kind is not None
    spans = {each.path: each for each in kind.intact_spans("SHEX", bytes(data))}
    assert (spans["length"].offset, spans["length"].value) == (4, declared)


@pytest.mark.parametrize(("size", "some"), [(0, False), (7, False), (8, True), (12, True)])
def test_spans_of_cut_programs(size: int, some: bool) -> None:
    kind = program.PARTS["SHEX"].kind
    assert kind is not None
    assert bool(kind.intact_spans("SHEX", CODE.encode()[:size])) is some


def test_a_program_up_to_the_damage() -> None:
    data = CODE.encode()
    found, problem = program.decode_intact(data, DEFAULT)
    assert problem is None
    assert found is not None
    assert [each.name for each in found.instructions] == ["dcl_temps", "add", "ret"]
    cut, problem = program.decode_intact(data[:-8], DEFAULT)
    assert problem is not None
    assert cut is not None
    assert [each.name for each in cut.instructions] == ["dcl_temps"]
