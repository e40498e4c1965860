"""The flow graph of a function, and which blocks dominate which.

DominanceGraph   labels, edges, dominators
FlowGraph        the graph of a function, with its instructions
structural()     with an edge from each header to its merge block and continue target
reversed()       from the blocks that leave to the entry: its dominators post-dominate
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ....isa.dominance import Dominance
from ..tables.numbers import Opcode
from ..tables.sections import TERMINATORS
from .instruction import Inst

__all__ = ["DominanceGraph", "FlowGraph"]


class DominanceGraph:
    """A graph of labels.

    Attributes:
        entry: The label of the first block; 0 in a graph without blocks, or a reversed one.
        successors: The labels that each leads to, each once.
        predecessors: The labels that lead to each.
        order: Labels that the entry reaches, in reverse post order.
        reachable: The place of each in `order`.
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

    def reversed(self) -> "DominanceGraph":
        """Return the reversed graph of reachable blocks, from a new block 0 before all exits."""
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

    @cached_property
    def _tree(self) -> Dominance:
        """The dominators of the blocks, by their places in `order`."""
        places = self.reachable
        return Dominance(
            [
                [places[each] for each in self.successors.get(label, ()) if each in places]
                for label in self.order
            ]
        )

    @cached_property
    def dominated(self) -> list[int]:
        """The labels of `order`, each before the labels that it dominates."""
        return [self.order[at] for at in self._tree.dominated]

    def below(self, label: int, without: Iterable[int] = ()) -> list[int]:
        """Return the blocks that a block dominates, itself first, without those below `without`."""
        places = self.reachable
        apart = [places[each] for each in without if each in places]
        return [self.order[at] for at in self._tree.below(places[label], apart)]

    def parent(self, label: int) -> int:
        """Return the immediate dominator of a block; the entry is its own."""
        parent = self._tree.parents[self.reachable[label]]
        return self.order[max(parent, 0)]

    def dominates(self, one: int, two: int) -> bool:
        """Return True if block `one` dominates block `two`; both are reachable."""
        a, b = self.reachable.get(one), self.reachable.get(two)
        return a is not None and b is not None and self._tree.dominates(a, b)


class FlowGraph(DominanceGraph):
    """The blocks of a function by their labels.

    Attributes:
        merges: Merge instructions by the label of their block.
        terminators: Last instructions by the label of their block.
    """

    def __init__(self, code: Sequence[Inst]) -> None:
        self.code = code
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

    @property
    def insts(self) -> Iterator[Inst]:
        """The instructions in blocks."""
        return (each for each in self.code if each.block and each.code != Opcode.Label)

    def _add(self, inst: Inst) -> None:
        if inst.code == Opcode.Phi:
            self.phis.append(inst)
        elif inst.code in (Opcode.LoopMerge, Opcode.SelectionMerge):
            self.merges[inst.block] = inst
        elif inst.code in TERMINATORS or inst.code == Opcode.AbortKHR:
            self.terminators[inst.block] = inst
            ids = inst.ids()
            match inst.code:
                case Opcode.Branch:
                    self.targets[inst.block] = ids
                case Opcode.BranchConditional:
                    self.targets[inst.block] = ids[1:3]
                case Opcode.Switch:
                    self.targets[inst.block] = ids[1:]

    def structural(self) -> DominanceGraph:
        """Return the graph in which headers also lead to their merge and continue targets."""
        ways = dict(self.successors)
        for label, merge in self.merges.items():
            named = merge.words[1 : 3 if merge.code == Opcode.LoopMerge else 2]
            known = (each for each in named if each in self.terminators)
            ways[label] = (*ways.get(label, ()), *known)
        return DominanceGraph(self.entry, ways)
