"""Random compute shaders of DXIL, each with a program in Python that computes the same.

    made = Generated(seed)
    made.text                 LLVM assembly
    made.expected()           the bytes of the buffers that are written

Values are in SSA form: branches, switches that fall through and loops with break and continue have
phis and no merges. A group of threads is computed together (`machine`), since threads exchange
values in waves, quads and group-shared memory. Loads and stores are often out of bounds. Wave
operations are where it is certain which threads take part: not in an arm that leaves a loop.
"""

from __future__ import annotations

import random
import struct
from fractions import Fraction
from typing import NamedTuple

from .exact_floats import Format
from .exact_operations import BITS, TYPES, Row, cut, formats, rows
from .generated_module import ARRAY, SHARED, Frame, buffers, module
from .generated_waves import WaveStatements
from .machine import Evaluate, Expression, Leave, Machine, Step, Threads, Values

__all__ = ["WRITTEN", "Generated"]

DEEPEST = 3
NAMES = {"u": "i", "v": "i", "w": "i", "p": "l", "s": "w", "f": "f", "g": "f", "h": "h", "d": "d"}
NUMBERS = (0, 1, 2, 3, 7, 31, 255, 0x7FFF)
BY_RESULT = {
    (flush, kind): [each for each in rows(flush) if each.result == kind]
    for flush in (False, True)
    for kind in TYPES
}
CASES = {0: 0, 1: 1, 3: 1, 6: 0}  # of a switch: the arm of each number
WRITTEN = ("u0", "u1", "u2", "u3")
Environment = dict[str, str]  # values of variables
Incoming = list[tuple[str, Environment]]  # the blocks that lead to one


class OpenLoop(NamedTuple):
    """A loop whose body is being made, and the blocks that leave it so far."""

    number: int
    exits: Incoming
    latches: Incoming


class Generated(WaveStatements):
    """A shader made from a seed."""

    def __init__(self, seed: int) -> None:
        chance = self.random = random.Random(seed)
        self.model = chance.choice((2, 5, 6, 6, 7, 8))
        self.flush = chance.random() < 0.5
        self.native = chance.random() < 0.5
        self.threads = chance.choice((1, 4, 8, 12, 32, 40))
        self.groups = chance.choice((1, 1, 2, 3))
        self.wave = chance.choice((4, 8, 16, 32))
        self.formats: dict[str, Format] = formats(self.flush)
        self.lines: list[str] = []
        self.count = 0
        self.block = "entry"
        self.depth = 0
        self.leaving = False  # in an arm that leaves a loop
        self.loops: list[OpenLoop] = []
        self.now: Environment = {}
        self.types = NAMES
        self.steps: list[Step] = []
        for name, kind in NAMES.items():
            self.now[name], value = self._constant(kind)
            self.steps.append(_assignment(name, value))
        self.steps += [self._statement() for _ in range(chance.randint(3, 8))]
        stored = self._results()
        frame = Frame(self.model, self.threads, self.native, self.flush)
        self.data = buffers(chance, self.threads * self.groups, stored)
        self.text = module(frame, self.lines)

    # ------------------------------------------------------------ text

    def put(self, text: str) -> str:
        """Append an instruction with a result."""
        self.count += 1
        self.lines.append(f"  %x{self.count} = {text}")
        return f"%x{self.count}"

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def number(self) -> int:
        self.count += 1
        return self.count

    # ------------------------------------------------------------ expressions

    def expression(self, kind: str, depth: int = 0) -> Expression:
        """Append instructions for a random value."""
        chance = self.random
        if depth > 2 or chance.random() < 0.25:
            return self._leaf(kind)
        if not self.leaving and chance.random() < 0.08:
            return self.wave_operation(kind, depth)
        known = BY_RESULT[self.flush, kind]
        row = chance.choice([each for each in known if each.model <= self.model])
        return self.applied(row, [self.expression(each, depth + 1) for each in row.operands])

    def applied(self, row: Row, given: list[Expression]) -> Expression:
        """Append an operation."""
        made = self.put(row.text.format(*(text for text, _ in given)))
        if row.struct:
            made = self.put(f"extractvalue {row.struct} {made}, {row.part}")

        def value(machine: Machine, threads: Threads) -> Values:
            operands = [each(machine, threads) for _, each in given]
            return {
                at: cut(row.result, int(row.do(*(each[at] for each in operands)))) for at in threads
            }

        return made, value

    def _leaf(self, kind: str) -> Expression:
        at = self.random.random()
        if at < 0.2 and kind != "1" and (self.native or BITS[kind] > 16):
            return self.load(kind)
        names = [name for name, each in self.types.items() if each == kind]
        if names and at < 0.75:
            name = self.random.choice(names)
            return self.now[name], lambda machine, threads: machine.get(name, threads)
        if kind == "i" and at < 0.85:
            return "%lane", lambda machine, threads: {each: each for each in threads}
        if kind == "1" and at < 0.8:
            predicate = self.random.choice([each for each in BY_RESULT[self.flush, "1"]
                                            if each.text.startswith("icmp")])  # fmt: skip
            return self.applied(predicate, [self._leaf(each) for each in predicate.operands])
        return self._constant(kind)

    def _constant(self, kind: str) -> Expression:
        chance = self.random
        if kind in self.formats:
            format = self.formats[kind]
            plain = format.nearest(Fraction(chance.randint(-40, 40), 8))
            bits = chance.choice((
                plain, plain, plain, 0, format.sign, format.infinity, format.nan, 1,
                plain ^ chance.getrandbits(4),
            ))  # fmt: skip
            text = spelled(kind, bits)
        elif kind == "1":
            bits = chance.randrange(2)
            text = ("false", "true")[bits]
        else:
            width = BITS[kind]
            bits = chance.choice((*NUMBERS, chance.getrandbits(width), (1 << width - 1) - 1))
            bits = cut(kind, chance.choice((bits, bits, -bits, 1 << width - 1)))
            text = str(bits - (bits >> width - 1 << width))
        return text, lambda machine, threads: dict.fromkeys(threads, bits)

    def below(self, count: int) -> Expression:
        """Append a number below a power of two."""
        text, value = self.expression("i", 2)
        made = self.put(f"and i32 {text}, {count - 1}")
        return made, lambda machine, threads: {
            at: each & count - 1 for at, each in value(machine, threads).items()
        }

    # ------------------------------------------------------------ statements

    def _statement(self) -> Step:
        kinds = ["set", "set", "set", "array", "store", "atomic"]
        if self.depth < DEEPEST:
            kinds += ["if", "if", "loop", "switch"]
        if not self.depth:
            kinds += ["shared", "shared"]
        made = {
            "set": self._set, "array": self.array_store, "store": self.buffer_store,
            "atomic": self.atomic, "if": self._if, "loop": self._loop, "switch": self._switch,
            "shared": self._shared,
        }  # fmt: skip
        return made[self.random.choice(kinds)]()

    def _some(self, most: int) -> list[Step]:
        self.depth += 1
        found = [self._statement() for _ in range(self.random.randint(1, most))]
        self.depth -= 1
        return found

    def _set(self) -> Step:
        name, kind = self.random.choice([*self.types.items()])
        self.now[name], value = self.expression(kind)
        return _assignment(name, value)

    def _shared(self) -> Step:
        name = self.random.choice("uvw")
        (text, value), step = self.exchange()
        self.now[name] = text
        set_ = _assignment(name, value)
        return lambda machine, threads: set_(machine, step(machine, threads))

    # ------------------------------------------------------------ control flow

    def _merge(self, incoming: Incoming) -> None:
        """Append phis for what differs between the blocks that lead here."""
        first = incoming[0][1]
        made = {}
        for name, kind in self.types.items():
            values = [each[name] for _, each in incoming]
            if len(set(values)) == 1:
                made[name] = first[name]
                continue
            pairs = ", ".join(f"[ {each[name]}, %{block} ]" for block, each in incoming)
            made[name] = self.put(f"phi {TYPES[kind]} {pairs}")
        self.now = made

    def _if(self) -> Step:
        text, value = self.expression("1")
        number = self.number()
        labels = [f"then{number}", f"else{number}"]
        self.lines.append(f"  br i1 {text}, label %{labels[0]}, label %{labels[1]}")
        before = self.now
        arms: list[list[Step]] = []
        incoming: Incoming = []
        leaves = self.random.randrange(2) if self.loops and self.random.random() < 0.4 else None
        for at, label in enumerate(labels):
            self.label(label)
            self.now = dict(before)
            outer, self.leaving = self.leaving, self.leaving or at == leaves
            steps = self._some(2)
            if at == leaves:
                steps.append(self._leave())
            else:
                incoming.append((self.block, self.now))
                self.lines.append(f"  br label %done{number}")
            self.leaving = outer
            arms.append(steps)
        self.label(f"done{number}")
        self._merge(incoming)

        def step(machine: Machine, threads: Threads) -> Threads:
            chosen = value(machine, threads)
            yes = machine.run(arms[0], [each for each in threads if chosen[each]])
            no = machine.run(arms[1], [each for each in threads if not chosen[each]])
            return sorted([*yes, *no])

        return step

    def _leave(self) -> Step:
        """End a block by break or continue."""
        kind = self.random.choice((Leave.BREAK, Leave.CONTINUE))
        number, exits, latches = self.loops[-1]
        (exits if kind is Leave.BREAK else latches).append((self.block, self.now))
        label = "exit" if kind is Leave.BREAK else "latch"
        self.lines.append(f"  br label %{label}{number}")
        return lambda machine, threads: machine.leave(kind, threads)

    def _loop(self) -> Step:
        """A loop that tests a counter at its start or its end."""
        number = self.number()
        at_end = self.random.random() < 0.4
        turns, value = self.below(4)
        before = self.block
        self.lines.append(f"  br label %head{number}")
        self.label(f"head{number}")
        place, outer = len(self.lines), self.now
        counter = f"%i{number}"
        self.now = {name: self.put(f"phi {TYPES[kind]}") for name, kind in self.types.items()}
        heads = dict(self.now)
        self.lines.append(f"  {counter} = phi i32 [ 0, %{before} ], [ {counter}n, %latch{number} ]")
        made = OpenLoop(number, [], [])
        if not at_end:
            more = self.put(f"icmp ule i32 {counter}, {turns}")
            self.lines.append(f"  br i1 {more}, label %body{number}, label %exit{number}")
            made.exits.append((self.block, heads))
            self.label(f"body{number}")
            self.now = dict(heads)
        self.loops.append(made)
        steps = self._some(3)
        self.loops.pop()
        made.latches.append((self.block, self.now))
        self.lines.append(f"  br label %latch{number}")
        self.label(f"latch{number}")
        self._merge(made.latches)
        self.lines.append(f"  {counter}n = add i32 {counter}, 1")
        if at_end:
            more = self.put(f"icmp ule i32 {counter}n, {turns}")
            self.lines.append(f"  br i1 {more}, label %head{number}, label %exit{number}")
            made.exits.append((f"latch{number}", self.now))
        else:
            self.lines.append(f"  br label %head{number}")
        for at, name in enumerate(heads):
            pairs = f" [ {outer[name]}, %{before} ], [ {self.now[name]}, %latch{number} ]"
            self.lines[place + at] += pairs
        self.label(f"exit{number}")
        self._merge(made.exits)
        return _loop_step(value, steps)

    def _switch(self) -> Step:
        """A switch of three arms, the first of which may fall through to the second."""
        number = self.number()
        text, value = self.below(8)
        falls = self.random.random() < 0.5
        labels = [f"case{number}.{at}" for at in range(3)]
        self.lines.append(f"  switch i32 {text}, label %{labels[2]} [")
        self.lines += [f"    i32 {each}, label %{labels[at]}" for each, at in CASES.items()]
        self.lines.append("  ]")
        start, before = self.block, self.now
        arms: list[list[Step]] = []
        incoming: Incoming = []
        fallen: Incoming = []
        for at, label in enumerate(labels):
            self.label(label)
            edges = [*CASES.values(), 2].count(at)  # a phi has a value for each
            self._merge([(start, before)] * edges + (fallen if at == 1 else []))
            arms.append(self._some(2))
            if falls and at == 0:
                fallen.append((self.block, self.now))
                self.lines.append(f"  br label %{labels[1]}")
            else:
                incoming.append((self.block, self.now))
                self.lines.append(f"  br label %end{number}")
        self.label(f"end{number}")
        self._merge(incoming)

        def step(machine: Machine, threads: Threads) -> Threads:
            found = value(machine, threads)
            chosen = {each: CASES.get(found[each], 2) for each in threads}
            parts = [[each for each in threads if chosen[each] == at] for at in range(3)]
            first = machine.run(arms[0], parts[0])
            second = sorted([*parts[1], *first]) if falls else parts[1]
            ended = [*machine.run(arms[1], second), *machine.run(arms[2], parts[2])]
            return sorted([*ended, *([] if falls else first)])

        return step

    # ------------------------------------------------------------ the whole

    def _results(self) -> int:
        """Append stores of all variables and of the array; return the words of a thread."""
        words: list[str] = []
        for name, kind in self.types.items():
            text, whole = self.now[name], {"h": "w", "f": "i", "d": "l"}.get(kind, kind)
            if whole != kind:
                text = self.put(f"bitcast {TYPES[kind]} {text} to {TYPES[whole]}")
            if whole == "w":
                text = self.put(f"zext i16 {text} to i32")
            if whole == "l":
                words.append(self.put(f"trunc i64 {text} to i32"))
                text = self.put(f"trunc i64 {self.put(f'lshr i64 {text}, 32')} to i32")
            words.append(text)
        for at in range(ARRAY):
            place = self.put(
                f"getelementptr [{ARRAY} x i32], [{ARRAY} x i32]* %arr, i32 0, i32 {at}"
            )
            words.append(self.put(f"load i32, i32* {place}"))
        start = self.put(f"mul i32 %lane, {4 * len(words)}")
        for at, text in enumerate(words):
            byte = self.put(f"add i32 {start}, {4 * at}")
            self.lines.append(
                "  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %u0,"
                f" i32 {byte}, i32 undef, i32 {text}, i32 undef, i32 undef, i32 undef, i8 1, i32 4)"
            )
        return len(words)

    def expected(self) -> dict[str, bytes]:
        """Return the bytes of the buffers that are written."""
        machine = Machine(self.threads, self.groups, self.wave, self.data, ARRAY)
        for group in range(self.groups):
            threads = machine.begin(group, SHARED)
            machine.run(self.steps, threads)
        result = bytearray()
        for values, array in zip(machine.variables, machine.arrays, strict=True):
            for name, kind in self.types.items():
                result += values[name].to_bytes(max(BITS[kind] // 8, 4), "little")
            result += struct.pack(f"<{ARRAY}I", *array)
        machine.buffers["u0"] = result
        return {name: bytes(machine.buffers[name]) for name in WRITTEN}


def _assignment(name: str, value: Evaluate) -> Step:
    def step(machine: Machine, threads: Threads) -> Threads:
        machine.set(name, value(machine, threads))
        return threads

    return step


def _loop_step(turns: Evaluate, steps: list[Step]) -> Step:
    def step(machine: Machine, threads: Threads) -> Threads:
        wanted = turns(machine, threads)
        return machine.loop(steps, threads, {at: each + 1 for at, each in wanted.items()})

    return step


def spelled(kind: str, bits: int) -> str:
    """Return a float constant as LLVM writes it."""
    if kind == "h":
        return f"0xH{bits:04X}"
    if kind == "f":
        (number,) = struct.unpack("<f", bits.to_bytes(4, "little"))
        (bits,) = struct.unpack("<Q", struct.pack("<d", number))
    return f"0x{bits:016X}"
