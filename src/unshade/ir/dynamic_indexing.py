"""One of several by a number: registers, functions, memories or textures that a program chooses.

    each_of(b, which, (2, 5), call)             switch %which {
                                                  case 2 { … }      what call(2) appends
                                                  case 5 { … }      what call(5) appends
                                                }

    one_of(b, which, (2, 5), read, zero)        the same, each case giving a value to a variable
                                                that has `zero` before

Lanes may choose differently. With a number that is none of them a lane does nothing, and has the
value `otherwise`. For memories and textures that makes one rule: a number that is none of them
reads 0 and writes nothing, as an access outside of a memory does.

    Pointer(memories, which, element, byte)     a place in one of several memories: descriptor
                                                arrays and heaps, variable pointers; `load`,
                                                `store`, `atomic` and `count` take one
    chosen(b, condition, one, other)            one of two such places
    sample(b, textures, samplers, …)            one of several textures by one of several samplers

A number that is a constant costs nothing: the one that it means is taken without a switch. A case
costs one access, so a program pays for what it may choose among and not for the product with what
it does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .builder import Builder, constant
from .kernel import Value
from .memory import Memory
from .ops import OPS, Op
from .textures import Action, Sample, SamplerDeclaration, TextureDeclaration
from .types import F32, I32, Type

__all__ = [
    "MemoryPointer",
    "atomic",
    "chosen",
    "count",
    "each_of",
    "load",
    "one_of",
    "sample",
    "several_of",
    "store",
]


def each_of(
    b: Builder,
    which: Value,
    numbers: Iterable[int],
    do: Callable[[int], object],
    otherwise: Callable[[], object] | None = None,
) -> None:
    """Append a switch: `do` for each number that a lane may have, `otherwise` for all others."""
    if which.op is OPS.const:
        if which.attr in {*numbers}:
            do(which.attr)
        elif otherwise is not None:
            otherwise()
        return
    switch = b.switch(which)
    for number in numbers:
        with b.case(switch, number):
            do(number)
    if otherwise is not None:
        with b.case(switch, default=True):
            otherwise()


def several_of(
    b: Builder,
    which: Value,
    numbers: Iterable[int],
    make: Callable[[int], Sequence[Value]],
    otherwise: Sequence[Value],
    name: str = "chosen",
) -> list[Value]:
    """Return the values that `make` appends for a lane's number; `otherwise` for other numbers."""
    first = len(b.kernel.variables)
    variables = [
        b.var(f"{name}.{at}", each.type, internal=True) for at, each in enumerate(otherwise, first)
    ]

    def give(values: Sequence[Value]) -> None:
        for variable, value in zip(variables, values, strict=True):
            b.set(variable, value)

    give(otherwise)
    each_of(b, which, numbers, lambda number: give(make(number)))
    return [b.get(variable) for variable in variables]


def one_of(
    b: Builder,
    which: Value,
    numbers: Iterable[int],
    make: Callable[[int], Value],
    otherwise: Value,
    name: str = "chosen",
) -> Value:
    """Return the value that `make` appends for a lane's number; `otherwise` for other numbers."""
    return several_of(b, which, numbers, lambda number: (make(number),), (otherwise,), name)[0]


# ---------------------------------------------------------------- memories


@dataclass(frozen=True, slots=True)
class MemoryPointer:
    """A place in the memory that `which` says, by its number in `memories`.

    `element` and `byte` count as in any access. A program that mixes memories of different strides
    has a number for each memory, whatever the way to it: so pointers can be chosen among.
    """

    memories: Mapping[int, Memory]
    which: Value
    element: Value
    byte: Value

    def at(self, element: Value, byte: Value) -> "MemoryPointer":
        """Return another place in the same memory."""
        return replace(self, element=element, byte=byte)


def chosen(b: Builder, condition: Value, one: MemoryPointer, other: MemoryPointer) -> MemoryPointer:
    """Return the one place where a condition holds, the other elsewhere."""
    return MemoryPointer(
        {**other.memories, **one.memories},
        b.select(condition, one.which, other.which),
        b.select(condition, one.element, other.element),
        b.select(condition, one.byte, other.byte),
    )


def load(b: Builder, pointer: MemoryPointer, type: Type = I32, name: str = "chosen") -> Value:
    """Return what stands at a place."""

    def read(number: int) -> Value:
        return b.load(pointer.memories[number], pointer.element, pointer.byte, type)

    return one_of(b, pointer.which, pointer.memories, read, constant(0, type), name)


def store(b: Builder, pointer: MemoryPointer, value: Value) -> None:
    """Write at a place."""

    def write(number: int) -> None:
        b.store(pointer.memories[number], pointer.element, pointer.byte, value)

    each_of(b, pointer.which, pointer.memories, write)


def atomic(b: Builder, op: Op, pointer: MemoryPointer, *values: Value) -> Value:
    """Change a place; return what stood there."""

    def change(number: int) -> Value:
        place = pointer.element, pointer.byte
        return b.make(op, *place, *values, attr=pointer.memories[number])

    return one_of(b, pointer.which, pointer.memories, change, constant(0, values[0].type))


def count(b: Builder, pointer: MemoryPointer) -> Value:
    """Return how many elements the memory of a place has."""
    numbers = pointer.memories
    return one_of(b, pointer.which, numbers, lambda n: b.count(numbers[n]), constant(0, I32))


# ---------------------------------------------------------------- textures


def sample(
    b: Builder,
    textures: Mapping[int, TextureDeclaration],
    which: Value,
    how: Sample,
    *args: Value,
    samplers: Mapping[int, SamplerDeclaration] | None = None,
    which_sampler: Value | None = None,
) -> list[Value]:
    """Return the four components that `sample` gives; texture and sampler of `how` are replaced.

    The textures have components of one type. Lanes of a quad that choose differently have no
    neighbours to take a difference with.
    """
    type = how.texture.type
    if how.action in (Action.SIZE, Action.SAMPLES):
        type = I32
    elif how.compare or how.action is Action.LOD:
        type = F32
    nothing = [constant(0, type)] * 4

    def read(texture: TextureDeclaration, sampler: SamplerDeclaration | None) -> list[Value]:
        attr = replace(how, texture=texture, sampler=sampler)
        texel = b.sample(*args, attr=attr)
        return [b.part(texel, type=type, attr=at) for at in range(4)]

    def of_texture(number: int) -> list[Value]:
        texture = textures[number]
        if samplers is None or which_sampler is None:
            return read(texture, how.sampler)
        return several_of(
            b, which_sampler, samplers, lambda other: read(texture, samplers[other]), nothing
        )

    return several_of(b, which, textures, of_texture, nothing)
