"""Resources that are bound to a shader, and the variables in constant buffers.

A resource is identified by register class, register and space in Direct3D, by set (`space`) and
binding (`register`) in Vulkan, by slot in VBC, and by register alone on the PICA200.
"""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from ..vocab.slots import ResourceClass, ResourceSlot
from ..vocab.words import (
    BlockLayout,
    BufferKind,
    Counter,
    DescriptorType,
    Dimension,
    ResourceKind,
    ReturnType,
    TypeClass,
)
from .plain import Facts, fact

REGISTER = 16  # bytes of a register of a register file

CLASSES: dict[ResourceKind | str, ResourceClass] = {  # all kinds that are not views
    ResourceKind.CONSTANT_BUFFER: ResourceClass.CONSTANTS,
    ResourceKind.SAMPLER: ResourceClass.SAMPLER,
    ResourceKind.COMBINED_SAMPLER: ResourceClass.COMBINED_SAMPLER,
    ResourceKind.CHILD: ResourceClass.CHILD,
}


class Resource(Facts):
    """A binding: a resource or an array of resources."""

    name: str = fact("name in the source; generated (`cb0`, `t3_space1`) if `declared`")
    kind: ResourceKind | str = fact("kind of the resource")
    writable: bool = fact("True if the program may write it", default=False)
    descriptor: DescriptorType | str | None = fact(
        "type of the descriptor in Vulkan; None in other APIs", default=None
    )
    register_class: str = fact("b, t, s or u; empty if the format has no classes", default="")
    register: int = fact("first register, binding in a descriptor set, or slot")
    space: int = fact("register space or descriptor set", default=0)
    count: int | None = fact("number of registers; None if unbounded", default=1)
    dimension: Dimension | str | None = fact(
        "dimension of a texture or buffer; None for other kinds", default=None
    )
    return_type: ReturnType | str | None = fact(
        "type that a read returns; None if untyped", default=None
    )
    components: int | None = fact(
        "number of components that a read returns; None if not stated", default=None
    )
    samples: int | None = fact(
        "number of samples of a multisampled texture; None if not stated", default=None
    )
    stride: int | None = fact(
        "size of an element of a structured buffer, in bytes; None for other kinds", default=None
    )
    comparison: bool = fact("True for a comparison sampler", default=False)
    counter: Counter | str | None = fact(
        "hidden counter of a structured buffer; None if it has none", default=None
    )
    texel_format: str | None = fact(
        "format of the texels of a storage image; None if not stated", default=None
    )
    attachment: int | None = fact(
        "first index of an input attachment; None for other kinds", default=None
    )
    globally_coherent: bool = fact("True if writes are visible to all thread groups", default=False)
    rasterizer_ordered: bool = fact(
        "True if accesses are in the order of primitives", default=False
    )
    dynamically_indexed: bool | None = fact(
        "True if a constant buffer is indexed dynamically; None if the program leaves it open",
        default=None,
    )
    used: bool | None = fact(
        "True if the code of the entry point refers to it; None if the program leaves it open",
        default=None,
    )
    placed: bool = fact("True if the source places it with register()", default=False)
    id: int | None = fact(
        "number in the program's operands (shader model 5.1); None in other models", default=None
    )
    declared: bool = fact(
        "True if it is known only from the program's declarations, without a name", default=False
    )

    @property
    def slot(self) -> ResourceSlot:
        """Return the slot by which lowered code refers to the resource; an array has one slot."""
        kind = CLASSES.get(self.kind)
        if kind is None:
            kind = ResourceClass.WRITE if self.writable else ResourceClass.READ
        element = None if self.register_class else 0
        return ResourceSlot(kind, self.register, self.space, self.count, element)

    @property
    def where(self) -> str:
        """The binding as text: `t3`, `t3, space1`, or `set 1, binding 3` without classes."""
        if not self.register_class:
            return f"set {self.space}, binding {self.register}"
        space = f", space{self.space}" if self.space else ""
        return f"{self.register_class}{self.register}{space}"


def shared_bindings(resources: Sequence[Resource]) -> dict[int, list[int]]:
    """Return, for each resource's index, the resources that share a register or binding with it.

    Resources that the code does not use are left out.
    """
    places: dict[tuple[object, ...], list[int]] = {}
    for at, each in enumerate(resources):
        if each.used is not False and (each.register_class or each.descriptor is not None):
            number = () if each.register_class else (each.register,)
            places.setdefault((each.register_class, each.space, *number), []).append(at)
    found: dict[int, list[int]] = {}
    for group in places.values():
        for together in _overlapping(resources, group):
            found.update({at: [other for other in together if other != at] for at in together})
    return found


def _overlapping(resources: Sequence[Resource], group: list[int]) -> Iterator[list[int]]:
    """Yield the resources of a group whose ranges are connected, if there are several."""
    together: list[int] = []
    end: float = 0
    for at in sorted(group, key=lambda at: resources[at].register):
        each = resources[at]
        if together and each.register >= end:
            if len(together) > 1:
                yield sorted(together)
            together, end = [], 0
        together.append(at)
        many = 1 if not each.register_class else inf if each.count is None else each.count
        end = max(end, each.register + many)
    if len(together) > 1:
        yield sorted(together)


class Member(Facts):
    """A member of a structure."""

    name: str = fact("name in the source")
    offset: int = fact("offset in the structure, in bytes")
    type: "TypeDescription" = fact("type of the member")


class TypeDescription(Facts):
    """The type of a variable."""

    name: str = fact("name in the source; empty if the file contains none", default="")
    type_class: TypeClass | str = fact("class of the type: scalar, vector, matrix, struct, …")
    scalar: str = fact(
        "type of the components: float, int, uint, bool, double, min16float, …; the type of an"
        " object; void for a structure"
    )
    rows: int = fact("number of rows of a matrix; otherwise 1", default=1)
    columns: int = fact(
        "number of components of a vector or columns of a matrix; otherwise 1", default=1
    )
    elements: list[int] = fact(
        "array sizes, outermost first; 0 for a size set at run time; empty if not an array",
        factory=list,
    )
    members: list[Member] = fact("members of a structure, in order", factory=list)
    size: int = fact(
        "size of one element in bytes, without trailing padding; 0 if not stated", default=0
    )
    strides: list[int] = fact(
        "distance of consecutive elements in bytes, for each of `elements`", factory=list
    )
    matrix_stride: int | None = fact(
        "distance of consecutive rows of a matrix in bytes; of columns if the class is"
        " matrix_columns; None if not a matrix",
        default=None,
    )
    base: "TypeDescription | None" = fact(
        "interface of an interface pointer; None for other types", default=None
    )

    def spelling(self) -> str:
        """Return the type in HLSL, without array sizes: `row_major float4x3`, `Light`."""
        words = {
            "struct": "struct",
            "interface_pointer": "interface",
            "interface_class": "interface",
        }
        if self.type_class in words:
            return self.name or words[self.type_class]
        if self.type_class == TypeClass.VECTOR:
            return f"{self.scalar}{self.columns}"
        if self.type_class in (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS):
            order = "row_major " if self.type_class == TypeClass.MATRIX_ROWS else ""
            return f"{order}{self.scalar}{self.rows}x{self.columns}"
        return self.name if self.type_class == TypeClass.OBJECT and self.name else self.scalar

    def declaration(self, name: str) -> str:
        """Return the HLSL declaration of a variable of this type: `float4x4 bones[64]`."""
        return f"{self.spelling()} {name}" + "".join(f"[{n or ''}]" for n in self.elements)


class Variable(Facts):
    """A variable of a constant buffer, or another value that is set by name."""

    name: str = fact("name in the source")
    offset: int = fact("offset in its buffer, in bytes; 16 bytes per PICA200 register")
    size: int = fact("size in bytes, without padding after the last element")
    type: TypeDescription = fact("type of the variable")
    used: bool = fact("True if the program reads it", default=True)
    placed: bool = fact("True if the source places it with packoffset()", default=False)
    default: bytes | None = fact("initial value as bytes; None if it has none", default=None)
    value: Any = fact(
        "initial value: a number, a list for a vector, the rows of a matrix or an array, a dict for"
        " a structure; None if it has none",
        default=None,
    )

    @property
    def registers(self) -> range:
        """The numbers of its registers of 16 bytes, if its buffer is a register file."""
        first = self.offset // REGISTER
        return range(first, max((self.offset + self.size + REGISTER - 1) // REGISTER, first + 1))


class ConstantBuffer(Facts):
    """The layout of a constant buffer, of an element of a structured buffer, or of uniforms."""

    name: str = fact("name in the source; generated (`cb0`) if `declared`")
    kind: BufferKind | str = fact("kind of the buffer")
    bank: int = fact("number of the register file, for uniforms", default=0)
    register: TypeDescription | None = fact(
        "type of a register, for uniforms; None for other kinds", default=None
    )
    resource: int | None = fact(
        "index in the reflection's `resources`; None if unbound", default=None
    )
    size: int = fact("size in bytes; for interface pointers the size stated in the file, 16")
    declared_size: int | None = fact(
        "number of bytes that the program can access; None if it is not determined", default=None
    )
    layout: BlockLayout | str | None = fact(
        "strictest rules that offsets and strides follow; None if they follow none, or if the"
        " format has rules of its own",
        default=None,
    )
    variables: list[Variable] = fact("variables in order of their offsets", factory=list)
    declared: bool = fact(
        "True if it is known only from the program's declarations, which then set `size`",
        default=False,
    )

    @property
    def slot(self) -> ResourceSlot | None:
        """The slot of push constants or a register file; None for buffers that are bound."""
        if self.kind == BufferKind.PUSH_CONSTANTS:
            return ResourceSlot(ResourceClass.PUSH, 0)
        if self.kind == BufferKind.UNIFORMS:
            return ResourceSlot(ResourceClass.REGISTER_BANK, self.bank)
        return None
