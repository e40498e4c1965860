"""Bindings of a kernel: the lowered resources under the names of the reflection.

cb0  P    constants   {'a': float, 'n': uint}, 16 bytes
t0   X    structured  (n,) float32
u1   Y    structured  (n,) float32, written
t2_space1  T[0]  t3_space1  T[1]    registers of one array: T=[…] binds them all
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from ...dataclass import dataclass, field
from ...errors import LimitError
from ...ir.lowered import Form, Lowered, LoweredResource
from ...model import BufferKind, ConstantBuffer, Reflection, StaticSampler, TypeDescription
from ...vocab.slots import MemoryPart, ResourceClass, ResourceSlot
from . import texels, textures
from .aliases import Renamed, merged
from .blocks import block_dtype
from .layout import buffer_dtype, components, is_column_major, padded
from .uniforms import with_registers


@dataclass(slots=True)
class Binding:
    """A resource to bind.

    `name` is the program's label (`cb0`, `t3`, `u0_counter`), `label` the name in the source or "".
    `rank` and `component` describe the arrays of typed buffers and textures.
    """

    name: str
    label: str
    form: Form
    writable: bool
    dtype: np.dtype[Any] | None  # None: of several kinds, `words` says which
    words: str  # what may be given
    resource: LoweredResource
    buffer: ConstantBuffer | None = None  # its variables, or the layout of an element
    atomic: bool = False  # whether the program has atomics on it
    array: str = ""  # of several resources: their common name in the source
    offset: int = 0  # which of them it is
    also: tuple[str, ...] = ()  # names of other variables with the same descriptor
    others: dict[str, ConstantBuffer] = field(default_factory=dict)  # the blocks of some of these
    members: ConstantBuffer | None = None  # the block with the members of the other ones
    renamed: Renamed = field(default_factory=dict)  # by block in `others`: members in `members`
    static: StaticSampler | None = None  # of the root signature: what is used if nothing is bound
    channels: int = 4  # of the texels' format, or of the type of what Direct3D writes

    def __post_init__(self) -> None:
        self.members = self.buffer
        if self.form is Form.CONSTANTS and self.buffer is not None and self.others:
            self.members, self.renamed = merged(self.buffer, self.others)

    @property
    def slot(self) -> ResourceSlot | None:
        """The slot of the resource."""
        return self.resource.slot

    @property
    def rank(self) -> int:
        """Number of axes of an array of texels, components excluded; 0 for other bindings.

        The samples of a multisampled texture are one axis: (height, width, samples) has rank 3.
        """
        child = self.form is Form.CHILD and self.resource.shape is not None
        has_texels = child or self.form in (Form.TYPED, Form.TEXTURE)
        return len(textures.axes(self.resource)) if has_texels else 0

    @property
    def component(self) -> str:
        """Type of the components of texels in the shader: float, sint or uint; "" for others."""
        return texels.kind_of(self.resource.returns) if self.rank else ""

    @property
    def is_descriptor(self) -> bool:
        """True for a descriptor of a set, and push constants: it is bound as in Vulkan."""
        slot = self.slot
        return slot is not None and (slot.element is not None or slot.kind is ResourceClass.PUSH)

    @property
    def combined(self) -> bool:
        """True for a texture with its own sampler, as a child bound to an array is."""
        both = ResourceClass.COMBINED_SAMPLER, ResourceClass.CHILD
        return self.slot is not None and self.slot.kind in both

    @property
    def where(self) -> str:
        """The name in errors: `Y (u1)`; `t0, u0 (set0_binding0)` of several variables."""
        label = ", ".join((*self.also, self.label))
        return f"{label} ({self.name})" if self.label else self.name

    @property
    def keys(self) -> tuple[Hashable, ...]:
        """The keys that a binding accepts: its slot and its names."""
        return self.names if self.slot is None else (*self.called, self.slot)

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the binding, and of the variables that share its descriptor."""
        return (*self.names, *self.also)

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return (self.name, self.label) if self.label else (self.name,)

    def __str__(self) -> str:
        written = ", written" if self.writable else ""
        return f"{self.name:<5} {self.label:<16} {self.form:<11} {self.words}{written}"


def bindings_of(lowered: Lowered, reflection: Reflection | None) -> list[Binding]:
    """Return the bindings of a kernel in the order of their declarations."""
    found = []
    atomics = {value.attr.key for value in lowered.kernel.values() if value.op.atomic}
    for resource in lowered.resources:
        if resource.form is Form.SHARED:
            continue
        source = _reflected(resource, reflection)
        label = source.label
        if resource.form is Form.COUNTER:
            label = label and f"{label}_counter"
        dtype = _dtype(resource, source.buffer)
        atomic = resource.key in atomics
        words = _words(resource, source.buffer, dtype, atomic)
        binding = Binding(
            resource.name, label, resource.form, resource.writable, dtype, words, resource,
            source.buffer, atomic, source.array, source.offset,
            tuple(each for each in resource.variables if label and each != label),
            source.others, channels=source.channels,
        )  # fmt: skip
        if resource.form is Form.SAMPLER:
            binding.static = _static_sampler(resource.slot, lowered.kernel.stage, reflection)
        found.append(binding)
    taken = {each.name for each in found}
    for each in found:  # a name that is another's register, or name, calls that
        if each.label == each.name:
            each.label = ""
        elif each.label in taken:
            each.label, each.array, each.also = "", "", ()
        each.also = tuple(name for name in each.also if name not in taken)
        taken |= {each.label, *each.also}
        if each.also:
            aliases = (_alias(name, each) for name in each.also)
            each.words += f"; one descriptor with {' and '.join(aliases)}"
    return found


def _static_sampler(
    slot: ResourceSlot | None, stage: str, reflection: Reflection | None
) -> StaticSampler | None:
    """Return the sampler that the root signature has for a register; None without one."""
    root = None if reflection is None else reflection.root_signature
    if root is None or slot is None or slot.element is not None:
        return None
    for each in root.samplers:
        same = (each.register, each.space) == (slot.number, slot.space)
        if same and each.visibility in ("all", stage):
            return each
    return None


def arrays_of(bindings: list[Binding]) -> dict[str, dict[int, Binding]]:
    """Return the registers that form arrays, by name: T is T[0], T[1], …"""
    found: dict[str, dict[int, Binding]] = {}
    for each in bindings:
        if each.array and each.form is not Form.COUNTER:
            found.setdefault(each.array, {})[each.offset] = each
    taken = {name for each in bindings for name in each.names}
    return {name: elements for name, elements in found.items() if name not in taken}


@dataclass(slots=True)
class _Source:
    """The reflection's description of a resource."""

    label: str = ""
    buffer: ConstantBuffer | None = None
    array: str = ""
    offset: int = 0
    others: dict[str, ConstantBuffer] = field(default_factory=dict)
    channels: int = 4


def _alias(name: str, binding: Binding) -> str:
    """Return a block that has the same descriptor in words: `A (float4 a)`, if it adds members."""
    main, other = binding.buffer, binding.others.get(name)
    if main is None or other is None:
        return name
    there = _declarations(main)
    members = [each for each in _declarations(other) if each not in there]
    return f"{name} ({', '.join(members)})" if members else name


def _reflected(resource: LoweredResource, reflection: Reflection | None) -> _Source:
    """Return the source's name of a resource, and its variables."""
    if reflection is None or resource.slot is None:
        return _Source()
    slot = resource.slot.of(MemoryPart.DATA)
    found = [
        _described(at, offset, reflection)
        for at, each in enumerate(reflection.resources)
        if (offset := each.slot.offset_of(slot)) is not None
    ]
    named = [each for each in found if each.label in resource.variables]
    found = named or found
    if found:  # of several with one descriptor, the one whose members reach furthest
        best = max(found, key=lambda each: _end(each.buffer))
        blocks = {each.label: each.buffer for each in found if each is not best}
        best.others = {name: each for name, each in blocks.items() if name and each is not None}
        return best
    for buffer in reflection.constant_buffers:
        if buffer.slot == slot:
            return _Source(buffer.name, with_registers(buffer))
    return _Source()


def _end(buffer: ConstantBuffer | None) -> int:
    """Return the byte after the last member."""
    variables = buffer.variables if buffer is not None else []
    return max((each.offset + each.size for each in variables), default=0)


def _described(at: int, offset: int, reflection: Reflection) -> _Source:
    """Return the description of an element of a resource."""
    each = reflection.resources[at]
    one = each.count == 1
    found = _Source(offset=offset)
    if each.components and (each.texel_format is not None or each.register_class == "u"):
        found.channels = each.components
    if not each.declared:
        found.label = each.name if one else f"{each.name}[{offset}]"
        if not one:
            found.array = each.name
    for buffer in reflection.constant_buffers:
        same = buffer.resource == at
        if buffer.resource is None:
            same = buffer.name == each.name and buffer.kind == BufferKind.ELEMENT
        if same and buffer.variables:
            found.buffer = buffer
            if each.declared and buffer.name != each.name:
                found.label = buffer.name  # the block has a name, what it is bound by has none
            break
    return found


def _dtype(resource: LoweredResource, buffer: ConstantBuffer | None) -> np.dtype[Any] | None:
    """Return the dtype of a binding; None if the type is unknown or NumPy cannot express it."""
    try:
        return _any_dtype(resource, buffer)
    except LimitError:
        return None


def _any_dtype(resource: LoweredResource, buffer: ConstantBuffer | None) -> np.dtype[Any] | None:
    match resource.form:
        case Form.CONSTANTS:
            return buffer_dtype(buffer) if buffer is not None else None
        case Form.STRUCTURED:
            if buffer is None:
                return None
            made = buffer_dtype(buffer)
            if made.itemsize != resource.stride:
                return padded(made, resource.stride)
            return made
        case Form.RAW:
            return block_dtype(buffer) if buffer is not None else None
        case Form.COUNTER:
            return np.dtype("<u4")
        case _:
            return None


def _declarations(buffer: ConstantBuffer) -> list[str]:
    return [_declared(each.name, each.type) for each in buffer.variables]


def _declared(name: str, type: TypeDescription) -> str:
    """`Light {float3 p, float r} lights[2]`."""
    if not type.members:
        return type.declaration(name)
    members = ", ".join(_declared(each.name, each.type) for each in type.members)
    return type.declaration(f"{{{members}}} {name}")


def _columns(buffer: ConstantBuffer | None, names: bool = True) -> str:
    """Return a note on the matrices that arrays of this buffer have as (columns, rows)."""
    variables = buffer.variables if buffer is not None else []
    found = [each.name for each in variables if is_column_major(each.type)]
    if not found:
        return ""
    return f" (column-major: {', '.join(found)})" if names else " (column-major)"


def _words(
    resource: LoweredResource,
    buffer: ConstantBuffer | None,
    dtype: np.dtype[Any] | None,
    atomic: bool,
) -> str:
    match resource.form:
        case Form.CONSTANTS:
            if buffer is None:
                return f"{resource.size} bytes, or numbers of 32 bits"
            shown, preset = buffer.variables, ""
            if buffer.kind == BufferKind.UNIFORMS:
                # Those that no name stands for go without saying, and presets need no value.
                preset = ", ".join(each.name for each in shown if each.default is not None)
                shown = [each for each in shown if each.used and each.default is None]
            names = ", ".join(_declared(each.name, each.type) for each in shown) or "its registers"
            also = f" (preset: {preset})" if preset else ""
            return f"a dict of {names}{also}; or {buffer.size} bytes{_columns(buffer)}, or numbers"
        case Form.RAW:
            if buffer is not None:
                members = ", ".join(_declarations(buffer))
                return f"a dict of {members}; or an array of any type{_columns(buffer)}"
            return "an array of any type"
        case Form.STRUCTURED:
            if dtype is None:
                return f"an array, {resource.stride} bytes an element"
            if dtype.names:
                members = ", ".join(dtype.names)
                return f"(n,) of {{{members}}}, {resource.stride} bytes{_columns(buffer)}"
            base, shape = dtype.subdtype or (dtype, ())
            axes = ", ".join(["n", *map(str, shape)]) + ("" if shape else ",")
            used = components(buffer)
            some = (
                ""
                if used is None or shape in ((), (used,))
                else f", of which the first {used} are used"
            )
            return f"({axes}) {base}{_columns(buffer, names=False)}{some}"
        case Form.TYPED | Form.TEXTURE:
            shape_words = textures.shape_in_words(resource)
            kinds = texels.accepted(resource.returns, atomic, resource.wide)
            return f"{shape_words} {(', or pairs of ' if resource.wide else ' or ').join(kinds)}"
        case Form.CHILD:
            if resource.shape is None:
                return "a kernel"
            texels_words = " or ".join(texels.accepted(resource.returns, atomic))
            return f"a kernel, a colour, or {textures.shape_in_words(resource)} {texels_words}"
        case Form.SAMPLER:
            return "a Sampler; linear and clamped where none is given"
        case _:
            return "a number; 0 where none is given"
