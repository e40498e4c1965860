"""Slots of indices: halves of words of the push constants."""

import pytest

from tests.fixtures.vbc import FRAG, module
from unshade.formats.vbc.vslc import derive
from unshade.programs.spirv import Module, Program

FIRST = "%s1 = OpShiftRightLogical %uint %w0 %half"


def slots(index: str, more: str = "") -> tuple[list[int], bool]:
    """Return the slots that the module uses with this first index, and whether one is unknown."""
    text = FRAG.replace(FIRST, index).replace("%main = OpFunction", f"{more}\n%main = OpFunction")
    found = derive({"frag": Program(Module.loads(module(text)))})
    return [each.slot for _, each in found.bindings], bool(found.unknown)


@pytest.mark.parametrize(
    ("index", "more", "slot"),
    [
        (FIRST, "", 1),
        ("%s1 = OpBitwiseAnd %uint %w0 %low", "", 0),
        ("%s1 = OpBitwiseAnd %uint %low %w0", "", 0),
        ("%s1 = OpBitwiseAnd %uint %w0 %seven", "%seven = OpConstant %uint 7", 0),
        ("%s1 = OpBitwiseAnd %uint %w0 %high", "%high = OpConstant %uint 4294901760", 1),
        ("%s1 = OpBitFieldUExtract %uint %w0 %half %half", "", 1),
        ("%x = OpShiftRightLogical %uint %w0 %half\n%s1 = OpBitwiseAnd %uint %x %low", "", 1),
        ("%x = OpShiftRightLogical %uint %w0 %half\n%s1 = OpBitcast %int %x", "", 1),
    ],
)
def test_slots(index: str, more: str, slot: int) -> None:
    assert slots(index, more) == ([slot, 2] if slot < 2 else [2], False)


def test_an_index_in_a_variable_is_followed_through_its_store() -> None:
    index = f"{FIRST.replace('%s1', '%x')}\nOpStore %v %x\n%s1 = OpLoad %uint %v"
    text = FRAG.replace(FIRST, index)
    text = text.replace("%start = OpLabel", "%start = OpLabel\n%v = OpVariable %p_f Function")
    text = text.replace(
        "%main = OpFunction", "%p_f = OpTypePointer Function %uint\n%main = OpFunction"
    )
    found = derive({"frag": Program(Module.loads(module(text)))})
    assert [each.slot for _, each in found.bindings] == [1, 2]


@pytest.mark.parametrize(
    ("index", "more"),
    [
        ("%s1 = OpCopyObject %uint %w0", ""),
        ("%s1 = OpIAdd %uint %w0 %w0", ""),
        ("%s1 = OpBitwiseAnd %uint %w0 %all", "%all = OpConstant %uint 4294967295"),
        ("%s1 = OpCopyObject %uint %low", ""),
    ],
)
def test_other_indices_have_no_slot(index: str, more: str) -> None:
    assert slots(index, more) == ([2], True)
