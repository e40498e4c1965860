"""Variables for resources, with their bindings, and the types of blocks.

    cbuffer Scene : b0     Uniform, set 0, binding 0: a block with the members of the buffer
    Texture2D albedo : t0  UniformConstant, set 0, binding 100
    RWStructuredBuffer u1  StorageBuffer, set 0, binding 201: a block with a run-time array

The bindings are those of GLSL (glsl/declarations.py), unless the caller gives a map.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...errors import UnsupportedError, UsageError
from ...ir.barriers import order_of
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ...model.resources import Member, TypeDescription, Variable
from ...tuples import NamedTuple
from ...vocab.slots import (
    CLASS_BINDINGS,
    COUNTER_BINDINGS,
    REGISTER_LETTERS,
    MemoryPart,
    ResourceClass,
    ResourceSlot,
)
from ...vocab.words import Stage, TypeClass
from ..block_rules import matrix_shape
from ..meshes import is_payload
from ..resources.buffers import register_type, rows_of
from ..resources.context import (
    DeclaredResource,
    attachment_of,
    is_image,
    is_multisampled,
    is_raw,
    kind_of_member,
    owner_of,
)
from ..resources.declared import RETURNS, compares, declarations_of, table_rows, texel_kind
from ..resources.layouts import member_name
from ..resources.widths import WORD, only_size, sizes_of
from ..tree import ScalarKind, TermType
from .writer import UINT, SpirvLayout, SpirvPlace, SpirvWriter

__all__ = ["BindingPlace", "declare_resources", "given_place"]

DIMENSIONS = {
    Shape.D1: ("1D", "Sampled1D", "Image1D"), Shape.D2: ("2D", "", ""), Shape.D3: ("3D", "", ""),
    Shape.CUBE: ("Cube", "", ""), Shape.BUFFER: ("Buffer", "SampledBuffer", "ImageBuffer"),
}  # fmt: skip
BASIC = """
Rgba32f Rgba16f R32f Rgba8 Rgba8Snorm Rgba32i Rgba16i Rgba8i R32i Rgba32ui Rgba16ui Rgba8ui R32ui
"""
MORE = """
Rg32f Rg16f R11fG11fB10f R16f Rgba16 Rgb10A2 Rg16 Rg8 R16 R8 Rgba16Snorm Rg16Snorm Rg8Snorm
R16Snorm R8Snorm Rg32i Rg16i Rg8i R16i R8i Rgb10a2ui Rg32ui Rg16ui Rg8ui R16ui R8ui
"""
EXTENDED = frozenset(MORE.split())  # formats that need a capability
FORMATS = {each.lower(): each for each in (*BASIC.split(), *EXTENDED)}
SINGLE = {ScalarKind.UINT: "R32ui", ScalarKind.INT: "R32i", ScalarKind.FLOAT: "R32f"}
ROW = 16
STORED = {1: "StorageBuffer8BitAccess", 2: "StorageBuffer16BitAccess"}  # by bytes


class BindingPlace(NamedTuple):
    """A descriptor set and a binding in it."""

    set: int
    binding: int


def declare_resources(w: SpirvWriter, bindings: Mapping[str, BindingPlace]) -> None:
    """Declare the resources that a program uses, and its arrays."""
    made = ResourceVariables(w, bindings)
    functions = (made.memory, made.texture, made.sampler)
    for _ in declarations_of(w.parts.resources, *functions):
        pass
    made.check_bindings()
    for memory in w.parts.kernel.memories:
        found = w.parts.resources.known.get(memory)
        if memory.space is Space.LOCAL and found is not None and found.used:
            _lane_array(w, memory, found)


def _lane_array(w: SpirvWriter, memory: Memory, found: DeclaredResource) -> None:
    """Declare an array of the lane, which is zero at the start."""
    kind = w.parts.kinds.of_place(w.parts.kinds.cell(memory))
    count = (memory.count or 0) * rows_of(memory)
    size = only_size(w.parts.resources, memory)
    layout = _array(w, w.term(register_type(memory, kind, size)), count)
    null = w.module.declared("OpConstantNull", layout.id)
    if w.parts.kernel.stage is Stage.HULL:  # of one of its functions, which runs once
        made = w.module.variable("Private", layout.id, null)
        w.module.name(made, found.name)
        w.symbols[found.name] = SpirvPlace(made, "Private", layout)
        return
    made = w.module.id()
    type = w.module.pointer("Function", layout.id)
    w.variables.append(f"{made} = OpVariable {type} Function {null}")
    w.module.name(made, found.name)
    w.symbols[found.name] = SpirvPlace(made, "Function", layout)


def _array(w: SpirvWriter, inner: SpirvLayout, count: int) -> SpirvLayout:
    """Return an array without a layout in memory."""
    size = w.number(max(count, 1))
    return SpirvLayout(w.module.declared("OpTypeArray", inner.id, size), None, inner)


def given_place(
    bindings: Mapping[str, BindingPlace], slot: ResourceSlot, number: int, found: DeclaredResource
) -> tuple[str, BindingPlace | None]:
    """Return the place that a map gives a resource by name or register, and its key."""
    letter = REGISTER_LETTERS.get(slot.kind, "")
    registers = [f"{letter}{number},space{slot.space}"] if letter else []
    registers += [f"{letter}{number}"] * (bool(letter) and not slot.space)
    label = found.reflected.name if found.reflected is not None else found.name
    for key in (label, found.name, *registers):
        if key in bindings:
            return key, bindings[key]
    return "", None


def _indexed_kind(found: DeclaredResource, slot: object) -> str:
    """Return the word that capabilities for indices of an array of such resources begin with."""
    resource = found.resource
    written = is_image(found)
    match resource.form if resource is not None else None:
        case ResourceForm.TYPED:
            return "StorageTexelBuffer" if written else "UniformTexelBuffer"
        case ResourceForm.TEXTURE:
            return "StorageImage" if written else "SampledImage"
        case ResourceForm.CONSTANTS:
            return "UniformBuffer"
        case ResourceForm.RAW | ResourceForm.STRUCTURED:
            return "StorageBuffer"
    return "SampledImage"


class ResourceVariables:
    """The declarations of a module: the writer, and the bindings that the caller gives."""

    def __init__(self, writer: SpirvWriter, bindings: Mapping[str, BindingPlace]) -> None:
        self.w = writer
        self.bindings = bindings
        self.used: set[str] = set()
        self.structures: dict[object, SpirvLayout] = {}
        self.views = _views(writer)
        values = [*writer.parts.kernel.values()]
        orders = [order_of(each.attr) for each in values if each.op is OPS.barrier]
        self.has_barrier = any(each.buffers or each.images for each in orders)
        self.read = {each.attr for each in values if each.op is OPS.load}

    # ------------------------------------------------------------ bindings

    def bind(self, made: str, slot: object, found: DeclaredResource) -> None:
        """Decorate a variable with its set and binding."""
        assert isinstance(slot, ResourceSlot)
        number = slot.number
        if slot.element is None:
            number -= found.index or 0
        key, given = given_place(self.bindings, slot, number, found)
        self.used.add(key)
        if given is None:
            if slot.kind is ResourceClass.HEAP:
                raise UnsupportedError(
                    f"{found.name}: a descriptor of a heap has no binding but one that is given"
                )
            if found.reflected is None or found.reflected.register_class:
                number += CLASS_BINDINGS.get(slot.kind, 0)
            given = BindingPlace(slot.space, number)
        self.w.module.decorate(made, "DescriptorSet", given.set)
        self.w.module.decorate(made, "Binding", given.binding)

    def check_bindings(self) -> None:
        """Refuse a map with a resource that the program does not use."""
        unknown = [each for each in self.bindings if each not in self.used]
        if unknown:
            names = ", ".join(repr(each)[:40] for each in unknown[:4])
            raise UsageError(f"the program uses no resource {names}")

    def variable(
        self,
        storage: str,
        layout: SpirvLayout,
        found: DeclaredResource,
        slot: object,
        size: int = WORD,
    ) -> SpirvPlace:
        """Declare a variable for a resource, or for an array of them; `size` is of its numbers."""
        w = self.w
        label = found.name
        if size != WORD:
            known = found.reflected.name if found.reflected is not None else found.name
            label = w.views[found.name, size] = w.parts.names.unique(f"{known}_{8 * size}")
        if found.index is not None and found.reflected is not None:
            count = found.reflected.count
            w.arrays[label] = _indexed_kind(found, slot)
            if count:
                layout = _array(w, layout, count)
            else:
                w.module.require("RuntimeDescriptorArray")
                layout = SpirvLayout(
                    w.module.declared("OpTypeRuntimeArray", layout.id), None, layout
                )
        made = w.module.variable(storage, layout.id)
        w.module.name(made, label)
        if isinstance(slot, ResourceSlot) and slot.kind is not ResourceClass.PUSH:
            self.bind(made, slot, found)
        place = SpirvPlace(made, storage, layout)
        w.symbols[label] = place
        return place

    def written(
        self,
        storage: str,
        layout: SpirvLayout,
        memory: Memory,
        found: DeclaredResource,
        size: int = WORD,
    ) -> SpirvPlace:
        """Declare a variable for a buffer or image that may be writable.

        Barriers order coherent accesses only, by which lanes read what others wrote; so does the
        order of the lanes of one pixel. Views of one buffer by numbers of several sizes are
        declared to be of the same words.
        """
        place = self.variable(storage, layout, found, memory.slot, size)
        given = found.reflected
        asked = given is not None and (given.globally_coherent or given.rasterizer_ordered)
        aliased = memory.writable and self.views[memory.slot] > 1
        if aliased:
            self.w.module.decorate(place.base, "Aliased")
        if memory.writable and (asked or (self.has_barrier and (aliased or memory in self.read))):
            self.w.module.decorate(place.base, "Coherent")
        return place

    # ------------------------------------------------------------ textures and samplers

    def sampler(self, sampler: SamplerDeclaration, found: DeclaredResource) -> str:
        """Declare a sampler."""
        if sampler.slot is not None and sampler.slot.kind is ResourceClass.COMBINED_SAMPLER:
            return ""
        layout = SpirvLayout(self.w.module.declared("OpTypeSampler"))
        return self.variable("UniformConstant", layout, found, sampler.slot).base

    def texture(self, texture: TextureDeclaration, found: DeclaredResource) -> str:
        """Declare a texture, with its sampler if the program has them as one."""
        w = self.w
        context = w.parts.resources
        attachment = attachment_of(found)
        if attachment is not None:
            w.module.require("InputAttachment")
            kind = texture_kind(w, texture)
            made = w.module.declared(
                "OpTypeImage", w.module.type(TermType(kind)), "SubpassData", 0, 0,
                int(is_multisampled(found)), 2, "Unknown",
            )  # fmt: skip
            place = self.variable(
                "UniformConstant", SpirvLayout(made, texel=kind), found, texture.slot
            )
            w.module.decorate(place.base, "InputAttachmentIndex", attachment)
            return place.base
        layout = self.image(
            texture.shape, texture_kind(w, texture), texture.layered, is_multisampled(found),
            compares(context, texture), "",
        )  # fmt: skip
        slot = texture.slot
        if slot is not None and slot.kind is ResourceClass.COMBINED_SAMPLER:
            layout = SpirvLayout(w.module.declared("OpTypeSampledImage", layout.id), None, layout)
        return self.variable("UniformConstant", layout, found, slot).base

    def image(
        self, shape: Shape, kind: ScalarKind, layered: bool, many: bool, depth: bool, format: str
    ) -> SpirvLayout:
        """Return the type of an image, which is written if it has a format."""
        w = self.w
        word, sampled, stored = DIMENSIONS[shape]
        if shape is Shape.CUBE and layered:
            sampled, stored = "SampledCubeArray", "ImageCubeArray"
        capability = stored if format else sampled
        if capability:
            w.module.require(capability)
        made = w.module.declared(
            "OpTypeImage", w.module.type(TermType(kind)), word, int(depth), int(layered),
            int(many), 2 if format else 1, format or "Unknown",
        )  # fmt: skip
        return SpirvLayout(made, texel=kind)

    # ------------------------------------------------------------ memories

    def memory(self, memory: Memory, found: DeclaredResource) -> str:
        """Declare a buffer, a writable texture, or memory of the group or program."""
        w = self.w
        if memory.space is Space.LOCAL or not found.used:
            return ""
        slot = memory.slot
        if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
            return self._counter(memory)
        if memory.internal and memory.space is not Space.TABLE:
            return ""
        kind = w.parts.kinds.of_place(w.parts.kinds.cell(memory))
        if memory.space is Space.TABLE:
            return self._table(memory, found, kind)
        if memory.space is Space.SHARED:
            size = only_size(w.parts.resources, memory)
            inner = w.term(TermType(kind, 8 * size))
            if memory.stride > size:
                inner = _array(w, inner, memory.stride // size)
            storage = "TaskPayloadWorkgroupEXT" if is_payload(memory) else "Workgroup"
            return self.variable(storage, _array(w, inner, memory.count or 0), found, None).base
        resource = found.resource
        if resource is None or not isinstance(slot, ResourceSlot):
            return ""
        if is_raw(memory, found):
            made = ""
            for size in sizes_of(w.parts.resources, found):
                inner = w.term(TermType(ScalarKind.UINT, 8 * size))
                made = self._storage(memory, found, inner, size, size)
            return made
        match resource.form:
            case ResourceForm.CONSTANTS:
                return self._constants(memory, found, kind)
            case ResourceForm.TYPED | ResourceForm.TEXTURE:
                return self._stored_image(memory, found)
            case ResourceForm.STRUCTURED:
                return self._structured(memory, found, kind)
        return ""

    def _counter(self, memory: Memory) -> str:
        """Declare the block of a hidden counter."""
        slot = memory.slot
        owner = owner_of(self.w.parts.resources, memory)
        assert isinstance(slot, ResourceSlot)
        if owner is None or owner.index is not None:
            raise UnsupportedError("the counter of an array of buffers cannot be translated yet")
        w = self.w
        name = f"{owner.name}_counter"
        block = self.structure(f"{name}_buffer", [("counter", w.term(UINT), 0, ())], "Block")
        made = w.module.variable("StorageBuffer", block.id)
        w.module.name(made, name)
        given = self.bindings.get(name)
        self.used.add(name)
        place = given or BindingPlace(slot.space, slot.number + COUNTER_BINDINGS)
        w.module.decorate(made, "DescriptorSet", place.set)
        w.module.decorate(made, "Binding", place.binding)
        whole = SpirvPlace(made, "StorageBuffer", block)
        w.symbols[name] = whole.at(w.number(0), w.term(UINT))
        return made

    def _table(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        """Declare a table of constants: a variable that nothing writes."""
        w = self.w
        type = TermType(kind, 32, memory.stride // 4)
        layout = _array(w, w.term(type), memory.count or 0)
        rows = [w.module.constant(type, *bits) for bits in table_rows(memory)]
        whole = w.module.declared("OpConstantComposite", layout.id, *rows)
        made = w.module.variable("Private", layout.id, whole)
        w.module.name(made, found.name)
        w.symbols[found.name] = SpirvPlace(made, "Private", layout)
        w.tables[found.name] = memory.count or 0
        return made

    def _storage(
        self,
        memory: Memory,
        found: DeclaredResource,
        inner: SpirvLayout,
        stride: int,
        size: int = WORD,
    ) -> str:
        """Declare a storage block whose member is an array of elements."""
        w = self.w
        if size in STORED:
            w.module.require(STORED[size])
        array = self.strided("OpTypeRuntimeArray", inner, stride)
        name = w.parts.names.unique(f"{found.name}_buffer")
        more = () if memory.writable else ("NonWritable",)
        block = self.structure(name, [("elements", array, 0, more)], "Block")
        return self.written("StorageBuffer", block, memory, found, size).base

    def strided(self, opcode: str, inner: SpirvLayout, stride: int, *count: str) -> SpirvLayout:
        """Return an array with a stride."""
        w = self.w
        key = (opcode, inner.id, stride, *count)
        found = self.structures.get(key)
        if found is None:
            made = w.module.fresh(opcode, inner.id, *count)
            w.module.decorate(made, "ArrayStride", stride)
            found = self.structures[key] = SpirvLayout(made, None, inner)
        return found

    def structure(
        self,
        name: str,
        members: Sequence[tuple[str, SpirvLayout, int, Sequence[str]]],
        *decorations: str,
    ) -> SpirvLayout:
        """Return a structure: members with name, type, offset and decorations."""
        w = self.w
        made = w.module.fresh("OpTypeStruct", *(each.id for _, each, _, _ in members))
        w.module.name(made, name)
        for each in decorations:
            w.module.decorate(made, each)
        found: dict[str, tuple[int, SpirvLayout]] = {}
        for at, (label, layout, offset, more) in enumerate(members):
            w.module.member(made, at, label, f"Offset {offset}", *more)
            found[label] = at, layout
        return SpirvLayout(made, None, None, found)

    def _structured(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        w = self.w
        if found.layout is not None and found.layout.variables:
            inner, _ = self._typed(found.layout.variables[0].type)
            return self._storage(memory, found, inner, memory.stride)
        made = ""
        for size in sizes_of(w.parts.resources, found):
            own = kind if size == WORD else ScalarKind.UINT
            inner = w.term(TermType(own, 8 * size))
            if memory.stride != size:
                count = w.number(-(-memory.stride // size))
                words = self.strided("OpTypeArray", inner, size, count)
                name = w.parts.names.unique(f"{found.name}_element")
                inner = self.structure(name, [("words", words, 0, ())])
            made = self._storage(memory, found, inner, memory.stride, size)
        return made

    def _constants(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        w = self.w
        slot = memory.slot
        assert isinstance(slot, ResourceSlot)
        storage = "PushConstant" if slot.kind is ResourceClass.PUSH else "Uniform"
        names: dict[str, int] = {}
        members: list[tuple[str, SpirvLayout, int, Sequence[str]]]
        if found.rows:
            row = w.term(TermType(kind, 32, 4))
            rows = self.strided("OpTypeArray", row, ROW, w.number(found.rows))
            members = [("rows", rows, 0, ())]
            if found.index is None:
                names = {found.members["rows"]: 0}
        elif found.layout is not None:
            members = [*self._members(found.layout.variables)]
            for at, each in enumerate(found.layout.variables):
                names[member_name(w.parts.resources, memory, each.name)] = at
        else:
            return ""
        block = self.structure(w.parts.names.unique(f"{found.name}_block"), members, "Block")
        place = self.variable(storage, block, found, slot)
        for name, at in names.items():
            w.symbols[name] = place.at(w.number(at), members[at][1])
        return place.base

    def _members(
        self, variables: Sequence[Variable] | Sequence[Member]
    ) -> Iterator[tuple[str, SpirvLayout, int, Sequence[str]]]:
        for each in variables:
            layout, more = self._typed(each.type)
            yield self.w.parts.names.field(each.name), layout, each.offset, more

    def _typed(self, type: TypeDescription) -> tuple[SpirvLayout, Sequence[str]]:
        """Return the type of a member, and the decorations of a matrix."""
        w = self.w
        more: Sequence[str] = ()
        if type.members:
            key = ("struct", type.name, *((each.name, each.offset) for each in type.members))
            known = self.structures.get(key)
            if known is None:
                name = w.parts.names.unique(type.name or "Structure")
                known = self.structures[key] = self.structure(name, [*self._members(type.members)])
            layout = known
        else:
            kind = kind_of_member(w.parts.resources, type) or ScalarKind.FLOAT
            if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
                lines, width = matrix_shape(type)
                column = w.term(TermType(kind, 32, width))
                id = w.module.declared("OpTypeMatrix", column.id, lines)
                layout = SpirvLayout(id, None, column)
                more = ("ColMajor", f"MatrixStride {type.matrix_stride or ROW}")
            else:
                layout = w.term(TermType(kind, 32, type.columns))
        for count, stride in zip(reversed(type.elements), reversed(type.strides), strict=True):
            if count:
                layout = self.strided("OpTypeArray", layout, stride, w.number(count))
            else:
                layout = self.strided("OpTypeRuntimeArray", layout, stride)
        return layout, more

    def _stored_image(self, memory: Memory, found: DeclaredResource) -> str:
        """Declare a writable texture, or a buffer of texels."""
        w = self.w
        resource = found.resource
        assert resource is not None
        kind = RETURNS.get((resource.returns or ("float",))[0], ScalarKind.FLOAT)
        shape = resource.shape or Shape.BUFFER
        format = ""
        if is_image(found):
            known = found.reflected.texel_format if found.reflected is not None else None
            format = SINGLE[kind] if found.single else FORMATS.get((known or "").lower(), "Unknown")
            if format == "Unknown":
                words = ("Read", "Write") if memory in self.read else ("Write",)
                w.module.require(*(f"StorageImage{each}WithoutFormat" for each in words))
            elif format in EXTENDED:
                w.module.require("StorageImageExtendedFormats")
        layout = self.image(shape, kind, resource.layered, False, False, format)
        made = self.written("UniformConstant", layout, memory, found).base
        if format and not memory.writable:
            w.module.decorate(made, "NonWritable")
        return made


def _views(w: SpirvWriter) -> Counter[object]:
    """Return the number of variables for the memory of each slot."""
    found: Counter[object] = Counter()
    names: set[str] = set()
    for memory, each in w.parts.resources.known.items():
        if isinstance(memory, Memory) and each.used and each.name not in names:
            names.add(each.name)
            found[memory.slot] += len(sizes_of(w.parts.resources, each))
    return found


def texture_kind(w: SpirvWriter, texture: TextureDeclaration) -> ScalarKind:
    """Return the kind of the components of a texture's texels."""
    return texel_kind(w.parts.resources, texture)
