"""Built-in inputs of shaders that run in workgroups, as sources of `ir`.

Subgroups are waves: consecutive lanes of a workgroup, x fastest; with the execution mode
DerivativeGroupQuadsKHR, quads of 2 x 2 invocations, quads x fastest. Vulkan leaves open which
invocations form a subgroup, and defines quads.

Source: Vulkan specification, Built-In Variables.
"""

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.kernel import KernelIR, Value
from ....ir.types import I32, Type
from ..tables.numbers import BuiltIn, Decoration
from .pointers import TypedPointer
from .roots import ValueRoot
from .subgroups import below
from .types import LeafType

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["COMMON", "LABELS", "built_in", "built_in_pointer", "compute_interface"]

Source = Callable[[Builder, KernelIR, int], Value]
WORDS = 4  # of a mask of lanes


def _axis(word: str) -> Source:
    return lambda b, kernel, at: b.source(f"{word}.{'xyz'[at]}")


def _lane(word: str) -> Source:
    return lambda b, kernel, at: b.source(word)


def _count(b: Builder, kernel: KernelIR, at: int) -> Value:
    x, y, z = kernel.group
    return constant(-(-x * y * z // kernel.wave), I32)


def _subgroup(b: Builder, kernel: KernelIR, at: int) -> Value:
    if not kernel.quads:
        return b.udiv(b.source("thread_id_in_group_flattened"), kernel.wave)
    return b.udiv(b.urem(b.source("item"), prod(kernel.group)), kernel.wave)


def _mask(kind: str) -> Source:
    """Return the source of a mask of lanes, defined by comparison with the lane's own number."""

    def make(b: Builder, kernel: KernelIR, at: int) -> Value:
        lane = b.source("wave_lane")
        least = below(b, lane, at)
        most = below(b, b.iadd(lane, 1), at)
        every = below(b, constant(kernel.wave, I32), at)
        match kind:
            case "eq":
                return b.xor(least, most)
            case "lt":
                return least
            case "le":
                return most
            case "ge":
                return b.and_(every, b.not_(least))
        return b.and_(every, b.not_(most))

    return make


def _nothing(b: Builder, kernel: KernelIR, at: int) -> Value:
    return constant(0, I32)


# fmt: off
SOURCES: dict[int, tuple[Source, int]] = {  # with the number of components
    BuiltIn.NumWorkgroups:             (_axis("group_count"), 3),
    BuiltIn.WorkgroupId:               (_axis("thread_group_id"), 3),
    BuiltIn.LocalInvocationId:         (_axis("thread_id_in_group"), 3),
    BuiltIn.GlobalInvocationId:        (_axis("thread_id"), 3),
    BuiltIn.LocalInvocationIndex:      (_lane("thread_id_in_group_flattened"), 1),
    BuiltIn.WorkgroupSize:             (lambda b, kernel, at: constant(kernel.group[at], I32), 3),
    BuiltIn.NumSubgroups:              (_count, 1),
    BuiltIn.SubgroupId:                (_subgroup, 1),
    BuiltIn.DeviceIndex:               (_nothing, 1),
}
# Built-ins of every stage.
COMMON: dict[int, tuple[Source, int]] = {
    BuiltIn.SubgroupSize:              (_lane("wave_size"), 1),
    BuiltIn.SubgroupLocalInvocationId: (_lane("wave_lane"), 1),
    BuiltIn.SubgroupEqMask:            (_mask("eq"), WORDS),
    BuiltIn.SubgroupGeMask:            (_mask("ge"), WORDS),
    BuiltIn.SubgroupGtMask:            (_mask("gt"), WORDS),
    BuiltIn.SubgroupLeMask:            (_mask("le"), WORDS),
    BuiltIn.SubgroupLtMask:            (_mask("lt"), WORDS),
}
# fmt: on
LABELS = {
    "thread_id": "gl_GlobalInvocationID",
    "thread_group_id": "gl_WorkGroupID",
    "thread_id_in_group": "gl_LocalInvocationID",
    "thread_id_in_group_flattened": "gl_LocalInvocationIndex",
    "group_count": "gl_NumWorkGroups",
    "wave_lane": "SubgroupLocalInvocationId",
    "wave_size": "SubgroupSize",
}


def built_in(lowering: "Lowering", number: int) -> int | None:
    """Return the built-in that a variable is decorated as, or None."""
    return lowering.index.decoration_word(Decoration.BuiltIn, number)


def compute_interface(lowering: "Lowering", number: int, type: LeafType) -> TypedPointer:
    """Return the pointer to a built-in input of a compute, task or mesh shader."""
    found = built_in(lowering, number)
    source = {**COMMON, **SOURCES}.get(-1 if found is None else found)
    if source is None:
        name = lowering.name(number)
        stage = lowering.kernel.stage
        raise UnsupportedError(f"{name}: such an input of a {stage} shader cannot be run")
    return built_in_pointer(lowering, source, type)


def built_in_pointer(
    lowering: "Lowering", source: tuple[Source, int], type: LeafType
) -> TypedPointer:
    """Return the pointer to a built-in that is a source."""
    make, count = source
    b, kernel = lowering.b, lowering.kernel
    scalar = type.scalar or I32
    root = ValueRoot(lambda at: _wide(b, make(b, kernel, at), scalar), count)
    return TypedPointer(root, type)


def _wide(b: Builder, value: Value, type: Type) -> Value:
    """Append a number as the type of its variable."""
    return value if type == value.type else b.uconv(value, type=type)
