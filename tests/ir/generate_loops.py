"""Random kernels whose loops count, by seed: those that lockstep runs in strips.

    program = generate_loops(seed)          as generate.generate

A loop has a counter that goes up or down, one branch that leaves, and operations, loads and
variables, some of them sums; no other construct, and nothing that writes memory. Half of the loops
are left by all lanes together.
"""

import random

from tests.ir.generate import MEMORY_TYPES, Generator, Program
from tests.ir.operands import SCALARS, accepts
from unshade.ir.builder import constant
from unshade.ir.kernel import Value
from unshade.ir.memory import Var
from unshade.ir.ops import OPS
from unshade.ir.types import F32, I32, Type, Widths

SUMMED = (F32, I32)
# Operations on two numbers of a type.
TWO = (OPS.isub, OPS.imul, OPS.xor, OPS.umin, OPS.fsub, OPS.fmul, OPS.fmax)


def generate_loops(
    seed: int, *, size: int = 40, library: bool = False, widths: Widths | None = None
) -> Program:
    """Return a program of about `size` operations; `widths` to flush are random by default."""
    generator = LoopGenerator(random.Random(seed), size, library)
    if widths is not None:
        generator.kernel.flush = widths
    return generator.program()


class LoopGenerator(Generator):
    """A generator of one program with loops that count."""

    def _declare(self) -> None:
        super()._declare()
        self.results = self.builder.var("results", I32)  # of all loops; its name begins with r

    def _statement(self, depth: int) -> None:
        if not depth and self.chance.random() < 0.15:
            self._loop(1)
        else:
            super()._statement(depth)

    def _loop(self, depth: int) -> None:
        b, chance = self.builder, self.chance
        self.counters += 1
        counter = b.var(f"n{self.counters}", I32)
        given: Value | int = chance.randint(0, 20) if chance.random() < 0.7 else self._value(I32)
        step = chance.choice((1, 1, 1, 2, 5))
        down = chance.random() < 0.3
        early = chance.random() < 0.9  # the branch is before the counter changes
        times: Value | int = chance.choice((0, 1, 3, 4, 5, 9, 30, 70))
        if chance.random() < 0.4:
            times = b.and_(self._value(I32), 15)
        turns = b.imul(b.iadd(constant(0 if early else 1, I32), times), step)
        first = b.iadd(constant(0, I32), given)
        end = b.isub(first, turns) if down else b.iadd(first, turns)
        b.set(counter, first)
        total = b.var(f"s{self.counters}", chance.choice(SUMMED))
        delayed = chance.random() < 0.5  # a variable is what another was an iteration before
        previous, last = (b.var(f"{name}{self.counters}", F32) for name in "pl")
        with b.loop():
            self.scopes.append([])
            if not early:
                self._count(counter, step, down)
            at = self._keep(b.get(counter))
            if chance.random() < 0.2:
                self._operations(at, 2)
            same = b.ieq(at, end)
            with b.when(same):
                b.break_()
            self._operations(at, chance.randint(1, 12))
            if chance.random() < 0.7:
                add = b.fadd if total.type == F32 else b.iadd
                terms = [b.get(total), self._value(total.type)]
                chance.shuffle(terms)
                b.set(total, add(*terms))
            if delayed:
                b.set(previous, b.get(last))
                b.set(last, self._value(F32))
            if early:
                self._count(counter, step, down)
            self.scopes.pop()
        for var in (total, counter, previous, last):
            value = self._keep(b.get(var))
            bits = value if var.type == I32 else b.asint(value)
            b.set(self.results, b.iadd(b.imul(b.get(self.results), 31), bits))

    def _count(self, counter: Var, step: int, down: bool) -> None:
        b = self.builder
        before = b.get(counter)
        b.set(counter, b.isub(before, step) if down else b.iadd(before, step))

    def _value(self, type: Type) -> Value:
        """Return a value of a type: most operands in a loop are values of its iteration."""
        if len(self.scopes) > 1 and self.chance.random() < 0.85:
            inside = [each for each in self.scopes[-1] if each.type == type]
            if inside:
                return self.chance.choice(inside)
        return super()._value(type)

    def _operations(self, at: Value, count: int) -> None:
        """Append loads, operations and assignments, in the iteration in which the counter is `at`.

        There is a load of each type at first, so that most operations depend on the counter.
        """
        chance, b = self.chance, self.builder
        for type in chance.sample(SCALARS[1:], 4):
            memory = chance.choice([each for each in self.read if each.stride >= type.size])
            self._keep(b.load(memory, at, self._byte(memory, type), type))
        for _ in range(count):
            kind = chance.random()
            type = chance.choice(list(self.variables))
            var = chance.choice(self.variables[type])
            if kind < 0.75:
                self._keep(self._pure(chance.choice(self.operations)))
            elif kind < 0.8:
                self._keep(self._load(chance.choice(MEMORY_TYPES)))
            elif kind < 0.85:
                op = chance.choice([op for op in TWO if accepts(op, op.operands[0], type)])
                b.set(var, b.make(op, b.get(var), self._value(type)))
            else:
                b.set(var, self._value(type))
