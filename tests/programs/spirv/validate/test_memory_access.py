"""Memory access operands of loads, stores and copies: each bit, for each direction and class."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from tests.programs.spirv.validate.test_rules import text_of
from unshade.isa.source import Source
from unshade.programs.spirv.assembler import assemble
from unshade.programs.spirv.tables.numbers import Opcode
from unshade.programs.spirv.validate import InstructionFinding, validate

MODULE = """OpCapability Shader
    OpCapability Linkage
    OpCapability VulkanMemoryModel
    OpExtension "SPV_KHR_vulkan_memory_model"
    OpMemoryModel Logical Vulkan
    {types} %p = OpTypePointer Workgroup %uint
    %f = OpTypePointer Function %uint
    %v = OpVariable %p Workgroup
    %w = OpVariable %p Workgroup
    %scope = OpConstant %uint 2
    {main} %l = OpVariable %f Function
    """
LOAD, STORE, COPY = "%a{0} = OpLoad %uint {1}", "OpStore {1} %one", "OpCopyMemory %v %w"
NON_PRIVATE, AVAILABLE, VISIBLE = "NonPrivatePointer", "MakePointerAvailable", "MakePointerVisible"


def reported(lines: Sequence[str], target: str = "spv1.6") -> list[set[str]]:
    """Return what is found out about each of some lines, in one module."""
    text = text_of(MODULE + "\n".join(lines) + " {end}")
    module = assemble(Source(text), target=target)
    codes = [Opcode.Load, Opcode.Store, Opcode.CopyMemory]
    places = [at for at, each in enumerate(module.instructions) if each.opcode in codes]
    assert len(places) == len(lines)
    found = {at: set[str]() for at in places}
    for each in validate(module, target):
        assert isinstance(each, InstructionFinding)
        found[each.position].add(each.message)
    return list(found.values())


def words(*bits: str) -> str:
    """Return an operand: the bits, then their values."""
    values = {"Aligned": " 4", AVAILABLE: " %scope", VISIBLE: " %scope"}
    return " ".join(["|".join(bits) or "None", *(values[each] for each in bits if each in values)])


@pytest.mark.fast
def test_every_combination_for_loads_and_stores() -> None:
    every = ("Aligned", AVAILABLE, VISIBLE, NON_PRIVATE)
    cases = [
        (place, [each for each, flag in zip(every, flags, strict=True) if flag])
        for place in ("%v", "%l")
        for flags in itertools.product((0, 1), repeat=4)
    ]
    found_of = {
        line: reported(
            [line.format(at, place) + f" {words(*bits)}" for at, (place, bits) in enumerate(cases)]
        )
        for line in (LOAD, STORE)
    }
    wrong = []
    for line, (at, (place, bits)) in itertools.product(found_of, enumerate(cases)):
        found = found_of[line][at]
        expected = set()
        if AVAILABLE in bits and line is LOAD:
            expected.add("a load makes nothing available")
        if VISIBLE in bits and line is STORE:
            expected.add("a store makes nothing visible")
        if NON_PRIVATE not in bits:
            expected |= {f"{each} needs {NON_PRIVATE}" for each in bits if each != "Aligned"}
        elif place == "%l":
            expected.add("NonPrivatePointer is for memory that is shared")
        told = {each for each in expected if any(each in message for message in found)}
        if told != expected or len(found) != len(expected):
            wrong.append((line, place, bits, sorted(found)))
    assert wrong == []


def test_the_alignment_is_a_power_of_two() -> None:
    found = reported([f"{LOAD.format(each, '%v')} Aligned {each}" for each in range(10)])
    for alignment, messages in enumerate(found):
        sound = alignment in (1, 2, 4, 8)
        told = any(f"expected a power of 2, got {alignment}" in each for each in messages)
        assert told != sound, alignment


def test_a_copy_makes_the_target_available_and_the_source_visible() -> None:
    """The first operand is of the target, the second of the source; one is of both."""
    target, source = (words(each, NON_PRIVATE) for each in (AVAILABLE, VISIBLE))
    sound = [words(NON_PRIVATE), target, source, f"{target} {source}"]
    copies = [f"{COPY} {each}" for each in (*sound, f"{target} {target}", f"{source} {source}")]
    *first, available, visible = reported(copies)
    assert first == [set()] * len(sound)
    assert "the source does not become available" in available.pop()
    assert "the target does not become visible" in visible.pop()
    assert not available | visible
    (found,) = reported([f"OpCopyMemory %v %l {words(NON_PRIVATE)}"])
    assert any("NonPrivatePointer is for memory that is shared" in each for each in found)
    (found,) = reported([f"{COPY} {target} {source}"], "spv1.3")
    assert any("a second memory access needs version 1.4" in each for each in found)


POINTERS = """OpCapability Shader
    OpCapability Linkage
    OpCapability Int64
    OpCapability PhysicalStorageBufferAddresses
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    {types} %long = OpTypeInt 64 0
    %p = OpTypePointer PhysicalStorageBuffer TYPE
    %address = OpConstant %long 64
    {main} %q = OpConvertUToPtr %p %address
    """


def test_accesses_by_address_name_an_alignment_that_fits_the_largest_scalar() -> None:
    for type_, least in (("%uint", 4), ("%long", 8), ("%uint2", 4)):
        sound = [f"Aligned {least}", f"Aligned {2 * least}", f"Volatile|Aligned {least}"]
        lines = ["", "None", "Volatile", f"Aligned {least // 2}", *sound]
        text = POINTERS.replace("TYPE", type_) + "\n".join(
            f"%a{at} = OpLoad {type_} %q {access}" for at, access in enumerate(lines)
        )
        module = assemble(Source(text_of(text + " {end}")), target="spv1.6")
        loads = [at for at, each in enumerate(module.instructions) if each.opcode == Opcode.Load]
        found = {getattr(each, "position", -1): each.code for each in validate(module, "spv1.6")}
        assert found == dict.fromkeys(loads[:4], "spirv.aligned"), type_
