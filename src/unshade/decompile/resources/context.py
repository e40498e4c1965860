"""Resources of a program: memories, textures and samplers, described by the reflection.

    texture t0  ── slot t0, space 0 ──  Texture2D albedo        DeclaredResource("albedo", …)

The functions of this package take the context first. They make source trees, which do not depend
on the language.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from ...dataclass import dataclass, field
from ...ir.analysis.ranges import ValueRange, combined, everything, range_of
from ...ir.fold import signed
from ...ir.kernel import KernelIR, Value
from ...ir.lowered import Form as ResourceForm
from ...ir.lowered import Lowered, LoweredResource
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ...model import Reflection
from ...model.resources import ConstantBuffer, Resource, TypeDescription, Variable
from ...vocab.slots import MemoryPart, ResourceClass, ResourceSlot
from ...vocab.words import BufferKind, DescriptorType
from ..kinds import stripped
from ..layout import scalar_kind
from ..meshes import is_payload
from ..names import DecompiledNames
from ..points import PointSets
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType, literal, name

__all__ = [
    "ELEMENT",
    "UINT",
    "UNBOUND",
    "BufferRules",
    "DeclaredResource",
    "ResourceContext",
    "SizeFunction",
    "describes",
    "element_layout",
    "first_of_array",
    "highest",
    "highest_of",
    "is_image",
    "is_multisampled",
    "is_raw",
    "kind_of_member",
    "linear",
    "owner_of",
    "resource_name",
    "scaled",
    "size_function",
    "texel_components",
]

STORED = (DescriptorType.STORAGE_IMAGE, DescriptorType.STORAGE_TEXEL_BUFFER)
UINT = TermType(ScalarKind.UINT)
STEPS = frozenset({OPS.iadd, OPS.ishl, OPS.imul})
NEAREST = 6  # steps to operands
ELEMENT = "$Element"  # the only variable of an element
MOST_ELEMENTS = 1024  # of an array of resources

UNBOUND = frozenset({ResourceClass.REGISTER_BANK, ResourceClass.PUSH})  # have no register

BoundResource = Memory | TextureDeclaration | SamplerDeclaration
Register = tuple[object, int, int]  # class, number, space
Registers = dict[Register, list[tuple[Resource, int]]]  # by the view of a slot


@dataclass(slots=True, eq=False)
class DeclaredResource:
    """A memory, texture or sampler of the kernel, with its name and description."""

    name: str
    resource: LoweredResource | None = None
    reflected: Resource | None = None
    layout: ConstantBuffer | None = None
    index: int | None = None  # in an array of resources
    rows: int = 0  # of a constant buffer that is declared as registers
    used: bool = False
    block: str = ""  # that its members are in, if they are accessed by the name of the variable
    single: bool = False  # atomic operations need texels of one component
    members: dict[str, str] = field(default_factory=dict)
    called: bool = False  # a descriptor of a heap, which a function returns by its index


@dataclass(slots=True, eq=False)
class SizeFunction:
    """A function that the source defines: the sizes of a resource, or its number of elements.

    With `levels` it takes a level, and the fourth component is the number of levels; with `samples`
    that is the number of samples.
    """

    name: str
    of: DeclaredResource
    components: int = 0  # 0 for a number of elements
    levels: bool = False
    samples: bool = False
    element: int = 0  # bytes of an element of a buffer of words

    @property
    def of_faces(self) -> bool:
        """True for an image of cubes, whose layers are faces in a kernel."""
        found = self.of.resource
        return found is not None and is_image(self.of) and found.shape is Shape.CUBE


class BufferRules(Protocol):
    """The rules of a language for the members of buffers."""

    bool_kind: ScalarKind  # of a bool in a buffer
    widths: bool  # memory has numbers of 8, 16 and 64 bits
    attachments: bool  # has input attachments; in another language they are textures
    instances: bool  # members of a block of constants are accessed by the name of a variable
    global_members: bool  # they are global, so the block has its own name only
    by_bytes: bool  # a raw buffer is addressed by bytes, and words in a row are read at once
    heaps: bool  # a descriptor can be selected in a heap
    payload_member: str  # array of words in a payload that is a structure; "" for a plain array

    def packs(self, buffer: ConstantBuffer, uniform: bool, stride: int) -> bool:
        """Return True if a source can declare the members where the buffer has them.

        `uniform` is true for a buffer of constants, whose members can have an explicit place;
        otherwise the layout describes an element of a buffer, and elements are `stride` bytes
        apart.
        """


class ResourceContext:
    """The resources of a program; the functions of this package take it first."""

    def __init__(
        self,
        lowered: Lowered,
        reflection: Reflection | None,
        names: DecompiledNames,
        exact: bool,
        rules: BufferRules,
    ) -> None:
        self.rules = rules
        self.kernel: KernelIR = lowered.kernel
        self.reflection = reflection
        self.names = names
        self.exact = exact
        self.forms = {each.key: each for each in lowered.resources}
        self.known: dict[object, DeclaredResource] = {}
        self.structures: list[str] = []  # definitions of types and functions
        self.points: PointSets | None = None
        self.heaps: dict[object, str] = {}  # names of functions
        self.sized: dict[object, str] = {}  # names of structures
        self.functions: dict[object, SizeFunction] = {}
        self.sizes: dict[Memory, set[int]] = {}  # of the numbers that are accessed, in bytes
        registers = by_register(reflection)
        kernel = self.kernel
        resources: Iterable[BoundResource] = (
            *kernel.memories, *kernel.textures, *kernel.samplers,
        )  # fmt: skip
        for each in resources:
            declare(self, each, registers)


def highest(context: ResourceContext, value: Value) -> int:
    """Return the highest number that an integer can be, as far as its nearest operands tell it."""
    return highest_of(context.kernel, value)


def highest_of(kernel: KernelIR, value: Value) -> int:
    """Return the highest number that an integer of a kernel can be."""

    def range_to(value: Value, deep: int) -> ValueRange:
        value = stripped(value)
        if value.type.kind not in "ib" or not deep:
            return everything(value.type)
        if value.op in (OPS.const, OPS.source):
            return range_of(value, {}, kernel.group)
        return combined(value, [range_to(each, deep - 1) for each in value.args])

    return range_to(value, NEAREST).high


def first_of_array(context: ResourceContext, memory: Memory) -> Memory:
    """Return the first memory of the array of resources that a memory is in, or the memory."""
    found = context.known.get(memory)
    if found is None or found.index is None:
        return memory
    for other, each in context.known.items():
        if isinstance(other, Memory) and each.name == found.name:
            return other
    return memory


def kind_of_member(context: ResourceContext, type: TypeDescription) -> ScalarKind | None:
    """Return the kind of the components of a member; None for one that is not 32 bits wide."""
    found = scalar_kind(type)
    return context.rules.bool_kind if found is ScalarKind.BOOL else found


def is_image(found: DeclaredResource) -> bool:
    """Return True for what is written, or what Vulkan binds so though it is only read."""
    if found.resource is not None and found.resource.writable:
        return True
    return found.reflected is not None and found.reflected.descriptor in STORED


def size_function(
    context: ResourceContext, key: object, ending: str, made: SizeFunction
) -> SizeFunction:
    """Return a size function of a resource by its key; add `made` if there is none."""
    found = context.functions.get(key)
    if found is None:
        made.name = context.names.unique(f"{made.of.name}_{ending}")
        found = context.functions[key] = made
    return found


def by_register(reflection: Reflection | None) -> Registers:
    """Return the resources of the reflection, and the element of an array, of each register.

    A module can declare images of several types for one binding: each is another view.
    """
    found: Registers = {}
    for each in reflection.resources if reflection is not None else ():
        slot = each.slot
        # The elements of an array have successive numbers in Direct3D, one number in Vulkan.
        numbers = min(each.count or MOST_ELEMENTS, MOST_ELEMENTS) if slot.element is None else 1
        for at in range(numbers):
            views = found.setdefault((slot.kind, each.register + at, each.space), [])
            if not each.declared and views and views[0][0].declared:
                views.clear()  # it describes what has no name, too
            if not any(_type_of(each) == _type_of(other) for other, _ in views):
                views.append((each, at))
    return found


def _type_of(each: Resource) -> tuple[object, ...]:
    """Return what distinguishes the images of a binding."""
    return each.descriptor, each.dimension, each.return_type, each.texel_format, each.samples


def declare(
    context: ResourceContext,
    each: BoundResource,
    registers: Registers,
) -> None:
    """Give a memory, texture or sampler its name and description."""
    slot = each.slot
    resource = context.forms.get(each.key)
    made = DeclaredResource(each.name, resource)
    if isinstance(slot, ResourceSlot) and slot.kind is ResourceClass.HEAP and context.rules.heaps:
        made.called = slot.part is MemoryPart.DATA
        made.index = slot.number if made.called else None
        made.name = _heap_name(context, each, slot, resource)
    elif isinstance(slot, ResourceSlot) and slot.kind in UNBOUND:
        for buffer in context.reflection.constant_buffers if context.reflection else ():
            if buffer.slot == slot:
                made.layout = buffer
        named = made.layout is not None and slot.kind is ResourceClass.PUSH
        made.name = context.names.unique(made.layout.name if named and made.layout else each.name)
    elif isinstance(slot, ResourceSlot) and slot.part in (MemoryPart.DATA,):
        views = registers.get((slot.kind, slot.number, slot.space))
        if views is not None:
            found, at = views[slot.view if slot.view < len(views) else 0]
            made.reflected = found
            made.index = (
                (at if slot.element is None else slot.element) if found.count != 1 else None
            )
            for buffer in context.reflection.constant_buffers if context.reflection else ():
                if describes(context, buffer, found):
                    made.layout = _of_element(each, buffer)
        one = same_raw(context, each, made)
        if one is not None:
            made.name, made.index = one.name, one.index
            context.known[each] = made
            return
        wanted = made.reflected.name if made.reflected is not None else each.name
        if context.rules.global_members and slot.kind is ResourceClass.CONSTANTS and made.layout:
            wanted = made.layout.name or wanted
        if slot.kind is ResourceClass.COMBINED_SAMPLER and isinstance(each, SamplerDeclaration):
            wanted += "_sampler"
        if made.index is not None and made.reflected is not None:
            shared = next(
                (k for other, k in context.known.items()
                 if k.reflected is made.reflected and k.index is not None
                 and type(other) is type(each)), None,
            )  # fmt: skip
            made.name = shared.name if shared else context.names.unique(wanted)
        else:
            made.name = context.names.unique(wanted)
    elif isinstance(each, Memory) and each.space in (Space.LOCAL, Space.SHARED, Space.TABLE):
        made.name = context.names.unique(each.name)
    if isinstance(each, Memory) and is_payload(each) and context.rules.payload_member:
        made.block = context.names.unique("Payload")
    context.known[each] = made


def _of_element(memory: BoundResource, buffer: ConstantBuffer) -> ConstantBuffer:
    """Return the layout of a buffer; its elements are without a name (elements.py)."""
    named = buffer.kind == BufferKind.ELEMENT and buffer.variables[0].name != ELEMENT
    if not isinstance(memory, Memory) or memory.raw or not named:
        return buffer
    return element_layout(buffer.name, buffer.variables[0].type)


def element_layout(name: str, type: TypeDescription) -> ConstantBuffer:
    """Return the layout of a buffer of elements of a type."""
    element = Variable(name=ELEMENT, offset=0, size=type.size, type=type)
    return ConstantBuffer(name=name, kind=BufferKind.ELEMENT, size=type.size, variables=[element])


def _heap_name(
    context: ResourceContext, each: BoundResource, slot: ResourceSlot,
    resource: LoweredResource | None,
) -> str:  # fmt: skip
    """Return the name of the function that returns the descriptors of one kind in a heap."""
    key: tuple[object, ...] = (type(each), slot.space, slot.part)
    word = "sampler" if slot.space else "resource"
    if resource is not None and not slot.space:
        key += (resource.form, resource.writable, resource.stride, resource.returns, resource.size)
        key += (resource.shape, resource.layered, resource.multisampled, resource.wide)
        word = f"{'rw_' * resource.writable}{resource.form}"
    known = context.heaps.get(key)
    if known is None:
        known = context.heaps[key] = context.names.unique(f"heap_{word}")
    return known


def same_raw(
    context: ResourceContext, each: BoundResource, made: DeclaredResource
) -> DeclaredResource | None:
    """Return the raw buffer of the same slot, which a module sees as numbers of another size."""
    if not isinstance(each, Memory) or not is_raw(each, made):
        return None
    found = (
        known for other, known in context.known.items()
        if isinstance(other, Memory) and other.slot == each.slot and is_raw(other, known)
    )  # fmt: skip
    return next(found, None)


def describes(context: ResourceContext, buffer: ConstantBuffer, resource: Resource) -> bool:
    """Return True if a layout matches a resource."""
    if buffer.resource is None or context.reflection is None:
        return False
    return context.reflection.resources[buffer.resource] is resource


def owner_of(context: ResourceContext, memory: Memory) -> DeclaredResource | None:
    """Return the resource that a memory of another part belongs to."""
    if not isinstance(memory.slot, ResourceSlot):
        return None
    data = memory.slot.of(MemoryPart.DATA)
    return next((k for m, k in context.known.items() if getattr(m, "slot", None) == data), None)


def resource_name(found: DeclaredResource) -> SourceExpression:
    """Return the expression of a resource, or of an element of an array of resources."""
    base = name(found.name, UINT)
    if found.index is None:
        return base
    index = literal((found.index,), TermType(ScalarKind.INT))
    if found.called:
        return SourceExpression(NodeForm.CALL, UINT, (index,), found.name)
    return SourceExpression(NodeForm.INDEX, UINT, (base, index))


def texel_components(found: DeclaredResource) -> int:
    """Return the number of components of a texel."""
    if found.single:
        return 1
    if found.reflected is not None and found.reflected.components:
        return found.reflected.components
    return 4


def is_raw(memory: Memory, found: DeclaredResource) -> bool:
    """Return True for a buffer of words, whose bytes the program addresses."""
    form = found.resource.form if found.resource is not None else None
    return form is ResourceForm.RAW or (form is ResourceForm.STRUCTURED and memory.raw)


def attachment_of(found: DeclaredResource) -> int | None:
    """Return the index of an input attachment, of which a lane reads its own pixel."""
    return found.reflected.attachment if found.reflected is not None else None


def is_multisampled(found: DeclaredResource) -> bool:
    """Return True if the texels of a texture have samples."""
    return found.resource is not None and found.resource.multisampled


def linear(
    value: Value, stop: Callable[[Value], bool] | None = None
) -> tuple[int, int, Value | None]:
    """Return an integer as a constant plus a factor times another value, None if constant.

    `stop` returns True for values that are not taken apart.
    """
    constant, factor = 0, 1
    value = stripped(value)
    while stop is None or not stop(value):
        if value.op is OPS.const:
            return constant + factor * signed(value.attr, value.type), 0, None
        step = stripped(value.args[1]) if value.op in STEPS else None
        if step is None or step.op is not OPS.const:
            break
        number = signed(step.attr, step.type)
        if value.op is OPS.iadd:
            constant += factor * number
        else:
            factor *= number if value.op is OPS.imul else 1 << (number & 31)
        value = stripped(value.args[0])
    return constant, factor, value


def scaled(index: SourceExpression, factor: int, constant: int) -> SourceExpression:
    """Return an index times a factor, plus a constant."""
    type = index.type
    if factor != 1:
        index = SourceExpression(OPS.imul, type, (index, literal((factor,), type)))
    if constant:
        index = SourceExpression(OPS.iadd, type, (index, literal((constant,), type)))
    return index
