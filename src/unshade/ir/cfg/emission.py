"""Emission of a graph as statements of `ir`, by its tree of regions.

TakenEdge(3, 5)     sets a variable for each phi of 5; block 5 begins by reading all of them, so
                    that they change simultaneously
BranchStep(3)       if or switch, on the line of its condition; a condition that has a line in the
                    listing is not negated
LabelledRegion,     block and exit, or break if that is equivalent
LeaveRegion
StateVariable       a variable

The code of a block is emitted before the code of the blocks that it dominates, so that values are
defined before they are used. The tree has the blocks in that order, unless a loop has several
headers: where inner loops were merged into it, blocks before a header may follow its arm.
"""

from collections.abc import Mapping, Sequence

from ...dataclass import dataclass
from .. import kernel as ir
from ..builder import Builder, constant
from ..kernel import DEEPEST, Region, Value, ended
from ..locations import SourceLocation
from ..memory import Var
from ..types import I32
from . import regions
from .graph import ExitGraph, Fork, Multiway, Node, Operand, check, successors
from .scopes import into_scope
from .structurer import structure


def build(
    builder: Builder,
    nodes: Sequence[Node],
    merges: Mapping[int, int] | None = None,
    deepest: int = DEEPEST,
) -> None:
    """Append the regions of a graph.

    Args:
        builder: the builder to append to.
        nodes: the blocks; block 0 is the entry.
        merges: merge blocks of loops, by header.
        deepest: maximum nesting of the regions, relative to the builder's position; lower limits
            produce more code.
    """
    successors = check(nodes)
    tree = structure(successors, merges, deepest)
    outer = builder.region
    with builder.within([]):
        emission = _Emission(builder, nodes)
        if _has_dispatch(tree):
            emission.prepare(_dominators_first(successors))
        emission.tree(tree, False)
        made = builder.region
    into_scope(builder, made)
    outer += made


def _has_dispatch(tree: regions.Tree) -> bool:
    """Return True if a loop has several headers."""
    return any(
        (isinstance(step, regions.RepeatedRegion) and len(step.headers) > 1)
        or any(_has_dispatch(each) for each in regions.inside(step))
        for step in tree
    )


def _dominators_first(targets: Sequence[Sequence[int]]) -> list[int]:
    """Return the blocks that are reachable, in reverse postorder."""
    found: list[int] = []
    seen = {0}
    work = [(0, iter(targets[0]))]
    while work:
        block, rest = work[-1]
        for to in rest:
            if to not in seen:
                seen.add(to)
                work.append((to, iter(targets[to])))
                break
        else:
            found.append(block)
            work.pop()
    return found[::-1]


@dataclass(slots=True)
class _MadeCode:
    """Code of a block that was made beforehand, and the place that the builder was at."""

    region: Region
    line: int
    location: SourceLocation | None


class _Emission:
    def __init__(self, builder: Builder, nodes: Sequence[Node]) -> None:
        self.b = builder
        self.made: dict[int, _MadeCode] = {}
        self.nodes = nodes
        self.blocks: dict[regions.LabelledRegion, ir.Block] = {}
        self.left: set[regions.LabelledRegion] = set()
        self.states: dict[regions.StateVariable, Var] = {}
        for node in nodes:
            for phi in node.phis:
                self._declare(phi.var)

    def _declare(self, var: Var) -> Var:
        """Declare a variable, with a unique name."""
        var.name = self.b.names.unique(var.name)
        self.b.kernel.variables.append(var)
        return var

    def _state(self, state: regions.StateVariable) -> Var:
        found = self.states.get(state)
        if found is None:
            found = self.states[state] = self._declare(Var("next", I32))
        return found

    def _operand(self, operand: Operand) -> Value:
        return operand if isinstance(operand, Value) else operand(self.b)

    def _within(self, tree: regions.Tree, switch: bool) -> Region:
        """Emit a tree into a new region."""
        with self.b.within([]):
            self.tree(tree, switch)
            return self.b.region

    def tree(self, tree: regions.Tree, switch: bool) -> None:
        """Emit steps up to one that ends the region; `switch`: a break would leave a switch."""
        b = self.b
        for step in tree:
            if ended(b.region):
                return
            match step:
                case regions.BlockCode():
                    self._place(step.block)
                case regions.TakenEdge():
                    given = [(phi, phi.incoming[step.block]) for phi in self.nodes[step.to].phis]
                    values = [(phi.var, self._operand(operand)) for phi, operand in given]
                    for var, value in values:
                        b.set(var, value)
                case regions.BranchStep():
                    self._choice(step, switch)
                case regions.TerminalStep():
                    end = self.nodes[step.block].end
                    assert isinstance(end, ExitGraph)
                    if end.leave is None:
                        b.return_()
                    else:
                        b.exit(end.leave)
                case regions.LabelledRegion():
                    made = self.blocks[step] = ir.Block()
                    made.body = self._within(step.body, switch)
                    b.region += [made] if step in self.left else made.body
                case regions.LeaveRegion():
                    if step.breaks and not switch:
                        b.break_()
                    else:
                        self.left.add(step.block)
                        b.exit(self.blocks[step.block])
                case regions.RepeatedRegion():
                    b.region.append(ir.Loop(self._within(step.body, False)))
                case regions.ContinueLoop():
                    b.continue_()
                case regions.SetState():
                    b.set(self._state(step.state), constant(step.number, I32))
                case regions.SwitchOnState():
                    self._dispatch(step)
                case regions.IfState():
                    state = b.get(self._state(step.state))
                    if step.high == step.low + 1:
                        asked = b.ieq(state, step.low)
                    else:
                        asked = b.ult(state, step.high)
                    b.region.append(ir.If(asked, self._within(step.body, switch)))

    def prepare(self, order: Sequence[int]) -> None:
        """Make the code of all blocks, in an order."""
        b = self.b
        for block in order:
            with b.within([]):
                self._code(self.nodes[block])
                self.made[block] = _MadeCode(b.region, b.line, b.location)

    def _place(self, block: int) -> None:
        """Append the code of a block."""
        made = self.made.get(block)
        if made is None:
            self._code(self.nodes[block])
        else:
            self.b.region += made.region
            self.b.line, self.b.location = made.line, made.location

    def _code(self, node: Node) -> None:
        b = self.b
        b.region += [phi.value for phi in node.phis]
        if callable(node.code):
            node.code(b)
        else:
            b.region += node.code

    def _choice(self, step: regions.BranchStep, switch: bool) -> None:
        b, end = self.b, self.nodes[step.block].end
        if isinstance(end, Fork):
            condition = self._operand(end.condition)
            then = self._within(step.arms.get(end.then, []), switch)
            otherwise = self._within(step.arms.get(end.otherwise, []), switch)
            if otherwise and not then and not condition.line:
                condition, then, otherwise = b.not_(condition), otherwise, then
            b.region.append(ir.If(condition, then, otherwise, condition.line, branch=True))
            return
        assert isinstance(end, Multiway)
        labels: dict[int, list[int]] = {to: [] for to in successors(end)}
        for some, to in end.cases:
            labels[to] += some
        value = self._operand(end.value)
        chosen = ir.Switch(value, line=value.line, branch=True)
        for to, named in labels.items():
            arm = self._within(step.arms.get(to, []), True)
            chosen.cases.append(ir.Case(tuple(named), to == end.default, arm))
        b.region.append(chosen)

    def _dispatch(self, step: regions.SwitchOnState) -> None:
        b = self.b
        state = b.get(self._state(step.state))
        chosen = ir.Switch(state)
        last = len(step.arms) - 1
        for number, arm in enumerate(step.arms):
            labels = () if number == last else (number,)
            chosen.cases.append(ir.Case(labels, number == last, self._within(arm, True)))
        b.region.append(chosen)
