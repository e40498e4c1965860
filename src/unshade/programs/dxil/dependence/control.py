"""Control dependence: the branches that decide whether a block runs.

            a                  b and c depend on the branch that ends a; d does not, since
          /   \\                it runs either way
         b     c
          \\   /
            d

A block depends on the branch of block a if one way out of a always leads through the block, and
another does not: the dominance frontier of the block in the reversed graph. Source: Cytron and
others, "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph"
(1991).
"""

from ....errors import LimitError
from ....isa.dominance import Dominance
from ....limits import Limits
from ..model.values import BasicBlock, Function

__all__ = ["BranchBudget", "ControlDependence"]


class BranchBudget:
    """The number of steps over branches, which may be many for each block."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.done = 0

    def add(self, steps: int) -> None:
        """Account for steps.

        Raises:
            LimitError: The number exceeds `limits.sharing`.
        """
        self.done += steps
        if self.done > self.limits.sharing:
            raise LimitError("sharing", self.limits.sharing, "more branches over blocks")


class ControlDependence:
    """The control flow of a function: dominators of blocks, and the branches they depend on.

    Blocks are numbered in the order of the function.
    """

    def __init__(self, function: Function, budget: "BranchBudget") -> None:
        self.budget = budget
        self.blocks = function.blocks
        self.places = {block: number for number, block in enumerate(self.blocks)}
        self.successors = [
            [self.places[each] for each in block.successors if each in self.places]
            for block in self.blocks
        ]
        self.dominance = Dominance(self.successors)
        self._after = self._postdominators()
        self._known: dict[int, list[BasicBlock]] | None = None

    def parent(self, block: int) -> int:
        """Return the immediate dominator of a block, or -1."""
        return self.dominance.parents[block]

    def branches(self, block: BasicBlock) -> list[BasicBlock]:
        """Return the blocks whose branches decide whether a block runs."""
        if self._known is None:
            self._known = self._frontiers()
        return self._known.get(self.places[block], [])

    def _postdominators(self) -> list[int]:
        """Return the immediate postdominator of each block; the number of blocks for the exit."""
        count = len(self.blocks)
        reverse: list[list[int]] = [[] for _ in range(count + 1)]
        for at, targets in enumerate(self.successors):
            if not self.dominance.reaches(at):
                continue
            for target in targets:
                reverse[target + 1].append(at + 1)
            if not targets:
                reverse[0].append(at + 1)
        parents = Dominance(reverse).parents
        return [parents[at + 1] - 1 if parents[at + 1] > 0 else count for at in range(count)]

    def _frontiers(self) -> dict[int, list[BasicBlock]]:
        """Return the branches that decide each block: an edge decides its target up to the join."""
        found: dict[int, list[BasicBlock]] = {}
        exit = len(self.blocks)
        for at, targets in enumerate(self.successors):
            if len(targets) < 2 or not self.dominance.reaches(at):
                continue
            seen: set[int] = set()
            for target in targets:
                each = target
                while each != self._after[at] and each != exit and each not in seen:
                    self.budget.add(1)
                    seen.add(each)
                    found.setdefault(each, []).append(self.blocks[at])
                    each = self._after[each]
        return found
