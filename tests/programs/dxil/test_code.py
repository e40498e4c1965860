"""The header of a program, and bitcode that cannot be read."""

import pytest

from tests.programs.dxil.modules import part, saxpy
from unshade.errors import EncodeError, FormatError
from unshade.programs.dxil import Code, Program
from unshade.programs.dxil.bitstream import Bitstream
from unshade.programs.dxil.spans import program_spans


def test_the_header() -> None:
    code = saxpy()
    assert (code.profile, code.shader_model, code.dxil_version) == ("cs_6_6", (6, 6), 0x106)
    assert code.kind == 5
    assert code.size is None
    assert code.problem is None


@pytest.mark.parametrize("name", [b"DXIL", b"STAT"])
def test_programs_are_written_as_they_were(name: bytes) -> None:
    data = part(name)
    code = Code.decode(data)
    assert code.encode() == data
    assert code.module.triple == "dxil-ms-dx"
    assert code.encode() == data


def test_what_is_only_read_is_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise AssertionError("nobody can have edited it")

    program = Program.decode(part())
    monkeypatch.setattr("unshade.programs.dxil.encode.encode_module", fail)
    assert program.is_readable
    assert program.disassemble()
    assert program.facts().stage == "compute"
    assert not program.verify()
    assert program.encode() == part()
    with pytest.raises(AssertionError):
        _ = program.module


def test_an_edit_of_the_module_is_read() -> None:
    code = saxpy()
    read = code.read_module()
    assert code.module is read is code.read_module()
    code.module.triple = "other"
    assert code.read_module().triple == "other"
    assert Code.decode(code.encode()).module.triple == "other"
    code.module = saxpy().module
    assert code.read_module().triple == "dxil-ms-dx"


def test_irregular_headers_are_kept() -> None:
    data = bytearray(part())
    data[4:8] = (5).to_bytes(4, "little")
    data[16:20] = (20).to_bytes(4, "little")
    data[24:24] = b"gap!"
    code = Code.decode(bytes(data) + b"more")
    assert (code.size, code.gap, code.trailing) == (5, b"gap!", b"more")
    assert code.encode() == bytes(data) + b"more"


def test_bitcode_that_cannot_be_read_is_kept() -> None:
    data = part()[:24] + b"\0" * (len(part()) - 24)
    code = Code.decode(data)
    assert "at 0x18, bitcode: expected the magic number" in str(code.problem)
    assert code.encode() == data
    with pytest.raises(FormatError, match="expected the magic number"):
        _ = code.module


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "expected a header of 24 bytes, got 0"),
        (bytes(24), "expected b'DXIL'"),
        (part()[:100], "expected bitcode in bytes 24 to 100"),
    ],
    ids=["empty", "zeros", "short"],
)
def test_what_is_no_program(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Code.decode(data)


def test_records_of_no_module_have_an_offset() -> None:
    code = saxpy()
    assert isinstance(code.bitcode, Bitstream)
    record = next(each for each in code.bitcode.blocks[0].records if each.code == 8)
    record.operands[0] = 1000
    span = next(
        each for each in program_spans(code) if each.path.endswith(".type") and each.value == 1000
    )
    with pytest.raises(
        FormatError, match=r"globals\[0\]: expected a type below .*, got 1000"
    ) as info:
        _ = code.module
    assert 0 <= span.offset - info.value.offset < 4


def test_a_header_that_does_not_fit() -> None:
    code = saxpy()
    code.version = 1 << 40
    with pytest.raises(EncodeError, match="expected numbers of 32 bits"):
        code.encode()
