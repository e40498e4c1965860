"""Counts over the instructions of a DXIL program, in the terms in which fxc counts.

    %1 = fadd fast float %a, %b                             float
    %2 = call float @dx.op.unary.f32(i32 13, float %1)      float: Sin
    %3 = call float @dx.op.unary.f32(i32 27, float %2)      float and conversion: Round_ni
    %4 = call ... @dx.op.rawBufferLoad.f32(i32 139, ...)    load
    br i1 %5, label %6, label %7                            dynamic flow; without condition nothing

Like fxc, and unlike SPIR-V's groups, it counts bitwise operations as unsigned; `add`, `mul`, `shl`
and `icmp eq`, which have no sign in LLVM, as signed; and does not count accesses to the memory of a
thread group. Operations that DXIL does not have, such as mov, and quantities that only a driver
decides, such as registers, are unknown.

Source: tables/ops.py of programs/tpf, whose operations these are.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache

from ....model.reflection import Statistics
from ..model.instructions import BranchInst, CompareInst, Instruction
from ..operation_calls import operation_of
from ..tables.dxil_operations import Op
from ..tables.llvm_enumerations import PREDICATES

__all__ = ["counts"]

FLOAT, INT, UINT = "float_instructions", "int_instructions", "uint_instructions"
CONVERSIONS, FLOW = "conversions", "dynamic_flow_control"
# What LLVM's instructions count as; comparisons and branches are below.
LLVM: dict[str, str] = {
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "frem"), FLOAT),
    **dict.fromkeys(("add", "sub", "mul", "sdiv", "srem", "shl", "ashr"), INT),
    **dict.fromkeys(("udiv", "urem", "lshr", "and", "or", "xor"), UINT),
    **dict.fromkeys(("trunc", "zext", "sext", "fptrunc", "fpext"), CONVERSIONS),
    **dict.fromkeys(("fptoui", "fptosi", "uitofp", "sitofp"), CONVERSIONS),
    **dict.fromkeys(("atomicrmw", "cmpxchg"), "interlocked"),
    "select": "conditional_moves",
    "switch": FLOW,
}
# What operations that are not arithmetic count as, by the start of their names.
OPERATIONS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("SampleLevel", "TextureLoad", "BufferLoad", "RawBufferLoad"), ("texture_loads",)),
    (("RawBufferVectorLoad",), ("texture_loads",)),
    (("SampleCmp",), ("texture_comparisons",)),
    (("SampleBias",), ("texture_bias",)),
    (("SampleGrad",), ("texture_gradients",)),
    (("SampleIndex",), ()),  # an input
    (("Sample",), ("texture_samples",)),
    (("TextureGather",), ("texture_gathers",)),
    (("CalculateLOD",), ("lods",)),
    (("EmitThenCutStream",), ("emits", "cuts")),
    (("EmitStream",), ("emits",)),
    (("CutStream",), ("cuts",)),
    (("Barrier",), ("barriers",)),
    (("Atomic",), ("interlocked",)),
    (("TextureStore", "BufferStore", "RawBufferStore", "RawBufferVectorStore"), ("stores",)),
    (("Legacy",), (CONVERSIONS,)),
    (("Round_",), (FLOAT, CONVERSIONS)),
)
# Functions of arithmetic on what their overloads say.
ARITHMETIC = (
    "unary", "unaryBits", "binary", "tertiary", "quaternary", "binaryWithTwoOuts",
    "binaryWithCarryOrBorrow", "isSpecialFloat", "dot", "dot2", "dot3", "dot4", "dot2AddHalf",
    "dot4AddPacked",
)  # fmt: skip
SIGNED = frozenset({"IMax", "IMin", "IMul", "IMad", "Dot4AddI8Packed"})
NAMES = (
    FLOAT, INT, UINT, CONVERSIONS, FLOW, "conditional_moves", "interlocked", "bitwise_instructions",
    "texture_samples", "texture_loads", "texture_comparisons", "texture_bias", "texture_gradients",
    "texture_gathers", "lods", "cuts", "emits", "barriers", "stores",
)  # fmt: skip


def counts(instructions: Iterable[Instruction]) -> Statistics:
    """Return counts over instructions."""
    listed = list(instructions)
    found = Counter(name for each in listed for name in _counters(each))
    numbers = {name: found[name] for name in NAMES}
    return Statistics(computed=True, instructions=len(listed), **numbers)


def _counters(instruction: Instruction) -> tuple[str, ...]:
    """Return the names of the counters that include an instruction."""
    if isinstance(instruction, CompareInst):
        if instruction.opcode == "fcmp":
            return (FLOAT,)
        return (UINT if PREDICATES[instruction.predicate].startswith("u") else INT,)
    if isinstance(instruction, BranchInst):
        return (FLOW,) if instruction.condition is not None else ()
    operation = operation_of(instruction)
    if operation is not None:
        return _of_operation(operation)
    name = LLVM.get(instruction.opcode)
    return (name,) if name is not None else ()


@cache
def _of_operation(operation: Op) -> tuple[str, ...]:
    for starts, names in OPERATIONS:
        if operation.name.startswith(starts):
            return names
    if operation.function not in ARITHMETIC:
        return ()
    if set(operation.overloads.split("<")[0] or operation.overloads[1:]) <= set("hfd"):
        return (FLOAT,)
    return (INT if operation.name in SIGNED else UINT,)
