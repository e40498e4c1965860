"""Dependence of a value on other values, on memory and on branches.

    %3 = fadd %1, %2                operands
    %4 = load %p                    whatever is written through a pointer to the same memory
    %5 = phi [0, %a], [%1, %b]      operands; constants by the branches that choose them
    br i1 %c, …                     the branches that decide whether this instruction runs

An instruction also depends on the branches that decide whether its block runs. Loads from resources
do not depend on the shader's own writes.
"""

from collections.abc import Iterator

from ....enums import IntEnum
from ....limits import Limits
from ..model.constants import ConstantExpression, DxilConstant
from ..model.instructions import (
    AtomicRMWInst,
    CallInst,
    CompareExchangeInst,
    Instruction,
    LoadInst,
    PhiInst,
    ReturnInst,
    StoreInst,
)
from ..model.types import PointerType
from ..model.values import Argument, BasicBlock, DxilValue, Function
from .control import BranchBudget, ControlDependence

__all__ = ["Causes", "Node", "NodeKind"]

WRITERS = (StoreInst, AtomicRMWInst, CompareExchangeInst)
READERS = (LoadInst, AtomicRMWInst, CompareExchangeInst)


class NodeKind(IntEnum):
    """The kind of a node of the graph of dependence."""

    VALUE = 0  # an instruction or argument
    BLOCK = 1  # whether a block runs
    READ = 2  # the memory that a pointer points at
    WRITE = 3  # what is written through a pointer, or through pointers made from it
    FUNCTION = 4  # whether a function is called


Node = tuple[NodeKind, DxilValue]


class Causes:
    """The dependence graph of functions that may call each other."""

    def __init__(self, functions: list[Function], limits: Limits) -> None:
        self.budget = BranchBudget(limits)
        self.flows = {
            each: ControlDependence(each, self.budget) for each in functions if each.blocks
        }
        self.homes: dict[DxilValue, BasicBlock] = {}
        self.functions: dict[DxilValue, Function] = {}  # of a block or argument
        self.returns: dict[Function, list[Instruction]] = {}
        self.calls: dict[Function, list[CallInst]] = {}
        self.writes: dict[DxilValue, list[DxilValue]] = {}  # writers, by pointer
        self.derived: dict[DxilValue, dict[DxilValue, None]] = {}  # pointers made from a pointer
        for function in self.flows:
            self.functions.update(dict.fromkeys(function.arguments, function))
            for block in function.blocks:
                self.functions[block] = function
                for each in block.instructions:
                    self._enter(function, block, each)

    def _enter(self, function: Function, block: BasicBlock, each: Instruction) -> None:
        self.homes[each] = block
        if isinstance(each, ReturnInst):
            self.returns.setdefault(function, []).append(each)
        elif isinstance(each, CallInst) and isinstance(each.callee, Function):
            if not each.callee.is_declaration:
                self.calls.setdefault(each.callee, []).append(each)
                parameters = zip(each.callee.arguments, each.arguments, strict=False)
                for parameter, given in parameters:
                    if isinstance(given.type, PointerType):
                        self._derive(given, parameter)
        elif isinstance(each, WRITERS):
            self.writes.setdefault(each.pointer, []).append(each)
            self._unfold(each.pointer)
        elif isinstance(each.type, PointerType):
            for base in _bases(each):
                self._derive(base, each)

    def _derive(self, base: DxilValue, pointer: DxilValue) -> None:
        self.derived.setdefault(base, {})[pointer] = None
        self._unfold(base)

    def _unfold(self, pointer: DxilValue) -> None:
        """Add the operands of a constant expression."""
        while isinstance(pointer, ConstantExpression):
            bases = _bases(pointer)
            if not bases or pointer in self.derived.get(bases[0], ()):
                return
            self.derived.setdefault(bases[0], {})[pointer] = None
            pointer = bases[0]

    def __call__(self, node: Node) -> Iterator[Node]:
        """Yield the nodes that a node depends on."""
        kind, value = node
        if kind is NodeKind.BLOCK:
            assert isinstance(value, BasicBlock)
            function = self.functions[value]
            for block in self.flows[function].branches(value):
                yield NodeKind.VALUE, block.instructions[-1]
            yield NodeKind.FUNCTION, function
        elif kind is NodeKind.FUNCTION:
            assert isinstance(value, Function)
            for call in self.calls.get(value, ()):
                yield NodeKind.BLOCK, self.homes[call]
        elif kind is NodeKind.READ:
            bases = self._bases_of(value)
            for base in bases:
                yield NodeKind.READ, base
            if not bases:
                yield NodeKind.WRITE, value
        elif kind is NodeKind.WRITE:
            for writer in self.writes.get(value, ()):
                yield NodeKind.VALUE, writer
            for pointer in self.derived.get(value, ()):
                yield NodeKind.WRITE, pointer
        elif isinstance(value, Argument):
            for call in self.calls.get(self.functions[value], ()):
                if value.index < len(call.arguments):
                    yield from self._used(call.arguments[value.index])
        elif isinstance(value, Instruction):
            yield from self._causes(value)

    def of_output(self, call: CallInst, value: DxilValue) -> list[Node]:
        """Return the nodes that determine a write: its value, and whether it runs."""
        return [*self._used(value), (NodeKind.BLOCK, self.homes[call])]

    def _bases_of(self, pointer: DxilValue) -> list[DxilValue]:
        if isinstance(pointer, Argument) and pointer in self.functions:
            calls = self.calls.get(self.functions[pointer], ())
            return [
                each.arguments[pointer.index]
                for each in calls
                if pointer.index < len(each.arguments)
            ]
        return _bases(pointer)

    def _used(self, value: DxilValue) -> Iterator[Node]:
        """Yield the node of an operand; constants and globals have none."""
        if value in self.homes or (isinstance(value, Argument) and value in self.functions):
            yield NodeKind.VALUE, value

    def _causes(self, value: Instruction) -> Iterator[Node]:
        for operand in value.operands:
            yield from self._used(operand)
        yield NodeKind.BLOCK, self.homes[value]
        if isinstance(value, READERS):
            yield NodeKind.READ, value.pointer
        elif isinstance(value, PhiInst):
            yield from self._chosen(value)
        elif isinstance(value, CallInst) and isinstance(value.callee, Function):
            for each in self.returns.get(value.callee, ()):
                yield NodeKind.VALUE, each

    def _chosen(self, phi: PhiInst) -> Iterator[Node]:
        """Yield the branches that choose a constant of a phi.

        A constant counts as set in the highest block from which no other value can reach the phi,
        so that the branches below that block do not choose it.
        """
        flow = self.flows[self.functions[self.homes[phi]]]
        marks: dict[int, DxilValue | None] = {}  # blocks that only one value leaves
        for value, block in phi.incoming:
            marks.setdefault(flow.places.get(block, -1), value)
        for value, block in phi.incoming:
            home = flow.places.get(self.homes.get(value, flow.blocks[0]), 0)
            at = flow.places.get(block, -1)
            if at in (home, -1):
                continue
            at = flow.parent(at)
            while at >= 0:
                self.budget.add(1)
                if at in marks:
                    if marks[at] is not value and not _are_constants(marks[at], value):
                        marks[at] = None
                    break
                marks[at] = value
                if at == home:
                    break
                at = flow.parent(at)
        for value, block in phi.incoming:
            at = flow.places.get(block, -1)
            if at < 0 or not isinstance(value, DxilConstant):
                continue
            while (above := flow.parent(at)) >= 0 and marks.get(above) is value:
                self.budget.add(1)
                at = above
            yield NodeKind.BLOCK, flow.blocks[at]


def _are_constants(*values: DxilValue | None) -> bool:
    return all(each is None or isinstance(each, DxilConstant) for each in values)


def _bases(pointer: DxilValue) -> list[DxilValue]:
    """Return the pointers that a pointer is made from; none for a variable or other value."""
    if isinstance(pointer, Instruction):
        return [each for each in pointer.bases if isinstance(each.type, PointerType)]
    if isinstance(pointer, ConstantExpression):
        return [each for each in pointer.operands if isinstance(each.type, PointerType)][:1]
    return []
