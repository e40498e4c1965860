"""Declarations of resources in WGSL.

    struct Scene { world: mat4x4f, … }
    @group(0) @binding(0) var<uniform> scene: Scene;
    @group(0) @binding(100) var albedo: texture_2d<f32>;
    @group(0) @binding(201) var<storage, read_write> u1: array<u32>;
    var<workgroup> g0: array<array<f32, 4>, 64>;

The numbers of bindings are those of the other targets for Vulkan.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...errors import UnsupportedError, UsageError
from ...ir.lowered import Form as ResourceForm
from ...ir.memory import Memory, Space
from ...ir.ops import OPS
from ...ir.textures import Action, SamplerDeclaration, Shape, TextureDeclaration
from ...model.resources import Member, TypeDescription, Variable
from ...vocab.slots import (
    CLASS_BINDINGS,
    COUNTER_BINDINGS,
    MemoryPart,
    ResourceClass,
    ResourceSlot,
)
from ...vocab.words import Stage, TypeClass
from ..block_rules import matrix_shape
from ..layout import scalar_kind
from ..parts import SourceParts
from ..printer import Printer
from ..resources.buffers import register_type, rows_of
from ..resources.context import (
    DeclaredResource,
    SizeFunction,
    is_multisampled,
    is_raw,
    kind_of_member,
    owner_of,
)
from ..resources.declared import (
    RETURNS,
    compares,
    declarations_of,
    sets_of_spaces,
    table_rows,
    texel_kind,
)
from ..resources.layouts import member_name
from ..resources.widths import WORD
from ..spelling import INDENT
from ..tree import NodeForm, ScalarKind, SourceExpression, TermType
from ..vulkan import BindingPlace, given_place
from .layouts import extents

if TYPE_CHECKING:
    from .target import WgslTarget

__all__ = ["ResourceText", "atomic_buffers", "lane_arrays"]

SAMPLERS, PUSHED = 300, 500
GROUPS = 4  # that every device of WebGPU has
SHAPES = {Shape.D1: "1d", Shape.D2: "2d", Shape.D3: "3d", Shape.CUBE: "cube"}
PREFIXES = {ScalarKind.FLOAT: "float", ScalarKind.INT: "sint", ScalarKind.UINT: "uint"}
CHANNELS = {1: "r32", 2: "rg32", 3: "rgba32", 4: "rgba32"}


def atomic_buffers(parts: SourceParts) -> dict[str, int]:
    """Return the names of buffers and shared arrays with atomic words.

    The numbers are those of the indices that lead to a word of a shared array, 0 for buffers.
    """
    found = {}
    for value in parts.kernel.values():
        known = parts.resources.known.get(value.attr) if value.op.atomic else None
        if known is not None:
            memory: Memory = value.attr
            shared = memory.space is Space.SHARED
            found[known.name] = (1 + (memory.stride > 4)) * shared
    return found


def layered_images(parts: SourceParts) -> set[str]:
    """Return the names of writable textures with layers."""
    return {
        found.name
        for memory, found in parts.resources.known.items()
        if isinstance(memory, Memory) and found.resource is not None and found.resource.layered
    }


def lane_arrays(target: "WgslTarget", parts: SourceParts) -> Iterator[str]:
    """Yield the declarations of the lane's arrays, which are zero at the start."""
    for memory in parts.kernel.memories:
        found = parts.resources.known.get(memory)
        if memory.space is Space.LOCAL and found is not None and found.used:
            kind = parts.kinds.of_place(parts.kinds.cell(memory))
            count = (memory.count or 0) * rows_of(memory)
            inner = target.type(register_type(memory, kind))
            yield f"{INDENT}var {found.name}: array<{inner}, {count}>;"


class ResourceText:
    """The declarations of a program's resources, and the bindings that the caller gives."""

    def __init__(
        self,
        target: "WgslTarget",
        parts: SourceParts,
        printer: Printer,
        bindings: Mapping[str, BindingPlace],
    ) -> None:
        self.target = target
        self.parts = parts
        self.printer = printer
        self.bindings = bindings
        self.used: set[str] = set()
        self.places: set[BindingPlace] = set()
        taken = [each.set for each in bindings.values()]
        self.groups = sets_of_spaces(parts.resources, GROUPS, taken)
        self.structures: list[str] = []
        self.named: dict[object, str] = {}

    def lines(self) -> list[str]:
        """Return the declarations of structures and resources."""
        functions = (self.memory, self.texture, self.sampler)
        found = [*declarations_of(self.parts.resources, *functions)]
        unknown = [each for each in self.bindings if each not in self.used]
        if unknown:
            raise UsageError(f"the program uses no resource {unknown[0]!r:.40}")
        return [*self.structures, *found]

    def place(self, slot: object, found: DeclaredResource, shift: int = 0) -> str:
        """Return group and binding."""
        assert isinstance(slot, ResourceSlot)
        if found.index is not None:
            raise UnsupportedError(f"{found.name}: WGSL has no arrays of resources")
        if slot.kind is ResourceClass.PUSH:  # a uniform buffer in WGSL
            shift = PUSHED
        key, given = given_place(self.bindings, slot, slot.number, found)
        if given is not None and shift != SAMPLERS:
            self.used.add(key)
        else:
            if slot.kind is ResourceClass.HEAP:
                raise UnsupportedError(f"{found.name}: WGSL has no descriptor heaps")
            number = slot.number + shift
            if found.reflected is None or found.reflected.register_class:
                number += CLASS_BINDINGS.get(slot.kind, 0)
            given = BindingPlace(self.groups.get(slot.space, slot.space), number)
            if slot.kind is ResourceClass.SAMPLER and given in self.places:  # beside its texture
                given = BindingPlace(given.set, number + SAMPLERS)
        if given in self.places:
            raise UnsupportedError(f"{found.name}: WGSL has no binding of several resources")
        self.places.add(given)
        return f"@group({given.set}) @binding({given.binding})"

    # ------------------------------------------------------------ textures and samplers

    def sampler(self, sampler: SamplerDeclaration, found: DeclaredResource) -> str:
        """Return the declaration of a sampler."""
        slot = sampler.slot
        combined = slot is not None and slot.kind is ResourceClass.COMBINED_SAMPLER
        word = "sampler_comparison" if compares(self.parts.resources, sampler) else "sampler"
        return f"{self.place(slot, found, SAMPLERS * combined)} var {found.name}: {word};"

    def texture(self, texture: TextureDeclaration, found: DeclaredResource) -> str:
        """Return the declaration of a texture."""
        context = self.parts.resources
        shape = SHAPES.get(texture.shape)
        if shape is None:
            raise UnsupportedError(f"{found.name}: WGSL has no buffers of texels")
        many = is_multisampled(found)
        word = f"{'multisampled_' * many}{shape}{'_array' * texture.layered}"
        if many and texture.layered:
            raise UnsupportedError(f"{found.name}: WGSL has no arrays of textures with samples")
        if compares(context, texture):
            others = any(
                value.op is OPS.sample
                and value.attr.texture is texture
                and not value.attr.compare
                and value.attr.action not in (Action.SIZE, Action.SAMPLES)
                for value in self.parts.kernel.values()
            )
            if others:
                raise UnsupportedError(f"{found.name}: WGSL compares only textures of depths")
            if texture.shape in (Shape.D1, Shape.D3):
                raise UnsupportedError(f"{found.name}: WGSL has no such texture of depths")
            return f"{self.place(texture.slot, found)} var {found.name}: texture_depth_{word};"
        kind = self.target.type(TermType(texel_kind(context, texture)))
        return f"{self.place(texture.slot, found)} var {found.name}: texture_{word}<{kind}>;"

    # ------------------------------------------------------------ memories

    def memory(self, memory: Memory, found: DeclaredResource) -> str:
        """Return the declaration of a buffer, or of memory of the group or program."""
        if memory.space is Space.LOCAL or not found.used:
            return ""
        slot = memory.slot
        if isinstance(slot, ResourceSlot) and slot.part is MemoryPart.COUNTER:
            return self._counter(memory)
        if memory.internal and memory.space is not Space.TABLE:
            return ""
        kind = self.parts.kinds.of_place(self.parts.kinds.cell(memory))
        if memory.space is Space.TABLE:
            return self._table(memory, found, kind)
        if memory.space is Space.SHARED:
            inner = self._word(found, kind)
            if memory.stride > 4:
                inner = f"array<{inner}, {memory.stride // 4}>"
            return f"var<workgroup> {found.name}: array<{inner}, {memory.count}>;"
        resource = found.resource
        if resource is None or not isinstance(slot, ResourceSlot):
            return ""
        if is_raw(memory, found):
            return self._buffer(memory, found, self._word(found, ScalarKind.UINT))
        match resource.form:
            case ResourceForm.CONSTANTS:
                return self._constants(memory, found, kind)
            case ResourceForm.STRUCTURED:
                return self._structured(memory, found, kind)
            case ResourceForm.TEXTURE if memory.writable:
                return self._stored(memory, found)
        raise UnsupportedError(f"{found.name}: WGSL has no buffers of texels")

    def _word(self, found: DeclaredResource, kind: ScalarKind) -> str:
        word = self.target.type(TermType(kind))
        return f"atomic<{word}>" if found.name in self.target.atomics else word

    def _counter(self, memory: Memory) -> str:
        slot = memory.slot
        owner = owner_of(self.parts.resources, memory)
        assert isinstance(slot, ResourceSlot)
        if owner is None or owner.index is not None:
            raise UnsupportedError("the counter of an array of buffers cannot be translated")
        label = f"{owner.name}_counter"
        group = self.groups.get(slot.space, slot.space)
        given = self.bindings.get(label) or BindingPlace(group, slot.number + COUNTER_BINDINGS)
        self.used.add(label)
        where = f"@group({given.set}) @binding({given.binding})"
        return f"{where} var<storage, read_write> {label}: atomic<u32>;"

    def _table(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        width = memory.stride // 4
        type = TermType(kind, 32, width)
        rows = []
        for bits in table_rows(memory):
            row = SourceExpression(NodeForm.LITERAL, type, (), tuple(bits))
            rows.append(self.printer.text(row))
        inner = f",\n{INDENT}".join(rows)
        whole = f"array<{self.target.type(type)}, {memory.count}>"
        if "bitcast" in inner:  # of bits that are no constant
            raise UnsupportedError("a table with infinities cannot be translated to WGSL yet")
        self.target.tables[found.name] = self.target.type(type), memory.count or 0
        return f"var<private> {found.name}: {whole} = {whole}(\n{INDENT}{inner}\n);"

    def _buffer(self, memory: Memory, found: DeclaredResource, inner: str) -> str:
        atomic = found.name in self.target.atomics
        how = "read_write" if memory.writable or atomic else "read"
        if how != "read" and self.parts.kernel.stage is Stage.VERTEX:
            raise UnsupportedError(f"{found.name}: WGSL has no buffers that vertex shaders write")
        where = self.place(memory.slot, found)
        return f"{where} var<storage, {how}> {found.name}: array<{inner}>;"

    def _structured(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        if found.layout is not None and found.layout.variables:
            if found.name in self.target.atomics:
                own = scalar_kind(found.layout.variables[0].type)
                if memory.stride != WORD or own is None:
                    raise UnsupportedError("atomic operations of members cannot be translated yet")
                return self._buffer(memory, found, self._word(found, own))
            return self._buffer(memory, found, self._typed(found.layout.variables[0].type, False))
        if memory.stride == 4:
            return self._buffer(memory, found, self._word(found, kind))
        if found.name in self.target.atomics:
            raise UnsupportedError("atomic operations of elements cannot be translated yet")
        label = self.parts.names.unique(f"{found.name}_element")
        word = self.target.type(TermType(kind))
        count = -(-memory.stride // 4)
        self.structures.append(f"struct {label} {{\n{INDENT}words: array<{word}, {count}>,\n}}")
        return self._buffer(memory, found, label)

    def _constants(self, memory: Memory, found: DeclaredResource, kind: ScalarKind) -> str:
        where = self.place(memory.slot, found)
        names = self.parts.names
        block = names.unique(f"{found.name}_block")
        prefixes = self.target.members
        if found.rows:
            row = self.target.type(TermType(kind, 32, 4))
            self.structures.append(
                f"struct {block} {{\n{INDENT}rows: array<{row}, {found.rows}>,\n}}"
            )
            prefixes[found.members["rows"]] = f"{found.name}.rows"
        elif found.layout is not None:
            lines = self._members(found.layout.variables, True)
            self.structures.append(f"struct {block} {{\n{lines}\n}}")
            for each in found.layout.variables:
                label = member_name(self.parts.resources, memory, each.name)
                prefixes[label] = f"{found.name}.{names.field(each.name)}"
        else:
            return ""
        return f"{where} var<uniform> {found.name}: {block};"

    def _members(self, members: Sequence[Variable] | Sequence[Member], uniform: bool) -> str:
        """Return the members of a structure."""
        lines = []
        sizes = iter(extents(members, uniform))
        for each in members:
            size = next(sizes)
            text = self._typed(each.type, uniform)
            for count in reversed(each.type.elements):
                text = f"array<{text}, {count}>" if count else f"array<{text}>"
            attribute = f"@size({size}) " if size is not None else ""
            lines.append(f"{INDENT}{attribute}{self.parts.names.field(each.name)}: {text},")
        return "\n".join(lines)

    def _typed(self, type: TypeDescription, uniform: bool) -> str:
        """Return the name of a type; a structure is defined once."""
        if not type.members:
            kind = kind_of_member(self.parts.resources, type) or ScalarKind.FLOAT
            if type.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
                lines, width = matrix_shape(type)
                return f"mat{lines}x{width}f"
            return self.target.type(TermType(kind, 32, type.columns))
        key = (uniform, type.name, tuple((each.name, each.offset) for each in type.members))
        known = self.named.get(key)
        if known is None:
            body = self._members(type.members, uniform)
            known = self.named[key] = self.parts.names.unique(type.name or "Structure")
            self.structures.append(f"struct {known} {{\n{body}\n}}")
        return known

    def _stored(self, memory: Memory, found: DeclaredResource) -> str:
        """Return the declaration of a writable texture, whose format has 32 bits a component."""
        resource = found.resource
        assert resource is not None
        kind = RETURNS.get((resource.returns or ("float",))[0], ScalarKind.FLOAT)
        used = {value.op for value in self.parts.kernel.values() if value.attr is memory}
        reads, writes = OPS.load in used, OPS.store in used
        reflected = found.reflected
        width = reflected.components if reflected is not None and reflected.components else 4
        if reads and writes and width > 1:
            raise UnsupportedError(f"{found.name}: WGSL reads and writes only one component")
        access = "read_write" if reads and writes else "read" if reads else "write"
        self.target.images |= access == "read_write"
        shape = SHAPES.get(resource.shape or Shape.D2)
        if shape is None or shape == "cube" or (resource.layered and shape != "2d"):
            raise UnsupportedError(f"{found.name}: WGSL has no writable texture of this shape")
        format = f"{CHANNELS[width]}{PREFIXES[kind]}"
        where = self.place(memory.slot, found)
        shape += "_array" * resource.layered
        return f"{where} var {found.name}: texture_storage_{shape}<{format}, {access}>;"

    # ------------------------------------------------------------ sizes

    def sizes(self) -> Iterator[str]:
        """Yield the functions that return sizes of resources."""
        for each in self.parts.resources.functions.values():
            yield _size_function(each)


def _size_function(each: SizeFunction) -> str:
    found = each.of
    base = found.name
    form = found.resource.form if found.resource is not None else None
    writable = found.resource is not None and found.resource.writable
    if not each.components:
        if form not in (ResourceForm.STRUCTURED, ResourceForm.RAW):
            raise UnsupportedError("WGSL has no buffers of texels")
        text = f"arrayLength(&{base})"
        if each.element not in (0, 4):
            text += f" * {4 // each.element}u" if each.element < 4 else f" / {each.element // 4}u"
        return f"fn {each.name}() -> u32 {{\n{INDENT}return {text};\n}}"
    layered = found.resource is not None and found.resource.layered
    count = each.components - layered
    size = f"textureDimensions({base}{', level' * each.levels})"
    parts = [size]
    if layered:
        parts.append(f"textureNumLayers({base})")
    parts += ["0u"] * (3 - count - layered)
    if each.levels:
        parts.append(f"textureNumLevels({base})")
    elif each.samples:
        parts.append(f"textureNumSamples({base})")
    width = 4 if each.levels or each.samples else 3
    level = "level: u32" * each.levels
    if writable and each.levels:
        raise UnsupportedError("levels of writable textures")
    whole = f"vec{width}u({', '.join(parts)})"
    return f"fn {each.name}({level}) -> vec{width}u {{\n{INDENT}return {whole};\n}}"
