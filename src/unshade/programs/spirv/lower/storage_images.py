"""Storage images and texel buffers: reads, writes, and pointers to texels for atomics.

    element of (x, y, layer)    (layer * height + y) * width + x; of a multisampled image times the
                                number of samples, plus the sample

A texel outside of the image reads 0, and writes to it are dropped. An input attachment is a texture
that is fetched at the pixel of the fragment.

Source: SPIR-V specification, section 3.49.10; Vulkan specification, Robust Image Access.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import Value
from ....ir.library.texels import LAYERS, OUTSIDE
from ....ir.memory import Memory
from ....ir.ops import Op
from ....ir.textures import Shape
from ....ir.transforms.dynamic_indexing import each_of, one_of, several_of
from ....ir.types import F32, I32, I64, Type
from ..module import Instruction
from ..tables.numbers import ImageOperands as Bits
from ..tables.numbers import Opcode
from .image_operands import as_integer, operands_of
from .images import Image, image_of
from .operations import Handlers
from .pointers import ChosenRoot, Offset, Root, TypedPointer
from .variables import Chosen, Descriptors

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "SAMPLES", "read_texel", "sizes_of"]

COMPONENT = 4
SAMPLES = 4  # the word of the shape with the number of samples


class TexelRoot(Root):
    """A texel of an image, as the target of a pointer."""

    def __init__(self, memory: Memory, element: Value) -> None:
        self.memory = memory
        self.element = element

    def load(self, b: Builder, offset: Offset, type: Type) -> Value:
        return b.load(self.memory, self.element, 0, type)

    def store(self, b: Builder, offset: Offset, value: Value) -> None:
        b.store(self.memory, self.element, 0, value)

    def atomic(self, b: Builder, op: Op, offset: Offset, *values: Value) -> Value:
        return b.make(op, self.element, 0, *values, attr=self.memory)


def sizes_of(b: Builder, image: Image) -> list[Value]:
    """Append the size of an image along each coordinate; layers and faces are the last one."""
    kind = image.kind
    if image.shape is None:
        assert image.memory is not None
        return [b.count(image.memory)]
    rows = [*range(2 if kind.shape is Shape.CUBE else kind.shape.coordinates)]
    if kind.layered or kind.shape is Shape.CUBE:
        rows.append(LAYERS)
    return [b.load(image.shape, row, 0) for row in rows]


def element_of(
    b: Builder, image: Image, coordinates: Sequence[Value], sample: Value | None
) -> Value:
    """Append the element of a texel; a number beyond all elements for one outside."""
    if image.shape is None:
        return coordinates[0]
    sizes = sizes_of(b, image)
    inside: Value | None = None
    element: Value | None = None
    for place, size in reversed([*zip(coordinates, sizes, strict=False)]):
        fits = b.ult(place, size)
        inside = fits if inside is None else b.and_(inside, fits)
        element = place if element is None else b.iadd(b.imul(element, size), place)
    assert element is not None
    assert inside is not None
    if image.kind.multisampled:
        count = b.load(image.shape, SAMPLES, 0)
        number = constant(0, I32) if sample is None else sample
        inside = b.and_(inside, b.ult(number, count))
        element = b.iadd(b.imul(element, count), number)
    return b.select(inside, element, OUTSIDE)


def read_texel(
    lowering: "Lowering", image: Chosen, coordinates: Sequence[Value], sample: Value | None
) -> list[Value]:
    """Append a read of the four components of a texel."""
    b = lowering.b
    type = image.items[0].kind.type

    def read(number: int) -> list[Value]:
        each = image.items[number]
        assert each.memory is not None
        element = element_of(b, each, coordinates, sample)
        return [b.load(each.memory, element, COMPONENT * at, type) for at in range(4)]

    nothing = [constant(0, type)] * 4
    return list(several_of(b, image.which, range(len(image.items)), read, nothing))


def _sample(lowering: "Lowering", words: Sequence[int]) -> Value | None:
    given = operands_of(words)
    if Bits.Sample not in given:
        return None
    return as_integer(lowering, given.values(lowering, Bits.Sample)[0])


def _write(lowering: "Lowering", instruction: Instruction) -> None:
    words = instruction.words
    b = lowering.b
    image = image_of(lowering, words[1])
    coordinates = [as_integer(lowering, each) for each in lowering.value(words[2])]
    type = image.items[0].kind.type
    values = [part for each in lowering.value(words[3]) for part in _stored(b, each, type)]
    sample = _sample(lowering, words[4:])

    def write(number: int) -> None:
        each: Image = image.items[number]
        if each.memory is None or not each.memory.writable:
            raise UnsupportedError("expected a storage image that can be written")
        element = element_of(b, each, coordinates, sample)
        for at, value in enumerate(values[:4]):
            b.store(each.memory, element, COMPONENT * at, value)

    each_of(b, image.which, range(len(image.items)), write)


def _stored(b: Builder, value: Value, type: Type) -> list[Value]:
    """Return a component in the form of memory; a 64-bit component becomes two."""
    if value.type == type:
        return [value]
    if value.type == I64:
        return [b.iconv(value, type=I32), b.iconv(b.ushr(value, 32), type=I32)]
    return [_converted(b, value, type)]


def _converted(b: Builder, value: Value, type: Type) -> Value:
    return b.fconv(value, type=F32) if type is F32 else b.iconv(value, type=I32)


def _texel_pointer(lowering: "Lowering", instruction: Instruction) -> TypedPointer:
    words = instruction.words
    b = lowering.b
    root = lowering.pointer(words[3]).root
    assert isinstance(root, Descriptors)
    coordinates = [as_integer(lowering, each) for each in lowering.value(words[4])]
    sample = as_integer(lowering, lowering.scalar(words[5]))
    items: Sequence[Image] = root.items
    elements = one_of(
        b, root.which, range(len(items)),
        lambda number: element_of(b, items[number], coordinates, sample), OUTSIDE,
    )  # fmt: skip
    roots: dict[int, Root] = {}
    for number, each in enumerate(items):
        if each.memory is None:
            raise UnsupportedError("expected a storage image")
        roots[number] = TexelRoot(each.memory, elements)
    type = lowering.types.of(lowering.types.of(words[1]).words[3])
    return TypedPointer(roots[0] if len(roots) == 1 else ChosenRoot(roots, root.which), type)


HANDLERS: Handlers = {
    Opcode.ImageWrite: _write,
    Opcode.ImageTexelPointer: _texel_pointer,
}
