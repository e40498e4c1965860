"""Dynamic indexing: registers, functions, memories or textures chosen by a number at run time.

    each_of(b, which, (2, 5), call)             switch %which {
                                                  case 2 { … }      appended by call(2)
                                                  case 5 { … }      appended by call(5)
                                                }

    one_of(b, which, (2, 5), read, zero)        the same; each case sets a variable, which is
                                                `zero` by default

Lanes may choose differently. With any other number a lane does nothing, and the result is
`otherwise`. So any other number of a memory or texture reads 0 and writes nothing, like an access
outside of a memory.

    MemoryPointer(memories, which, …)           a location in one of several memories: for
                                                descriptor arrays and heaps, variable pointers;
                                                used by `load`, `store`, `atomic` and `count`
    chosen(b, condition, one, other)            one of two such locations
    sample(b, textures, samplers, …)            one of several textures with one of several samplers

Constant numbers cost nothing: they select without a switch. Each case is one access, so the cost is
proportional to the number of choices, not to the number of choices times the number of uses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...dataclass import dataclass, replace
from ..builder import Builder, constant
from ..kernel import Value
from ..memory import Memory
from ..ops import OPS, Op
from ..textures import Action, Sample, SamplerDeclaration, TextureDeclaration
from ..types import F32, I32, Type

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
    """Append a switch with a case for each number, by `do`, and a default, by `otherwise`."""
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
    """Append a switch that selects one tuple of values among several.

    Args:
        b: the builder.
        which: the number of each lane.
        numbers: the numbers with a case.
        make: appends the values for a number.
        otherwise: the values for other numbers; they determine the types of the result.
        name: prefix of the names of variables.
    """
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
    """Append a switch that selects one value; see `several_of`."""
    return several_of(b, which, numbers, lambda number: (make(number),), (otherwise,), name)[0]


# ---------------------------------------------------------------- memories


@dataclass(frozen=True, slots=True)
class MemoryPointer:
    """A location in one of several memories; `which` is the key in `memories`.

    `element` and `byte` locate an access (`ir.memory`). Pointers can be selected among if each
    memory of the program has one number throughout, also with different strides.
    """

    memories: Mapping[int, Memory]
    which: Value
    element: Value
    byte: Value

    def at(self, element: Value, byte: Value) -> "MemoryPointer":
        """Return another location in the same memory."""
        return replace(self, element=element, byte=byte)


def chosen(b: Builder, condition: Value, one: MemoryPointer, other: MemoryPointer) -> MemoryPointer:
    """Append a selection of one of two pointers."""
    return MemoryPointer(
        {**other.memories, **one.memories},
        b.select(condition, one.which, other.which),
        b.select(condition, one.element, other.element),
        b.select(condition, one.byte, other.byte),
    )


def load(b: Builder, pointer: MemoryPointer, type: Type = I32, name: str = "chosen") -> Value:
    """Append a load from a pointer."""

    def read(number: int) -> Value:
        return b.load(pointer.memories[number], pointer.element, pointer.byte, type)

    return one_of(b, pointer.which, pointer.memories, read, constant(0, type), name)


def store(b: Builder, pointer: MemoryPointer, value: Value) -> None:
    """Append a store to a pointer."""

    def write(number: int) -> None:
        b.store(pointer.memories[number], pointer.element, pointer.byte, value)

    each_of(b, pointer.which, pointer.memories, write)


def atomic(b: Builder, op: Op, pointer: MemoryPointer, *values: Value) -> Value:
    """Append an atomic on a pointer; its result is the old value."""

    def change(number: int) -> Value:
        place = pointer.element, pointer.byte
        return b.make(op, *place, *values, attr=pointer.memories[number])

    return one_of(b, pointer.which, pointer.memories, change, constant(0, values[0].type))


def count(b: Builder, pointer: MemoryPointer) -> Value:
    """Append the number of elements of the memory of a pointer."""
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
    """Append a `sample` of one of several textures, by one of several samplers.

    Args:
        b: the builder.
        textures: the textures by number; their components are of one type.
        which: the number of each lane's texture.
        how: the operation; its texture and sampler are replaced.
        args: the operands of the operation.
        samplers: the samplers by number; the sampler of `how` by default.
        which_sampler: the number of each lane's sampler.

    Returns:
        The four components. Lanes of a quad with different textures have no neighbours for
        derivatives.
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
