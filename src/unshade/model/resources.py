"""What is bound from outside: resources, and the variables in constant buffers.

A resource is found by register class, register and space in Direct3D, by set (`space`) and binding
(`register`) in Vulkan, by slot in VBC, by register alone on the PICA200.
"""

from typing import Any

from ..vocab.slots import ResourceClass, ResourceSlot
from ..vocab.words import BufferKind, Counter, Dimension, ResourceKind, ReturnType, TypeClass
from .plain import Facts, fact

CLASSES: dict[ResourceKind | str, ResourceClass] = {  # of those that are no views
    ResourceKind.CONSTANT_BUFFER: ResourceClass.CONSTANTS,
    ResourceKind.SAMPLER: ResourceClass.SAMPLER,
    ResourceKind.COMBINED_SAMPLER: ResourceClass.COMBINED_SAMPLER,
    ResourceKind.CHILD: ResourceClass.CHILD,
}


class Resource(Facts):
    """One binding: one resource or an array of them."""

    name: str = fact("name in the source; generated (`cb0`, `t3_space1`) where `declared`")
    kind: ResourceKind | str = fact("what is bound")
    writable: bool = fact("whether the program may write it", default=False)
    register_class: str = fact("b, t, s or u; empty where the format has no classes", default="")
    register: int = fact("first register; the binding of a descriptor set; the slot")
    space: int = fact("register space, descriptor set", default=0)
    count: int | None = fact("registers taken, None without bound", default=1)
    dimension: Dimension | str | None = fact("shape of a texture or buffer", default=None)
    return_type: ReturnType | str | None = fact("what a read gives, if typed", default=None)
    components: int | None = fact("components that a read gives, None if not stated", default=None)
    samples: int | None = fact(
        "samples of a multisampled texture, None if not stated", default=None
    )
    stride: int | None = fact("bytes of an element of a structured buffer", default=None)
    comparison: bool = fact("a sampler that compares", default=False)
    counter: Counter | str | None = fact("hidden counter of a structured buffer", default=None)
    globally_coherent: bool = fact("writes are seen by all groups", default=False)
    rasterizer_ordered: bool = fact("accesses follow the order of primitives", default=False)
    dynamically_indexed: bool | None = fact(
        "a constant buffer that is indexed by a value, None where the program does not say",
        default=None,
    )
    placed: bool = fact("its place was written in the source: register()", default=False)
    id: int | None = fact("number that the program's operands use (shader model 5.1)", default=None)
    declared: bool = fact(
        "known from the program's declarations alone: the file does not name it", default=False
    )

    @property
    def slot(self) -> ResourceSlot:
        """Return its place, which lowered code has, too. An array has several."""
        kind = CLASSES.get(self.kind)
        if kind is None:
            kind = ResourceClass.WRITE if self.writable else ResourceClass.READ
        element = None if self.register_class else 0
        return ResourceSlot(kind, self.register, self.space, self.count, element)

    @property
    def where(self) -> str:
        """Where it is bound: `t3`, `t3, space1`; without register classes `set 1, binding 3`."""
        if not self.register_class:
            return f"set {self.space}, binding {self.register}"
        space = f", space{self.space}" if self.space else ""
        return f"{self.register_class}{self.register}{space}"


class Member(Facts):
    """A member of a structure."""

    name: str = fact("name in the source")
    offset: int = fact("bytes from the start of the structure")
    type: "TypeDescription" = fact("its type")


class TypeDescription(Facts):
    """The type of a variable."""

    name: str = fact("name in the source, empty where the file has none", default="")
    type_class: TypeClass | str = fact("scalar, vector, matrix, structure, …")
    scalar: str = fact(
        "float, int, uint, bool, double, min16float, …: the type of a component; of an object the"
        " object's type; void for a structure"
    )
    rows: int = fact("rows of a matrix, else 1", default=1)
    columns: int = fact("components of a vector, columns of a matrix", default=1)
    elements: list[int] = fact(
        "sizes of an array, outermost first; 0 for one sized at run time; empty for no array",
        factory=list,
    )
    members: list[Member] = fact("members of a structure, in order", factory=list)
    size: int = fact(
        "bytes of one value, without padding behind it; 0 where none are stated", default=0
    )
    strides: list[int] = fact(
        "bytes from one element to the next, for each of `elements`", factory=list
    )
    matrix_stride: int | None = fact(
        "bytes from one row of a matrix to the next, of matrix_columns from one column to the next",
        default=None,
    )
    base: "TypeDescription | None" = fact(
        "the interface that an interface pointer points at", default=None
    )

    def spelling(self) -> str:
        """The type without its array sizes, as HLSL writes it: `row_major float4x3`, `Light`."""
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
        """A variable of this type, as HLSL declares it: `float4x4 bones[64]`."""
        return f"{self.spelling()} {name}" + "".join(f"[{n or ''}]" for n in self.elements)


class Variable(Facts):
    """A variable of a constant buffer, or what else is set by name."""

    name: str = fact("name in the source")
    offset: int = fact("bytes from the start of its buffer; a PICA200 register counts 16")
    size: int = fact("bytes, without padding behind the last element")
    type: TypeDescription = fact("its type")
    used: bool = fact("whether the program reads it", default=True)
    placed: bool = fact("its place was written in the source: packoffset()", default=False)
    default: bytes | None = fact("initial value as it stands in memory", default=None)
    value: Any = fact(
        "the initial value: a number; a list for a vector, the rows of a matrix, an array; a dict"
        " for a structure",
        default=None,
    )


class ConstantBuffer(Facts):
    """Variables with their places: a constant buffer, or the layout of an element."""

    name: str = fact("name in the source; generated (`cb0`) where `declared`")
    kind: BufferKind | str = fact("what the variables make up")
    bank: int = fact("number of the register file, of uniforms", default=0)
    register: TypeDescription | None = fact(
        "type of one register of a register file, None where this is none", default=None
    )
    resource: int | None = fact(
        "index in the reflection's `resources`, None if unbound", default=None
    )
    size: int = fact("bytes; of interface pointers: bytes that the file states, 16")
    declared_size: int | None = fact(
        "bytes of it that the program can reach, None if it says nothing", default=None
    )
    variables: list[Variable] = fact("in order of their place", factory=list)
    declared: bool = fact(
        "known from the program's declarations alone: size is what it reaches", default=False
    )

    @property
    def slot(self) -> ResourceSlot | None:
        """Return the place of what no resource binds: push constants, a register file."""
        if self.kind == BufferKind.PUSH_CONSTANTS:
            return ResourceSlot(ResourceClass.PUSH, 0)
        if self.kind == BufferKind.UNIFORMS:
            return ResourceSlot(ResourceClass.REGISTER_BANK, self.bank)
        return None
