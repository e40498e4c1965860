"""One lane of a PICA200 program, word by word: the three stacks as 3dbrew and azahar have them.

    run(program, main, c=…, i=…, b=…, v=…)  ->  registers, by name

It has no notion of blocks: after every word it compares the stacks with the number of the next.
Words without a target are add, mov, cmp, nop, emit and setemit; floats have 32 bits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from unshade.programs.pica import Instruction, Program
from unshade.programs.pica.operands import Compare, Condition, Destination, SourceOperand

Vector = tuple[float, float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0, 0.0)
STEPS = 20_000


class Endless(Exception):
    """The program did not end within `STEPS` words."""


class If(NamedTuple):
    middle: int
    end: int


class Call(NamedTuple):
    end: int
    back: int


class Loop:
    def __init__(self, start: int, end: int, turns: int, step: int, outer: int) -> None:
        self.start = start
        self.end = end
        self.turns = turns
        self.step = step
        self.outer = outer


class Unit:
    """The state of a shader unit."""

    def __init__(
        self,
        program: Program,
        c: Mapping[int, Sequence[float]],
        i: Mapping[int, Sequence[int]],
        b: Mapping[int, bool],
        v: Mapping[str, Sequence[float]],
    ) -> None:
        self.code = program.instructions
        self.c, self.i, self.b = c, i, b
        self.registers: dict[str, Vector] = {k: tuple(map(float, w)) for k, w in v.items()}  # type: ignore[misc]
        self.flags = [False, False]
        self.aL = 0
        self.ifs: deque[If] = deque(maxlen=8)
        self.calls: deque[Call] = deque(maxlen=4)
        self.loops: deque[Loop] = deque(maxlen=4)

    def run(self, at: int) -> None:
        """Return all words up to `end`."""
        for _ in range(STEPS):
            one = self.code[at] if at < len(self.code) else Instruction(0x88000000)
            name = one.name
            if name == "end":
                return
            following = at + 1
            if name in ("ifc", "ifu"):
                if self.holds(one):
                    self.ifs.append(If(one.target, one.target + one.num))
                else:
                    following = one.target
            elif name in ("call", "callc", "callu"):
                if self.holds(one):
                    self.calls.append(Call(one.target + one.num, at + 1))
                    following = one.target
            elif name in ("jmpc", "jmpu"):
                if self.holds(one):
                    following = one.target
            elif name == "for":
                turns, first, step = self.i.get(one.int_id, (0, 0, 0))
                self.loops.append(Loop(at + 1, one.target + 1, turns, step, self.aL))
                self.aL = first
            elif name not in ("nop", "break", "breakc"):
                self.compute(one)
            broken = name == "break" or (name == "breakc" and self.holds(one))
            at = self.follow(at + 1, following, broken)
        raise Endless

    def follow(self, n: int, following: int, broken: bool) -> int:
        """Return the next word; `n` is the one after the last executed."""
        back = n
        for taken in range(4):
            if not self.calls or self.calls[-1].end != back:
                break
            back = self.calls.pop().back
            if taken < 3:
                following = back
        if self.ifs and self.ifs[-1].middle == n:
            following = self.ifs.pop().end
        if self.loops and (broken or self.loops[-1].end == n):
            loop = self.loops[-1]
            self.aL += loop.step
            if not broken and loop.turns:
                loop.turns -= 1
                return loop.start
            following = loop.end
            self.loops.pop()
            if self.loops:
                self.aL = loop.outer
        return following

    def holds(self, one: Instruction) -> bool:
        """Return True if a jump, a call, an if or a break is taken."""
        if one.name in ("ifu", "callu", "jmpu"):
            return self.b.get(one.bool_id, False) != (one.name == "jmpu" and bool(one.invert))
        condition = next((each for each in one.operands if isinstance(each, Condition)), None)
        return condition is None or condition.holds(*self.flags)

    def compute(self, one: Instruction) -> None:
        """Execute an instruction without a target."""
        given = [self.source(each) for each in one.operands if isinstance(each, SourceOperand)]
        if one.name == "cmp":
            tests = [each.op for each in one.operands if isinstance(each, Compare)]
            for at, test in enumerate(tests):
                x, y = given[0][at], given[1][at]
                self.flags[at] = (x == y, x != y, x < y, x <= y, x > y, x >= y)[test]
            return
        (written,) = (each for each in one.operands if isinstance(each, Destination))
        made = given[0]
        if one.name == "add":
            made = tuple(  # type: ignore[assignment]
                float(np.float32(x) + np.float32(y)) for x, y in zip(*given, strict=True)
            )
        else:
            assert one.name == "mov", one.name
        old = self.registers.get(str(written.register), ZERO)
        self.registers[str(written.register)] = tuple(  # type: ignore[assignment]
            made[at] if written.mask << at & 8 else old[at] for at in range(4)
        )

    def source(self, operand: SourceOperand) -> Vector:
        """Return the components of a source, with swizzle and sign."""
        name = str(operand.register)
        if name[0] == "c":
            assert operand.idx in (0, 3)
            value = self.c.get(operand.register.number + (self.aL if operand.idx else 0), ZERO)
        else:
            value = self.registers.get(name, ZERO)
        sign = -1.0 if operand.negate else 1.0
        return tuple(sign * value[at] for at in operand.components)  # type: ignore[return-value]


def run(
    program: Program,
    main: int = 0,
    *,
    c: Mapping[int, Sequence[float]] | None = None,
    i: Mapping[int, Sequence[int]] | None = None,
    b: Mapping[int, bool] | None = None,
    v: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Vector]:
    """Return all registers that were written when the program ends; Endless if it does not."""
    unit = Unit(program, c or {}, i or {}, b or {}, v or {})
    unit.run(main)
    return unit.registers
