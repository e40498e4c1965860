"""Declarations of resources in GLSL.

    layout(set = 0, binding = 0, std140) uniform Scene { layout(offset = 16) mat4 world; };
    layout(set = 0, binding = 100) uniform texture2D albedo;
    layout(set = 0, binding = 101, std430) readonly buffer t1_buffer { uint t1[]; };
    shared float g0[64][4];

Direct3D numbers each class of resources by itself, Vulkan all of a set together: buffers of
constants keep their numbers, textures start at 100, writable resources at 200, samplers at 300, and
hidden counters at 400. These are the numbers that this library's compilers give HLSL.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from ...errors import UnsupportedError
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.textures import SamplerDeclaration, TextureDeclaration
from ...model.resources import TypeDescription
from ...vocab.slots import (
    CLASS_BINDINGS,
    COUNTER_BINDINGS,
    MemoryPart,
    ResourceClass,
    ResourceSlot,
)
from ...vocab.words import TypeClass
from ..block_rules import BlockRule, follows, matrix_shape, rule_of
from ..kinds import Kinds
from ..meshes import is_payload
from ..parts import SourceParts
from ..printer import Printer
from ..resources.context import (
    DeclaredResource,
    ResourceContext,
    SizeFunction,
    attachment_of,
    is_image,
    is_multisampled,
    is_raw,
    kind_of_member,
    owner_of,
)
from ..resources.declared import (
    RETURNS,
    array_suffix,
    compares,
    declarations_of,
    sets_of_spaces,
    structure_name,
    table_rows,
    texel_kind,
)
from ..resources.layouts import member_name
from ..resources.widths import WORD, has_views, only_size, sizes_of
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType
from .accesses import SAMPLERLESS, SHAPES, SIGNED
from .types import PREFIXES

__all__ = ["declarations", "named_views", "size_functions"]

SETS = 64  # that glslang accepts
SPELLED_FORMATS = {
    "r11fg11fb10f": "r11f_g11f_b10f", "rgb10a2": "rgb10_a2", "rgb10a2ui": "rgb10_a2ui",
}  # fmt: skip
FORMATLESS = "GL_EXT_shader_image_load_formatted"
SCALAR_LAYOUT = "GL_EXT_scalar_block_layout"
ROW = 16
STORED = {1: "GL_EXT_shader_8bit_storage", 2: "GL_EXT_shader_16bit_storage"}


class _Declarer:
    """The inputs of declarations: the context, the kinds and the printer."""

    def __init__(
        self, parts: SourceParts, printer: Printer, extensions: set[str],
        views: Mapping[tuple[str, int], str],
    ) -> None:  # fmt: skip
        self.context: ResourceContext = parts.resources
        self.kinds: Kinds = parts.kinds
        self.printer = printer
        self.extensions = extensions
        self.views = views
        self.sets = sets_of_spaces(parts.resources, SETS)

    def type(self, type: TermType) -> str:
        """Return the name of a type."""
        return self.printer.target.type(type)

    def unit(self, size: int, kind: ScalarKind = ScalarKind.UINT) -> str:
        """Return the name of the type of numbers of a size."""
        return self.type(TermType(kind, 8 * size))


def declarations(
    parts: SourceParts, printer: Printer, extensions: set[str],
    views: Mapping[tuple[str, int], str],
) -> list[str]:  # fmt: skip
    """Return the declarations of structures and resources."""
    made = _Declarer(parts, printer, extensions, views)
    functions = (partial(each, made) for each in (_memory, _texture, _sampler))
    found = [*declarations_of(made.context, *functions)]
    notes = [f"// space {each} is the set {number}" for each, number in sorted(made.sets.items())]
    return [*notes, *made.context.structures, *found]


def _named(found: DeclaredResource) -> str:
    """Return the name of a resource, with the size of an array."""
    return f"{found.name}{array_suffix(found)}"


def _sampler(made: _Declarer, sampler: SamplerDeclaration, found: DeclaredResource) -> str:
    if sampler.slot is not None and sampler.slot.kind is ResourceClass.COMBINED_SAMPLER:
        return ""
    kind = "samplerShadow" if compares(made.context, sampler) else "sampler"
    return f"layout({_place(made, sampler.slot, found)}) uniform {kind} {_named(found)};"


def _place(made: _Declarer, slot: object, found: DeclaredResource) -> str:
    """Return set and binding."""
    assert isinstance(slot, ResourceSlot)
    if slot.kind is ResourceClass.HEAP:
        raise UnsupportedError(f"{found.name}: GLSL has no descriptor heaps")
    number_of_set = made.sets.get(slot.space, slot.space)
    if number_of_set >= SETS:
        raise UnsupportedError(f"{found.name}: the space {slot.space} is no descriptor set")
    number = slot.number
    if slot.element is None:
        number -= found.index or 0
    if found.reflected is None or found.reflected.register_class:
        number += CLASS_BINDINGS.get(slot.kind, 0)
    return f"set = {number_of_set}, binding = {number}"


def _texture(made: _Declarer, texture: TextureDeclaration, found: DeclaredResource) -> str:
    many = is_multisampled(found)
    slot = texture.slot
    combined = slot is not None and slot.kind is ResourceClass.COMBINED_SAMPLER
    word = f"{SHAPES[texture.shape]}{'MS' * many}{'Array' * texture.layered}"
    kind = PREFIXES[texel_kind(made.context, texture)]
    attachment = attachment_of(found)
    if attachment is not None:
        place = f"input_attachment_index = {attachment}, {_place(made, slot, found)}"
        return f"layout({place}) uniform {kind}subpassInput{'MS' * many} {_named(found)};"
    shadow = "Shadow" * compares(made.context, texture)
    start = f"{kind}sampler{word}{shadow}" if combined else f"{kind}texture{word}"
    return f"layout({_place(made, slot, found)}) uniform {start} {_named(found)};"


def _memory(made: _Declarer, memory: Memory, found: DeclaredResource) -> str:
    kind = made.kinds.of_place(made.kinds.cell(memory))
    if memory.space is Space.LOCAL or not found.used:
        return ""
    slot = memory.slot
    if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
        return _counter(made, memory)
    if memory.internal and memory.space is not Space.TABLE:
        return ""
    if memory.space is Space.TABLE:
        return _table(made, memory, found, kind)
    if memory.space is Space.SHARED:
        size = only_size(made.context, memory)
        units = f"[{memory.stride // size}]" * (memory.stride > size)
        word = "taskPayloadSharedEXT" if is_payload(memory) else "shared"
        return f"{word} {made.type(TermType(kind, 8 * size))} {found.name}[{memory.count}]{units};"
    resource = found.resource
    if resource is None or not isinstance(memory.slot, ResourceSlot):
        return ""
    if is_raw(memory, found):
        return _raw(made, memory, found)
    match resource.form:
        case ResourceForm.CONSTANTS:
            return _constants(made, memory, found, kind)
        case ResourceForm.TYPED | ResourceForm.TEXTURE:
            return _image(made, memory, found)
        case ResourceForm.STRUCTURED:
            return _structured(made, memory, found, kind)
    return ""


def _counter(made: _Declarer, memory: Memory) -> str:
    """Return the block of a hidden counter."""
    slot = memory.slot
    owner = owner_of(made.context, memory)
    assert isinstance(slot, ResourceSlot)
    if owner is None or owner.index is not None:
        raise UnsupportedError("the counter of an array of buffers cannot be decompiled yet")
    place = f"set = {slot.space}, binding = {slot.number + COUNTER_BINDINGS}"
    block = made.context.names.unique(f"{owner.name}_counter_buffer")
    return f"layout({place}, std430) buffer {block} {{\n    uint {owner.name}_counter;\n}};"


def _table(made: _Declarer, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
    width = memory.stride // 4
    rows = []
    for bits in table_rows(memory):
        row = SourceExpression(NodeForm.LITERAL, TermType(kind, 32, width), (), tuple(bits))
        rows.append(made.printer.text(row))
    inner = ",\n    ".join(rows)
    word = made.type(TermType(kind, 32, width))
    # The function for a number without a decimal is no constant expression.
    start = "" if "BitsTo" in inner else "const "
    return f"{start}{word} {found.name}[{memory.count}] = {word}[](\n    {inner}\n);"


def named_views(context: ResourceContext) -> dict[tuple[str, int], str]:
    """Return the names of the blocks of each buffer that has several.

    Each is for numbers of a size in bytes; the one of words has the name of the buffer.
    """
    by_slot: dict[object, dict[tuple[str, int], None]] = {}
    for memory, each in context.known.items():
        if isinstance(memory, Memory) and has_views(memory, each) and each.used:
            place = (each.name,) if each.index is not None else memory.slot
            views = by_slot.setdefault(place, {})
            views |= dict.fromkeys((each.name, size) for size in sizes_of(context, each))
    found: dict[tuple[str, int], str] = {}
    for views in by_slot.values():
        first = next(iter(views))[0]
        for name, size in views if len(views) > 1 else ():
            is_words = size == WORD
            found[name, size] = first if is_words else context.names.unique(f"{first}_{8 * size}")
    return found


def _block(
    made: _Declarer, memory: Memory, found: DeclaredResource, rule: BlockRule, lines: str,
    size: int = WORD,
) -> str:  # fmt: skip
    """Return a storage block whose member is an array of elements, of numbers of a size."""
    if size in STORED:
        made.extensions.add(STORED[size])
    name = made.views.get((found.name, size), found.name)
    if rule is BlockRule.SCALAR:
        made.extensions.add(SCALAR_LAYOUT)
    how = f"{_coherent(found)}buffer" if memory.writable else "readonly buffer"
    block = made.context.names.unique(f"{name}_buffer")
    place = _place(made, memory.slot, found)
    head = f"layout({place}, {rule}) {how} {block} {{"
    if found.index is None:
        return f"{head}\n    {lines} {name}[];\n}};"
    return f"{head}\n    {lines} elements[];\n}} {name}{array_suffix(found)};"


def _raw(made: _Declarer, memory: Memory, found: DeclaredResource) -> str:
    blocks = [
        _block(made, memory, found, BlockRule.STD430, made.unit(size), size)
        for size in sizes_of(made.context, found)
    ]
    text = "\n".join(blocks)
    signed = any(
        value.op in SIGNED and value.attr is memory for value in made.context.kernel.values()
    )
    if signed:
        place = _place(made, memory.slot, found)
        block = made.context.names.unique(f"{found.name}_buffer")
        head = f"layout({place}, std430) {_coherent(found)}buffer {block}"
        text += f"\n{head} {{\n    int {found.name}_signed[];\n}};"
    return text


def _image(made: _Declarer, memory: Memory, found: DeclaredResource) -> str:
    resource = found.resource
    assert resource is not None
    returns = (resource.returns or ("float",))[0]
    kind = RETURNS.get(returns, ScalarKind.FLOAT)
    shape = resource.shape
    word = f"{SHAPES[shape] if shape is not None else 'Buffer'}{'Array' * resource.layered}"
    place = _place(made, memory.slot, found)
    if not is_image(found):
        made.extensions.add(SAMPLERLESS)
        return f"layout({place}) uniform {PREFIXES[kind]}texture{word} {_named(found)};"
    texel_format = found.reflected.texel_format if found.reflected is not None else None
    if found.single:
        place += {ScalarKind.UINT: ", r32ui", ScalarKind.INT: ", r32i"}.get(kind, ", r32f")
    elif texel_format and texel_format != "unknown":
        place += f", {_format(texel_format)}"
    else:
        made.extensions.add(FORMATLESS)
    how = _coherent(found) + "readonly " * (not memory.writable)
    words = f"{how}uniform {PREFIXES[kind]}image{word}"
    return f"layout({place}) {words} {_named(found)};"


def _coherent(found: DeclaredResource) -> str:
    """Return the qualifier of a resource in which lanes read what others wrote."""
    given = found.reflected
    asked = given is not None and (given.globally_coherent or given.rasterizer_ordered)
    return "coherent " * asked


def _format(word: str) -> str:
    """Return the name of a format of texels: `rgba8_snorm` for Rgba8Snorm."""
    found = word.lower().replace("snorm", "_snorm")
    return SPELLED_FORMATS.get(found, found)


def _structured(made: _Declarer, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
    if found.layout is not None and found.layout.variables:
        element = found.layout.variables[0]
        rule = rule_of(found.layout, False, memory.stride) or BlockRule.SCALAR
        return _block(made, memory, found, rule, _type(made, element.type))
    blocks = []
    for size in sizes_of(made.context, found):
        inner = made.unit(size, kind if size == WORD else ScalarKind.UINT)
        if memory.stride != size:
            words = f"{inner} words[{-(-memory.stride // size)}]"
            inner = made.context.names.unique(f"{found.name}_element")
            made.context.structures.append(f"struct {inner} {{\n    {words};\n}};")
        blocks.append(_block(made, memory, found, BlockRule.STD430, inner, size))
    return "\n".join(blocks)


def _type(made: _Declarer, type: TypeDescription) -> str:
    """Return the name of a type; a structure is defined once."""
    if not type.members:
        kind = kind_of_member(made.context, type) or ScalarKind.FLOAT
        if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
            lines, width = matrix_shape(type)
            return f"mat{lines}" if lines == width else f"mat{lines}x{width}"
        return made.type(TermType(kind, 32, type.columns))
    return structure_name(made.context, type, partial(_member, made))


def _member(made: _Declarer, type: TypeDescription, wanted: str) -> str:
    sizes = "".join(f"[{each or ''}]" for each in type.elements)
    return f"{_type(made, type)} {wanted}{sizes}"


def _constants(made: _Declarer, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
    slot = memory.slot
    assert isinstance(slot, ResourceSlot)
    push = slot.kind is ResourceClass.PUSH
    where = "push_constant" if push else _place(made, slot, found)
    row = made.type(TermType(kind, 32, 4))
    if found.index is not None:
        block = made.context.names.unique(f"{found.name}_registers")
        inner = f"    {row} rows[{found.rows}];"
        return f"layout({where}, std140) uniform {block} {{\n{inner}\n}} {_named(found)};"
    if found.rows:
        inner = f"    {row} {found.members['rows']}[{found.rows}];"
        return f"layout({where}, std140) uniform {found.name} {{\n{inner}\n}};"
    if found.layout is None:
        return ""
    rule = rule_of(found.layout, True, memory.stride) or BlockRule.SCALAR
    if rule is BlockRule.SCALAR:
        made.extensions.add(SCALAR_LAYOUT)
    lines = []
    plain = follows(found.layout, rule)
    for each in found.layout.variables:
        label = (
            made.context.names.field(each.name)
            if found.block
            else member_name(made.context, memory, each.name)
        )
        place = "" if plain else f"layout(offset = {each.offset}) "
        lines.append(f"    {place}{_member(made, each.type, label)};")
    body = "\n".join(lines)
    end = f" {found.name}" * bool(found.block)
    return f"layout({where}, {rule}) uniform {found.block or found.name} {{\n{body}\n}}{end};"


def size_functions(
    context: ResourceContext, extensions: set[str], views: Mapping[tuple[str, int], str]
) -> Iterator[str]:
    """Yield the functions that return sizes of resources."""
    for each in context.functions.values():
        yield _size_function(context, each, extensions, views)


def _size_function(
    context: ResourceContext, each: SizeFunction, extensions: set[str],
    views: Mapping[tuple[str, int], str],
) -> str:  # fmt: skip
    found = each.of
    first = views.get((found.name, sizes_of(context, found)[0]), found.name)
    base = first if found.index is None else f"{first}[{found.index}]"
    resource = found.resource
    form = resource.form if resource is not None else None
    writable = is_image(found)
    if form not in (ResourceForm.STRUCTURED, ResourceForm.RAW) and not writable:
        extensions.add(SAMPLERLESS)
    if not each.components:
        if form in (ResourceForm.STRUCTURED, ResourceForm.RAW):
            array = base if found.index is None else f"{base}.elements"
            text = f"{array}.length()"
            unit = sizes_of(context, found)[0]
            if each.element not in (0, unit):  # the block has words, or other numbers
                more = each.element < unit
                text += f" * {unit // each.element}" if more else f" / {each.element // unit}"
        else:
            text = f"imageSize({base})" if writable else f"textureSize({base})"
        return f"uint {each.name}() {{\n    return uint({text});\n}}"
    size = "imageSize" if writable else "textureSize"
    args = f"{base}, int(level)" if each.levels else base
    width = 4 if each.levels or each.samples else 3
    layers = " * uvec3(1u, 1u, 6u)" * (each.of_faces and each.components == 3)
    parts = [f"{size}({args}){layers}", *["0u"] * (3 - each.components)]
    if each.levels:
        parts.append(f"textureQueryLevels({base})")
    elif each.samples:
        parts.append(f"textureSamples({base})")
    head = f"uvec{width} {each.name}({'uint level' * each.levels})"
    return f"{head} {{\n    return uvec{width}({', '.join(parts)});\n}}"
