"""Elements of arrays of resources: one access with an index, in place of a switch."""

import re
import shutil
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import unshade
from tests.programs.dxil.lower.support import compute as compute_code
from tests.programs.dxil.lower.support import lowered, store
from tests.programs.dxil.lower.test_handles import (
    BYTES,
    KINDS,
    PROPERTIES,
    descriptor,
    dispatched,
    word,
)
from unshade.decompile.source import decompile
from unshade.errors import UnsupportedError
from unshade.isa.source import Source

from .recompiled import outcome

COMPUTE = """
cs_5_1
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[0:0][1], immediateIndexed, space=0
dcl_resource_raw T0[0:3], space=0
dcl_uav_raw U0[0:3], space=0
dcl_input vThreadID.xyz
dcl_temps 2
dcl_thread_group 1, 1, 1
{}
ret
"""
DYNAMIC = (
    "and r0.x, vThreadID.x, l(3)",
    "ld_raw r0.y, vThreadID.y, T0[r0.x].xxxx",
    "store_raw U0[r0.x].x, vThreadID.z, r0.y",
)


def compute(*lines: str) -> unshade.Shader:
    return unshade.assemble(COMPUTE.format("\n".join(lines)), "dxcontainer")


def test_the_elements_of_an_array_are_chosen_by_an_index() -> None:
    text = compute(*DYNAMIC).decompile()
    assert "switch" not in text
    assert "t0[NonUniformResourceIndex(" in text
    assert "u0[NonUniformResourceIndex(" in text


def test_an_index_from_constants_is_the_same_for_all_lanes() -> None:
    text = compute("store_raw U0[CB0[0][0].x].x, vThreadID.z, vThreadID.x").decompile()
    assert "NonUniformResourceIndex" not in text
    assert "u0[index].Store(" in text


def test_glsl_and_exact_hlsl_choose_by_a_switch() -> None:
    """An element outside of the array reads 0, as the program does."""
    assert "switch" in compute(*DYNAMIC).decompile("glsl")
    assert "switch" in compute(*DYNAMIC).decompile(style="exact")


def test_part_of_an_array_is_chosen_by_a_switch() -> None:
    """The lowered program has two other accesses between; the third differs in its element."""
    lines = ("switch vThreadID.x", "case l(0)", "store_raw U0[0].x, vThreadID.z, l(1)", "break",
             "case l(1)", "store_raw U0[1].x, vThreadID.z, l(1)", "break", "endswitch")  # fmt: skip
    text = compute(*lines).decompile()
    assert "switch (thread_id.x) {" in text


def test_cases_that_differ_stay() -> None:
    cases = [
        line for at in range(4)
        for line in (f"case l({at})", f"store_raw U0[{at}].x, vThreadID.z, l({at})", "break")
    ]  # fmt: skip
    text = compute("switch vThreadID.x", *cases, "endswitch").decompile()
    assert "switch (thread_id.x) {" in text
    alike = [each.replace("l(2)", "l(1)") if "store" in each else each for each in cases]
    assert "switch" in compute("switch vThreadID.x", *alike, "endswitch").decompile()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_elements_by_an_index_compute_the_same() -> None:
    shader = compute(*DYNAMIC)
    text = shader.decompile("hlsl")
    assert outcome(shader, text, "compute", seeds=2).startswith("equal")


# ---------------------------------------------------------------- arrays without a size

UNBOUNDED = COMPUTE.replace("T0[0:3], space=0", "T0[0:*], space=70").replace("U0[0:3]", "U0[0:0]")
UNBOUNDED = UNBOUNDED.replace("dcl_constantbuffer CB0[0:0][1], immediateIndexed, space=0\n", "")
SELECTED = (
    "and r0.x, vThreadID.x, l(3)",
    "ld_raw r0.y, l(4), T0[r0.x].xxxx",
    "ishl r0.z, vThreadID.x, l(2)",
    "store_raw U0[0].x, r0.z, r0.y",
)


def unbounded(*lines: str) -> unshade.Shader:
    return unshade.assemble(UNBOUNDED.format("\n".join(lines)), "dxcontainer")


@pytest.mark.parametrize("style", ["readable", "exact"])
def test_an_array_without_a_size_is_declared_and_indexed(style: str) -> None:
    shader = unbounded(*SELECTED)
    text = shader.decompile(style=style)
    assert "ByteAddressBuffer t0_space70[] : register(t0, space70);" in text
    assert "t0_space70[NonUniformResourceIndex(index)].Load(4u)" in text
    text = shader.decompile("glsl", style=style)
    assert "#extension GL_EXT_nonuniform_qualifier : require" in text
    assert "} t0_space70[];" in text
    assert "t0_space70[nonuniformEXT(index)].elements[1u]" in text


def test_a_constant_element_of_such_an_array_has_its_number() -> None:
    text = unbounded("ld_raw r0.y, l(4), T0[9].xxxx", *SELECTED).decompile()
    assert "t0_space70[NonUniformResourceIndex(index)]" in text
    text = unbounded("ld_raw r0.y, l(4), T0[9].xxxx", "store_raw U0[0].x, l(0), r0.y").decompile()
    assert "u0.Store(0u, t0_space70[9].Load(4u));" in text


def test_a_switch_of_the_program_stays() -> None:
    lines = ("mov r0.y, l(0)", "switch vThreadID.x", "case l(0)", "ld_raw r0.y, l(4), T0[0].xxxx",
             "break", "case l(1)", "ld_raw r0.y, l(4), T0[1].xxxx", "break", "endswitch",
             "store_raw U0[0].x, l(0), r0.y")  # fmt: skip
    assert "switch (thread_id.x) {" in unbounded(*lines).decompile()


def test_a_set_beyond_those_of_glsl_is_a_free_one() -> None:
    text = unbounded(*SELECTED).decompile("glsl")
    assert "// space 70 is the set 1" in text
    assert "layout(set = 1, binding = 100, std430) readonly buffer t0_space70_buffer" in text


def test_lanes_may_select_different_elements_in_spirv() -> None:
    text = unbounded(*SELECTED).translate(target="vulkan1.1").disassemble()
    for line in (
        "OpCapability ShaderNonUniform", "OpCapability StorageBufferArrayNonUniformIndexing",
        "OpCapability RuntimeDescriptorArray", 'OpExtension "SPV_EXT_descriptor_indexing"',
    ):  # fmt: skip
        assert line in text
    chains = [each for each in text.splitlines() if "= OpAccessChain" in each]
    marked = [each for each in chains if f"{each.split()[0]} NonUniform" in text]
    assert len(marked) == 1


def test_wgsl_has_no_such_arrays() -> None:
    with pytest.raises(UnsupportedError, match="no arrays of resources"):
        unbounded(*SELECTED).translate("wgsl")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("glslangValidator") is None, reason="needs glslang-tools")
def test_elements_of_an_array_without_a_size_are_the_same() -> None:
    shader = unbounded(*SELECTED)
    text = Source(shader.decompile("glsl", style="exact"), "decompiled.glsl")
    made = unshade.compile(
        text, language="glsl", stage="compute", debug=False, compiler="glslangValidator"
    )
    found = [_stored(each, name) for each, name in (
        (shader, "t0_space70"), (shader.translate(target="vulkan1.3"), "set70_binding100"),
        (made, "set1_binding100"),
    )]  # fmt: skip
    assert found == [[11, 21, 31, 41, 11, 21]] * 3


def _stored(shader: Any, name: str) -> list[int]:
    kernel = unshade.kernel(shader, lengths={name: 4})
    inputs = [each for each in kernel.bindings if not each.writable]
    (output,) = (each for each in kernel.bindings if each.writable)
    numbers = {each.name: np.array([10 * at, 10 * at + 1], np.uint32)
               for at, each in enumerate(inputs, 1)}  # fmt: skip
    results = kernel.dispatch((6, 1, 1), **numbers, **{output.name: np.zeros(6, np.uint32)})
    return np.asarray(results[output.name]).ravel().tolist()


# ---------------------------------------------------------------- descriptor heaps

ANY_OF_A_HEAP = f"""{descriptor("any", "%lane", BYTES)}{word("y", "any", 4)}{store("%y")}"""


def heap_source(body: str, to: str = "hlsl") -> str:
    code = compute_code(body, threads=4, before=PROPERTIES)
    return decompile(lowered(code, assumed=2, for_source=True), None, to=to)


def test_a_function_returns_a_descriptor_of_a_heap() -> None:
    text = heap_source(ANY_OF_A_HEAP)
    assert (
        """\
ByteAddressBuffer heap_raw(uint index) {
    ByteAddressBuffer found = ResourceDescriptorHeap[index];
    return found;
}
"""
        in text
    )
    assert re.search(r"= heap_raw\(NonUniformResourceIndex\([\w.]+\)\)\.Load\(4u\)", text)


def test_each_kind_of_descriptors_has_a_function() -> None:
    text = heap_source(KINDS)
    for line in (
        "ConstantBuffer<heap_constants_registers> heap_constants(uint index) {",
        "ByteAddressBuffer heap_raw(uint index) {",
        "= heap_constants(NonUniformResourceIndex(",
    ):
        assert line in text


def test_descriptors_of_one_kind_share_a_function() -> None:
    body = f"""{descriptor("a", 3, BYTES)}{descriptor("b", 5, BYTES)}
{word("x", "a")}{word("y", "b")}
  %sum = add i32 %x, %y{store("%sum")}"""
    text = heap_source(body)
    assert text.count("= ResourceDescriptorHeap[index];") == 1
    assert "heap_raw(3).Load(0u) + heap_raw(5).Load(0u)" in text


def test_heaps_have_no_glsl() -> None:
    with pytest.raises(UnsupportedError, match="GLSL has no descriptor heaps"):
        heap_source(ANY_OF_A_HEAP, "glsl")


@pytest.mark.slow
@pytest.mark.skipif(find_spec("slangpy") is None, reason="needs the extra [slang]")
def test_descriptors_of_a_heap_compute_the_same() -> None:
    """No compiler here knows heaps, so that an array takes the place of this one."""
    code = compute_code(ANY_OF_A_HEAP, threads=4, before=PROPERTIES)
    bound = {f"heap{at}": [0, 7 * at + 1] for at in range(4)}
    found = dispatched(code, {"lengths": {"heap0": 4}}, u1=[0] * 4, **bound)
    text = heap_source(ANY_OF_A_HEAP).replace("ResourceDescriptorHeap", "every")
    text = f"ByteAddressBuffer every[] : register(t0, space9);\n{text}"
    made = unshade.compile(
        Source(text, "decompiled.hlsl"), language="hlsl", stage="compute", entry="main", debug=False
    )
    kernel = unshade.kernel(made, lengths={"set9_binding100": 4})
    (output,) = (each.name for each in kernel.bindings if each.writable)
    inputs = (each.name for each in kernel.bindings if not each.writable)
    given = {name: np.array([0, 7 * at + 1], np.uint32) for at, name in enumerate(inputs)}
    results = kernel.dispatch((1, 1, 1), **given, **{output: np.zeros(4, np.uint32)})
    assert np.asarray(results[output]).ravel().tolist() == found["u1"] == [1, 8, 15, 22]
