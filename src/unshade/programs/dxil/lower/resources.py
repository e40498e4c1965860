"""Resources that a program binds, declared in the kernel when they are first used.

    range u1 to u4 of space 0     u2 is declared alone if every index of it is constant
    heap3                         a descriptor of a heap, by its number
    heap3_structured              the same as a resource of another kind: one of them is bound

An index selects among resources by their keys. Resources of a range, or of a kind in a heap, follow
one another in the order of their numbers, in whichever order they are declared.

Source: microsoft/DirectXShaderCompiler, docs/DXIL.rst, DxilResourceProperties.h.
"""

from ....errors import UnsupportedError
from ....ir.builder import Builder
from ....ir.lowered import Form, LoweredResource
from ....ir.memory import Memory, Space
from ....ir.specialisation import Specialisation
from ....ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ....ir.types import F32, I32
from ....vocab.dxil import DxilComponentType, DxilResourceKind
from ....vocab.slots import MemoryPart, ResourceClass, ResourceSlot
from ..facts.words import RETURNS
from ..model.types import (
    ArrayType,
    DxilType,
    FloatType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
)
from ..shaderinfo import DxilResource
from .bound import BoundResource

__all__ = [
    "CBUFFER", "HEAP", "PREFIXES", "SAMPLER", "SHAPES", "SRV", "UAV",
    "DeclaredResources", "heap_name", "heap_slot", "name_of", "slot_of",
]  # fmt: skip

SRV, UAV, CBUFFER, SAMPLER = range(4)
CLASSES = {
    SRV: ResourceClass.READ, UAV: ResourceClass.WRITE, CBUFFER: ResourceClass.CONSTANTS,
    SAMPLER: ResourceClass.SAMPLER,
}  # fmt: skip
PREFIXES = ("t", "u", "cb", "s")
ROW = TEXEL = 16
K = DxilResourceKind
SHAPES: dict[int, tuple[Shape, bool]] = {
    K.TEXTURE_1D: (Shape.D1, False),
    K.TEXTURE_2D: (Shape.D2, False),
    K.TEXTURE_2DMS: (Shape.D2, False),
    K.TEXTURE_3D: (Shape.D3, False),
    K.TEXTURE_CUBE: (Shape.CUBE, False),
    K.TEXTURE_1D_ARRAY: (Shape.D1, True),
    K.TEXTURE_2D_ARRAY: (Shape.D2, True),
    K.TEXTURE_2DMS_ARRAY: (Shape.D2, True),
    K.TEXTURE_CUBE_ARRAY: (Shape.CUBE, True),
    K.TYPED_BUFFER: (Shape.BUFFER, False),
    K.TBUFFER: (Shape.BUFFER, False),
}
MULTISAMPLED = frozenset({K.TEXTURE_2DMS, K.TEXTURE_2DMS_ARRAY})
C = DxilComponentType
WIDE = frozenset({C.I64, C.U64})
INTEGERS = frozenset({C.I1, C.I16, C.U16, C.I32, C.U32, C.I64, C.U64})
HEAP = -1  # instead of the id of a range
DEPTH = 8  # of the type of a variable: a pointer to arrays of a class with a vector
KEYS = 1 << 16  # of a range: more than the resources that one index may select among


class DeclaredResources:
    """The resources that a kernel binds, by group, space and number."""

    def __init__(self, b: Builder, specialisation: Specialisation) -> None:
        self.b = b
        self.specialisation = specialisation
        self.wide: set[tuple[int, int]] = set()  # ranges with atomics of 64 bits
        self.bound: dict[object, tuple[int, BoundResource]] = {}
        self.declared: dict[tuple[int, int, int], DxilResource] = {}  # by register
        self.starts: dict[object, int] = {}  # the first key of each range
        self.kinds: dict[tuple[bool, int], int] = {}  # of each descriptor

    def _key(self, of: object, offset: int) -> int:
        """Return the key of a resource of a range."""
        start = self.starts.setdefault(of, KEYS * len(self.starts))
        if offset < KEYS:
            return start + offset
        return self._key((of, offset // KEYS), offset % KEYS)  # of an unbounded range

    def register(self, found: DxilResource, number: int) -> tuple[int, BoundResource]:
        """Return the key of a register of a range, and the resource, which is declared once."""
        if not found.contains(number):
            name = name_of(found, number)
            raise UnsupportedError(f"{name} is outside of the range that the program states")
        known = self.bound.get((found.group, found.space, number))
        first = self.declared.setdefault((found.group, found.space, number), found)
        if (first.id, first.lower) != (found.id, found.lower):
            raise UnsupportedError(
                f"{name_of(found, number)} is in the ranges of {first.name or first.id} and"
                f" {found.name or found.id}: expected ranges without a register in common"
            )
        if known is None:
            made = self._declare(found, name_of(found, number), slot_of(found, number))
            of = found.group, found.space, found.lower
            known = self._key(of, number - found.lower), made
            self.bound[found.group, found.space, number] = known
        return known

    def descriptor(
        self, found: DxilResource, samplers: bool, number: int
    ) -> tuple[int, BoundResource]:
        """Return the key of a descriptor of a heap, and the resource of the descriptor's kind."""
        size = found.size, found.stride, found.samples
        kind = found.group, found.kind, found.component_type, size
        key = ("heap", samplers, kind, number)
        known = self.bound.get(key)
        if known is None:
            name, slot = heap_name(samplers, number), heap_slot(samplers, number)
            others = self.kinds.get((samplers, number), 0)
            self.kinds[samplers, number] = others + 1
            if others:
                names = {each.lowered.name for _, each in self.bound.values()}
                word = name = f"{name}_{_word(found)}"
                while name in names:
                    name = f"{word}{others}"
                slot = slot._replace(element=others)
            made = self._declare(found, name, slot)
            known = self.bound[key] = self._key(("heap", samplers, kind), number), made
        return known

    def _is_wide(self, found: DxilResource) -> bool:
        """Return whether the resource has 64-bit elements.

        DXC declares their texels as 32-bit integers; the type of the variable determines the actual
        type.
        """
        if found.component_type in WIDE or (found.group, found.id) in self.wide:
            return True
        return found.id != HEAP and found.kind in SHAPES and _width(found.variable.type) == 64

    def _declare(self, found: DxilResource, name: str, slot: ResourceSlot) -> BoundResource:
        b = self.b
        written = found.group == UAV
        bounds = self.specialisation.bounds
        if found.group == SAMPLER:
            sampler = SamplerDeclaration(name, slot)
            b.kernel.samplers.append(sampler)
            made = LoweredResource(name, Form.SAMPLER, slot=slot)
            return BoundResource(made, sampler=sampler)
        if found.group == CBUFFER:
            made = LoweredResource(name, Form.CONSTANTS, ROW, size=found.size, slot=slot)
            memory = b.memory(name, Space.CONSTANT, ROW, slot=slot)
        elif found.kind in SHAPES:
            return self._typed(found, name, slot)
        elif found.kind == K.RAW_BUFFER:
            made = LoweredResource(name, Form.RAW, 4, written, slot=slot)
            stride = 8 if self._is_wide(found) else 4
            memory = b.memory(name, Space.BUFFER, stride, writable=written, slot=slot)
            memory.raw = True
        elif found.kind == K.STRUCTURED_BUFFER:
            stride = max(found.stride or 0, 1)
            made = LoweredResource(name, Form.STRUCTURED, stride, written, slot=slot)
            memory = b.memory(name, Space.BUFFER, stride, writable=written, slot=slot)
        else:
            kind = K(found.kind).name.lower() if found.kind in {*K} else str(found.kind)
            raise UnsupportedError(f"{name}: a resource of kind {kind} cannot be run yet")
        if bounds is not None:
            memory.bounds = bounds
        return BoundResource(made, memory)

    def _typed(self, found: DxilResource, name: str, slot: ResourceSlot) -> BoundResource:
        b = self.b
        written = found.group == UAV
        shape, layered = SHAPES[found.kind]
        form = Form.TYPED if shape is Shape.BUFFER else Form.TEXTURE
        returns = RETURNS.get(found.component_type or C.F32)
        many = found.kind in MULTISAMPLED
        made = LoweredResource(
            name, form, TEXEL, written, (str(returns),) * 4, shape, layered, many,
            wide=2 * self._is_wide(found), slot=slot,
        )  # fmt: skip
        if form is Form.TYPED or written:
            memory = b.memory(name, Space.BUFFER, TEXEL, writable=written, slot=slot)
            sizes = None
            if form is Form.TEXTURE:
                sizes = b.memory(
                    f"{name}.shape", Space.CONSTANT, 4, slot=slot.of(MemoryPart.SHAPE),
                    internal=True,
                )  # fmt: skip
            return BoundResource(made, memory, sizes)
        type = I32 if found.component_type in INTEGERS else F32
        samples = max(1, found.samples) if many else 1
        texture = TextureDeclaration(name, shape, type, layered, samples, slot)
        b.kernel.textures.append(texture)
        return BoundResource(made, texture=texture)

    def counter(self, resource: BoundResource) -> Memory:
        """Return the hidden counter of a structured view."""
        if resource.counter is None:
            slot = resource.lowered.slot
            assert slot is not None
            name, slot = f"{resource.lowered.name}_counter", slot.of(MemoryPart.COUNTER)
            memory = self.b.memory(name, Space.BUFFER, 4, writable=True, slot=slot)
            resource.counter = memory
            made = LoweredResource(name, Form.COUNTER, 4, True, slot=slot)
            self.bound[name] = self._key(name, 0), BoundResource(made, memory)
        return resource.counter

    def resources(self) -> list[LoweredResource]:
        """Return all resources: constant buffers, samplers, SRVs, UAVs with their counters."""
        order = [each.kind for each in (_HEAP, *(_EXAMPLES[at] for at in (2, 3, 0, 1)))]
        found = [each.lowered for _, each in self.bound.values()]
        found.sort(
            key=lambda each: (
                order.index(each.slot.kind), each.slot.space, each.slot.number,
                each.slot.element or 0, each.form is Form.COUNTER,
            ) if each.slot is not None else (len(order), 0, 0, 0, False)
        )  # fmt: skip
        return found


def _width(type: DxilType) -> int:
    """Return the bits of the scalars of texels, from the type of their variable; 0 if unknown."""
    for _ in range(DEPTH):
        match type:
            case IntegerType() | FloatType():
                return type.width
            case PointerType():
                type = type.pointee
            case ArrayType() | VectorType():
                type = type.element
            case StructType() if type.elements:
                type = type.elements[0]
            case _:
                break
    return 0


def _word(found: DxilResource) -> str:
    """Return the word for the kind of a resource."""
    if found.group in (CBUFFER, SAMPLER):
        return "constants" if found.group == CBUFFER else "sampler"
    if found.kind in (K.RAW_BUFFER, K.STRUCTURED_BUFFER):
        word = "raw" if found.kind == K.RAW_BUFFER else "structured"
    else:
        word = "typed" if found.kind == K.TYPED_BUFFER else "texture"
    return f"rw_{word}" if found.group == UAV else word


_EXAMPLES = {at: ResourceSlot(kind, 0) for at, kind in CLASSES.items()}
_HEAP = ResourceSlot(ResourceClass.HEAP, 0)


def slot_of(found: DxilResource, number: int) -> ResourceSlot:
    return ResourceSlot(CLASSES[found.group], number, found.space)


def name_of(found: DxilResource, number: int) -> str:
    suffix = f"_space{found.space}" if found.space else ""
    return f"{PREFIXES[found.group]}{number}{suffix}"


def heap_slot(samplers: bool, number: int) -> ResourceSlot:
    return ResourceSlot(ResourceClass.HEAP, number, int(samplers))


def heap_name(samplers: bool, number: int) -> str:
    return f"{'sampler_' if samplers else ''}heap{number}"
