"""The flow graph of a function, and which blocks dominate which.

    DominanceGraph   labels, edges, dominators
    FlowGraph        that of a function, with its instructions
    structural()     with an edge from each header to its merge block and continue target
    reversed()       from the blocks that leave to the entry: its dominators post-dominate

Source: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
"""

from ..tables.numbers import Opcode
from ..tables.sections import TERMINATORS
from .instruction import Inst

__all__ = ["DominanceGraph", "FlowGraph"]

MOST = 100  # passes; structured code needs a few


class DominanceGraph:
    """A graph of labels.

    Attributes:
        entry: The label of the first block; 0 in a graph without blocks, or a reversed one.
        successors: The labels that each leads to, each once.
        predecessors: The labels that lead to each.
        order: Labels that the entry reaches, in reverse post order.
        reachable: The place of each in `order`.
        dominated: The same labels, each before those that it dominates, once `dominators` ran.
    """

    def __init__(self, entry: int, successors: dict[int, tuple[int, ...]]) -> None:
        self.entry = entry
        self.successors: dict[int, tuple[int, ...]] = {}
        self.predecessors: dict[int, list[int]] = {}
        for label, targets in successors.items():
            self.successors[label] = kept = tuple(dict.fromkeys(targets))
            for each in kept:
                self.predecessors.setdefault(each, []).append(label)
        self.order = self._order()
        self.reachable = {label: at for at, label in enumerate(self.order)}
        self.dominated: list[int] = []
        self._parents: list[int] = []
        self._enter: list[int] = []
        self._leave: list[int] = []

    def reversed(self) -> "DominanceGraph":
        """Return the graph of the blocks that can be reached, backwards, from a block 0 before all
        those that lead nowhere.
        """
        ways = {0: tuple(each for each in self.order if not self.successors.get(each))}
        for label in self.order:
            before = self.predecessors.get(label, ())
            ways[label] = tuple(each for each in before if each in self.reachable)
        return DominanceGraph(0, ways)

    def _order(self) -> list[int]:
        found: list[int] = []
        seen = {self.entry}
        pending = [(self.entry, iter(self.successors.get(self.entry, ())))]
        while pending:
            label, left = pending[-1]
            for each in left:
                if each not in seen:
                    seen.add(each)
                    pending.append((each, iter(self.successors.get(each, ()))))
                    break
            else:
                found.append(label)
                pending.pop()
        return found[::-1]

    def dominators(self) -> list[int] | None:
        """Return the immediate dominator of each block of `order`, by index.

        None if the graph is so irregular that it would take too long.
        """
        places = self.reachable
        before = [
            [places[each] for each in self.predecessors.get(label, ()) if each in places]
            for label in self.order
        ]
        parents = [-1] * len(self.order)
        parents[0] = 0
        for _ in range(MOST):
            changed = False
            for at in range(1, len(parents)):
                found = -1
                for each in before[at]:
                    if parents[each] >= 0:
                        found = each if found < 0 else self._meet(parents, found, each)
                if parents[at] != found:
                    parents[at] = found
                    changed = True
            if not changed:
                self._number(parents)
                return parents
        return None

    @staticmethod
    def _meet(parents: list[int], one: int, two: int) -> int:
        while one != two:
            while one > two:
                one = parents[one]
            while two > one:
                two = parents[two]
        return one

    def _number(self, parents: list[int]) -> None:
        """Number the tree of dominators, so that `dominates` compares intervals."""
        children: list[list[int]] = [[] for _ in parents]
        for at in range(1, len(parents)):
            children[parents[at]].append(at)
        self._enter, self._leave = [0] * len(parents), [0] * len(parents)
        clock = 0
        pending = [(0, False)]
        while pending:
            at, done = pending.pop()
            if done:
                self._leave[at] = clock
                continue
            self._enter[at] = clock
            self.dominated.append(self.order[at])
            clock += 1
            pending.append((at, True))
            pending += [(each, False) for each in children[at]]
        self._parents = parents

    def below(self, label: int) -> list[int]:
        """Return the blocks that one dominates, itself first."""
        at = self.reachable[label]
        return self.dominated[self._enter[at] : self._leave[at]]

    def parent(self, label: int) -> int:
        """Return the immediate dominator of a block; the entry is its own."""
        return self.order[self._parents[self.reachable[label]]]

    def dominates(self, one: int, two: int) -> bool:
        """Return True if block `one` dominates block `two`; both are reachable."""
        a, b = self.reachable.get(one), self.reachable.get(two)
        if a is None or b is None:
            return False
        return self._enter[a] <= self._enter[b] < self._leave[a]


class FlowGraph(DominanceGraph):
    """The blocks of a function by their labels.

    Attributes:
        insts: The instructions in blocks.
        merges: Merge instructions by the label of their block.
        terminators: Last instructions by the label of their block.
    """

    def __init__(self, code: list[Inst]) -> None:
        self.insts: list[Inst] = []
        self.phis: list[Inst] = []
        self.merges: dict[int, Inst] = {}
        self.terminators: dict[int, Inst] = {}
        self.targets: dict[int, tuple[int, ...]] = {}
        entry, labels = 0, set()
        for inst in code:
            if inst.code == Opcode.Label:
                labels.add(inst.id)
                entry = entry or inst.id
            elif inst.block:
                self._add(inst)
        kept = {
            label: tuple(each for each in targets if each in labels)
            for label, targets in self.targets.items()
        }
        super().__init__(entry, kept)

    def _add(self, inst: Inst) -> None:
        self.insts.append(inst)
        if inst.code == Opcode.Phi:
            self.phis.append(inst)
        elif inst.code in (Opcode.LoopMerge, Opcode.SelectionMerge):
            self.merges[inst.block] = inst
        elif inst.code in TERMINATORS or inst.code == Opcode.AbortKHR:
            self.terminators[inst.block] = inst
            ids = [each.words[0] for each in inst.operands if each.is_id]
            match inst.code:
                case Opcode.Branch:
                    self.targets[inst.block] = tuple(ids)
                case Opcode.BranchConditional:
                    self.targets[inst.block] = tuple(ids[1:3])
                case Opcode.Switch:
                    self.targets[inst.block] = tuple(ids[1:])

    def structural(self) -> DominanceGraph:
        """Return the graph in which headers also lead to their merge and continue targets."""
        ways = dict(self.successors)
        for label, merge in self.merges.items():
            named = merge.words[1 : 3 if merge.code == Opcode.LoopMerge else 2]
            known = (each for each in named if each in self.terminators)
            ways[label] = (*ways.get(label, ()), *known)
        return DominanceGraph(self.entry, ways)
