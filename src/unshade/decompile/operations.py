"""Operations of source languages that kernels express with several operations.

    %1 = ffloor %0            %5 = fraction %0
    %2 = fsub %0, %1     ->
    …

Lowering writes the code of `ir.library` in place of such an operation. `recognise` finds it again:
the pattern is what the function of the library appends to a scratch kernel whose operands are
placeholders, so that a pattern and its function cannot disagree. It runs before simplification,
which would change the shapes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from ..dataclass import dataclass, field
from ..errors import UnsupportedError
from ..ir.builder import Builder
from ..ir.kernel import KernelIR, Region, Value, regions
from ..ir.library import derivatives, direct3d, products, views
from ..ir.memory import Memory, Space
from ..ir.ops import OPS, Op
from ..ir.textures import Shape
from ..ir.types import F16, F32, F64, I16, I32, I64, Type
from ..ir.waves import Wave

__all__ = [
    "LANE_READS", "PLACED", "REDUCTIONS", "SOURCE_OPS", "Function", "LibraryPattern", "bound_to",
    "matched", "pattern_of", "recognise", "waves_with_helpers",
]  # fmt: skip


class SourceOperations:
    """The table; the columns are those of `ir.ops`."""

    # fmt: off
    fraction      = Op("f",    "f",  "", "pa", "x - floor(x), below 1")
    saturate      = Op("f",    "f",  "", "pa", "clamped to 0 and 1; NaN becomes 0")
    ddx_fine      = Op("f",    "f",  "", "w",  "derivative along the own row of the quad")
    ddy_fine      = Op("f",    "f",  "", "w",  "derivative along the own column of the quad")
    ddx_coarse    = Op("f",    "f",  "", "w",  "derivative along the first row of the quad")
    ddy_coarse    = Op("f",    "f",  "", "w",  "derivative along the first column of the quad")
    quad_read     = Op("xI",   "x",  "", "w",  "value of lane b of the quad, also of a helper lane")
    first_high    = Op("i",    "I",  "", "p",  "zeros above the highest set bit; ~0 for none")
    first_high_i  = Op("i",    "I",  "", "p",  "the same for the highest bit unlike the sign")
    first_low     = Op("i",    "I",  "", "p",  "zeros below the lowest set bit; ~0 for none")
    to_half       = Op("f",    "I",  "", "pa", "bits of the nearest half")
    from_half     = Op("I",    "=f", "", "pa", "number whose bits as a half are the low 16")
    product       = Op("ff",   "f",  "", "pa", "a * b, but 0 for zero times infinity")
    modulo        = Op("ff",   "f",  "", "pa", "remainder with the sign of b")
    exp           = Op("f",    "f",  "", "pa", "e to the power of a")
    log           = Op("f",    "f",  "", "pa", "logarithm to the base e")
    atan2         = Op("ff",   "f",  "", "pa", "angle of the point (b, a)")
    ldexp         = Op("fI",   "f",  "", "pa", "a times 2 to the power of b")
    dot           = Op("*",    "f",  "", "pa", "sum of the products of two vectors, from x on")
    all_          = Op("*",    "b",  "", "p",  "true if each component of a vector is")
    any_          = Op("*",    "b",  "", "p",  "true if a component of a vector is")
    texel         = Op("*",    "I",  "texel", "p", "element of a writable texture, by coordinates")
    at_centroid   = Op("x",    "f",  "row", "p", "input a at the centroid of the covered samples")
    at_sample     = Op("xI",   "f",  "row", "p", "input a at sample b of the target")
    at_snapped    = Op("xII",  "f",  "row", "p", "input a at an offset in sixteenths of a pixel")
    at_offset     = Op("xff",  "f",  "row", "p", "input a at an offset in pixels from the centre")
    at_vertex     = Op("xI",   "x",  "row", "p", "input a at vertex b of the primitive")
    emit          = Op("*",    "v",  "points", "",  "append a vertex to a stream")
    point         = Op("*",    "v",  "points", "",  "set components of a control point or patch")
    cut           = Op("",     "v",  "points", "",  "end a strip of a stream")
    counts        = Op("II",   "v",  "",     "",   "set a group's numbers of points")
    launch        = Op("III",  "v",  "payload", "", "launch groups along x, y, z, and leave")
    # fmt: on


SOURCE_OPS = SourceOperations
# Inputs at other places of the pixel, or at a vertex (pixel_places.py).
PLACED = frozenset({
    SOURCE_OPS.at_centroid, SOURCE_OPS.at_sample, SOURCE_OPS.at_snapped, SOURCE_OPS.at_offset,
    SOURCE_OPS.at_vertex,
})  # fmt: skip
# Operations of bools, and the same of any number of operands: the components of a vector.
REDUCTIONS = {OPS.and_: SOURCE_OPS.all_, OPS.or_: SOURCE_OPS.any_}
WIDEST = 4  # components of a vector


@dataclass(frozen=True, slots=True)
class LibraryPattern:
    """The code that a function of the library appends: its root, and its operands in order."""

    op: Op
    root: Value
    operands: tuple[Value, ...]


Function = Callable[..., Value]
FUNCTIONS: tuple[tuple[Op, Function, tuple[Type, ...]], ...] = (
    (SOURCE_OPS.ddx_coarse, lambda b, x: derivatives.coarse(b, x, derivatives.X), (F32,)),
    (SOURCE_OPS.ddy_coarse, lambda b, x: derivatives.coarse(b, x, derivatives.Y), (F32,)),
    (SOURCE_OPS.ddx_fine, lambda b, x: derivatives.fine(b, x, derivatives.X), (F32,)),
    (SOURCE_OPS.ddy_fine, lambda b, x: derivatives.fine(b, x, derivatives.Y), (F32,)),
    (SOURCE_OPS.fraction, direct3d.fraction, (F32,)),
    (SOURCE_OPS.saturate, direct3d.saturated, (F32,)),
    (SOURCE_OPS.first_high_i, direct3d.first_high_signed, (I32,)),
    (SOURCE_OPS.first_high, direct3d.first_high, (I32,)),
    (SOURCE_OPS.first_low, direct3d.first_low, (I32,)),
    (SOURCE_OPS.to_half, direct3d.half, (F32,)),
    (SOURCE_OPS.product, products.product, (F32, F32)),
    (SOURCE_OPS.from_half, direct3d.from_half, (I32,)),
    *(
        (SOURCE_OPS.quad_read, lambda b, x, lane: b.quad_read(x, lane), (type, I32))
        for type in (F16, F32, F64, I16, I32, I64)
    ),
)
LANE_READS = frozenset({OPS.wave_read, SOURCE_OPS.quad_read})


def pattern_of(op: Op, function: Function, types: Sequence[Type]) -> LibraryPattern:
    """Return the pattern of a function of the library."""
    operands = tuple(Value(OPS.get, each) for each in types)
    return LibraryPattern(op, function(Builder(KernelIR()), *operands), operands)


@cache
def _patterns() -> dict[Op, list[LibraryPattern]]:
    """Return the patterns by the operation of their root."""
    found: dict[Op, list[LibraryPattern]] = {}
    for op, function, types in FUNCTIONS:
        pattern = pattern_of(op, function, types)
        found.setdefault(pattern.root.op, []).append(pattern)
    return found


@dataclass(slots=True)
class TexelPatterns:
    """The patterns of an element of each writable texture of a shape, by the memory of its shape.

    They differ in that memory only, which the loads of a match read: one is at `path` from the
    root, as numbers of operands. A pattern is made when a load of its memory is first at this path.
    """

    attr: tuple[Shape, bool]  # with True for layers
    shaped: frozenset[Memory]
    path: tuple[int, ...]
    by_memory: dict[Memory, LibraryPattern] = field(default_factory=dict)

    def matched(self, value: Value) -> tuple[Memory, tuple[Value, ...]] | None:
        """Return the memory and the coordinates; None without a match."""
        at = value
        for number in self.path:
            if number >= len(at.args):
                return None
            at = at.args[number]
        if at.op is not OPS.load or at.attr not in self.shaped:
            return None
        pattern = self.by_memory.get(at.attr)
        if pattern is None:
            pattern = self.by_memory[at.attr] = _texel(*self.attr, at.attr)
        args = matched(pattern, value)
        return (at.attr, args) if args is not None else None


def _texel(shape: Shape, layered: bool, memory: Memory) -> LibraryPattern:
    """Return the pattern of an element of a writable texture."""
    operands = tuple(Value(OPS.get, I32) for _ in range(shape.coordinates + layered))
    root = views.element(Builder(KernelIR()), memory, shape, layered, operands)
    return LibraryPattern(SOURCE_OPS.texel, root, operands)


def _texels(memories: Sequence[Memory]) -> Iterator[TexelPatterns]:
    """Yield the patterns of elements of writable textures."""
    shaped = [
        each
        for each in memories
        if each.internal and each.space is Space.CONSTANT and each.slot is not None
    ]
    for shape in (Shape.D1, Shape.D2, Shape.D3) if shaped else ():
        for layered in (False, True):
            if shape.coordinates + layered > 3:
                continue
            first = _texel(shape, layered, shaped[0])
            path = next(_paths_to_loads(first.root))
            yield TexelPatterns((shape, layered), frozenset(shaped), path)


def _paths_to_loads(root: Value) -> Iterator[tuple[int, ...]]:
    todo: list[tuple[Value, tuple[int, ...]]] = [(root, ())]
    while todo:
        value, path = todo.pop()
        if value.op is OPS.load:
            yield path
        todo += ((each, (*path, at)) for at, each in enumerate(value.args))


def matched(pattern: LibraryPattern, value: Value) -> tuple[Value, ...] | None:
    """Return the operands with which a value is the result of a pattern; None without a match."""
    bound = bound_to(pattern, value)
    return None if bound is None else tuple(bound[each] for each in pattern.operands)


def bound_to(pattern: LibraryPattern, value: Value) -> dict[Value, Value] | None:
    """Return the values that those of a pattern stand for, if a value is its result; else None."""
    bound: dict[Value, Value] = {}
    todo = [(pattern.root, value)]
    while todo:
        wanted, found = todo.pop()
        known = bound.get(wanted)
        if known is not None:
            if known is not found and not _equal(known, found):
                return None
            continue
        if wanted in pattern.operands:
            if wanted.type != found.type:
                return None
            bound[wanted] = found
            continue
        if wanted.op is not found.op or wanted.type != found.type or wanted.attr != found.attr:
            return None
        if len(wanted.args) != len(found.args):
            return None
        bound[wanted] = found
        todo += zip(wanted.args, found.args, strict=True)
    return bound


def _equal(a: Value, b: Value) -> bool:
    return a.op is b.op is OPS.const and a.type == b.type and a.attr == b.attr


def dotted(value: Value) -> tuple[Value, ...] | None:
    """Return the operands of a scalar product that ends in this sum, first those of one vector.

    A product of vectors is one instruction: ((x x + y y) + z z) + w w in one line. The sum of a
    multiply-add instruction has its operands in the opposite order.
    """
    products: list[Value] = []
    while len(products) < WIDEST - 1:
        total, product = value.args
        if product.op is not OPS.fmul or {total.line, product.line} != {value.line}:
            return None
        products.append(product)
        value = total
        if value.op in (SOURCE_OPS.dot, OPS.fmul):
            break
        if value.op is not OPS.fadd:
            return None
    if value.op is SOURCE_OPS.dot:
        half = len(value.args) // 2
        pairs = list(zip(value.args[:half], value.args[half:], strict=True))
    elif value.op is OPS.fmul:
        pairs = [(value.args[0], value.args[1])]
    else:
        return None
    pairs += [(each.args[0], each.args[1]) for each in reversed(products)]
    if len(pairs) > WIDEST:
        return None
    return (*[a for a, _ in pairs], *[b for _, b in pairs])


ZERO_PRODUCTS = (OPS.fmul_legacy, SOURCE_OPS.product)


def recognise(kernel: KernelIR, *, plain: bool = False) -> bool:
    """Replace the code of library functions by operations of sources, in place.

    The operations that the code consists of stay, for another pass to remove. With `plain`
    products that are 0 if a factor is 0 become ordinary ones; the result is True if there is one.
    """
    replaced = False
    patterns = _patterns()
    texels = [*_texels(kernel.memories)]
    waiting: list[Region] = [kernel.body]
    while waiting:
        region = waiting.pop()
        for statement in region:
            if not isinstance(statement, Value):
                waiting += regions(statement)
                continue
            if statement.op is OPS.fadd:
                args = dotted(statement)
                if args is not None:
                    statement.op, statement.args = SOURCE_OPS.dot, args
                continue
            for pattern in patterns.get(statement.op, ()):
                args = matched(pattern, statement)
                if args is not None and (
                    pattern.op is not SOURCE_OPS.quad_read or args[1].op is OPS.const
                ):  # languages need a number of the lane that is known
                    statement.op, statement.args, statement.attr = pattern.op, args, None
                    break
            else:
                if statement.op is OPS.select:
                    for each in texels:
                        found = each.matched(statement)
                        if found is not None:
                            memory, args = found
                            statement.op, statement.args = SOURCE_OPS.texel, args
                            statement.attr = (memory, *each.attr)
                            break
            if plain and statement.op in ZERO_PRODUCTS:
                statement.op, replaced = OPS.fmul, True
    return replaced


def waves_with_helpers(kernel: KernelIR) -> bool:
    """Return True if helper lanes take part in operations of whole waves.

    Raises:
        UnsupportedError: They take part in some only, which no language can say.
    """
    found = {
        value.attr.helpers
        for value in kernel.values()
        if isinstance(value.attr, Wave) and value.op is not OPS.wave_read and not value.attr.cluster
    }
    if len(found) > 1:
        raise UnsupportedError("helper lanes in some operations of waves cannot be decompiled yet")
    return found == {True}
