"""Memory access operands of loads, stores and copies: each bit, for each direction and class."""

from __future__ import annotations

import itertools

from tests.programs.spirv.validate.lines import FINE, differing, reported

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
    """
LOCAL = "%l = OpVariable %f Function"
LOAD, STORE, COPY = "%a{} = OpLoad %uint PLACE", "OpStore PLACE %one", "OpCopyMemory %v %w"
NON_PRIVATE, AVAILABLE, VISIBLE = "NonPrivatePointer", "MakePointerAvailable", "MakePointerVisible"


def words(*bits: str) -> str:
    """Return an operand: the bits, then their values."""
    values = {"Aligned": " 4", AVAILABLE: " %scope", VISIBLE: " %scope"}
    return " ".join(["|".join(bits) or "None", *(values[each] for each in bits if each in values)])


def needs(bit: str) -> str:
    return f"{bit} needs NonPrivatePointer"


def test_every_combination_for_loads_and_stores() -> None:
    """Of workgroup memory, and of the function's own."""
    every = ("Aligned", AVAILABLE, VISIBLE, NON_PRIVATE)
    wrong = []
    for line, place in itertools.product((LOAD, STORE), ("%v", "%l")):
        cases = [
            [each for each, flag in zip(every, flags, strict=True) if flag]
            for flags in itertools.product((0, 1), repeat=4)
        ]
        lines = [f"{line.replace('PLACE', place)} {words(*bits)}" for bits in cases]
        for bits, found in zip(cases, reported(MODULE, lines, local=LOCAL), strict=True):
            expected = set()
            if AVAILABLE in bits and line is LOAD:
                expected.add("a load makes nothing available")
            if VISIBLE in bits and line is STORE:
                expected.add("a store makes nothing visible")
            if NON_PRIVATE not in bits:
                expected |= {needs(each) for each in (AVAILABLE, VISIBLE) if each in bits}
            elif place == "%l":
                expected.add("NonPrivatePointer is for memory that is shared")
            if sorted(found) != sorted(expected):
                wrong.append((line, place, bits, found))
    assert wrong == []


def test_the_alignment_is_a_power_of_two() -> None:
    rows = [
        (
            f"{LOAD.replace('PLACE', '%v')} Aligned {each}",
            FINE if each in (1, 2, 4, 8) else f"expected a power of 2, got {each}",
        )
        for each in range(10)
    ]
    assert differing(MODULE, rows) == []


def test_a_copy_makes_the_target_available_and_the_source_visible() -> None:
    """The first operand is of the target, the second of the source; one is of both."""
    target, source = (words(each, NON_PRIVATE) for each in (AVAILABLE, VISIBLE))
    rows = [
        (f"{COPY} {words(NON_PRIVATE)}", FINE),
        (f"{COPY} {target}", FINE),
        (f"{COPY} {source}", FINE),
        (f"{COPY} {target} {source}", FINE),
        (f"{COPY} {target} {target}", "the source does not become available"),
        (f"{COPY} {source} {source}", "the target does not become visible"),
    ]
    assert differing(MODULE, rows) == []
    mixed = f"OpCopyMemory %v %l {words(NON_PRIVATE)}"
    assert reported(MODULE, [mixed], local=LOCAL) == [
        ["NonPrivatePointer is for memory that is shared"]
    ]
    older = [(f"{COPY} {target} {source}", "a second memory access needs version 1.4")]
    assert differing(MODULE, older, "spv1.3") == []


POINTERS = """OpCapability Shader
    OpCapability Linkage
    OpCapability Int64
    OpCapability PhysicalStorageBufferAddresses
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    {types} %long = OpTypeInt 64 0
    %p = OpTypePointer PhysicalStorageBuffer TYPE
    %address = OpConstant %long 64"""


def test_accesses_by_address_name_an_alignment_that_fits_the_largest_scalar() -> None:
    local = "%q = OpConvertUToPtr %p %address"
    for type_, least in (("%uint", 4), ("%long", 8), ("%uint2", 4)):
        rows = [
            ("", "expected Aligned"),
            ("None", "expected Aligned"),
            ("Volatile", "expected Aligned"),
            (f"Aligned {least // 2}", f"expected at least {least}, got {least // 2}"),
            (f"Aligned {least}", FINE),
            (f"Aligned {2 * least}", FINE),
            (f"Volatile|Aligned {least}", FINE),
        ]
        lines = [f"%a{{}} = OpLoad {type_} %q {access}" for access, _ in rows]
        found = reported(POINTERS.replace("TYPE", type_), lines, local=local)
        assert found == [[message] if message else [] for _, message in rows], type_
