"""Hull shaders: a function for a control point, and one for the constants of the patch.

control_point()              each lane: sets %control_point_colour, a variable of the module
%points_colour[lane] = …     each lane: its own element of the outputs
barrier
if (lane == 0) constants()   reads the outputs of all lanes, sets those of the patch
"""

from collections.abc import Iterator, Sequence

from ...errors import UnsupportedError
from ...vocab.slots import Direction, Rate
from ..points import PointSet
from ..tree import Assign, Line, NodeForm, Once, ScalarKind, SourceExpression, TermType, literal
from ..tree import name as named
from .entry import lane_built_in
from .lines import FunctionLines
from .writer import INT, SpirvWriter

__all__ = ["write_hull"]

WORKGROUP, INVOCATION, NOTHING = 2, 4, 0  # scopes, and semantics of a barrier


def write_hull(w: SpirvWriter) -> None:
    """Write the functions of a hull shader, and the code of the entry point, which calls them."""
    blocks = [each.body for each in w.parts.body if isinstance(each, Once)]
    if len(blocks) != 2 or len(w.parts.body) != 2:
        raise UnsupportedError("functions of a hull shader that share a value cannot be translated")
    by_rate = {
        slot.rate: each
        for slot, each in w.parts.points.of.items()
        if slot.direction is Direction.OUTPUT
    }
    point, patch = by_rate[Rate.CONTROL_POINT], by_rate[Rate.PATCH]
    names = [w.parts.names.unique(each) for each in (f"set_{point.vertex}", f"set_{patch.name}")]
    one = _function(w, names[0], blocks[0])
    other = _function(w, names[1], [*_cleared(patch), *blocks[1]])
    void = w.module.declared("OpTypeVoid")
    w.start()
    lane_place = lane_built_in(w, "gl_InvocationID")
    assert lane_place is not None
    w.op("OpFunctionCall", void, one)
    lane = w.load(lane_place)
    for member, output in w.emitted.get(point.name, ()):
        kept = w.symbols[f"{point.vertex}.{member}"]
        place = output.at(lane, output.layout.inner)
        found = w.load(kept)
        if kept.layout != place.layout:
            found = w.op("OpBitcast", place.layout.id, found)
        w.effect("OpStore", w.pointer(place), found)
    w.effect("OpControlBarrier", *map(w.number, (WORKGROUP, INVOCATION, NOTHING)))
    first, after = w.module.id(), w.module.id()
    zero = w.module.constant(INT, 0)
    test = w.op("OpIEqual", TermType(ScalarKind.BOOL), lane, zero)
    w.effect("OpSelectionMerge", after, "None")
    w.end("OpBranchConditional", test, first, after)
    w.label(first)
    w.op("OpFunctionCall", void, other)
    w.end("OpBranch", after)
    w.label(after)


def _function(w: SpirvWriter, label: str, lines: Sequence[Line]) -> str:
    """Write a function and return its id."""
    id, start = w.module.id(), w.module.id()
    w.module.name(id, label)
    w.start()
    FunctionLines(w, lines).write(lines)
    if not w.ended:
        w.leave()
    w.module.function += w.function(id, start)
    return id


def _cleared(patch: PointSet) -> Iterator[Line]:
    """Yield assignments of 0 to the constants of a patch."""
    for member in patch.members:
        base = named(patch.vertex, member.type)
        whole = SourceExpression(NodeForm.MEMBER, member.type, (base,), member.name)
        count = patch.counts.get(member)
        for at in range(count or 1):
            index = literal((at,), INT)
            place = SourceExpression(NodeForm.INDEX, member.type, (whole, index))
            yield Assign(place if count else whole, literal((0,), member.type.wide(1)))
