"""Storage images and texel buffers: reads, writes, and pointers to texels for atomics.

    OpImageRead %v4float %image %place             the four components, converted
    OpImageWrite %image %place %texel
    OpImageTexelPointer %pointer %image %place %sample

A texel outside of the image reads 0, and writes to it are dropped. An input attachment is a texture
that is fetched at the pixel of the fragment.

Source: SPIR-V specification, section 3.49.10; Vulkan specification, Robust Image Access.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.kernel import Value
from ....ir.library.texels import OUTSIDE
from ....ir.memory import Memory
from ....ir.ops import Op
from ....ir.transforms.dynamic_indexing import each_of, one_of
from ....ir.types import F32, I32, I64, Type
from ..module import Instruction
from ..tables.numbers import ImageOperands as Bits
from ..tables.numbers import Opcode
from .image_operands import as_integer, operands_of
from .images import Image, image_of
from .interface import fragment_position
from .operations import Components, Handlers
from .pointers import ChosenRoot, Offset, Root, TypedPointer
from .sampling import converted, fetched
from .texel_memory import COMPONENT, element_of, read_texel
from .variables import Descriptors

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS"]


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


def _sample(lowering: "Lowering", words: Sequence[int]) -> Value | None:
    given = operands_of(words)
    if Bits.Sample not in given:
        return None
    return as_integer(lowering, given.values(lowering, Bits.Sample)[0])


def _read(lowering: "Lowering", instruction: Instruction) -> Components:
    words = instruction.words
    image = image_of(lowering, words[3])
    coordinates = [as_integer(lowering, each) for each in lowering.value(words[4])]
    if image.items[0].kind.attachment:
        b = lowering.b
        pixel = [b.ftoi(each, type=I32) for each in fragment_position(lowering)]
        coordinates = [b.iadd(one, other) for one, other in zip(coordinates, pixel, strict=False)]
        parts = fetched(lowering, image, coordinates, operands_of(words[5:]))
    else:
        parts = read_texel(lowering, image, coordinates, _sample(lowering, words[5:]))
    return converted(lowering, parts, words)


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
    Opcode.ImageRead: _read,
    Opcode.ImageWrite: _write,
    Opcode.ImageTexelPointer: _texel_pointer,
}
