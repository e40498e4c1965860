"""Blocks, arrays of them, variables that are indexed at run time, workgroup memory."""

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UsageError

from .modules import run, shader

MIXED = """\
OpMemberDecorate %mixed 0 Offset 0
OpMemberDecorate %mixed 1 Offset 8
OpMemberDecorate %mixed 2 Offset 16
OpMemberDecorate %mixed 2 MatrixStride 8
OpMemberDecorate %mixed 2 RowMajor
OpMemberDecorate %mixed 3 Offset 40
OpDecorate %halves ArrayStride 2
OpDecorate %mixed Block
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 2
OpName %data "data"
OpName %mixed "Mixed"
OpMemberName %mixed 0 "byte"
OpMemberName %mixed 1 "wide"
OpMemberName %mixed 2 "m"
OpMemberName %mixed 3 "tail"
"""
MIXED_TYPES = """\
%byte = OpTypeInt 8 0
%short = OpTypeInt 16 0
%wide = OpTypeInt 64 0
%v3float = OpTypeVector %float 3
%matrix = OpTypeMatrix %v3float 2
%halves = OpTypeRuntimeArray %short
%mixed = OpTypeStruct %byte %wide %matrix %halves
%p_mixed = OpTypePointer StorageBuffer %mixed
%p_byte = OpTypePointer StorageBuffer %byte
%p_short = OpTypePointer StorageBuffer %short
%p_wide = OpTypePointer StorageBuffer %wide
%p_column = OpTypePointer StorageBuffer %v3float
%p_float = OpTypePointer StorageBuffer %float
%data = OpVariable %p_mixed StorageBuffer
"""


def mixed(tail: int) -> np.ndarray:
    """Return the bytes of a block: 7, 5 << 32, the numbers 0 to 5, and 10, 11, …"""
    data = np.zeros(40 + 2 * tail, np.uint8)
    data[0] = 7
    data[8:16].view(np.uint64)[0] = 5 << 32
    data[16:40].view(np.float32)[:] = np.arange(6)  # rows 0 1, 2 3, 4 5
    data[40:].view(np.uint16)[:] = 10 + np.arange(tail)
    return data


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%p = OpAccessChain %p_byte %data %c0\n%l = OpLoad %byte %p\n%y = OpUConvert %uint %l", 7),
        ("%p = OpAccessChain %p_wide %data %c1\n%l = OpLoad %wide %p\n"
         "%s = OpShiftRightLogical %wide %l %h\n%y = OpUConvert %uint %s", 5),
        ("%p = OpAccessChain %p_column %data %c2 %c1\n%l = OpLoad %v3float %p\n"
         "%z = OpCompositeExtract %float %l 2\n%y = OpConvertFToU %uint %z", 5),
        ("%p = OpAccessChain %p_float %data %c2 %c0 %x\n%l = OpLoad %float %p\n"
         "%y = OpConvertFToU %uint %l", 2),
        ("%y = OpArrayLength %uint %data 3", 3),
        ("%p = OpAccessChain %p_short %data %c3 %c2\n%l = OpLoad %short %p\n"
         "%y = OpUConvert %uint %l", 12),
        ("%p = OpAccessChain %p_short %data %c3 %c3\n%l = OpLoad %short %p\n"
         "%y = OpUConvert %uint %l", 0),
        ("%p = OpAccessChain %p_short %data %c3 %h\n%l = OpLoad %short %p\n"
         "%y = OpUConvert %uint %l", 0),
    ],
)  # fmt: skip
def test_a_block_of_scalars_of_all_sizes(code: str, expected: int) -> None:
    module = shader(
        code, "%y", globals=MIXED_TYPES + "%h = OpConstant %uint 32", decorations=MIXED, group=1
    )
    assert run(module, [1], bindings={"data": mixed(3)}) == [expected]


def test_members_have_names_and_offsets() -> None:
    code = "%p = OpAccessChain %p_byte %data %c0\n%l = OpLoad %byte %p\n%y = OpUConvert %uint %l"
    module = shader(code, "%y", globals=MIXED_TYPES, decorations=MIXED, group=1)
    kernel = unshade.kernel(module)
    (binding,) = [each for each in kernel.bindings if each.label == "data"]
    assert binding.name == "set0_binding2"
    assert binding.dtype is not None
    assert binding.dtype.fields is not None
    assert {name: field[1] for name, field in binding.dtype.fields.items()} == {
        "byte": 0, "wide": 8, "m": 16, "tail": 40,
    }  # fmt: skip


def test_bounds_hold_for_the_bytes_that_are_bound() -> None:
    """Half an element is none: nothing is padded."""
    code = """\
%p = OpAccessChain %p_short %data %c3 %c2
%l = OpLoad %short %p
%n = OpArrayLength %uint %data 3
%m = OpUConvert %uint %l
%y = OpIAdd %uint %m %n"""
    module = shader(code, "%y", globals=MIXED_TYPES, decorations=MIXED, group=1)
    assert run(module, [1], bindings={"data": mixed(3)[:45]}) == [2]
    assert run(module, [1], bindings={"data": mixed(3)}) == [12 + 3]


TRUTHS = """\
%pair = OpTypeVector %bool 2
%pairs = {array}
%truths = OpTypeStruct %pairs
%p_truths = OpTypePointer {storage} %truths
%p_pair = OpTypePointer {storage} %pair
%p_truth = OpTypePointer {storage} %bool
%data = OpVariable %p_truths {storage}
%yes = OpConstantTrue %bool
%no = OpConstantFalse %bool
%mixed = OpConstantComposite %pair %no %yes
"""
TRUTHS_LAYOUT = """\
OpMemberDecorate %truths 0 Offset 0
OpDecorate %pairs ArrayStride 8
OpDecorate %truths Block
"""
TRUTHS_BOUND = 'OpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 2\nOpName %data "data"'


def test_booleans_of_a_block_are_words() -> None:
    """Slang compiles `StructuredBuffer<bool2>` so, though SPIR-V has no such memory."""
    code = """\
%p = OpAccessChain %p_pair %data %c0 %i
%l = OpLoad %pair %p
%q = OpAccessChain %p_truth %data %c0 %i %x
%one = OpLoad %bool %q
%all = OpAll %bool %l
%r = OpAccessChain %p_pair %data %c0 %c3
OpStore %r %mixed
%a = OpSelect %uint %all %c4 %c0
%b = OpSelect %uint %one %c1 %c0
%y = OpIAdd %uint %a %b"""
    module = shader(
        code, "%y", decorations=TRUTHS_LAYOUT + TRUTHS_BOUND, group=3,
        globals=TRUTHS.format(storage="StorageBuffer", array="OpTypeRuntimeArray %pair"),
    )  # fmt: skip
    data = np.array([[0, 1], [7, 2], [1, 0], [9, 9]], np.uint32)
    assert run(module, [1, 0, 1], bindings={"data": data}) == [1, 5, 0]
    assert data.tolist() == [[0, 1], [7, 2], [1, 0], [0, 1]]


def test_booleans_of_workgroup_memory_with_a_layout_are_words() -> None:
    code = """\
%p = OpAccessChain %p_pair %data %c0 %i
OpStore %p %mixed
%q = OpAccessChain %p_truth %data %c0 %i %x
%one = OpLoad %bool %q
%y = OpSelect %uint %one %c1 %c0"""
    types = TRUTHS.format(storage="Workgroup", array="OpTypeArray %pair %c4")
    module = shader(code, "%y", globals=types, decorations=TRUTHS_LAYOUT, group=3)
    assert run(module, [1, 0, 1]) == [1, 0, 1]


POINTERS = """\
%p_fn = OpTypePointer Function %uint
%nine = OpConstant %uint 9
%array = OpTypeArray %uint %nine
%p_array = OpTypePointer Function %array
%fn = OpTypeFunction %uint %p_array %uint
"""
LOCAL = "%a = OpVariable %p_array Function"
PICK = """\
%pick = OpFunction %uint None %fn
%given = OpFunctionParameter %p_array
%at = OpFunctionParameter %uint
%first = OpLabel
%place = OpAccessChain %p_fn %given %at
%old = OpLoad %uint %place
%new = OpIAdd %uint %old %at
OpStore %place %new
OpReturnValue %new
OpFunctionEnd
"""


def test_functions_index_arrays_of_their_callers() -> None:
    code = """\
%one = OpFunctionCall %uint %pick %a %x
%two = OpFunctionCall %uint %pick %a %x
%three = OpFunctionCall %uint %pick %a %c1
%y = OpIAdd %uint %two %three"""
    module = shader(code, "%y", globals=POINTERS, variables=LOCAL, functions=PICK)
    assert run(module, [1, 2, 8, 9]) == [5, 5, 17, 10]


def test_descriptors_are_indexed_at_run_time() -> None:
    globals = """\
%blocks = OpTypeArray %block %c3
%p_blocks = OpTypePointer StorageBuffer %blocks
%many = OpVariable %p_blocks StorageBuffer
"""
    decorations = (
        'OpDecorate %many DescriptorSet 1\nOpDecorate %many Binding 4\nOpName %many "many"'
    )
    code = "%p = OpAccessChain %p_uint %many %x %c0 %i\n%y = OpLoad %uint %p"
    module = shader(code, "%y", globals=globals, decorations=decorations)
    rows = [np.arange(4, dtype=np.uint32) + 10 * n for n in range(3)]
    bound = {f"set1_binding4[{n}]": row for n, row in enumerate(rows)}
    assert run(module, [2, 0, 1, 3], bindings=bound) == [20, 1, 12, 0]


VARIABLE_POINTERS = "%left = OpVariable %p_block StorageBuffer"
BOUND = 'OpDecorate %left DescriptorSet 0\nOpDecorate %left Binding 3\nOpName %left "left"'


def test_pointers_are_selected_at_run_time() -> None:
    code = """\
%q = OpAccessChain %p_uint %left %c0 %i
%odd = OpBitwiseAnd %uint %x %c1
%t = OpIEqual %bool %odd %c0
%chosen = OpSelect %p_uint %t %q %px
%y = OpLoad %uint %chosen"""
    module = shader(code, "%y", globals=VARIABLE_POINTERS, decorations=BOUND)
    left = np.array([100, 200, 300, 400], np.uint32)
    assert run(module, [1, 2, 3, 4], bindings={"left": left}) == [1, 200, 3, 400]


def test_pointers_without_a_stride_have_that_of_the_arrays() -> None:
    """A module whose pointers are subtracted, but not moved, need not decorate them."""
    code = """\
%q = OpAccessChain %p_uint %in %c0 %x
%away = OpPtrDiff %uint %q %px
%y = OpIAdd %uint %away %c4"""
    assert run(shader(code, "%y"), [3, 0, 2, 1]) == [7, 3, 4, 2]


SHARED = """\
%p_group = OpTypePointer Workgroup %uint
%four = OpTypeArray %uint %c4
%p_four = OpTypePointer Workgroup %four
%shared = OpVariable %p_four Workgroup
%barrier = OpConstant %uint 264
"""


def test_workgroup_memory() -> None:
    code = """\
%mine = OpAccessChain %p_group %shared %i
OpStore %mine %x
OpControlBarrier %c2 %c2 %barrier
%last = OpISub %uint %c3 %i
%other = OpAccessChain %p_group %shared %last
%y = OpLoad %uint %other"""
    assert run(shader(code, "%y", globals=SHARED), [5, 6, 7, 8]) == [8, 7, 6, 5]


def test_workgroup_blocks_share_their_memory() -> None:
    globals = """\
%short = OpTypeInt 16 0
%shorts = OpTypeArray %short %c2
%as_word = OpTypeStruct %uint
%as_shorts = OpTypeStruct %shorts
%p_as_word = OpTypePointer Workgroup %as_word
%p_as_shorts = OpTypePointer Workgroup %as_shorts
%p_group = OpTypePointer Workgroup %uint
%p_short = OpTypePointer Workgroup %short
%one = OpVariable %p_as_word Workgroup
%two = OpVariable %p_as_shorts Workgroup
"""
    decorations = """\
OpMemberDecorate %as_word 0 Offset 0
OpMemberDecorate %as_shorts 0 Offset 0
OpDecorate %shorts ArrayStride 2
OpDecorate %as_word Block
OpDecorate %as_shorts Block
"""
    code = """\
%p = OpAccessChain %p_group %one %c0
OpStore %p %x
%q = OpAccessChain %p_short %two %c0 %c1
%h = OpLoad %short %q
%y = OpUConvert %uint %h"""
    module = shader(code, "%y", globals=globals, decorations=decorations, group=1)
    assert run(module, [0x1234_5678]) == [0x1234]


@pytest.mark.parametrize("declared", ["%blocks = OpTypeRuntimeArray %block",
                                      "%blocks = OpTypeArray %block %lots"])  # fmt: skip
def test_long_arrays_of_descriptors_have_as_many_as_are_asked_for(declared: str) -> None:
    globals = f"""\
%lots = OpConstant %uint 8192
{declared}
%p_blocks = OpTypePointer StorageBuffer %blocks
%many = OpVariable %p_blocks StorageBuffer
"""
    decorations = "OpDecorate %many DescriptorSet 1\nOpDecorate %many Binding 4"
    code = "%p = OpAccessChain %p_uint %many %x %c0 %i\n%y = OpLoad %uint %p"
    module = shader(code, "%y", globals=globals, decorations=decorations)
    rows = [np.arange(4, dtype=np.uint32) + 10 * n for n in range(2)]
    bound = {f"set1_binding4[{n}]": row for n, row in enumerate(rows)}
    lengths = {"set1_binding4": 2}
    assert run(module, [1, 0, 1, 2], bindings=bound, lengths=lengths) == [10, 1, 12, 0]
    with pytest.raises(unshade.UnsupportedError, match="--length set1_binding4="):
        unshade.kernel(module)


def test_arrays_that_numpy_cannot_describe_are_bound_as_bytes() -> None:
    decorations = "OpDecorate %huge ArrayStride 4\n" + BOUND.replace("%left", "%far")
    decorations += "\nOpMemberDecorate %large 0 Offset 0\nOpDecorate %large Block"
    globals = """\
%lots = OpConstant %uint 4294967295
%huge = OpTypeArray %uint %lots
%large = OpTypeStruct %huge
%p_large = OpTypePointer StorageBuffer %large
%far = OpVariable %p_large StorageBuffer
"""
    code = "%p = OpAccessChain %p_uint %far %c0 %x\n%y = OpLoad %uint %p"
    module = shader(code, "%y", globals=globals, decorations=decorations)
    bound = np.arange(5, 9, dtype=np.uint32).view(np.uint8)
    assert run(module, [1, 0, 3, 4], bindings={"left": bound}) == [6, 5, 8, 0]


FUNCTION_POINTERS = """\
%p_p = OpTypePointer Function %p_uint
%null = OpConstantNull %p_uint
%left = OpVariable %p_block StorageBuffer
%blocks = OpTypeArray %block %c2
%p_blocks = OpTypePointer StorageBuffer %blocks
%many = OpVariable %p_blocks StorageBuffer
"""


def test_pointers_are_stored_and_passed() -> None:
    """One of a variable, one of an array of descriptors; a null pointer reads 0."""
    code = """\
%q = OpAccessChain %p_uint %left %c0 %i
%r = OpAccessChain %p_uint %many %x %c0 %i
OpStore %kept %q
%odd = OpBitwiseAnd %uint %x %c1
%t = OpIEqual %bool %odd %c0
OpSelectionMerge %done None
OpBranchConditional %t %then %done
%then = OpLabel
OpStore %kept %r
OpBranch %done
%done = OpLabel
%small = OpULessThan %bool %x %c3
%loaded = OpLoad %p_uint %kept
%chosen = OpSelect %p_uint %small %loaded %null
%y = OpLoad %uint %chosen"""
    decorations = BOUND + "\nOpDecorate %many DescriptorSet 1\nOpDecorate %many Binding 0"
    module = shader(
        code, "%y", globals=FUNCTION_POINTERS, decorations=decorations,
        variables="%kept = OpVariable %p_p Function",
    )  # fmt: skip
    bound = {
        "left": np.array([100, 200, 300, 400], np.uint32),
        "set1_binding0[0]": np.array([10, 11, 12, 13], np.uint32),
        "set1_binding0[1]": np.array([20, 21, 22, 23], np.uint32),
    }
    assert run(module, [0, 1, 2, 3], bindings=bound) == [10, 200, 0, 0]


def test_a_switch_over_64_bits() -> None:
    globals = "%ulong = OpTypeInt 64 0\n%high = OpConstant %ulong 4294967296"
    code = """\
%l = OpUConvert %ulong %x
%m = OpIAdd %ulong %l %high
OpSelectionMerge %done None
OpSwitch %m %done 4294967297 %one 2 %two
%one = OpLabel
OpBranch %done
%two = OpLabel
OpBranch %done
%done = OpLabel
%y = OpPhi %uint %c0 %entry %c1 %one %c2 %two"""
    assert run(shader(code, "%y", globals=globals), [0, 1, 2, 3]) == [0, 1, 0, 0]


def test_a_uniform_block_of_many_gigabytes_is_refused() -> None:
    decorations = "OpDecorate %huge ArrayStride 16\n" + BOUND.replace("%left", "%far")
    decorations += "\nOpMemberDecorate %large 0 Offset 0\nOpDecorate %large Block"
    globals = """\
%lots = OpConstant %uint 4294967295
%huge = OpTypeArray %uint %lots
%large = OpTypeStruct %huge
%p_large = OpTypePointer Uniform %large
%p_one = OpTypePointer Uniform %uint
%far = OpVariable %p_large Uniform
"""
    code = "%p = OpAccessChain %p_one %far %c0 %x\n%y = OpLoad %uint %p"
    module = shader(code, "%y", globals=globals, decorations=decorations)
    with pytest.raises(unshade.LimitError, match="bytes of a block"):
        run(module, [1, 0, 3, 4], bindings={"left": bytes(64)})


THREES = """
%three = OpTypeVector %float 3
%array = OpTypeRuntimeArray %three
%Threes = OpTypeStruct %array
%p_Threes = OpTypePointer StorageBuffer %Threes
%p_float = OpTypePointer StorageBuffer %float
%data = OpVariable %p_Threes StorageBuffer
"""
PLACED = """
OpName %data "data"
OpName %Threes "Threes"
OpMemberName %Threes 0 "v"
OpDecorate %array ArrayStride 16
OpDecorate %Threes Block
OpMemberDecorate %Threes 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 2
"""
ROWS = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


@pytest.mark.parametrize(
    "given",
    [
        ROWS,
        {"v": ROWS},
        np.pad(np.array(ROWS, np.float32), ((0, 0), (0, 1))),
        np.pad(np.array(ROWS, np.float32), ((0, 0), (0, 1))).tobytes(),
    ],
    ids=["list", "dict", "array", "bytes"],
)
def test_vectors_of_three_take_the_place_of_four(given: Any) -> None:
    code = "%p = OpAccessChain %p_float %data %c0 %x %c1\n%l = OpLoad %float %p\n"
    code += "%y = OpConvertFToU %uint %l"
    module = shader(code, "%y", globals=THREES, decorations=PLACED, group=1)
    assert run(module, [0, 1, 2], groups=3, bindings={"data": given}) == [2, 5, 8]


def test_an_array_of_vectors_of_three_is_refused() -> None:
    code = "%p = OpAccessChain %p_float %data %c0 %x %c1\n%l = OpLoad %float %p\n"
    code += "%y = OpConvertFToU %uint %l"
    module = shader(code, "%y", globals=THREES, decorations=PLACED, group=1)
    refusal = r"\(n, 4\) float32, of which the first 3 are used, got \(4, 3\) float32; use np\.pad"
    given = np.zeros((4, 3), np.float32)
    with pytest.raises(UsageError, match=refusal):
        run(module, [0], bindings={"data": given})
