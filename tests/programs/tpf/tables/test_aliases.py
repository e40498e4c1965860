"""Words of other tools' listings: each is read as fxc's word, and as nothing else."""

from __future__ import annotations

import pytest

from tests.programs.tpf.assembler.lines import dwords
from unshade.programs.tpf.assembler.mnemonics import resolve
from unshade.programs.tpf.assembler.reader import words_pattern
from unshade.programs.tpf.tables import aliases, spellings
from unshade.programs.tpf.tables.ops import OPS

ENUMERATIONS = {
    name: words
    for name, words in vars(spellings).items()
    if isinstance(words, tuple) and words and all(isinstance(each, str) for each in words)
}


@pytest.mark.parametrize(("other", "native"), aliases.MNEMONICS.items())
def test_mnemonics(other: str, native: str) -> None:
    row = OPS[native]
    suffix = "_nz" if row.test else ""
    found, plain = resolve(other + suffix), resolve(native + suffix)
    assert found is not None
    assert plain is not None
    assert found.row is plain.row is row
    assert found.token == plain.token
    assert other not in OPS.by_name


@pytest.mark.parametrize(("other", "native"), aliases.REGISTERS.items())
def test_registers(other: str, native: str) -> None:
    assert other not in spellings.REGISTERS
    line = "dcl_output {}" if native[0] == "o" else "dcl_input {}"
    assert dwords(line.format(other)) == dwords(line.format(native))


@pytest.mark.parametrize(("other", "native"), aliases.WORDS.items())
def test_words_mean_a_native_one_where_that_is_possible(other: str, native: str) -> None:
    places = {name for name, words in ENUMERATIONS.items() if native in words}
    assert places or native in aliases.SUFFIXES.values()
    for name in places:
        found = words_pattern(ENUMERATIONS[name]).fullmatch(other)
        # A word with a native meaning keeps it: `point` is a primitive, `linelist` a topology.
        assert found is not None or other in ENUMERATIONS[name]


def test_a_native_word_keeps_its_meaning() -> None:
    assert dwords("dcl_outputtopology linelist")[0] >> 11 & 0x7F == 2
    assert dwords("dcl_inputprimitive linelist")[0] >> 11 & 0x3F == 2
    assert dwords("dcl_outputtopology pointlist") == dwords("dcl_outputtopology point")
    assert dwords("dcl_inputprimitive pointlist") == dwords("dcl_inputprimitive point")
    assert dwords("dcl_inputprimitive trianglelist_adj")[0] >> 11 & 0x3F == 7
    assert dwords("dcl_inputprimitive control_point_patch_32")[0] >> 11 & 0x3F == 39
    assert dwords("dcl_input_sgv v1.x, instanceid")[3] == 8
    assert dwords("dcl_resource_texture2d (int,int,int,int) t0")[3] == 0x3333
