"""Bound resources, push constants and workgroup memory, from global variables.

    Uniform, Block                   constant buffer
    Uniform, BufferBlock             storage buffer, before version 1.3
    StorageBuffer, Block             storage buffer
    UniformConstant                  by the type: sampler, image, image with sampler, …
    PushConstant                     push constants
    Workgroup                        memory that a workgroup shares

An array of resources has a single set and binding. A storage buffer that consists of an array of
unknown length is described by an element, any other by the whole block.
"""

from collections.abc import Iterator
from math import prod

from ....model import (
    BufferKind,
    ConstantBuffer,
    Member,
    Resource,
    ResourceKind,
    ReturnType,
    SharedMemory,
    TypeDescription,
    Variable,
)
from ....model.facts import ProgramFacts, ProgramResource
from ....tuples import NamedTuple
from ....vocab.words import DescriptorType
from ..constants import ConstantValues
from ..descriptors import BLOCKS, BOUND, STORED, descriptor_of
from ..index import Definition, ModuleIndex
from ..tables.grammar import grammar
from ..tables.numbers import Decoration, Dim, Opcode, StorageClass
from .layouts import layout_of
from .types import Types, end_of, extent
from .usage import ANY, Usage
from .vocabulary import DIMENSIONS, FORMATS

__all__ = ["ModuleVariable", "Resources", "global_variables"]


class ModuleVariable(NamedTuple):
    """A variable outside of functions: id, storage class, and the type that it points to."""

    id: int
    storage: int
    type: int
    position: int

    @property
    def path(self) -> str:
        """The path of the declaration in the program."""
        return f"instructions[{self.position}]"


def global_variables(index: ModuleIndex, positions: dict[int, int]) -> Iterator[ModuleVariable]:
    """Iterate over the variables outside of functions, in the order of the module."""
    for number, position in sorted(positions.items(), key=lambda each: each[1]):
        words = index.definitions[number].words
        if index.definitions[number].opcode == Opcode.UntypedVariableKHR:
            kind = words[4] if len(words) > 4 else 0
        else:
            kind = index.pointee(number) or 0
        yield ModuleVariable(number, words[3], kind, position)


class Resources:
    """Descriptions of the resources of a module, which its entry points share."""

    def __init__(self, index: ModuleIndex, constants: ConstantValues, types: Types) -> None:
        self.index = index
        self.constants = constants
        self.types = types

    def add(self, facts: ProgramFacts, variable: ModuleVariable, usage: Usage) -> None:
        """Add the facts about a variable, if it is bound or shared."""
        if self.index.decoration(Decoration.BuiltIn, variable.id) is not None:
            return  # a descriptor heap
        if variable.storage in BOUND:
            self._bound(facts, variable, usage)
        elif variable.storage == StorageClass.PushConstant:
            self._pushed(facts, variable, usage)
        elif variable.storage == StorageClass.Workgroup:
            self._shared(facts, variable)

    def name_of(self, variable: ModuleVariable) -> str:
        """Return the name of a variable, or of its block; empty if neither is named."""
        kind, _, _ = self.types.without_arrays(variable.type)
        return self.index.names.get(variable.id) or self.index.names.get(kind, "")

    # -- descriptors -----------------------------------------------------------------------------

    def _bound(self, facts: ProgramFacts, variable: ModuleVariable, usage: Usage) -> None:
        index, number = self.index, variable.id
        kind, lengths, _ = self.types.without_arrays(variable.type)
        binding = index.decoration_word(Decoration.Binding, number)
        space = index.decoration_word(Decoration.DescriptorSet, number)
        name = self.name_of(variable)
        place = binding or 0
        found = Resource(
            name=name or f"set{space or 0}_binding{place}",
            kind=ResourceKind.CONSTANT_BUFFER,
            register=place,
            space=space or 0,
            count=None if 0 in lengths else prod(lengths),
            used=number in usage.paths,
            declared=not name,
            globally_coherent=index.decoration(Decoration.Coherent, number) is not None,
            descriptor=descriptor_of(index, variable.storage, kind),
        )
        definition = index.definitions.get(kind)
        block: ConstantBuffer | None = None
        if variable.storage in BLOCKS:
            block = self._block(found, variable, kind, usage, skip=len(lengths))
        elif definition is not None:
            self._opaque(found, variable, definition)
        if block is not None:
            block.resource = len(facts.resources)
            facts.constant_buffers.append(block)
        label = f"%{index.names.get(number) or number}"
        facts.resources.append(ProgramResource(label=label, resource=found, path=variable.path))

    def _block(
        self, found: Resource, variable: ModuleVariable, kind: int, usage: Usage, skip: int
    ) -> ConstantBuffer:
        index = self.index
        members = self.types.members(kind)
        layout = self._layout(variable, kind, members, usage, skip)
        layout.name = index.names.get(kind) or found.name
        if found.descriptor == DescriptorType.STORAGE_BUFFER:
            found.writable = not self._read_only(variable, kind, len(members))
            found.kind = ResourceKind.RAW_BUFFER
            layout.kind = BufferKind.ELEMENT
            if len(members) == 1 and members[0].type.elements[:1] == [0]:
                found.kind = ResourceKind.STRUCTURED_BUFFER
                _describe_element(found, layout)
        return layout

    def _read_only(self, variable: ModuleVariable, kind: int, members: int) -> bool:
        index = self.index
        if index.decoration(Decoration.NonWritable, variable.id) is not None:
            return True
        marked = (
            index.decoration(Decoration.NonWritable, kind, at) is not None for at in range(members)
        )
        return members > 0 and all(marked)

    def _layout(
        self,
        variable: ModuleVariable,
        kind: int,
        members: list[Member],
        usage: Usage,
        skip: int = 0,
    ) -> ConstantBuffer:
        """Return the layout of a block; `skip` arrays of blocks are around it."""
        variables = [
            Variable(
                name=each.name,
                offset=each.offset,
                size=extent(each.type),
                type=each.type,
                used=_uses_member(usage, variable.id, at, skip),
            )
            for at, each in enumerate(members)
        ]
        return ConstantBuffer(
            name=self.index.names.get(kind, ""),
            kind=BufferKind.CONSTANT_BUFFER,
            size=end_of(members),
            variables=sorted(variables, key=lambda each: each.offset),
            layout=layout_of(members),
        )

    def _opaque(self, found: Resource, variable: ModuleVariable, definition: Definition) -> None:
        """Describe a sampler, an image or another opaque type."""
        image: Definition | None = definition
        match definition.opcode:
            case Opcode.TypeSampler:
                found.kind = ResourceKind.SAMPLER
                return
            case Opcode.TypeAccelerationStructureKHR:
                found.kind = ResourceKind.ACCELERATION_STRUCTURE
                return
            case Opcode.TypeSampledImage:
                image = self.index.definitions.get(definition.words[2])
                found.kind = ResourceKind.COMBINED_SAMPLER
            case Opcode.TypeImage:
                found.kind = ResourceKind.TEXTURE
            case _:
                found.kind = f"unknown_{definition.opcode}"
                return
        if image is not None and image.opcode == Opcode.TypeImage:
            self._image(found, variable, image)

    def _image(self, found: Resource, variable: ModuleVariable, image: Definition) -> None:
        _, _, component, dim, _, arrayed, multiple, access, texels = image.words[:9]
        key = dim, bool(arrayed), bool(multiple)
        found.dimension = DIMENSIONS.get(key, f"unknown_{dim}")
        if dim == Dim.Buffer:
            found.kind = ResourceKind.TYPED_BUFFER
        elif dim == Dim.SubpassData:
            found.kind = ResourceKind.INPUT_ATTACHMENT
            attachment = Decoration.InputAttachmentIndex
            found.attachment = self.index.decoration_word(attachment, variable.id)
        if access == STORED and dim != Dim.SubpassData:
            read_only = self.index.decoration(Decoration.NonWritable, variable.id)
            found.writable = read_only is None
        scalar, _ = self.types.scalar(component)
        found.return_type = _returned(scalar)
        found.components = 4
        named = grammar().kinds["ImageFormat"].by_value.get(texels)
        if texels and named is not None:
            found.texel_format = named.name
            endings = (each for end, each in FORMATS if named.name.endswith(end))
            found.return_type = next(endings, ReturnType.UNORM)
            found.components = _channels(named.name)

    # -- without descriptors -----------------------------------------------------------------------

    def _pushed(self, facts: ProgramFacts, variable: ModuleVariable, usage: Usage) -> None:
        if variable.id not in usage.paths:
            return
        layout = self._layout(variable, variable.type, self.types.members(variable.type), usage)
        layout.name = self.name_of(variable) or "push_constants"
        layout.kind = BufferKind.PUSH_CONSTANTS
        facts.constant_buffers.append(layout)

    def _shared(self, facts: ProgramFacts, variable: ModuleVariable) -> None:
        type = self.types.of(variable.type)
        array = bool(type.elements)
        facts.shared_memory.append(
            SharedMemory(
                register=len(facts.shared_memory),
                size=extent(type),
                stride=type.strides[0] if array else None,
                count=type.elements[0] if array else None,
            )
        )


def _describe_element(found: Resource, layout: ConstantBuffer) -> None:
    """Describe one element of a buffer that is an array."""
    (variable,) = layout.variables
    type = variable.type
    found.stride = layout.size = type.strides[0]
    made = {name: getattr(type, name) for name in type.FIELDS}
    variable.type = TypeDescription(
        **made | {"elements": type.elements[1:], "strides": type.strides[1:]}
    )
    variable.size = extent(variable.type)


def _uses_member(usage: Usage, variable: int, member: int, skip: int) -> bool:
    """Return True if a member of a block is referred to; `skip` arrays of blocks are around it."""
    return usage.uses(variable, (ANY,) * skip + (member,))


def _returned(scalar: str) -> ReturnType | None:
    match scalar:
        case "double":
            return ReturnType.DOUBLE
        case "float" | "half":
            return ReturnType.FLOAT
        case "int" | "short" | "int64":
            return ReturnType.SINT
        case "uint" | "ushort" | "uint64":
            return ReturnType.UINT
    return None


def _channels(name: str) -> int:
    """Return the number of channels of an image format: R, Rg, Rgba, and packed ones."""
    start = name.lower()
    if start.startswith(("rgba", "rgb10a2")):
        return 4
    return 3 if start.startswith("r11") else 2 if start.startswith("rg") else 1
