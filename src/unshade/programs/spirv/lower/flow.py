"""Functions as graphs of blocks: branches, phis, returns, and calls, which are lowered in place.

    %5 = OpLabel                     Node
    %6 = OpPhi %int %a %3 %b %4        a phi for each leaf
         OpLoopMerge %9 %8 None        the merge block of the loop with header %5
         OpBranchConditional …         Fork

Lanes reconverge as `ir.cfg` specifies: at merge blocks of loops, elsewhere at the latest where all
paths join. A call is a block that its returns leave.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ....errors import UnsupportedError
from ....ir.builder import Builder, constant
from ....ir.cfg import ExitGraph, Fork, Jump, Multiway, Node, Phi, build
from ....ir.cfg.loops import AT_LEAST, PER_LOOP
from ....ir.kernel import DEEPEST, Value
from ....ir.locations import SymbolName, ValueLabel
from ....ir.transforms.functions import CallFrame
from ....ir.types import BOOL
from ..blocks import BasicBlock
from ..index import FunctionBody
from ..module import Instruction
from ..tables.numbers import Opcode
from .kept import KeptValue
from .lowering import FunctionValues
from .operations import Handlers
from .tessellation import ControlStage
from .types import LeafType
from .variables import begin_function

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = ["HANDLERS", "call", "lower_body", "lower_entry"]

LEAST = PER_LOOP + AT_LEAST  # nested regions that a function may have in any case
INSIDE = 4  # nested regions of one instruction
COMPONENTS = 16  # of a result, that count as an instruction
SKIPPED = frozenset({
    Opcode.Label, Opcode.Phi, Opcode.LoopMerge, Opcode.SelectionMerge, Opcode.Branch,
    Opcode.BranchConditional, Opcode.Switch, Opcode.Unreachable, Opcode.Line, Opcode.NoLine,
    Opcode.Nop, Opcode.Variable,
})  # fmt: skip


def lower_entry(lowering: "Lowering") -> None:
    """Lower the function of the entry point."""
    function = _function(lowering, lowering.entry.function)
    lowering.functions.append(FunctionValues(function.id, lowering.entry.name, None))
    if isinstance(lowering.stage, ControlStage):
        parts = _deepest(lowering, _heights(lowering)[function.id] + 1)
        lowering.stage.run(function, lower_body, parts)
    else:
        lower_body(lowering, function)
    lowering.functions.pop()


def _function(lowering: "Lowering", number: int) -> FunctionBody:
    found = lowering.index.functions.get(number)
    if found is None or not found.blocks:
        raise UnsupportedError(f"function %{number} has no body")
    return found


# ---------------------------------------------------------------- calls


def _call(lowering: "Lowering", instruction: Instruction) -> Any:
    words = instruction.words
    function = _function(lowering, words[3])
    given = [lowering.operand(each) for each in words[4:]]
    return call(lowering, function, given, lowering.types.of(words[1]))


def call(
    lowering: "Lowering", function: FunctionBody, given: Sequence[Any], result: LeafType
) -> Any:
    """Lower a function in place, and return its result; None if it returns nothing."""
    if len(given) != len(function.parameters):
        raise UnsupportedError(f"function %{function.id}: expected as many arguments as parameters")
    name = lowering.listing.function_name(function.id)
    b = lowering.b
    line, position = b.line, lowering.position
    with lowering.calls.enter(name, *result.leaves, key=function.id) as frame:
        values = FunctionValues(function.id, name, frame)
        values.values.update(zip(function.parameters, given, strict=True))
        if lowering.functions:
            caller = lowering.functions[-1]
            values.repeats = caller.repeats or _loops(lowering.index.functions[caller.function])
        lowering.functions.append(values)
        lower_body(lowering, function)
        lowering.functions.pop()
    lowering.position, b.line = position, line
    if not frame.results:
        return None
    return lowering.restored(result, [b.get(each) for each in frame.results])


def _loops(function: FunctionBody) -> bool:
    """Return True if a function may have loops: a branch to a block that is not further down."""
    places = {each.label: at for at, each in enumerate(function.blocks)}
    return any(
        places.get(to, at + 1) <= at
        for at, each in enumerate(function.blocks)
        for to in each.successors
    )


def _return(lowering: "Lowering", instruction: Instruction) -> None:
    """Set the results; the graph ends with the block."""
    frame = lowering.functions[-1].frame
    if frame is None or instruction.opcode == Opcode.Return:
        return
    for var, value in zip(frame.results, lowering.value(instruction.words[1]), strict=True):
        lowering.b.set(var, value)


def _kill(lowering: "Lowering", instruction: Instruction) -> None:
    """End the lane: it is discarded, and the graph ends with a return."""
    lowering.b.discard(constant(1, BOOL))


def _demote(lowering: "Lowering", instruction: Instruction) -> None:
    lowering.b.discard(constant(1, BOOL))


# ---------------------------------------------------------------- graphs


def lower_body(lowering: "Lowering", function: FunctionBody) -> None:
    """Lower the blocks of a function at the builder's position."""
    lowering.position = function.start
    begin_function(lowering, function)
    blocks = _reached(function)
    numbers: dict[int, int] = {}
    ends: dict[int, int] = {}  # of two parts of a block, the second is what others come from
    for number, block in enumerate(blocks):
        if number == 0 or lowering.index.module.instructions[block.start].opcode == Opcode.Label:
            numbers[block.label] = number
        if block.successors or block.label not in ends:
            ends[block.label] = number
    frame = lowering.functions[-1].frame
    merges = {}
    nodes = []
    for number, block in enumerate(blocks):
        if block.continue_target and block.merge in numbers:
            merges[number] = numbers[block.merge]
        nodes.append(_node(lowering, function, block, (numbers, ends), frame))
    outer = lowering.b.line
    lowering.b.line = 0
    build(lowering.b, nodes, merges, _deepest(lowering, _heights(lowering)[function.id]))
    lowering.b.line = outer


def _deepest(lowering: "Lowering", inside: int) -> int:
    """Return how deep regions may be nested at this level, given the levels inside it."""
    shares = inside + len(lowering.functions)
    return max((DEEPEST - INSIDE) // shares - 1, LEAST)


def _heights(lowering: "Lowering") -> dict[int, int]:
    """Return the number of nested calls that each function makes at most."""
    known = lowering.heights
    if known:
        return known
    calls: dict[int, set[int]] = {}
    for function in lowering.index.functions.values():
        code = lowering.index.module.instructions[function.start : function.end]
        calls[function.id] = {
            each.words[3] for each in code
            if each.opcode == Opcode.FunctionCall and each.words[3] in lowering.index.functions
        }  # fmt: skip
    stack = [*calls]
    opened: set[int] = set()
    while stack:
        top = stack[-1]
        if top in known:
            stack.pop()
            continue
        missing = [each for each in calls[top] if each not in known and each not in opened]
        opened.add(top)
        if missing:
            stack += missing
            continue
        known[top] = 1 + max((known.get(each, 0) for each in calls[top]), default=-1)
        stack.pop()
    return known


def _reached(function: FunctionBody) -> list[BasicBlock]:
    """Return the blocks that can be reached, the entry first."""
    by_label = {each.label: each for each in function.blocks}
    first = function.blocks[0]
    found = {first.start}
    stack = [first]
    while stack:
        for label in stack.pop().successors:
            block = by_label.get(label)
            if block is None:
                raise UnsupportedError(f"no such block: %{label}")
            if block.start not in found:
                found.add(block.start)
                stack.append(block)
    return [each for each in function.blocks if each.start in found]


def _node(
    lowering: "Lowering",
    function: FunctionBody,
    block: BasicBlock,
    places: tuple[dict[int, int], dict[int, int]],
    frame: CallFrame | None,
) -> Node:
    """Return the node of a block; `places` number the first and last nodes of each label."""
    code = lowering.index.module.instructions
    values = lowering.functions[-1]
    numbers, ends = places
    phis: list[Phi] = []
    kept: list[tuple[KeptValue, Any]] = []
    for position in range(block.start, block.end):
        if code[position].opcode == Opcode.Phi:
            phis += _phi(lowering, position, ends, kept)
    last = code[block.end - 1]
    lowering.position = block.end - 1

    def run(b: Builder) -> None:
        for each, found in kept:
            each.set(b, found)
        for position in range(block.start, block.end):
            instruction = code[position]
            if instruction.opcode not in SKIPPED:
                lower(lowering, instruction, position)

    return Node(run, _end(lowering, last, numbers, frame, values), phis)


def lower(lowering: "Lowering", instruction: Instruction, position: int) -> None:
    """Lower one instruction, and keep its result."""
    lowering.calls.spend()
    values = lowering.functions[-1]
    b = lowering.b
    lowering.position = position
    b.line = lowering.listing.numbers[position]
    b.location = lowering.listing.location(position, values.name, values.frame)
    handler = lowering.handlers.get(instruction.opcode)
    if handler is None:
        raise lowering.refusal(instruction)
    try:
        found = handler(lowering, instruction)
    except UnsupportedError as error:
        if str(error).startswith("instructions["):
            raise
        name = lowering.listing.operation(instruction)
        raise UnsupportedError(f"instructions[{position}]: {name}: {error}") from None
    decoded = lowering.index.decoded[position]
    if decoded.result is not None and found is not None:
        if isinstance(found, tuple):
            lowering.calls.spend(len(found) // COMPONENTS)
        lowering.label(decoded.result, found)
        if values.kept is not None and decoded.result in values.kept.ids:
            found = values.kept.kept(b, decoded.result, found)
        values.values[decoded.result] = found


def _phi(
    lowering: "Lowering",
    position: int,
    numbers: dict[int, int],
    kept: list[tuple[KeptValue, Any]],
) -> Sequence[Phi]:
    """Declare a phi for each leaf of a result; add values to keep in variables to `kept`."""
    lowering.position = position
    words = lowering.index.module.instructions[position].words
    type = lowering.types.of(words[1])
    result = words[2]
    name = lowering.name(result)
    steps = [()] * type.size if type.is_pointer else lowering.listing.steps(type)
    if type.is_pointer:
        lowering.roots_of(type.storage)
    made = []
    for at, (leaf, path) in enumerate(zip(type.leaves, steps, strict=True)):
        incoming = {
            numbers[block]: _leaf_of(lowering, value, type, at)
            for value, block in zip(words[3::2], words[4::2], strict=False)
            if block in numbers
        }
        phi = Phi(leaf, incoming, f"{name}{''.join(path)}")
        phi.value.line = lowering.listing.numbers[position]
        phi.value.label = ValueLabel(SymbolName(name, *path))
        made.append(phi)
    found = lowering.restored(type, tuple(each.value for each in made))
    values = lowering.functions[-1]
    values.values[result] = found
    if values.kept is not None and result in values.kept.ids:
        values.values[result] = each = values.kept.declared(result, found)
        if isinstance(each, KeptValue):
            kept.append((each, found))
    return made


def _leaf_of(
    lowering: "Lowering", number: int, type: LeafType, at: int
) -> Callable[[Builder], Value]:
    values = lowering.functions[-1]

    def read(b: Builder) -> Value:
        assert lowering.functions[-1] is values
        found = lowering.operand(number)
        return lowering.flattened(found)[at]

    return read


def _end(
    lowering: "Lowering",
    last: Instruction,
    numbers: dict[int, int],
    frame: CallFrame | None,
    values: FunctionValues,
) -> Jump | Fork | Multiway | ExitGraph:
    words = last.words

    def operand(b: Builder) -> Value:
        found = lowering.scalar(words[1])
        if found.type.kind != ("b" if last.opcode == Opcode.BranchConditional else "i"):
            raise UnsupportedError(f"%{words[1]}: expected a condition or an integer")
        return found

    match last.opcode:
        case Opcode.Branch:
            return Jump(numbers[words[1]])
        case Opcode.BranchConditional:
            if words[2] == words[3]:
                return Jump(numbers[words[2]])
            return Fork(operand, numbers[words[2]], numbers[words[3]])
        case Opcode.Switch:
            return _switch(lowering, words, numbers, operand)
        case Opcode.Kill | Opcode.TerminateInvocation | Opcode.EmitMeshTasksEXT:
            return ExitGraph()
        case Opcode.Return | Opcode.ReturnValue | Opcode.Unreachable | Opcode.ControlBarrier:
            return ExitGraph(frame.block if frame is not None else None)
    raise UnsupportedError(f"{lowering.listing.operation(last)} cannot be run yet")


def _switch(
    lowering: "Lowering",
    words: tuple[int, ...],
    numbers: dict[int, int],
    operand: Callable[[Builder], Value],
) -> Multiway | Jump:
    type = lowering.types.of_value(words[1]).scalar
    assert type is not None
    width = 2 if type.bits > 32 else 1
    targets: dict[int, list[int]] = {}
    seen: set[int] = set()
    for at in range(3, len(words) - width, width + 1):
        literal = sum(words[at + n] << 32 * n for n in range(width)) & type.mask
        if literal not in seen:
            seen.add(literal)
            targets.setdefault(numbers[words[at + width]], []).append(literal)
    default = numbers[words[2]]
    if not targets:
        return Jump(default)
    return Multiway(operand, [(tuple(each), to) for to, each in targets.items()], default)


HANDLERS: Handlers = {
    Opcode.FunctionCall: _call,
    Opcode.Return: _return,
    Opcode.ReturnValue: _return,
    Opcode.Kill: _kill,
    Opcode.TerminateInvocation: _kill,
    Opcode.DemoteToHelperInvocation: _demote,
}
