"""Lists in the `repr` of records: of the wire, of the model, and of the SkSL tree."""

from enum import StrEnum

import pytest

from unshade.formats.dxcontainer.parts.psv0 import PsvElement
from unshade.formats.dxcontainer.parts.rdef import RdefBuffer, RdefVariable
from unshade.model import TypeDescription
from unshade.programs.sksl.tables.enumerations import BlockForm
from unshade.programs.sksl.tree.statements import BlockStatement, ReturnStatement
from unshade.wire.shown import shown_list

SCALAR = TypeDescription(type_class="scalar", scalar="float")


class Word(StrEnum):
    """A word of the model."""

    PIXEL = "pixel"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([], "[]"),
        ([8], "[8]"),
        ([1, 2.5, None, "a"], "[1, 2.5, None, 'a']"),
        ([Word.PIXEL], "['pixel']"),
        ([True, b"x"], "[True, b'x']"),
        (list(range(8)), "[0, 1, 2, 3, 4, 5, 6, 7]"),
        (list(range(9)), "<9 values>"),
        (["x" * 100], "<1 values>"),
        ([[1], [2]], "<2 of list>"),
        ([SCALAR, SCALAR], "<2 of TypeDescription>"),
        ([1, SCALAR], "<2 values>"),
    ],
)
def test_a_list(values: list[object], text: str) -> None:
    assert shown_list(values) == text


def test_the_length_of_an_array_is_its_value() -> None:
    """Not the number of dimensions, which looks like it."""
    found = TypeDescription(name="float4", type_class="vector", scalar="float", elements=[8])
    assert "elements=[8]" in repr(found)
    assert "members" not in repr(found)


def test_lists_of_records() -> None:
    assert "indices=[3, 4]" in repr(PsvElement(indices=[3, 4]))
    assert "variables=<2 of RdefVariable>" in repr(
        RdefBuffer(variables=[RdefVariable(), RdefVariable()])
    )
    assert "variables=[]" in repr(RdefBuffer())


def test_lists_of_nodes() -> None:
    found = BlockStatement(
        symbols=None, statements=[ReturnStatement()] * 2, form=BlockForm.BRACED_SCOPE
    )
    assert "statements=<2 of ReturnStatement>" in repr(found)
