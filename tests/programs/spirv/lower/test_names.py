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


def test_places_in_a_buffer_of_structures_are_counted_in_its_elements() -> None:
    """Its memory is addressed in scalars; `data` of the structure that Slang adds is no name."""
    found = shader(
        "%p = OpAccessChain %p_word %buffer %c0 %i %c1 %c0 %c2\nOpStore %p %x\n"
        "%whole = OpAccessChain %p_pair %buffer %c0 %c1\n%both = OpLoad %pair %whole\n"
        "%one = OpCompositeExtract %uint %both 1 0 1",
        "%one",
        decorations="""\
OpName %wrapped "_Array_std430_uint_3"
OpMemberName %wrapped 0 "data"
OpName %pair "Pair"
OpMemberName %pair 0 "first"
OpMemberName %pair 1 "rest"
OpName %buffer "pairs"
OpName %both "both"
OpDecorate %three ArrayStride 4
OpMemberDecorate %wrapped 0 Offset 0
OpMemberDecorate %pair 0 Offset 0
OpMemberDecorate %pair 1 Offset 4
OpDecorate %pairs ArrayStride 16
OpMemberDecorate %holder 0 Offset 0
OpDecorate %holder Block
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 2""",
        globals="""\
%three = OpTypeArray %uint %c3
%wrapped = OpTypeStruct %three
%pair = OpTypeStruct %uint %wrapped
%pairs = OpTypeRuntimeArray %pair
%holder = OpTypeStruct %pairs
%p_holder = OpTypePointer StorageBuffer %holder
%p_pair = OpTypePointer StorageBuffer %pair
%p_word = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %p_holder StorageBuffer""",
    )
    debugger = unshade.kernel(found).debug((1, 0, 0))
    words = np.arange(4, dtype=np.uint32)
    debugger.dispatch(1, source=words, target=words.copy(), pairs=np.zeros((4, 4), np.uint32))
    entries = debugger.trace.entries
    written = [each for entry in entries for each in entry.writes]
    assert "pairs[1].rest[2]" in {each.label for each in written}
    names = {each.path.steps[1:] for each in written if "both" in each.name}
    assert names == {(".first",), (".rest", "[0]"), (".rest", "[1]"), (".rest", "[2]")}
