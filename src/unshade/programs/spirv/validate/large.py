"""The instructions of a large module, which are made one after the other when they are asked for.

An `Inst` takes fifty times the memory of its words. For a large module arrays have what the words
do not say: the function, the block and the opcode by position, positions by result and by use.
"""

from array import array
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, compress
from typing import TypeVar, overload

from ..index import DefinitionsOnDemand, ModuleIndex
from ..operands import EXTENDED, decode, fixed_places
from ..reading import OperandsOnDemand
from .instruction import FunctionPlaces, Inst

__all__ = ["DefinedInsts", "InstsOnDemand", "UsesOnDemand", "of"]

D = TypeVar("D")

RECENT = 1 << 14  # instructions that are kept


class InstsOnDemand(Sequence[Inst]):
    """The instructions that the grammar explains, in the order of the module.

    Attributes:
        codes: Opcodes by position; 0 for an instruction that the grammar does not explain.
        results: Result ids by position, 0 without one.
        functions, blocks: The index of the function, -1 outside, and the label of the block, 0
            outside, by position.
        starts: Positions of the functions.
    """

    def __init__(self, index: ModuleIndex, operands: OperandsOnDemand) -> None:
        self.code = index.code
        self.imports = index.imports
        self.bad = index.bad
        self.near = operands.near
        self.kept = operands.kept
        self.context, self.grammar = operands.context, operands.grammar
        self.read = partial(decode, context=operands.context, grammar=operands.grammar)
        self.codes = operands.codes
        if self.bad:
            self.codes = self.codes[:]
            for position in self.bad:
                self.codes[position] = 0
        self.results = operands.results
        self.functions = array("i")
        self.blocks = array("I")
        self.recent: dict[int, Inst] = {}
        places = FunctionPlaces()
        self.starts = places.starts
        add_function, add_block = self.functions.append, self.blocks.append
        function, block = places.following
        for position, code in enumerate(self.codes):
            if code in places.CHANGES:
                function, block = places.next(position, code, self.results[position])
                add_function(function)
                add_block(block)
                function, block = places.following
            else:
                add_function(function)
                add_block(block)

    def __len__(self) -> int:
        return len(self.codes) - len(self.bad)

    @overload
    def __getitem__(self, at: int) -> Inst: ...
    @overload
    def __getitem__(self, at: slice) -> list[Inst]: ...
    def __getitem__(self, at: int | slice) -> Inst | list[Inst]:
        positions = [each for each in range(len(self.codes)) if each not in self.bad]
        if isinstance(at, slice):
            return [self.at(each) for each in positions[at]]
        return self.at(positions[at])

    def __iter__(self) -> Iterator[Inst]:
        bad, made, recent = self.bad, self._made, self.recent
        for position, words in enumerate(self.code):
            if position in bad:
                continue
            found = recent.get(position)
            if found is None:
                if len(recent) >= RECENT:
                    recent.clear()
                recent[position] = found = made(position, words)
            yield found

    def of(self, codes: Container[int]) -> Iterator[Inst]:
        """Iterate over the instructions with these opcodes."""
        wanted = map(codes.__contains__, self.codes)
        for position in compress(range(len(self.codes)), wanted):
            if position not in self.bad:
                yield self.at(position)

    def uses(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Iterate over the position of each instruction, and the ids that it uses."""
        bad, context, grammar = self.bad, self.context, self.grammar
        for position, words in enumerate(self.code):
            places = fixed_places(words, context, grammar)
            if places is not None:
                found = [words[at] for at in places.ids]
                if places.result_type and words[places.result_type]:
                    found.append(words[places.result_type])
                yield position, found
            elif position not in bad:
                inst = self.at(position)
                yield position, (*inst.ids(), inst.type) if inst.type else inst.ids()

    def at(self, position: int) -> Inst:
        """Return the instruction at a position."""
        found = self.recent.get(position)
        if found is None:
            if len(self.recent) >= RECENT:
                self.recent.clear()
            found = self.recent[position] = self._made(position, self.code[position])
        return found

    def _made(self, position: int, words: tuple[int, ...]) -> Inst:
        known = self.kept.get(position)
        places = None
        if known is None:
            places = fixed_places(words, self.context, self.grammar)
        function, block = self.functions[position], self.blocks[position]
        if places is not None:
            return Inst.at_places(position, words, places, self.read, function, block)
        made = Inst(position, words, known or self.read(words))
        made.function, made.block = function, block
        if made.code in EXTENDED:
            made.set = self.imports.get(made.word(0), "")
        return made

    def range_of(self, function: int) -> "InstRange":
        """Return the instructions of a function, up to its end or to the next function."""
        start = self.starts[function]
        last = function + 1 == len(self.starts)
        end = len(self.codes) if last else self.starts[function + 1]
        functions, bad = self.functions, self.bad
        while functions[end - 1] != function:
            end -= 1
        inside = range(start, end)
        if bad and not bad.isdisjoint(inside):
            return InstRange(self, array("I", (at for at in inside if at not in bad)))
        return InstRange(self, inside)


class InstRange(Sequence[Inst]):
    """Some instructions of a large module."""

    __slots__ = ("insts", "positions")

    def __init__(self, insts: InstsOnDemand, positions: Sequence[int]) -> None:
        self.insts = insts
        self.positions = positions

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, at: int) -> Inst: ...
    @overload
    def __getitem__(self, at: slice) -> list[Inst]: ...
    def __getitem__(self, at: int | slice) -> Inst | list[Inst]:
        if isinstance(at, slice):
            return [self.insts.at(each) for each in self.positions[at]]
        return self.insts.at(self.positions[at])

    def __iter__(self) -> Iterator[Inst]:
        recent, at = self.insts.recent, self.insts.at
        for position in self.positions:
            yield recent.get(position) or at(position)

    def of(self, codes: Container[int]) -> Iterator[Inst]:
        """Iterate over the instructions with these opcodes."""
        known = self.insts.codes
        return map(self.insts.at, (at for at in self.positions if known[at] in codes))


def of(insts: Sequence[Inst], *codes: int) -> Iterator[Inst]:
    """Iterate over the instructions with these opcodes."""
    if isinstance(insts, InstsOnDemand | InstRange):
        return insts.of(codes)
    return (each for each in insts if each.code in codes)


class DefinedInsts(Mapping[int, Inst]):
    """The instructions of a large module by result id; the first definition counts."""

    def __init__(self, insts: InstsOnDemand, definitions: DefinitionsOnDemand) -> None:
        self.insts = insts
        self.definitions = definitions
        places = definitions.places  # positions, from 1
        self.near = places.near
        self.far = places.far
        if 0 in places:  # no id
            self.near = places.near[:]
            self.near[:1] = array("I", [0][: len(self.near)])
            self.far = {each: place for each, place in places.far.items() if each}
        self.count = len(self.near)
        self.types = insts.context.types

    def place(self, number: int) -> int:
        """Return the position of the definition of an id, -1 without one."""
        return (self.near[number] if number < self.count else self.far.get(number, 0)) - 1

    def code(self, number: int) -> int:
        """Return the opcode that defines an id, 0 without one."""
        at = self.near[number] if number < self.count else self.far.get(number, 0)
        return self.insts.codes[at - 1] if at else 0

    def type_of(self, number: int) -> int:
        """Return the type of a value; 0 for other ids."""
        at = self.near[number] if number < self.count else self.far.get(number, 0)
        return self.types.get(number, 0) if at else 0

    def place_of(self, number: int) -> tuple[int, int, int] | None:
        """Return opcode, function and block of the definition of an id; None without one."""
        at = self.near[number] if number < self.count else self.far.get(number, 0)
        insts = self.insts
        return (insts.codes[at - 1], insts.functions[at - 1], insts.blocks[at - 1]) if at else None

    @overload
    def get(self, number: int, default: None = None) -> Inst | None: ...
    @overload
    def get(self, number: int, default: Inst | D) -> Inst | D: ...
    def get(self, number: int, default: Inst | D | None = None) -> Inst | D | None:
        """Return the instruction whose result is an id, or the default."""
        at = self.near[number] if number < self.count else self.far.get(number, 0)
        return self.insts.at(at - 1) if at else default

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.place(number) >= 0

    def __getitem__(self, number: int) -> Inst:
        position = self.place(number)
        if position < 0:
            raise KeyError(number)
        return self.insts.at(position)

    def __iter__(self) -> Iterator[int]:
        return (each for each in self.definitions if each)

    def __len__(self) -> int:
        return len(self.definitions) - (0 in self.definitions)


class UsesOnDemand(Mapping[int, Sequence[Inst]]):
    """The instructions of a large module by the ids among their operands, or of their type."""

    def __init__(self, insts: InstsOnDemand) -> None:
        self.insts = insts
        numbers, positions = array("I"), array("I")
        for position, found in insts.uses():
            numbers.extend(found)
            positions.extend([position] * len(found))
        near = insts.near
        counts = array("I", bytes(4 * near))
        self.far: dict[int, list[int]] = {}
        for number, position in zip(numbers, positions, strict=True):
            if number < near:
                counts[number] += 1
            else:
                self.far.setdefault(number, []).append(position)
        self.starts = array("I", accumulate(counts, initial=0))
        following = self.starts[:]
        self.positions = array("I", bytes(4 * self.starts[-1]))
        for number, position in zip(numbers, positions, strict=True):
            if number < near:
                self.positions[following[number]] = position
                following[number] += 1

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        if 0 <= number < len(self.starts) - 1:
            return self.starts[number] < self.starts[number + 1]
        return number in self.far

    def _places(self, number: int) -> Sequence[int]:
        """Return the positions of the uses of an id."""
        if number < len(self.starts) - 1:
            return self.positions[self.starts[number] : self.starts[number + 1]]
        return self.far.get(number, ())

    def functions(self, number: int) -> set[int]:
        """Return the ids of the functions that use an id."""
        insts = self.insts
        found = {insts.functions[at] for at in self._places(number)} - {-1}
        return {insts.results[insts.starts[each]] for each in found}

    def __getitem__(self, number: int) -> Sequence[Inst]:
        if number not in self:
            raise KeyError(number)
        return InstRange(self.insts, self._places(number))

    def __iter__(self) -> Iterator[int]:
        yield from (at for at in range(len(self.starts) - 1) if at in self)
        yield from self.far

    def __len__(self) -> int:
        return sum(1 for _ in self)
