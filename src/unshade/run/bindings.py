"""What a kernel wants bound: the lowered resources under the names of the reflection.

cb0  P    constants   {'a': float, 'n': uint}, 16 bytes
t0   X    structured  (n,) float32
u1   Y    structured  (n,) float32, written
t2_space1  T[0]  t3_space1  T[1]    registers of one array: T=[…] binds them all
"""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.lowered import Form, Lowered, Resource
from ..model import BufferKind, ConstantBuffer, Reflection, TypeDescription
from . import texels, textures
from .layout import buffer_dtype

# How the lowered names of Direct3D's register classes begin, where it is not with the class itself.
CLASSES = {"b": "cb"}
ELEMENT = re.compile(r"(.+)\[(\d+)\]")  # the name of a register of an array
REGISTER = re.compile(r"([a-z]+)(\d+)(?:_space(\d+))?")


@dataclass(slots=True)
class Binding:
    """One thing to bind.

    `name` is the register (`cb0`, `t3`, `u0_counter`), `label` the name in the source or "".
    """

    name: str
    label: str
    form: Form
    writable: bool
    dtype: np.dtype[Any] | None  # None: of several kinds, `words` says which
    words: str  # what may be given
    resource: Resource
    buffer: ConstantBuffer | None = None  # its variables, or the layout of an element
    atomic: bool = False  # whether the program has atomics on it

    @property
    def where(self) -> str:
        """How an error names it: `Y (u1)`."""
        return f"{self.label} ({self.name})" if self.label else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """All that it can be called by."""
        return (self.name, self.label) if self.label else (self.name,)

    def __str__(self) -> str:
        written = ", written" if self.writable else ""
        return f"{self.name:<5} {self.label:<16} {self.form:<11} {self.words}{written}"


def bindings_of(lowered: Lowered, reflection: Reflection | None) -> list[Binding]:
    """Every binding of the kernel, in the order of the declarations."""
    found = []
    atomics = {value.attr.name for value in lowered.kernel.values() if value.op.atomic}
    for register, resource in lowered.resources.items():
        if resource.form is Form.SHARED:
            continue
        label, buffer = _reflected(register, reflection)
        if resource.form is Form.COUNTER:
            label = label and f"{label}_counter"
        name = register.replace(".", "_")  # what Python can call an argument
        dtype = _dtype(resource, buffer)
        atomic = register in atomics
        words = _words(resource, buffer, dtype, atomic)
        binding = Binding(
            name, label, resource.form, resource.writable, dtype, words, resource, buffer, atomic
        )
        found.append(binding)
    taken = {each.name for each in found}
    for each in found:  # a name that is a register, or another's, calls that
        if each.label in taken:
            each.label = ""
        taken.add(each.label)
    return found


def arrays_of(bindings: list[Binding]) -> dict[str, dict[int, Binding]]:
    """Registers that are an array together, by its name: T is T[0], T[1], …"""
    found: dict[str, dict[int, Binding]] = {}
    for each in bindings:
        element = ELEMENT.fullmatch(each.label)
        if element is not None:
            found.setdefault(element[1], {})[int(element[2])] = each
    taken = {name for each in bindings for name in each.names}
    return {name: elements for name, elements in found.items() if name not in taken}


def _reflected(name: str, reflection: Reflection | None) -> tuple[str, ConstantBuffer | None]:
    """The source's name of a resource, and the variables in it."""
    place = REGISTER.fullmatch(name.partition(".")[0])
    if reflection is None or place is None:
        return "", None
    for at, resource in enumerate(reflection.resources):
        prefix = CLASSES.get(resource.register_class, resource.register_class)
        offset = int(place[2]) - resource.register
        here = place[1] == prefix and int(place[3] or 0) == resource.space
        count = resource.count
        if not here or offset < 0 or (count is not None and offset >= count):
            continue
        if resource.declared:
            return "", None
        label = resource.name if count == 1 else f"{resource.name}[{offset}]"
        for buffer in reflection.constant_buffers:
            same = buffer.resource == at
            if buffer.resource is None:
                same = buffer.name == resource.name and buffer.kind == BufferKind.ELEMENT
            if same and buffer.variables:
                return label, buffer
        return label, None
    return "", None


def _dtype(resource: Resource, buffer: ConstantBuffer | None) -> np.dtype[Any] | None:
    match resource.form:
        case Form.CONSTANTS:
            return buffer_dtype(buffer, True) if buffer is not None else None
        case Form.STRUCTURED:
            if buffer is None:
                return None
            made = buffer_dtype(buffer, False)
            return made if made.itemsize == resource.stride else None
        case Form.COUNTER:
            return np.dtype("<u4")
        case _:
            return None


def _declared(name: str, type: TypeDescription) -> str:
    """`Light {float3 p, float r} lights[2]`."""
    if not type.members:
        return type.declaration(name)
    members = ", ".join(_declared(each.name, each.type) for each in type.members)
    return type.declaration(f"{{{members}}} {name}")


def _words(
    resource: Resource, buffer: ConstantBuffer | None, dtype: np.dtype[Any] | None, atomic: bool
) -> str:
    match resource.form:
        case Form.CONSTANTS:
            if buffer is None:
                return f"{resource.size} bytes, or numbers of 32 bits"
            names = ", ".join(_declared(each.name, each.type) for each in buffer.variables)
            return f"a dict of {names}; or {buffer.size} bytes, or numbers"
        case Form.RAW:
            return "an array of any type"
        case Form.STRUCTURED:
            if dtype is None:
                return f"an array, {resource.stride} bytes an element"
            if dtype.names:
                return f"(n,) of {{{', '.join(dtype.names)}}}, {resource.stride} bytes"
            base, shape = dtype.subdtype or (dtype, ())
            return f"({', '.join(['n', *map(str, shape)])}{'' if shape else ','}) {base}"
        case Form.TYPED | Form.TEXTURE:
            shape_words = textures.shape_in_words(resource)
            return f"{shape_words} {' or '.join(texels.accepted(resource.returns, atomic))}"
        case Form.SAMPLER:
            return "a Sampler; linear and clamped where none is given"
        case _:
            return "a number; 0 where none is given"
