"""RDAT, SRCI, PDBI, VERS, ILDN, DXIL and Aon9."""

import struct
import zlib

import pytest

import unshade
from tests.fixtures.containers import container
from tests.fixtures.one_of_each import library, pdb_info, sources, typed
from unshade.errors import FormatError, LimitError
from unshade.formats.dxcontainer import DxContainer
from unshade.formats.dxcontainer.parts.compression import inflated
from unshade.formats.dxcontainer.parts.dxil import Program as DxilProgram
from unshade.formats.dxcontainer.parts.rdat import RdatTable, RuntimeData
from unshade.formats.dxcontainer.parts.runtime.library import RdatFunction
from unshade.formats.dxcontainer.parts.srci import SourceContents
from unshade.formats.dxcontainer.parts.vers import CompilerVersion
from unshade.limits import DEFAULT, Limits


def load(data: bytes) -> DxContainer:
    shader = unshade.loads(data)
    assert isinstance(shader, DxContainer)
    return shader


def test_a_library() -> None:
    found = load(typed("RDAT", library()))["RDAT"]
    assert found == library()
    (function,) = found.records(4)
    assert (function.unmangled_name, function.dependencies) == ("go", ["fly"])


def test_older_and_newer_functions() -> None:
    for stride, later in ((44, b""), (52, b""), (60, b"NEWER...")):
        function = RdatFunction(name="f", later=later)
        if stride >= 52:
            function.min_wave_lanes, function.shader_info = 4, 1
        tables = [RdatTable(type=1), RdatTable(type=4, stride=stride, records=[function])]
        found = load(typed("RDAT", RuntimeData(tables=tables)))["RDAT"].records(4)[0]
        assert (found.name, found.later) == ("f", later)


def test_two_tables_of_texts() -> None:
    data = struct.pack("<4I", 0x10, 2, 16, 28) + struct.pack("<III", 1, 4, 0) * 2
    (found,) = load(container([("RDAT", data)])).diagnostics
    assert "a second table strings" in found.message


def test_sources() -> None:
    shader = load(typed("SRCI", sources()))
    (file,) = shader["SRCI"].files()
    assert file == ("main.hlsl", b"float4 main() : SV_Target { return 1; }")
    assert shader["SRCI"].arguments() == [("T", "ps_6_0"), ("E", "main")]


def test_sources_in_plain_data_can_be_edited() -> None:
    data = load(typed("SRCI", sources())).to_data()
    content = data["parts"][0]["fields"]["sections"][1]["content"]
    assert content["sources"] == ["float4 main() : SV_Target { return 1; }"]
    content["sources"] = ["another", "and one more"]
    edited = unshade.from_data(data)
    texts = edited["SRCI"].section(SourceContents).texts()
    assert texts == [b"another\0", b"and one more\0"]
    assert load(edited.to_bytes())["SRCI"].section(SourceContents).count == 2


def test_other_bytes_for_the_same_sources_are_kept() -> None:
    made = sources()
    contents = made.section(SourceContents)
    contents.stored = zlib.compress(contents.inflated(), 0)
    shader = load(typed("SRCI", made))
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


@pytest.mark.slow
def test_inflation_is_bounded() -> None:
    bomb = zlib.compress(bytes(10_000_000))
    assert inflated(bomb, 10_000_000, DEFAULT) == bytes(10_000_000)
    with pytest.raises(LimitError, match="inflated"):
        inflated(bomb, 10_000_000, Limits(inflated=1000))
    with pytest.raises(FormatError, match="expected 1000 bytes inflated, got 1001 or more"):
        inflated(bomb, 1000, DEFAULT)
    with pytest.raises(FormatError, match="expected 20000000 bytes inflated, got 10000000"):
        inflated(bomb, 20_000_000, DEFAULT)
    with pytest.raises(FormatError, match="damaged zlib stream"):
        inflated(b"no zlib", 5, DEFAULT)


def test_a_damaged_stream_is_kept() -> None:
    made = sources()
    made.section(SourceContents).stored = b"no zlib"
    shader = load(typed("SRCI", made))
    with pytest.raises(FormatError, match="damaged zlib stream"):
        shader["SRCI"].files()
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()


def test_pdb_info() -> None:
    found = load(typed("PDBI", pdb_info()))["PDBI"]
    assert found.files() == [("main.hlsl", b"void main() {}")]
    assert found.arguments() == [("T", "ps_6_0")]
    (info,) = found.contents().records(0x10001)
    assert info.hash == bytes(range(20))
    found.compression = 7
    with pytest.raises(FormatError, match="unknown compression 7"):
        found.contents()


def test_sizes_are_derived() -> None:
    data = load(typed("VERS", CompilerVersion(major=1, commit_hash="ab"))).parts[0].data
    assert data == struct.pack("<HHIII", 1, 0, 0, 0, 4) + b"ab\0\0"
    data = load(typed("DXIL", DxilProgram(0x66, 0x100, b"BC\xc0\xde...."))).parts[0].data
    assert data[4:8] == struct.pack("<I", 8)
    assert data[16:24] == struct.pack("<II", 16, 8)
    assert len(data) == 32


def test_bytes_before_the_bitcode() -> None:
    raw = struct.pack("<II4s4I", 0x60, 8, b"DXIL", 0x100, 20, 4, 0xFFFF) + b"BC\xc0\xde"
    found = load(container([("DXIL", raw)]))["DXIL"]
    assert (found.gap, found.bitcode_bytes()) == (b"\xff\xff\0\0", b"BC\xc0\xde")
    assert load(container([("DXIL", raw)])).to_bytes() == container([("DXIL", raw)])


@pytest.mark.parametrize("version", ["6", "6.x", "256.0", None])
def test_invalid_versions_are_refused(version: object) -> None:
    data = load(typed("DXIL", DxilProgram(0x60, 0x100, b"BC\xc0\xde"))).to_data()
    data["parts"][0]["fields"]["dxil_version"] = version
    with pytest.raises(FormatError, match=r"expected an? (version|number|integer)"):
        unshade.from_data(data)
