"""Rules of operands that must be constants, and of the values that constants may have.

    call i32 @dx.op.threadId.i32(i32 93, i32 7)                  component: 0 to 2
    call float @dx.op.waveActiveOp.f32(i32 119, float %x, i8 4, i8 0)     op: 0 to 3

The table of operations marks the operands that must be constant; operands that only the validator
restricts are listed here. Operands that depend on a signature or a resource are checked in
references.py.

Source: microsoft/DirectXShaderCompiler: utils/hct/hctdb.py (numbers of enumerations, descriptions
of operands), lib/DxilValidation/DxilValidation.cpp (rules INSTR.OPCONST, INSTR.OPERANDRANGE,
INSTR.TEXTUREOFFSET, INSTR.WRITEMASKGAPFORUAV, INSTR.BARRIERMODE…, INSTR.IMMBIASFORSAMPLEB),
include/dxc/DXIL/DxilConstants.h; HLSL's reference for the numbers of axes and lanes.
"""

from collections.abc import Iterator, Sequence

from ....wire.floats import f32_from_bits
from ..model.constants import ConstantFloat, DxilConstant, UndefinedValue, integer_of
from ..model.instructions import CallInst
from ..operation_calls import arguments_of
from ..tables.dxil_operations import Op

__all__ = ["wrong_immediates"]

GLOBAL, GROUP, SHARED = 2, 4, 8  # DXIL::BarrierMode: which memory a barrier orders
ADVANCED_TEXTURES = 6, 7  # the shader model since which texture offsets may be any number
REORDER_SCOPE = 6, 9  # the shader model since which BarrierSemanticFlag has the bit 8
BIAS = -16.0, 15.99

# Operations, an operand of theirs, and the numbers that it may be.
VALUES: tuple[tuple[str, str, Sequence[int]], ...] = (
    ("ThreadId GroupId ThreadIdInGroup DomainLocation", "component", range(3)),
    ("DispatchRaysIndex DispatchRaysDimensions", "col", range(3)),
    ("WorldRayOrigin WorldRayDirection ObjectRayOrigin ObjectRayDirection", "col", range(3)),
    ("ObjectToWorld WorldToObject", "row", range(3)),
    ("ObjectToWorld WorldToObject", "col", range(4)),
    ("RayQuery_CandidateObjectToWorld3x4 RayQuery_CandidateWorldToObject3x4", "row", range(3)),
    ("RayQuery_CandidateObjectToWorld3x4 RayQuery_CandidateWorldToObject3x4", "col", range(4)),
    ("RayQuery_CommittedObjectToWorld3x4 RayQuery_CommittedWorldToObject3x4", "row", range(3)),
    ("RayQuery_CommittedObjectToWorld3x4 RayQuery_CommittedWorldToObject3x4", "col", range(4)),
    ("RayQuery_CandidateTriangleBarycentrics RayQuery_CommittedTriangleBarycentrics", "component",
     range(3)),
    ("RayQuery_WorldRayOrigin RayQuery_WorldRayDirection", "component", range(3)),
    ("RayQuery_CandidateObjectRayOrigin RayQuery_CandidateObjectRayDirection", "component",
     range(3)),
    ("RayQuery_CommittedObjectRayOrigin RayQuery_CommittedObjectRayDirection", "component",
     range(3)),
    ("HitObject_WorldRayOrigin HitObject_WorldRayDirection", "component", range(3)),
    ("HitObject_ObjectRayOrigin HitObject_ObjectRayDirection", "component", range(3)),
    ("HitObject_ObjectToWorld3x4 HitObject_WorldToObject3x4", "row", range(3)),
    ("HitObject_ObjectToWorld3x4 HitObject_WorldToObject3x4", "col", range(4)),
    ("AttributeAtVertex", "VertexID", range(3)),
    ("ReportHit HitObject_FromRayQueryWithAttrs", "HitKind", range(128)),
    ("WaveActiveOp", "op", range(4)),
    ("WavePrefixOp", "op", range(2)),
    ("WaveActiveBit", "op", range(3)),
    ("WaveMultiPrefixOp", "op", range(5)),
    ("WaveActiveOp WavePrefixOp WaveMultiPrefixOp", "sop", range(2)),
    ("QuadOp", "op", range(3)),
    ("QuadReadLaneAt", "quadLane", range(4)),
    ("QuadVote", "op", range(2)),
    ("AtomicBinOp", "atomicOp", range(9)),
    ("Unpack4x8", "unpackMode", range(2)),
    ("Pack4x8", "packMode", range(3)),
    ("BufferUpdateCounter", "inc", range(-1, 2)),
    ("EmitStream CutStream EmitThenCutStream", "streamId", range(4)),
    ("BufferStore RawBufferStore", "mask", (1, 3, 7, 15)),
    ("TextureStore", "mask", (15,)),
    ("BarrierByMemoryType", "MemoryTypeFlags", range(16)),
)  # fmt: skip
# What the validator wants as constants besides those that the table of operations marks.
CONSTANTS: tuple[tuple[str, str], ...] = (
    ("BufferStore TextureStore", "mask"),
    ("BufferUpdateCounter", "inc"),
    ("EmitStream CutStream EmitThenCutStream", "streamId"),
    ("LoadInput", "inputSigId colIndex"),
    ("StoreOutput StoreVertexOutput StorePrimitiveOutput", "outputSigId colIndex"),
    ("EvalCentroid EvalSampleIndex EvalSnapped AttributeAtVertex", "inputSigId inputColIndex"),
    ("LoadOutputControlPoint LoadPatchConstant", "inputSigId col"),
    ("StorePatchConstant", "outputSigID col"),
)
ALLOWED = {(name, operand): values for names, operand, values in VALUES for name in names.split()}
WANTED = {
    (name, operand)
    for names, operands in CONSTANTS
    for name in names.split()
    for operand in operands.split()
}
OFFSETS = (
    *("Sample", "SampleBias", "SampleLevel", "SampleGrad", "SampleCmp", "SampleCmpLevelZero"),
    "TextureLoad",
)


def wrong_immediates(call: CallInst, op: Op, model: tuple[int, int]) -> Iterator[str]:
    """Iterate over the errors in constants of a call, in a program of a shader model."""
    arguments = arguments_of(call, op)
    wanted = {each.name for each in op.operands if each.is_constant}
    for name, value in arguments.items():
        is_undefined = isinstance(value, UndefinedValue)
        is_constant = isinstance(value, DxilConstant) and not is_undefined
        number = integer_of(value)
        if not is_constant and (name in wanted or (op.name, name) in WANTED):
            yield f"expected a constant as {name}, got {'undef' if is_undefined else 'a value'}"
        elif not (is_constant or is_undefined) and _is_offset(op, name, model):
            yield f"expected a constant as {name} before shader model 6.7"
        elif number is not None:
            yield from _wrong_number(op, name, number, model)
        elif name == "bias" and isinstance(value, ConstantFloat):
            bias = f32_from_bits(value.bits)
            if not BIAS[0] <= bias <= BIAS[1]:
                yield f"expected a bias from {BIAS[0]:g} to {BIAS[1]:g}, got {bias:g}"


def _is_offset(op: Op, name: str, model: tuple[int, int]) -> bool:
    """Return whether an operand is an offset that is encoded in four bits."""
    return name.startswith("offset") and op.name in OFFSETS and model < ADVANCED_TEXTURES


def _wrong_number(op: Op, name: str, number: int, model: tuple[int, int]) -> Iterator[str]:
    """Iterate over the errors in a constant number."""
    allowed = ALLOWED.get((op.name, name))
    if _is_offset(op, name, model):
        allowed = range(-8, 8)
    elif name == "SemanticFlags":
        allowed = range(16 if model >= REORDER_SCOPE else 8)
    if allowed is not None and number not in allowed:
        yield f"expected {_listed(allowed)} as {name}, got {number}"
    if name == "barrierMode":
        if number & (GLOBAL | GROUP) == GLOBAL | GROUP:
            yield "expected UAVFenceGlobal or UAVFenceThreadGroup as barrierMode, got both"
        elif not number & (GLOBAL | GROUP | SHARED) or not 0 < number < 16:
            yield f"expected a barrierMode that orders memory, got {number}"


def _listed(values: Sequence[int]) -> str:
    """Return numbers in words: `0 to 2`, `1, 3, 7 or 15`."""
    if isinstance(values, range):
        return f"{values[0]} to {values[-1]}"
    *others, last = map(str, values)
    return f"{', '.join(others)} or {last}" if others else last
