"""Numbers of Direct3D, of program tokens and of the PICA200, and their words."""

from __future__ import annotations

from enum import IntEnum, StrEnum

import pytest

from unshade.programs.tpf.tables import enumerations
from unshade.programs.tpf.tables import vocabulary as tpf
from unshade.vocab import d3d, pica, words
from unshade.vocab.d3d import STAGES
from unshade.vocab.numbers import components, flag_names, number, same_names, word


class Number(IntEnum):
    ONE = 1
    TWO = 2


class Word(StrEnum):
    TWO = "two"


def test_numbers_map_to_the_word_of_their_name() -> None:
    assert same_names(Number, Word) == {2: Word.TWO}


def test_a_number_without_a_word_is_unknown() -> None:
    table = same_names(Number, Word)
    assert word(table, 2) is Word.TWO
    assert word(table, 77) == "unknown_77"


# Numbers that mean nothing: the vocabulary has None for them.
NOTHING = {"UNDEFINED", "UNKNOWN", "NONE", "DUMMY", "UNUSED"}


@pytest.mark.parametrize(
    ("numbers", "table"),
    [
        (d3d.D3DName, d3d.SYSTEM_VALUES),
        (d3d.RegisterComponentType, d3d.COMPONENT_TYPES),
        (d3d.D3DMinPrecision, d3d.MIN_PRECISIONS),
        (d3d.ResourceReturnType, d3d.RETURN_TYPES),
        (d3d.SrvDimension, d3d.DIMENSIONS),
        (d3d.VariableClass, d3d.TYPE_CLASSES),
        (d3d.PrimitiveTopology, d3d.TOPOLOGIES),
        (d3d.TessellatorDomain, d3d.DOMAINS),
        (d3d.TessellatorPartitioning, d3d.PARTITIONINGS),
        (d3d.TessellatorOutputPrimitive, d3d.OUTPUT_PRIMITIVES),
        (d3d.ShaderKind, d3d.STAGES),
        (enumerations.SystemValueName, tpf.SYSTEM_VALUES),
        (enumerations.InterpolationMode, tpf.INTERPOLATIONS),
        (enumerations.ResourceDimension, tpf.DIMENSIONS),
        (pica.OutputType, pica.SYSTEM_VALUES),
        (pica.PicaGeometryMode, pica.GEOMETRY_MODES),
    ],
)
def test_every_number_of_a_table_has_a_word(
    numbers: type[IntEnum], table: dict[int, StrEnum]
) -> None:
    without = {each.name for each in numbers if each.value not in table}
    assert without <= NOTHING


def test_a_program_and_a_signature_number_the_first_system_values_alike() -> None:
    for each in range(1, 11):
        assert tpf.SYSTEM_VALUES[each] is d3d.SYSTEM_VALUES[each]
    assert tpf.SYSTEM_VALUES[11] is words.SystemValue.FINAL_QUAD_EDGE_TESSFACTOR


def test_words_map_back_to_numbers() -> None:
    for each in range(100):
        assert number(STAGES, word(STAGES, each)) == each
    assert number(STAGES, "float") is None
    assert number(STAGES, "unknown_x") is None


def test_flags_and_components() -> None:
    assert flag_names(((1, "one"), (4, "four")), 0x15) == ["one", "four", "0x10"]
    assert flag_names(((1, "one"), (4, "four")), 4) == ["four"]
    assert flag_names(((1, "one"), (4, "four")), 8) == ["0x8"]
    assert flag_names(((3, "both"),), 2) == ["both"]
    assert flag_names(((1, "one"),), 0) == flag_names((), 0) == []
    assert components(0b1010) == "yw"
