"""Counts over the code that an entry point reaches."""

import re

from ....model import Statistics
from ..tables.grammar import grammar
from ..tables.numbers import Opcode
from .usage import BIAS, GRAD, Usage

__all__ = ["statistics"]

CONVERSIONS = "Conversion"
ATOMIC = "Atomic"
GROUPS = {"Bit": "bitwise_instructions", CONVERSIONS: "conversions", ATOMIC: "interlocked"}
COUNTS: dict[str, tuple[int, ...]] = {
    "cuts": (Opcode.EndPrimitive, Opcode.EndStreamPrimitive),
    "emits": (Opcode.EmitVertex, Opcode.EmitStreamVertex),
    "texture_samples": (Opcode.ImageSampleImplicitLod, Opcode.ImageSampleProjImplicitLod),
    "texture_loads": (
        Opcode.ImageFetch, Opcode.ImageRead, Opcode.ImageSampleExplicitLod,
        Opcode.ImageSampleProjExplicitLod,
    ),
    "texture_comparisons": (
        Opcode.ImageSampleDrefImplicitLod, Opcode.ImageSampleDrefExplicitLod,
        Opcode.ImageSampleProjDrefImplicitLod, Opcode.ImageSampleProjDrefExplicitLod,
    ),
    "texture_gathers": (Opcode.ImageGather, Opcode.ImageDrefGather),
    "lods": (Opcode.ImageQueryLod,),
    "conditional_moves": (Opcode.Select,),
    "barriers": (Opcode.ControlBarrier, Opcode.MemoryBarrier),
    "stores": (Opcode.ImageWrite,),
    "dynamic_flow_control": (Opcode.BranchConditional, Opcode.Switch),
}  # fmt: skip
NAMED = frozenset(code for codes in COUNTS.values() for code in codes)
# Samples that are counted apart from others of their operations, by what they are given.
GIVEN = {"texture_bias": BIAS, "texture_gradients": GRAD}
FLOATS = ("OpF", "OpVectorTimes", "OpMatrixTimes", "OpDot", "OpOuterProduct", "OpTranspose")
ARITHMETIC = ("Arithmetic", "Relational_and_Logical")

# Functions of GLSL.std.450, of AMD's sets and of OpenCL.std that are not of floats.
FUNCTIONS = (
    (re.compile(r"Find[ISU][LM]sb|popcount|c[lt]z|rotate"), "bitwise_instructions"),
    (re.compile(r"Pack|Unpack"), "conversions"),
    (re.compile(r"U[A-Z]|u_"), "uint_instructions"),
    (re.compile(r"S[A-Z]|IMix|s_"), "int_instructions"),
)


def statistics(usage: Usage) -> Statistics:
    """Return counts of the instructions of all functions that an entry point reaches, each once."""
    found = Statistics(computed=True, instructions=usage.operations.total())
    for name, codes in COUNTS.items():
        setattr(found, name, sum(usage.operations[each] for each in codes))
    counts = dict.fromkeys(
        (*GROUPS.values(), "float_instructions", "int_instructions", "uint_instructions"), 0
    )
    by_code = grammar().core.by_code
    for code, count in usage.operations.items():
        op = by_code.get(code)
        if op is None or code in NAMED:
            continue
        if op.group in GROUPS:
            counts[GROUPS[op.group]] += count
        elif op.group in ARITHMETIC:
            kind = "float" if op.name.startswith(FLOATS) else "int"
            kind = "uint" if op.name.startswith("OpU") and "Unordered" not in op.name else kind
            counts[f"{kind}_instructions"] += count
    for name, bit in GIVEN.items():
        for other in ("texture_samples", "texture_loads"):
            moved = sum(usage.given[code, bit] for code in COUNTS[other])
            setattr(found, other, getattr(found, other) - moved)
            counts[name] = counts.get(name, 0) + moved
    found.texture_loads = (found.texture_loads or 0) + usage.loads
    found.stores = (found.stores or 0) + usage.stores
    for (name, number), count in usage.sets.items():
        functions = grammar().extended(name)
        op = functions.by_code.get(number) if functions is not None else None
        counts[_kind(op.name if op is not None else "")] += count
    for name, count in counts.items():
        setattr(found, name, count)
    return found


def _kind(name: str) -> str:
    """Return the count that a function of an extended set belongs to."""
    for pattern, kind in FUNCTIONS:
        if pattern.match(name):
            return kind
    return "float_instructions"
