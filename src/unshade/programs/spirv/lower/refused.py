"""Instructions, types and stages that cannot be run, each with the reason.

    OpTraceRayKHR      instructions[57]: OpTraceRayKHR cannot be run: ray tracing
    RayGenerationKHR   entry point main: RayGenerationKHR cannot be run: ray tracing

All other instructions of the grammar have a handler, or are not code (declarations, decorations,
debug information); tests compare them.
"""

import re

from ..tables.grammar import grammar

__all__ = ["ADDRESSES", "reason_of", "refusal_of", "refusal_of_model"]

RAYS = "ray tracing"
VENDOR = "an extension of a vendor"
KERNEL = "OpenCL kernels"
ADDRESSES = "no memory is bound at an address (`buffer_reference` in GLSL)"
# By what names contain, the first match counts.
REASONS: tuple[tuple[str, str], ...] = (
    (r"Cooperative|CoopMat|Tensor|MatrixMultiplyAccumulate", "cooperative matrices and tensors"),
    (r"Ray(?!s)|HitObject|Intersection|AccelerationStructure|ExecuteCallable|OpTraceNV"
     r"|OpTraceMotion|ReorderThread|FetchMicroTriangle", RAYS),
    (r"Untyped|BufferEXT|BufferPointer|SizeOfEXT|ConstantData|ExtInstWithForwardRefs",
     "untyped pointers"),
    (r"OpConvertPtrToU$|OpConvertUToPtr$|RawAccessChain", ADDRESSES),
    (r"AttachmentReadEXT", "reads of the target's own tile"),
    (r"ReadClock|OpAbort", "the device"),
    (r"GraphARM|ARM$|NodePayload|AMDX$", "graphs of work"),
    (r"(INTEL|ALTERA|QCOM|AMD|NV|VALVE|ARM)$", VENDOR),
    (r"Pipe|Event|Queue|Enqueue|ReserveId|GetKernel|NDRange|NamedBarrier|GroupAsync|GroupWait"
     r"|Generic|AtomicFlag|Lifetime|CopyMemorySized|ImageQuery(Format|Order)|ConstantSampler"
     r"|TypeOpaque|OpSizeOf|^OpGroup[A-Z]|SubgroupsINTEL|NumSubgroups|SubgroupCount|ArithmeticFence"
     r"|ControlBarrier(Arrive|Wait)|TypeForwardPointer", KERNEL),
    (r"SparseSampleProj", "the number is reserved"),
    (r"KHR$|EXT$", "an extension that is not part of Vulkan 1.3"),
)  # fmt: skip


def reason_of(name: str) -> str | None:
    """Return why an instruction cannot be run; None if nothing is known against it."""
    return next((reason for pattern, reason in REASONS if re.search(pattern, name)), None)


def refusal_of(name: str) -> str:
    """Return the message that an instruction or a type cannot be run, and why."""
    reason = reason_of(name)
    return f"{name} cannot be run{' yet' if reason is None else f': {reason}'}"


def refusal_of_model(model: int) -> str:
    """Return the message that shaders of an execution model cannot be run, and why."""
    found = grammar().kinds["ExecutionModel"].by_value.get(model)
    name = found.name if found is not None else f"execution model {model}"
    if found is None:
        return f"{name} cannot be run"
    reason = VENDOR if name.endswith("NV") else KERNEL if name == "Kernel" else RAYS
    return f"{name} cannot be run: {reason}"
