"""Wave and quad operations of generated shaders, with what each does in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .exact_floats import Format
from .exact_operations import SUFFIXES, TYPES, cut, signed
from .generated_memory import MemoryStatements
from .machine import Evaluate, Expression, Machine, Threads, Values

SUM, PRODUCT, LEAST, MOST = range(4)
BITWISE: tuple[Callable[[int, int], int], ...] = (
    lambda x, y: x & y, lambda x, y: x | y, lambda x, y: x ^ y,
)  # fmt: skip
FOUR = "%dx.types.fouri32"
MATCH, PREFIX_OF_PART = 5, 5  # the minor versions that have them
QUAD_VOTE = 7
OfPart = Callable[[Machine, Threads, Values], Values]


class WaveStatements(MemoryStatements):
    """Operations over the threads of a wave that are at the same place."""

    model: int
    wave: int
    formats: dict[str, Format]

    def wave_operation(self, kind: str, depth: int) -> Expression:
        """Append a wave operation with a result of a type."""
        choices: list[Callable[[str, int], Expression]] = [self._read, self._first, self._quad]
        if kind in "wilhfd":
            choices += [self._reduced] * 3 + [self._prefix] * 2
            if self.model >= PREFIX_OF_PART:
                choices.append(self._prefix_of_part)
        if kind == "i":
            choices += [self._count, self._ballot, self._position]
            if self.model >= MATCH:
                choices.append(self._match)
        if kind == "1":
            choices += [self._vote] * 3
            if self.model >= QUAD_VOTE:
                choices.append(self._quad_vote)
        return self.random.choice(choices)(kind, depth)

    def _over(self, given: Expression, text: str, kind: str, do: OfPart) -> Expression:
        """Append an operation whose result depends on the threads of each wave."""
        made, value = self.put(text), given[1]

        def found(machine: Machine, threads: Threads) -> Values:
            values = value(machine, threads)
            return machine.each_wave(values, lambda part: do(machine, part, values), kind)

        return made, found

    # ------------------------------------------------------------ reductions

    def _combining(self, kind: str, op: int, unsigned: int) -> Callable[[int, int], int]:
        """Return what combines the values so far with the next."""
        format = self.formats.get(kind)
        if format is not None:
            return (format.add, format.mul, format.least_of, format.most_of)[op]

        def key(x: int) -> int:
            return x if unsigned else signed(kind, x)

        return (
            lambda x, y: cut(kind, x + y), lambda x, y: cut(kind, x * y),
            lambda x, y: min(x, y, key=key), lambda x, y: max(x, y, key=key),
        )[op]  # fmt: skip

    def _begun(self, kind: str, x: int) -> int:
        """Return the first value as a sum has it: a float as arithmetic returns it."""
        format = self.formats.get(kind)
        return x if format is None else format.least_of(x, format.nan)

    def _reduced(self, kind: str, depth: int) -> Expression:
        given = self.expression(kind, depth + 1)
        type, suffix = TYPES[kind], SUFFIXES[kind]
        number, unsigned = self.random.randrange(7), self.random.randrange(2)
        if number > MOST and kind in "wil":
            do = BITWISE[number - 4]
            call = f"waveActiveBit.{suffix}(i32 120, {type} {given[0]}, i8 {number - 4})"
        else:
            op = number % 4
            do = self._combining(kind, op, unsigned)
            call = f"waveActiveOp.{suffix}(i32 119, {type} {given[0]}, i8 {op}, i8 {unsigned})"

        def total(machine: Machine, part: Threads, values: Values) -> Values:
            found = self._begun(kind, values[part[0]])
            for each in part[1:]:
                found = do(found, values[each])
            return dict.fromkeys(part, found)

        return self._over(given, f"call {type} @dx.op.{call}", kind, total)

    def _running(self, kind: str, op: int, parts: Callable[[Threads], Iterator[Threads]]) -> OfPart:
        """Return exclusive sums or products over the parts of a wave."""
        do, format = self._combining(kind, op, 1), self.formats.get(kind)
        one = 1 if format is None else format.nearest(format.value(0) + 1)
        nothing = one if op == PRODUCT else 0

        def found(machine: Machine, threads: Threads, values: Values) -> Values:
            made: Values = {}
            for part in parts(threads):
                total: int | None = None
                for each in part:
                    made[each] = nothing if total is None else total
                    own = values[each]
                    total = self._begun(kind, own) if total is None else do(total, own)
            return made

        return found

    def _prefix(self, kind: str, depth: int) -> Expression:
        given, op = self.expression(kind, depth + 1), self.random.randrange(2)
        type, suffix = TYPES[kind], SUFFIXES[kind]
        call = f"wavePrefixOp.{suffix}(i32 121, {type} {given[0]}, i8 {op}, i8 1)"
        whole = self._running(kind, op, lambda threads: iter([threads]))
        return self._over(given, f"call {type} @dx.op.{call}", kind, whole)

    def _prefix_of_part(self, kind: str, depth: int) -> Expression:
        """A sum over the threads that have the same key."""
        (key, keys), given = self.below(4), self.expression(kind, depth + 1)
        mask = self.put(f"call {FOUR} @dx.op.waveMatch.i32(i32 165, i32 {key})")
        words = [self.put(f"extractvalue {FOUR} {mask}, {at}") for at in range(4)]
        listed = ", ".join(f"i32 {each}" for each in words)
        type, op = TYPES[kind], self.random.choice((SUM, 4))
        call = f"waveMultiPrefixOp.{SUFFIXES[kind]}(i32 166, {type} {given[0]}, {listed}"
        made = self.put(f"call {type} @dx.op.{call}, i8 {op}, i8 1)")

        def value(machine: Machine, threads: Threads) -> Values:
            chosen, values = keys(machine, threads), given[1](machine, threads)

            def parts(threads: Threads) -> Iterator[Threads]:
                for each in range(4):
                    yield [at for at in threads if chosen[at] == each]

            running = self._running(kind, PRODUCT if op == 4 else SUM, parts)
            return machine.each_wave(values, lambda part: running(machine, part, values), kind)

        return made, value

    # ------------------------------------------------------------ reads

    def _first(self, kind: str, depth: int) -> Expression:
        given = self.expression(kind, depth + 1)
        call = f"waveReadLaneFirst.{SUFFIXES[kind]}(i32 118, {TYPES[kind]} {given[0]})"
        return self._over(
            given, f"call {TYPES[kind]} @dx.op.{call}", kind,
            lambda machine, part, values: dict.fromkeys(part, values[part[0]]),
        )  # fmt: skip

    def _read(self, kind: str, depth: int) -> Expression:
        (index, at), (text, value) = self.below(self.wave), self.expression(kind, depth + 1)
        call = f"waveReadLaneAt.{SUFFIXES[kind]}(i32 117, {TYPES[kind]} {text}, i32 {index})"
        made = self.put(f"call {TYPES[kind]} @dx.op.{call}")
        return made, _taken(value, at, Machine.waves, Machine.lane)

    def _quad(self, kind: str, depth: int) -> Expression:
        type, suffix = TYPES[kind], SUFFIXES[kind]
        if kind == "1" or self.random.random() < 0.5:
            (index, at), (text, value) = self.below(4), self.expression(kind, depth + 1)
            call = f"quadReadLaneAt.{suffix}(i32 122, {type} {text}, i32 {index})"
            made = self.put(f"call {type} @dx.op.{call}")
            return made, _taken(value, at, Machine.quads, _corner)
        text, value = self.expression(kind, depth + 1)
        op = self.random.randrange(3)
        made = self.put(f"call {type} @dx.op.quadOp.{suffix}(i32 123, {type} {text}, i8 {op})")

        def across(machine: Machine, threads: Threads) -> Values:
            return {each: _corner(machine, each) ^ op + 1 for each in threads}

        return made, _taken(value, across, Machine.quads, _corner)

    # ------------------------------------------------------------ votes

    def _vote(self, kind: str, depth: int) -> Expression:
        number = self.random.randrange(4)
        if number == 3:
            given = self.expression("1", depth + 1)
            return self._over(
                given, "call i1 @dx.op.waveIsFirstLane(i32 110)", kind,
                lambda machine, part, values: {each: each == part[0] for each in part},
            )  # fmt: skip
        if number == 2:
            given = self.expression("i", depth + 1)
            return self._over(
                given, f"call i1 @dx.op.waveActiveAllEqual.i32(i32 115, i32 {given[0]})", kind,
                lambda machine, part, values:
                    dict.fromkeys(part, len({values[each] for each in part}) == 1),
            )  # fmt: skip
        given = self.expression("1", depth + 1)
        name, do = (("Any", any), ("All", all))[number]
        return self._over(
            given, f"call i1 @dx.op.wave{name}True(i32 {113 + number}, i1 {given[0]})", kind,
            lambda machine, part, values:
                dict.fromkeys(part, do(values[each] for each in part)),
        )  # fmt: skip

    def _quad_vote(self, kind: str, depth: int) -> Expression:
        given, number = self.expression("1", depth + 1), self.random.randrange(2)
        made = self.put(f"call i1 @dx.op.quadVote.i1(i32 222, i1 {given[0]}, i8 {number})")
        do = (any, all)[number]

        def value(machine: Machine, threads: Threads) -> Values:
            values = given[1](machine, threads)
            found: Values = {}
            for part in machine.quads(threads):
                found |= dict.fromkeys(part, int(do(values[each] for each in part)))
            return found

        return made, value

    # ------------------------------------------------------------ counts

    def _count(self, kind: str, depth: int) -> Expression:
        given = self.expression("1", depth + 1)
        if self.random.random() < 0.5:
            return self._over(
                given, f"call i32 @dx.op.waveAllOp(i32 135, i1 {given[0]})", kind,
                lambda machine, part, values:
                    dict.fromkeys(part, sum(values[each] for each in part)),
            )  # fmt: skip
        return self._over(
            given, f"call i32 @dx.op.wavePrefixOp(i32 136, i1 {given[0]})", kind,
            lambda machine, part, values:
                {each: sum(values[one] for one in part if one < each) for each in part},
        )  # fmt: skip

    def _ballot(self, kind: str, depth: int) -> Expression:
        given = self.expression("1", depth + 1)
        found, value = self._over(
            given, f"call {FOUR} @dx.op.waveActiveBallot(i32 116, i1 {given[0]})", kind,
            lambda machine, part, values: dict.fromkeys(
                part, sum(values[each] << machine.lane(each) for each in part)
            ),
        )  # fmt: skip
        return self.put(f"extractvalue {FOUR} {found}, 0"), value

    def _match(self, kind: str, depth: int) -> Expression:
        given = self.below(4)

        def masks(machine: Machine, part: Threads, values: Values) -> Values:
            return {
                each: sum(1 << machine.lane(at) for at in part if values[at] == values[each])
                for each in part
            }

        text = f"call {FOUR} @dx.op.waveMatch.i32(i32 165, i32 {given[0]})"
        found, value = self._over(given, text, kind, masks)
        return self.put(f"extractvalue {FOUR} {found}, 0"), value

    def _position(self, kind: str, depth: int) -> Expression:
        if self.random.random() < 0.3:
            made = self.put("call i32 @dx.op.waveGetLaneCount(i32 112)")
            return made, lambda machine, threads: dict.fromkeys(threads, machine.wave)
        made = self.put("call i32 @dx.op.waveGetLaneIndex(i32 111)")
        return made, lambda machine, threads: {each: machine.lane(each) for each in threads}


def _corner(machine: Machine, thread: int) -> int:
    """Return the number of a thread in its quad."""
    return machine.lane(thread) % 4


def _taken(
    value: Evaluate,
    index: Evaluate,
    parts: Callable[[Machine, Threads], list[Threads]],
    number: Callable[[Machine, int], int],
) -> Evaluate:
    """Return values of the threads of chosen numbers; a thread's own where there is none."""

    def found(machine: Machine, threads: Threads) -> Values:
        values, chosen = value(machine, threads), index(machine, threads)
        made: Values = {}
        for part in parts(machine, threads):
            known = {number(machine, each): values[each] for each in part}
            made |= {each: known.get(chosen[each], values[each]) for each in part}
        return made

    return found
