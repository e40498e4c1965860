"""Hull shaders: the control point function and the patch constant function, taken apart.

    loop over vOutputControlPointID {A}       if function {A, whose number is an input}
    loop over vForkInstanceID {B}        ->   else {B, for each instance in turn}

    if function {code of an invocation}       if function {it without stores to the patch}
    else {code of all invocations}       ->   else {it without stores to control points}

A lane of the kernel is a patch, which runs all phases one after the other; a source has a function
for a control point and one for the constants of the patch. `recognise_hull` runs before
simplification and makes the functions the branches of a condition, so that they share neither
values nor variables: what a register holds at the start of a phase is undefined in Direct3D. The
invocations of a SPIR-V module have one function for both; its kernel has the branches already.
`gather_points` runs afterwards, when the places of stores are known: stores to a point become one
operation, and the branches two blocks.
"""

from collections.abc import Sequence

from ..dataclass import dataclass, replace
from ..errors import UnsupportedError
from ..ir.builder import constant
from ..ir.kernel import (
    Block,
    If,
    KernelIR,
    Loop,
    Region,
    Statement,
    Value,
    every_region,
    regions,
    walk,
)
from ..ir.lowered import CONTROL_POINT_FUNCTION, CONTROL_POINT_NUMBER, Lowered, Points
from ..ir.memory import Memory, Port, Space, Var
from ..ir.ops import OPS
from ..ir.transforms.copying import copied
from ..ir.types import BOOL, I32, VOID
from ..model import Reflection
from ..model.reflection import SignatureParameter
from ..vocab.slots import (
    CONTROL_POINTS_IN,
    CONTROL_POINTS_OUT,
    Direction,
    PointsSlot,
    PortSlot,
    Rate,
)
from ..vocab.words import Stage
from .expressions import refused
from .operations import SOURCE_OPS
from .points import Emission, is_own_point, point_index
from .tree import Line, Once

__all__ = ["gather_points", "hull_bodies", "hull_points", "recognise_hull"]

MOST_STATEMENTS = 1 << 14  # of the instances of all phases
REGISTER = 16  # bytes
WORD = 4
CONSTANTS = PointsSlot(Direction.OUTPUT, Rate.PATCH)


@dataclass(slots=True)
class _Phase:
    """A loop over control points or instances: their number, its variable, the statements."""

    count: int
    number: Var
    body: Region


# ---------------------------------------------------------------- points


def hull_points(lowered: Lowered, reflection: Reflection | None) -> list[Points]:
    """Return the points of a program; of a hull shader that passes its inputs through, all.

    Such a program has no output points of its own; its source has.
    """
    found = list(lowered.points)
    if lowered.kernel.stage is not Stage.HULL or any(
        each.slot == CONTROL_POINTS_OUT for each in found
    ):
        return found
    taken = next((each for each in found if each.slot == CONTROL_POINTS_IN), None)
    tessellation = reflection.tessellation if reflection is not None else None
    count = tessellation.output_control_points if tessellation is not None else None
    if taken is None or count is None or reflection is None:
        raise UnsupportedError("a hull shader without a signature cannot be decompiled yet")
    inputs = dict(taken.ports)
    known = {_place(port.slot): byte for port, byte in inputs.items()}
    size = taken.stride
    for port in _ports(reflection.inputs, Direction.INPUT):
        if _place(port.slot) not in known:  # declared by no phase
            known[_place(port.slot)] = inputs[port] = size
            size += WORD
    outputs = _ports(reflection.outputs, Direction.OUTPUT)
    if any(_place(port.slot) not in known for port in outputs):
        raise UnsupportedError("an output that passes no input through cannot be decompiled yet")
    ports = {port: known[_place(port.slot)] for port in outputs}
    others = [each for each in found if each is not taken]
    return [
        replace(taken, ports=inputs, stride=size), *others,
        Points("vocp", count, size, CONTROL_POINTS_OUT, ports),
    ]  # fmt: skip


def _ports(rows: Sequence[SignatureParameter], direction: Direction) -> list[Port]:
    """Return a port for each component of a signature."""
    return [
        Port(f"{row.semantic}{row.index}.{slot.component}", I32, slot=slot, row=row.semantic)
        for row in rows
        for slot in row.slots(Stage.HULL, direction)
    ]


def _place(slot: PortSlot | None) -> object:
    return None if slot is None else (slot.place, slot.component)


# ---------------------------------------------------------------- functions


def recognise_hull(kernel: KernelIR, points: Sequence[Points]) -> None:
    """Make the control point function and that of the constants two branches, in place."""
    counts = {each.slot: each.count for each in points}
    for value in kernel.values():
        slot = _slot(value)
        if slot is not None:
            index = point_index(value.args[0], counts[slot])
            if index is None:
                raise refused("a store to a point known only at run time", value.line)
            value.args = (index, *value.args[1:])
    if _divide(kernel):
        return
    first, later = _parts(kernel)
    number = CONTROL_POINT_NUMBER
    kernel.inputs.append(number)
    if first is None:
        one = Block(_passed_through(kernel, points, number))
    else:
        own = Value(OPS.input, I32, (), number)
        one = Block([own, Value(OPS.set, VOID, (own,), first.number), *first.body])
    other = Block(later)
    _separate(kernel, one, other)
    for each in (one, other):
        _return(each)
    chosen = Value(OPS.input, BOOL, (), CONTROL_POINT_FUNCTION)
    kernel.body[:] = [chosen, If(chosen, one.body, other.body)]


def _divide(kernel: KernelIR) -> bool:
    """Divide the code of an invocation, if the kernel has it, between the two functions."""
    at = next((at for at, each in enumerate(kernel.body) if _is_division(each)), None)
    if at is None:
        return False
    functions = kernel.body[at]
    assert isinstance(functions, If)
    for body, others in ((functions.then, CONSTANTS), (functions.otherwise, CONTROL_POINTS_OUT)):
        _remove_stores(body, others)
        last = body[-1] if body else None
        if isinstance(last, Value) and last.op is OPS.return_:
            body.pop()
    one, other = Block(functions.then), Block(functions.otherwise)
    before = kernel.body[: at - 1]  # the operand of the condition follows
    one.body[:0], other.body[:0] = before, copied(before)
    _separate(kernel, one, other)
    for each in (one, other):
        _return(each)
    kernel.body[:] = [functions.condition, If(functions.condition, one.body, other.body)]
    return True


def _is_division(statement: Statement) -> bool:
    return isinstance(statement, If) and statement.condition.attr is CONTROL_POINT_FUNCTION


def _remove_stores(body: Region, slot: PointsSlot) -> None:
    """Remove stores to points from a region, and from the regions in it."""
    for region in every_region(body):
        region[:] = [
            each for each in region if not (isinstance(each, Value) and _slot(each) == slot)
        ]


def _parts(kernel: KernelIR) -> tuple[_Phase | None, Region]:
    """Return the loop over control points, if there is one, and what follows, without loops.

    The loop is the first one, if the program has output points.
    """
    first: _Phase | None = None
    has_points = any(each.slot == CONTROL_POINTS_OUT for each in kernel.memories)
    later: Region = []
    size = 0
    for statement in kernel.body:
        phase = _phase(statement)
        if phase is None:
            later.append(statement)
        elif has_points and first is None:
            first = phase
            later = [each for each in later if not _is_start(each)]
        else:
            size += phase.count * sum(1 for _ in walk(phase.body))
            if size > MOST_STATEMENTS:
                raise UnsupportedError(
                    f"phases of more than {MOST_STATEMENTS} statements cannot be decompiled yet"
                )
            for at in range(phase.count):
                own = replace(phase.number, name=phase.number.name)
                kernel.variables.append(own)
                body = copied(phase.body)
                _rename(body, {phase.number: own})
                start = Value(OPS.set, VOID, (constant(at, I32),), own)
                later += [start, *body]
    return first, later


def _is_start(statement: Statement) -> bool:
    """Return True for the statement that begins a loop over instances."""
    return isinstance(statement, Value) and statement.op is OPS.set and statement.attr.internal


def _phase(statement: Statement) -> _Phase | None:
    """Return the phase that a loop is; None for other statements.

    It begins with the test of its counter, which also is the number that the phase reads.
    """
    if not isinstance(statement, Loop) or len(statement.body) < 6:
        return None
    get, test, leave, own, step, following = statement.body[:6]
    if not (
        isinstance(get, Value) and isinstance(test, Value) and isinstance(leave, If)
        and isinstance(own, Value) and isinstance(step, Value) and isinstance(following, Value)
    ):  # fmt: skip
        return None
    if (get.op, test.op, own.op, following.op) != (OPS.get, OPS.ule, OPS.set, OPS.set):
        return None
    if not get.attr.internal or following.attr is not get.attr or leave.condition is not test:
        return None
    count = test.args[0]
    return _Phase(count.attr, own.attr, statement.body[6:]) if count.op is OPS.const else None


def _rename(region: Region, names: dict[Var, Var]) -> None:
    for each in walk(region):
        if each.op in (OPS.get, OPS.set):
            each.attr = names.get(each.attr, each.attr)


def _separate(kernel: KernelIR, one: Block, other: Block) -> None:
    """Give a block its own variables and arrays in place of those that another block uses."""
    shared = _used(one.body) & _used(other.body)
    names = {var: replace(var) for var in kernel.variables if var in shared}
    kernel.variables += names.values()
    arrays = {each: replace(each) for each in kernel.memories if each in shared}
    kernel.memories += arrays.values()
    _rename(other.body, names)
    for each in walk(other.body):
        if each.op in (OPS.load, OPS.store):
            each.attr = arrays.get(each.attr, each.attr)


def _used(region: Region) -> set[object]:
    """Return the variables, and the arrays of the lane, that statements use."""
    found: set[object] = set()
    for each in walk(region):
        if each.op in (OPS.get, OPS.set) or (
            isinstance(each.attr, Memory) and each.attr.space is Space.LOCAL
        ):
            found.add(each.attr)
    return found


def _return(block: Block) -> None:
    """Make exits of a phase, if it is alone in its function, returns of the function."""
    inner = [each for each in block.body if isinstance(each, Block)]
    if len(inner) != 1 or block.body[-1] is not inner[0]:
        return
    (alone,) = inner
    body = alone.body
    _trim(body, alone)
    for each in walk(body):
        if each.op is OPS.exit and each.attr is alone:
            each.op, each.attr = OPS.return_, None
    block.body[-1:] = body


def _trim(region: Region, block: Block) -> None:
    """Remove exits of a block at whose end they are."""
    waiting = [region]
    while waiting:
        body = waiting.pop()
        last = body[-1] if body else None
        if isinstance(last, Value) and last.op is OPS.exit and last.attr is block:
            body.pop()
            waiting.append(body)
        elif isinstance(last, If | Block):
            waiting += regions(last)


def _passed_through(kernel: KernelIR, points: Sequence[Points], number: Port) -> Region:
    """Return the statements that copy an input to the output point of the same number."""
    given = next(each for each in points if each.slot == CONTROL_POINTS_OUT)
    source = next(each for each in kernel.memories if each.slot == CONTROL_POINTS_IN)
    own = Value(OPS.input, I32, (), number)
    copies = [
        Value(OPS.load, I32, (own, constant(byte, I32)), source) for byte in given.ports.values()
    ]
    emission = Emission(given.slot, tuple(given.ports.values()))
    return [own, *copies, Value(SOURCE_OPS.point, VOID, tuple(copies), emission)]


# ---------------------------------------------------------------- stores


def gather_points(kernel: KernelIR) -> None:
    """Make one operation of stores to a register that follow each other, and the blocks."""
    kernel.body[:] = _functions(kernel.body)
    waiting: list[Region] = [kernel.body]
    while waiting:
        region = waiting.pop()
        made: Region = []
        run: list[Value] = []

        def flush(made: Region = made, run: list[Value] = run) -> None:
            if run:
                made.append(_gathered(run))
                run.clear()

        for statement in region:
            if not isinstance(statement, Value):
                flush()
                waiting += regions(statement)
                made.append(statement)
                continue
            slot = _slot(statement)
            if slot is None:
                if not statement.op.pure and statement.op not in (OPS.get, OPS.set):
                    flush()
                made.append(statement)
                continue
            _check_place(statement)
            if run and _row(run[0]) != _row(statement):
                flush()
            run.append(statement)
        flush()
        region[:] = made


def _functions(body: Region) -> list[Statement]:
    """Return the branches of the condition as blocks."""
    branch = next((each for each in body if isinstance(each, If)), None)
    if branch is None or any(
        isinstance(each, Value) and each.type.kind != "b" for each in body
    ):  # fmt: skip
        raise UnsupportedError("a function of a hull shader without an end has no source yet")
    negated = branch.condition.op is OPS.not_
    one, other = regions(branch)[:: -1 if negated else 1]
    for each in walk(one):
        if each.op is OPS.load and each.attr.slot == CONSTANTS:
            raise refused("a control point made from constants of the patch", each.line)
        is_made = each.op is OPS.load and each.attr.slot == CONTROL_POINTS_OUT
        if is_made and not is_own_point(each.args[0]):
            raise refused("a control point made from another one", each.line)
    return [Block(one), Block(other)]


def _slot(value: Value) -> PointsSlot | None:
    if value.op is not OPS.store:
        return None
    slot = value.attr.slot
    return slot if isinstance(slot, PointsSlot) and slot.direction is Direction.OUTPUT else None


def _row(store: Value) -> tuple[Memory, int]:
    """Return the register that a store writes."""
    return store.attr, store.args[1].attr // REGISTER


def _check_place(value: Value) -> None:
    """Refuse a store to another point than the function's own, or to a place that is not known."""
    index, byte = value.args[:2]
    if byte.op is not OPS.const:
        raise refused("a store to a component known only at run time", value.line)
    if value.attr.slot == CONSTANTS:
        own = index.op is OPS.const and not index.attr
    else:
        own = is_own_point(index)
    if not own:
        raise refused("a store to another control point", value.line)


def _gathered(run: Sequence[Value]) -> Value:
    last = {each.args[1].attr: each for each in run}
    emission = Emission(run[0].attr.slot, tuple(last), memory=run[0].attr)
    args = tuple(each.args[2] for each in last.values())
    return Value(SOURCE_OPS.point, VOID, args, emission, run[-1].line, run[-1].location)


# ---------------------------------------------------------------- lines


def hull_bodies(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines of the control point function, and those of the patch constants."""
    blocks = [each.body for each in lines if isinstance(each, Once)]
    if len(blocks) != 2 or len(lines) != 2:
        raise UnsupportedError(
            "functions of a hull shader that share a value cannot be decompiled yet"
        )
    return blocks[0], blocks[1]
