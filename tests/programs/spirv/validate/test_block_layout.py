"""Layouts of blocks: alignments, sizes, strides and padding by the rules of each storage class.

Source of the rules: Vulkan specification, "Offset and Stride Assignment": in a uniform buffer the
alignment of arrays and structures is a multiple of 16 (extended), elsewhere it is not (base), and
with scalar layouts it is that of the largest scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import ValidatorOptions, validate

TYPES = {
    "float": (4, 4), "vec2": (8, 8), "vec3": (16, 12), "vec4": (16, 16), "double": (8, 8),
    "dvec2": (16, 16), "dvec3": (32, 24),
}  # fmt: skip  # alignment and size in bytes
SCALARS = {"vec2": 4, "vec3": 4, "vec4": 4, "dvec2": 8, "dvec3": 8}
HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability Float64
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    OpMemoryModel Logical GLSL450
    """
REST = """{types} %vec2 = OpTypeVector %float 2
    %vec3 = OpTypeVector %float 3
    %vec4 = OpTypeVector %float 4
    %mat2x3 = OpTypeMatrix %vec3 2
    %mat3x2 = OpTypeMatrix %vec2 3
    %double = OpTypeFloat 64
    %dvec2 = OpTypeVector %double 2
    %dvec3 = OpTypeVector %double 3
    """
EXTENDED, BASE = "Uniform", "StorageBuffer"


class Layout(NamedTuple):
    """Members of a block, their offsets, and decorations of `%block`."""

    members: str
    offsets: Sequence[int | None]
    decorations: str = ""


def problems(
    storage: str, blocks: Sequence[Layout], before: str = "", types: str = "",
    target: str = "vulkan1.0", *, scalar: bool = False, about: int = Opcode.TypeStruct,
) -> list[list[str]]:  # fmt: skip
    """Return what is found about each block of a module, or about each type of another kind."""
    head, rest = [before], [types]
    for at, each in enumerate(blocks):
        head += [f"OpDecorate %block{at} Block"]
        head += [
            f"OpMemberDecorate %block{at} {number} Offset {offset}"
            for number, offset in enumerate(each.offsets)
            if offset is not None
        ]
        head += [each.decorations.replace("%block", f"%block{at}")]
        head += [f"OpDecorate %v{at} DescriptorSet 0\nOpDecorate %v{at} Binding {at}"]
        rest += [f"%block{at} = OpTypeStruct {each.members}"]
        rest += [f"%p{at} = OpTypePointer {storage} %block{at}"]
        rest += [f"%v{at} = OpVariable %p{at} {storage}"]
    lines = "\n".join([HEAD, *head, REST, *rest, "{main} {end}"])
    module = assemble(Source(text_of(lines)), target="spv1.0")
    structs = [at for at, each in enumerate(module.instructions) if each.opcode == about]
    found = {at: list[str]() for at in structs[-len(blocks) :]}
    options = ValidatorOptions(scalar_block_layout=scalar)
    for finding in validate(module, target, options):
        if finding.code == "spirv.block-layout":
            found.setdefault(getattr(finding, "position", -1), []).append(finding.message)
    return list(found.values())


def overlapping(blocks: Sequence[list[str]]) -> list[bool]:
    return [any("overlaps the one before it" in each for each in found) for found in blocks]


LAID_OUT = "OpMemberDecorate %inner 0 Offset 0\nOpDecorate %array ArrayStride {}"
INNER = "%inner = OpTypeStruct %float\n%array = OpTypeArray %float %two"


def test_every_numeric_type_at_every_offset() -> None:
    """The second member is at each multiple of 4 up to 32; the first is a float."""
    places = range(4, 36, 4)
    cases = [(name, offset) for name in TYPES for offset in places]
    blocks = [Layout(f"%float %{name}", [0, offset]) for name, offset in cases]
    wrong = []
    for scalar in (False, True):
        for (name, offset), found in zip(
            cases, problems(EXTENDED, blocks, scalar=scalar), strict=True
        ):
            alignment, _ = TYPES[name]
            least = SCALARS.get(name, alignment) if scalar else alignment
            if bool(found) != bool(offset % least):
                wrong.append((name, scalar, offset, found))
    assert wrong == []


def test_members_do_not_overlap() -> None:
    """The second member begins four bytes before the end of the first, or there."""
    blocks = [
        Layout(f"%{name} %float", [0, offset])
        for name, (_, size) in TYPES.items()
        for offset in (size - 4, size)
    ]
    assert overlapping(problems(BASE, blocks)) == [name for _ in TYPES for name in (True, False)]
    turned = [Layout(f"%float %{name}", [size, 0]) for name, (_, size) in TYPES.items()]
    assert not any(overlapping(problems(BASE, turned)))
    ((message,),) = problems(BASE, [Layout("%float %float", [0, None])])
    assert "member 1: expected Offset" in message


def test_nothing_follows_in_the_padding_of_arrays_and_structures_of_uniform_buffers() -> None:
    for storage, stride, ends in ((EXTENDED, 16, (16, 32)), (BASE, 4, (4, 8))):
        blocks = [
            Layout(f"%{name} %float", [0, offset])
            for name, end in zip(("inner", "array"), ends, strict=True)
            for offset in (end - 4, end)
        ]
        found = problems(storage, blocks, LAID_OUT.format(stride), INNER)
        assert overlapping(found) == [True, False, True, False], storage


def test_alignments_and_strides_of_arrays_and_structures() -> None:
    for storage, least in ((EXTENDED, 16), (BASE, 4)):
        offsets = (4, 8, 12, 16, 20, 32)
        for name in ("inner", "array"):
            blocks = [Layout(f"%float %{name}", [0, offset]) for offset in offsets]
            found = problems(storage, blocks, LAID_OUT.format(least), INNER)
            assert [not each for each in found] == [each % least == 0 for each in offsets]
        strides = (2, 4, 6, 8, 12, 16, 24, 32)
        types = "\n".join(f"%of{each} = OpTypeArray %float %two" for each in strides)
        before = "\n".join(f"OpDecorate %of{each} ArrayStride {each}" for each in strides)
        module = [Layout(f"%of{each}", [0]) for each in strides]
        found = problems(storage, module, before, types, about=Opcode.TypeArray)
        assert [bool(each) for each in found] == [each % least != 0 for each in strides]
    found = problems(
        BASE, [Layout("%a", [0])], "", "%a = OpTypeArray %float %two", about=Opcode.TypeArray
    )
    assert "expected ArrayStride" in found[0][0]


def of_matrix(type: str, order: str, stride: int, more: str = "", at: int = 0) -> Layout:
    decorations = (
        f"OpMemberDecorate %block 0 {order}\nOpMemberDecorate %block 0 MatrixStride {stride}"
    )
    return Layout(f"%{type} {more}", [0, at] if more else [0], decorations)


def test_strides_of_matrices() -> None:
    """A 2 x 3 matrix has columns of vec3 (16 bytes) or rows of vec2 (8; 16 if extended)."""
    strides = (4, 8, 12, 16, 24, 32)
    for order, extended, base in (("ColMajor", 16, 16), ("RowMajor", 16, 8)):
        for storage, multiple in ((EXTENDED, extended), (BASE, base)):
            found = problems(storage, [of_matrix("mat2x3", order, each) for each in strides])
            assert [not each for each in found] == [each % multiple == 0 for each in strides]
    for lacking, decoration in (
        ("MatrixStride", "ColMajor"), ("RowMajor or ColMajor", "MatrixStride 16"),
    ):  # fmt: skip
        layout = Layout("%mat2x3", [0], f"OpMemberDecorate %block 0 {decoration}")
        ((message,),) = problems(BASE, [layout])
        assert f"member 0: expected {lacking}" in message


def test_sizes_of_matrices() -> None:
    """All strides but the last, and one column or row."""
    blocks = [
        of_matrix(type, order, stride, "%float", offset)
        for type, order, stride, size in (
            ("mat2x3", "ColMajor", 16, 28), ("mat2x3", "RowMajor", 8, 24),
            ("mat3x2", "ColMajor", 8, 24), ("mat3x2", "RowMajor", 16, 28),
        )
        for offset in (size - 4, size)
    ]  # fmt: skip
    assert overlapping(problems(BASE, blocks)) == [True, False] * 4


def test_vectors_do_not_straddle_16_bytes_from_vulkan_1_1_on() -> None:
    places = range(4, 32, 4)
    for name, sound in (
        ("vec2", {4, 8, 16, 20, 24}), ("vec3", {4, 16, 20}), ("vec4", {16}), ("dvec3", {16}),
        ("float", set(places)),
    ):  # fmt: skip
        blocks = [Layout(f"%float %{name}", [0, offset]) for offset in places]
        found = problems(EXTENDED, blocks, target="vulkan1.1")
        assert {at for at, each in zip(places, found, strict=True) if not each} == sound, name


def test_the_last_byte_of_a_vector_may_not_straddle() -> None:
    """Two bytes at 14 end at 16 bytes, and at 15 with the first byte of the next ones."""
    types = "%byte = OpTypeInt 8 0\n%bytes = OpTypeVector %byte 2"
    blocks = [Layout("%float %bytes", [0, offset]) for offset in range(13, 17)]
    found = problems(EXTENDED, blocks, "OpCapability Int8", types, target="vulkan1.1")
    assert found == [
        [], [], ["OpTypeStruct: member 1 at offset 15 straddles 16 bytes"], [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("storage", "laid_out"), [("PhysicalStorageBuffer", False), ("Function", True)]
)
def test_a_pointer_to_memory_with_a_layout_has_none_itself(storage: str, laid_out: bool) -> None:
    """A private variable may contain a pointer whose ArrayStride lays out the memory behind it.

    Source: Vulkan specification, VUID-StandaloneSpirv-None-10684.
    """
    lines = f"""OpCapability Shader
        OpCapability PhysicalStorageBufferAddresses
        OpExtension "SPV_KHR_physical_storage_buffer"
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpEntryPoint GLCompute %main "main" %v
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %inner ArrayStride 16
        OpDecorate %v AliasedPointer
        {{types}}
        %inner = OpTypePointer {storage} %float
        %p = OpTypePointer Private %inner
        %v = OpVariable %p Private
        {{main}} {{end}}"""
    module = assemble(Source(text_of(lines)), target="spv1.6")
    messages = [each.message for each in validate(module, "vulkan1.3")]
    assert any("the type has a layout" in each for each in messages) == laid_out
