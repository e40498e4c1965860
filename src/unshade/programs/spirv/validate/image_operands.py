"""Image operands: the mask at the end of image instructions, and its operands.

    Bias b   Lod l   Grad dx dy   ConstOffset o   Offset o   ConstOffsets a   Sample s   MinLod l

Source: SPIR-V specification, section 3.14 (Image Operands).
"""

from ..operands import DecodedOperand
from ..tables.numbers import Capability, Dim, ImageOperands, Opcode
from .image_types import ImageType
from .instruction import Inst
from .semantics import check_memory
from .state import State

__all__ = ["check_operands"]

B = ImageOperands
OFFSETS = B.ConstOffset | B.Offset | B.ConstOffsets | B.Offsets
LOD_DIMS = (Dim.Dim1D, Dim.Dim2D, Dim.Dim3D, Dim.Cube)
FETCHES = (Opcode.ImageFetch, Opcode.ImageSparseFetch)
READS = (Opcode.ImageRead, Opcode.ImageSparseRead)
WRITES = (Opcode.ImageWrite,)
GATHERS = (
    Opcode.ImageGather, Opcode.ImageDrefGather, Opcode.ImageSparseGather,
    Opcode.ImageSparseDrefGather,
)  # fmt: skip


def check_operands(state: State, inst: Inst, image: ImageType, mask_at: int) -> None:
    """Check the image operands of an instruction; `mask_at` is the place of the mask."""
    name = inst.name
    implicit, explicit = "ImplicitLod" in name, "ExplicitLod" in name
    fetch, read, write = inst.code in FETCHES, inst.code in READS, inst.code in WRITES

    stored = (read or write) and state.has(Capability.ImageReadWriteLodAMD)

    def fail(message: str, vuid: str = "") -> None:
        state.report("spirv.image-operands", inst, message, vuid)

    if mask_at >= len(inst.operands):
        if image.multisampled and (fetch or read or write):
            fail("a multisampled image needs Sample")
        return
    mask = inst.operands[mask_at].words[0]
    if (mask & OFFSETS).bit_count() > 1:
        fail("expected one kind of offset")
    gather = inst.code in GATHERS and state.has(Capability.ImageGatherBiasLodAMD)
    if mask & B.Bias and not implicit and not gather:
        fail("Bias is for an implicit level")
    if mask & B.Lod and not (explicit or fetch or gather or stored):
        fail("Lod is for an explicit level, or a fetch")
    if mask & B.Grad and not explicit:
        fail("Grad is for an explicit level")
    if mask & B.Lod and mask & B.Grad:
        fail("Lod and Grad exclude each other")
    if mask & (B.Bias | B.Lod | B.MinLod) and image.dim not in LOD_DIMS:
        fail("expected an image with levels")
    if mask & (B.Bias | B.Lod | B.Grad | B.MinLod) and image.multisampled:
        fail("a multisampled image has no levels")
    if mask & B.MinLod and not implicit and not mask & B.Grad:
        fail("MinLod is for an implicit level, or Grad")
    if mask & B.Sample and not image.multisampled:
        fail("Sample is for multisampled images")
    if mask & B.Sample and not (fetch or read or write):
        fail("Sample is for fetches, reads and writes")
    if image.multisampled and (fetch or read or write) and not mask & B.Sample:
        fail("a multisampled image needs Sample")
    if mask & OFFSETS and image.dim == Dim.Cube:
        fail("an offset is not for cubes")
    gathers = B.ConstOffsets | B.Offsets
    if mask & gathers and inst.code not in GATHERS:
        fail("several offsets are for gathers")
    if (
        state.vulkan
        and mask & B.Offset
        and inst.code not in GATHERS
        and not state.options.before_hlsl_legalization
        and not state.options.allow_offset_texture_operand
    ):
        fail("Offset is for gathers", "VUID-RuntimeSpirv-Offset-10213")
    if mask & B.MakeTexelAvailable and not write:
        fail("MakeTexelAvailable is for writes")
    if mask & B.MakeTexelVisible and not read:
        fail("MakeTexelVisible is for reads")
    for flag in (B.MakeTexelAvailable, B.MakeTexelVisible):
        if mask & flag and not mask & B.NonPrivateTexel:
            fail("expected NonPrivateTexel, too")
    _check_values(state, inst, image, mask, inst.operands[mask_at + 1 :], fetch or read or write)


def _check_values(
    state: State, inst: Inst, image: ImageType, mask: int, left: tuple[DecodedOperand, ...],
    integers: bool,
) -> None:  # fmt: skip
    types = state.types
    values = [each.words[0] for each in left]

    def fail(message: str) -> None:
        state.report("spirv.image-operands", inst, message)

    def take() -> int:
        return values.pop(0) if values else 0

    bit = 1
    while bit <= mask:
        if not mask & bit:
            bit <<= 1
            continue
        match bit:
            case B.Bias | B.MinLod:
                if not types.fits(state.type_of(take()), "float32 s"):
                    fail("expected a level of 32-bit float")
            case B.Lod:
                wanted = "int32 s" if integers else "float32 s"
                if not types.fits(state.type_of(take()), wanted):
                    fail(f"expected a level of {'int' if integers else 'float'}")
            case B.Grad:
                for _ in range(2):
                    type_ = state.type_of(take())
                    if not types.fits(type_, "float32 sv"):
                        fail("expected gradients of 32-bit float")
                    elif types.count(type_) != image.coordinates:
                        fail(f"expected gradients of {image.coordinates} components")
            case B.ConstOffset | B.Offset:
                id_ = take()
                type_ = state.type_of(id_)
                if not types.fits(type_, "int32 sv"):
                    fail("expected an offset of 32-bit int")
                elif types.count(type_) != image.coordinates:
                    fail(f"expected an offset of {image.coordinates} components")
                if bit == B.ConstOffset and not state.is_constant(id_):
                    fail("expected a constant offset")
            case B.ConstOffsets:
                _check_offsets(state, inst, take())
            case B.Sample:
                if not types.fits(state.type_of(take()), "int32 s"):
                    fail("expected a sample of 32-bit int")
            case B.MakeTexelAvailable | B.MakeTexelVisible:
                check_memory(state, inst, take())
            case B.Offsets:
                take()
        bit <<= 1


def _check_offsets(state: State, inst: Inst, id_: int) -> None:
    type_ = state.type_of(id_)
    types = state.types
    array = types.code(type_) == Opcode.TypeArray
    if not array or state.integer(types.words(type_)[3]) != 4:
        state.report("spirv.image-operands", inst, "expected an array of four offsets")
    elif not types.fits(types.part(type_), "int32 v2"):
        state.report("spirv.image-operands", inst, "expected offsets of two 32-bit ints")
    if not state.is_constant(id_):
        state.report("spirv.image-operands", inst, "expected constant offsets")
