"""Ids of names and decorations, which are half of the instructions with ids."""

from __future__ import annotations

import pytest

from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import validate
from unshade.programs.spirv.validate.ids import IdWalk
from unshade.programs.spirv.validate.instruction import Inst

TEXT = """
OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpName %later "a"
OpName %nowhere "b"
OpMemberName %later 0 "c"
OpDecorate %later Block
OpMemberDecorate %later 0 Offset 0
%uint = OpTypeInt 32 0
%later = OpTypeStruct %uint
"""


def test_only_names_of_ids_that_are_not_defined_later_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    check = IdWalk._check

    def counted(walk: IdWalk, inst: Inst) -> None:
        looked.append(inst.code)
        check(walk, inst)

    monkeypatch.setattr(IdWalk, "_check", counted)
    found = validate(assemble(Source(TEXT), target="spv1.6"), "spv1.6")
    assert [each.code for each in found] == ["spirv.undefined"]
    assert looked == [Opcode.Name]
