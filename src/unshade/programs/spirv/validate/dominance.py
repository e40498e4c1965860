"""The flow graph of a function, and which blocks dominate which.

Source: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
"""

from ..tables.numbers import Opcode
from ..tables.sections import TERMINATORS
from .instruction import Inst

__all__ = ["FlowGraph"]

MOST = 100  # passes; structured code needs a few


class FlowGraph:
    """The blocks of a function by their labels.

    Attributes:
        entry: The label of the first block.
        order: Labels that the entry reaches, in reverse post order.
        insts: The instructions in blocks.
        merges: Merge instructions by the label of their block.
        terminators: Last instructions by the label of their block.
    """

    def __init__(self, code: list[Inst]) -> None:
        self.entry = 0
        self.insts: list[Inst] = []
        self.phis: list[Inst] = []
        self.merges: dict[int, Inst] = {}
        self.terminators: dict[int, Inst] = {}
        self.successors: dict[int, tuple[int, ...]] = {}
        self.predecessors: dict[int, list[int]] = {}
        labels: set[int] = set()
        for inst in code:
            if inst.code == Opcode.Label:
                labels.add(inst.id)
                self.entry = self.entry or inst.id
            elif inst.block:
                self._add(inst)
        for label, targets in self.successors.items():
            kept = tuple(dict.fromkeys(each for each in targets if each in labels))
            self.successors[label] = kept
            for each in kept:
                self.predecessors.setdefault(each, []).append(label)
        self.order = self._order()
        self.reachable = {label: at for at, label in enumerate(self.order)}
        self._parents: list[int] = []
        self._enter: list[int] = []
        self._leave: list[int] = []

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
                    self.successors[inst.block] = tuple(ids)
                case Opcode.BranchConditional:
                    self.successors[inst.block] = tuple(ids[1:3])
                case Opcode.Switch:
                    self.successors[inst.block] = tuple(ids[1:])

    def _order(self) -> list[int]:
        if not self.entry:
            return []
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
            clock += 1
            pending.append((at, True))
            pending += [(each, False) for each in children[at]]
        self._parents = parents

    def dominates(self, one: int, two: int) -> bool:
        """Return True if block `one` dominates block `two`; both are reachable."""
        a, b = self.reachable.get(one), self.reachable.get(two)
        if a is None or b is None:
            return False
        return self._enter[a] <= self._enter[b] < self._leave[a]
