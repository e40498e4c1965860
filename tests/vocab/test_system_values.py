"""System values by the names of each instruction set: two names of a stage are two values."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from unshade.programs.dxil.facts import words
from unshade.programs.sksl.facts import MEANINGS
from unshade.programs.sksl.tables.enumerations import Builtin
from unshade.programs.spirv.facts.vocabulary import BUILT_INS
from unshade.programs.spirv.tables.numbers import BuiltIn
from unshade.programs.tpf.tables.enumerations import SystemValueName
from unshade.programs.tpf.tables.vocabulary import BUILTINS, OUTPUT_VALUES, SYSTEM_VALUES

# Names that share a value, since no stage has two of them in one direction.
APART = [
    {BuiltIn.Position, BuiltIn.FragCoord},
    {BuiltIn.VertexId, BuiltIn.VertexIndex},  # OpenGL's, Vulkan's
    {BuiltIn.InstanceId, BuiltIn.InstanceIndex},
    {BuiltIn.PrimitiveShadingRateKHR, BuiltIn.ShadingRateKHR},  # an output, an input
    # by the primitives of a mesh shader, which are of one kind
    {
        BuiltIn.PrimitivePointIndicesEXT,
        BuiltIn.PrimitiveLineIndicesEXT,
        BuiltIn.PrimitiveTriangleIndicesEXT,
    },
    # main's coordinates are those of runtime effects, which run without sk_FragCoord
    {Builtin.MAIN_COORDS, Builtin.FRAG_COORD, Builtin.POSITION},
]


def in_registers(name: object) -> bool:
    """Return whether a system value is in registers, whose numbers tell several apart."""
    return isinstance(name, SystemValueName) and "TESSFACTOR" in name.name


@pytest.mark.parametrize(
    "table",
    [BUILTINS, OUTPUT_VALUES, SYSTEM_VALUES, words.SEMANTICS, words.BUILTINS, BUILT_INS, MEANINGS],
)
def test_names_of_a_stage_have_values_of_their_own(table: Mapping[object, object]) -> None:
    of_value: dict[object, set[object]] = {}
    for name, value in table.items():
        if not in_registers(name):
            of_value.setdefault(value, set()).add(name)
    shared = [each for each in of_value.values() if len(each) > 1]
    assert [each for each in shared if each not in APART] == []
