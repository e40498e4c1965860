"""Kernels: the code that each lane runs, as a tree of regions.

    KernelIR  memories, ports, variables, and the body
    region    a list of statements
    statement an operation (`Value`), If, Loop, Switch or Block

Values are defined once, before their use, in the same region or an enclosing one. A value needed
outside its region goes through a variable. All lanes start together; they diverge at `If`, at
`Switch` and where they leave a `Loop` or `Block`, and reconverge at the end of the construct.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from ..dataclass import dataclass, field
from ..vocab.words import DISPATCHED, IN_QUADS, Stage
from .locations import SourceLocation, ValueLabel
from .memory import Memory, Port, Var
from .ops import OPS, Op
from .textures import SamplerDeclaration, TextureDeclaration
from .types import FLUSH_32, KEEP, Type, Widths

Statement: TypeAlias = "Value | If | Loop | Switch | Block"
Region: TypeAlias = "list[Value | If | Loop | Switch | Block]"

WAVE = 32  # default number of lanes of a wave, on every machine
DEEPEST = 128  # nested regions: code that walks kernels recurses into each


class Value:
    """An operation and its result.

    `line` is its line of the listing, `location` its position in a source file, and `label` its
    name (locations.py).
    """

    __slots__ = ("args", "attr", "label", "line", "location", "op", "type")

    def __init__(
        self,
        op: Op,
        type: Type,
        args: "tuple[Value, ...]" = (),
        attr: Any = None,
        line: int = 0,
        location: SourceLocation | None = None,
        label: ValueLabel | None = None,
    ) -> None:
        self.op = op
        self.type = type
        self.args = args
        self.attr = attr
        self.line = line
        self.location = location
        self.label = label

    def with_args(self, args: "tuple[Value, ...]", attr: Any) -> "Value":
        """Return a copy of the operation with other operands and another attribute."""
        return Value(self.op, self.type, args, attr, self.line, self.location, self.label)

    def __repr__(self) -> str:
        return f"<{self.op.name} : {self.type.name}>"


@dataclass(slots=True, eq=False)
class If:
    """A branch: lanes whose `condition` is true run `then`, the others `otherwise`.

    `branch` is set if the construct is a branch of the program, not part of the lowering of a
    single instruction.
    """

    condition: Value
    then: Region = field(default_factory=list)
    otherwise: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None
    branch: bool = False


@dataclass(slots=True, eq=False)
class Loop:
    """A loop: repeats its body until a lane leaves it by break, exit or return."""

    body: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False)
class Case:
    """A case of a switch; a `default` case also takes the values that no case names."""

    labels: tuple[int, ...]
    default: bool = False
    body: Region = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Switch:
    """A switch over an integer; cases do not fall through. `branch` is as in `If`."""

    value: Value
    cases: list[Case] = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None
    branch: bool = False


@dataclass(slots=True, eq=False)
class Block:
    """A labelled block; an `exit` that names it leaves it and every construct inside it."""

    body: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False, weakref_slot=True)
class KernelIR:
    """The code that every lane runs, and its declarations.

    `group` is the size of a thread group (x, y, z), if lanes are threads of groups. `flush` are the
    widths of floats whose subnormal numbers count as zero; for the widths in `written` operations
    of the body do the flushing (transforms/flush.py). `wave` is the number of lanes of a wave, a
    power of two (waves.py). With `quads`, the threads of a group are ordered by quads of 2 x 2
    (sources.py). Only `dispatched` and `helps` depend on the stage.
    """

    name: str = "main"
    stage: Stage = Stage.COMPUTE
    group: tuple[int, int, int] = (1, 1, 1)
    flush: Widths = FLUSH_32
    written: Widths = KEEP
    wave: int = WAVE
    quads: bool = False
    memories: list[Memory] = field(default_factory=list)
    textures: list[TextureDeclaration] = field(default_factory=list)
    samplers: list[SamplerDeclaration] = field(default_factory=list)
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    variables: list[Var] = field(default_factory=list)
    body: Region = field(default_factory=list)

    @property
    def dispatched(self) -> bool:
        """True if lanes are threads of groups; otherwise they are items of a call."""
        return self.stage in DISPATCHED

    @property
    def helps(self) -> bool:
        """True if there may be helper lanes, which only serve their quad."""
        return self.stage in IN_QUADS

    @property
    def mode(self) -> bool:
        """True if a mode of the processor flushes 32-bit floats."""
        return 32 in self.flush - self.written

    def values(self) -> Iterator[Value]:
        """Yield every operation, in program order."""
        return walk(self.body)


def regions(statement: Statement) -> tuple[Region, ...]:
    """Return the regions of a statement."""
    match statement:
        case If():
            return statement.then, statement.otherwise
        case Loop() | Block():
            return (statement.body,)
        case Switch():
            return tuple(case.body for case in statement.cases)
        case _:
            return ()


def height(region: Region) -> int:
    """Return the nesting depth of a region; 0 if it has no regions inside."""
    most = 0
    stack = [(region, 0)]
    while stack:
        each, at = stack.pop()
        most = max(most, at)
        stack += [(inner, at + 1) for statement in each for inner in regions(statement)]
    return most


def ended(region: Region) -> bool:
    """Return True if a statement appended to the region would be unreachable."""
    last = region[-1] if region else None
    return isinstance(last, Value) and last.op.ends


def leaves(value: Value, statement: Statement) -> bool:
    """Return True if a break, continue or exit inside this construct may refer to it.

    If that is true of several enclosing constructs, the operation refers to the innermost.
    """
    match value.op:
        case OPS.break_:
            return isinstance(statement, Loop | Switch)
        case OPS.continue_:
            return isinstance(statement, Loop)
        case OPS.exit:
            return value.attr is statement
    return False


def every_region(body: Region) -> Iterator[Region]:
    """Yield a region and all inside it; each may be changed before the next is asked for."""
    waiting = [body]
    while waiting:
        region = waiting.pop()
        yield region
        waiting += [inner for each in region for inner in regions(each)]


def walk(region: Region) -> Iterator[Value]:
    """Yield every operation in a region and the regions inside it."""
    stack = [iter(region)]
    while stack:
        for statement in stack[-1]:
            if isinstance(statement, Value):
                yield statement
                continue
            inner = regions(statement)
            stack.extend(iter(each) for each in reversed(inner))
            break
        else:
            stack.pop()
