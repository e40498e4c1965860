"""Variables with one set and binding: one descriptor, two that are bound apart, or a refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import unshade
from unshade.errors import UnsupportedError, UsageError
from unshade.screens.reflection import resources

HEAD = """
OpCapability Shader
OpCapability SampledBuffer
OpCapability ImageBuffer
OpCapability StorageImageExtendedFormats
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %out "out"
OpMemberName %S 0 "data"
OpDecorate %out DescriptorSet 1
OpDecorate %out Binding 0
OpDecorate %P Block
OpMemberDecorate %P 0 Offset 0
OpMemberDecorate %P 1 Offset 4
OpDecorate %Q Block
OpMemberDecorate %Q 0 Offset 0
OpDecorate %row ArrayStride 4
OpDecorate %S Block
OpMemberDecorate %S 0 Offset 0
"""
TYPES = """
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%int = OpTypeInt 32 1
%int2 = OpTypeVector %int 2
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%origin = OpConstantComposite %int2 %zero_i %zero_i
%P = OpTypeStruct %float %float
%Q = OpTypeStruct %float
%row = OpTypeRuntimeArray %float
%S = OpTypeStruct %row
%tex = OpTypeImage %float 2D 0 0 0 1 Unknown
%texels = OpTypeImage %float Buffer 0 0 0 1 Unknown
%image = OpTypeImage %float 2D 0 0 0 2 R32f
%pP = OpTypePointer Uniform %P
%pQ = OpTypePointer Uniform %Q
%pS = OpTypePointer StorageBuffer %S
%ptex = OpTypePointer UniformConstant %tex
%ptexels = OpTypePointer UniformConstant %texels
%pimage = OpTypePointer UniformConstant %image
%pu = OpTypePointer Uniform %float
%ps = OpTypePointer StorageBuffer %float
%out = OpVariable %pS StorageBuffer
""".replace("%origin", "%zero_i = OpConstant %int 0\n%origin")
# Of each kind: its type and storage class, and how a float is read from it and written to it.
KINDS = {
    "uniform": ("%pP Uniform", "%{0}p = OpAccessChain %pu %{0} %one\n%{0}v = OpLoad %float %{0}p"),
    "small": ("%pQ Uniform", "%{0}p = OpAccessChain %pu %{0} %zero\n%{0}v = OpLoad %float %{0}p"),
    "read": (
        "%pS StorageBuffer",
        "%{0}p = OpAccessChain %ps %{0} %zero %one\n%{0}v = OpLoad %float %{0}p",
    ),
    "texture": (
        "%ptex UniformConstant",
        "%{0}i = OpLoad %tex %{0}\n%{0}t = OpImageFetch %float4 %{0}i %origin Lod %zero_i\n"
        "%{0}v = OpCompositeExtract %float %{0}t 0",
    ),
    "texels": (
        "%ptexels UniformConstant",
        "%{0}i = OpLoad %texels %{0}\n%{0}t = OpImageFetch %float4 %{0}i %zero_i\n"
        "%{0}v = OpCompositeExtract %float %{0}t 0",
    ),
    "image": (
        "%pimage UniformConstant",
        "%{0}i = OpLoad %image %{0}\n%{0}t = OpImageRead %float4 %{0}i %origin\n"
        "%{0}v = OpCompositeExtract %float %{0}t 0",
    ),
}  # fmt: skip
KINDS["written"] = KINDS["read"]
KINDS["kept"] = KINDS["image"]


def shader(first: str, second: str) -> Any:
    """Return a shader with the variables `a` and `b` in binding 0; it writes a + 10 b to out."""
    decorations, variables, code = "", "", ""
    for name, kind in (("a", first), ("b", second)):
        type, read = KINDS[kind]
        decorations += f'OpName %{name} "{name}"\nOpDecorate %{name} DescriptorSet 0\n'
        decorations += f"OpDecorate %{name} Binding 0\n"
        if kind in ("read", "image"):
            decorations += f"OpDecorate %{name} NonWritable\n"
        variables += f"%{name} = OpVariable {type}\n"
        code += read.format(name) + "\n"
    text = f"""{HEAD}{decorations}{TYPES}%ten = OpConstant %float 10
{variables}%main = OpFunction %void None %fn
%l = OpLabel
{code}%tens = OpFMul %float %bv %ten
%sum = OpFAdd %float %av %tens
%o = OpAccessChain %ps %out %zero %zero
OpStore %o %sum
OpReturn
OpFunctionEnd
"""
    return unshade.assemble(text, "spirv", target="spv1.3")


PAIR = np.array([2, 3], "<f4")
PICTURE = np.full((1, 1), 5, "<f4")
VALUES = {
    "uniform": {"member0": 1, "member1": 7}, "small": {"member0": 4}, "read": PAIR,
    "written": PAIR, "texture": np.full((1, 1, 4), 5, "<f4"),
    "texels": np.full((1, 4), 6, "<f4"), "image": PICTURE, "kept": PICTURE,
}  # fmt: skip


@pytest.mark.parametrize("given", ["a", "b"])
@pytest.mark.parametrize(
    ("first", "second", "value", "result"),
    [
        ("read", "read", PAIR, 33),
        ("read", "written", PAIR, 33),
        ("written", "read", PAIR, 33),
        ("texture", "texture", VALUES["texture"], 55),
        ("image", "image", PICTURE, 55),
        ("image", "kept", PICTURE, 55),
        ("uniform", "small", np.array([4, 7], "<f4"), 47),
        ("small", "uniform", np.array([4, 7], "<f4"), 74),
    ],
)
def test_variables_with_one_type_of_descriptor_are_one(
    first: str, second: str, value: Any, result: float, given: str
) -> None:
    kernel = unshade.kernel(shader(first, second), engine="lockstep")
    names = [each.where for each in kernel.bindings if "out" not in each.names]
    assert names in (["a, b (set0_binding0)"], ["b, a (set0_binding0)"])
    other = "b" if names == ["a, b (set0_binding0)"] else "a"
    note = {"a": "b", "b": "a"}[other]
    assert kernel.bindings[0].words.endswith(f"; one descriptor with {note}")
    found = kernel.dispatch(1, **{given: value}, out=np.zeros(1, "<f4"))
    assert found["out"].tolist() == [result]
    both = "given twice: its names are one descriptor"
    with pytest.raises(UsageError, match=both):
        kernel.dispatch(1, a=value, b=value, out=np.zeros(1, "<f4"))


@pytest.mark.parametrize(("first", "second"), [("uniform", "small"), ("small", "uniform")])
def test_members_of_blocks_that_are_one_descriptor(first: str, second: str) -> None:
    """The code reads the second number of one block and the first one of the other."""
    kernel = unshade.kernel(shader(first, second), engine="lockstep")
    large, small = ("a", "b") if first == "uniform" else ("b", "a")
    given: list[dict[str, Any]] = [
        {large: {"member0": 4, "member1": 7}}, {small: {"member0": 4, "member1": 7}},
        {small: {"member0": 4}, "member1": 7}, {"member0": 4, "member1": 7},
    ]  # fmt: skip
    for each in given:
        found = kernel.dispatch(1, **each, out=np.zeros(1, "<f4"))
        assert found["out"].tolist() == [47 if first == "uniform" else 74]
    for missing in ("member0", "member1"):
        one = {"member0": 4, "member1": 7}
        del one[missing]
        for values in (one, {large: one}, {small: one}):
            with pytest.raises(UsageError, match=f"float {missing} missing"):
                kernel.dispatch(1, **values, out=np.zeros(1, "<f4"))


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("uniform", "read", 37), ("uniform", "written", 37), ("written", "uniform", 73),
        ("written", "texture", 53), ("read", "kept", 53), ("texture", "kept", 55),
        ("texels", "written", 36),
    ],
)  # fmt: skip
def test_variables_with_other_descriptors_are_bound_apart(
    first: str, second: str, result: float
) -> None:
    kernel = unshade.kernel(shader(first, second), engine="lockstep")
    assert [each.where for each in kernel.bindings][:2] == [
        "a (set0_binding0)", "b (set0_binding0.1)",
    ]  # fmt: skip
    given = {"a": VALUES[first], "b": VALUES[second], "out": np.zeros(1, "<f4")}
    assert kernel.dispatch(1, **given)["out"].tolist() == [result]
    del given["b"]
    with pytest.raises(UsageError, match=r"b \(set0_binding0.1\) is not bound"):
        kernel.dispatch(1, **given)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("read", "texture", r"%a \(storage_buffer\) and %b \(sampled_image\) are both set 0, bi"),
        ("texture", "image", r"%a \(sampled_image\) and %b \(storage_image\) are both set 0, bi"),
        ("kept", "written", r"%a \(storage_image\) and %b \(storage_buffer\) are both set 0, bi"),
        ("texture", "texels", r"%a \(sampled_image\) and %b \(uniform_texel_buffer\) are both"),
    ],
)
def test_variables_that_would_have_one_slot_are_refused(
    first: str, second: str, message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        unshade.kernel(shader(first, second))


@pytest.mark.parametrize(
    ("first", "second", "notes"),
    [
        ("read", "written", ["one descriptor with b", "one descriptor with a"]),
        ("uniform", "read", ["same binding as b", "same binding as a"]),
    ],
)
def test_a_shared_binding_is_listed(first: str, second: str, notes: list[str]) -> None:
    table = resources(shader(first, second).reflect().resources)
    found = [str(row[-1]).rpartition(", ")[2] for row in table.rows]
    assert [each for each in found if not each.startswith("stride")] == notes


VIEWS = """OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %out "out"
OpMemberName %S 0 "data"
OpName %a "a"
OpName %b "b"
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
OpDecorate %out DescriptorSet 1
OpDecorate %out Binding 0
OpDecorate %row ArrayStride 4
OpDecorate %S Block
OpMemberDecorate %S 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%int = OpTypeInt 32 1
%int2 = OpTypeVector %int 2
%uint = OpTypeInt 32 0
%uint4 = OpTypeVector %uint 4
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%none = OpConstant %int 0
%origin = OpConstantComposite %int2 %none %none
%ten = OpConstant %float 10
%row = OpTypeRuntimeArray %float
%S = OpTypeStruct %row
%pS = OpTypePointer StorageBuffer %S
%ps = OpTypePointer StorageBuffer %float
%floats = OpTypeImage %float 2D 0 0 0 1 Unknown
%uints = OpTypeImage %uint 2D 0 0 0 1 Unknown
%many = OpTypeArray %floats %two
%more = OpTypeArray %uints %two
%pmany = OpTypePointer UniformConstant %many
%pmore = OpTypePointer UniformConstant %more
%pfloats = OpTypePointer UniformConstant %floats
%puints = OpTypePointer UniformConstant %uints
%out = OpVariable %pS StorageBuffer
%a = OpVariable %pmany UniformConstant
%b = OpVariable %pmore UniformConstant
%main = OpFunction %void None %fn
%l = OpLabel
%ap = OpAccessChain %pfloats %a %zero
%ai = OpLoad %floats %ap
%at = OpImageFetch %float4 %ai %origin Lod %none
%av = OpCompositeExtract %float %at 0
%bp = OpAccessChain %puints %b %one
%bi = OpLoad %uints %bp
%bt = OpImageFetch %uint4 %bi %origin Lod %none
%bu = OpCompositeExtract %uint %bt 0
%bv = OpConvertUToF %float %bu
%tens = OpFMul %float %bv %ten
%sum = OpFAdd %float %av %tens
%o = OpAccessChain %ps %out %zero %zero
OpStore %o %sum
OpReturn
OpFunctionEnd
"""


@pytest.mark.parametrize("engine", ["lockstep", "jit"])
@pytest.mark.parametrize(
    ("first", "second", "result"),
    [("a[0]", "b[1]", 75), ("a[0]", "a[1]", 5), ("b[0]", "b[1]", 70), ("b[0]", "a[1]", 0)],
)
def test_an_element_is_bound_as_one_of_its_types_and_reads_as_0_through_others(
    first: str, second: str, result: float, engine: str
) -> None:
    kernel = unshade.kernel(unshade.assemble(VIEWS, "spirv", target="spv1.3"), engine=engine)
    assert [each.where for each in kernel.bindings] == [
        "a[0] (set0_binding0[0])", "a[1] (set0_binding0[1])",
        "b[0] (set0_binding0[0].1)", "b[1] (set0_binding0[1].1)", "out (set1_binding0)",
    ]  # fmt: skip
    textures = {
        "a": np.full((1, 1, 4), 5, "<f4"), "b": np.full((1, 1, 4), 7, "<u4"),
    }  # fmt: skip
    given = {first: textures[first[0]], second: textures[second[0]]}
    assert kernel.dispatch(1, **given, out=np.zeros(1, "<f4"))["out"].tolist() == [result]
    with pytest.raises(UsageError, match="is not bound"):
        kernel.dispatch(1, **{first: given[first]}, out=np.zeros(1, "<f4"))
