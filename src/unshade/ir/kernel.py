"""A kernel: what one lane does, as a tree of regions.

    Kernel    memories, ports, variables, and the body
    region    a list of statements
    statement an operation (`Value`), If, Loop, Switch or Block

Values are defined once, before their use, in the same region or one around it. What has to outlive
its region goes through variables. All lanes start together; `If`, `Switch` and leaving a `Loop` or
`Block` part them, the end of the construct joins them again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ..vocab.words import DISPATCHED, IN_QUADS, Stage
from .locations import SourceLocation, ValueLabel
from .memory import Memory, Port, Var
from .ops import OPS, Op
from .textures import SamplerDeclaration, TextureDeclaration
from .types import FLUSH_32, KEEP, Type, Widths

Statement: TypeAlias = "Value | If | Loop | Switch | Block"
Region: TypeAlias = "list[Value | If | Loop | Switch | Block]"

WAVE = 32  # lanes of a wave where nobody says otherwise, on every machine
DEEPEST = 128  # regions inside each other: what reads kernels goes into each


class Value:
    """One operation and what it gives. `line` says which line of the listing it comes from,
    `location` which place of a source, and `label` what it is called (locations.py).
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

    def again(self, args: "tuple[Value, ...]", attr: Any) -> "Value":
        """Return the same operation of other operands and another attribute."""
        return Value(self.op, self.type, args, attr, self.line, self.location, self.label)

    def __repr__(self) -> str:
        return f"<{self.op.name} : {self.type.name}>"


@dataclass(slots=True, eq=False)
class If:
    """The lanes where `condition` holds do `then`, the others `otherwise`."""

    condition: Value
    then: Region = field(default_factory=list)
    otherwise: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False)
class Loop:
    """The body again and again, until break or return."""

    body: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False)
class Case:
    """What a switch does for some values; `default` for all that no case names."""

    labels: tuple[int, ...]
    default: bool = False
    body: Region = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Switch:
    """One case, by value; nothing falls through: the end of a case is behind the switch."""

    value: Value
    cases: list[Case] = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False)
class Block:
    """The body once. An `exit` that names the block leaves it, and every construct in between."""

    body: Region = field(default_factory=list)
    line: int = 0
    location: SourceLocation | None = None


@dataclass(slots=True, eq=False, weakref_slot=True)
class Kernel:
    """Code that every lane runs. `group` is the lanes of a thread group (x, y, z), where lanes are
    threads of groups. `flush`: the widths of floats whose subnormal numbers count as zero; for
    those of `written` the operations of the body see to it (flush.py). `wave`: lanes of a wave, a
    power of two (waves.py). Nothing but `dispatched` and `helps` looks at the stage.
    """

    name: str = "main"
    stage: Stage = Stage.COMPUTE
    group: tuple[int, int, int] = (1, 1, 1)
    flush: Widths = FLUSH_32
    written: Widths = KEEP
    wave: int = WAVE
    memories: list[Memory] = field(default_factory=list)
    textures: list[TextureDeclaration] = field(default_factory=list)
    samplers: list[SamplerDeclaration] = field(default_factory=list)
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    variables: list[Var] = field(default_factory=list)
    body: Region = field(default_factory=list)

    @property
    def dispatched(self) -> bool:
        """True where lanes are threads of groups; elsewhere they are items of a call."""
        return self.stage in DISPATCHED

    @property
    def helps(self) -> bool:
        """True where a lane may only help its quad."""
        return self.stage in IN_QUADS

    @property
    def mode(self) -> bool:
        """True where 32-bit floats are flushed by a mode of the processor."""
        return 32 in self.flush - self.written

    def values(self) -> Iterator[Value]:
        """Every operation, in the order of the text."""
        return walk(self.body)


def regions(statement: Statement) -> tuple[Region, ...]:
    """The regions inside a statement."""
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
    """Return how many regions lie inside each other in a region."""
    most = 0
    stack = [(region, 0)]
    while stack:
        each, at = stack.pop()
        most = max(most, at)
        stack += [(inner, at + 1) for statement in each for inner in regions(statement)]
    return most


def ended(region: Region) -> bool:
    """Return whether nothing that would be appended to a region could be reached."""
    last = region[-1] if region else None
    return isinstance(last, Value) and last.op.ends


def leaves(value: Value, statement: Statement) -> bool:
    """Return whether an operation that ends its region would leave this construct, or begin its
    next iteration, if it were the innermost one. Of several, the innermost one is meant.
    """
    match value.op:
        case OPS.break_:
            return isinstance(statement, Loop | Switch)
        case OPS.continue_:
            return isinstance(statement, Loop)
        case OPS.exit:
            return value.attr is statement
    return False


def walk(region: Region) -> Iterator[Value]:
    """Every operation in a region and the regions inside it."""
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
