"""Structured control flow: which blocks belong together, and how they may be entered and left.

    header --> … --> merge        the header dominates the merge block
       ^------- continue          one back edge to each loop header

    selection    the blocks that its header dominates, but its merge block does not
    loop         likewise, without the blocks that the continue target dominates
    continue     the blocks that the continue target dominates, up to the back edge
    case         the blocks that a target of a switch dominates, up to the merge block

Dominance refers to the structural graph, in which a header also leads to its merge block and
continue target. All blocks but the header are entered from inside; a construct is left for its
merge block, for the merge block or continue target of the enclosing loop or, unless it is a switch,
for the merge block of the enclosing switch.

Source: SPIR-V specification, section 2.11 (Structured Control Flow).
"""

from collections.abc import Iterator, Set

from ....tuples import NamedTuple
from ..tables.numbers import Opcode
from .flow_graph import DominanceGraph, FlowGraph
from .instruction import Inst
from .state import State

__all__ = ["check_structure"]

MOST = 300_000  # blocks in constructs, each counted once for every construct around it
RULE = "spirv.structure"


class _Construct(NamedTuple):
    """A selection, loop or continue construct: `header` is its first block."""

    kind: str
    header: int
    merge: int
    target: int = 0  # of a loop: its continue target
    back: int = 0  # of a loop or continue construct: the block of the back edge
    loop: int = 0  # of a continue construct: the header of its loop


def check_structure(state: State, graph: FlowGraph) -> None:
    """Check the merges of a function, and the constructs that they declare."""
    _check_merges(state, graph)
    structure = graph.structural()
    checker = ConstructChecker(state, graph, structure, structure.reversed())
    checker.check_depth()
    if checker.check_loops():
        checker.check_constructs()
    checker.check_selections()


def _check_merges(state: State, graph: FlowGraph) -> None:
    merges: set[int] = set()
    for merge in graph.merges.values():
        target = merge.word(0)
        if target in merges:
            state.report("spirv.merge", merge, "a merge block of two headers")
        merges.add(target)


class ConstructChecker:
    """The constructs of a function.

    Attributes:
        flow: The graph as it runs.
        graph: The structural graph.
        ends: The structural graph backwards.
        backs: The blocks with a back edge, by the header of their loop.
        around: The header of the next construct around each block; 0 without one.
        depth: The number of constructs around each block.
    """

    def __init__(
        self, state: State, flow: FlowGraph, graph: DominanceGraph, ends: DominanceGraph
    ) -> None:
        self.state = state
        self.flow = flow
        self.graph = graph
        self.ends = ends
        self.backs: dict[int, list[int]] = {}
        self.around: dict[int, int] = {}
        self.depth: dict[int, int] = {}
        self.work = 0
        for label in graph.dominated:
            parent = graph.parent(label)
            found = parent if parent in flow.merges else self.around.get(parent, 0)
            if label == flow.entry:
                found = 0
            while found and graph.dominates(flow.merges[found].word(0), label):
                found = self.around[found]
            self.around[label] = found
            self.depth[label] = self.depth[found] + 1 if found else 0

    def _report(self, label: int, message: str) -> None:
        self.state.report(RULE, self.state.definitions.get(label), message)

    def _is_loop(self, label: int) -> bool:
        merge = self.flow.merges.get(label)
        return merge is not None and merge.code == Opcode.LoopMerge

    def check_depth(self) -> None:
        """Check that no block is nested deeper than a consumer must accept."""
        most = self.state.options.limits.control_flow_depth
        deep = [label for label, depth in self.depth.items() if depth > most]
        if deep:
            message = f"expected control flow nested at most {most} deep"
            self.state.report("spirv.limit", self.state.definitions.get(deep[0]), message)

    # -- loops -----------------------------------------------------------------------------------

    def check_loops(self) -> bool:
        """Check back edges; return False if the constructs cannot be determined."""
        clear = True
        for label in self.graph.order:
            for target in self.flow.successors.get(label, ()):
                if not self.graph.dominates(target, label):
                    continue
                if not self._is_loop(target):
                    self._report(label, "a back edge to no loop header")
                    clear = False
                self.backs.setdefault(target, []).append(label)
        for label, merge in self.flow.merges.items():
            if label in self.graph.reachable and merge.code == Opcode.LoopMerge:
                count = len(self.backs.get(label, ()))
                if count != 1:
                    self._report(label, f"expected one back edge to the loop header, got {count}")
                    clear = False
        return clear

    # -- constructs ------------------------------------------------------------------------------

    def _constructs(self) -> Iterator[_Construct]:
        for label, inst in self.flow.merges.items():
            if label not in self.graph.reachable:
                continue
            merge = inst.word(0)
            if inst.code != Opcode.LoopMerge:
                yield _Construct("selection", label, merge)
                continue
            target, back = inst.word(1), self.backs[label][0]
            yield _Construct("loop", label, merge, target, back)
            if target in self.graph.reachable:
                yield _Construct("continue", target, merge, target, back, label)

    def check_constructs(self) -> None:
        """Check each construct whose header the entry reaches."""
        for each in self._constructs():
            if not self._check_dominance(each):
                continue
            inside = self._blocks(each)
            exits = self._exits(each)
            if self.work > MOST:
                place = self.state.definitions.get(each.header)
                self.state.skipped("constructs of functions", place)
                return
            self._check_blocks(each, inside, exits)
            if each.kind == "loop":
                self._check_continue(each, inside)
            if each.kind == "selection" and self._is_switch(each.header):
                self._check_switch(each, self.flow.terminators[each.header], exits)

    def _check_dominance(self, construct: _Construct) -> bool:
        header, kind = construct.header, construct.kind
        if kind != "continue":
            merge = construct.merge
            if merge == header or not self.graph.dominates(header, merge):
                self._report(merge, "the header does not dominate its merge")
                return False
            return True
        back = construct.back
        if not self.graph.dominates(header, back):
            self._report(back, "the continue target does not dominate the back edge")
            return False
        if header in self.ends.reachable and not self.ends.dominates(back, header):
            self._report(back, "the continue target does not always lead to the back edge")
            return False
        return True

    def _blocks(self, construct: _Construct) -> Set[int]:
        """Return the blocks of a construct."""
        apart = {"selection": (construct.merge,), "loop": (construct.merge, construct.target)}
        below = self.graph.below(construct.header, apart.get(construct.kind, ()))
        self.work += len(below)
        if construct.kind == "continue":
            back = construct.back
            return {each for each in below if each == back or self.ends.dominates(back, each)}
        return set(below)

    def _check_blocks(self, construct: _Construct, inside: Set[int], exits: Set[int]) -> None:
        flow = self.flow
        for label in inside:
            for target in flow.successors.get(label, ()):
                if target not in inside and target not in exits:
                    message = f"leaves the {construct.kind} construct of id {construct.header}"
                    self._report(label, f"{message} for no block where it may end")
            if label == construct.header:
                continue
            for source in flow.predecessors.get(label, ()):
                if source in self.graph.reachable and source not in inside:
                    message = f"enters the {construct.kind} construct of id {construct.header}"
                    self._report(source, f"{message} beside its header")
            merge = flow.merges.get(label)
            if merge is not None:
                target = merge.word(0)
                if target in self.graph.reachable and target not in inside:
                    message = f"is in the {construct.kind} construct of id {construct.header}"
                    self._report(label, f"{message}, but its merge block is not")

    def _exits(self, construct: _Construct) -> Set[int]:
        """Return the blocks that a construct may exit to."""
        found = {construct.merge}
        if construct.kind == "loop":
            return found | {construct.target}
        if construct.kind == "continue":
            return found | {construct.loop}
        at = self.around[construct.header]
        switches = self._is_switch(construct.header)
        while at:
            self.work += 1
            merge = self.flow.merges[at]
            if merge.code == Opcode.LoopMerge:
                return found | {merge.word(0), merge.word(1)}
            if self._is_switch(at) and not switches:
                found.add(merge.word(0))
                switches = True
            at = self.around[at]
        return found

    def _is_switch(self, label: int) -> bool:
        found = self.flow.terminators.get(label)
        return found is not None and found.code == Opcode.Switch

    def _check_continue(self, construct: _Construct, inside: Set[int]) -> None:
        """Check that only the loop itself leads to its continue target."""
        target = construct.target
        if target == construct.header:
            return
        for source in self.flow.predecessors.get(target, ()):
            known = source in self.graph.reachable
            if known and source not in inside and not self.graph.dominates(target, source):
                place = self.flow.terminators[source]
                self.state.report(RULE, place, "a continue target of a loop that it is not in")

    # -- cases -----------------------------------------------------------------------------------

    def _check_switch(self, construct: _Construct, switch: Inst, exits: Set[int]) -> None:
        """Check that each case falls through to at most one other, which is listed after it."""
        targets = [each.words[0] for each in switch.operands if each.is_id][1:]
        cases = {each for each in targets if each != construct.merge}
        ways: dict[int, int] = {}
        entered: dict[int, int] = {}
        for target in dict.fromkeys(targets):
            if target not in cases:
                continue
            reachable = target in self.graph.reachable
            if reachable and not self.graph.dominates(construct.header, target):
                self._report(construct.header, f"does not dominate its case id {target}")
                return
            ways[target] = found = self._falls_to(construct, target, cases, exits)
            entered[found] = entered.get(found, 0) + 1
        for target, count in entered.items():
            if target and count > 1:
                self._report(target, "several cases lead to this one")
        default = targets[0]
        listed = targets[1:]
        for at, target in enumerate(listed):
            found = ways.get(target, 0)
            if found == default and default not in listed:
                found = ways.get(default, 0)
            after = next((each for each in listed[at:] if each != target), 0)
            if found and found != after:
                self.state.report(RULE, switch, f"case id {found} does not follow id {target}")

    def _falls_to(
        self, construct: _Construct, target: int, cases: Set[int], exits: Set[int]
    ) -> int:
        """Return the case that another case falls through to, or 0."""
        found = 0
        inside: set[int] = set()
        if target in self.graph.reachable:
            merge = construct.merge
            apart = (merge,) if self.graph.dominates(target, merge) else ()
            inside.update(self.graph.below(target, apart))
        self.work += len(inside)
        leaving = {each for label in inside for each in self.flow.successors.get(label, ())}
        for each in sorted(leaving - inside, key=self.graph.reachable.__getitem__):
            if each == construct.merge:
                continue
            if each not in cases:
                if each not in exits:
                    self._report(target, f"the case leads to id {each}, where it may not end")
            elif found:
                self._report(target, f"the case leads to two others, id {found} and id {each}")
            else:
                found = each
        return found

    # -- selections ------------------------------------------------------------------------------

    def check_selections(self) -> None:
        """Check that a branch to two new targets has a merge instruction."""
        seen: set[int] = set()
        for label in self.graph.order:
            merge = self.flow.merges.get(label)
            if merge is not None:
                loop = merge.code == Opcode.LoopMerge
                seen.update(merge.words[1 : 3 if loop else 2])
            terminator = self.flow.terminators.get(label)
            if terminator is None:
                continue
            ways = set(self.flow.successors.get(label, ()))
            if terminator.code == Opcode.Switch and merge is None:
                self.state.report(RULE, terminator, "expected OpSelectionMerge")
            elif terminator.code == Opcode.BranchConditional:
                free = merge is None or merge.code == Opcode.LoopMerge
                if free and len(ways) == 2 and not ways & seen:
                    self.state.report(RULE, terminator, "expected OpSelectionMerge")
            seen |= ways if terminator.code != Opcode.Branch else set()
