"""Lowering of levels with jumps: a graph of blocks, which `ir.cfg` turns into regions.

    cmp …                        0   cmp …                fork to 1, 2
    jmpc cmp.x, there            1   for … .end           to 2
    for i0 … .end                2   add …                to the end of the level
    there: add …

A level is the set of words with the same entries on the stacks: for a procedure, the words outside
of loops and if parts. Else parts belong to the level around them, since they have no entry on a
stack, and jumps may enter and leave them. All other blocks are lowered as structured code within a
node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from ....errors import UnsupportedError
from ....ir.cfg import ExitGraph, Fork, Jump, Node, build
from ....ir.kernel import DEEPEST, Region, ended, height
from ....ir.kernel import Block as Left

if TYPE_CHECKING:
    from .flow import Flow

LEAST, MOST = 16, 32  # limits of the depth of regions made from a graph


def too_deep() -> UnsupportedError:
    """Return the error for regions that nest too deep; four nested loops with jumps do not."""
    return UnsupportedError(f"blocks and jumps make more than {DEEPEST} nested regions")


class Graph:
    """The graph of one level."""

    def __init__(self, flow: Flow, start: int, stop: int, level: Sequence[int]) -> None:
        self.flow = flow
        self.start, self.stop = start, stop
        self.jumps = self._jumps(level)
        if not flow.stacks.frames and any(target < start for target in self.jumps.values()):
            level = flow.level(0, stop)  # the stacks are also empty before the main code
            self.jumps = self._jumps(level)
        known = set(level)
        for at, target in self.jumps.items():
            if target not in known or start not in known:
                raise self._out(at, target)
        blocks = (flow.blocks.get(at) for at in level if at in flow.words)
        self.ifs = {each.at: each for each in blocks if each is not None and each.has_else}
        self.nodes: list[Node] = []

    def _jumps(self, level: Sequence[int]) -> dict[int, int]:
        """Return the targets of the reachable jumps of a level, by word."""
        jumps = self.flow.found.jumps
        return {at: jumps[at] for at in level if at in jumps and at in self.flow.words}

    def _out(self, at: int, target: int) -> UnsupportedError:
        """Return the error for a jump to a word with other entries on the stacks."""
        stacks = self.flow.stacks
        message = f"{stacks.code[at].name} to word {target} "
        called = stacks.last("call")
        if called is not None and not called.start <= target < called.end:
            message += f"out of the called procedure at {called.start}"
        else:
            message += "in another block"
        return stacks.refusal("jump-out", at, message)

    def lower(self) -> None:
        """Append the regions of the level."""
        b = self.flow.b
        if not self.flow.stacks.frames:  # the words after the program end the shader
            self._build(None)
            return
        with b.block() as left:
            self._build(left)

    def _build(self, left: Left | None) -> None:
        """Build the graph and its regions; lanes at its end leave the block `left`."""
        flow = self.flow
        cuts = {self.start, self.stop, *self.jumps.values(), *(at + 1 for at in self.jumps)}
        for block in self.ifs.values():
            cuts |= {block.middle, block.end}
        places = sorted(cuts)
        numbers = {at: number for number, at in enumerate(places, 1)}
        lasts = {at + 1: at for at in self.jumps} | {b.middle: at for at, b in self.ifs.items()}
        self.nodes = [Node((), Jump(numbers[self.start])), *(Node() for _ in places)]
        self.nodes[-1].end = ExitGraph(left)
        for at, after in pairwise(places):
            last = lasts.get(after, after)
            node = self.nodes[numbers[at]]
            self._node(node, partial(flow.straight, at, last), Jump(numbers[after]))
            if last < after and isinstance(node.end, Jump):
                self._fork(node, last, numbers)
        flow.b.line = 0
        inside = max(height(node.code) for node in self.nodes if isinstance(node.code, list))
        around = 2 * len(flow.stacks.frames) + 1
        deepest = min(MOST, DEEPEST - around - inside)
        if deepest < LEAST:
            raise too_deep()
        build(flow.b, self.nodes, deepest=deepest)

    def _node(self, node: Node, lower: Callable[[], None], end: Jump) -> None:
        """Lower structured words into a node, which continues at `end` unless they exit."""
        code: Region = []
        with self.flow.b.within(code):
            lower()
        node.code, node.end = code, end
        if ended(code):
            node.end = ExitGraph(code.pop().attr)  # type: ignore[union-attr]

    def _fork(self, node: Node, at: int, numbers: Mapping[int, int]) -> None:
        """End a node with a jump, or with an if whose else part belongs to the graph."""
        flow = self.flow
        assert isinstance(node.code, list)
        with flow.b.within(node.code):
            condition = flow.condition(flow.begin(at))
        block = self.ifs.get(at)
        if block is None:
            node.end = Fork(condition, numbers[self.jumps[at]], numbers[at + 1])
            return
        node.end = Fork(condition, len(self.nodes), numbers[block.middle])
        part = Node()
        self.nodes.append(part)
        self._node(part, partial(flow.if_part, block), Jump(numbers[block.end]))
