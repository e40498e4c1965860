"""Resources that a module may declare: those that Vega binds.

    set 0, binding 0   array of combined image samplers     set 1, binding 0   the uniform block
           binding 1   array of storage images              set 2, binding i   subpass input i
           binding 2   array of storage buffers
           binding 3   array of uniform texel buffers       push constants     words of two slots
           binding 4   array of storage texel buffers

Source: VSL's code generator, c110b1b, and Vega's pipeline layouts, 48214ce; checked on the modules
of the corpus.
"""

from ....programs.spirv.index import ModuleIndex
from ....programs.spirv.tables.numbers import Decoration, Dim, Opcode, StorageClass
from ....programs.spirv.tables.opcode_groups import ARRAYS
from .types import image_of

__all__ = ["ARRAYS", "RESOURCES", "is_storage_buffer", "push_constant_problem", "resource_problem"]

RESOURCES = (StorageClass.UniformConstant, StorageClass.Uniform, StorageClass.StorageBuffer)
STORAGE = 2  # operand Sampled of OpTypeImage: used without a sampler
TABLES = (
    "a combined image sampler",
    "a storage image",
    "a storage buffer",
    "a uniform texel buffer",
    "a storage texel buffer",
)
BLOCK, SUBPASS = "a uniform buffer", "a subpass input"
OTHERS = {
    Opcode.TypeSampler: "a sampler",
    Opcode.TypeAccelerationStructureKHR: "an acceleration structure",
}
WORD, WORDS = 4, 16


def resource_problem(
    index: ModuleIndex, variable: int, kind: int, storage: int, space: int | None, binding: int
) -> str | None:
    """Return the reason why Vega does not bind a resource, or None."""
    found = index.definitions.get(kind)
    is_array = found is not None and found.opcode in ARRAYS
    element = found.words[2] if found is not None and is_array else kind
    got = _kind(index, element, storage)
    where = f"binding {binding}" if space is None else f"set {space}, binding {binding}"
    if space == 0 and binding < len(TABLES):
        expected, arrays = TABLES[binding], True
    elif space == 1 and binding == 0:
        expected, arrays = BLOCK, False
    elif space == 2:
        expected, arrays = SUBPASS, False
    else:
        places = "set 0 with bindings 0 to 4, set 1 with binding 0, or set 2"
        return f"expected {places}, got {_form(got, is_array)} at {where}"
    if (got, is_array) == (expected, arrays):
        return None
    return f"expected {_form(expected, arrays)} at {where}, got {_form(got, is_array)}"


def _form(kind: str, is_array: bool) -> str:
    """Return `a storage image`, or `an array of storage images`."""
    return f"an array of {kind.split(' ', 1)[-1]}s" if is_array else kind


def _kind(index: ModuleIndex, number: int, storage: int) -> str:
    """Return the kind of a resource in words."""
    found = index.definitions.get(number)
    if found is None:
        return "an unknown type"
    if found.opcode == Opcode.TypeStruct:
        return TABLES[2] if is_storage_buffer(index, number, storage) else BLOCK
    image = image_of(index, number)
    if image is None or len(image) < 6:
        return OTHERS.get(found.opcode, "an unknown type")
    if image[1] == Dim.SubpassData:
        return SUBPASS
    if image[1] == Dim.Buffer:
        return TABLES[4] if image[5] == STORAGE else TABLES[3]
    if image[5] == STORAGE:
        return TABLES[1]
    return TABLES[0] if found.opcode == Opcode.TypeSampledImage else "a sampled image"


def is_storage_buffer(index: ModuleIndex, struct: int, storage: int) -> bool:
    """Return whether a block is a storage buffer: before SPIR-V 1.3, a BufferBlock in Uniform."""
    if storage == StorageClass.StorageBuffer:
        return True
    return index.decoration(Decoration.BufferBlock, struct) is not None


def push_constant_problem(index: ModuleIndex, kind: int) -> str | None:
    """Return why push constants are not the slots of the bindings, or None if they are."""
    block = index.definitions.get(kind)
    if block is None or block.opcode != Opcode.TypeStruct:
        return "expected a block of words"
    for at, member in enumerate(block.words[2:]):
        count, element = 1, index.definitions.get(member)
        if element is not None and element.opcode == Opcode.TypeArray:
            count = index.integer(element.words[3]) or 1
            element = index.definitions.get(element.words[2])
        if element is None or element.opcode != Opcode.TypeInt or element.words[2] != 8 * WORD:
            return f"expected integers of 32 bits, got another type for member {at}"
        offset = index.decoration_word(Decoration.Offset, kind, at)
        if offset is not None and (offset % WORD or offset // WORD + count > WORDS):
            return f"expected at most {WORDS} words, got member {at} at {offset}"
    return None
