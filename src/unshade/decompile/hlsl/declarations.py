"""Declarations of resources in HLSL.

cbuffer Scene : register(b0) { float4x4 world; };
Texture2D<float4> albedo : register(t0);
ByteAddressBuffer t1 : register(t1);
groupshared float g0[64][4];
"""

from collections.abc import Callable, Iterator
from functools import partial

from ...errors import UnsupportedError
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.textures import SamplerDeclaration, Shape, TextureDeclaration
from ...model.resources import TypeDescription
from ...vocab.slots import (
    CLASS_BINDINGS,
    FIRST_BINDINGS,
    REGISTER_LETTERS,
    MemoryPart,
    ResourceClass,
    ResourceSlot,
)
from ..block_rules import BlockRule
from ..block_rules import follows as follows_block
from ..kinds import Kinds
from ..layout import follows, scalar_kind
from ..meshes import is_payload
from ..resources.context import (
    ELEMENT,
    DeclaredResource,
    ResourceContext,
    attachment_of,
    is_multisampled,
    is_raw,
    texel_components,
)
from ..resources.declared import (
    RETURNS,
    array_suffix,
    compares,
    declarations_of,
    structure_name,
    table_rows,
    texel_kind,
)
from ..resources.layouts import member_name
from ..resources.widths import WORD, only_size, sizes_of
from ..tree import ScalarKind, TermType

__all__ = ["declarations", "size_functions"]

ROW = 16
REGISTER = REGISTER_LETTERS | {ResourceClass.REGISTER_BANK: "b"}
MINIMUM = {"min16float": "float", "min10float": "float", "min16int": "int", "min12int": "int",
           "min16uint": "uint"}  # fmt: skip
NARROW = {"half": "float", "short": "int", "ushort": "uint"}
SHAPES = {Shape.D1: "1D", Shape.D2: "2D", Shape.D3: "3D", Shape.CUBE: "Cube"}
IMAGES = {**SHAPES, Shape.CUBE: "2D"}  # that are written: the faces of a cube are layers

SPAN = FIRST_BINDINGS["t"]  # registers of a class that are bindings of a module
Number = Callable[[int, TermType], str]  # prints a literal
Spelled = Callable[[TermType], str]  # names a type
PlacedHead = Callable[..., str]  # prints the head of a declaration: its type, and its array


def declarations(
    context: ResourceContext, kinds: Kinds, number: Number, spelled: Spelled
) -> Iterator[str]:
    """Yield the declarations of all resources that the program uses."""
    found = declarations_of(
        context,
        lambda memory, found: memory_declaration(context, memory, found, kinds, number, spelled),
        lambda texture, found: texture_declaration(context, texture, found),
        lambda sampler, found: sampler_declaration(context, sampler, found),
    )
    functions = ("DescriptorHeap[index];\n    return found;\n};",)
    return (each.removesuffix(";") if each.endswith(functions) else each for each in found)


def sampler_declaration(
    context: ResourceContext, sampler: SamplerDeclaration, found: DeclaredResource
) -> str:
    """Return the declaration of a sampler."""
    kind = "SamplerComparisonState" if compares(context, sampler) else "SamplerState"
    return placed(context, sampler.slot, found, kind, array_suffix(found)) + ";"


def placed(
    context: ResourceContext, slot: object, found: DeclaredResource, word: str, behind: str = ""
) -> str:
    """Return the head of a declaration, with the register or the binding of the resource."""
    assert isinstance(slot, ResourceSlot)
    if found.called:
        heap = "SamplerDescriptorHeap" if slot.space else "ResourceDescriptorHeap"
        return (
            f"{word} {found.name}(uint index) {{\n    {word} found = {heap}[index];\n"
            "    return found;\n}"
        )
    head = f"{word} {found.name}{behind}"
    if slot.kind is ResourceClass.PUSH:
        return f"[[vk::push_constant]]\n{head}"
    number = slot.number - ((found.index or 0) if slot.element is None else 0)
    first = 0
    if found.reflected is not None and found.reflected.descriptor is not None:
        if has_own_bindings(context):
            combined = slot.kind is ResourceClass.COMBINED_SAMPLER
            attributes = "[[vk::combinedImageSampler]] " * combined
            return f"[[vk::binding({number}, {slot.space})]] {attributes}{head}"
        first = CLASS_BINDINGS.get(slot.kind, 0)
    letter = REGISTER.get(slot.kind, "")
    if slot.kind is ResourceClass.COMBINED_SAMPLER:  # of Direct3D 9
        letter = "s" if word.startswith("Sampler") else "t"
    if not letter:
        raise UnsupportedError(f"{found.name}: {slot.kind} has no register in HLSL yet")
    space = f", space{slot.space}" if slot.space else ""
    return f"{head} : register({letter}{number - first}{space})"


def has_own_bindings(context: ResourceContext) -> bool:
    """Return True if a module has other bindings than compilers give to registers of HLSL."""
    for each, found in context.known.items():
        slot = getattr(each, "slot", None)
        if not isinstance(slot, ResourceSlot) or found.reflected is None:
            continue
        first = CLASS_BINDINGS.get(slot.kind)
        if slot.part is MemoryPart.DATA and (
            first is None or not first <= slot.number < first + SPAN
        ):
            return True
    return False


def access_word(memory: Memory, found: DeclaredResource) -> str:
    """Return how a buffer or an image is accessed, the start of the word of its type."""
    if not memory.writable:
        return ""
    if found.reflected is not None and found.reflected.rasterizer_ordered:
        return "RasterizerOrdered"
    if found.reflected is not None and found.reflected.globally_coherent:
        return "globallycoherent RW"
    return "RW"


def texture_declaration(
    context: ResourceContext, texture: TextureDeclaration, found: DeclaredResource
) -> str:
    """Return the declaration of a texture."""
    many = is_multisampled(found)
    word = f"Texture{SHAPES[texture.shape]}{'MS' * many}{'Array' * texture.layered}"
    kind = texel_kind(context, texture)
    inner = f"{kind}4"  # as a program reads it, whatever the source declares
    attachment = attachment_of(found)
    if attachment is not None:
        head = f"[[vk::input_attachment_index({attachment})]]"
        type = f"SubpassInput{'MS' * many}<{inner}>"
        return f"{head}\n{placed(context, texture.slot, found, type)};"
    return placed(context, texture.slot, found, f"{word}<{inner}>", array_suffix(found)) + ";"


def memory_declaration(
    context: ResourceContext, memory: Memory, found: DeclaredResource, kinds: Kinds,
    number: Number, spelled: Spelled,
) -> str:  # fmt: skip
    """Return the declaration of a buffer or an array; nothing if it has none."""
    kind = kinds.of_place(kinds.cell(memory))
    if memory.space is Space.LOCAL or not found.used:
        return ""
    if memory.internal and memory.space is not Space.TABLE:
        return ""
    if memory.space is Space.TABLE:
        return table(memory, found, TermType(kind, 32, memory.stride // WORD), number, spelled)
    if memory.space is Space.SHARED:
        size = only_size(context, memory)
        units = f"[{memory.stride // size}]" * (memory.stride > size)
        word = spelled(TermType(kind, 8 * size))
        if is_payload(memory):
            own = f"\ngroupshared {found.block} {found.name};" * memory.writable
            words = f"{word} {context.rules.payload_member}[{memory.count}]"
            return f"struct {found.block} {{\n    {words};\n}};{own}"
        return f"groupshared {word} {found.name}[{memory.count}]{units};"
    resource = found.resource
    if resource is None or not isinstance(memory.slot, ResourceSlot):
        return ""
    place = partial(placed, context, memory.slot, found)
    array = array_suffix(found)
    if is_raw(memory, found):
        return place(f"{access_word(memory, found)}ByteAddressBuffer", array) + ";"
    match resource.form:
        case ResourceForm.CONSTANTS:
            return constant_buffer(context, memory, found, kinds, place)
        case ResourceForm.TYPED | ResourceForm.TEXTURE:
            kind = RETURNS.get((resource.returns or ("float",))[0], ScalarKind.FLOAT)
            width = texel_components(found)
            inner = f"{kind}{width if width > 1 else ''}"
            norm = (resource.returns or ("",))[0]
            if norm in ("unorm", "snorm"):
                inner = f"{norm} {inner}"
            shape = resource.shape or Shape.BUFFER
            word = (
                "Buffer" if shape is Shape.BUFFER
                else f"Texture{IMAGES[shape]}{'Array' * (resource.layered or shape is Shape.CUBE)}"
            )  # fmt: skip
            return place(f"{access_word(memory, found)}{word}<{inner}>", array) + ";"
        case ResourceForm.STRUCTURED:
            return structured_buffer(context, memory, found, kind, place, array, spelled)
    return ""


def table(
    memory: Memory, found: DeclaredResource, type: TermType, number: Number, spelled: Spelled
) -> str:
    """Return the declaration of a table of constants: numbers, or rows of them."""
    rows = [", ".join(number(each, type.wide(1)) for each in row) for row in table_rows(memory)]
    if type.width > 1:
        rows = [f"{{ {row} }}" for row in rows]
    inner = ",\n    ".join(rows)
    return f"static const {spelled(type)} {found.name}[{memory.count}] = {{\n    {inner}\n}};"


def structured_buffer(
    context: ResourceContext,
    memory: Memory,
    found: DeclaredResource,
    kind: ScalarKind,
    place: PlacedHead,
    array: str,
    spelled: Spelled,
) -> str:
    """Return the declaration of a structured buffer."""
    word = f"{access_word(memory, found)}StructuredBuffer"
    if found.layout is not None and found.layout.variables:
        element = found.layout.variables[0]
        if len(found.layout.variables) == 1 and element.name == ELEMENT:
            inner = type_name(context, element.type)
        else:
            return ""
    else:
        sizes = sizes_of(context, found)
        size = sizes[0]
        if len(sizes) > 1:
            raise UnsupportedError(
                f"{found.name}: elements of numbers of several sizes have no source in HLSL yet"
            )
        inner = spelled(TermType(kind if size == WORD else ScalarKind.UINT, 8 * size))
        if memory.stride != size:
            words = f"{inner} words[{-(-memory.stride // size)}]"
            inner = context.names.unique(f"{found.name}_element")
            context.structures.append(f"struct {inner} {{\n    {words};\n}};")
    return place(f"{word}<{inner}>", array) + ";"


def type_name(context: ResourceContext, type: TypeDescription) -> str:
    """Return the name of a type; a structure is defined once."""
    if not type.members:
        words = type.spelling()
        full = MINIMUM.get(type.scalar)  # registers of 32 bits, in this library too
        if full is None and scalar_kind(type) is not None:
            full = NARROW.get(type.scalar)
        return words if full is None else words.replace(type.scalar, full, 1)
    return structure_name(context, type, partial(member_declaration, context))


def member_declaration(context: ResourceContext, type: TypeDescription, wanted: str) -> str:
    """Return the declaration of a variable."""
    sizes = "".join(f"[{each or ''}]" for each in type.elements)
    return f"{type_name(context, type)} {wanted}{sizes}"


def constant_buffer(
    context: ResourceContext,
    memory: Memory,
    found: DeclaredResource,
    kinds: Kinds,
    place: PlacedHead,
) -> str:
    """Return the declaration of a constant buffer."""
    if found.index is not None:
        kind = kinds.of_place(kinds.cell(memory))
        inner = context.names.unique(f"{found.name}_registers")
        context.structures.append(f"struct {inner} {{\n    {kind}4 rows[{found.rows}];\n}};")
        return place(f"ConstantBuffer<{inner}>", array_suffix(found)) + ";"
    if found.rows:
        kind = kinds.of_place(kinds.cell(memory))
        inner = f"    {kind}4 {found.members['rows']}[{found.rows}];"
        return f"{place('cbuffer')} {{\n{inner}\n}};"
    if found.layout is None:
        return ""
    lines = []
    plain = follows(found.layout) and follows_block(found.layout, BlockRule.STD140)
    for each in found.layout.variables:
        text = member_declaration(context, each.type, member_name(context, memory, each.name))
        if plain:  # for compilers that have the rules of Vulkan, too
            lines.append(f"    {text};")
            continue
        register, part = divmod(each.offset, ROW)
        letter = f".{'xyzw'[part // 4]}" * bool(part)
        lines.append(f"    {text} : packoffset(c{register}{letter});")
    body = "\n".join(lines)
    return f"{place('cbuffer')} {{\n{body}\n}};"


def size_functions(context: ResourceContext) -> Iterator[str]:
    """Yield the functions that return sizes of resources."""
    for each in context.functions.values():
        found = each.of
        base = found.name
        if found.index is not None:
            base += f"({found.index})" if found.called else f"[{found.index}]"
        resource = found.resource
        if not each.components:
            form = resource.form if resource is not None else None
            raw = each.element  # bytes of an element, where the buffer counts bytes
            stride = ", stride" if form is ResourceForm.STRUCTURED and not raw else ""
            words = f" / {raw}u" if raw > 1 and raw != WORD else " >> 2" * (raw == WORD)
            yield (
                f"uint {each.name}() {{\n    uint count{stride};\n"
                f"    {base}.GetDimensions(count{stride});\n    return count{words};\n}}"
            )
            continue
        width = 4 if each.levels or each.samples else 3
        count = 3 if each.of_faces else each.components  # RWTexture2DArray
        outs = [f"size.{'xyz'[at]}" for at in range(count)]
        if width == 4:
            outs.append("size.w")
        if each.levels:
            outs.insert(0, "level")
        yield (
            f"uint{width} {each.name}({'uint level' * each.levels}) {{\n    uint{width} size = 0;\n"
            f"    {base}.GetDimensions({', '.join(outs)});\n    return size;\n}}"
        )
