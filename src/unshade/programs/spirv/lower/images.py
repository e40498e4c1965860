"""Images and samplers: their bindings, and the values that loads of such variables return.

    OpTypeImage, sampled 1     a texture of `ir`                     sample, fetch
    OpTypeImage, sampled 2     a memory of texels, and its shape     read, write, atomics
    Dim Buffer                 a memory of texels
    OpTypeSampledImage         a texture and its sampler
    Dim SubpassData            a texture, fetched at the pixel of the fragment

An array of descriptors is a sequence of such items, and the number of the chosen one: a constant,
or different in each lane.

Source: SPIR-V specification, OpTypeImage; Vulkan specification, Descriptor Types.
"""

from typing import TYPE_CHECKING

from ....dataclass import dataclass
from ....errors import UnsupportedError
from ....ir.builder import constant
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Space
from ....ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F16, F32, I32, I64, Type
from ....tuples import NamedTuple
from ....vocab.slots import MemoryPart, ResourceSlot
from ..module import Instruction
from ..tables.numbers import Dim, Opcode
from .operations import Handlers
from .pointers import TypedPointer
from .refused import refusal_of
from .sharing import shared, variable_names
from .types import LeafType
from .variables import Chosen, Descriptors, bound_fact, descriptor_count

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = [
    "HANDLERS",
    "Image",
    "ImageKind",
    "SampledImage",
    "image_of",
    "image_variable",
    "sampled_of",
]

TEXEL = 16
STORED = 2  # the operand Sampled of an image that is read and written
SHAPES = {
    Dim.Dim1D: Shape.D1, Dim.Dim2D: Shape.D2, Dim.Dim3D: Shape.D3, Dim.Cube: Shape.CUBE,
    Dim.Buffer: Shape.BUFFER, Dim.SubpassData: Shape.D2,
}  # fmt: skip
SCALARS = (F32, F16, I32, I64)


class ImageKind(NamedTuple):
    """The operands of OpTypeImage."""

    scalar: Type  # of the components in the module
    shape: Shape
    layered: bool
    multisampled: bool
    stored: bool
    attachment: bool = False

    @property
    def type(self) -> Type:
        """The type of the components in memory; a 64-bit integer takes two components."""
        return F32 if self.scalar.kind == "f" else I32

    @property
    def wide(self) -> bool:
        """True if a texel is one integer of 64 bits."""
        return self.scalar.bits == I64.bits


@dataclass(frozen=True, slots=True)
class Image:
    """A bound image: a texture, or memories of its texels and (optionally) its shape."""

    kind: ImageKind
    texture: TextureDeclaration | None = None
    sampler: SamplerDeclaration | None = None
    memory: Memory | None = None
    shape: Memory | None = None


@dataclass(frozen=True, slots=True)
class SampledImage:
    """An image and a sampler; without a sampler, each image uses its own."""

    image: Chosen
    sampler: Chosen | None = None


def image_of(lowering: "Lowering", number: int) -> Chosen:
    """Return the image that an id refers to."""
    found = lowering.operand(number)
    if isinstance(found, SampledImage):
        found = found.image
    if not isinstance(found, Chosen) or not isinstance(found.items[0], Image):
        raise UnsupportedError(f"%{number}: expected an image")
    return found


def sampled_of(lowering: "Lowering", number: int) -> SampledImage:
    """Return the image and sampler that an id refers to."""
    found = lowering.operand(number)
    if isinstance(found, Chosen):
        found = SampledImage(found)
    if not isinstance(found, SampledImage):
        raise UnsupportedError(f"%{number}: expected an image with its sampler")
    return found


# ---------------------------------------------------------------- variables


def image_variable(lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
    """Return the pointer to an image or sampler, or to an array of either."""
    lengths, inner = type.without_arrays()
    slot = shared(lowering, number).slot
    count = descriptor_count(lowering, slot, lengths)
    if not count:
        raise UnsupportedError(f"{lowering.name(number)}: expected at least one descriptor")
    items = [
        _item(lowering, number, inner, slot.at(at), f"[{at}]" if lengths else "")
        for at in range(count)
    ]
    return TypedPointer(Descriptors(items, constant(0, I32)), type)


def _item(
    lowering: "Lowering", number: int, type: LeafType, slot: ResourceSlot, suffix: str
) -> Image | SamplerDeclaration:
    """Declare the resource at a slot, or return it if another variable declared it."""
    key = slot, type.id
    found: Image | SamplerDeclaration | None = lowering.declared.get(key)
    if found is None:
        name = lowering.calls.memories.unique(f"set{slot.space}_binding{slot.number}{suffix}")
        found = lowering.declared[key] = _declared(lowering, number, type, slot, name)
    return found


def _declared(
    lowering: "Lowering", number: int, type: LeafType, slot: ResourceSlot, name: str
) -> Image | SamplerDeclaration:
    kernel = lowering.kernel
    sampler = None
    if type.opcode in (Opcode.TypeSampler, Opcode.TypeSampledImage):
        sampler = SamplerDeclaration(name, slot)
        kernel.samplers.append(sampler)
    if type.opcode == Opcode.TypeSampler:
        assert sampler is not None
        names = variable_names(shared(lowering, number), slot.element or 0)
        lowering.resources.append(LoweredResource(name, Form.SAMPLER, slot=slot, variables=names))
        return sampler
    combined = type.opcode == Opcode.TypeSampledImage
    kind = _kind(lowering, lowering.types.of(type.words[2]) if combined else type)
    fact = bound_fact(lowering, number)
    one = shared(lowering, number)
    writable = one.writable
    form = Form.TYPED if kind.shape is Shape.BUFFER else Form.TEXTURE
    default = "float" if kind.type is F32 else "sint"
    returns = (str(fact.return_type or default),) * 4
    lowering.resources.append(
        LoweredResource(
            name, form, TEXEL, writable, returns, kind.shape, kind.layered, kind.multisampled,
            wide=int(kind.wide), slot=slot, variables=variable_names(one, slot.element or 0),
        )
    )  # fmt: skip
    if form is Form.TEXTURE and not kind.stored:
        texture = TextureDeclaration(name, kind.shape, kind.type, kind.layered, 1, slot)
        kernel.textures.append(texture)
        return Image(kind, texture, sampler)
    b = lowering.b
    bounds = lowering.chosen.bounds
    memory = b.memory(name, Space.BUFFER, TEXEL, writable=writable, slot=slot)
    if bounds is not None:
        memory.bounds = bounds
    shape = None
    if form is Form.TEXTURE:
        sizes = slot.of(MemoryPart.SHAPE)
        shape = b.memory(f"{name}.shape", Space.CONSTANT, 4, slot=sizes, internal=True)
    return Image(kind, None, sampler, memory, shape)


def _kind(lowering: "Lowering", type: LeafType) -> ImageKind:
    if type.opcode == Opcode.TypeAccelerationStructureKHR:
        raise UnsupportedError(refusal_of("OpTypeAccelerationStructureKHR"))
    if type.opcode != Opcode.TypeImage:
        raise UnsupportedError(f"type %{type.id} is no image")
    component, dim, _, arrayed, many, access = type.words[2:8]
    scalar = lowering.types.of(component).scalar or F32
    if dim not in SHAPES or scalar not in SCALARS:
        what = f"{scalar.name} components" if dim in SHAPES else "such coordinates"
        raise UnsupportedError(f"images with {what} cannot be run")
    attachment = dim == Dim.SubpassData
    stored = access == STORED and not attachment
    return ImageKind(scalar, SHAPES[dim], bool(arrayed), bool(many), stored, attachment)


# ---------------------------------------------------------------- instructions


def _sampled_image(lowering: "Lowering", instruction: Instruction) -> SampledImage:
    words = instruction.words
    sampler = lowering.operand(words[4])
    if not isinstance(sampler, Chosen):
        raise UnsupportedError(f"%{words[4]}: expected a sampler")
    return SampledImage(image_of(lowering, words[3]), sampler)


def _image(lowering: "Lowering", instruction: Instruction) -> Chosen:
    return sampled_of(lowering, instruction.words[3]).image


HANDLERS: Handlers = {
    Opcode.SampledImage: _sampled_image,
    Opcode.Image: _image,
}
