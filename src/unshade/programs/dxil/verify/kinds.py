"""Rules of the class and shape of the resource that an operation is called with.

    sample(i32 60, %srv, %sampler, …)           a texture that is read, and a sampler
    bufferStore(i32 69, %uav, …)                a buffer that is written
    cbufferLoadLegacy(i32 59, %handle, …)       a constant buffer

Handles of heaps, and those that several ways make, are not followed.

Source: microsoft/DirectXShaderCompiler, lib/DxilValidation/DxilValidation.cpp (rules
INSTR.RESOURCECLASSFORLOAD, …FORSAMPLERGATHER, …FORUAVSTORE, INSTR.RESOURCEKINDFORSAMPLE,
…FORSAMPLEC, …FORGATHER, …FORCALCLOD, …FORBUFFERLOADSTORE, …FORTEXTURELOAD, …FORTEXTURESTORE,
…FORTRACERAY, INSTR.SAMPLERMODEFORSAMPLE, …FORSAMPLEC, …FORLOD, INSTR.CBUFFERCLASSFORCBUFFERHANDLE).
"""

from collections.abc import Iterator, Sequence

from ....enums import member_of
from ....tuples import NamedTuple
from ....vocab.dxil import DxilResourceKind, DxilSamplerKind
from ..facts.usage import ResourceReferences
from ..model.instructions import CallInst
from ..operation_calls import arguments_of
from ..shaderinfo import DxilResource
from ..tables.dxil_operations import Op

__all__ = ["wrong_resources"]

SRV, UAV, CBV, SAMPLER = range(4)
_K = DxilResourceKind
FLAT = frozenset((_K.TEXTURE_1D, _K.TEXTURE_1D_ARRAY, _K.TEXTURE_2D, _K.TEXTURE_2D_ARRAY))
CUBES = frozenset((_K.TEXTURE_CUBE, _K.TEXTURE_CUBE_ARRAY))
SAMPLED = FLAT | CUBES | {_K.TEXTURE_3D}
SEVERAL = frozenset((_K.TEXTURE_2DMS, _K.TEXTURE_2DMS_ARRAY))
STRUCTURES = frozenset((_K.RAW_BUFFER, _K.STRUCTURED_BUFFER))
BUFFERS = STRUCTURES | {_K.TYPED_BUFFER, _K.TBUFFER}
SHAPES = frozenset(_K)


class Wanted(NamedTuple):
    """The resources that an operand of an operation may be."""

    groups: tuple[int, ...]
    kinds: frozenset[int]
    what: str


TEXTURE = Wanted((SRV,), SAMPLED, "a texture that is read, with one sample")
COMPARED = Wanted((SRV,), FLAT | CUBES, "a texture that is read, with one sample, not in 3D")
GATHERED = Wanted(
    (SRV,), CUBES | {_K.TEXTURE_2D, _K.TEXTURE_2D_ARRAY}, "a texture in 2D or of a cube"
)
PLAIN = Wanted((SAMPLER,), frozenset((DxilSamplerKind.DEFAULT,)), "a sampler without comparison")
COMPARING = Wanted((SAMPLER,), frozenset((DxilSamplerKind.COMPARISON,)), "a sampler that compares")
EITHER = Wanted((SAMPLER,), PLAIN.kinds | COMPARING.kinds, "a sampler")
CONSTANTS = Wanted((CBV,), SHAPES, "a constant buffer")
WRITTEN = Wanted((UAV,), SHAPES, "a resource that is written")
SCENE = Wanted((SRV,), frozenset((_K.ACCELERATION_STRUCTURE,)), "an acceleration structure")

# Operations, an operand of theirs, and what it may be.
ROWS: tuple[tuple[str, str, Wanted], ...] = (
    ("Sample SampleBias SampleLevel SampleGrad", "srv", TEXTURE),
    ("Sample SampleBias SampleLevel SampleGrad TextureGather TextureGatherRaw", "sampler", PLAIN),
    ("SampleCmp SampleCmpLevelZero SampleCmpLevel SampleCmpBias SampleCmpGrad", "srv", COMPARED),
    ("SampleCmp SampleCmpLevelZero SampleCmpLevel SampleCmpBias SampleCmpGrad TextureGatherCmp",
     "sampler", COMPARING),
    ("TextureGather TextureGatherRaw TextureGatherCmp", "srv", GATHERED),
    ("CalculateLOD", "handle", TEXTURE),
    ("CalculateLOD", "sampler", EITHER),
    ("TextureLoad", "srv",
     Wanted((SRV, UAV), FLAT | SEVERAL | {_K.TEXTURE_3D}, "a texture that is no cube")),
    ("TextureStore", "srv",
     Wanted((UAV,), FLAT | SEVERAL | {_K.TEXTURE_3D}, "a texture that is written")),
    ("BufferLoad", "srv", Wanted((SRV, UAV), BUFFERS, "a buffer")),
    ("BufferStore", "uav", Wanted((UAV,), BUFFERS, "a buffer that is written")),
    ("RawBufferLoad", "srv", Wanted((SRV, UAV), STRUCTURES, "a raw or structured buffer")),
    ("RawBufferVectorLoad", "buf", Wanted((SRV, UAV), STRUCTURES, "a raw or structured buffer")),
    ("RawBufferStore RawBufferVectorStore", "uav",
     Wanted((UAV,), STRUCTURES, "a raw or structured buffer that is written")),
    ("BufferUpdateCounter", "uav",
     Wanted((UAV,), frozenset((_K.STRUCTURED_BUFFER,)), "a structured buffer that is written")),
    ("CBufferLoad CBufferLoadLegacy", "handle", CONSTANTS),
    ("AtomicBinOp AtomicCompareExchange", "handle", WRITTEN),
    ("TraceRay", "AccelerationStructure", SCENE),
    ("RayQuery_TraceRayInline HitObject_TraceRay", "accelerationStructure", SCENE),
)  # fmt: skip
WANTED: dict[str, dict[str, Wanted]] = {}
for _names, _operand, _wanted in ROWS:
    for _name in _names.split():
        WANTED.setdefault(_name, {})[_operand] = _wanted


def wrong_resources(
    call: CallInst,
    operation: Op,
    resources: Sequence[DxilResource],
    handles: ResourceReferences,
) -> Iterator[str]:
    """Iterate over the errors in the resources that a call is given."""
    wanted = WANTED.get(operation.name)
    if wanted is None:
        return
    arguments = arguments_of(call, operation)
    for operand, want in wanted.items():
        value = arguments.get(operand)
        places = handles.of(value) if value is not None else set()
        for each in resources:
            if (each.group, each.id) not in places:
                continue
            if each.group not in want.groups or (each.group != CBV and each.kind not in want.kinds):
                yield f"expected {want.what} as {operand}, got {_described(each)}"


def _described(resource: DxilResource) -> str:
    """Return a resource in words: `the SRV "colours" (TEXTURE_2D)`."""
    kinds = DxilSamplerKind if resource.group == SAMPLER else DxilResourceKind
    kind = member_of(kinds, resource.kind)
    group = ("SRV", "UAV", "constant buffer", "sampler")[resource.group]
    shown = f" ({kind.name})" if kind is not None and resource.group != CBV else ""
    return f"the {group} {resource.name or resource.id}{shown}"
