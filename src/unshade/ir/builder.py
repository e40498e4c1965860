"""A builder of kernels, which appends statements at a cursor.

    b = Builder(KernelIR("scale", group=(64, 1, 1)))
    x, y = b.memory("t0", Space.BUFFER, 4), b.memory("u0", Space.BUFFER, 4, writable=True)
    i = b.source("thread_id.x")
    with b.when(b.ult(i, b.count(y))):
        b.store(y, i, 0, b.fmul(b.load(x, i, 0, F32), b.f32(2.0)))

Statements get the `line` and `location` of the builder. Each operation of the table is a method
(`and_`, `or_`, `not_`, `break_`, `continue_`, `return_` for Python keywords) that takes the
operands, then `type=` if the table leaves it open and `attr=` if the operation has an attribute.
An operand given as a plain number becomes a constant of the type of the other operands. Methods
raise UsageError if types do not match.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import UsageError
from ..vocab.slots import MemorySlot
from .fold import from_float
from .kernel import Block, Case, If, KernelIR, Loop, Region, Switch, Value
from .locations import SourceLocation, SymbolName
from .memory import Bounds, Memory, Port, Space, Var
from .operators import Operand, Operators
from .ops import OPERAND_KINDS, OPERAND_NAMES, OPERAND_TYPES, OPS, Op
from .sources import SOURCES
from .textures import SamplerDeclaration, Shape, TextureDeclaration
from .types import BOOL, F32, FLOATS, I32, INTEGERS, TEXEL, TYPES, VOID, Type
from .unique_names import UniqueNames
from .waves import QUAD, WHOLE, Wave

Flag = bool  # Builder.bool hides it
# Of operations that were checked, by operation, stated type and operands' types (None for a plain
# number): the result type, and the types that the operands get if there are numbers among them.
CHECKED: dict[tuple[object, ...], tuple[Type, list[Type] | None]] = {}
MASKS = {each.bits: each.mask for each in TYPES.values()}
KINDS = {"": "", "i": " of integers", "f": " of floats"}


def constant(bits: int, type: Type) -> Value:
    """Return a constant, an operand that is not a statement; `bits` is cut to the type."""
    return Value(OPS.const, type, (), bits & MASKS[type.bits])


class Builder(Operators):
    """A builder of one kernel; the operations are methods of `operators`.

    `names` makes unique names of variables.
    """

    def __init__(self, kernel: KernelIR) -> None:
        self.kernel = kernel
        self.names = UniqueNames(kernel.variables)
        self.region: Region = kernel.body
        self.line = 0
        self.location: SourceLocation | None = None

    # ------------------------------------------------------------ operations

    def make(self, op: Op, *args: Operand, type: Type | None = None, attr: Any = None) -> Value:
        """Append an operation of the table, such as `OPS.fadd`."""
        values: Any = args
        types = [each.type if isinstance(each, Value) else None for each in args]
        known = CHECKED.get((op, type, *types))
        if known is None:
            values = self._checked(op, args)
            result = self._result(op, values, type)
            if op.operands != "*":
                wanted = [each.type for each in values] if None in types else None
                CHECKED[op, type, *types] = result, wanted
        else:
            result, wanted = known
            if wanted is not None:
                values = tuple([
                    each if isinstance(each, Value) else self.number(each, kind)
                    for each, kind in zip(args, wanted, strict=True)
                ])  # fmt: skip
        return self._append(op, result, values, attr)

    def _append(self, op: Op, type: Type, args: tuple[Value, ...], attr: Any) -> Value:
        value = Value(op, type, args, attr, self.line, self.location)
        self.region.append(value)
        return value

    def _checked(self, op: Op, args: Sequence[Operand]) -> tuple[Value, ...]:
        letters = op.operands
        if letters == "*":
            letters = "x" * len(args)
        elif len(args) != len(letters):
            raise UsageError(f"{op.name}: expected {len(letters)} operands, got {len(args)}")
        bound = dict(OPERAND_TYPES)
        for letter, arg in zip(letters, args, strict=True):
            if isinstance(arg, Value):
                wanted = bound.get(letter)
                if wanted is None and op.operands != "*":
                    bound[letter] = arg.type
                if (wanted is not None and wanted != arg.type) or (
                    wanted is None and arg.type.kind not in OPERAND_KINDS[letter]
                ):
                    expected = wanted.name if wanted else OPERAND_NAMES[letter]
                    raise UsageError(f"{op.name}: expected {expected}, got {arg.type.name}")
        found = []
        for letter, arg in zip(letters, args, strict=True):
            if isinstance(arg, Value):
                found.append(arg)
            elif letter in bound:
                found.append(self.number(arg, bound[letter]))
            else:
                raise UsageError(f"{op.name}: cannot infer the type of {arg!r:.20}")
        return tuple(found)

    def _result(self, op: Op, values: tuple[Value, ...], type: Type | None) -> Type:
        match op.result:
            case "=" | "=i" | "=f":
                if type is None or type.kind not in (op.result[1:] or type.kind):
                    raise UsageError(f"{op.name}: expected a type{KINDS[op.result[1:]]}")
                return type
            case "~i":
                return INTEGERS[values[0].type.bits]
            case "~f":
                of = values[0].type
                if of.bits not in FLOATS:
                    raise UsageError(f"{op.name}: no float type has {of.bits} bits")
                return FLOATS[of.bits]
            case "v":
                return VOID
            case "b":
                return BOOL
            case "I":
                return I32
            case "t":
                return TEXEL
            case letter:
                return values[op.operands.index(letter)].type

    # ------------------------------------------------------------ constants

    def number(self, number: "int | float", type: Type) -> Value:
        """Return the constant nearest to a number."""
        return constant(from_float(number, type) if type.kind == "f" else int(number), type)

    def i32(self, number: int) -> Value:
        return constant(number, I32)

    def f32(self, number: float) -> Value:
        return self.number(number, F32)

    def bool(self, value: bool) -> Value:
        return constant(int(value), BOOL)

    # ------------------------------------------------------------ operations with an attribute

    def source(self, name: str) -> Value:
        """Append a `source`, by its name in `SOURCES`."""
        if name not in SOURCES:
            raise UsageError(f"unknown source {name!r:.40}")
        return self.make(OPS.source, type=I32, attr=name)

    def input(self, port: Port) -> Value:
        return self._append(OPS.input, port.type, (), port)

    def output(self, port: Port, value: Value) -> Value:
        return self.make(OPS.output, value, attr=port)

    def get(self, var: Var) -> Value:
        return self._append(OPS.get, var.type, (), var)

    def set(self, var: Var, value: Operand) -> Value:
        if not isinstance(value, Value):
            value = self.number(value, var.type)
        if value.type != var.type:
            raise UsageError(f"{var.name}: expected {var.type.name}, got {value.type.name}")
        return self._append(OPS.set, VOID, (value,), var)

    def load(
        self, memory: Memory, element: Value | int, byte: Value | int = 0, type: Type = I32
    ) -> Value:
        if not isinstance(element, Value):  # before `make` infers their types, for speed
            element = constant(element, I32)
        if not isinstance(byte, Value):
            byte = constant(byte, I32)
        return self.make(OPS.load, element, byte, type=type, attr=memory)

    def store(self, memory: Memory, element: Value | int, byte: Value | int, value: Value) -> Value:
        return self.make(OPS.store, element, byte, value, attr=memory)

    def count(self, memory: Memory) -> Value:
        return self.make(OPS.count, attr=memory)

    def wave_xor(self, value: Value, mask: Operand, wave: Wave = WHOLE) -> Value:
        """Append a read of the lane whose number is the lane's own xor `mask`."""
        return self.wave_read(value, self.xor(self.source("wave_lane"), mask), attr=wave)

    def wave_up(self, value: Value, by: Operand, wave: Wave = WHOLE) -> Value:
        """Append a read of the lane `by` places below, or of the lane itself if none is there."""
        return self.wave_read(value, self.isub(self.source("wave_lane"), by), attr=wave)

    def wave_down(self, value: Value, by: Operand, wave: Wave = WHOLE) -> Value:
        """Append a read of the lane `by` places above, or of the lane itself if none is there."""
        return self.wave_read(value, self.iadd(self.source("wave_lane"), by), attr=wave)

    def quad_read(self, value: Value, lane: Operand) -> Value:
        """Append a read of lane `lane` (0 to 3) of the quad, helper lanes included."""
        first = self.and_(self.source("wave_lane"), ~(QUAD - 1))
        return self.wave_read(value, self.or_(first, lane), attr=Wave(helpers=True))

    def terminate(self) -> Value:
        """End the lane at once, without effects, even as a helper lane."""
        self.discard(self.bool(True))
        return self.return_()

    # ------------------------------------------------------------ declarations

    def memory(
        self,
        name: str,
        space: Space,
        stride: int,
        count: int | None = None,
        *,
        writable: Flag = False,
        bounds: Bounds = Bounds.ZERO,
        data: bytes = b"",
        slot: MemorySlot | None = None,
        internal: Flag = False,
    ) -> Memory:
        """Declare a memory; memories of a group or lane are always writable."""
        writable = writable or space in (Space.SHARED, Space.LOCAL)
        found = Memory(
            name, space, stride, count, writable, bounds, data, slot=slot, internal=internal
        )
        self.kernel.memories.append(found)
        return found

    def var(
        self,
        name: str,
        type: Type = I32,
        *,
        internal: Flag = False,
        row: str = "",
        gives: SymbolName | None = None,
    ) -> Var:
        """Declare a variable."""
        found = Var(name, type, internal, row, gives)
        self.kernel.variables.append(found)
        return found

    def texture(
        self, name: str, shape: Shape, type: Type = F32, *, layered: Flag = False, samples: int = 1
    ) -> TextureDeclaration:
        """Declare a texture."""
        found = TextureDeclaration(name, shape, type, layered, samples)
        self.kernel.textures.append(found)
        return found

    def sampler(self, name: str) -> SamplerDeclaration:
        """Declare a sampler."""
        found = SamplerDeclaration(name)
        self.kernel.samplers.append(found)
        return found

    # ------------------------------------------------------------ structure

    @contextmanager
    def within(self, region: Region) -> Iterator[None]:
        """Append to the end of a region in this context."""
        outer, self.region = self.region, region
        try:
            yield
        finally:
            self.region = outer

    @contextmanager
    def when(self, condition: Value, *, branch: Flag = False) -> Iterator[If]:
        """Append an If; the context appends to `then`, `b.within(it.otherwise)` to `otherwise`."""
        if condition.type != BOOL:
            raise UsageError(f"condition: expected a bool, got {condition.type.name}")
        statement = If(condition, line=self.line, location=self.location, branch=branch)
        self.region.append(statement)
        with self.within(statement.then):
            yield statement

    @contextmanager
    def loop(self) -> Iterator[Loop]:
        """Append a Loop; the context is its body."""
        statement = Loop(line=self.line, location=self.location)
        self.region.append(statement)
        with self.within(statement.body):
            yield statement

    @contextmanager
    def block(self) -> Iterator[Block]:
        """Append a Block, which `exit` may leave; the context is its body."""
        statement = Block(line=self.line, location=self.location)
        self.region.append(statement)
        with self.within(statement.body):
            yield statement

    def exit(self, block: Block) -> Value:
        """Append an exit, which leaves a named block from anywhere inside it."""
        return self.make(OPS.exit, attr=block)

    def switch(self, value: Value, *, branch: Flag = False) -> Switch:
        """Append a Switch without cases; add them with `case`."""
        statement = Switch(value, line=self.line, location=self.location, branch=branch)
        self.region.append(statement)
        return statement

    @contextmanager
    def case(self, switch: Switch, *labels: int, default: Flag = False) -> Iterator[Case]:
        """Add a case to a switch; the context is its body."""
        found = Case(labels, default)
        switch.cases.append(found)
        with self.within(found.body):
            yield found
