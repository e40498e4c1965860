"""Random kernels by seed, with data, for the interpreter and both engines.

    program = generate(seed)          deterministic for a seed
    program.memories()                fresh bytearrays for its bound memories

Generated kernels are valid, terminate, and do not depend on the order of lanes:

    u0, u1       writable, an element per lane: lanes access their own or one out of bounds
    seen         the same, for final variables and values
    sum, all     writable, only by one kind of atomic each, whose result is not used
    g0           shared: each lane writes its own element, barrier, reads of any, barrier
    x0           local: any access
    cb0, t0, t1, tab   read only: any access, with both kinds of bounds

Loops count down their own variable; blocks are left from anywhere inside, also out of loops. Every
operation of the table occurs, except those that are expanded before a kernel runs (`sample`, and
maths unless `library` is set).
"""

import random
from dataclasses import dataclass, field

from tests.ir.operands import SCALARS, accepts, result_types
from tests.ir.values import FLUSHES, random_bits, random_bytes
from unshade.ir.builder import Builder, constant
from unshade.ir.kernel import Block, KernelIR, Value
from unshade.ir.memory import Bounds, Memory, Port, Space, Var
from unshade.ir.ops import OPERAND_KINDS, OPERAND_TYPES, OPS, Op
from unshade.ir.sources import SOURCES, has_quads
from unshade.ir.types import (
    BOOL,
    F16,
    F32,
    F64,
    FLUSH_32,
    I8,
    I16,
    I32,
    I64,
    KEEP,
    Type,
    Widths,
)
from unshade.ir.waves import COMBINES, NEUTRAL, Wave
from unshade.vocab.words import Stage

MEMORY_TYPES = (I32, F32, I32, F32, I8, I16, I64, F16, F64)
WEIGHTS = {I32: 8, F32: 8, BOOL: 2, I64: 1, F64: 1, I8: 1, I16: 1, F16: 1}
SEEN = 16  # values
LEAVE = ("break", "continue", "return", "exit")
APART = (*LEAVE, "get", "set", "source", "input", "output", "load", "store", "const")
ATOMICS = tuple(op for op in OPS if op.atomic and "i" in op.operands)
FLOAT_ATOMICS = tuple(op for op in OPS if op.atomic and "f" in op.operands)
PURE = tuple(
    op for op in OPS if op.pure and not op.library and op.name not in (*APART, "sample", "part")
)
WAVES = tuple(op for op in OPS if op.attribute == "wave")
LIBRARY = tuple(op for op in OPS if op.library)


@dataclass(slots=True)
class Program:
    """A kernel and its data."""

    kernel: KernelIR
    groups: tuple[int, int, int] = (1, 1, 1)
    items: int = 0
    data: dict[str, bytes] = field(default_factory=dict)
    inputs: dict[str, list[int]] = field(default_factory=dict)
    helpers: list[bool] = field(default_factory=list)

    def memories(self) -> dict[str, bytearray]:
        """Return the initial contents of the bound memories."""
        return {name: bytearray(each) for name, each in self.data.items()}


def generate(
    seed: int, *, size: int = 60, library: bool = False, widths: Widths | None = None
) -> Program:
    """Return a program of about `size` operations; `widths` to flush are random by default."""
    generator = Generator(random.Random(seed), size, library)
    if widths is not None:
        generator.kernel.flush = widths
    return generator.program()


class Generator:
    """A generator of one program."""

    def __init__(self, chance: random.Random, size: int, library: bool) -> None:
        self.chance = chance
        self.left = size
        self.operations = PURE + LIBRARY if library else PURE
        self.compute = chance.random() < 0.65
        group = chance.choice(((1, 1, 1), (4, 1, 1), (8, 1, 1), (16, 1, 1), (4, 2, 1), (2, 2, 2)))
        self.kernel = KernelIR(
            "generated",
            Stage.COMPUTE if self.compute else Stage.PIXEL,
            group if self.compute else (1, 1, 1),
            flush=chance.choice((KEEP, FLUSH_32, chance.choice(FLUSHES))),
            wave=chance.choice((4, 8, 32, 64)),
        )
        self.kernel.quads = self.compute and has_quads(group) and chance.random() < 0.5
        self.groups = (chance.randint(1, 3), chance.choice((1, 1, 2)), 1)
        x, y, z = self.kernel.group
        self.lanes = x * y * z * self.groups[0] * self.groups[1]
        if not self.compute:
            self.lanes = 4 * chance.randint(1, 4)
        self.builder = Builder(self.kernel)
        self.scopes: list[list[Value]] = [[]]
        self.variables: dict[Type, list[Var]] = {}
        self.loops = 0  # around
        self.blocks: list[Block] = []  # around
        self.counters = 0
        # Lanes that end early would block lanes that wait for all.
        self.phases = self.compute and chance.random() < 0.4
        self.own: Value | None = None
        self.places: dict[tuple[Memory, int, int], Type] = {}

    # ------------------------------------------------------------ declarations

    def program(self) -> Program:
        """Return the kernel, with data for its bindings."""
        self._declare()
        self._begin()
        while self.left > 0:
            self._statement(0)
            if self.phases and self.chance.random() < 0.1:
                self._phase()
        self._finish()
        program = Program(self.kernel, self.groups)
        for memory in self.kernel.memories:
            if memory.space in (Space.CONSTANT, Space.BUFFER):
                program.data[memory.name] = random_bytes(
                    self.chance, memory.stride * self.bound[memory]
                )
        if not self.compute:
            program.items = self.lanes
            if self.chance.random() < 0.4:
                program.helpers = [self.chance.random() < 0.25 for _ in range(self.lanes)]
            for port in self.kernel.inputs:
                program.inputs[port.name] = [
                    random_bits(self.chance, port.type) for _ in range(self.lanes)
                ]
        return program

    def _declare(self) -> None:
        b, chance = self.builder, self.chance
        clamp = Bounds.CLAMP if chance.random() < 0.3 else Bounds.ZERO
        count = max(1, self.lanes - chance.choice((0, 0, 3)))
        self.bound = {
            b.memory("cb0", Space.CONSTANT, 16, 4): chance.choice((4, 4, 3, 6)),
            b.memory("t0", Space.BUFFER, 4, bounds=clamp): chance.randint(0, 40),
            b.memory("t1", Space.BUFFER, chance.choice((8, 12, 24)), bounds=clamp): 7,
            b.memory("u0", Space.BUFFER, 16, writable=True): count,
            b.memory("u1", Space.BUFFER, chance.choice((4, 8, 20)), writable=True): count,
            b.memory("seen", Space.BUFFER, 8 * SEEN, writable=True): self.lanes,
            b.memory("sum", Space.BUFFER, 8, writable=True): 8,
            b.memory("all", Space.BUFFER, 4, writable=True): 8,
        }
        data = random_bytes(self.chance, 64)
        self.read = [*list(self.bound)[:3], b.memory("tab", Space.TABLE, 16, 4, data=data)]
        self.write = list(self.bound)[3:5]
        self.seen, *self.shared = list(self.bound)[5:]
        self.atomics = {each: chance.choice(ATOMICS[:8]) for each in self.shared}
        self.local = b.memory("x0", Space.LOCAL, chance.choice((8, 16)), 4, bounds=clamp)
        x, y, z = self.kernel.group
        if self.compute:
            self.group_memory = b.memory("g0", Space.SHARED, 8, x * y * z)
        else:
            for number in range(3):
                type = chance.choice(SCALARS[1:])
                self.kernel.inputs.append(Port(f"v{number}", type))
                self.kernel.outputs.append(Port(f"o{number}", chance.choice(SCALARS[1:])))
        for number in range(chance.randint(2, 9)):
            type = self._type()
            self.variables.setdefault(type, []).append(b.var(f"r{number}", type))

    def _begin(self) -> None:
        """Append the index of the lane, and a value of each type."""
        b = self.builder
        if self.compute:
            x, y, z = self.kernel.group
            row = b.imul(b.source("thread_group_id.y"), b.source("group_count.x"))
            group = b.iadd(row, b.source("thread_group_id.x"))
            self.own = b.iadd(b.imul(group, x * y * z), b.source("thread_id_in_group_flattened"))
        else:
            self.own = b.source("item")
        self._keep(self.own)
        for type in SCALARS:
            if type != BOOL:
                self._keep(self._load(type))
        self._keep(b.ult(self.own, self.chance.randint(0, self.lanes)))
        for var in self.kernel.variables:
            if self.chance.random() < 0.6:
                b.set(var, self._value(var.type))

    def _finish(self) -> None:
        """Store the final variables and some values."""
        assert self.own is not None
        b = self.builder
        values = [b.get(var) for var in self.kernel.variables if var.name[0] == "r"]
        values += self.chance.choices(self.scopes[0], k=SEEN - len(values))
        for number, value in enumerate(values):
            if value.type == BOOL:
                one = b.select(value, constant(1, I32), constant(0, I32))
                b.store(self.seen, self.own, 8 * number, one)
            else:
                b.store(self.seen, self.own, 8 * number, value)
        for port in self.kernel.outputs:
            if self.chance.random() < 0.8:
                b.output(port, self._value(port.type))

    # ------------------------------------------------------------ values

    def _type(self) -> Type:
        return self.chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]

    def _keep(self, value: Value) -> Value:
        self.scopes[-1].append(value)
        return value

    def _value(self, type: Type) -> Value:
        """Return a value of a type: a constant, a variable, an earlier value or a new one."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.15:
            return constant(random_bits(self.chance, type), type)
        variables = self.variables.get(type)
        if kind < 0.4 and variables:
            return self._keep(self.builder.get(chance.choice(variables)))
        visible = [each for scope in self.scopes for each in scope if each.type == type]
        if visible:
            return chance.choice(visible[-8:] if chance.random() < 0.7 else visible)
        return constant(random_bits(self.chance, type), type)

    def _statement(self, depth: int) -> None:
        self.left -= 1
        chance = self.chance
        kind = chance.random()
        if kind < 0.55:
            self._keep(self._pure(chance.choice(self.operations)))
        elif kind < 0.70:
            type = chance.choice(list(self.variables))
            self.builder.set(chance.choice(self.variables[type]), self._value(type))
        elif kind < 0.85:
            self._access()
        elif kind < 0.90:
            self._other()
        elif depth < 4:
            make = (self._if, self._if, self._if, self._loop, self._loop, self._switch, self._block)
            chance.choice(make)(depth + 1)

    def _pure(self, op: Op) -> Value:
        chance, b = self.chance, self.builder
        letters = op.operands
        bound = dict(OPERAND_TYPES)
        for letter in letters:
            while letter not in bound:
                type = F32 if op.library and chance.random() < 0.8 else self._type()
                if accepts(op, letter, type) and not (op.library and type == F64):
                    bound[letter] = type
        args = [self._value(bound[letter]) for letter in letters]
        if args and args[0].op.name == "const" and chance.random() < 0.7:
            args[0] = self._value(args[0].type)
        results = result_types(op, args[0].type) if args else []
        result = chance.choice(results) if results else None
        attr = chance.choice(list(self.bound)) if op.name == "count" else None
        if len(args) > 1 and op.name.endswith(("div", "rem")) and chance.random() < 0.5:
            args[1] = constant(chance.randint(1, 70), args[1].type)
        if op.name == "bitcast":  # its operand must not be a NaN
            args[0] = b.select(b.feq(args[0], args[0]), args[0], constant(0, args[0].type))
        return b.make(op, *args, type=result, attr=attr)

    # ------------------------------------------------------------ memories

    def _element(self, memory: Memory) -> Value:
        """Return the lane's own element, or one out of bounds."""
        assert self.own is not None
        b, chance = self.builder, self.chance
        kind = chance.random()
        if kind < 0.8:
            return self.own
        beyond = constant(chance.choice((self.lanes, self.lanes + 5, 1 << 31, 0xFFFF_FFFF)), I32)
        if kind < 0.85:
            return beyond
        if kind < 0.92:
            return b.select(self._value(BOOL), self.own, beyond)
        return b.ushr(b.ishl(self.own, 2), 2)

    def _any(self, count: int) -> Value:
        """Return any element of a memory that only this lane writes, or no lane."""
        b, kind = self.builder, self.chance.random()
        if kind < 0.3:
            return constant(self.chance.randint(0, count + 1), I32)
        if kind < 0.5:
            assert self.own is not None
            return b.iadd(self.own, self.chance.randint(0, 3))
        if kind < 0.8:
            return b.and_(self._value(I32), self.chance.choice((1, 3, 7)))
        return self._value(I32)

    def _byte(self, memory: Memory, type: Type) -> Value:
        chance = self.chance
        kind = chance.random()
        if kind < 0.7:
            return constant(chance.randrange(0, max(memory.stride, 1), min(type.size, 4)), I32)
        if kind < 0.8:
            return constant(chance.choice((1, 2, 3, memory.stride, 0xFFFF_FFFC)), I32)
        return self.builder.ishl(self.builder.and_(self._value(I32), 3), 2)

    def _load(self, type: Type) -> Value:
        chance = self.chance
        memory = chance.choice([each for each in self.read if each.stride >= type.size])
        return self.builder.load(memory, self._any(8), self._byte(memory, type), type)

    def _access(self) -> None:
        chance, b = self.chance, self.builder
        type = chance.choice(MEMORY_TYPES)
        kind = chance.random()
        if kind < 0.3:
            self._keep(self._load(type))
        elif kind < 0.55:  # the lane's own memory
            place = self._any(4), self._byte(self.local, type)
            if chance.random() < 0.5:
                b.store(self.local, *place, self._value(type))
            else:
                self._keep(b.load(self.local, *place, type))
        elif kind < 0.65:  # a place that all lanes share
            memory = chance.choice(self.shared)
            type = I32 if memory.stride == 4 or chance.random() < 0.7 else I64
            args = self._any(8), 0 if type == I64 or chance.random() < 0.8 else 4
            # Accesses of 32 and of 64 bits must not overlap.
            if type == I64 and memory.stride == 8:
                args = b.or_(args[0], 4), 0
            elif memory.stride == 8:
                args = b.and_(args[0], 0xFFFF_FFFB), args[1]
            b.make(self.atomics[memory], *args, self._value(type), attr=memory)
        else:
            memory = chance.choice([each for each in self.write if each.stride >= type.size])
            self._own(memory, type)

    def _own(self, memory: Memory, type: Type) -> None:
        chance, b = self.chance, self.builder
        element, byte = self._element(memory), self._byte(memory, type)
        kind = chance.random()
        if kind < 0.4:
            b.store(memory, element, byte, self._value(type))
        elif kind < 0.7:
            self._keep(b.load(memory, element, byte, type))
        else:
            type = I32 if memory.stride < 8 or chance.random() < 0.7 else I64
            byte_ = chance.choice((0, 0, 4, 2)) if memory.stride >= 8 else 0
            op = chance.choice(ATOMICS)
            if chance.random() < 0.3:
                type = F32 if type == I32 else F64
                op = chance.choice(FLOAT_ATOMICS)
            values = [self._value(type) for _ in op.operands[2:]]
            self._keep(b.make(op, element, byte_, *values, attr=memory))

    # ------------------------------------------------------------ other operations

    def _other(self) -> None:
        chance, b = self.chance, self.builder
        if self.compute:
            kind = chance.choice(("source", "message", "barrier", "source", "wave"))
        else:
            kind = chance.choice(
                ("source", "input", "output", "quad_swap", "discard", "helper", "message", "wave")
            )
        match kind:
            case "source":
                words = [each for each in SOURCES if self.compute or "_" not in each]
                self._keep(b.source(chance.choice(words)))
            case "input":
                self._keep(b.input(chance.choice(self.kernel.inputs)))
            case "output":
                port = chance.choice(self.kernel.outputs)
                b.output(port, self._value(port.type))
            case "quad_swap":
                self._keep(b.quad_swap(self._value(self._type()), attr=chance.randint(1, 3)))
            case "discard":
                b.discard(b.and_(self._value(BOOL), self._value(BOOL)))
            case "helper":
                self._keep(b.is_helper())
            case "wave":
                self._keep(self._wave())
            case "message":
                b.message(self._value(I32), attr="% is here")
            case _:
                b.barrier(attr="memory")

    def _wave(self) -> Value:
        """Append a wave operation on any values."""
        chance, b = self.chance, self.builder
        op = chance.choice(WAVES)
        helpers = chance.random() < 0.5
        type = BOOL if op.operands == "b" else self._type()
        if op not in COMBINES:
            word = chance.randrange(self.kernel.wave // 32 or 1) if op is OPS.wave_ballot else 0
            attr = Wave(word=word, helpers=helpers)
        else:
            which = chance.choice(
                [each for each in NEUTRAL if type.kind in OPERAND_KINDS[each.operands[0]]]
            )
            attr = Wave(which, chance.choice((0, 0, 2, 4)), helpers=helpers)
        args = [self._value(type) for _ in op.operands[:1]]
        if op is OPS.wave_read:
            args.append(b.and_(self._value(I32), 31))
        return b.make(op, *args, attr=attr)

    def _phase(self) -> None:
        """Write the own element of shared memory, wait, read any element, wait."""
        b, chance = self.builder, self.chance
        type = chance.choice((I32, F32, F64, I64))
        local = b.source("thread_id_in_group_flattened")
        b.store(self.group_memory, local, 0, self._value(type))
        b.barrier(attr="group")
        x, y, z = self.kernel.group
        for _ in range(chance.randint(1, 3)):
            element = self._any(x * y * z)
            self._keep(b.load(self.group_memory, element, 0, type))
        b.barrier(attr="group")

    # ------------------------------------------------------------ structure

    def _body(self, depth: int, leave: bool = True) -> None:
        self.scopes.append([])
        for _ in range(self.chance.randint(0, 6)):
            self._statement(depth)
        if leave and self.chance.random() < 0.25:
            jumps = [OPS.break_, OPS.continue_] if self.loops else []
            if not self.phases and self.chance.random() < 0.2:
                jumps += [OPS.return_]
            self._leave(jumps)
        self.scopes.pop()

    def _leave(self, jumps: list[Op]) -> None:
        """Append one of these, or an exit of an enclosing block."""
        if self.blocks and (not jumps or self.chance.random() < 0.5):
            self.builder.exit(self.chance.choice(self.blocks))
        elif jumps:
            self.builder.make(self.chance.choice(jumps))

    def _block(self, depth: int) -> None:
        b, chance = self.builder, self.chance
        with b.block() as block:
            self.blocks.append(block)
            self.scopes.append([])
            for _ in range(chance.randint(1, 3)):
                self._body(depth, leave=False)
                if chance.random() < 0.5:
                    with b.when(self._value(BOOL)):
                        self._leave([])
            self._body(depth)
            self.scopes.pop()
            self.blocks.pop()

    def _if(self, depth: int) -> None:
        b = self.builder
        with b.when(self._value(BOOL)) as statement:
            self._body(depth)
        if self.chance.random() < 0.5:
            with b.within(statement.otherwise):
                self._body(depth)

    def _loop(self, depth: int) -> None:
        """Append a loop that ends when its counter reaches zero, or before."""
        b, chance = self.builder, self.chance
        self.counters += 1
        counter = b.var(f"n{self.counters}", I32)
        times: Value | int = chance.randint(0, 3)
        if chance.random() < 0.5:
            times = b.and_(self._value(I32), 3)
        b.set(counter, times)
        with b.loop():
            self.loops += 1
            self.scopes.append([])
            left = self._keep(b.get(counter))
            with b.when(b.ieq(left, 0)):
                b.break_()
            b.set(counter, b.isub(left, 1))
            self._body(depth, leave=False)
            if chance.random() < 0.3:
                with b.when(self._value(BOOL)):
                    self._leave([OPS.break_, OPS.continue_])
                self._body(depth, leave=False)
            self.scopes.pop()
            self.loops -= 1

    def _switch(self, depth: int) -> None:
        b, chance = self.builder, self.chance
        value = self._value(chance.choice((I32, I32, I64, I16, I8)))
        if value.op.name != "const":
            value = b.and_(value, 3)
        switch = b.switch(value)
        labels = [0, 1, 2, 3, -1]
        chance.shuffle(labels)
        default = chance.random() < 0.6
        while labels:
            some = [labels.pop() for _ in range(min(chance.randint(1, 2), len(labels)))]
            last = not labels or chance.random() < 0.3
            with b.case(switch, *some, default=default and last):
                self.scopes.append([])
                self._body(depth, leave=False)
                if chance.random() < 0.3:
                    with b.when(self._value(BOOL)):
                        b.break_()
                    self._body(depth, leave=False)
                if chance.random() < 0.5:
                    self._leave([OPS.break_, OPS.continue_] if self.loops else [OPS.break_])
                self.scopes.pop()
            if last:
                break
