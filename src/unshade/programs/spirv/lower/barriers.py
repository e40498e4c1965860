"""Functions cut at their barriers, for invocations that run one after the other.

    A; loop { B; barrier; C }; D      part 0    A; B             to the barrier
                                      part 1    C; B, or C; D    to the barrier, or the end

A part is the code that can run from the beginning of the function, or from a barrier, up to the
next barriers; blocks that can be reached from several barriers are in several parts. All
invocations run a part before any invocation begins the next part. As barriers are in uniform
control flow, all come to the same barrier; where a program violates this rule, the last invocation
decides.

Values that are used after a barrier and made before it are kept in variables.

Source: SPIR-V specification, OpControlBarrier; Vulkan specification, Tessellation.
"""

from collections.abc import Callable, Iterator, Sequence

from ....tuples import NamedTuple
from ..blocks import BasicBlock
from ..index import FunctionBody, ModuleIndex
from ..tables.numbers import Opcode

__all__ = ["FunctionPart", "kept_values", "parts_of"]

IsBarrier = Callable[[int], bool]


class FunctionPart(NamedTuple):
    """The code of a part; `next` are the parts that follow, by the position of their barrier.

    `ends` is True if the function may end in it.
    """

    body: FunctionBody
    next: dict[int, int]
    ends: bool


class _Piece(NamedTuple):
    """A block, or the part of a block between barriers; `barrier` is the barrier at its end."""

    block: BasicBlock
    barrier: int | None


def parts_of(function: FunctionBody, is_barrier: IsBarrier) -> list[FunctionPart]:
    """Return the parts of a function, starting with the first."""
    heads, tails = _pieces(function, is_barrier)
    numbers = {barrier: number for number, barrier in enumerate(tails, 1)}
    entry = heads[function.blocks[0].label]
    found = []
    for first in (entry, *tails.values()):
        reached = _reached(first, heads)
        barriers = sorted(each.barrier for each in reached if each.barrier is not None)
        found.append(
            FunctionPart(
                function._replace(blocks=tuple(each.block for each in reached)),
                {each: numbers[each] for each in barriers},
                any(each.barrier is None and not each.block.successors for each in reached),
            )
        )
    return found


def _pieces(
    function: FunctionBody, is_barrier: IsBarrier
) -> tuple[dict[int, _Piece], dict[int, _Piece]]:
    """Return the pieces that begin blocks, by label, and the pieces after barriers, by position."""
    heads: dict[int, _Piece] = {}
    tails: dict[int, _Piece] = {}
    for block in function.blocks:
        start, before = block.start, None
        cuts = [each for each in range(block.start, block.end) if is_barrier(each)]
        for cut in (*cuts, None):
            if cut is None:
                piece = _Piece(block._replace(start=start), None)
            else:
                inner = block._replace(
                    start=start, end=cut + 1, successors=(), merge=0, continue_target=0
                )
                piece = _Piece(inner, cut)
                start = cut + 1
            if before is None:
                heads[block.label] = piece
            else:
                tails[before] = piece
            before = cut
    return heads, tails


def _reached(first: _Piece, heads: dict[int, _Piece]) -> list[_Piece]:
    """Return the pieces reachable from a piece, itself first, others in order."""
    found = {first.block.start}
    stack = [first]
    while stack:
        for label in stack.pop().block.successors:
            piece = heads.get(label)
            if piece is not None and piece.block.start not in found:
                found.add(piece.block.start)
                stack.append(piece)
    return [
        first,
        *(each for each in heads.values() if each.block.start in found and each != first),
    ]


def kept_values(
    index: ModuleIndex, function: FunctionBody, is_barrier: IsBarrier
) -> frozenset[int]:
    """Return the ids that are defined before a barrier and used after it."""
    heads, tails = _pieces(function, is_barrier)
    pieces = [*heads.values(), *tails.values()]
    made, used = zip(*(_ids(index, each.block) for each in pieces), strict=True)
    own = frozenset().union(*made)
    alive: dict[int, frozenset[int]] = {each.block.start: frozenset() for each in pieces}
    changed = True
    while changed:
        changed = False
        for piece, defined, needed in zip(
            reversed(pieces), reversed(made), reversed(used), strict=True
        ):
            after = frozenset().union(
                *(
                    _on_edge(index, piece.block, heads[label].block, alive)
                    for label in piece.block.successors
                    if label in heads
                )
            )
            if piece.barrier is not None:
                after |= alive[tails[piece.barrier].block.start]
            found = needed | (after - defined)
            if found != alive[piece.block.start]:
                alive[piece.block.start] = found
                changed = True
    return frozenset().union(*(alive[each.block.start] for each in tails.values())) & own


def _ids(index: ModuleIndex, block: BasicBlock) -> tuple[frozenset[int], frozenset[int]]:
    """Return the ids that a block defines, and the outside ids that it uses, except in phis."""
    made: set[int] = set()
    used: set[int] = set()
    for position in range(block.start, block.end):
        decoded = index.decoded[position]
        if index.module.instructions[position].opcode not in (Opcode.Phi, Opcode.Label):
            used.update(_operands(index, position) - made)
        if decoded.result is not None:
            made.add(decoded.result)
    return frozenset(made), frozenset(used)


def _operands(index: ModuleIndex, position: int) -> frozenset[int]:
    return frozenset(
        word
        for operand in index.decoded[position].operands
        if operand.kind.startswith("Id")
        for word in operand.words
    )


def _on_edge(
    index: ModuleIndex, block: BasicBlock, to: BasicBlock, alive: dict[int, frozenset[int]]
) -> frozenset[int]:
    """Return the ids that are needed on the way from one block to another."""
    phis = frozenset(
        value
        for words in _phis(index, to)
        for value, label in zip(words[3::2], words[4::2], strict=False)
        if label == block.label
    )
    return alive[to.start] | phis


def _phis(index: ModuleIndex, block: BasicBlock) -> Iterator[Sequence[int]]:
    for each in index.module.instructions[block.start : block.end]:
        if each.opcode == Opcode.Phi:
            yield each.words
