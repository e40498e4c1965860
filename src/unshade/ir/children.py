"""Child programs: kernels bound in the place of a resource, as shaders and filters of SkSL.

    %c = sample %src %src evaluate, %x, %y     a program is bound:  the program, inlined
    %r = part 0 %c                             an array is bound:   a filtered sample
                                               nothing is bound:    a default

The operands are the inputs of the program, in the order in which it declares them, and the parts of
the result are its outputs. Floats of another width are converted. The position in an array is
counted in texels: the centre of the first is (0.5, 0.5).

The default depends on the operands: transparent at a position, a colour itself, of two colours the
first over the second. Source: the callbacks of Skia's SkRuntimeEffect.cpp.

The resources of a child are bound in addition to the host's resources, under keys (`key_of`) that
no resource of the host or of another child has.
"""

from collections.abc import Hashable, Mapping, Sequence

from ..dataclass import dataclass, field, replace
from ..errors import UsageError
from ..vocab.slots import ResourceSlot
from .builder import Builder, constant
from .kernel import Value
from .lowered import Form, Lowered
from .ops import OPS
from .textures import Action, Level, Sample
from .transforms.copying import copied_kernel
from .transforms.functions import Calls
from .transforms.inlining import Inliner
from .transforms.rewrite import rewrite
from .types import I32, Type

__all__ = ["Child", "expand", "key_of"]

# A space of a slot: the space in the program that declares it, and above these bits the number of
# the child, of the child that has that as its child, and so on.
SPACE_BITS = 32
CHILD_BITS = 16


@dataclass(frozen=True, slots=True)
class Child:
    """A program that is bound as a child, and its own children by their keys.

    Two are equal if they are the same lowered program with equal children. `lowered` is None if
    nothing is bound.
    """

    lowered: Lowered | None = field(compare=False)
    children: "tuple[tuple[Hashable, Child], ...]" = ()
    identity: object = None

    @classmethod
    def of(cls, lowered: Lowered, children: "Mapping[Hashable, Child]") -> "Child":
        """Return the child for a lowered program."""
        return cls(lowered, tuple(children.items()), lowered.kernel)


def key_of(name: str, number: int, key: Hashable) -> Hashable:
    """Return the key that a child's resource or memory has in its host.

    Args:
        name: the name of the child's resource in the host.
        number: its number among the host's resources that are children, from 1.
        key: the key in the child: a slot, a name, or the key of a memory shared with the caller.
    """
    if isinstance(key, ResourceSlot):
        return _slot(key, number)
    return f"{name}.{key}" if type(key) is str else key


def _slot(slot: ResourceSlot, number: int) -> ResourceSlot:
    path, space = divmod(slot.space, 1 << SPACE_BITS)
    return slot._replace(space=((path << CHILD_BITS | number) << SPACE_BITS) + space)


def expand(lowered: Lowered, children: Mapping[Hashable, Child]) -> Lowered:
    """Return a program with its children inlined; the program itself without children.

    Raises:
        UsageError: the operands or results of a call do not fit the child.
        UnsupportedError: the child cannot be inlined.
    """
    if not any(_is_call(value) for value in lowered.kernel.values()):
        return lowered
    host = replace(
        lowered, kernel=copied_kernel(lowered.kernel), resources=[*lowered.resources],
        lines=[*lowered.lines],
    )  # fmt: skip
    programs = {
        key: each.lowered and expand(each.lowered, dict(each.children))
        for key, each in children.items()
    }
    results: dict[Value, list[Value]] = {}
    inliner: Inliner | None = None

    def rule(b: Builder, value: Value) -> Value | None:
        nonlocal inliner
        if value.op is OPS.part:
            texel = value.args[0]
            if texel in results:
                return _converted(b, results[texel][value.attr], value.type)
            if value.type != texel.attr.texture.type:
                part = b.part(texel, type=texel.attr.texture.type, attr=value.attr)
                return _converted(b, part, value.type)
            return None
        if not _is_call(value):
            return None
        key = value.attr.texture.key
        if key not in programs:
            return _sampled(b, value)
        child = programs[key]
        result = constant(0, I32)  # only its parts are read
        if child is None:
            results[result] = _default(b, value.args)
            return result
        inliner = inliner or Inliner(host, Calls(b))
        results[result] = _called(b, inliner, lowered, key, child, value)
        return result

    rewrite(host.kernel, rule)
    return host


def _is_call(value: Value) -> bool:
    return isinstance(value.attr, Sample) and value.attr.action is Action.EVALUATE


def _sampled(b: Builder, call: Value) -> Value:
    """Append a sample of an array at a position in texels."""
    texture = call.attr.texture
    size = b.sample(b.i32(0), attr=Sample(Action.SIZE, texture, level=Level.EXPLICIT))
    args = [
        b.fdiv(arg, b.itof(b.part(size, type=I32, attr=at), type=arg.type))
        for at, arg in enumerate(call.args)
    ]
    return b.sample(*args, attr=replace(call.attr, action=Action.SAMPLE))


def _default(b: Builder, args: Sequence[Value]) -> list[Value]:
    """Return the colour of a child that is not bound."""
    if len(args) == 2:
        return [b.number(0, args[0].type)] * 4
    above, below = args[:4], args[4:]
    if not below:
        return list(above)
    rest = b.fsub(1.0, above[3])
    return [b.fadd(b.fmul(y, rest), x) for x, y in zip(above, below, strict=True)]


def _called(
    b: Builder, inliner: Inliner, lowered: Lowered, key: Hashable, child: Lowered, call: Value
) -> list[Value]:
    """Inline a child in place of one call; return its outputs."""
    children = [each for each in lowered.resources if each.form is Form.CHILD]
    number, name = next((at, each.name) for at, each in enumerate(children, 1) if each.key == key)
    inputs, outputs = child.kernel.inputs, child.kernel.outputs
    if len(inputs) != len(call.args) or len(outputs) != 4:
        raise UsageError(
            f"{name}: expected a program of {len(call.args)} inputs and 4 outputs, got one of"
            f" {len(inputs)} and {len(outputs)}"
        )
    values = {
        port.key: _converted(b, arg, port.type) for port, arg in zip(inputs, call.args, strict=True)
    }
    found = inliner.inline(name, child, values, lambda slot: _slot(slot, number))
    return [found[port.key] for port in outputs]


def _converted(b: Builder, value: Value, type: Type) -> Value:
    """Return a float in the width of another type."""
    if value.type == type:
        return value
    if (value.type.kind, type.kind) != ("f", "f"):
        raise UsageError(f"expected a child with values of type {type.name}, got {value.type.name}")
    return b.fconv(value, type=type)
