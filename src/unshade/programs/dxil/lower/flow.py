"""Lowering of functions: their blocks are a graph, which is structured; calls are inlined.

    br i1 %c, label %a, label %b      Fork
    switch i32 %n, label %d [ … ]     Multiway
    ret float %x                      the end of the graph, or of the block of the call
    %p = phi float [ %x, %a ], …      a variable for each scalar

There are no merge instructions: diverged lanes reconverge at the immediate post-dominator (ir.cfg).
"""

from collections.abc import Callable, Iterator, Sequence

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from ....ir.kernel import DEEPEST, Value
from ....ir.transforms.functions import CallFrame, Calls
from ....ir.types import BOOL, Type
from ..model.constants import ConstantNull, UndefinedValue, integer_of
from ..model.instructions import (
    BranchInst,
    Instruction,
    PhiInst,
    ReturnInst,
    SwitchInst,
    UnreachableInst,
)
from ..model.types import DxilType
from ..model.values import BasicBlock, DxilValue, Function
from .bound import ResourceObject
from .references import References, flat, is_reference
from .values import Result, Values, parts_of, scalar_type

__all__ = ["Flow"]

Lower = Callable[[Instruction], None]


class Flow:
    """Lowering of functions; `lower` lowers an instruction that neither branches nor is a phi."""

    def __init__(
        self, values: Values, references: References, instructions: int, lower: Lower
    ) -> None:
        self.values = values
        self.references = references
        self.b = values.builder
        self.calls = Calls(self.b, instructions)
        self.lower = lower
        self.place: Callable[[Instruction], None] = lambda instruction: None

    # ------------------------------------------------------------ functions

    def entry(self, function: Function, arguments: Sequence[Result] = ()) -> None:
        """Append the body of a function; its return ends the lane."""
        self._body(function, arguments, None)

    def call(self, function: Function, arguments: Sequence[Result]) -> Result:
        """Append the body of a function in place of a call; return its result."""
        result = function.function_type.result
        types = [] if result.is_void else [*self._scalars(result)]
        with self.calls.enter(function.name, *types, key=function) as frame:
            self._body(function, arguments, frame)
        found = iter([self.b.get(each) for each in frame.results])
        return None if result.is_void else self._joined(result, found)

    def _body(
        self, function: Function, arguments: Sequence[Result], frame: CallFrame | None
    ) -> None:
        if not function.blocks:
            raise UnsupportedError(f"a call of {function.name}, which is not defined")
        if len(arguments) != len(function.arguments):
            count = len(function.arguments)
            raise UnsupportedError(f"{function.name}: expected {count} arguments")
        with self.values.entered():
            for argument, value in zip(function.arguments, arguments, strict=True):
                self.values.set(argument, value)
            blocks = reachable(function)
            self._check(function, blocks)
            numbers = {block: number for number, block in enumerate(blocks)}
            depth = DEEPEST - sum(1 for _ in self.calls.frames)
            build(self.b, [self._node(each, numbers, frame) for each in blocks], deepest=depth)

    def _check(self, function: Function, blocks: Sequence[BasicBlock]) -> None:
        for block in blocks:
            self.calls.spend(len(block.instructions))
            if not block.instructions or not block.instructions[-1].is_terminator:
                raise UnsupportedError(f"{function.name}: a block without a terminator")

    # ------------------------------------------------------------ blocks

    def _node(
        self, block: BasicBlock, numbers: dict[BasicBlock, int], frame: CallFrame | None
    ) -> Node:
        phis: list[Phi] = []
        rest: list[Instruction] = []
        for each in block.instructions:
            if isinstance(each, PhiInst):
                phis += self._phi(each, numbers)
            else:
                rest.append(each)
        return Node(self._code(rest, frame), self._end(rest[-1], numbers, frame), phis)

    def _code(
        self, code: Sequence[Instruction], frame: CallFrame | None
    ) -> Callable[[Builder], None]:
        frames = self.values.frames[-1]

        def run(b: Builder) -> None:
            assert self.values.frames[-1] is frames
            *body, last = code
            for each in body:
                self.lower(each)
            self.place(last)
            if isinstance(last, ReturnInst) and last.value is not None and frame is not None:
                found = self.values.get(last.value)
                for var, value in zip(frame.results, flat(found), strict=True):
                    b.set(var, value)

        return run

    def _phi(self, phi: PhiInst, numbers: dict[BasicBlock, int]) -> Iterator[Phi]:
        refers = is_reference(phi.type)
        types = self.references.types(phi.type) if refers else [*self._scalars(phi.type)]
        made = []
        for at, type in enumerate(types):
            incoming = {
                numbers[block]: self._later(value, type, at)
                for value, block in phi.incoming
                if block in numbers
            }
            made.append(Phi(type, incoming))
        parts = [each.value for each in made]
        if refers:
            self.values.set(phi, self.references.joined(phi, parts))
        else:
            self.values.set(phi, self._joined(phi.type, iter(parts)))
        for each in made:
            self.place(phi)
            each.value.line, each.value.location = self.b.line, self.b.location
        yield from made

    def _later(self, value: DxilValue, type: Type, at: int = 0) -> Callable[[Builder], Value]:
        """Return a function that appends a scalar of a value once its operands are lowered."""

        def found(b: Builder) -> Value:
            if isinstance(value, UndefinedValue) or (
                isinstance(value, ConstantNull) and is_reference(value.type)
            ):
                return constant(0, type)
            known = self.references.pointers.pointer(value)
            if isinstance(known, ResourceObject) and not is_reference(value.type):
                raise UnsupportedError(f"a phi of type {value.type!s:.40} cannot be run yet")
            return flat(known)[at]

        return found

    def _end(
        self, last: Instruction, numbers: dict[BasicBlock, int], frame: CallFrame | None
    ) -> ExitGraph | Jump | Fork | Multiway:
        match last:
            case BranchInst(condition=None):
                return Jump(numbers[last.target])
            case BranchInst():
                assert last.condition is not None
                assert last.false_target is not None
                if self.values.type(last.condition.type) != BOOL:
                    message = f"expected a condition of i1, got {last.condition.type!s:.40}"
                    raise UnsupportedError(message)
                targets = numbers[last.target], numbers[last.false_target]
                if targets[0] == targets[1]:
                    return Jump(targets[0])
                return Fork(self._later(last.condition, BOOL), *targets)
            case SwitchInst():
                return self._switch(last, numbers)
            case ReturnInst() | UnreachableInst():
                return ExitGraph(frame.block if frame is not None else None)
        raise UnsupportedError(f"{last.opcode} cannot be run yet")

    def _switch(self, last: SwitchInst, numbers: dict[BasicBlock, int]) -> Multiway | Jump:
        labels: dict[int, list[int]] = {}
        type = self.values.type(last.condition.type)
        default = numbers[last.default]
        for value, block in last.cases:
            number = integer_of(value)
            assert number is not None
            labels.setdefault(numbers[block], []).append(number & type.mask)
        if {*labels} <= {default}:
            return Jump(default)
        cases = [(tuple(some), to) for to, some in labels.items()]
        return Multiway(self._later(last.condition, type), cases, default)

    # ------------------------------------------------------------ aggregates

    def _scalars(self, type: DxilType, depth: int = 0) -> Iterator[Type]:
        """Yield the types of the scalars of a value."""
        scalar = scalar_type(type)
        if scalar is not None:
            yield scalar
            return
        for each in parts_of(type):
            yield from self._scalars(each, depth + 1)

    def _joined(self, type: DxilType, values: Iterator[Value]) -> Result:
        """Return a value of a type, made of these scalars."""
        if scalar_type(type) is not None:
            return next(values)
        return tuple(self._joined(each, values) for each in parts_of(type))


def reachable(function: Function) -> list[BasicBlock]:
    """Return the blocks that can be reached, in the order of the function."""
    seen = {function.blocks[0]}
    waiting = [function.blocks[0]]
    while waiting:
        for each in waiting.pop().successors:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return [each for each in function.blocks if each in seen]
