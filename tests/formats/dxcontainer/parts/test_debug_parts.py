"""SDBG and SPDB: no file of a compiler was at hand, so that only our own are read."""

import pytest

import unshade
from tests.fixtures.one_of_each import debug_information, one_of_each, typed
from unshade import FormatError, LimitError, Limits
from unshade.formats.dxcontainer import DxContainer, DxPart
from unshade.formats.dxcontainer.parts.sdbg import HEADER, ROWS
from unshade.formats.msf import MsfFile
from unshade.wire import write


def test_sizes_of_the_rows() -> None:
    sizes = {name: len(write(kind())) for name, kind in ROWS.items() if name in SIMPLE}
    assert sizes == SIMPLE
    assert len(write(debug_information())) == HEADER + len(debug_information().content)
    (instruction,) = debug_information().rows("instructions")
    assert len(write(instruction)) == 396


SIMPLE = {"files": 16, "variables": 24, "inputs": 24, "types": 44}


def test_tables_and_texts() -> None:
    found = debug_information()
    (instruction,), (symbol,) = found.rows("instructions"), found.rows("symbols")
    assert (instruction.opcode, instruction.components[0].maximum) == (54, 1.0)
    assert found.text(symbol.text.offset, symbol.text.count) == "main"
    assert found.rows("variables") == []
    assert [found.text(each) for each in (found.compiler, found.entry, found.profile)] == [
        "fxc 9",
        "main",
        "ps_5_0",
    ]


def test_sources() -> None:
    shader = unshade.loads(typed("SDBG", debug_information()))
    assert shader.sources() == {
        "a.hlsl": b"float4 main() : SV_Target { return 1; }",
        "arguments.txt": b"-E main\n-T ps_5_0\n",
    }


def test_a_table_outside() -> None:
    found = debug_information()
    found.file_table.count = 0xFFFF_FFFF
    with pytest.raises(FormatError, match="expected an end of at most"):
        found.files()


def test_sources_that_share_their_text_are_bounded() -> None:
    (source,) = debug_information().files(Limits(inflated=39))
    assert len(source.text) == 39
    with pytest.raises(LimitError) as caught:
        debug_information().files(Limits(inflated=38))
    assert (caught.value.allowed, caught.value.needed) == (38, 39)


def test_a_pdb_inside() -> None:
    shader = unshade.loads(one_of_each()["SPDB"])
    assert isinstance(shader, DxContainer)
    value = shader["SPDB"]
    assert isinstance(value, MsfFile)
    assert value.streams[2] == b"types"
    value.streams[2] = b"other"
    assert unshade.from_data(shader.to_data()).to_bytes() == shader.to_bytes()
    again = unshade.loads(shader.to_bytes())
    assert again["SPDB"].streams[2] == b"other"


def test_a_pdb_that_is_none() -> None:
    shader = DxContainer([DxPart("SPDB", b"no PDB")])
    (found,) = shader.diagnostics
    assert found.code == "part.malformed"
    fields = {"format": "dxcontainer", "parts": [{"name": "SPDB", "fields": {"format": "shbin"}}]}
    with pytest.raises(FormatError, match="expected the plain data of a file of msf"):
        unshade.from_data(fields)
