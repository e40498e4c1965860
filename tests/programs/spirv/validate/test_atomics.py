"""Atomic operations: pointers, values, storage classes and capabilities."""

from __future__ import annotations

from tests.programs.spirv.validate.lines import FINE, differing

MEMORY = """{types} %int = OpTypeInt 32 1
    %long = OpTypeInt 64 0
    %double = OpTypeFloat 64
    %to_uint = OpTypePointer Workgroup %uint
    %to_int = OpTypePointer Workgroup %int
    %to_long = OpTypePointer Workgroup %long
    %to_float = OpTypePointer Workgroup %float
    %to_uint2 = OpTypePointer Workgroup %uint2
    %private = OpTypePointer Private %uint
    %u = OpVariable %to_uint Workgroup
    %s = OpVariable %to_int Workgroup
    %l = OpVariable %to_long Workgroup
    %f = OpVariable %to_float Workgroup
    %v = OpVariable %to_uint2 Workgroup
    %p = OpVariable %private Private
    %i = OpConstant %int 1
    %long1 = OpConstant %long 1
    """
HEAD = """OpCapability Shader
    OpCapability Linkage
    OpCapability Int64
    OpCapability Float64
    {0}
    OpMemoryModel Logical GLSL450
    """
INTEGERS = ("IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor")


def head(*lines: str) -> str:
    return HEAD.format("\n".join(lines)) + MEMORY


def test_operations_on_integers() -> None:
    """The scope is a device (1) and the semantics none (0)."""
    rows: list[tuple[str, str]] = []
    for name in INTEGERS:
        rows += [
            (f"%x{{}} = OpAtomic{name} %uint %u %one %zero %two", FINE),
            (f"%x{{}} = OpAtomic{name} %int %s %one %zero %i", FINE),
            (f"%x{{}} = OpAtomic{name} %uint %u %one %zero %i",
             "expected values of the result's type"),
            (f"%x{{}} = OpAtomic{name} %int %u %one %zero %i",
             "expected a pointer to the value's type"),
            (f"%x{{}} = OpAtomic{name} %uint %one %one %zero %two", "expected a pointer"),
        ]  # fmt: skip
    for name in ("IIncrement", "IDecrement"):
        rows += [
            (f"%x{{}} = OpAtomic{name} %uint %u %one %zero", FINE),
            (f"%x{{}} = OpAtomic{name} %float %f %one %zero", "expected a scalar of int"),
        ]
    assert differing(head(), rows) == []


def test_loads_stores_and_exchanges() -> None:
    number = "expected a scalar of int or float"
    to_value = "expected a pointer to the value's type"
    rows = [
        ("%x{} = OpAtomicLoad %uint %u %one %zero", FINE),
        ("%x{} = OpAtomicLoad %float %f %one %zero", FINE),
        ("%x{} = OpAtomicLoad %uint2 %v %one %zero", number),
        ("%x{} = OpAtomicLoad %int %u %one %zero", to_value),
        ("OpAtomicStore %u %one %zero %two", FINE),
        ("OpAtomicStore %f %one %zero %fone", FINE),
        ("OpAtomicStore %u %one %zero %fone", to_value),
        ("%x{} = OpAtomicExchange %float %f %one %zero %fone", FINE),
        ("%x{} = OpAtomicExchange %uint %u %one %zero %i", "expected values of the result's type"),
        ("%x{} = OpAtomicCompareExchange %uint %u %one %zero %zero %two %one", FINE),
        ("%x{} = OpAtomicCompareExchange %uint %u %one %zero %zero %two %i",
         "expected values of the result's type"),
        ("%x{} = OpAtomicCompareExchange %uint %u %one %zero %zero %i %two",
         "expected values of the result's type"),
        ("%x{} = OpAtomicCompareExchange %float %f %one %zero %zero %fone %fone",
         "expected a scalar of int"),
        ("%x{} = OpAtomicLoad %uint %p %one %zero",
         "atomic operations are not for this storage class"),
    ]  # fmt: skip
    assert differing(head(), rows) == []


def test_64_bits_and_floats_need_capabilities() -> None:
    wide = ("%x{} = OpAtomicIAdd %long %l %one %zero %long1", "64 bits need Int64Atomics")
    assert differing(head(), [wide]) == []
    assert differing(head("OpCapability Int64Atomics"), [(wide[0], FINE)]) == []
    add = "%x{} = OpAtomicFAddEXT %float %f %one %zero %fone"
    least = "%x{} = OpAtomicFMinEXT %float %f %one %zero %fone"
    scalar = "%x{} = OpAtomicFAddEXT %uint %u %one %zero %one"
    refused = "floats of this width need a capability"
    extensions = (
        'OpExtension "SPV_EXT_shader_atomic_float_add"',
        'OpExtension "SPV_EXT_shader_atomic_float_min_max"',
    )
    for name, rows in (
        ("AtomicFloat32AddEXT", [(add, FINE), (scalar, "expected a scalar of float")]),
        ("AtomicFloat32MinMaxEXT", [(least, FINE)]),
        ("AtomicFloat64AddEXT", [(add, refused)]),
        ("AtomicFloat64MinMaxEXT", [(least, refused)]),
    ):
        assert differing(head(f"OpCapability {name}", *extensions), rows) == [], name


def test_flags() -> None:
    """A flag is a word of 32 bits, of a kernel."""
    kernel = (
        KERNEL
        + """ {types}
    %long = OpTypeInt 64 0
    %to_uint = OpTypePointer Workgroup %uint
    %to_long = OpTypePointer Workgroup %long
    %generic = OpTypePointer Generic %uint
    %input = OpTypePointer Input %uint
    %u = OpVariable %to_uint Workgroup
    %l = OpVariable %to_long Workgroup
    %g = OpUndef %generic
    %p = OpUndef %input
    """
    )
    flag, word = "%x{} = OpAtomicFlagTestAndSet", "expected a pointer to a 32-bit int"
    storage = "atomic operations are not for this storage class"
    rows = [
        (f"{flag} %bool %u %one %zero", FINE),
        (f"{flag} %uint %u %one %zero", "expected a result of bool"),
        (f"{flag} %bool %l %one %zero", word),
        (f"{flag} %bool %one %one %zero", word),
        (f"{flag} %bool %g %one %zero", FINE),
        (f"{flag} %bool %p %one %zero", storage),
        ("OpAtomicFlagClear %u %one %zero", FINE),
        ("OpAtomicFlagClear %l %one %zero", word),
        ("OpAtomicFlagClear %p %one %zero", storage),
    ]
    assert differing(kernel, rows, "opencl2.1") == []


KERNEL = """OpCapability Kernel
    OpCapability Addresses
    OpCapability Linkage
    OpCapability Int64
    OpCapability GenericPointer
    OpMemoryModel Physical32 OpenCL"""
