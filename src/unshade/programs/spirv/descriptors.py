"""The descriptor type of a module's variable.

    Uniform, Block                      uniform buffer
    Uniform, BufferBlock                storage buffer, before version 1.3
    StorageBuffer, Block                storage buffer
    UniformConstant, OpTypeSampler      sampler
    UniformConstant, OpTypeImage        sampled or storage image, texel buffer, input attachment

Two variables may share a set and binding if a single descriptor serves both: a sampler and a
sampled image are a combined image sampler.

Source: Vulkan specification, "Shader Resource and Descriptor Type Correspondence".
"""

from ...vocab.words import DescriptorType as D
from .index import ModuleIndex
from .tables.numbers import Decoration, Dim, Opcode, StorageClass
from .tables.opcode_groups import ARRAYS

__all__ = ["BLOCKS", "BOUND", "STORED", "descriptor_of", "element_of", "share_a_descriptor"]

BLOCKS = (StorageClass.Uniform, StorageClass.StorageBuffer)
BOUND = (*BLOCKS, StorageClass.UniformConstant)
STORED = 2  # access in OpTypeImage: without a sampler
OPAQUE = {
    Opcode.TypeSampler: D.SAMPLER,
    Opcode.TypeSampledImage: D.COMBINED_IMAGE_SAMPLER,
    Opcode.TypeAccelerationStructureKHR: D.ACCELERATION_STRUCTURE,
}
# Of the types that Vulkan binds, those that a shader may declare a combined image sampler as.
COMBINED = {D.SAMPLER, D.SAMPLED_IMAGE}


def element_of(index: ModuleIndex, kind: int) -> int:
    """Return the type within arrays of descriptors."""
    seen = set()
    while kind not in seen:
        seen.add(kind)
        found = index.definitions.get(kind)
        if found is None or found.opcode not in ARRAYS or len(found.words) < 3:
            break
        kind = found.words[2]
    return kind


def descriptor_of(index: ModuleIndex, storage: int, kind: int) -> D | None:
    """Return the descriptor of a variable by its storage class and the type within its arrays."""
    if storage in BLOCKS:
        is_stored = index.decoration(Decoration.BufferBlock, kind) is not None
        is_stored |= storage == StorageClass.StorageBuffer
        return D.STORAGE_BUFFER if is_stored else D.UNIFORM_BUFFER
    found = index.definitions.get(kind) if storage == StorageClass.UniformConstant else None
    if found is None:
        return None
    image = found
    if found.opcode == Opcode.TypeSampledImage:
        image = index.definitions.get(found.words[2]) or found
    if image.opcode != Opcode.TypeImage or len(image.words) < 8:
        return OPAQUE.get(found.opcode)
    dim, is_storage = image.words[3], image.words[7] == STORED
    if dim == Dim.Buffer:
        return D.STORAGE_TEXEL_BUFFER if is_storage else D.UNIFORM_TEXEL_BUFFER
    if dim == Dim.SubpassData:
        return D.INPUT_ATTACHMENT
    return OPAQUE.get(found.opcode) or (D.STORAGE_IMAGE if is_storage else D.SAMPLED_IMAGE)


def share_a_descriptor(one: D, other: D) -> bool:
    """Return whether one descriptor can be bound for two variables."""
    return one == other or {one, other} == COMBINED
