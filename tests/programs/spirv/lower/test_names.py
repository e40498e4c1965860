"""Names and places of statements, for traces and breakpoints."""

import numpy as np

import unshade

from .modules import shader

LINES = """\
OpLine %file 7 3
%y = OpIAdd %uint %x %c1
OpNoLine
%z = OpIMul %uint %y %y"""


def test_a_trace_has_names_of_the_listing_and_of_the_source() -> None:
    found = shader(
        LINES, "%z", decorations='%file = OpString "light.glsl"\nOpName %y "sum"\nOpName %z "z"'
    )
    lowered = found.programs[0].lower()
    by_name = {
        str(value.label.name): value for value in lowered.kernel.values() if value.label is not None
    }
    total = by_name["%sum"]
    assert total.location is not None
    assert (total.location.file, total.location.line, total.location.column) == ("light.glsl", 7, 3)
    assert "OpIAdd" in lowered.lines[total.line - 1]
    assert by_name["%z"].location is None
    assert "OpIMul" in lowered.lines[by_name["%z"].line - 1]


def test_bindings_have_names_of_slots_and_of_the_source() -> None:
    kernel = unshade.kernel(shader("", "%x"))
    names = {each.names for each in kernel.bindings}
    assert names == {("set0_binding0", "source"), ("set0_binding1", "target")}
    found = kernel.dispatch(
        1, set0_binding0=np.arange(4, dtype=np.uint32), set0_binding1=np.zeros(4, np.uint32)
    )
    assert found["target"].tolist() == [0, 1, 2, 3]
